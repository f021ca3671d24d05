# cmake --install: the libraries, their headers, the program, and what find_package(kinglet) and pkg-config need.

include(CMakePackageConfigHelpers)
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/kinglet")

install(TARGETS kinglet EXPORT kinglet-targets)
if(TARGET kinglet_c)
  install(TARGETS kinglet_c EXPORT kinglet-targets)
endif()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/kinglet" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(EXPORT kinglet-targets NAMESPACE kinglet:: DESTINATION "${package_dir}")
if(TARGET kinglet-cli)
  install(TARGETS kinglet-cli)
endif()

if(KINGLET_LIBRARY_TYPE STREQUAL STATIC_LIBRARY)
  set(KINGLET_IS_STATIC ON)
else()
  set(KINGLET_IS_STATIC OFF)
endif()
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/kingletConfig.cmake.in"
                              "${PROJECT_BINARY_DIR}/kingletConfig.cmake" INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/kingletConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/kingletConfig.cmake" "${PROJECT_BINARY_DIR}/kingletConfigVersion.cmake"
        DESTINATION "${package_dir}")

# For the C interface without CMake: pkg-config --cflags --libs kinglet.
file(RELATIVE_PATH KINGLET_PREFIX_FROM_PC "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
configure_file("${PROJECT_SOURCE_DIR}/cmake/kinglet.pc.in" "${PROJECT_BINARY_DIR}/kinglet.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/kinglet.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
