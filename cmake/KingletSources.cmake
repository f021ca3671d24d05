# The source files of a folder, compiled together: headers are read once for each folder instead of once for each file, which
# makes a build from scratch several times faster. Names in the anonymous namespaces of one folder must therefore differ.
# -DKINGLET_UNITY=OFF compiles every file by itself, which is quicker while one file is being changed.
option(KINGLET_UNITY "Compile the files of each folder together" ON)

# kinglet_sources(VARIABLE FOLDER...): what to compile for folders of src/, without the folders inside them.
function(kinglet_sources variable)
  set(sources "")
  foreach(folder IN LISTS ARGN)
    file(GLOB files CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/src/${folder}/*.cpp")
    set(together "")
    foreach(file IN LISTS files)
      if(KINGLET_UNITY AND NOT file IN_LIST KINGLET_COMPILED_ALONE AND NOT folder IN_LIST KINGLET_COMPILED_ALONE)
        list(APPEND together "${file}")
      else()
        list(APPEND sources "${PROJECT_SOURCE_DIR}/src/${file}")
      endif()
    endforeach()
    if(together)
      # Paths relative to src/: the file is the same in every clone and build directory, for the compiler cache.
      list(TRANSFORM together REPLACE "(.+)" "#include \"\\1\"\n")
      list(JOIN together "" content)
      set(unity "${KINGLET_GENERATED}/unity/${folder}.cpp")
      file(CONFIGURE OUTPUT "${unity}" CONTENT "// Generated: the files of src/${folder}.\n${content}" @ONLY)
      list(APPEND sources "${unity}")
    endif()
  endforeach()
  set(${variable} ${sources} PARENT_SCOPE)
endfunction()

# What cannot be compiled together with its neighbours: Highway compiles each file of simd/ once for every instruction set,
# reports use the names of another namespace, and some files read generated lists.
set(KINGLET_COMPILED_ALONE
    simd
    cli/compare_report.cpp
    cli/eval_report.cpp
    cli/paper_report.cpp
    cli/prediction_blocks.cpp
    cli/train_report.cpp
    cli/tune_report.cpp
    learn/registry.cpp
    papers/paper.cpp
    papers/paper_settings.cpp)
