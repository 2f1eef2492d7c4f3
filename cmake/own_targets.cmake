# SPDX-License-Identifier: Apache-2.0
# What every target of ours has in common.

# Same figures on every x86-64 machine: no fused multiply-add, never -march=native.
# Some warnings are off because g++ 12 gives them falsely once it optimises: those on string copies for
# "text" + std::string (GCC bugs 105651, 105329), -Wmaybe-uninitialized for std::optional (80635). The
# sanitizer build looks for what they are meant to find.
function(own_target target)
  target_include_directories(${target} PUBLIC "${PROJECT_SOURCE_DIR}/generator")
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wshadow -Wconversion -Werror
    -Wno-restrict -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread
    -Wno-maybe-uninitialized
    -ffp-contract=off)
endfunction()

# Precompiled headers, unless switched off (clang-tidy cannot read those of g++).
function(precompile target)
  if(SIZESHEET_PCH)
    target_precompile_headers(${target} PRIVATE ${ARGN})
    target_compile_options(${target} PRIVATE -fpch-preprocess)  # for ccache
  endif()
endfunction()
