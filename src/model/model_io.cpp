// Saves and loads a model: the JSON header and the sections of the model file (docs/model-format.md).
#include <fmt/format.h>

#include <charconv>
#include <new>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "core/compose.hpp"
#include "core/memory_error.hpp"
#include "core/state.hpp"
#include "kinglet/error.hpp"
#include "kinglet/registry.hpp"
#include "learn/fixed_learner.hpp"
#include "learn/make_learner.hpp"
#include "learn/registry_entries.hpp"
#include "model/columns_json.hpp"
#include "model/memory.hpp"
#include "model/model_file.hpp"
#include "model/model_state.hpp"

namespace kinglet {
namespace {

// Options whose value may be chosen from the data.
constexpr const char* kResolvable[] = {"budget", "gamma", "storage"};

double sum_from_json(const Json& json) {
  StateReader::require(json.is_number_float() && json.get<double>() >= 0, "a sum in its header");
  return json.get<double>();
}

// 16 hexadecimal digits, because not all JSON readers support 64-bit integers.
std::uint64_t hash_from_json(const Json& json) {
  const auto text = text_from_json(json);
  std::uint64_t hash = 0;
  const auto end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, hash, 16);
  StateReader::require(text.size() == 16 && parsed.ec == std::errc() && parsed.ptr == end,
                       "a fingerprint in its header");
  return hash;
}

// An option that is newer than the first files, with the value that stands for what the program did then: models
// learned without it have the same bytes as before. A committee learns a metric unless its file says that it does not.
bool is_left_out(const Options& options, std::string_view name, std::string_view value) {
  return name == "metric" && value == "none" && options.text("algo") != "auto";
}

// `asks`: whether active learning is used.
std::string header_of(const Model& model, const std::optional<SharedStart>& start, const Fingerprint& beginning,
                      const ClassWeights& weights, bool asks) {
  Json header;
  if (start) {
    header["start"] = {{"id", fmt::format("{:016x}", start->id)}, {"labels", start->labels}, {"isa", start->isa}};
  }
  for (const auto& [name, value] : model.requested_options().all()) {
    if (!is_left_out(model.requested_options(), name, value)) header["options"][name] = text_to_json(value);
  }
  header["resolved"] = Json::object();
  for (const char* name : kResolvable) {
    if (!model.has_learned() || !model.requested_options().has(name) || !model.requested_options().is_auto(name))
      continue;
    header["resolved"][name] = model.options().text(name);
  }
  header["labels"] = texts_to_json(model.labels());
  if (weights.is_balanced()) header["class_counts"] = std::vector(weights.counts().begin(), weights.counts().end());
  header["dimension"] = model.dimension();
  if (model.index_base()) header["index_base"] = *model.index_base();
  if (model.columns()) header["columns"] = columns_to_json(*model.columns());
  header["examples"] = model.progress().examples;
  if (model.task() == TaskKind::regress) {
    header["squared_error"] = model.progress().squared_error;
    header["absolute_error"] = model.progress().absolute_error;
  } else {
    header["mistakes"] = model.progress().mistakes;
  }
  if (asks) {
    header["labels_learned"] = model.progress().labels;
    header["unlabelled"] = model.progress().unlabelled;
  }
  if (beginning.rows > 0) {
    header["first_rows"] = beginning.rows;
    header["fingerprint"] = fmt::format("{:016x}", beginning.hash);
  }
  if (const auto hash = rows_hash(model)) header["rows_hash"] = fmt::format("{:016x}", *hash);
  header["pass"] = position_of(model).pass;
  header["row"] = position_of(model).row;
  return header.dump();
}

// An option that is newer than the file has the value that stands for what the program did then.
Options options_from(const Json& json) {
  Options options;
  for (const auto& [name, value] : json.items()) options.set(name, text_from_json(value));
  const bool regresses = options.has("task") && options.text("task") == "regress";
  if (regresses && !is_fixed(options) && !options.has("target-scale")) options.set("target-scale", "none");
  return options;
}

const OptionSpec& spec_of(std::span<const ListedOption> list, const std::string& name) {
  for (const ListedOption& listed : list) {
    if (listed.spec.name == name) return listed.spec;
  }
  throw Error("the model is damaged: it has a value for an option that does not exist");
}

// Options chosen from the data, checked like those of a user.
void apply_resolved(const Json& json, const Options& requested, Options& options) {
  const auto list = all_options();
  for (const auto& [name, value] : json.items()) {
    const auto text = text_from_json(value);
    StateReader::require(
        requested.has(name) && requested.is_auto(name) && text != "auto" && spec_of(list, name).problem(text).empty(),
        "an option chosen from the data");
    options.set(name, text);
  }
  for (const auto& [name, value] : options.all()) {
    StateReader::require(value != "auto" || !spec_of(list, name).may_be_auto, "an option without a value");
  }
}

std::string_view section(const ModelFile& file, const char* name) {
  const ModelSection* found = file.find(name);
  if (found == nullptr) throw Error(fmt::format("the model is damaged: it has no section '{}'", name));
  return found->bytes;
}

template <class Part>
SectionWriter section_of(const char* name, const Part& part) {
  return {name, [&part](StateWriter& out) { part.save(out); }};
}

SectionWriter query_section(const QueryRule& query, std::uint64_t head_left) {
  return {"query", [&query, head_left](StateWriter& out) {
            out.put(head_left);
            query.save(out);
          }};
}

template <class Part>
void restore(Part& part, std::string_view bytes) {
  StateReader in(bytes);
  part.load(in);
  StateReader::require(in.at_end(), "a section is too long");
}

}  // namespace

