# SPDX-License-Identifier: Apache-2.0
# Templates and catalog are compiled in, so that the program runs alone.
function(embed target directory function header)
  file(GLOB_RECURSE inputs CONFIGURE_DEPENDS "${directory}/*")
  set(script "${PROJECT_SOURCE_DIR}/cmake/embed_files.cmake")
  set(output "${PROJECT_BINARY_DIR}/generated/${function}.cc")
  # A file that is gone makes nothing newer: the list of names is an input as well.
  set(names "${PROJECT_BINARY_DIR}/generated/${function}.txt")
  file(CONFIGURE OUTPUT "${names}" CONTENT "${inputs}")
  add_custom_command(
    OUTPUT "${output}"
    COMMAND "${CMAKE_COMMAND}" "-DDIRECTORY=${directory}" "-DFUNCTION=${function}" "-DHEADER=${header}"
            "-DOUTPUT=${output}" -P "${script}"
    DEPENDS ${inputs} "${names}" "${script}"
    COMMENT "Embedding ${directory}"
    VERBATIM)
  target_sources(${target} PRIVATE "${output}")
endfunction()
