# The libraries that kinglet is built from. packages.txt names the system packages that hold them.

find_package(PkgConfig REQUIRED)
pkg_check_modules(hwy REQUIRED IMPORTED_TARGET libhwy)
pkg_check_modules(xxhash REQUIRED IMPORTED_TARGET libxxhash)
find_package(CURL REQUIRED)
find_package(Eigen3 3.3 REQUIRED NO_MODULE)
find_package(FastFloat REQUIRED)
find_package(fmt REQUIRED)
find_package(LibArchive REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
# LIBSVM comes without a package file for CMake or pkg-config.
find_path(LIBSVM_INCLUDE_DIR libsvm/svm.h REQUIRED)
find_library(LIBSVM_LIBRARY svm REQUIRED)
mark_as_advanced(LIBSVM_INCLUDE_DIR LIBSVM_LIBRARY)
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

# Header-only libraries leave no trace in what is installed.
add_library(kinglet_headers INTERFACE)
target_link_libraries(kinglet_headers INTERFACE Eigen3::Eigen FastFloat::fast_float nlohmann_json::nlohmann_json)
