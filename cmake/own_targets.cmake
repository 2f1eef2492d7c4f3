# SPDX-License-Identifier: Apache-2.0
# What every target of ours has in common.

# Some warnings are off because g++ 12 gives them falsely once it optimises: those on string copies for
# "text" + std::string (GCC bugs 105651, 105329), -Wmaybe-uninitialized for std::optional (80635). From g++ 13 on
# -Wdangling-reference takes a reference into one argument for one into a temporary key beside it (110358). The
# sanitizer build looks for what they are meant to find.
set(false_warnings_off -Wno-restrict -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread
                       -Wno-maybe-uninitialized -Wno-dangling-reference)

# What Debian hardens its own packages with, as far as the compiler knows it (-fcf-protection is of x86-64 alone), and
# the library's own checks of bounds. Debian's compilers make what they link position independent. Sanitizer builds have
# more and go without.
include(CheckCXXCompilerFlag)
set(hardened -D_FORTIFY_SOURCE=2 -D_GLIBCXX_ASSERTIONS)
foreach(flag -fstack-protector-strong -fstack-clash-protection -fcf-protection)
  string(MAKE_C_IDENTIFIER "known${flag}" known)
  check_cxx_compiler_flag(${flag} ${known})
  if(${known})
    list(APPEND hardened ${flag})
  endif()
endforeach()

# Same figures on every x86-64 machine: no fused multiply-add, never -march=native.
function(own_target target)
  target_include_directories(${target} PUBLIC "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/generator>")
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wshadow -Wconversion -ffp-contract=off
    "$<$<CXX_COMPILER_ID:GNU>:${false_warnings_off}>"
    "$<$<CONFIG:Release>:${hardened}>")
  target_link_options(${target} PRIVATE LINKER:-z,relro,-z,now,-z,noexecstack)
endfunction()

# Precompiled headers, unless switched off (clang-tidy cannot read those of g++).
function(precompile target)
  if(SIZESHEET_PCH)
    target_precompile_headers(${target} PRIVATE ${ARGN})
    target_compile_options(${target} PRIVATE
      $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)  # for ccache
  endif()
endfunction()

# Sources of one folder are compiled as one: the large headers are parsed and their templates compiled once for all of
# them. Builds that nobody waits for after each change take whole rooms. Names in the anonymous namespaces of a room
# differ for that.
function(compile_together target)
  if(NOT SIZESHEET_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  foreach(source ${ARGN})
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY "${PROJECT_SOURCE_DIR}")
    if(SIZESHEET_UNITY STREQUAL ROOM)
      string(REGEX REPLACE "(generator/[^/]+)/.*" "\\1" folder "${folder}")
    endif()
    string(MAKE_C_IDENTIFIER "${folder}" folder)
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${folder}")
  endforeach()
endfunction()
