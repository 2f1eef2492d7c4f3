# SPDX-License-Identifier: Apache-2.0
# Everything we did not write, as imported targets: their headers are system headers to our warnings.
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(fmt 9 REQUIRED)
find_package(CLI11 2 REQUIRED)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)
find_package(GTest REQUIRED)
find_package(benchmark REQUIRED)
find_package(valijson REQUIRED)
pkg_check_modules(qrcodegencpp REQUIRED IMPORTED_TARGET qrcodegencpp)
pkg_check_modules(harfbuzz_subset REQUIRED IMPORTED_TARGET harfbuzz-subset)
pkg_check_modules(xlsxwriter REQUIRED IMPORTED_TARGET xlsxwriter)

# libharu comes without a description for CMake or pkg-config.
find_path(HPDF_INCLUDE_DIR hpdf.h REQUIRED)
find_library(HPDF_LIBRARY hpdf REQUIRED)
add_library(third_party::hpdf INTERFACE IMPORTED)
target_include_directories(third_party::hpdf SYSTEM INTERFACE "${HPDF_INCLUDE_DIR}")
target_link_libraries(third_party::hpdf INTERFACE "${HPDF_LIBRARY}")

# So does mustache, which is one header.
find_path(MUSTACHE_INCLUDE_DIR kainjow/mustache.hpp REQUIRED)
add_library(third_party::mustache INTERFACE IMPORTED)
target_include_directories(third_party::mustache SYSTEM INTERFACE "${MUSTACHE_INCLUDE_DIR}")
# And libcsv.
find_path(CSV_INCLUDE_DIR csv.h REQUIRED)
find_library(CSV_LIBRARY csv REQUIRED)
add_library(third_party::csv INTERFACE IMPORTED)
target_include_directories(third_party::csv SYSTEM INTERFACE "${CSV_INCLUDE_DIR}")
target_link_libraries(third_party::csv INTERFACE "${CSV_LIBRARY}")
mark_as_advanced(CSV_INCLUDE_DIR CSV_LIBRARY)
mark_as_advanced(HPDF_INCLUDE_DIR HPDF_LIBRARY MUSTACHE_INCLUDE_DIR)
