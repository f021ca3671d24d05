# kinglet_table(OUTPUT FILE): makes a string literal of a text file, for `#include` inside an initialiser.
function(kinglet_table output file)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${file}")
  file(READ "${PROJECT_SOURCE_DIR}/${file}" content)
  file(CONFIGURE OUTPUT "${output}" CONTENT "// Generated from ${file}.\nR\"table(${content})table\"\n" @ONLY)
endfunction()
