#include "cli/labeller.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <iterator>
#include <string_view>

#include "cli/json.hpp"
#include "cli/numbers.hpp"
#include "data/bytes.hpp"
#include "data/fail_at.hpp"
#include "data/label_ids.hpp"
#include "kinglet/error.hpp"

namespace kinglet::cli {
namespace {

constexpr std::size_t kLongestLine = 1u << 16;
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

}  // namespace

Labeller::Labeller(const std::string& queries, const std::string& labels, const Model& model)
    : model_(model),
      queries_(queries, Appearance::at_once),
      name_(labels == "-" ? "<stdin>" : labels),
      lines_(open_bytes(labels), kLongestLine) {
  std::signal(SIGPIPE, SIG_IGN);  // if the reader of the queries goes away, save what was learned before ending
}

std::optional<std::string> Labeller::operator()(const Query& query) {
  try {
    put(query);
    const auto line = next_line();
    return line ? label_from(*line, query.example) : std::nullopt;
  } catch (const Error& error) {
    problem_ = error.message();
    return std::nullopt;
  }
}

void Labeller::put(const Query& query) {
  const auto labels = model_.labels();
  const ClassId predicted = query.prediction.label;
  Json json;
  json["id"] = query.example;
  json["prediction"] = predicted < labels.size() ? Json(labels[predicted]) : Json(nullptr);
  json["score"] = number_json(static_cast<double>(query.prediction.score));
  json["certainty"] = number_json(query.certainty);
  json["row"] = row_text(query.x, static_cast<std::uint32_t>(model_.index_base().value_or(1)));
  queries_.write(json.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n');
}

// The next line; nullopt at the end, or if the wait was stopped.
std::optional<std::string> Labeller::next_line() {
  const Lines::Chunk chunk = lines_.next(true);
  ++line_;
  if (chunk.too_long) fail_at(name_, line_, 1, "the line is too long to be an answer");
  if (chunk.supply != Supply::ready) return std::nullopt;
  const std::size_t length = chunk.text.find('\n') + 1;
  std::string line(trimmed(chunk.text.substr(0, length)));
  lines_.consume(length);
  return line;
}

std::optional<std::string> Labeller::label_from(const std::string& line, std::uint64_t id) {
  const std::size_t end = std::min(line.find_first_of(kBlanks), line.size());
  const std::string_view label = trimmed(std::string_view(line).substr(end));
  const bool is_one_word = !label.empty() && label.find_first_of(kBlanks) == std::string_view::npos;
  if (!is_one_word || line.find_first_not_of("0123456789") != end) {
    fail_at(name_, line_, 1,
            fmt::format("{} is not an answer: give the id of the query and the label, as in '{} {}'",
                        kinglet::quoted(line), id, model_.labels().empty() ? "yes" : model_.labels()[0]));
  }
  if (line.substr(0, end) != std::to_string(id)) {
    fail_at(name_, line_, 1, fmt::format("this answers query {}, but the open query is {}", line.substr(0, end), id));
  }
  ++answers_;
  return canonical_label(label);
}

}  // namespace kinglet::cli
