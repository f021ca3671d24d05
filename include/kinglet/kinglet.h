/*
 * The C interface of kinglet: learn, predict, save and load. For C99 and later, and for every language that can call C.
 *
 *   kinglet_model *model = NULL;
 *   kinglet_data data = KINGLET_DATA_INIT;
 *   data.rows = 2; data.dimension = 3; data.values = x; data.label_numbers = y;
 *   if (kinglet_create("{\"budget\": 500, \"proba\": true}", &model) || kinglet_learn(model, &data)) {
 *     fprintf(stderr, "%s\n", kinglet_error());
 *   }
 *   kinglet_free(model);
 *
 * Errors: functions that can fail return a kinglet_status, 0 for success. After a failure, kinglet_error() returns a
 * message of one line; every thread has its own. Unless documented otherwise, a failed call changes nothing and writes
 * nothing through its pointers. No C++ exception leaves a function. A null pointer where an object is needed gives
 * KINGLET_BAD_ARGUMENT, never a crash.
 *
 * Threads: only one thread at a time may call functions that take a non-const kinglet_model pointer. Any number of
 * threads may call functions that take a const pointer as long as none changes the model. Different models are
 * independent.
 *
 * Memory: release what a function allocates with kinglet_free (models) or kinglet_free_bytes (bytes and texts). Input
 * data are copied as far as needed and may be released when the call returns.
 *
 * Stability: functions and constants do not change within a major version. Later versions may add functions and
 * constants, and members at the end of kinglet_data, which contains its own size. Every addition increases
 * KINGLET_API_VERSION. All texts are UTF-8.
 */
/* NOLINTBEGIN: the C++ checks do not apply to C. */
#ifndef KINGLET_KINGLET_H
#define KINGLET_KINGLET_H

#include <stddef.h>
#include <stdint.h>

#define KINGLET_VERSION_MAJOR 0
#define KINGLET_VERSION_MINOR 1
#define KINGLET_VERSION_PATCH 0
#define KINGLET_API_VERSION 3

#if defined(__GNUC__)
#define KINGLET_API __attribute__((visibility("default")))
#else
#define KINGLET_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The result of a function. An int rather than an enum, whose size depends on the compiler. */
typedef int kinglet_status;
#define KINGLET_OK 0
#define KINGLET_BAD_ARGUMENT 1 /* a null pointer, or inconsistent arguments: an error in the calling program */
#define KINGLET_BAD_INPUT 2    /* an error that a user can correct: an option, a label, a dimension, a file */
#define KINGLET_NO_MEMORY 3
#define KINGLET_FAILED 4 /* anything else */

/* Stands for "no class": before the first class is learned, and in regression. */
#define KINGLET_NO_CLASS UINT32_MAX

/* A model. Opaque: use the functions below. */
typedef struct kinglet_model kinglet_model;

/*
 * Rows of features, with labels and weights. The library only reads them. Initialise with KINGLET_DATA_INIT, which sets
 * unused members to null or 0.
 *
 * Dense rows: row i is values[i * stride] … values[i * stride + dimension - 1]; a stride of 0 means dimension.
 * Sparse rows (CSR): row i consists of the entries offsets[i] … offsets[i + 1] - 1 of `values` and `indices`. Indices
 * count from 0, increase within a row and are below dimension. `offsets` has rows + 1 entries. NaN is a missing value,
 * which is replaced by the mean of its feature. An infinite value is an error.
 *
 * At most one of labels, label_numbers and targets may be set:
 *   labels         a text for each row, null for a row without label
 *   label_numbers  classes that are integers; 1 is the same class as the text "1"
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

/* --- about the library -------------------------------------------------------------------------------------------- */

/* The version of the library in use, such as "0.1.0". It may be newer than this header. */
KINGLET_API const char* kinglet_version(void);

/* KINGLET_API_VERSION of the library in use. */
KINGLET_API uint32_t kinglet_api_version(void);

