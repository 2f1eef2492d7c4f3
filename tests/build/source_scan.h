// SPDX-License-Identifier: Apache-2.0
// A crude reader of our own C++ sources: enough to measure functions and see what a file includes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace sizesheet {

struct SourceFile {
  std::string path;  ///< relative to the repository, with '/'
  std::vector<std::string> lines;
};

/// All .h and .cc files under `directory` of the repository, sorted by path.
std::vector<SourceFile> source_files(const std::filesystem::path& root,
                                     const std::string& directory);

/// The same text with comments and the insides of string and character literals blanked, so that
/// braces and words in them do not count. Line breaks stay.
std::string code_only(const std::string& text);

struct FunctionLength {
  std::int64_t line = 0;   ///< of the opening brace
  std::int64_t lines = 0;  ///< from that line to the one with the closing brace, both counted
};

/// Every outermost function body: a brace after a parameter list, not inside another body.
std::vector<FunctionLength> function_lengths(const std::string& text);

/// The quoted includes of a file, in order.
std::vector<std::string> quoted_includes(const SourceFile& file);

}  // namespace sizesheet
