# Installs kinglet into a fresh prefix, then configures, builds and runs programs that find it there, in C++ and in C.
function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE "${WORK_DIR}")
run("${CMAKE_COMMAND}" --install "${BUILD_DIR}" --prefix "${WORK_DIR}/prefix" --config "${CONFIG}")
file(GLOB_RECURSE pc_file "${WORK_DIR}/prefix/*/kinglet.pc")
cmake_path(GET pc_file PARENT_PATH pc)
run("${CMAKE_COMMAND}" -S "${SOURCE_DIR}" -B "${WORK_DIR}/build" -G "${GENERATOR}" "-DCMAKE_BUILD_TYPE=${CONFIG}"
    "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}" "-DCMAKE_C_COMPILER=${C_COMPILER}" "-DKINGLET_PC=${pc}" "-DCMAKE_PREFIX_PATH=${WORK_DIR}/prefix" "-DKINGLET_VERSION=${VERSION}" "-DKINGLET_EXAMPLES=${EXAMPLES}")
run("${CMAKE_COMMAND}" --build "${WORK_DIR}/build" --config "${CONFIG}")
foreach(program consumer consumer_c consumer_pc)
  run("${WORK_DIR}/build/${program}")
endforeach()
execute_process(COMMAND "${WORK_DIR}/build/one_at_a_time" WORKING_DIRECTORY "${WORK_DIR}" OUTPUT_VARIABLE said
                COMMAND_ERROR_IS_FATAL ANY)
if(NOT said MATCHES "^robin with probability 0[.]9[0-9]*\n$")
  message(FATAL_ERROR "one_at_a_time printed: ${said}")
endif()

# Programs that use kinglet, also as a static library, must not need libraries that only the kinglet command needs.
run("${CMAKE_COMMAND}" "-DREADELF=${READELF}" "-DPROGRAM=${WORK_DIR}/build/consumer" -P
    "${SOURCE_DIR}/dependencies.cmake")
file(GLOB_RECURSE package "${WORK_DIR}/prefix/*.cmake" "${WORK_DIR}/prefix/*.pc")
foreach(file IN LISTS package)
  file(STRINGS "${file}" lines REGEX "[Cc]url|CURL|[Oo]pen[Ss][Ss][Ll]|crypto|svm")
  if(lines)
    message(FATAL_ERROR "${file} asks for what only the command needs: ${lines}")
  endif()
endforeach()
