# SPDX-License-Identifier: Apache-2.0
# Everything we did not write, as imported targets: their headers are system headers to our warnings.
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(fmt 9 REQUIRED)
find_package(simdjson REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(CLI11 2 REQUIRED)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
find_package(ICU REQUIRED COMPONENTS uc)
find_package(Boost 1.77 CONFIG REQUIRED)
pkg_check_modules(qrcodegencpp REQUIRED IMPORTED_TARGET qrcodegencpp)
pkg_check_modules(libpng REQUIRED IMPORTED_TARGET libpng)
pkg_check_modules(harfbuzz_subset REQUIRED IMPORTED_TARGET harfbuzz-subset)

# third_party::NAME of what has no description for CMake or pkg-config that can be used: a header and a library. That of
# libxlsxwriter asks on Debian 13 for a package that its own does not bring.
function(plain_library name header)
  string(TOUPPER "${name}" prefix)
  find_path(${prefix}_INCLUDE_DIR "${header}" REQUIRED)
  find_library(${prefix}_LIBRARY "${name}" REQUIRED)
  mark_as_advanced(${prefix}_INCLUDE_DIR ${prefix}_LIBRARY)
  add_library(third_party::${name} INTERFACE IMPORTED)
  target_include_directories(third_party::${name} SYSTEM INTERFACE "${${prefix}_INCLUDE_DIR}")
  target_link_libraries(third_party::${name} INTERFACE "${${prefix}_LIBRARY}")
endfunction()
plain_library(hpdf hpdf.h)
plain_library(csv csv.h)
plain_library(xlsxwriter xlsxwriter.h)
# Only their interfaces of C are used: their descriptions would link all that they themselves stand on as well.
plain_library(CbcSolver coin/Cbc_C_Interface.h)
plain_library(Clp coin/Clp_C_Interface.h)

# Mustache is one header.
find_path(MUSTACHE_INCLUDE_DIR kainjow/mustache.hpp REQUIRED)
mark_as_advanced(MUSTACHE_INCLUDE_DIR)
add_library(third_party::mustache INTERFACE IMPORTED)
target_include_directories(third_party::mustache SYSTEM INTERFACE "${MUSTACHE_INCLUDE_DIR}")
