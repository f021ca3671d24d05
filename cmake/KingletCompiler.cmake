# Compiler settings of this project's own targets.

if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_CXX_EXTENSIONS OFF)
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
  find_program(CCACHE ccache)
  mark_as_advanced(CCACHE)
  if(CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
    # Paths relative to the project: what one clone has compiled another need not compile again.
    set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" CCACHE_NOHASHDIR=1
                                    "${CCACHE}")
  endif()
endif()

if(KINGLET_SANITIZE)
  add_compile_options(-fsanitize=${KINGLET_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${KINGLET_SANITIZE})
  add_compile_definitions(KINGLET_SMALL_TILES=1)  # src/simd/kernel_rows.cpp
endif()

# No -march: src/simd chooses the instruction set at run time. No -ffast-math, and no contraction of a * b + c into a
# fused operation behind our back: a fused operation is written as one, so that results are the same everywhere.
# -Wconversion is left out: it drowns SIMD and index arithmetic in casts. Designated initialisers may leave members at
# their defaults, hence no -Wmissing-field-initializers. g++ 12 sees overlapping copies in std::string that are not there, hence no
# -Wrestrict.
function(kinglet_compile_options target)
  target_compile_features(${target} PRIVATE cxx_std_20)
  target_compile_options(
    ${target}
    PRIVATE -ffp-contract=off
            -fno-math-errno
            -Wall
            -Wextra
            -Wpedantic
            -Wshadow
            -Wcast-align
            -Wimplicit-fallthrough
            -Wnon-virtual-dtor
            -Wold-style-cast
            -Woverloaded-virtual
            -Wvla
            -Wno-missing-field-initializers
            $<$<CXX_COMPILER_ID:GNU>:-Wduplicated-cond
            -Wduplicated-branches
            -Wlogical-op
            -Wno-restrict>)
endfunction()

# For what is not hot, such as the command line: less optimisation, in about two thirds of the time.
function(kinglet_compile_quickly target)
  target_compile_options(${target} PRIVATE "$<$<CONFIG:Release>:-O1>")
endfunction()
