// SPDX-License-Identifier: Apache-2.0
// `sizesheet verify`: is a folder a whole edition, and what this program writes from its own
// sheet.json? Reads only.
#pragma once

#include <iosfwd>
#include <string>

namespace sizesheet {

struct VerifyOptions {
  std::string folder;
  std::string templates;  ///< "" uses the built-in ones
};

/// 0 and one line when whole and equal; else 1 and a line for each file and why. Throws InputError
/// where the answer cannot be known: no edition there, an unreadable sheet.json, another version.
int run_verify(const VerifyOptions& options, std::ostream& out);

}  // namespace sizesheet
