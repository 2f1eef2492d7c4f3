# SPDX-License-Identifier: Apache-2.0
# find_package(sizesheet): the library as sizesheet::sizesheet. What it stands on has to be installed as well.
include("${CMAKE_CURRENT_LIST_DIR}/third_party.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/sizesheet-targets.cmake")
