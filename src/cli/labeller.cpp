#include "cli/labeller.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <iterator>
#include <span>
#include <system_error>
#include <utility>

#include "cli/json.hpp"
#include "cli/numbers.hpp"
#include "core/assert.hpp"
#include "core/fail_at.hpp"
#include "data/bytes.hpp"
#include "data/label_ids.hpp"
#include "kinglet/error.hpp"
#include "model/model_access.hpp"

namespace kinglet::cli {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

// LIBSVM text; missing values are written as nan, an extension of the format.
std::string row_text(const Features& x, std::uint32_t index_base) {
  std::string text;
  for (std::uint32_t k = 0; k < x.count; ++k) {
    if (x.values[k] == 0) continue;
    const std::uint32_t feature = x.is_sparse() ? x.indices[k] : k;
    fmt::format_to(std::back_inserter(text), "{}{}:{}", text.empty() ? "" : " ", feature + index_base, x.values[k]);
  }
  return text;
}

// Two classes: |f(x)|; more: the difference of the two highest scores.
double certainty_of(std::span<const float> scores) {
  if (scores.size() < 2) return scores.empty() ? 0 : std::abs(static_cast<double>(scores[0]));
  std::array<float, 2> highest{};
  std::ranges::partial_sort_copy(scores, highest, std::greater());
  return static_cast<double>(highest[0]) - static_cast<double>(highest[1]);
}

}  // namespace

Labeller::Labeller(const std::string& queries, const std::string& labels, const Model& model)
    : model_(model), dialogue_(queries, labels) {}

std::optional<std::string> Labeller::operator()(const Query& query) {
  try {
    if (!has_asked_early(query.example)) {
      if (!query.row_id.empty()) name_row(query.example, query.row_id);
      put(query, static_cast<std::uint32_t>(model_.index_base().value_or(1)));
    }
    if (all_asked_) dialogue_.end_queries();
    return wait_for(query.example);
  } catch (const Error& error) {
    problem_ = error.message();
    return std::nullopt;
  }
}

void Labeller::ask_early(const Batch& row, std::uint64_t id, const std::optional<Prediction>& prediction) {
  if (early_.count == 0) {
    early_.first = id;
    open_ = open_query(model_).value_or(id);  // of other data: the model asks it itself
  }
  KINGLET_ASSERT(id == early_.first + early_.count);
  if (!row.ids.empty()) name_row(id, row.ids[0]);
  Query query{.example = id, .x = row.features()[0]};
  if (prediction) {
    query.prediction = *prediction;
    query.certainty = certainty_of(model_.scores(row)[0]);
  } else {
    query.prediction.label = kNoClass;
  }
  ++early_.count;
  put(query, static_cast<std::uint32_t>(row.index_base.value_or(1)));
}

void Labeller::name_row(std::uint64_t id, std::string_view row_id) {
  const auto [known, is_new] = ids_.emplace(row_id, id);
  if (!is_new) {
    throw Error(fmt::format("two rows that wait for their labels have the id {}: examples {} and {}",
                            kinglet::quoted(row_id), known->second, id));
  }
  row_ids_.emplace(id, row_id);
  has_row_ids_ = true;
}

