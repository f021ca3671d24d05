// The C interface (include/kinglet/kinglet.h). Every function calls the library and converts exceptions to a status and
// a message.
#include "kinglet/kinglet.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "c_api/data.hpp"
#include "kinglet/error.hpp"
#include "kinglet/mix.hpp"
#include "kinglet/model.hpp"

using kinglet::c_api::BadArgument;

struct kinglet_model {  // NOLINT(readability-identifier-naming): its name in C
  explicit kinglet_model(kinglet::Model given) : model(std::move(given)) {}

  void learn(const kinglet_data& data, std::size_t begin, std::size_t n) {
    try {
      kinglet::c_api::fill(batch, data, begin, n, &ids);
      model.learn(batch);
    } catch (...) {
      // Some new label texts may not have reached the model, so start again with new ids.
      ids.clear();
      model.begin_source();
      throw;
    }
  }

  kinglet::Model model;
  kinglet::c_api::LabelIds ids;
  kinglet::Batch batch;  // for learning
};

namespace {

using Json = nlohmann::ordered_json;

// --- errors ----------------------------------------------------------------------------------------------------------

// A buffer of fixed size, so that running out of memory can be reported, too.
thread_local char last_error[1024] = "";

kinglet_status fail(kinglet_status status, const char* text) {
  std::size_t length = std::min(std::strlen(text), sizeof last_error - 1);
  // Do not cut a UTF-8 character in half.
  while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U) --length;
  std::memcpy(last_error, text, length);
  last_error[length] = '\0';
  return status;
}

template <class Action>
kinglet_status fenced(const Action& action) noexcept {
  try {
    action();
    return KINGLET_OK;
  } catch (const BadArgument& mistake) {
    return fail(KINGLET_BAD_ARGUMENT, mistake.what);
  } catch (const kinglet::Error& error) {
    return fail(KINGLET_BAD_INPUT, error.what());
  } catch (const std::bad_alloc&) {
    return fail(KINGLET_NO_MEMORY, "not enough memory");
  } catch (const std::length_error&) {
    return fail(KINGLET_NO_MEMORY, "not enough memory");
  } catch (const std::exception& other) {
    return fail(KINGLET_FAILED, other.what());
  } catch (...) {
    return fail(KINGLET_FAILED, "unknown internal error");
  }
}

template <class T>
T& needed(T* pointer, const char* what) {
  if (pointer == nullptr) throw BadArgument{what};
  return *pointer;
}

constexpr const char* kNoModel = "the model pointer is null";
constexpr const char* kNoPlace = "the pointer for the result is null";

// --- texts -----------------------------------------------------------------------------------------------------------

std::string option_text(const std::string& name, const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number() || value.is_boolean()) return value.dump();
  throw kinglet::Error(fmt::format("the option '{}' must be a string, a number, true or false", name));
}

kinglet::Options options_from(const char* text) {
  kinglet::Options options;
  if (text == nullptr || *text == '\0') return options;
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) {
    throw kinglet::Error("the options must be a JSON object, such as {\"algo\": \"bpegasos\", \"budget\": 500}");
  }
  for (const auto& [name, value] : json.items()) options.set(name, option_text(name, value));
  return options;
}

// A copy of the bytes for the caller, with a terminating zero.
char* copy_out(const std::string& bytes) {
  char* copy = static_cast<char*>(std::malloc(bytes.size() + 1));
  if (copy == nullptr) throw std::bad_alloc();
  std::memcpy(copy, bytes.c_str(), bytes.size() + 1);
  return copy;
}

Json info_of(const kinglet::Model& model) {
  const kinglet::LearnerStats stats = model.stats();
  const kinglet::Progress& progress = model.progress();
  Json json;
  json["version"] = KINGLET_VERSION;
  json["task"] = model.options().text("task");
  json["examples"] = progress.examples;
  if (model.task() == kinglet::TaskKind::regress) {
    json["online_rmse"] = progress.online_rmse();
    json["online_mae"] = progress.online_mae();
  } else {
    json["online_error"] = progress.online_error();
  }
  json["support_vectors"] = stats.support_vectors;
  json["budget"] = stats.budget > 0 ? Json(stats.budget) : Json(nullptr);
  json["dimension"] = model.dimension();
  json["labels"] = Json::array();
  for (const std::string& label : model.labels()) json["labels"].push_back(label);
  json["memory_bytes"] = stats.memory_bytes;
  json["gives_probabilities"] = model.gives_probabilities();
  const kinglet::Reliability& reliability = model.online_reliability();
  if (reliability.examples > 0) {
    json["online_brier_score"] = reliability.brier();
    json["online_log_loss"] = reliability.log_loss();
    json["online_calibration_error"] = reliability.calibration_error();
  }
  json["options"] = Json::object();
  for (const auto& [name, value] : model.options().all()) json["options"][name] = value;
  return json;
}

