// SPDX-License-Identifier: Apache-2.0
// The entry that libFuzzer calls; SIZESHEET_FUZZ names the target.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "fuzz/target.h"
#include "support/project_catalog.h"

namespace {

sizesheet::fuzz::Target chosen() {
  const char* name = std::getenv("SIZESHEET_FUZZ");
  for (const sizesheet::fuzz::NamedTarget& target : sizesheet::fuzz::targets()) {
    if (name && std::strcmp(name, target.name) == 0) return target.run;
    if (!name) std::fprintf(stderr, "SIZESHEET_FUZZ=%s\n", target.name);
  }
  std::fputs("SIZESHEET_FUZZ must name one of the targets\n", stderr);
  std::exit(2);
}

}  // namespace

/// What is loaded once is loaded before the first input is timed.
extern "C" int LLVMFuzzerInitialize(int* /*count*/, char*** /*arguments*/) {
  sizesheet::project_catalog();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const sizesheet::fuzz::Target kTarget = chosen();
  kTarget({reinterpret_cast<const char*>(data), size});
  return 0;
}
