# The libraries that kinglet is built from. packages.txt names the system packages that hold them.

# kinglet_need(VARIABLE PACKAGE): notes the Debian package to install when VARIABLE says that a library is not there.
set(KINGLET_MISSING "")
macro(kinglet_need found package)
  if(NOT ${found})
    list(APPEND KINGLET_MISSING ${package})
  endif()
endmacro()

# Learning and saving.
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(hwy QUIET IMPORTED_TARGET libhwy)
  pkg_check_modules(xxhash QUIET IMPORTED_TARGET libxxhash)
endif()
find_package(Eigen3 3.3 QUIET NO_MODULE)
find_package(FastFloat QUIET)
find_package(fmt QUIET)
find_package(nlohmann_json QUIET)
kinglet_need(PkgConfig_FOUND pkg-config)
kinglet_need(hwy_FOUND libhwy-dev)
kinglet_need(xxhash_FOUND libxxhash-dev)
kinglet_need(Eigen3_FOUND libeigen3-dev)
kinglet_need(FastFloat_FOUND libfast-float-dev)
kinglet_need(fmt_FOUND libfmt-dev)
kinglet_need(nlohmann_json_FOUND nlohmann-json3-dev)

# Reading compressed files.
if(KINGLET_BUILD_LIBRARY)
  find_package(LibArchive QUIET)
  kinglet_need(LibArchive_FOUND libarchive-dev)
endif()

# The laboratory: downloads (curl), their checksums (OpenSSL), and LIBSVM, which has no package file for CMake or pkg-config.
if(KINGLET_BUILD_LAB)
  find_package(CURL QUIET)
  find_package(OpenSSL QUIET COMPONENTS Crypto)
  find_path(LIBSVM_INCLUDE_DIR libsvm/svm.h)
  find_library(LIBSVM_LIBRARY svm)
  mark_as_advanced(LIBSVM_INCLUDE_DIR LIBSVM_LIBRARY)
  kinglet_need(CURL_FOUND libcurl4-openssl-dev)
  kinglet_need(OPENSSL_FOUND libssl-dev)
  kinglet_need(LIBSVM_INCLUDE_DIR libsvm-dev)
  kinglet_need(LIBSVM_LIBRARY libsvm-dev)
endif()

# The command.
if(KINGLET_BUILD_PROGRAM)
  find_package(CLI11 QUIET)
  kinglet_need(CLI11_FOUND libcli11-dev)
endif()

# Everything that is missing in one sentence.
if(KINGLET_MISSING)
  list(REMOVE_DUPLICATES KINGLET_MISSING)
  list(JOIN KINGLET_MISSING " " KINGLET_MISSING)
  message(FATAL_ERROR "kinglet is built from libraries that are not here. "
                      "On Debian or Ubuntu: apt-get install ${KINGLET_MISSING}")
endif()
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

# Header-only libraries leave no trace in what is installed.
add_library(kinglet_headers INTERFACE)
target_link_libraries(kinglet_headers INTERFACE Eigen3::Eigen FastFloat::fast_float nlohmann_json::nlohmann_json)
