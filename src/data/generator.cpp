// The source of generated rows, and how its specification is read.
#include "data/generator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cmath>
#include <utility>

#include "core/assert.hpp"
#include "core/fail_at.hpp"
#include "kinglet/error.hpp"

namespace kinglet {
namespace {

using Classes = std::span<std::uint32_t>;

const std::array<GeneratorParameter, 3> kCommon = {{
    {"n", "number of rows; endless if not given", 0, 1, kMostGeneratedRows, true},
    {"seed", "random seed", 1, 0, kMostGeneratedRows, true},
    {"noise", "share of labels replaced by another class; for numbers, deviation of the added noise", 0, 0, 1},
}};
constexpr std::size_t kRows = 0, kSeed = 1, kNoise = 2;
constexpr double kMostDeviation = 1e6;  // of noise that is added to numbers

const std::vector<GeneratorEntry>& table() {
  static const std::vector<GeneratorEntry> entries = [] {
    std::vector<GeneratorEntry> all = still_streams();
    for (GeneratorEntry& entry : drifting_streams()) all.push_back(std::move(entry));
    return all;
  }();
  return entries;
}

// --- the source ------------------------------------------------------------------------------------------------------

class GeneratorSource final : public Source {
 public:
  GeneratorSource(std::string name, const GeneratorEntry& entry, ParameterValues common, ParameterValues own,
                  bool numeric_labels)
      : name_(std::move(name)),
        dimension_(entry.dimension),
        classes_(entry.classes == nullptr ? std::vector<std::string>() : entry.classes(own)),
        fill_(entry.classes == nullptr ? nullptr : entry.make(own)),
        fill_numbers_(entry.classes == nullptr ? entry.make_numbers(own) : nullptr),
        seed_(static_cast<std::uint64_t>(common[kSeed])),
        rows_(static_cast<std::uint64_t>(common[kRows])),
        noise_(common[kNoise]) {
    if (numeric_labels) {
      for (const std::string& text : classes_) class_numbers_.push_back(number_in(text));
    }
    start();
  }

  bool next(Batch& batch) override;
  bool can_rewind() const override { return true; }
  void rewind() override { start(); }
  std::optional<double> progress() const override {
    if (rows_ == 0) return std::nullopt;
    return static_cast<double>(row_) / static_cast<double>(rows_);
  }
  std::optional<std::uint64_t> rows() const override {
    if (rows_ == 0) return std::nullopt;
    return rows_;
  }
  std::string name() const override { return name_; }
  void stop() override { stopped_ = true; }

 private:
  void start() {
    row_ = 0;
    random_ = Random(seed_);
    noise_random_ = Random(~seed_);  // a separate generator, so that noise changes nothing but the labels
  }
  void fill_classes(Batch& batch);
  void fill_numbers(Batch& batch);
  void add_noise(Classes labels);
  static float number_in(const std::string& text);

