# SPDX-License-Identifier: Apache-2.0
# Templates, catalog and what the program quotes of its documents are compiled in, so that it runs alone. With further
# arguments only files of these names.
function(embed target directory function header)
  set(names_in "${ARGN}")
  if(NOT names_in)
    set(names_in "*")
  endif()
  list(TRANSFORM names_in PREPEND "${directory}/" OUTPUT_VARIABLE globs)
  file(GLOB_RECURSE inputs CONFIGURE_DEPENDS ${globs})
  set(script "${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake")
  set(output "${PROJECT_BINARY_DIR}/generated/${function}.cc")
  # A file that is gone makes nothing newer: the list of names is an input as well.
  set(names "${PROJECT_BINARY_DIR}/generated/${function}.txt")
  file(CONFIGURE OUTPUT "${names}" CONTENT "${inputs}")
  add_custom_command(
    OUTPUT "${output}"
    COMMAND "${CMAKE_COMMAND}" "-DDIRECTORY=${directory}" "-DNAMES=${names_in}" "-DFUNCTION=${function}" "-DHEADER=${header}"
            "-DOUTPUT=${output}" -P "${script}"
    DEPENDS ${inputs} "${names}" "${script}"
    COMMENT "Embedding ${directory}"
    VERBATIM)
  target_sources(${target} PRIVATE "${output}")
endfunction()
