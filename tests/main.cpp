// The tests' main(): like the command, it makes LIBSVM the solver of `svm`.
#include <gmock/gmock.h>

#include "reference/libsvm_solver.hpp"

int main(int argc, char** argv) {
  kinglet::install_libsvm();
  ::testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}