void Labeller::put(const Query& query, std::uint32_t index_base) {
  const auto labels = model_.labels();
  const ClassId predicted = query.prediction.label;
  Json json;
  json["id"] = query.example;
  if (const auto row_id = row_ids_.find(query.example); row_id != row_ids_.end()) json["row_id"] = row_id->second;
  json["prediction"] = predicted < labels.size() ? Json(labels[predicted]) : Json(nullptr);
  json["score"] = number_json(static_cast<double>(query.prediction.score));
  json["certainty"] = number_json(query.certainty);
  json["row"] = row_text(query.x, index_base);
  last_ = std::max(last_, query.example);
  if (ahead_ && is_asked(*ahead_)) take(*std::exchange(ahead_, std::nullopt));
  if (has_dropped_) return;
  dialogue_.send(json.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n');
  while (dialogue_.has_unsent()) {
    if (answers_ended_ && !known_.contains(query.example)) {  // nobody will answer it
      dialogue_.forget_unsent();
      has_dropped_ = true;
    } else if (!step()) {
      return;
    }
  }
}

// The label of the row with this id; nullopt if the answers end before, or the wait was stopped.
std::optional<std::string> Labeller::wait_for(std::uint64_t id) {
  open_ = id;
  while (!known_.contains(id)) {
    if (ahead_) refuse_unasked(*ahead_);  // the answers after it cannot be read before its query is asked
    if (answers_ended_ || !step()) return std::nullopt;
  }
  ++open_;
  if (const auto row_id = row_ids_.extract(id)) ids_.erase(row_id.mapped());
  return known_.extract(id).mapped();
}

// Reads an answer or writes some of a query. False if the run was stopped.
bool Labeller::step() {
  const Dialogue::Event event = dialogue_.step(!answers_ended_ && !ahead_);
  if (event == Dialogue::Event::answer) take(parsed(trimmed(dialogue_.answer())));
  if (event == Dialogue::Event::end) answers_ended_ = true;
  return event != Dialogue::Event::stopped;
}

bool Labeller::is_asked(const Answer& answer) const {
  return answer.row_id.empty() ? answer.id <= last_ : ids_.contains(answer.row_id);
}

void Labeller::take(Answer answer) {
  if (!is_asked(answer)) {
    ahead_ = std::move(answer);
    return;
  }
  const std::uint64_t id = answer.row_id.empty() ? answer.id : ids_.at(answer.row_id);
  if (id < open_ || known_.contains(id)) refuse_id(id);
  known_.emplace(id, std::move(answer.label));
}

void Labeller::refuse_unasked(const Answer& answer) const {
  if (answer.row_id.empty()) refuse_id(answer.id);
  if (!has_row_ids_) {
    dialogue_.fail_at_answer(
        fmt::format("the answer names the row_id {}, but queries have no row_id: --id-column was not given",
                    kinglet::quoted(answer.row_id)));
  }
  dialogue_.fail_at_answer(fmt::format("no open query has the row_id {}", kinglet::quoted(answer.row_id)));
}

void Labeller::refuse_id(std::uint64_t id) const {
  if (known_.contains(id) || (id < open_ && has_asked_early(id))) {
    dialogue_.fail_at_answer(fmt::format("query {} was answered before", id));
  }
  const std::string open = open_ < last_ ? fmt::format("the open queries are {} to {}", open_, last_)
                                         : fmt::format("the open query is {}", open_);
  dialogue_.fail_at_answer(fmt::format("this answers query {}, but {}", id, open));
}

Labeller::Answer Labeller::parsed(std::string_view line) const {
  return line.starts_with('{') ? parsed_json(line) : parsed_words(line);
}

// The line `17 LABEL`.
Labeller::Answer Labeller::parsed_words(std::string_view line) const {
  const std::size_t end = std::min(line.find_first_of(kBlanks), line.size());
  const std::string_view label = trimmed(line.substr(end));
  Answer answer;
  const auto [rest, problem] = std::from_chars(line.data(), line.data() + end, answer.id);
  const bool is_one_word = !label.empty() && label.find_first_of(kBlanks) == std::string_view::npos;
  if (!is_one_word || problem != std::errc() || rest != line.data() + end) refuse(line);
  answer.label = canonical_label(label);
  return answer;
}

// The line {"id":17,"label":"wren"} or {"row_id":"B-4711","label":"wren"}; it may have other fields.
Labeller::Answer Labeller::parsed_json(std::string_view line) const {
  const Json json = Json::parse(line, nullptr, false);
  if (!json.is_object() || !json.contains("label")) refuse(line);
  Answer answer;
  if (json.contains("id")) {
    if (!json["id"].is_number_unsigned()) refuse(line);
    answer.id = json["id"].get<std::uint64_t>();
  } else {
    if (!json.contains("row_id") || json["row_id"].is_structured()) refuse(line);
    answer.row_id = json["row_id"].is_string() ? json["row_id"].get<std::string>() : json["row_id"].dump();
    if (answer.row_id.empty()) refuse(line);
  }
  const Json& label = json["label"];
  if (label.is_structured()) refuse(line);
  const std::string text = label.is_string() ? label.get<std::string>() : label.dump();
  if (label.is_string() && (text.empty() || text.find_first_of(kBlanks) != std::string::npos)) refuse(line);
  answer.label = label.is_null() ? "" : canonical_label(text);
  return answer;
}

void Labeller::refuse(std::string_view line) const {
  const std::string label = model_.labels().empty() ? "yes" : model_.labels()[0];
  const Json json{{"id", open_}, {"label", label}};
  dialogue_.fail_at_answer(
      fmt::format("{} is not an answer: give the id of the query and the label, as in '{} {}' or '{}'",
                  kinglet::quoted(line), open_, label, json.dump(-1, ' ', false, Json::error_handler_t::replace)));
}

}  // namespace kinglet::cli
