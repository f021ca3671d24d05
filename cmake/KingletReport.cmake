# The page of reports: web/ is bundled by esbuild into one C++ file. Its packages are those of web/package-lock.json; npm
# fetches them when that file changes.
function(kinglet_report_page target)
  find_program(NODE_EXECUTABLE NAMES node nodejs)
  find_program(NPM_EXECUTABLE npm)
  mark_as_advanced(NODE_EXECUTABLE NPM_EXECUTABLE)
  if(NOT NODE_EXECUTABLE OR NOT NPM_EXECUTABLE)
    message(FATAL_ERROR "The page of reports is made with Node.js (18 or later) and npm, which are not here. "
                        "Install them, or build without reports: -DKINGLET_BUILD_REPORT=OFF")
  endif()
  execute_process(COMMAND "${NODE_EXECUTABLE}" --version OUTPUT_VARIABLE version OUTPUT_STRIP_TRAILING_WHITESPACE)
  string(REGEX REPLACE "^v" "" version "${version}")
  if(version VERSION_LESS 18)
    message(FATAL_ERROR "The page of reports is made with Node.js 18 or later; ${NODE_EXECUTABLE} is ${version}. "
                        "Install a newer one, or build without reports: -DKINGLET_BUILD_REPORT=OFF")
  endif()

  set(web "${PROJECT_SOURCE_DIR}/web")
  set(packages "${web}/node_modules/.package-lock.json")  # npm writes it last
  add_custom_command(
    OUTPUT "${packages}"
    COMMAND "${NPM_EXECUTABLE}" ci --ignore-scripts --no-audit --no-fund --prefer-offline --loglevel=error
    COMMAND "${CMAKE_COMMAND}" -E touch "${packages}"
    DEPENDS "${web}/package.json" "${web}/package-lock.json"
    WORKING_DIRECTORY "${web}"
    COMMENT "Fetching the packages of web/"
    VERBATIM)
  file(GLOB sources CONFIGURE_DEPENDS "${web}/src/*.js" "${web}/src/*.css")
  set(page "${KINGLET_GENERATED}/report_page.cpp")
  add_custom_command(
    OUTPUT "${page}"
    COMMAND "${NODE_EXECUTABLE}" build.mjs "${page}"
    DEPENDS ${sources} "${web}/build.mjs" "${web}/index.html" "${packages}"
    WORKING_DIRECTORY "${web}"
    COMMENT "Bundling web/"
    VERBATIM)
  target_sources(${target} PRIVATE "${page}")
  target_compile_definitions(${target} PRIVATE KINGLET_HAS_PAGE)
endfunction()
