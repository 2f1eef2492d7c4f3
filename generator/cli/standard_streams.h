// SPDX-License-Identifier: Apache-2.0
// The three streams a program is started with, made safe to use whatever the caller did to them.
#pragma once

#include <iosfwd>

namespace sizesheet {

/// A reader that went away, or a limit on the size of files, makes a write fail instead of ending
/// the program, and a stream that was closed stays unusable instead of becoming the number of the
/// next file that is opened.
void secure_standard_streams();

/// True when `out` is stdout and whoever read it has gone, as `head` does when it has enough.
bool reader_is_gone(const std::ostream& out);

}  // namespace sizesheet
