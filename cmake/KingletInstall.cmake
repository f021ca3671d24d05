# cmake --install: the library, its headers, the program, and what find_package(kinglet) needs.

include(CMakePackageConfigHelpers)
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/kinglet")

install(TARGETS kinglet EXPORT kinglet-targets)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/kinglet" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(EXPORT kinglet-targets NAMESPACE kinglet:: DESTINATION "${package_dir}")
if(TARGET kinglet-cli)
  install(TARGETS kinglet-cli)
endif()

get_target_property(type kinglet TYPE)
if(type STREQUAL STATIC_LIBRARY)
  set(KINGLET_IS_STATIC ON)
else()
  set(KINGLET_IS_STATIC OFF)
endif()
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/kingletConfig.cmake.in"
                              "${PROJECT_BINARY_DIR}/kingletConfig.cmake" INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/kingletConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/kingletConfig.cmake" "${PROJECT_BINARY_DIR}/kingletConfigVersion.cmake"
        DESTINATION "${package_dir}")
