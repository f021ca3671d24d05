#include "papers/trial_store.hpp"

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "kinglet/error.hpp"
#include "model/model_file.hpp"

namespace kinglet {
namespace {

using Json = nlohmann::json;

// The numbers in the order of Measure, then the two baselines; null for NaN.
Json packed(const TrialNumbers& numbers) {
  Json list = Json::array();
  for (const double value : numbers.values) list.push_back(value);
  list.push_back(numbers.test_majority);
  list.push_back(numbers.online_majority);
  return list;
}

TrialNumbers unpacked(const Json& list) {
  const auto number = [&](std::size_t i) { return list.at(i).is_null() ? std::nan("") : list.at(i).get<double>(); };
  TrialNumbers numbers;
  for (std::size_t i = 0; i < kMeasures; ++i) numbers.values[i] = number(i);
  numbers.test_majority = number(kMeasures);
  numbers.online_majority = number(kMeasures + 1);
  return numbers;
}

// FNV-1a, for names of files.
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 14695981039346656037U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  return hash;
}

}  // namespace

TrialStore::TrialStore(std::filesystem::path folder) : folder_(std::move(folder)) {
  std::error_code problem;
  if (!folder_.empty()) std::filesystem::create_directories(folder_, problem);
  if (problem) throw Error(fmt::format("cannot make the folder {}: {}", folder_.string(), problem.message()));
}

std::filesystem::path TrialStore::path_of(const std::string& key) const {
  return folder_ / fmt::format("{:016x}.json", hash_of(key));
}

std::map<std::size_t, TrialNumbers> TrialStore::open(const std::string& key, const std::string& probe) {
  Cell cell{.probe = probe, .trials = {}};
  std::ifstream file(path_of(key));
  const Json json = file ? Json::parse(file, nullptr, false) : Json();  // a file that cannot be read keeps nothing
  if (json.is_object() && json.value("key", "") == key && json.value("probe", "") == probe &&
      json.value("measures", std::size_t{0}) == kMeasures) {
    for (const auto& [run, numbers] : json.at("trials").items())
      cell.trials.emplace(std::stoul(run), unpacked(numbers));
  }
  const std::scoped_lock lock(mutex_);
  return cells_.insert_or_assign(key, std::move(cell)).first->second.trials;
}

void TrialStore::keep(const std::string& key, std::size_t run, const TrialNumbers& numbers) {
  const std::scoped_lock lock(mutex_);
  const auto found = cells_.find(key);
  if (found == cells_.end()) return;
  found->second.trials.insert_or_assign(run, numbers);
  write(key, found->second);
}

void TrialStore::write(const std::string& key, const Cell& cell) const {
  Json json = {{"key", key}, {"probe", cell.probe}, {"measures", kMeasures}, {"trials", Json::object()}};
  for (const auto& [run, numbers] : cell.trials) json["trials"][std::to_string(run)] = packed(numbers);
  write_file_atomically(path_of(key), [&](const StateWriter::Sink& sink) { sink(json.dump() + "\n"); });
}

std::string probe_text(const TrialNumbers& numbers) {
  std::string text;
  for (std::size_t i = 0; i < kMeasures; ++i) {
    if (i != static_cast<std::size_t>(Measure::seconds)) text += fmt::format("{:.17g} ", numbers.values[i]);
  }
  return text;
}

}  // namespace kinglet
