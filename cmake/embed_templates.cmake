# SPDX-License-Identifier: Apache-2.0
# Writes OUTPUT, a C++ file that defines embedded_templates(): file name -> content for every file of
# DIRECTORY. Content is written byte by byte as \x escapes, so it may hold anything, and in short
# pieces, so it may be of any length.
#   cmake -DDIRECTORY=templates -DOUTPUT=templates.cc -P embed_templates.cmake
cmake_minimum_required(VERSION 3.25)

function(byte_literals file result)
  file(READ "${file}" hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "\\\\x\\1" escaped "${hex}")
  string(LENGTH "${escaped}" length)
  set(lines "")
  set(offset 0)
  while(offset LESS length)
    string(SUBSTRING "${escaped}" ${offset} 2048 piece)  # 4 characters a byte: never cuts one
    string(APPEND lines "\n       \"${piece}\"")
    math(EXPR offset "${offset} + 2048")
  endwhile()
  if(lines STREQUAL "")
    set(lines "\"\"")
  endif()
  set(${result} "${lines}" PARENT_SCOPE)
endfunction()

file(GLOB files LIST_DIRECTORIES false "${DIRECTORY}/*")
list(SORT files)
set(entries "")
foreach(file IN LISTS files)
  get_filename_component(name "${file}" NAME)
  file(SIZE "${file}" size)
  byte_literals("${file}" literals)
  string(APPEND entries "      {\"${name}\", std::string(${literals},\n       ${size})},\n")
endforeach()

file(WRITE "${OUTPUT}" "\
// SPDX-License-Identifier: Apache-2.0
// Written by cmake/embed_templates.cmake from templates/; do not edit.
#include \"render/html/templates/templates.h\"

namespace sizesheet {

const std::map<std::string, std::string>& embedded_templates() {
  static const std::map<std::string, std::string> all = {
${entries}  };
  return all;
}

}  // namespace sizesheet
")