/*
 * The message of the last call that failed in this thread: one line, truncated if it is very long; "" if no call has
 * failed. It is valid until another call fails in this thread.
 */
KINGLET_API const char* kinglet_error(void);

/* --- models ------------------------------------------------------------------------------------------------------- */

/*
 * Creates a model that has not learned anything. `options` is a JSON object with options of `kinglet train --help`,
 * such as {"algo": "auto", "budget": 500, "proba": true}; values are strings, numbers, true or false. Null or "" means
 * all defaults. Release the model with kinglet_free.
 */
KINGLET_API kinglet_status kinglet_create(const char* options, kinglet_model** model);

/* Releases a model; null is allowed. */
KINGLET_API void kinglet_free(kinglet_model* model);

/* Loads a model from a file written by kinglet_save or `kinglet train`. Release it with kinglet_free. */
KINGLET_API kinglet_status kinglet_load(const char* path, kinglet_model** model);

/* Saves the model to a file, completely or not at all. */
KINGLET_API kinglet_status kinglet_save(const kinglet_model* model, const char* path);

/* Returns the bytes of such a file. Release them with kinglet_free_bytes. */
KINGLET_API kinglet_status kinglet_serialize(const kinglet_model* model, char** bytes, size_t* size);

/* Creates a model from such bytes, which may be released afterwards. Release the model with kinglet_free. */
KINGLET_API kinglet_status kinglet_deserialize(const char* bytes, size_t size, kinglet_model** model);

/*
 * Makes a start from a model that has learned a sample: its labels, scaling and metric, and with {"algo": "span"} its
 * centres, but nothing learned. If `keeps_coefficients` is not 0, the coefficients stay, for a second round over the
 * same data (with {"algo": "span"} only). Save it, and let models that are loaded from it learn parts of the data.
 * Since API version 3.
 */
KINGLET_API kinglet_status kinglet_make_start(const kinglet_model* model, int keeps_coefficients,
                                              kinglet_model** start);

/*
 * Combines `count` models that were trained separately into one. Those of one start with {"algo": "span"} add up, and
 * the sum can go on learning; others are averaged as functions and reduced to `budget` support vectors (0: the largest
 * budget of the models; a sum keeps the centres of its start and needs 0), and the average can only predict. Models
 * that cannot be mixed give KINGLET_BAD_INPUT. The result does not depend on the order of the models. Since API
 * version 3.
 */
KINGLET_API kinglet_status kinglet_mix(const kinglet_model* const* models, size_t count, size_t budget,
                                       kinglet_model** mixture);

/* Releases the result of kinglet_serialize or kinglet_info; null is allowed. */
KINGLET_API void kinglet_free_bytes(char* bytes);

/* --- learning ----------------------------------------------------------------------------------------------------- */

/*
 * Predicts and then learns each row in turn. Rows need labels, or targets for the task "regress"; for "novelty" they
 * need neither. The first 1024 rows of the first call determine what the options leave to the data: scaling, gamma and
 * the order of the classes. Classes and features that appear later are added.
 *
 * Data are checked in blocks of 1024 rows. After KINGLET_BAD_INPUT, the block with the error and all later ones have
 * not been learned; kinglet_examples returns the number of rows that the model has learned.
 */
KINGLET_API kinglet_status kinglet_learn(kinglet_model* model, const kinglet_data* data);

/*
 * Ends a pass over the data: scaling is frozen, learners do work that they postponed, and probabilities are no longer
 * calibrated, because the examples are not new any more. An endless stream needs no call.
 */
KINGLET_API kinglet_status kinglet_end_pass(kinglet_model* model);

/*
 * Learning uses up to so many threads, where that makes it faster; 0 means all cores. At first it is 1. The number of
 * threads does not change the result, and it is not saved.
 */
KINGLET_API kinglet_status kinglet_use_threads(kinglet_model* model, unsigned threads);

