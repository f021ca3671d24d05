# Fails unless the shared library exports exactly the functions that the C header declares.
execute_process(COMMAND "${NM}" --dynamic --defined-only "${LIBRARY}" OUTPUT_VARIABLE listing COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^ \n]+\n" shown "${listing}")
list(TRANSFORM shown STRIP)
list(SORT shown)

file(STRINGS "${HEADER}" lines REGEX "^KINGLET_API ")
set(declared "")
foreach(line IN LISTS lines)
  string(REGEX MATCH "kinglet_[a-z_]+\\(" name "${line}")
  string(REPLACE "(" "" name "${name}")
  list(APPEND declared "${name}")
endforeach()
list(SORT declared)

if(NOT shown STREQUAL declared)
  message(FATAL_ERROR "the header declares\n  ${declared}\nand the library shows\n  ${shown}")
endif()
