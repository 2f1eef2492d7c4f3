# SPDX-License-Identifier: Apache-2.0
# One binary of unit tests, one of benchmarks, and the tests that run the program as a user would.
find_package(GTest REQUIRED)
find_package(benchmark REQUIRED)
find_package(valijson REQUIRED)

file(GLOB_RECURSE test_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/*.cc")
file(GLOB_RECURSE bench_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/bench/*.cc")
list(FILTER test_sources EXCLUDE REGEX "/tests/(bench|browser/node_modules)/|/fuzz_main.cc$")

add_executable(sizesheet_tests EXCLUDE_FROM_ALL ${test_sources})
own_target(sizesheet_tests)
# What is tested is optimised, and watched by sanitizers where they are on; the tests are not: they compile in a third of
# the time. The library is linked before them, so that of a template that both have compiled, the library's is taken.
target_compile_options(sizesheet_tests PRIVATE -O0 -U_FORTIFY_SOURCE -fno-sanitize=all)
target_link_options(sizesheet_tests PRIVATE
  "SHELL:-Wl,--whole-archive $<TARGET_FILE:sizesheet_lib> -Wl,--no-whole-archive")
# Some tests run the program. As a dependency of the target it would keep every source waiting.
set_target_properties(sizesheet_tests PROPERTIES LINK_DEPENDS "${PROJECT_BINARY_DIR}/sizesheet")
target_include_directories(sizesheet_tests PRIVATE "${PROJECT_SOURCE_DIR}/tests"
                                                   "${PROJECT_SOURCE_DIR}")
target_compile_definitions(sizesheet_tests PRIVATE
  SIZESHEET_VERSION="${PROJECT_VERSION}"
  SIZESHEET_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
  SIZESHEET_PROGRAM="$<TARGET_FILE:sizesheet>")
target_link_libraries(sizesheet_tests PRIVATE
  sizesheet_lib GTest::gtest GTest::gtest_main valijson OpenSSL::Crypto
  third_party::hpdf third_party::mustache)
precompile(sizesheet_tests <algorithm> <cstdint> <map> <optional> <sstream> <string> <vector>
           <gtest/gtest.h> <nlohmann/json.hpp> ${own_headers})
compile_together(sizesheet_tests ${test_sources})

if(bench_sources)
  add_executable(sizesheet_bench EXCLUDE_FROM_ALL ${bench_sources}
                 "${PROJECT_SOURCE_DIR}/tests/sizing/random_request.cc"
                 "${PROJECT_SOURCE_DIR}/tests/support/project_catalog.cc")
  own_target(sizesheet_bench)
  target_include_directories(sizesheet_bench PRIVATE "${PROJECT_SOURCE_DIR}/tests")
  target_compile_definitions(sizesheet_bench PRIVATE SIZESHEET_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_link_libraries(sizesheet_bench PRIVATE sizesheet_lib benchmark::benchmark_main)
  compile_together(sizesheet_bench ${bench_sources})
endif()

# The fuzzer's targets behind libFuzzer's entry. The unit tests feed the same targets their corpora.
if(SIZESHEET_FUZZ)
  file(GLOB fuzz_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/fuzz/*.cc"
                                           "${PROJECT_SOURCE_DIR}/tests/render/sample_*.cc")
  list(FILTER fuzz_sources EXCLUDE REGEX "_test.cc$")
  add_executable(sizesheet_fuzz EXCLUDE_FROM_ALL ${fuzz_sources}
                 "${PROJECT_SOURCE_DIR}/tests/config/config_cases.cc"
                 "${PROJECT_SOURCE_DIR}/tests/sheet/quarterly.cc"
                 "${PROJECT_SOURCE_DIR}/tests/support/project_catalog.cc")
  own_target(sizesheet_fuzz)
  target_include_directories(sizesheet_fuzz PRIVATE "${PROJECT_SOURCE_DIR}/tests")
  target_compile_definitions(sizesheet_fuzz PRIVATE SIZESHEET_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_link_libraries(sizesheet_fuzz PRIVATE sizesheet_lib third_party::hpdf
                                               third_party::mustache)
  target_link_options(sizesheet_fuzz PRIVATE -fsanitize=fuzzer)
endif()

# Two CTest entries for the unit tests, each half of the cases, so that two cores have work. A process
# for each case would load the catalog hundreds of times.
foreach(half 0 1)
  add_test(NAME unit-${half} COMMAND sizesheet_tests --gtest_brief=1
           WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  set_tests_properties(unit-${half} PROPERTIES
    TIMEOUT 3600
    ENVIRONMENT "GTEST_TOTAL_SHARDS=2;GTEST_SHARD_INDEX=${half}")
endforeach()

# A test that is a script: script_test(NAME COMMAND…), run from the source directory.
function(script_test name)
  add_test(NAME ${name} COMMAND ${ARGN} WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  set_tests_properties(${name} PROPERTIES TIMEOUT 1800)
endfunction()

if(SIZESHEET_SCRIPT_TESTS)
  script_test(house python3 tests/build/house.py .)
  # The list alone: tests/mutants/run.py takes hours.
  script_test(mutants python3 tests/mutants/check.py)
  set(program "$<TARGET_FILE:sizesheet>")
  set(edition "${PROJECT_BINARY_DIR}/edition")

  # The edition that the next tests look at, built once.
  script_test(edition bash tests/build/fresh_edition.sh "${program}" "${edition}")
  script_test(changed-edition bash tests/build/changed_edition.sh "${program}" "${edition}-changed")
  script_test(browser node tests/browser/run.mjs "${edition}" "${edition}-changed" "${program}")
  script_test(pdf bash tests/pdf/check_pdf.sh "${edition}")
  script_test(xlsx bash tests/xlsx/check_xlsx.sh "${program}" "${edition}")
  script_test(numbers python3 tests/numbers/page_numbers.py "${edition}" templates)
  script_test(advice-word python3 tests/numbers/advice_word.py "${edition}")
  script_test(contradictions python3 tests/numbers/agree.py "${edition}" --planted)
  script_test(headline python3 tests/numbers/headline.py "${edition}")
  script_test(numbers-changed python3 tests/numbers/page_numbers.py "${edition}-changed" templates)
  script_test(numbers-altered python3 tests/numbers/alter.py "${edition}" templates)
  script_test(other-currency bash tests/build/other_currency.sh "${program}" "${edition}" "${edition}-euros")
  script_test(committed bash tests/build/committed.sh "${edition}")
  script_test(agree python3 tests/build/agree.py "${program}" catalog "${edition}" --every 5)
  script_test(reproducible bash tests/build/reproducible.sh "${program}" "${edition}")
  set_tests_properties(edition PROPERTIES FIXTURES_SETUP edition)
  set_tests_properties(changed-edition PROPERTIES FIXTURES_SETUP changed-edition)
  set_tests_properties(browser advice-word headline numbers other-currency numbers-altered pdf xlsx committed reproducible
                       agree contradictions PROPERTIES FIXTURES_REQUIRED edition)
  set_tests_properties(numbers-changed PROPERTIES FIXTURES_REQUIRED changed-edition)
  set_property(TEST browser APPEND PROPERTY FIXTURES_REQUIRED changed-edition)
  set_tests_properties(browser PROPERTIES TIMEOUT 3600)  # it looks at every page in every form

  script_test(calculator-near node tests/calculator/near_test.mjs)

  # The calculator's engine, which `make test` builds before this is configured.
  set(engine "${PROJECT_SOURCE_DIR}/build/calculator/calculator.js")
  if(EXISTS "${engine}")
    script_test(calculator node tests/calculator/equal.mjs "${program}" "${engine}" catalog 10000)
    script_test(calculator-page bash tests/calculator/page.sh "${program}" "${engine}" "${edition}-calculator")
  endif()

  # Stands between the program and the C library, and lets calls fail.
  enable_language(C)
  add_library(fault_shim MODULE EXCLUDE_FROM_ALL tests/reliability/fault_shim.c)
  target_compile_options(fault_shim PRIVATE -std=c11 -Wall -Wextra -Werror)
  script_test(faults python3 tests/reliability/faults.py "${program}" "$<TARGET_FILE:fault_shim>"
              catalog --every 24 --kills 20)
  script_test(surroundings python3 tests/reliability/surroundings.py "${program}" catalog)
  script_test(interruptions python3 tests/reliability/interruptions.py "${program}" catalog)
  script_test(shortages python3 tests/reliability/shortages.py "${program}" catalog)

  # Inputs that nobody means well with. --every N takes each Nth of thousands; all of them take minutes.
  set(hostile tests/reliability/hostile)
  script_test(hostile-catalog python3 ${hostile}_catalog.py "${program}" catalog --every 100)
  script_test(hostile-files python3 ${hostile}_files.py "${program}" catalog --every 240)
  script_test(hostile-requests python3 ${hostile}_requests.py "${program}" catalog)
  script_test(hostile-arguments python3 ${hostile}_arguments.py "${program}" catalog)
  script_test(hostile-situations python3 ${hostile}_situations.py "${program}" catalog)
  script_test(findings python3 tests/reliability/findings.py "${program}" catalog --shim "$<TARGET_FILE:fault_shim>")
  script_test(limits python3 tests/reliability/limits.py "${program}" catalog)
  script_test(hostile-json python3 ${hostile}_json.py "${program}" catalog)

  script_test(every-edition python3 tests/build/every_edition.py "${program}" catalog)
  script_test(array-jobs bash tests/build/array_jobs.sh "${program}")
  script_test(whole-catalog bash tests/build/whole_catalog.sh "${program}" "${edition}-whole")

  script_test(docs bash tests/docs/run_blocks.sh "${program}")
  script_test(measure-script python3 tests/docs/measure_script.py "${program}")
  script_test(workflow python3 tests/docs/check_workflow.py docs/ci "${program}")
  script_test(places python3 tests/docs/check_places.py)
  script_test(prose python3 tests/docs/prose.py)
  script_test(dependencies python3 tests/docs/check_dependencies.py)
  script_test(reliability-counts python3 tests/reliability/results.py check)
  script_test(performance-figures python3 tests/bench/figures.py check)
  script_test(peer-figures python3 tests/bench/peers.py check)
  script_test(hardening bash tests/build/hardening.sh "${program}")
  script_test(links bash tests/docs/check_links.sh)
  script_test(picture python3 tests/docs/picture.py check output/sheet.pdf docs/sheet.png)
  script_test(traces bash tests/build/no_traces.sh)
  script_test(install bash tests/build/install.sh)
  script_test(installed bash tests/build/installed.sh "${CMAKE_COMMAND}" "${PROJECT_BINARY_DIR}")
  script_test(embed bash tests/build/embed.sh "${CMAKE_COMMAND}" "${CMAKE_CXX_COMPILER}")
  script_test(format bash tools/format.sh --check)
  script_test(tidy bash tools/tidy.sh)
  script_test(one-entry python3 tests/build/one_entry.py .)
  # They use all cores themselves, and from nothing they take minutes.
  set_tests_properties(tidy one-entry PROPERTIES PROCESSORS 2)
endif()
