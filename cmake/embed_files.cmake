# SPDX-License-Identifier: Apache-2.0
# Writes OUTPUT, a C++ file that defines FUNCTION of HEADER: path -> content for every file below
# DIRECTORY, or those whose name is one of NAMES. Content is written byte by byte as \x escapes, so it may hold anything, and in short
# pieces, so it may be of any length.
#   cmake -DDIRECTORY=templates -DFUNCTION=embedded_templates -DHEADER=a/b.h -DOUTPUT=templates.cc -P embed_files.cmake
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

if(NOT NAMES)
  set(NAMES "*")
endif()
list(TRANSFORM NAMES PREPEND "${DIRECTORY}/")
file(GLOB_RECURSE files LIST_DIRECTORIES false RELATIVE "${DIRECTORY}" ${NAMES})
list(SORT files)
set(entries "")
foreach(name IN LISTS files)
  file(SIZE "${DIRECTORY}/${name}" size)
  byte_literals("${DIRECTORY}/${name}" literals)
  string(APPEND entries "      {\"${name}\", std::string(${literals},\n       ${size})},\n")
endforeach()

file(WRITE "${OUTPUT}" "\
// SPDX-License-Identifier: Apache-2.0
// Written by cmake/embed_files.cmake; do not edit.
#include \"${HEADER}\"

namespace sizesheet {

const std::map<std::string, std::string>& ${FUNCTION}() {
  static const std::map<std::string, std::string> all = {
${entries}  };
  return all;
}

}  // namespace sizesheet
")
