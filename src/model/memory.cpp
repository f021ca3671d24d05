#include "model/memory.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <limits>

#include "core/compose.hpp"
#include "core/option_texts.hpp"
#include "expansion/sparse_support_set.hpp"
#include "kinglet/error.hpp"
#include "learn/make_learner.hpp"
#include "learn/registry_entries.hpp"
#include "learn/row_buffer.hpp"

namespace kinglet {
namespace {

constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();
constexpr std::int64_t kMostBudget = 100'000'000;

// The number in a file; unlimited if there is none (version 2 writes "max").
std::uint64_t limit_in(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string text;
  file >> text;
  std::uint64_t limit = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), limit);
  return parsed.ec == std::errc() && limit > 0 ? limit : kUnlimited;
}

// The smallest limit of a control group and those above it. Inside a container the group may be the root.
std::uint64_t group_limit(const std::filesystem::path& root, std::filesystem::path group, const char* name) {
  std::uint64_t limit = limit_in(root / name);
  for (group = group.relative_path(); !group.empty(); group = group.parent_path()) {
    limit = std::min(limit, limit_in(root / group / name));
  }
  return limit;
}

// A line of /proc/self/cgroup is "ID:CONTROLLERS:PATH"; version 2 has no controllers.
std::uint64_t group_limits() {
  std::uint64_t limit = kUnlimited;
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == line.npos || second == line.npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string group = line.substr(second + 1);
    if (controllers.empty()) limit = std::min(limit, group_limit("/sys/fs/cgroup", group, "memory.max"));
    if (("," + controllers + ",").find(",memory,") == std::string::npos) continue;
    limit = std::min(limit, group_limit("/sys/fs/cgroup/memory", group, "memory.limit_in_bytes"));
  }
  return limit;
}

std::uint64_t physical_memory() {
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long page = ::sysconf(_SC_PAGESIZE);
  return pages > 0 && page > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page) : kUnlimited;
}

// The scaler keeps several numbers per feature. Dense rows are kept before and after scaling.
std::uint64_t memory_around(const Shape& shape) {
  constexpr std::uint64_t kScalerBytes = 48;
  const std::uint64_t rows = shape.has_sparse_rows() ? 0 : 2 * rows_at_a_time(shape.dimension);
  return shape.dimension * (kScalerBytes + rows * sizeof(float));
}

// The largest budget with which something fits; 0: none.
template <class Fits>
std::int64_t largest_that(const Fits& fits) {
  if (!fits(1)) return 0;
  std::int64_t good = 1;
  std::int64_t bad = kMostBudget + 1;
  while (bad - good > 1) {
    const std::int64_t middle = good + (bad - good) / 2;
    (fits(middle) ? good : bad) = middle;
  }
  return good;
}

Message correct_index() { return compose("correct the index (with {}, higher ones are errors)", option("dimension")); }

// What helps against a model that is too large; only what does help.
Message remedy(const Options& options, const Shape& shape, const std::string& cause, std::uint64_t available) {
  const auto fits = [&](const Options& other, const Shape& as) { return model_memory(other, as) <= available; };
  Message text;
  const auto add = [&](const Message& advice) { text += compose("{}{}", text.empty() ? ": " : ", or ", advice); };
  if (!cause.empty()) add(correct_index());
  if (options.has("budget") && !options.is_auto("budget")) {
    Options lower = options;
    const std::int64_t most = largest_that([&](std::int64_t budget) {
      lower.set("budget", std::to_string(budget));
      return fits(lower, shape);
    });
    if (most > 0) add(compose("lower {} to at most {}", option("budget"), most));
  }
  Shape sparse = shape;
  sparse.storage = Storage::sparse;
  if (!shape.has_sparse_vectors() && fits(options, sparse)) add(compose("give {}", option("storage", "sparse")));
  return text;
}

}  // namespace

