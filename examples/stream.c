/* Learns a stream from C, block by block, and predicts new points with probabilities. The data are two half moons. */
#include <kinglet/kinglet.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { kBlock = 500 };

static double uniform(void) { return (double)rand() / RAND_MAX; }

static void next_block(float *x, int64_t *y) {
  int i;
  for (i = 0; i < kBlock; ++i) {
    const double angle = 3.14159265 * uniform();
    y[i] = rand() % 2;
    x[2 * i] = (float)(y[i] ? 1 - cos(angle) : cos(angle)) + (float)(0.6 * (uniform() - 0.5));
    x[2 * i + 1] = (float)(y[i] ? 0.5 - sin(angle) : sin(angle)) + (float)(0.6 * (uniform() - 0.5));
  }
}

static int fail(kinglet_model *model) {
  fprintf(stderr, "%s\n", kinglet_error());
  kinglet_free(model);
  return EXIT_FAILURE;
}

int main(void) {
  static float x[2 * kBlock];
  static int64_t y[kBlock];
  static uint32_t classes[kBlock];
  static float probabilities[2 * kBlock];
  kinglet_model *model = NULL;
  kinglet_data data = KINGLET_DATA_INIT;
  int block, i, right = 0;

  if (kinglet_create("{\"budget\": 100, \"proba\": true}", &model) != KINGLET_OK) return fail(model);
  data.rows = kBlock;
  data.dimension = 2;
  data.values = x;
  data.label_numbers = y;
  for (block = 0; block < 20; ++block) {
    next_block(x, y);
    if (kinglet_learn(model, &data) != KINGLET_OK) return fail(model);
  }

  next_block(x, y);
  data.label_numbers = NULL;
  if (kinglet_predict(model, &data, 1, classes, NULL) != KINGLET_OK) return fail(model);
  if (kinglet_probabilities(model, &data, 1, probabilities, 2 * kBlock) != KINGLET_OK) return fail(model);
  for (i = 0; i < kBlock; ++i) right += classes[i] == (uint32_t)y[i];
  printf("%.1f %% of %d new points are right\n", 100.0 * right / kBlock, kBlock);
  printf("the first one is a %s with probability %.3f\n", kinglet_label(model, classes[0]),
         (double)probabilities[classes[0]]);

  if (kinglet_save(model, "stream.kinglet") != KINGLET_OK) return fail(model);
  kinglet_free(model);
  return right > 9 * kBlock / 10 ? EXIT_SUCCESS : EXIT_FAILURE;
}