namespace {

using State = ModelAccess::State;

void write(const Model& model, const StateWriter::Sink& sink) {
  const State& state = ModelAccess::state(model);
  const bool asks = state.asks();
  std::vector<SectionWriter> sections;
  if (model.has_learned()) {
    sections.push_back(section_of("scaler", *state.scaler));
    sections.push_back(section_of("learner", *state.learner));
    if (state.target_scaler) sections.push_back(section_of("targets", *state.target_scaler));
    if (asks) sections.push_back(query_section(state.query, state.head_left));
    if (state.calibration) sections.push_back(section_of("calibration", *state.calibration));
    if (state.sample && state.sample->offered() > 0) sections.push_back(section_of("sample", *state.sample));
  }
  write_model(header_of(model, state.shared, state.beginning, state.class_weights, asks), sections, sink);
}

// Reads everything but the sections.
void read_progress(const Json& header, State& state) {
  state.progress.examples = count_from_json(header.at("examples"));
  if (state.task == TaskKind::regress) {
    state.progress.squared_error = sum_from_json(header.at("squared_error"));
    state.progress.absolute_error = sum_from_json(header.at("absolute_error"));
    return;
  }
  Progress& progress = state.progress;
  progress.mistakes = count_from_json(header.at("mistakes"));
  progress.labels = state.task == TaskKind::classify ? progress.examples : 0;
  if (header.contains("labels_learned")) {
    progress.labels = count_from_json(header.at("labels_learned"), progress.labels);
    progress.unlabelled = count_from_json(header.at("unlabelled"), progress.examples - progress.labels);
  }
  StateReader::require(progress.mistakes <= progress.judged(), "more mistakes than examples");
}

void read_header(const Json& header, State& state) {
  for (const Json& label : header.at("labels")) state.labels.add(text_from_json(label));
  StateReader::require(state.labels.size() == header.at("labels").size(),
                       "labels that do not fit its task, or a duplicate label");
  StateReader::require(state.task != TaskKind::regress || state.labels.size() == 0, "labels in a regression model");
  read_progress(header, state);
  if (header.contains("start")) {
    const Json& start = header.at("start");
    state.shared = {.id = hash_from_json(start.at("id")),
                    .labels = static_cast<std::uint32_t>(count_from_json(start.at("labels"), state.labels.size())),
                    .isa = text_from_json(start.at("isa"))};
  }
  state.position = {count_from_json(header.at("pass")), count_from_json(header.at("row"))};
  if (header.contains("first_rows")) {
    const auto rows = count_from_json(header.at("first_rows"), Fingerprint::kMostRows);
    state.beginning = {static_cast<std::uint32_t>(rows), hash_from_json(header.at("fingerprint"))};
  }
  if (header.contains("rows_hash")) state.rows_hash = hash_from_json(header.at("rows_hash"));
  if (state.class_weights.is_balanced()) {
    std::vector<std::uint64_t> counts;
    for (const Json& count : header.at("class_counts")) counts.push_back(count_from_json(count));
    StateReader::require(counts.size() <= state.labels.size(), "more counts than classes");
    state.class_weights.set_counts(std::move(counts));
  }
  if (header.contains("index_base")) state.index_base = static_cast<int>(count_from_json(header.at("index_base"), 1));
}

void restore_queries(std::string_view bytes, const Shape& shape, State& state) {
  StateReader in(bytes);
  state.head_left = in.get<std::uint64_t>();
  StateReader::require(state.head_left < kBatchRows, "a head that is too long");
  state.query.load(in, shape, state.progress.examples);
  StateReader::require(in.at_end(), "a section is too long");
}

void read_sections(const ModelFile& file, const Json& header, std::uint64_t memory_limit, State& state) {
  apply_resolved(header.at("resolved"), state.requested, state.options);
  const Shape shape{.dimension = static_cast<std::uint32_t>(count_from_json(header.at("dimension"), UINT32_MAX)),
                    .classes = static_cast<std::uint32_t>(state.labels.size()),
                    .storage = state.storage()};
  StateReader::require(shape.dimension > 0, "it has no features");
  StateReader::require(shape.classes > 0 || state.progress.labels == 0, "it has no classes");
  if (header.contains("columns")) state.columns = columns_from_json(header.at("columns"), shape.dimension);
  state.scaler.emplace(scale_kind(state.options.text("scale")), shape.has_sparse_rows(), 0, state.metric(),
                       state.numbers());
  restore(*state.scaler, section(file, "scaler"));
  StateReader::require(
      state.scaler->metric() == nullptr || state.shared || state.scaler->metric()->due() >= state.progress.examples,
      "when the metric changes");
  // The scaler has one entry per feature in the file, so from here on the dimension is known to be plausible.
  StateReader::require(state.scaler->dimension() == shape.dimension, "its parts differ in dimension");
  require_memory(state.options, shape, {}, memory_limit);
  state.learner = make_learner(state.options, shape);
  restore(*state.learner, section(file, "learner"));
  StateReader::require(state.learner->stats().dimension == shape.dimension, "its parts differ in dimension");
  if (state.scales_targets()) restore(state.target_scaler.emplace(), section(file, "targets"));
  state.class_weights.grow(state.labels.texts());
  if (state.asks()) restore_queries(section(file, "query"), shape, state);
  if (state.calibration) {
    state.calibration->grow(shape.classes);
    restore(*state.calibration, section(file, "calibration"));
  }
  state.start_sample();
  if (state.sample && file.find("sample") != nullptr) restore(*state.sample, section(file, "sample"));
}

}  // namespace

