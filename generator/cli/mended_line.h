// SPDX-License-Identifier: Apache-2.0
// The command that says what a refused line meant.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace sizesheet {

/// A command that works in the place of one that was refused.
struct MendedLine {
  std::string line;                        ///< "" where none was found
  std::vector<std::string> left_out = {};  ///< of what was said, in the words of whoever said it
  std::vector<std::string> notes = {};     ///< what it takes words for
  std::string command = {};                ///< that the line is of
  bool example = false;                    ///< the line answers another question
};

/// Whether a line gives an answer, be it no.
using LineTrial = std::function<bool(const std::vector<std::string>&)>;

/// Whether a command is asked in words alone, so that other words may mend an error: files, whose
/// faults have a place of their own, are read by the others.
bool asks_in_words(const std::string& command);

/// A line that says what was meant in the words of whoever asked. What keeps every word comes
/// first: a name spelled right, then all words in the order of ours, then a line without some.
/// `command` is the one that `arguments` name, `error` says why they were refused, `option` is the
/// one that is meant or "".
MendedLine mended_line(const std::vector<std::string>& arguments, const std::string& command,
                       const std::string& error, const std::string& option, const LineTrial& works);

}  // namespace sizesheet
