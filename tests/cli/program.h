// SPDX-License-Identifier: Apache-2.0
// The program as a test runs it: arguments and input in, the exit code and both outputs back.
#pragma once

#include <gtest/gtest.h>

#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include "cli/run.h"
#include "support/temp_dir.h"

namespace sizesheet {

/// The project's own catalog.
inline constexpr const char* kCatalog = SIZESHEET_SOURCE_DIR "/catalog";

using Words = std::vector<std::string>;

inline Words with(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// What a run came to. A command called by its function fills what it has of these.
struct Outcome {
  int code = -1;
  std::string out;
  std::string err;

  bool operator==(const Outcome&) const = default;
};

/// How GoogleTest shows one.
inline void PrintTo(const Outcome& outcome, std::ostream* out) {
  *out << outcome.code << "\n" << outcome.out << "\n" << outcome.err;
}

/// Runs the program; `input` is what it reads on stdin.
inline Outcome whole_program(const Words& arguments, const std::string& input = "") {
  std::istringstream in(input);
  std::ostringstream out;
  std::ostringstream err;
  const int code = run(arguments, in, out, err);
  return {code, out.str(), err.str()};
}

/// The same without the command that an error ends with, and without the error as JSON: both have
/// tests of their own. No other command is tried, which takes most of the time of a refusal.
inline Outcome program(const Words& arguments, const std::string& input = "") {
  std::istringstream in(input);
  std::ostringstream out;
  std::ostringstream err;
  const int code = run(arguments, in, out, err, Cure::kLeft);
  Outcome outcome = {code, out.str(), err.str()};
  if (outcome.code != 2) return outcome;
  for (const char* mark : {"try: sizesheet", "an example: sizesheet"}) {
    const std::size_t hint = outcome.err.rfind(mark);
    if (hint != std::string::npos) outcome.err.resize(hint);
  }
  if (outcome.out.starts_with("{\"error\":")) outcome.out.clear();
  return outcome;
}

/// `text` without any `part`: for paths of folders whose names are made up anew for each test.
inline std::string without(std::string text, const std::string& part) {
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part)) {
    text.erase(at, part.size());
  }
  return text;
}

/// A test with a folder of its own.
class InFolder : public testing::Test {
 protected:
  std::string at(const std::string& name) const { return (dir_.path() / name).string(); }

  /// The program; paths in what it says begin in the folder.
  Outcome told(const Words& words, const std::string& input = "") const {
    const Outcome outcome = program(words, input);
    return {outcome.code, without(outcome.out, at("")), without(outcome.err, at(""))};
  }

  TempDir dir_;
};

}  // namespace sizesheet
