# SPDX-License-Identifier: Apache-2.0
# The templates are compiled in, so that the program runs alone.
function(embed_templates target directory)
  file(GLOB inputs CONFIGURE_DEPENDS "${directory}/*")
  set(script "${PROJECT_SOURCE_DIR}/cmake/embed_templates.cmake")
  set(output "${PROJECT_BINARY_DIR}/generated/templates.cc")
  add_custom_command(
    OUTPUT "${output}"
    COMMAND "${CMAKE_COMMAND}" "-DDIRECTORY=${directory}" "-DOUTPUT=${output}" -P "${script}"
    DEPENDS ${inputs} "${script}"
    COMMENT "Embedding templates"
    VERBATIM)
  target_sources(${target} PRIVATE "${output}")
endfunction()
