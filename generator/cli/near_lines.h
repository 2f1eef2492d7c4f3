// SPDX-License-Identifier: Apache-2.0
// Command lines near one that was refused, in the words of whoever typed it.
#pragma once

#include <string>
#include <vector>

namespace sizesheet {

/// Lines that keep every word but the one that `error` names, the nearest first: with the name that
/// the error suggests, with the option that is meant, `option`, with a value that works, without
/// the word.
std::vector<std::vector<std::string>> near_lines(const std::vector<std::string>& arguments,
                                                 const std::string& error,
                                                 const std::string& option);

}  // namespace sizesheet
