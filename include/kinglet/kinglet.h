/*
 * kinglet from C: learn, predict, save and load. For C99 and later, for C++, and for every language that can call C.
 *
 *   kinglet_model *model = NULL;
 *   kinglet_data data = KINGLET_DATA_INIT;
 *   data.rows = 2; data.dimension = 3; data.values = x; data.label_numbers = y;
 *   if (kinglet_create("{\"budget\": 500, \"proba\": true}", &model) || kinglet_learn(model, &data)) {
 *     fprintf(stderr, "%s\n", kinglet_error());
 *   }
 *   kinglet_free(model);
 *
 * Errors: functions that can fail return a kinglet_status, 0 where all went well; kinglet_error() then has one line that
 * says what is wrong. That text belongs to the calling thread. After a failure nothing has changed unless the function
 * says so, and what was to be written through pointers is not written. No C++ exception leaves a function. A null pointer
 * where something is needed is KINGLET_BAD_ARGUMENT and never a crash.
 *
 * Threads: one thread at a time may call functions that take a kinglet_model pointer without const. Any number may call
 * those with const while nobody does that. Different models know nothing of each other.
 *
 * Memory: what a function allocates for the caller is given back with kinglet_free (models) or kinglet_free_bytes
 * (bytes and texts). Data that are passed in are copied as far as they are needed: they may go when the call returns.
 *
 * Stability: functions and constants stay as they are as long as the major version does; later versions may add some, and
 * may add members at the end of kinglet_data, which says its own size. KINGLET_API_VERSION rises when something is added.
 * All texts are UTF-8.
 */
/* NOLINTBEGIN: what is checked of C++ is no good for C. */
#ifndef KINGLET_KINGLET_H
#define KINGLET_KINGLET_H

#include <stddef.h>
#include <stdint.h>

#define KINGLET_VERSION_MAJOR 0
#define KINGLET_VERSION_MINOR 1
#define KINGLET_VERSION_PATCH 0
#define KINGLET_API_VERSION 1

#if defined(__GNUC__)
#define KINGLET_API __attribute__((visibility("default")))
#else
#define KINGLET_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* What a function came to. An int and no enum, whose size compilers choose. */
typedef int kinglet_status;
#define KINGLET_OK 0
#define KINGLET_BAD_ARGUMENT 1 /* a null pointer, or arguments that do not go together */
#define KINGLET_BAD_INPUT 2    /* what a user can put right: an option, a label, a dimension, a file */
#define KINGLET_NO_MEMORY 3
#define KINGLET_FAILED 4 /* anything else */

/* Instead of a class, where there is none: before the first one was learned, and for regression. */
#define KINGLET_NO_CLASS UINT32_MAX

/* A model. What it is made of is nobody's business. */
typedef struct kinglet_model kinglet_model;

/*
 * Rows of features, with labels and weights. Everything is read only, and unused members are null or 0: begin with
 * KINGLET_DATA_INIT.
 *
 * Dense rows: row i is values[i * stride] … values[i * stride + dimension - 1]; a stride of 0 means dimension.
 * Sparse rows (compressed sparse rows): row i has the values offsets[i] … offsets[i + 1] - 1 of `values`, of the features
 * `indices`, which count from 0, rise within a row and are below dimension. `offsets` has rows + 1 entries.
 * NaN is a missing value, which becomes the mean of its feature. An infinite value is an error.
 *
 * At most one of labels, label_numbers and targets is given:
 *   labels         a text for each row, null for a row without one
 *   label_numbers  classes that are whole numbers; the same as their texts, so that 1 is "1"
 *   targets        numbers to learn, for the task "regress"
 */
typedef struct kinglet_data {
  size_t struct_size; /* sizeof(kinglet_data) */
  size_t rows;
  size_t dimension;
  const float* values;
  size_t stride;
  const uint64_t* offsets; /* null: dense rows */
  const uint32_t* indices;
  const char* const* labels;
  const int64_t* label_numbers;
  const float* targets;
  const float* weights; /* null: all 1 */
} kinglet_data;

#define KINGLET_DATA_INIT \
  { sizeof(kinglet_data), 0, 0, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL }

/* --- about the library ------------------------------------------------------------------------------------------------ */

/* The version of the library that runs, such as "0.1.0". It may be newer than the header. */
KINGLET_API const char* kinglet_version(void);

/* KINGLET_API_VERSION of the library that runs. */
KINGLET_API uint32_t kinglet_api_version(void);

/*
 * What went wrong in the last call of this thread that failed: one line, cut off where it is very long; "" where none has
 * failed. It stays as it is until a call of this thread fails again.
 */
KINGLET_API const char* kinglet_error(void);

/* --- models ----------------------------------------------------------------------------------------------------------- */

/*
 * A new model, which has not learned anything. `options` is a JSON object with the options of `kinglet train --help` by
 * name, {"algo": "bpegasos", "budget": 500, "gamma": "auto", "proba": true}; values are texts, numbers or true and false.
 * Null or "" means all defaults. Give the model back with kinglet_free.
 */