std::string bytes_text(std::uint64_t bytes) {
  const auto in = [&](double unit) { return static_cast<double>(bytes) / unit; };
  if (bytes < 1024) return fmt::format("{} bytes", bytes);
  if (bytes < 10'000'000) return fmt::format("{:.1f} KiB", in(1024));
  if (bytes < 10'000'000'000) return fmt::format("{:.1f} MiB", in(1024 * 1024));
  return fmt::format("{:.1f} GiB", in(1024.0 * 1024 * 1024));
}

std::uint64_t machine_memory() { return std::min(physical_memory(), group_limits()); }

std::uint64_t memory_left() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t total = 0;
  std::uint64_t resident = 0;
  file >> total >> resident;
  const std::uint64_t used = resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  const std::uint64_t all = machine_memory();
  return all > used ? all - used : 0;
}

bool can_reserve(std::uint64_t bytes) {
  void* const place = ::mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (place == MAP_FAILED) return false;
  ::munmap(place, bytes);
  return true;
}

std::uint64_t memory_limit(const Options& options) {
  if (!options.has("memory") || options.text("memory") == "none") return 0;
  return parse_memory(options.text("memory"));
}

std::uint64_t model_memory(const Options& options, const Shape& shape) {
  return learner_memory(options, shape) + memory_around(shape);
}

std::int64_t largest_budget(Options options, const Shape& shape, std::uint64_t limit) {
  const LearnerEntry* learner = learner_entry(options);
  if (learner != nullptr && learner->largest_budget != nullptr) return learner->largest_budget(options, shape, limit);
  return largest_that([&](std::int64_t budget) {
    options.set("budget", std::to_string(budget));
    return learner_memory(options, shape) <= limit;
  });
}

std::string dimension_cause(const Shape& shape, const HighestIndex& highest) {
  const bool made_it = highest.index == shape.dimension || highest.index + 1 == shape.dimension;  // from 1 or from 0
  constexpr std::uint32_t kMany = 10'000;  // fewer features than that are hardly what takes the memory
  if (highest.where.empty() || !made_it || shape.dimension < kMany) return {};
  return fmt::format("{}: index {} gives {} features; ", highest.where, highest.index, shape.dimension);
}

void require_memory(const Options& options, const Shape& shape, const HighestIndex& highest, std::uint64_t limit) {
  const std::uint64_t needed = limit == 0 ? model_memory(options, shape) : learner_memory(options, shape);
  const std::uint64_t available = limit == 0 ? machine_memory() : limit;
  if (needed <= available) return;
  const std::string cause = dimension_cause(shape, highest);
  throw Error(compose("{}the learner would take {} of memory and there are {}{}", cause, bytes_text(needed),
                      bytes_text(available), remedy(options, shape, cause, available)));
}

bool can_limit_sparse_vectors(const Options& options) {
  return learner_entry(options) == nullptr && options.text("output") != "average";  // an average keeps all vectors
}

std::int64_t budget_for_memory(const Options& options, const Shape& shape, double nonzeros,
                               const HighestIndex& highest) {
  const std::uint64_t limit = memory_limit(options);
  const std::string cause = dimension_cause(shape, highest);
  const bool limits_itself = shape.has_sparse_vectors() && can_limit_sparse_vectors(options);
  Shape known = shape;
  if (shape.has_sparse_vectors() && !limits_itself) known.storage = Storage::dense;
  const std::size_t vector = limits_itself ? SparseSupportSet::vector_bytes(static_cast<std::size_t>(nonzeros)) : 0;
  Options with = options;
  const auto bytes = [&](std::int64_t budget) {
    with.set("budget", std::to_string(budget));
    return learner_memory(with, known) + static_cast<std::uint64_t>(budget) * vector;
  };
  const std::int64_t budget = limits_itself ? largest_that([&](std::int64_t trial) { return bytes(trial) <= limit; })
                                            : largest_budget(options, known, limit);
  if (budget == 0) {
    throw Error(compose("{}{} is too little: even one support vector of {} features takes {}{}", cause,
                        option("memory", options.text("memory")), shape.dimension, bytes_text(bytes(1)),
                        cause.empty() ? Message() : compose("; {}", correct_index())));
  }
  if (shape.has_sparse_vectors() && !limits_itself) {
    throw Error(compose("{}{} needs dense support vectors, which take a known amount: give {}, or {}", cause,
                        option("memory"), option("budget"), option("storage", "mixed")));
  }
  return budget;
}

}  // namespace kinglet
