# SPDX-License-Identifier: Apache-2.0
# Writes OUTPUT, a C++ file that defines FUNCTION of HEADER: path -> content for every file below
# DIRECTORY, or those whose name is one of NAMES. The assembler reads the files as they are, so they may hold anything and be of
# any length.
#   cmake -DDIRECTORY=templates -DFUNCTION=embedded_templates -DHEADER=a/b.h -DOUTPUT=templates.cc -P embed_files.cmake
cmake_minimum_required(VERSION 3.25)

if(NOT NAMES)
  set(NAMES "*")
endif()
list(TRANSFORM NAMES PREPEND "${DIRECTORY}/")
file(GLOB_RECURSE files LIST_DIRECTORIES false RELATIVE "${DIRECTORY}" ${NAMES})
list(SORT files)
set(contents "")
set(entries "")
set(begin 0)
foreach(name IN LISTS files)
  file(SIZE "${DIRECTORY}/${name}" size)
  string(APPEND contents "    \".incbin \\\"${DIRECTORY}/${name}\\\"\\n\"\n")
  string(APPEND entries "      {\"${name}\", {${FUNCTION}_bytes + ${begin}, ${size}}},\n")
  math(EXPR begin "${begin} + ${size}")
endforeach()

file(WRITE "${OUTPUT}" "\
// SPDX-License-Identifier: Apache-2.0
// Written by cmake/embed_files.cmake; do not edit.
#include \"${HEADER}\"

asm(\".section .rodata\\n\"
    \"${FUNCTION}_bytes:\\n\"
${contents}    \".text\\n\");

extern \"C\" const char ${FUNCTION}_bytes[];

namespace sizesheet {

const std::map<std::string, std::string_view>& ${FUNCTION}() {
  static const std::map<std::string, std::string_view> all = {
${entries}  };
  return all;
}

}  // namespace sizesheet
")