// --- predicting ------------------------------------------------------------------------------------------------------

// Enough rows to keep all cores busy, but few enough that large data are not copied as a whole.
constexpr std::size_t kRowsAtOnce = 16 * kinglet::kBatchRows;

// Calls work(batch, first row) for each block of rows.
template <class Work>
void in_blocks(const kinglet_model& handle, const kinglet_data& data, const Work& work) {
  const std::uint32_t known = handle.model.dimension();
  if (data.rows > 0 && data.offsets == nullptr && data.dimension < known) {
    throw kinglet::Error(fmt::format("the rows have {} features, but the model has {}", data.dimension, known));
  }
  kinglet::Batch batch;
  for (std::size_t begin = 0; begin < data.rows; begin += kRowsAtOnce) {
    kinglet::c_api::fill(batch, data, begin, std::min(kRowsAtOnce, data.rows - begin), nullptr);
    work(batch, begin);
  }
}

void require_room(std::size_t rows, std::size_t width, std::size_t size) {
  if (width > 0 && rows > size / width) throw BadArgument{"the room for the result is too small"};
}

using ManyValues = kinglet::RowValues (kinglet::Model::*)(const kinglet::Batch&, unsigned) const;

// Computes `width` values for each row.
void predict_many(const kinglet_model& handle, const kinglet_data* data, unsigned threads, float* out, std::size_t size,
                  std::size_t width, ManyValues values) {
  kinglet::c_api::check(data);
  require_room(data->rows, width, size);
  if (data->rows > 0 && width > 0) needed(out, kNoPlace);
  in_blocks(handle, *data, [&](const kinglet::Batch& batch, std::size_t begin) {
    const kinglet::RowValues block = (handle.model.*values)(batch, threads);
    std::ranges::copy(block.values, out + begin * width);
  });
}

}  // namespace

