# SPDX-License-Identifier: Apache-2.0
# What an installation holds, as `cmake --install`, a Debian package or an archive: the program, its manual page and
# completions, the schemas for editors, licences and the bill of materials. The catalog and templates are compiled in.
# `cmake --install` adds the library, for find_package(sizesheet).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(accompanying "${PROJECT_BINARY_DIR}/accompanying")
set(accompany "${PROJECT_SOURCE_DIR}/tools/accompany.sh")
add_custom_command(
  OUTPUT "${accompanying}/sizesheet.1"
  COMMAND bash "${accompany}" $<TARGET_FILE:sizesheet> "${accompanying}"
  DEPENDS sizesheet "${accompany}" "${PROJECT_SOURCE_DIR}/docs/dependencies.md"
  VERBATIM)
add_custom_target(accompanying ALL DEPENDS "${accompanying}/sizesheet.1")

set(shared "${CMAKE_INSTALL_DATADIR}/sizesheet")
install(TARGETS sizesheet)
install(FILES "${accompanying}/sizesheet.1" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
install(FILES "${accompanying}/sizesheet" DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
# Debian's zsh looks elsewhere for what packages bring.
install(CODE [[
  set(zsh_functions site-functions)
  if(CMAKE_INSTALL_PREFIX STREQUAL "/usr")
    set(zsh_functions vendor-completions)
  endif()]])
install(FILES "${accompanying}/_sizesheet" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/\${zsh_functions}")
install(FILES "${accompanying}/sizesheet.fish" DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
install(FILES "${accompanying}/sizesheet.spdx.json" DESTINATION "${shared}" OPTIONAL)  # of a Debian system
install(DIRECTORY catalog/schema docs/schema DESTINATION "${shared}" FILES_MATCHING PATTERN "*.schema.json")
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}" RENAME copyright)
install(FILES README.md CHANGELOG.md DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(DIRECTORY docs/ DESTINATION "${CMAKE_INSTALL_DOCDIR}/docs" PATTERN "schema" EXCLUDE)
install(FILES "${accompanying}/packages.txt" DESTINATION "${CMAKE_INSTALL_DOCDIR}" OPTIONAL)  # of a Debian system

# ---- The library: archive, headers, and a package that looks for what it stands on as this build does.
set(headers "${CMAKE_INSTALL_INCLUDEDIR}/sizesheet")
set(config "${CMAKE_INSTALL_LIBDIR}/cmake/sizesheet")
set_target_properties(sizesheet_lib PROPERTIES EXPORT_NAME sizesheet OUTPUT_NAME sizesheet)
install(TARGETS sizesheet_lib EXPORT sizesheet COMPONENT development INCLUDES DESTINATION "${headers}")
install(DIRECTORY generator/ DESTINATION "${headers}" COMPONENT development FILES_MATCHING PATTERN "*.h")
install(EXPORT sizesheet NAMESPACE sizesheet:: DESTINATION "${config}" COMPONENT development
        FILE sizesheet-targets.cmake)
write_basic_package_version_file("${accompanying}/sizesheet-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(FILES cmake/sizesheet-config.cmake cmake/third_party.cmake "${accompanying}/sizesheet-config-version.cmake"
        DESTINATION "${config}" COMPONENT development)
