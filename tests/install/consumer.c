/* A minimal program that uses the installed C interface: it learns four rows. */
#include <kinglet/kinglet.h>
#include <stdio.h>

int main(void) {
  const float values[] = {0, 1, 2, 3};
  const int64_t labels[] = {0, 0, 1, 1};
  kinglet_data data = KINGLET_DATA_INIT;
  kinglet_model *model = NULL;
  data.rows = 4;
  data.dimension = 1;
  data.values = values;
  data.label_numbers = labels;
  if (kinglet_create("{\"budget\": 10}", &model) != KINGLET_OK || kinglet_learn(model, &data) != KINGLET_OK) {
    fprintf(stderr, "%s\n", kinglet_error());
    return 1;
  }
  kinglet_free(model);
  return 0;
}
