# SPDX-License-Identifier: Apache-2.0
# ccache where it is installed. The sloppiness is what its manual asks for with precompiled headers.
find_program(SIZESHEET_CCACHE ccache)
mark_as_advanced(SIZESHEET_CCACHE)
if(SIZESHEET_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER
      "${CMAKE_COMMAND}" -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      "${SIZESHEET_CCACHE}")
endif()