/* --- predicting --------------------------------------------------------------------------------------------------- */

/*
 * Writes the class of each row to `classes` and its score to `scores`; either may be null. With two classes the score
 * is f(x), positive for class 1; with more, it is the score of the predicted class. In regression it is the predicted
 * number. In novelty detection it is positive for normal rows, and the classes are 0 (novel, "-1") and 1 (normal, "1").
 * Labels and weights of the data are ignored. `threads` 0 means all cores; it does not change the result. Features that
 * the model has never seen are ignored.
 */
KINGLET_API kinglet_status kinglet_predict(const kinglet_model* model, const kinglet_data* data, unsigned threads,
                                           uint32_t* classes, float* scores);

/*
 * Writes all scores, kinglet_outputs(model) for each row. `size` is the number of floats that fit into `out`; if it is
 * too small, the result is KINGLET_BAD_ARGUMENT.
 */
KINGLET_API kinglet_status kinglet_scores(const kinglet_model* model, const kinglet_data* data, unsigned threads,
                                          float* out, size_t size);

/*
 * Writes the probability of each class, kinglet_classes(model) for each row. They sum to 1, and the class that
 * kinglet_predict returns has the highest. The model must have been created with {"proba": true}; else the result is
 * KINGLET_BAD_INPUT. `size` as above.
 */
KINGLET_API kinglet_status kinglet_probabilities(const kinglet_model* model, const kinglet_data* data, unsigned threads,
                                                 float* out, size_t size);

/*
 * Regression: writes the standard deviation of each prediction, one for each row, in the units of the target. Learners
 * in a span estimate it (bnewton, krls) once their first pass has ended; for other models the result is
 * KINGLET_BAD_INPUT. `size` as above.
 */
KINGLET_API kinglet_status kinglet_deviations(const kinglet_model* model, const kinglet_data* data, unsigned threads,
                                              float* out, size_t size);

/* --- about a model: these functions return 0 if the model is null ------------------------------------------------- */

/* The number of scores per row: 1 for regression, novelty detection and up to two classes, else one per class. */
KINGLET_API size_t kinglet_outputs(const kinglet_model* model);

/* The number of classes learned; 0 for regression, 2 for novelty detection. */
KINGLET_API size_t kinglet_classes(const kinglet_model* model);

/*
 * The label of a class, or null if there is no such class. The text belongs to the model and is valid until the model
 * learns or is released.
 */
KINGLET_API const char* kinglet_label(const kinglet_model* model, uint32_t class_id);

/* The class with this label, or KINGLET_NO_CLASS if there is none. */
KINGLET_API uint32_t kinglet_class_of(const kinglet_model* model, const char* label);

/* The number of features that the model knows; 0 before it has learned. */
KINGLET_API size_t kinglet_dimension(const kinglet_model* model);

/*
 * Writes how much each feature matters, kinglet_dimension(model) numbers that sum to 1. The model must have been
 * created with
 * {"metric": "learned"}; else the result is KINGLET_BAD_INPUT. `size` is the number of doubles that fit into `out`; if
 * it is too small, the result is KINGLET_BAD_ARGUMENT.
 */
KINGLET_API kinglet_status kinglet_feature_importances(const kinglet_model* model, double* out, size_t size);

/* The number of rows learned. */
KINGLET_API uint64_t kinglet_examples(const kinglet_model* model);

/*
 * Describes the model as a JSON object, a zero-terminated text: version, task, examples, online_error (regression:
 * online_rmse and online_mae), support_vectors, budget, dimension, labels, memory_bytes, gives_probabilities (and
 * online_brier_score, online_log_loss, online_calibration_error), options. Release it with kinglet_free_bytes.
 */
KINGLET_API kinglet_status kinglet_info(const kinglet_model* model, char** json);

#ifdef __cplusplus
}
#endif

#endif
/* NOLINTEND */
