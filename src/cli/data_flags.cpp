// The flags of every command that reads data.
#include "cli/data_flags.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <filesystem>

#include "catalogue/find_data.hpp"
#include "catalogue/open_by_name.hpp"
#include "cli/command.hpp"
#include "cli/help.hpp"
#include "kinglet/error.hpp"
#include "model/model_access.hpp"
#include "records/schema.hpp"

namespace kinglet::cli {
namespace {

constexpr std::uint64_t kMostFeatures = 0xFFFFFFFF;
const std::vector<std::string> kFeatureFlags = {"--category-values", "--text-features"};

ColumnChoice column_choice(const std::string& text) {
  const std::size_t equals = text.rfind('=');
  if (equals == std::string::npos || equals == 0)
    throw Error(fmt::format("--column {}: give a column and its kind, as in --column zip=category", text));
  const auto kind = column_kind(text.substr(equals + 1));
  if (!kind) {
    throw Error(fmt::format("--column {}: unknown kind '{}'; the kinds are number, category, text, time and ignore",
                            text, text.substr(equals + 1)));
  }
  return {.column = text.substr(0, equals), .kind = *kind};
}

char separator_of(const std::string& text) {
  if (text.empty()) return '\0';
  if (text == "tab" || text == "\\t") return '\t';
  if (text == "space") return ' ';
  if (text.size() == 1 && text != "\"" && text != "\n" && text != "\r") return text[0];
  throw Error(fmt::format("--separator {}: give one character (not a quote), or tab or space", text));
}

SourceOptions source_options(const DataFlags& flags) {
  SourceOptions options;
  if (flags.format == "libsvm") options.format = Format::libsvm;
  if (flags.format == "csv") options.format = Format::csv;
  if (flags.format == "tsv") options.format = Format::tsv;
  if (flags.format == "jsonl") options.format = Format::jsonl;
  if (flags.index_base != "detect") options.index_base = flags.index_base == "1" ? 1 : 0;
  if (flags.header && flags.no_header) throw Error("--header and --no-header: give one of them");
  if (flags.header || flags.no_header) options.header = flags.header;
  options.default_index_base = flags.default_index_base;
  options.label_column = flags.label_column;
  options.weight_column = flags.weight_column;
  options.id_column = flags.id_column;
  options.ignore = flags.ignore;
  options.only = flags.only;
  options.kinds.reserve(flags.kinds.size());
  for (const std::string& choice : flags.kinds) options.kinds.push_back(column_choice(choice));
  options.separator = separator_of(flags.separator);
  options.category_values = static_cast<std::uint32_t>(flags.category_values);
  options.text_features = static_cast<std::uint32_t>(flags.text_features);
  options.new_values = flags.new_values;
  options.skip_unlabelled = flags.skip_unlabelled;
  options.columns = flags.columns;
  if (flags.missing_given && flags.missing != "mark") {
    options.missing = flags.missing == "zero"   ? Missing::zero
                      : flags.missing == "mean" ? Missing::mean
                                                : Missing::error;
  }
  options.options_may_not_fit = flags.may_not_fit;
  options.dimension = static_cast<std::uint32_t>(flags.dimension);
  options.numeric_labels = flags.numeric_labels;
  options.labels_may_be_absent = flags.labels_may_be_absent;
  options.skip_bad = flags.skip_bad;
  options.mark_bad = flags.mark_bad;
  options.labels_unused = flags.labels_unused;
  options.threads = flags.threads;
  return options;
}

}  // namespace

void add_data_flags(CLI::App& app, DataFlags& flags) {
  app.add_option("DATA", flags.data,
                 "a LIBSVM, CSV or JSON lines file (also gz, bz2, xz, zst); - for standard input; data:NAME for a "
                 "public data set; gen:NAME for generated data");
  add_folder_flag(app, flags.folder, kDataSection);
  add_format_flags(app, flags);
}

void add_folder_flag(CLI::App& app, std::string& folder, const std::string& section) {
  app.add_option("--data", folder,
                 "folder in which data:NAME is looked up (see kinglet data --help) [$KINGLET_DATA or your data folder]")
      ->type_name("DIR")
      ->group(section);
}

void add_format_flags(CLI::App& app, DataFlags& flags) {
  app.add_option("--label-column", flags.label_column, "CSV, JSON label: name, number, first, last, none [first]")
      ->type_name("COL")
      ->group(kMainSection);
  const std::string group = kDataSection;
  add_choice(app, "--format", flags.format, {"detect", "libsvm", "csv", "tsv", "jsonl"},
             "file format; detect looks at the first line")
      ->group(group);
  add_choice(app, "--index-base", flags.index_base, {"detect", "0", "1"}, "LIBSVM: index of the first feature")
      ->group(group);
  app.add_flag("--header", flags.header, "CSV: the first line holds column names [detected]")->group(group);
  app.add_flag("--no-header", flags.no_header, "CSV: the first line is an example [detected]")->group(group);
  app.add_option("--weight-column", flags.weight_column,
                 "CSV, JSON: column of example weights, by name or number from 1 [none: all weights are 1]")
      ->type_name("COL")
      ->group(group);
  app.add_option("--separator", flags.separator, "CSV: character between the columns, or tab or space [detected]")
      ->type_name("CHAR")
      ->group(group);
  app.add_option("--column", flags.kinds,
                 "CSV, JSON: what a column is: number, category, text (words), time (ISO 8601, or seconds or "
                 "milliseconds since 1970) or ignore; may be given several times [detected from the first rows]")
      ->allow_extra_args(false)
      ->type_name("COL=KIND")
      ->group(group);
  app.add_option("--only", flags.only, "CSV, JSON: learn from these columns only, by name or number from 1 [all]")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("COL,…")
      ->group(group);
  app.add_option(
         "--id-column", flags.id_column,
         "CSV, JSON: column that names the rows; it is not learned, and predict prints it before the label [none]")
      ->type_name("COL")
      ->group(group);
  add_count(
      app, "--category-values", flags.category_values, {1, 100'000},
      fmt::format("CSV, JSON: values of a category that get a feature of their own; further ones share features [{}]",
                  flags.category_values))
      ->group(group);
  add_count(app, "--text-features", flags.text_features, {1, 1u << 20},
            fmt::format("CSV, JSON: features for the words of a text [{}]", flags.text_features))
      ->group(group);
  app.add_option("--ignore", flags.ignore,
                 "CSV, JSON: columns that are not read, by name or number from 1; may be given several times [none]")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("COL,…")
      ->group(group);
  add_choice(app, "--missing", flags.missing, {"mark", "error", "zero", "mean"},
             "CSV, JSON: missing values (empty, ?, NA, nan, NULL, None, N/A; in JSON also absent). mark: fill in the "
             "mean so far and, if "
             "the first rows have some, add a feature that says so; mean, zero: fill in; error: stop")
      ->each([&flags](const std::string&) { flags.missing_given = true; })
      ->group(group);
  add_count(app, "--dimension", flags.dimension, {1, kMostFeatures},
            "number of features; a larger index is an error [taken from the data]")
      ->group(group);
}

void hide_feature_flags(CLI::App& app) {
  for (const std::string& name : kFeatureFlags) app.get_option(name)->group("");
}

void refuse_feature_flags(const CLI::App& app) {
  refuse_options(app, kFeatureFlags, "a trained model, whose features are fixed");
}

void fit_to(const Model& model, DataFlags& flags) {
  flags.numeric_labels = model.task() == TaskKind::regress;
  flags.default_index_base = model.index_base();
  flags.columns = model.columns();
  if (flags.columns || !model.has_learned()) return;
  flags.columns = std::make_shared<const Columns>(Columns{.dimension = model.dimension(), .label = "first"});
}

void fit_to_learn(const Model& model, DataFlags& flags) {
  fit_to(model, flags);
  flags.columns = model.columns();
  if (flags.columns && flags.weight_column.empty()) flags.weight_column = flags.columns->weight;
  flags.new_values = !start_of(model);  // models of one start must encode alike
}

std::vector<std::string> data_arguments(const DataFlags& flags) {
  std::vector<std::string> arguments;
  const auto add = [&](bool given, const std::string& name, const std::string& value) {
    if (!given) return;
    arguments.push_back(name);
    if (!value.empty()) arguments.push_back(value);
  };
  add(flags.format != "detect", "--format", flags.format);
  add(flags.index_base != "detect", "--index-base", flags.index_base);
  add(flags.header, "--header", "");
  add(flags.no_header, "--no-header", "");
  add(flags.label_column.has_value(), "--label-column", flags.label_column.value_or(""));
  add(!flags.weight_column.empty(), "--weight-column", flags.weight_column);
  add(!flags.separator.empty(), "--separator", flags.separator);
  for (const std::string& kind : flags.kinds) add(true, "--column", kind);
  add(!flags.only.empty(), "--only", fmt::format("{}", fmt::join(flags.only, ",")));
  add(!flags.id_column.empty(), "--id-column", flags.id_column);
  const DataFlags defaults;
  add(flags.category_values != defaults.category_values, "--category-values", std::to_string(flags.category_values));
  add(flags.text_features != defaults.text_features, "--text-features", std::to_string(flags.text_features));
  add(!flags.ignore.empty(), "--ignore", fmt::format("{}", fmt::join(flags.ignore, ",")));
  add(flags.missing_given, "--missing", flags.missing);
  add(flags.dimension > 0, "--dimension", std::to_string(flags.dimension));
  return arguments;
}

std::optional<std::uint64_t> count_rows(const std::string& where, const DataFlags& flags) {
  const bool generated = where.starts_with("gen:");
  if (!generated && !std::filesystem::is_regular_file(find_data(where, flags.folder))) return std::nullopt;
  const auto source = open_by_name(where, source_options(flags), flags.folder);
  if (generated) return source->rows();
  std::uint64_t rows = 0;
  for (Batch batch; source->next(batch);) rows += batch.rows();
  return rows;
}

bool can_reopen(const std::string& where, const DataFlags& flags) {
  if (where == "-" || std::filesystem::is_fifo(find_data(where, flags.folder))) return false;
  SourceOptions options = source_options(flags);
  options.options_may_not_fit = true;
  return open_by_name(where, options, flags.folder)->can_rewind();
}

void require_end(const std::string& where, const Source& source) {
  if (!where.starts_with("gen:") || source.rows()) return;
  throw Error(fmt::format("{} never ends; give the number of rows, as in n=100000", where));
}

std::unique_ptr<Source> open_data(const std::string& where, const DataFlags& flags, Reading reading) {
  SourceOptions options = source_options(flags);
  options.fill_first_batch = reading == Reading::whole_batch;
  auto source = open_by_name(where, options, flags.folder);
  if (flags.shuffle) source = shuffle(std::move(source), *flags.shuffle);
  return read_ahead(std::move(source));
}

}  // namespace kinglet::cli