extern "C" {

const char* kinglet_version(void) { return KINGLET_VERSION; }
uint32_t kinglet_api_version(void) { return KINGLET_API_VERSION; }
const char* kinglet_error(void) { return last_error; }

// --- models ----------------------------------------------------------------------------------------------------------

kinglet_status kinglet_create(const char* options, kinglet_model** model) {
  return fenced([&] {
    kinglet_model*& place = needed(model, kNoPlace);
    place = new kinglet_model(kinglet::Model(options_from(options)));
  });
}

void kinglet_free(kinglet_model* model) { delete model; }

kinglet_status kinglet_load(const char* path, kinglet_model** model) {
  return fenced([&] {
    needed(path, "the path pointer is null");
    kinglet_model*& place = needed(model, kNoPlace);
    place = new kinglet_model(kinglet::Model::load(path));
  });
}

kinglet_status kinglet_save(const kinglet_model* model, const char* path) {
  return fenced([&] {
    needed(path, "the path pointer is null");
    needed(model, kNoModel).model.save(path);
  });
}

kinglet_status kinglet_serialize(const kinglet_model* model, char** bytes, size_t* size) {
  return fenced([&] {
    const kinglet_model& handle = needed(model, kNoModel);
    char*& place = needed(bytes, kNoPlace);
    size_t& length = needed(size, kNoPlace);
    const std::string made = handle.model.serialize();
    place = copy_out(made);
    length = made.size();
  });
}

kinglet_status kinglet_deserialize(const char* bytes, size_t size, kinglet_model** model) {
  return fenced([&] {
    needed(bytes, "the bytes pointer is null");
    kinglet_model*& place = needed(model, kNoPlace);
    place = new kinglet_model(kinglet::Model::deserialize({bytes, size}, "bytes"));
  });
}

kinglet_status kinglet_make_start(const kinglet_model* model, int keeps_coefficients, kinglet_model** start) {
  return fenced([&] {
    const kinglet_model& handle = needed(model, kNoModel);
    kinglet_model*& place = needed(start, kNoPlace);
    place = new kinglet_model(kinglet::make_start(handle.model, keeps_coefficients != 0));
  });
}

kinglet_status kinglet_mix(const kinglet_model* const* models, size_t count, size_t budget, kinglet_model** mixture) {
  return fenced([&] {
    kinglet_model*& place = needed(mixture, kNoPlace);
    needed(models, "the array of models is null");
    std::vector<const kinglet::Model*> given;
    for (std::size_t i = 0; i < count; ++i) given.push_back(&needed(models[i], kNoModel).model);
    place = new kinglet_model(kinglet::mix(given, {.budget = budget}).model);
  });
}

void kinglet_free_bytes(char* bytes) { std::free(bytes); }

// --- learning --------------------------------------------------------------------------------------------------------

kinglet_status kinglet_learn(kinglet_model* model, const kinglet_data* data) {
  return fenced([&] {
    kinglet_model& handle = needed(model, kNoModel);
    kinglet::c_api::check(data);
    for (std::size_t begin = 0; begin < data->rows; begin += kinglet::kBatchRows) {
      handle.learn(*data, begin, std::min(kinglet::kBatchRows, data->rows - begin));
    }
  });
}

kinglet_status kinglet_end_pass(kinglet_model* model) {
  return fenced([&] { needed(model, kNoModel).model.end_pass(); });
}

kinglet_status kinglet_use_threads(kinglet_model* model, unsigned threads) {
  return fenced([&] { needed(model, kNoModel).model.use_threads(threads); });
}

// --- predicting ------------------------------------------------------------------------------------------------------

kinglet_status kinglet_predict(const kinglet_model* model, const kinglet_data* data, unsigned threads,
                               uint32_t* classes, float* scores) {
  return fenced([&] {
    const kinglet_model& handle = needed(model, kNoModel);
    kinglet::c_api::check(data);
    in_blocks(handle, *data, [&](const kinglet::Batch& batch, std::size_t begin) {
      const std::vector<kinglet::Prediction> block = handle.model.predict(batch, threads).rows;
      for (std::size_t i = 0; i < block.size(); ++i) {
        if (classes != nullptr) classes[begin + i] = block[i].label;
        if (scores != nullptr) scores[begin + i] = block[i].score;
      }
    });
  });
}

kinglet_status kinglet_scores(const kinglet_model* model, const kinglet_data* data, unsigned threads, float* out,
                              size_t size) {
  return fenced([&] {
    const kinglet_model& handle = needed(model, kNoModel);
    predict_many(handle, data, threads, out, size, handle.model.outputs(), &kinglet::Model::scores);
  });
}

kinglet_status kinglet_probabilities(const kinglet_model* model, const kinglet_data* data, unsigned threads, float* out,
                                     size_t size) {
  return fenced([&] {
    const kinglet_model& handle = needed(model, kNoModel);
    predict_many(handle, data, threads, out, size, handle.model.labels().size(), &kinglet::Model::probabilities);
  });
}

kinglet_status kinglet_deviations(const kinglet_model* model, const kinglet_data* data, unsigned threads, float* out,
                                  size_t size) {
  return fenced([&] {
    const kinglet_model& handle = needed(model, kNoModel);
    predict_many(handle, data, threads, out, size, 1, &kinglet::Model::deviations);
  });
}

// --- about a model ---------------------------------------------------------------------------------------------------

size_t kinglet_outputs(const kinglet_model* model) { return model == nullptr ? 0 : model->model.outputs(); }
size_t kinglet_classes(const kinglet_model* model) { return model == nullptr ? 0 : model->model.labels().size(); }
size_t kinglet_dimension(const kinglet_model* model) { return model == nullptr ? 0 : model->model.dimension(); }
uint64_t kinglet_examples(const kinglet_model* model) {
  return model == nullptr ? 0 : model->model.progress().examples;
}

kinglet_status kinglet_feature_importances(const kinglet_model* model, double* out, size_t size) {
  return fenced([&] {
    const std::vector<double> importances = needed(model, kNoModel).model.feature_importances();
    require_room(importances.size(), 1, size);
    std::ranges::copy(importances, &needed(out, kNoPlace));
  });
}

const char* kinglet_label(const kinglet_model* model, uint32_t class_id) {
  if (class_id >= kinglet_classes(model)) return nullptr;
  return model->model.labels()[class_id].c_str();
}

uint32_t kinglet_class_of(const kinglet_model* model, const char* label) {
  if (model == nullptr || label == nullptr) return KINGLET_NO_CLASS;
  const auto labels = model->model.labels();
  const auto found = std::find(labels.begin(), labels.end(), label);
  return found == labels.end() ? KINGLET_NO_CLASS : static_cast<uint32_t>(found - labels.begin());
}

kinglet_status kinglet_info(const kinglet_model* model, char** json) {
  return fenced([&] {
    const kinglet_model& handle = needed(model, kNoModel);
    char*& place = needed(json, kNoPlace);
    // Labels may be invalid UTF-8; JSON must not be.
    place = copy_out(info_of(handle.model).dump(-1, ' ', false, Json::error_handler_t::replace));
  });
}

}  // extern "C"
