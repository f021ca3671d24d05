#include "papers/trial_store.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>

#include "kinglet/error.hpp"
#include "model/model_file.hpp"

namespace kinglet {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::chrono::seconds kBetweenWrites{5};

// What is kept of a trial. The other two shares follow from these.
struct Field {
  std::string name;
  std::function<double&(TrialNumbers&)> of;
  bool is_optional = false;  // not written if no trial has it
};

const std::vector<Field>& fields() {
  static const std::vector<Field> list = [] {
    std::vector<Field> made;
    for (std::size_t i = 0; i < kMeasures; ++i) {
      const auto measure = static_cast<Measure>(i);
      if (measure == Measure::test_error || measure == Measure::online_accuracy) continue;
      made.push_back({std::string(measure_name(measure)),
                      [measure](TrialNumbers& numbers) -> double& { return numbers.value(measure); }});
    }
    made.push_back(
        {"majority error of the test rows", [](TrialNumbers& numbers) -> double& { return numbers.test_majority; }});
    made.push_back({"majority error of the training rows",
                    [](TrialNumbers& numbers) -> double& { return numbers.online_majority; }});
    made.push_back({"searched", [](TrialNumbers& numbers) -> double& { return numbers.searched; }, true});
    return made;
  }();
  return list;
}

Json number_of(double value) {
  if (std::isnan(value)) return nullptr;
  if (value == std::floor(value) && std::abs(value) < 1e15) return static_cast<std::int64_t>(value);
  return value;
}

// One value if all are equal.
Json packed(const Json& list) {
  const bool same = std::ranges::all_of(list, [&](const Json& each) { return each == list.front(); });
  return same && !list.empty() ? list.front() : list;
}

const Json& at(const Json& field, std::size_t i) { return field.is_array() ? field.at(i) : field; }

// Holds the lock of a folder.
class FolderLock {
 public:
  explicit FolderLock(const std::filesystem::path& folder)
      : folder_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (folder_ < 0 || ::flock(folder_, LOCK_EX) != 0) {
      throw Error(fmt::format("cannot lock the folder {}: {}", folder.string(), std::strerror(errno)));
    }
  }
  ~FolderLock() { ::close(folder_); }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  FolderLock(FolderLock&&) = delete;
  FolderLock& operator=(FolderLock&&) = delete;

 private:
  int folder_;
};

}  // namespace

TrialStore::TrialStore(std::filesystem::path folder, std::string_view experiment, std::string revision)
    : revision_(std::move(revision)) {
  if (folder.empty()) return;
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  if (problem) throw Error(fmt::format("cannot make the folder {}: {}", folder.string(), problem.message()));
  file_ = folder / fmt::format("{}.jsonl", experiment);
  cells_ = read(file_);
}

TrialStore::Cells TrialStore::read(const std::filesystem::path& file) {
  Cells cells;
  std::ifstream text(file);
  std::string line;
  for (std::size_t number = 1; std::getline(text, line); ++number) {
    try {
      const Json json = Json::parse(line);
      Cell cell{.probe = json.at("probe"), .trials = {}};
      const Json& runs = json.at("runs");
      for (std::size_t i = 0; i < runs.size(); ++i) {
        KeptTrial trial{.numbers = {}, .revision = at(json.at("revision"), i)};
        for (const Field& field : fields()) {
          const bool is_there = json.contains(field.name);  // not if the measure is newer
          const Json value = is_there ? at(json.at(field.name), i) : Json();
          field.of(trial.numbers) = value.is_null() ? std::nan("") : value.get<double>();
        }
        complete(trial.numbers);
        cell.trials.emplace(runs.at(i).get<std::size_t>(), std::move(trial));
      }
      cells.emplace(json.at("cell").get<std::string>(), std::move(cell));
    } catch (const Json::exception& error) {
      throw Error(fmt::format("{}:{}: not a line of kept runs: {}", file.string(), number, error.what()));
    }
  }
  return cells;
}

std::string TrialStore::line_of(const std::string& key, const Cell& cell) {
  Json runs = Json::array(), revisions = Json::array();
  for (const auto& [run, trial] : cell.trials) {
    runs.push_back(run);
    revisions.push_back(trial.revision);
  }
  Json json = {{"cell", key}, {"probe", cell.probe}, {"runs", runs}, {"revision", packed(revisions)}};
  for (const Field& field : fields()) {
    Json list = Json::array();
    for (const auto& [run, trial] : cell.trials) {
      TrialNumbers numbers = trial.numbers;
      list.push_back(number_of(field.of(numbers)));
    }
    if (!packed(list).is_null() || !field.is_optional) json[field.name] = packed(list);
  }
  return json.dump() + "\n";
}

KeptTrials TrialStore::find(const std::string& key) const {
  const std::scoped_lock lock(mutex_);
  const auto found = cells_.find(key);
  return found == cells_.end() ? KeptTrials() : found->second.trials;
}

KeptTrials TrialStore::open(const std::string& key, const std::string& probe) {
  const std::scoped_lock lock(mutex_);
  Cell cell{.probe = probe, .trials = {}};
  if (const auto found = cells_.find(key); found != cells_.end() && found->second.probe == probe) {
    cell.trials = found->second.trials;
  }
  return opened_.insert_or_assign(key, std::move(cell)).first->second.trials;
}

void TrialStore::keep(const std::string& key, std::size_t run, const TrialNumbers& numbers) {
  const std::scoped_lock lock(mutex_);
  const auto found = opened_.find(key);
  if (found == opened_.end()) return;
  found->second.trials.insert_or_assign(run, KeptTrial{numbers, revision_});
  changed_.insert(key);
  if (std::chrono::steady_clock::now() - written_ >= kBetweenWrites) write();
}

void TrialStore::keep_only(std::set<std::string> keys) {
  const std::scoped_lock lock(mutex_);
  only_ = std::move(keys);
}

void TrialStore::save() {
  const std::scoped_lock lock(mutex_);
  if (!changed_.empty()) write();
}

// Another process may have written the file in the meantime: its trials stay.
void TrialStore::write() {
  const FolderLock lock(file_.parent_path());
  cells_ = read(file_);
  for (const std::string& key : changed_) {
    Cell cell = opened_.at(key);
    if (const auto found = cells_.find(key); found != cells_.end() && found->second.probe == cell.probe) {
      cell.trials.merge(found->second.trials);
    }
    cells_.insert_or_assign(key, std::move(cell));
  }
  changed_.clear();
  if (!only_.empty()) std::erase_if(cells_, [&](const auto& each) { return !only_.contains(each.first); });
  write_file_atomically(file_, [&](const StateWriter::Sink& sink) {
    for (const auto& [key, cell] : cells_) sink(line_of(key, cell));
  });
  written_ = std::chrono::steady_clock::now();
}

std::string probe_text(const TrialNumbers& numbers) {
  std::string text;
  for (const Measure measure : {Measure::test_accuracy, Measure::online_error, Measure::support_vectors,
                                Measure::kernel_values, Measure::updates, Measure::labels, Measure::gradient_error}) {
    text += fmt::format("{}{:.6g}", text.empty() ? "" : " ", numbers.value(measure));
  }
  return text;
}

}  // namespace kinglet