Model Model::deserialize(std::string_view bytes, const std::string& name, std::uint64_t memory_limit) {
  try {
    const ModelFile file = unpack_model(bytes);
    const Json header = Json::parse(file.header);
    const Options options = options_from(header.at("options"));
    if (is_fixed(options)) check_fixed_options(options);
    auto state =
        std::make_unique<State>(is_fixed(options) ? options : complete_saved_options(options), State::Complete{});
    read_header(header, *state);
    if (!file.sections.empty()) read_sections(file, header, memory_limit, *state);
    return Model(std::move(state));
  } catch (const Error& error) {
    throw Error(compose("{}: {}", name, error.message()));
  } catch (const Json::exception&) {
    throw Error(fmt::format("{}: the model is damaged: its header cannot be read", name));
  } catch (const std::bad_alloc&) {
    throw MemoryError(fmt::format("{}: not enough memory for this model", name));
  } catch (const std::length_error&) {
    throw MemoryError(fmt::format("{}: not enough memory for this model", name));
  }
}

std::string Model::serialize() const {
  std::string bytes;
  write(*this, [&](std::string_view piece) { bytes += piece; });
  return bytes;
}

void Model::save(const std::filesystem::path& path) const {
  write_file_atomically(path, [this](const StateWriter::Sink& sink) { write(*this, sink); });
}

Model Model::load(const std::filesystem::path& path) { return deserialize(read_model_bytes(path), path.string()); }

}  // namespace kinglet
