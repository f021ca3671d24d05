/*
 * Calls every function of the C interface from C, also with wrong arguments. A check that fails prints its place and
 * the error message of the library.
 */
#include <kinglet/kinglet.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;

#define CHECK(condition)                                                                              \
  do {                                                                                                \
    if (!(condition)) {                                                                               \
      fprintf(stderr, "%s:%d: not true: %s (%s)\n", __FILE__, __LINE__, #condition, kinglet_error()); \
      ++failures;                                                                                     \
    }                                                                                                 \
  } while (0)

/* The call must fail with the status `expected` and a message that contains `part` and names no command-line flag. */
#define CHECK_FAILS(call, expected, part)                                                                        \
  do {                                                                                                           \
    const kinglet_status got = (call);                                                                           \
    if (got != (expected) || strstr(kinglet_error(), (part)) == NULL || strstr(kinglet_error(), "--") != NULL) { \
      fprintf(stderr, "%s:%d: %s: %d \"%s\"\n", __FILE__, __LINE__, #call, (int)got, kinglet_error());           \
      ++failures;                                                                                                \
    }                                                                                                            \
  } while (0)

enum { kRows = 3000, kFeatures = 2 };

static float values[kRows * kFeatures];
static int64_t numbers[kRows];
static const char* texts[kRows];
static float targets[kRows];
static float weights[kRows];

static double uniform(void) {
  static uint64_t state = 88172645463325252ULL;
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (double)(state >> 11) / 9007199254740992.0;
}

static void make_rows(void) {
  static const char* const names[] = {"left", "right"};
  int i;
  for (i = 0; i < kRows; ++i) {
    const double x = 2 * uniform() - 1;
    const double y = 2 * uniform() - 1;
    const int side = x * x + y > 0.3;
    values[i * kFeatures] = (float)x;
    values[i * kFeatures + 1] = (float)y;
    numbers[i] = side ? 1 : -1;
    texts[i] = names[side];
    targets[i] = (float)(x + 2 * y);
    weights[i] = 1;
  }
}

static kinglet_data dense_rows(void) {
  kinglet_data data = KINGLET_DATA_INIT;
  data.rows = kRows;
  data.dimension = kFeatures;
  data.values = values;
  return data;
}

static kinglet_model* made(const char* options) {
  kinglet_model* model = NULL;
  CHECK(kinglet_create(options, &model) == KINGLET_OK);
  CHECK(model != NULL);
  return model;
}

static void test_versions(void) {
  char expected[32];
  sprintf(expected, "%d.%d.%d", KINGLET_VERSION_MAJOR, KINGLET_VERSION_MINOR, KINGLET_VERSION_PATCH);
  CHECK(strcmp(kinglet_version(), expected) == 0);
  CHECK(kinglet_api_version() == KINGLET_API_VERSION);
  CHECK(strcmp(kinglet_error(), "") == 0);
}

static void test_creating(void) {
  kinglet_model* model = NULL;
  kinglet_free(made(NULL));
  kinglet_free(made(""));
  kinglet_free(made("{\"algo\": \"bnorma\", \"budget\": 50, \"eta\": 0.5, \"proba\": true, \"gamma\": \"auto\"}"));
  CHECK_FAILS(kinglet_create("{}", NULL), KINGLET_BAD_ARGUMENT, "null");
  CHECK_FAILS(kinglet_create("{", &model), KINGLET_BAD_INPUT, "JSON object");
  CHECK_FAILS(kinglet_create("[1]", &model), KINGLET_BAD_INPUT, "JSON object");
  CHECK_FAILS(kinglet_create("{\"budget\": null}", &model), KINGLET_BAD_INPUT, "'budget'");
  CHECK_FAILS(kinglet_create("{\"budget\": 1.5}", &model), KINGLET_BAD_INPUT, "budget");
  CHECK_FAILS(kinglet_create("{\"budgte\": 5}", &model), KINGLET_BAD_INPUT, "budget");
  CHECK_FAILS(kinglet_create("{\"task\": \"regress\", \"proba\": true}", &model), KINGLET_BAD_INPUT, "proba");
  CHECK_FAILS(kinglet_create("{\"algo\": \"svm\"}", &model), KINGLET_BAD_INPUT, "svm is part of the kinglet command");
  CHECK(model == NULL);
  kinglet_free(NULL);
  kinglet_free_bytes(NULL);
}

/* Error messages name options by their JSON keys, without dashes. */
static void test_words_for_options(void) {
  static const char* const bad[][2] = {
      {"{\"gamma\": -1}", "gamma must be a number"},
      {"{\"lamda\": 1}", "did you mean lambda?"},
      {"{\"maintain\": \"odlest\"}", "unknown value 'odlest' for budget-rule (did you mean oldest?)"},
      {"{\"budget-rule\": \"oldest\", \"maintain\": \"oldest\"}", "two names of the same option"},
      {"{\"algo\": \"bpegasos\", \"kernel\": \"poly\"}", "with kernel=poly give another budget-rule"},
      {"{\"kernel\": \"sigmoid\", \"maintain\": \"project\"}", "budget-rule=project needs a positive definite kernel"},
      {"{\"budget\": 5, \"memory\": \"1M\"}", "budget or memory"},
      {"{\"memory\": \"lots\"}", "memory must be an amount"},
      {"{\"task\": \"regress\", \"update\": \"mira\"}", "for task=regress use another update"},
      {"{\"task\": \"regress\", \"query\": \"ramp\"}", "task=classify takes it"},
      {"{\"query-window\": 3}", "query=greedy takes it"},
      {"{\"class-weight\": \"x\"}", "class-weight must be none, balanced, or a list"},
      {"{\"output\": \"average\"}", "output=average needs a budget-rule"},
      {"{\"algo\": \"svmr\", \"proba\": true}", "proba needs the scores"},
      {"{\"algo\": \"spa\", \"expected-budget\": 9}", "expected-budget needs the length of the stream"},
      {"{\"update\": \"norma\", \"lambda\": 1, \"eta\": 1}", "lambda × eta < 1"},
  };
  kinglet_model* model = NULL;
  size_t i;
  for (i = 0; i < sizeof bad / sizeof bad[0]; ++i) {
    CHECK_FAILS(kinglet_create(bad[i][0], &model), KINGLET_BAD_INPUT, bad[i][1]);
  }
  CHECK(kinglet_create("{\"budget-rule\": \"oldest\"}", &model) == KINGLET_OK);
  kinglet_free(model);
}

/* A long error message is cut off between two UTF-8 characters. */
static void test_long_error(void) {
  char options[4000];
  kinglet_model* model = NULL;
  size_t length, i;
  strcpy(options, "{\"");
  for (i = 0; i < 1500; ++i) strcat(options, "\xc3\xa4");
  strcat(options, "\": 1}");
  CHECK(kinglet_create(options, &model) == KINGLET_BAD_INPUT);
  length = strlen(kinglet_error());
  CHECK(length > 500 && length < 1024);
  CHECK((kinglet_error()[length - 1] & 0xC0) != 0xC0);
}

static void test_classes(void) {
  static uint32_t classes[kRows];
  static float scores[kRows];
  static float probabilities[2 * kRows];
  kinglet_model* model = made("{\"budget\": 100, \"proba\": true}");
  kinglet_data data = dense_rows();
  int right = 0, i;

  CHECK(kinglet_outputs(model) == 1);
  CHECK(kinglet_classes(model) == 0 && kinglet_dimension(model) == 0 && kinglet_examples(model) == 0);
  CHECK(kinglet_predict(model, &data, 1, classes, NULL) == KINGLET_OK);
  CHECK(classes[0] == KINGLET_NO_CLASS);

  data.label_numbers = numbers;
  data.weights = weights;
  CHECK(kinglet_learn(model, &data) == KINGLET_OK);
  CHECK(kinglet_use_threads(model, 2) == KINGLET_OK);
  CHECK(kinglet_end_pass(model) == KINGLET_OK);
  CHECK(kinglet_examples(model) == kRows);
  CHECK(kinglet_classes(model) == 2 && kinglet_outputs(model) == 1 && kinglet_dimension(model) == kFeatures);
  CHECK(strcmp(kinglet_label(model, 0), "-1") == 0 && strcmp(kinglet_label(model, 1), "1") == 0);
  CHECK(kinglet_label(model, 2) == NULL);
  CHECK(kinglet_class_of(model, "1") == 1 && kinglet_class_of(model, "2") == KINGLET_NO_CLASS);
  CHECK(kinglet_class_of(model, NULL) == KINGLET_NO_CLASS);

  CHECK(kinglet_predict(model, &data, 0, classes, scores) == KINGLET_OK);
  CHECK(kinglet_probabilities(model, &data, 2, probabilities, 2 * kRows) == KINGLET_OK);
  for (i = 0; i < kRows; ++i) {
    const float* p = probabilities + 2 * i;
    right += (numbers[i] == 1) == (classes[i] == 1);
    CHECK((scores[i] >= 0) == (classes[i] == 1));
    CHECK((p[1] > p[0]) == (classes[i] == 1));
    CHECK(fabs(p[0] + p[1] - 1) < 1e-6);
  }
  CHECK(right > 0.93 * kRows);
  CHECK(kinglet_predict(model, &data, 1, NULL, NULL) == KINGLET_OK);
  CHECK_FAILS(kinglet_probabilities(model, &data, 1, probabilities, 2 * kRows - 1), KINGLET_BAD_ARGUMENT, "room");
  CHECK_FAILS(kinglet_scores(model, &data, 1, NULL, kRows), KINGLET_BAD_ARGUMENT, "null");
  kinglet_free(model);
}

static void test_feature_importances(void) {
  double importances[kFeatures], sum = 0;
  kinglet_model* model = made("{\"budget\": 50, \"metric\": \"learned\"}");
  kinglet_model* plain = made("{\"budget\": 50, \"metric\": \"none\"}");
  kinglet_data data = dense_rows();
  int i;
  CHECK_FAILS(kinglet_feature_importances(model, importances, kFeatures), KINGLET_BAD_INPUT, "learned nothing");
  data.label_numbers = numbers;
  CHECK(kinglet_learn(model, &data) == KINGLET_OK);
  CHECK(kinglet_learn(plain, &data) == KINGLET_OK);
  CHECK(kinglet_feature_importances(model, importances, kFeatures) == KINGLET_OK);
  for (i = 0; i < kFeatures; ++i) sum += importances[i];
  CHECK(fabs(sum - 1) < 1e-9);
  CHECK_FAILS(kinglet_feature_importances(model, importances, kFeatures - 1), KINGLET_BAD_ARGUMENT, "room");
  CHECK_FAILS(kinglet_feature_importances(model, NULL, kFeatures), KINGLET_BAD_ARGUMENT, "null");
  CHECK_FAILS(kinglet_feature_importances(plain, importances, kFeatures), KINGLET_BAD_INPUT, "metric");
  kinglet_free(model);
  kinglet_free(plain);
}

static void test_texts_and_late_classes(void) {
  static float scores[3 * kRows];
  const char* late[] = {"above", "above", "left", NULL};
  kinglet_model* model = made("{\"budget\": 50}");
  kinglet_data data = dense_rows();
  data.labels = texts;
  CHECK(kinglet_learn(model, &data) == KINGLET_OK);
  CHECK(strcmp(kinglet_label(model, 1), "right") == 0);
  data.rows = 3;
  data.labels = late;
  CHECK(kinglet_learn(model, &data) == KINGLET_OK);
  CHECK(kinglet_classes(model) == 3 && kinglet_outputs(model) == 3);
  CHECK(kinglet_class_of(model, "above") == 2);
  data.rows = 4;
  CHECK_FAILS(kinglet_learn(model, &data), KINGLET_BAD_INPUT, "no label");
  CHECK(kinglet_examples(model) == kRows + 3);
  data = dense_rows();
  CHECK(kinglet_scores(model, &data, 1, scores, 3 * kRows) == KINGLET_OK);
  CHECK_FAILS(kinglet_probabilities(model, &data, 1, scores, 3 * kRows), KINGLET_BAD_INPUT, "proba");
  kinglet_free(model);
}

/* Dense rows, dense rows with gaps between them and sparse rows give models with the same scores. */
static void test_forms_of_rows(void) {
  static float wide[kRows * 5];
  static uint64_t offsets[kRows + 1];
  static uint32_t indices[kRows * kFeatures];
  static float expected[kRows], got[kRows];
  const char* options = "{\"budget\": 30, \"storage\": \"dense\", \"gamma\": 1}";
  kinglet_model *plain = made(options), *strided = made(options), *sparse = made(options);
  kinglet_data data = dense_rows();
  kinglet_data gaps = dense_rows();
  kinglet_data compressed = dense_rows();
  int i;
  for (i = 0; i < kRows; ++i) {
    memcpy(wide + 5 * i, values + kFeatures * i, kFeatures * sizeof(float));
    offsets[i + 1] = (uint64_t)(kFeatures * (i + 1));
    indices[kFeatures * i] = 0;
    indices[kFeatures * i + 1] = 1;
  }
  gaps.values = wide;
  gaps.stride = 5;
  compressed.offsets = offsets;
  compressed.indices = indices;
  data.label_numbers = gaps.label_numbers = compressed.label_numbers = numbers;
  CHECK(kinglet_learn(plain, &data) == KINGLET_OK);
  CHECK(kinglet_learn(strided, &gaps) == KINGLET_OK);
  CHECK(kinglet_learn(sparse, &compressed) == KINGLET_OK);
  CHECK(kinglet_scores(plain, &data, 1, expected, kRows) == KINGLET_OK);
  CHECK(kinglet_scores(strided, &gaps, 1, got, kRows) == KINGLET_OK);
  CHECK(memcmp(expected, got, sizeof got) == 0);
  CHECK(kinglet_scores(sparse, &compressed, 1, got, kRows) == KINGLET_OK);
  for (i = 0; i < kRows; ++i) CHECK(fabsf(expected[i] - got[i]) < 1e-3F * (1 + fabsf(expected[i])));

  indices[1] = 0;
  CHECK_FAILS(kinglet_learn(sparse, &compressed), KINGLET_BAD_ARGUMENT, "must increase");
  indices[1] = 2;
  CHECK_FAILS(kinglet_learn(sparse, &compressed), KINGLET_BAD_ARGUMENT, "below the dimension");
  indices[1] = 1;
  offsets[2] = 1;
  CHECK_FAILS(kinglet_learn(sparse, &compressed), KINGLET_BAD_ARGUMENT, "must not decrease");
  offsets[2] = 4;
  compressed.indices = NULL;
  CHECK_FAILS(kinglet_learn(sparse, &compressed), KINGLET_BAD_ARGUMENT, "indices");
  kinglet_free(plain);
  kinglet_free(strided);
  kinglet_free(sparse);
}

static void test_other_tasks(void) {
  static uint32_t classes[kRows];
  static float out[kRows];
  double sum = 0;
  int i;
  kinglet_model* numbers_model = made("{\"task\": \"regress\", \"budget\": 200}");
  kinglet_model* novelty = made("{\"task\": \"novelty\", \"budget\": 50}");
  kinglet_data data = dense_rows();
  CHECK_FAILS(kinglet_learn(numbers_model, &data), KINGLET_BAD_INPUT, "number");
  data.targets = targets;
  CHECK(kinglet_learn(numbers_model, &data) == KINGLET_OK);
  CHECK(kinglet_predict(numbers_model, &data, 1, classes, out) == KINGLET_OK);
  CHECK(classes[0] == KINGLET_NO_CLASS && kinglet_classes(numbers_model) == 0);
  for (i = 0; i < kRows; ++i) sum += fabs(out[i] - targets[i]);
  CHECK(sum / kRows < 0.3);
  CHECK_FAILS(kinglet_probabilities(numbers_model, &data, 1, out, kRows), KINGLET_BAD_INPUT, "regress");
  kinglet_free(numbers_model);
  numbers_model = made("{\"task\": \"regress\", \"budget\": 100, \"algo\": \"bpa-m\"}");
  CHECK(kinglet_learn(numbers_model, &data) == KINGLET_OK);
  CHECK_FAILS(kinglet_deviations(numbers_model, &data, 1, out, kRows), KINGLET_BAD_INPUT, "no standard deviations");
  kinglet_free(numbers_model);
  numbers_model = made("{\"task\": \"regress\", \"budget\": 100, \"algo\": \"bnewton\"}");
  CHECK(kinglet_learn(numbers_model, &data) == KINGLET_OK && kinglet_end_pass(numbers_model) == KINGLET_OK);
  CHECK(kinglet_deviations(numbers_model, &data, 1, out, kRows) == KINGLET_OK);
  for (i = 0; i < kRows; ++i) CHECK(out[i] > 0 && out[i] < 1);

  data.targets = NULL;
  CHECK(kinglet_learn(novelty, &data) == KINGLET_OK);
  CHECK(kinglet_classes(novelty) == 2 && strcmp(kinglet_label(novelty, 0), "-1") == 0);
  kinglet_free(numbers_model);
  kinglet_free(novelty);
}

static void test_bad_data(void) {
  kinglet_model* model = made("{\"budget\": 20}");
  kinglet_data data = dense_rows();
  const float infinite = (float)HUGE_VAL;
  float out[1];
  uint32_t classes[1];
  data.label_numbers = numbers;
  CHECK_FAILS(kinglet_learn(NULL, &data), KINGLET_BAD_ARGUMENT, "model pointer is null");
  CHECK_FAILS(kinglet_learn(model, NULL), KINGLET_BAD_ARGUMENT, "data pointer is null");
  CHECK_FAILS(kinglet_end_pass(NULL), KINGLET_BAD_ARGUMENT, "model pointer is null");
  CHECK_FAILS(kinglet_use_threads(NULL, 2), KINGLET_BAD_ARGUMENT, "model pointer is null");
  CHECK_FAILS(kinglet_predict(NULL, &data, 1, classes, out), KINGLET_BAD_ARGUMENT, "model pointer is null");
  CHECK_FAILS(kinglet_scores(NULL, &data, 1, out, 1), KINGLET_BAD_ARGUMENT, "model pointer is null");
  CHECK_FAILS(kinglet_probabilities(NULL, &data, 1, out, 1), KINGLET_BAD_ARGUMENT, "model pointer is null");
  data.struct_size = 8;
  CHECK_FAILS(kinglet_learn(model, &data), KINGLET_BAD_ARGUMENT, "struct_size");
  data = dense_rows();
  data.values = NULL;
  CHECK_FAILS(kinglet_learn(model, &data), KINGLET_BAD_ARGUMENT, "values pointer is null");
  data = dense_rows();
  data.label_numbers = numbers;
  data.labels = texts;
  CHECK_FAILS(kinglet_learn(model, &data), KINGLET_BAD_ARGUMENT, "one of");
  data.labels = NULL;
  data.stride = 1;
  CHECK_FAILS(kinglet_learn(model, &data), KINGLET_BAD_ARGUMENT, "stride");
  data.stride = 0;
  data.indices = (const uint32_t*)(const void*)values;
  CHECK_FAILS(kinglet_learn(model, &data), KINGLET_BAD_ARGUMENT, "offsets");
  data.indices = NULL;
  weights[5] = -1;
  data.weights = weights;
  CHECK_FAILS(kinglet_learn(model, &data), KINGLET_BAD_INPUT, "weight");
  weights[5] = 1;
  data.rows = 1;
  data.dimension = 1;
  data.values = &infinite;
  CHECK_FAILS(kinglet_learn(model, &data), KINGLET_BAD_INPUT, "infinite");
  CHECK(kinglet_examples(model) == 0);
  data = dense_rows();
  data.label_numbers = numbers;
  CHECK(kinglet_learn(model, &data) == KINGLET_OK);
  data.dimension = 1;
  data.rows = 1;
  CHECK_FAILS(kinglet_predict(model, &data, 1, classes, out), KINGLET_BAD_INPUT, "features");
  data.rows = 0;
  CHECK(kinglet_predict(model, &data, 1, NULL, NULL) == KINGLET_OK);
  CHECK(kinglet_learn(model, &data) == KINGLET_OK);
  CHECK_FAILS(kinglet_feature_importances(NULL, NULL, 0), KINGLET_BAD_ARGUMENT, "model pointer is null");
  CHECK(kinglet_outputs(NULL) == 0 && kinglet_classes(NULL) == 0 && kinglet_dimension(NULL) == 0);
  CHECK(kinglet_examples(NULL) == 0 && kinglet_label(NULL, 0) == NULL);
  CHECK(kinglet_class_of(NULL, "1") == KINGLET_NO_CLASS);
  kinglet_free(model);
}

/* A model that is saved and loaded in the middle of the data ends up equal to one that learned without a break. */
static void test_saving(const char* path) {
  static float expected[kRows], got[kRows];
  const char* options = "{\"budget\": 30, \"proba\": true}";
  kinglet_model *whole = made(options), *first = made(options), *loaded = NULL, *again = NULL;
  kinglet_data data = dense_rows(), rest = dense_rows();
  char *bytes = NULL, *other = NULL, *json = NULL;
  size_t size = 0, other_size = 0;
  data.label_numbers = numbers;
  CHECK(kinglet_learn(whole, &data) == KINGLET_OK);
  data.rows = 2000;
  CHECK(kinglet_learn(first, &data) == KINGLET_OK);
  CHECK(kinglet_save(first, path) == KINGLET_OK);
  CHECK(kinglet_load(path, &loaded) == KINGLET_OK);
  rest.rows = kRows - 2000;
  rest.values = values + 2000 * kFeatures;
  rest.label_numbers = numbers + 2000;
  CHECK(kinglet_learn(loaded, &rest) == KINGLET_OK);
  CHECK(kinglet_serialize(whole, &bytes, &size) == KINGLET_OK);
  CHECK(kinglet_serialize(loaded, &other, &other_size) == KINGLET_OK);
  CHECK(size == other_size && memcmp(bytes, other, size) == 0);
  CHECK(kinglet_deserialize(bytes, size, &again) == KINGLET_OK);
  data.rows = kRows;
  CHECK(kinglet_scores(whole, &data, 1, expected, kRows) == KINGLET_OK);
  CHECK(kinglet_scores(again, &data, 1, got, kRows) == KINGLET_OK);
  CHECK(memcmp(expected, got, sizeof got) == 0);

  CHECK(kinglet_info(whole, &json) == KINGLET_OK);
  CHECK(strstr(json, "\"examples\":3000") != NULL && strstr(json, "\"gives_probabilities\":true") != NULL);
  CHECK(strstr(json, "\"labels\":[\"-1\",\"1\"]") != NULL && strstr(json, "\"online_brier_score\":") != NULL);

  kinglet_free(again);
  again = NULL;
  CHECK_FAILS(kinglet_deserialize(bytes, size / 2, &again), KINGLET_BAD_INPUT, "truncated");
  bytes[size / 2] ^= 1;
  CHECK_FAILS(kinglet_deserialize(bytes, size, &again), KINGLET_BAD_INPUT, "damaged");
  CHECK_FAILS(kinglet_deserialize("no model", 8, &again), KINGLET_BAD_INPUT, "not a kinglet model");
  CHECK_FAILS(kinglet_deserialize(NULL, 8, &again), KINGLET_BAD_ARGUMENT, "null");
  CHECK_FAILS(kinglet_deserialize(bytes, size, NULL), KINGLET_BAD_ARGUMENT, "null");
  CHECK_FAILS(kinglet_load("there/is/no/such.kinglet", &again), KINGLET_BAD_INPUT, "such.kinglet");
  CHECK_FAILS(kinglet_load(NULL, &again), KINGLET_BAD_ARGUMENT, "path pointer is null");
  CHECK_FAILS(kinglet_load(path, NULL), KINGLET_BAD_ARGUMENT, "null");
  CHECK_FAILS(kinglet_save(whole, "there/is/no/such.kinglet"), KINGLET_BAD_INPUT, "such.kinglet");
  CHECK_FAILS(kinglet_save(whole, NULL), KINGLET_BAD_ARGUMENT, "path pointer is null");
  CHECK_FAILS(kinglet_save(NULL, path), KINGLET_BAD_ARGUMENT, "model pointer is null");
  CHECK_FAILS(kinglet_serialize(NULL, &other, &size), KINGLET_BAD_ARGUMENT, "model pointer is null");
  CHECK_FAILS(kinglet_serialize(whole, NULL, &size), KINGLET_BAD_ARGUMENT, "null");
  CHECK_FAILS(kinglet_serialize(whole, &other, NULL), KINGLET_BAD_ARGUMENT, "null");
  CHECK_FAILS(kinglet_info(NULL, &json), KINGLET_BAD_ARGUMENT, "model pointer is null");
  CHECK_FAILS(kinglet_info(whole, NULL), KINGLET_BAD_ARGUMENT, "null");
  CHECK(again == NULL);
  kinglet_free_bytes(bytes);
  kinglet_free_bytes(other);
  kinglet_free_bytes(json);
  kinglet_free(whole);
  kinglet_free(first);
  kinglet_free(loaded);
  remove(path);
}

/* A model of algo=svm, which only the command can train: the library predicts with it and refuses to train it. */
static void test_model_of_the_command(const char* path) {
  static const float row[] = {0.8930967F, 3.0376723F};
  const int64_t label = 1;
  float score = 0;
  char *bytes = NULL, *again = NULL;
  size_t size = 0, size_again = 0;
  kinglet_data data = KINGLET_DATA_INIT;
  kinglet_model* model = NULL;
  CHECK(kinglet_load(path, &model) == KINGLET_OK);
  data.rows = 1;
  data.dimension = 2;
  data.values = row;
  CHECK(kinglet_scores(model, &data, 1, &score, 1) == KINGLET_OK);
  CHECK(fabs((double)score - 0.83586895) < 1e-4);
  CHECK(kinglet_serialize(model, &bytes, &size) == KINGLET_OK);
  data.label_numbers = &label;
  CHECK_FAILS(kinglet_learn(model, &data), KINGLET_BAD_INPUT, "svm is part of the kinglet command");
  CHECK_FAILS(kinglet_end_pass(model), KINGLET_BAD_INPUT, "svm is part of the kinglet command");
  CHECK(kinglet_serialize(model, &again, &size_again) == KINGLET_OK);
  CHECK(size == size_again && memcmp(bytes, again, size) == 0);
  kinglet_free_bytes(bytes);
  kinglet_free_bytes(again);
  kinglet_free(model);
}

/* Two models of one start learn half of the rows each; their sum has learned all of them, in any order. */
static void test_mixing(void) {
  kinglet_data data = KINGLET_DATA_INIT;
  kinglet_model *sample = NULL, *start = NULL, *none = NULL, *mixture = NULL, *turned = NULL;
  kinglet_model* parts[2] = {NULL, NULL};
  const kinglet_model* models[2];
  char *bytes = NULL, *other = NULL, *json = NULL;
  size_t size = 0, other_size = 0, i;
  data.rows = kRows;
  data.dimension = 2;
  data.values = values;
  data.label_numbers = numbers;
  CHECK(kinglet_create("{\"algo\": \"span\", \"budget\": 40, \"scout\": 500}", &sample) == KINGLET_OK);
  CHECK_FAILS(kinglet_make_start(sample, 0, &none), KINGLET_BAD_INPUT, "learned nothing");
  CHECK(kinglet_learn(sample, &data) == KINGLET_OK && kinglet_end_pass(sample) == KINGLET_OK);
  CHECK(kinglet_make_start(sample, 0, &start) == KINGLET_OK);
  CHECK(kinglet_serialize(start, &bytes, &size) == KINGLET_OK);
  data.rows = kRows / 2;
  for (i = 0; i < 2; ++i) {
    CHECK(kinglet_deserialize(bytes, size, &parts[i]) == KINGLET_OK);
    data.values = values + i * kRows;
    data.label_numbers = numbers + i * (kRows / 2);
    CHECK(kinglet_learn(parts[i], &data) == KINGLET_OK && kinglet_end_pass(parts[i]) == KINGLET_OK);
  }
  kinglet_free_bytes(bytes);
  models[0] = parts[0];
  models[1] = parts[1];
  CHECK(kinglet_mix(models, 2, 0, &mixture) == KINGLET_OK);
  models[0] = parts[1];
  models[1] = parts[0];
  CHECK(kinglet_mix(models, 2, 0, &turned) == KINGLET_OK);
  CHECK(kinglet_serialize(mixture, &bytes, &size) == KINGLET_OK);
  CHECK(kinglet_serialize(turned, &other, &other_size) == KINGLET_OK);
  CHECK(size == other_size && memcmp(bytes, other, size) == 0);
  CHECK(kinglet_info(mixture, &json) == KINGLET_OK && strstr(json, "\"examples\":3000") != NULL);
  models[1] = parts[1];
  CHECK_FAILS(kinglet_mix(models, 2, 0, &none), KINGLET_BAD_INPUT, "count twice");
  CHECK_FAILS(kinglet_mix(models, 0, 0, &none), KINGLET_BAD_INPUT, "no model");
  CHECK_FAILS(kinglet_mix(NULL, 2, 0, &none), KINGLET_BAD_ARGUMENT, "null");
  CHECK_FAILS(kinglet_mix(models, 2, 0, NULL), KINGLET_BAD_ARGUMENT, "null");
  CHECK_FAILS(kinglet_make_start(NULL, 0, &none), KINGLET_BAD_ARGUMENT, "null");
  models[0] = NULL;
  CHECK_FAILS(kinglet_mix(models, 2, 0, &none), KINGLET_BAD_ARGUMENT, "null");
  CHECK(none == NULL);
  kinglet_free_bytes(bytes);
  kinglet_free_bytes(other);
  kinglet_free_bytes(json);
  kinglet_free(sample);
  kinglet_free(start);
  kinglet_free(mixture);
  kinglet_free(turned);
  for (i = 0; i < 2; ++i) kinglet_free(parts[i]);
}

int main(int argc, char** argv) {
  make_rows();
  test_versions();
  test_creating();
  test_words_for_options();
  test_long_error();
  test_classes();
  test_feature_importances();
  test_texts_and_late_classes();
  test_forms_of_rows();
  test_other_tasks();
  test_bad_data();
  test_mixing();
  test_saving(argc > 1 ? argv[1] : "c_api_test.kinglet");
  if (argc > 2) test_model_of_the_command(argv[2]);
  if (failures == 0) puts("all is well");
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
