# SPDX-License-Identifier: Apache-2.0
# An installation as a Debian package (`cpack -G DEB`) or as an archive that runs wherever it is unpacked
# (`cpack -G TGZ`). Either is for the Debian on which it was built, whose libraries it names.
cmake_host_system_information(RESULT debian QUERY DISTRIB_VERSION_ID)
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_INSTALL_CMAKE_PROJECTS "${PROJECT_BINARY_DIR};sizesheet;Unspecified;/")  # without the library
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PACKAGE_FILE_NAME "sizesheet-${PROJECT_VERSION}-debian${debian}-${CMAKE_SYSTEM_PROCESSOR}")
set(CPACK_PACKAGE_CONTACT "sizesheet maintainers <maintainers@sizesheet.invalid>")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE "1~deb${debian}")
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_DEPENDS fonts-roboto-unhinted)  # read when a page is drawn
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)                   # and the libraries
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"How many GPUs of which type a model takes to fine-tune, for how long, for how much money, and whether to rent or
to buy them: answered in the terminal, on a printed page and on a static site. The catalog is compiled in.")
include(CPack)
