# The libraries that kinglet is built from. packages.txt names the system packages that hold them.

find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(hwy QUIET IMPORTED_TARGET libhwy)
  pkg_check_modules(xxhash QUIET IMPORTED_TARGET libxxhash)
endif()
find_package(CURL QUIET)
find_package(Eigen3 3.3 QUIET NO_MODULE)
find_package(FastFloat QUIET)
find_package(fmt QUIET)
find_package(LibArchive QUIET)
find_package(nlohmann_json QUIET)
find_package(OpenSSL QUIET COMPONENTS Crypto)
# LIBSVM comes without a package file for CMake or pkg-config.
find_path(LIBSVM_INCLUDE_DIR libsvm/svm.h)
find_library(LIBSVM_LIBRARY svm)
mark_as_advanced(LIBSVM_INCLUDE_DIR LIBSVM_LIBRARY)

# All that is missing in one sentence.
set(missing "")
foreach(
  pair IN
  ITEMS "PkgConfig_FOUND pkg-config"
        "hwy_FOUND libhwy-dev"
        "xxhash_FOUND libxxhash-dev"
        "CURL_FOUND libcurl4-openssl-dev"
        "Eigen3_FOUND libeigen3-dev"
        "FastFloat_FOUND libfast-float-dev"
        "fmt_FOUND libfmt-dev"
        "LibArchive_FOUND libarchive-dev"
        "nlohmann_json_FOUND nlohmann-json3-dev"
        "OPENSSL_FOUND libssl-dev"
        "LIBSVM_INCLUDE_DIR libsvm-dev"
        "LIBSVM_LIBRARY libsvm-dev")
  string(REPLACE " " ";" pair "${pair}")
  list(GET pair 0 found)
  if(NOT ${found})
    list(GET pair 1 package)
    list(APPEND missing ${package})
  endif()
endforeach()
if(missing)
  list(REMOVE_DUPLICATES missing)
  list(JOIN missing " " missing)
  message(FATAL_ERROR "kinglet is built from libraries that are not here. "
                      "On Debian or Ubuntu: apt-get install ${missing}")
endif()
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

# Header-only libraries leave no trace in what is installed.
add_library(kinglet_headers INTERFACE)
target_link_libraries(kinglet_headers INTERFACE Eigen3::Eigen FastFloat::fast_float nlohmann_json::nlohmann_json)