KINGLET_API kinglet_status kinglet_create(const char* options, kinglet_model** model);

/* Gives back a model; null is fine. */
KINGLET_API void kinglet_free(kinglet_model* model);

/* A model from a file that kinglet_save or `kinglet train` wrote. Give it back with kinglet_free. */
KINGLET_API kinglet_status kinglet_load(const char* path, kinglet_model** model);

/* Writes the model to a file, whole or not at all. */
KINGLET_API kinglet_status kinglet_save(const kinglet_model* model, const char* path);

/* The bytes of such a file. Give them back with kinglet_free_bytes. */
KINGLET_API kinglet_status kinglet_serialize(const kinglet_model* model, char** bytes, size_t* size);

/* A model from such bytes, which are not needed any more afterwards. Give it back with kinglet_free. */
KINGLET_API kinglet_status kinglet_deserialize(const char* bytes, size_t size, kinglet_model** model);

/* Gives back what kinglet_serialize or kinglet_info made; null is fine. */
KINGLET_API void kinglet_free_bytes(char* bytes);

/* --- learning --------------------------------------------------------------------------------------------------------- */

/*
 * Predicts and then learns each row in turn. Rows need labels, or targets for the task "regress"; for "novelty" they need
 * neither. The first 1024 rows of the first call decide what the options leave to the data: scaling, gamma, the order of
 * the classes. Later classes and features are taken in as they appear.
 *
 * Data are checked in blocks of 1024 rows. After KINGLET_BAD_INPUT nothing was learned of the block with the error and of
 * those after it; kinglet_examples tells how many rows the model has learned.
 */
KINGLET_API kinglet_status kinglet_learn(kinglet_model* model, const kinglet_data* data);

/*
 * Says that a pass over the data is over: scaling stays as it is from here on, learners that put work off do it now, and
 * probabilities are not learned any more, because the examples have been seen. A stream without an end needs no call.
 */
KINGLET_API kinglet_status kinglet_end_pass(kinglet_model* model);

/* --- predicting ------------------------------------------------------------------------------------------------------- */

/*
 * For each row its class (into `classes`) and its score (into `scores`); either may be null. The score is f(x) for two
 * classes, positive for class 1; the score of the class for more; the number itself for regression; positive where normal
 * for novelty, whose classes are 0 (novel, "-1") and 1 (normal, "1"). Labels and weights of the data are not looked at.
 * `threads` 0 means all cores; it does not change the result. Features that the model has never seen are left out.
 */
KINGLET_API kinglet_status kinglet_predict(const kinglet_model* model, const kinglet_data* data, unsigned threads,
                                           uint32_t* classes, float* scores);

/*
 * All scores, kinglet_outputs(model) for each row. `size` is how many floats `out` has room for; too few are
 * KINGLET_BAD_ARGUMENT.
 */
KINGLET_API kinglet_status kinglet_scores(const kinglet_model* model, const kinglet_data* data, unsigned threads,
                                          float* out, size_t size);

/*
 * The probability of each class, kinglet_classes(model) for each row; they sum to 1, and the class that kinglet_predict
 * names has the highest. For models that were made with {"proba": true}, else KINGLET_BAD_INPUT. `size` as above.
 */
KINGLET_API kinglet_status kinglet_probabilities(const kinglet_model* model, const kinglet_data* data, unsigned threads,
                                                 float* out, size_t size);

/* --- about a model: a null model has 0 of everything ------------------------------------------------------------------- */

/* How many scores a row has: 1 for regression, novelty and up to two classes, else one for each class. */
KINGLET_API size_t kinglet_outputs(const kinglet_model* model);

/* How many classes have been learned; 0 for regression, 2 for novelty. */
KINGLET_API size_t kinglet_classes(const kinglet_model* model);

/*
 * The label of a class; null where there is no such class. The text belongs to the model and holds until it learns or is
 * given back.
 */
KINGLET_API const char* kinglet_label(const kinglet_model* model, uint32_t class_id);

/* The class with this label; KINGLET_NO_CLASS where there is none. */
KINGLET_API uint32_t kinglet_class_of(const kinglet_model* model, const char* label);

/* How many features the model knows; 0 before it has learned. */
KINGLET_API size_t kinglet_dimension(const kinglet_model* model);

/* How many rows it has learned. */
KINGLET_API uint64_t kinglet_examples(const kinglet_model* model);

/*
 * What there is to know as a JSON object, a text that ends with a zero: version, task, examples, online_error (regression:
 * online_rmse and online_mae), support_vectors, budget, dimension, labels, memory_bytes, gives_probabilities (and
 * online_brier_score, online_log_loss, online_calibration_error), options. Give it back with kinglet_free_bytes.
 */
KINGLET_API kinglet_status kinglet_info(const kinglet_model* model, char** json);

#ifdef __cplusplus
}
#endif

#endif
/* NOLINTEND */