  std::string name_;
  std::uint32_t dimension_;
  std::vector<std::string> classes_;
  std::vector<float> class_numbers_;  // numbers to use instead of class ids; empty: use the ids
  FillRows fill_;
  FillNumberedRows fill_numbers_;  // used instead if there are no classes
  std::uint64_t seed_;
  std::uint64_t rows_;  // 0: endless
  double noise_;
  Random random_;
  Random noise_random_;
  std::uint64_t row_ = 0;
  bool classes_told_ = false;
  std::atomic<bool> stopped_ = false;
};

bool GeneratorSource::next(Batch& batch) {
  const std::uint64_t left = rows_ == 0 ? kBatchRows : rows_ - row_;
  const std::size_t count = stopped_ ? 0 : std::min<std::uint64_t>(kBatchRows, left);
  batch.sparse = false;
  batch.dimension = dimension_;
  batch.values.resize(count * dimension_);
  batch.labels.resize(count);
  batch.columns.reset();
  batch.indices.clear();
  batch.offsets.clear();
  batch.weights.clear();
  batch.targets.clear();
  batch.new_labels.clear();
  if (count == 0) return false;
  if (fill_numbers_) {
    fill_numbers(batch);
  } else {
    fill_classes(batch);
  }
  row_ += count;
  return true;
}

void GeneratorSource::fill_classes(Batch& batch) {
  fill_(random_, row_, batch.values, batch.labels);
  if (noise_ > 0) add_noise(batch.labels);
  if (class_numbers_.empty()) {
    if (!std::exchange(classes_told_, true)) batch.new_labels = classes_;
    return;
  }
  for (auto& label : batch.labels) batch.targets.push_back(class_numbers_[std::exchange(label, kNoLabel)]);
}

void GeneratorSource::fill_numbers(Batch& batch) {
  std::ranges::fill(batch.labels, kNoLabel);
  batch.targets.resize(batch.rows());
  fill_numbers_(random_, batch.values, batch.targets);
  if (noise_ == 0) return;
  for (float& y : batch.targets) y = static_cast<float>(static_cast<double>(y) + noise_ * noise_random_.normal());
}

float GeneratorSource::number_in(const std::string& text) {
  float number = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  KINGLET_ASSERT(parsed.ec == std::errc() && parsed.ptr == text.data() + text.size());
  return number;
}

void GeneratorSource::add_noise(Classes labels) {
  const auto others = static_cast<std::uint32_t>(classes_.size()) - 1;
  const auto threshold = static_cast<std::uint64_t>(noise_ * 0x1p32);
  Random local = noise_random_;
  for (auto& label : labels) {
    const std::uint64_t word = local.next();
    // The low half of the word decides whether to replace the label, the high half by which class.
    const auto shift = static_cast<std::uint32_t>(((word >> 32) * others) >> 32) + 1;
    const std::uint32_t other = label + shift > others ? label + shift - others - 1 : label + shift;
    label = (word & 0xFFFFFFFF) < threshold ? other : label;
  }
  noise_random_ = local;
}

// --- the specification -----------------------------------------------------------------------------------------------

std::string known_names() {
  std::string names;
  for (const auto& entry : table()) names += fmt::format("{}{}", names.empty() ? "" : ", ", entry.name);
  return names;
}

std::string known_parameters(const GeneratorEntry& entry) {
  std::string names = "n, seed, noise";
  for (const auto& parameter : entry.parameters) names += fmt::format(", {}", parameter.name);
  return names;
}

[[noreturn]] void fail_spec(std::string_view spec, const std::string& message) {
  throw Error(printable(spec) + ": " + message);
}

double parse_parameter(std::string_view spec, const GeneratorParameter& parameter, std::string_view text) {
  std::optional<double> value;
  if (parameter.whole) {
    if (const auto count = parse_count(text)) value = static_cast<double>(*count);
  } else {
    double number = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
    if (result.ec == std::errc() && result.ptr == text.data() + text.size()) value = number;
  }
  if (value && *value >= parameter.lowest && *value <= parameter.highest) return *value;
  fail_spec(spec, fmt::format("{} must be a {} from {} to {}, not {}", parameter.name,
                              parameter.whole ? "whole number" : "number", parameter.lowest, parameter.highest,
                              quoted(text)));
}

// Sets the parameter called `name`; false if there is none.
bool set_parameter(std::string_view spec, std::string_view name, std::string_view text,
                   std::span<const GeneratorParameter> parameters, std::span<double> values) {
  const auto found = std::find_if(parameters.begin(), parameters.end(), [&](const auto& p) { return p.name == name; });
  if (found == parameters.end()) return false;
  values[static_cast<std::size_t>(found - parameters.begin())] = parse_parameter(spec, *found, text);
  return true;
}

std::vector<double> defaults(std::span<const GeneratorParameter> parameters) {
  std::vector<double> values;
  for (const auto& parameter : parameters) values.push_back(parameter.default_value);
  return values;
}

}  // namespace

std::span<const GeneratorEntry> generators() { return table(); }

std::vector<std::string> minus_and_plus(ParameterValues) { return {"-1", "1"}; }
std::optional<double> never_wrong(ParameterValues) { return 0; }

// With two classes, the best prediction is wrong where its label stays and it was wrong before, or the other way round.
// With more classes that holds if it was never wrong.
std::optional<double> best_error(const GeneratorEntry& entry, ParameterValues parameters, double noise) {
  if (entry.best_error == nullptr) return std::nullopt;
  const std::optional<double> without = entry.best_error(parameters);
  const std::size_t classes = entry.classes(parameters).size();
  if (!without || (classes > 2 && *without > 0) || noise > 1 - 1 / static_cast<double>(classes)) return std::nullopt;
  return *without + noise - 2 * *without * noise;
}

std::span<const GeneratorParameter> common_generator_parameters() { return kCommon; }

std::optional<std::uint64_t> parse_count(std::string_view text) {
  double unit = 1;
  if (!text.empty()) {
    const char last = text.back();
    unit = last == 'k' || last == 'K' ? 1e3 : last == 'm' || last == 'M' ? 1e6 : last == 'g' || last == 'G' ? 1e9 : 1;
    if (unit != 1) text.remove_suffix(1);
  }
  double value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc() || result.ptr != text.data() + text.size()) return std::nullopt;
  value *= unit;
  if (!(value >= 0 && value <= 0x1p53) || value != std::floor(value)) return std::nullopt;
  return static_cast<std::uint64_t>(value);
}

std::unique_ptr<Source> open_generator(std::string_view spec, bool numeric_labels) {
  const std::string_view body = spec.substr(std::min(spec.find(':') + 1, spec.size()));
  const std::size_t question = std::min(body.find('?'), body.size());
  const std::string_view name = body.substr(0, question);
  const auto entry = std::find_if(table().begin(), table().end(), [&](const auto& g) { return g.name == name; });
  if (entry == table().end()) {
    fail_spec(spec, fmt::format("unknown generator {}; known generators are {}", quoted(name), known_names()));
  }
  std::vector<double> common = defaults(kCommon), own = defaults(entry->parameters);
  common[kNoise] = entry->noise;
  auto common_parameters = kCommon;
  if (entry->classes == nullptr) common_parameters[kNoise].highest = kMostDeviation;
  std::string_view rest = body.substr(std::min(question + 1, body.size()));
  while (!rest.empty()) {
    const std::string_view part = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(part.size() + 1, rest.size()));
    const std::size_t equals = part.find('=');
    if (equals == std::string_view::npos) fail_spec(spec, "expected name=value, found " + quoted(part));
    const std::string_view key = part.substr(0, equals), value = part.substr(equals + 1);
    if (!set_parameter(spec, key, value, common_parameters, common) &&
        !set_parameter(spec, key, value, entry->parameters, own)) {
      fail_spec(spec, fmt::format("{} has no parameter {}; it has {}", name, quoted(key), known_parameters(*entry)));
    }
  }
  return std::make_unique<GeneratorSource>(std::string(spec), *entry, common, own, numeric_labels);
}

}  // namespace kinglet
