// A minimal program that uses the installed library: it reads a generated stream.
#include <cstddef>
#include <kinglet/source.hpp>

int main() {
  const auto source = kinglet::open_source("gen:checkerboard?n=5000&seed=1", {});
  kinglet::Batch batch;
  std::size_t rows = 0;
  while (source->next(batch)) rows += batch.rows();
  return rows == 5000 ? 0 : 1;
}
