// SPDX-License-Identifier: Apache-2.0
// sizesheet: GPU sizing sheets for fine-tuning. Everything happens in cli/run.cc.
#include <iostream>
#include <string>
#include <vector>

#include "cli/run.h"
#include "support/durable.h"

namespace {

/// Before anything of ours is made: want of memory is told there as well.
[[gnu::constructor(101)]] void be_ready() { std::set_terminate(sizesheet::end_without_unwinding); }

}  // namespace

int main(int argc, char** argv) {
  sizesheet::secure_standard_streams();
  sizesheet::watch_for_ends();       // before any thread starts
  std::ios::sync_with_stdio(false);  // nothing else reads or writes them: no byte by byte
  // A note written on one thread would write out what another is just putting there.
  std::cerr.tie(nullptr);
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  return sizesheet::run(arguments, std::cin, std::cout, std::cerr);
}
