// SPDX-License-Identifier: Apache-2.0
// See source_scan.h.
#include "build/source_scan.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <regex>
#include <sstream>

namespace sizesheet {
namespace {

/// Walks over the text once, copying code and blanking the rest.
class Blanker {
 public:
  explicit Blanker(const std::string& text) : text_(text) {}

  std::string run() {
    while (at_ < text_.size()) step();
    return out_;
  }

 private:
  bool starts(const std::string& what) const { return text_.compare(at_, what.size(), what) == 0; }

  void copy() { out_ += text_[at_++]; }

  void blank(std::size_t end) {
    for (; at_ < std::min(end, text_.size()); ++at_) out_ += text_[at_] == '\n' ? '\n' : ' ';
  }

  bool after_word() const {
    return at_ > 0 && (std::isalnum(static_cast<unsigned char>(text_[at_ - 1])) != 0);
  }

  void step() {
    if (starts("//")) {
      blank(text_.find('\n', at_));
    } else if (starts("/*")) {
      const std::size_t end = text_.find("*/", at_ + 2);
      blank(end == std::string::npos ? end : end + 2);
    } else if (starts("R\"")) {
      raw_string();
    } else if (text_[at_] == '"' || (text_[at_] == '\'' && !after_word())) {
      quoted(text_[at_]);
    } else {
      copy();
    }
  }

  void raw_string() {
    const std::size_t open = text_.find('(', at_);
    const std::string close = ")" + text_.substr(at_ + 2, open - at_ - 2) + "\"";
    const std::size_t end = text_.find(close, open);
    blank(end == std::string::npos ? end : end + close.size());
  }

  void quoted(char mark) {
    std::size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != mark) end += text_[end] == '\\' ? 2 : 1;
    blank(end + 1);
  }

  const std::string& text_;
  std::size_t at_ = 0;
  std::string out_;
};

std::string read_all(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

std::vector<std::string> split_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// Whether the brace that follows `head` (the code since the last ; { or }) opens a function body.
bool opens_body(const std::string& head) {
  // A macro in front of a type ends in no semicolon.
  static const std::regex not_a_body(
      R"(^\s*(class|struct|enum|union|namespace|extern)\b|\b(class|struct)\s+\w+[^()]*$)");
  return head.find('(') != std::string::npos && !std::regex_search(head, not_a_body);
}

}  // namespace

std::vector<SourceFile> source_files(const std::filesystem::path& root,
                                     const std::string& directory) {
  std::vector<SourceFile> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root / directory)) {
    const std::string extension = entry.path().extension().string();
    if (!entry.is_regular_file() || (extension != ".h" && extension != ".cc")) continue;
    files.push_back({entry.path().lexically_relative(root).generic_string(),
                     split_lines(read_all(entry.path()))});
  }
  std::sort(files.begin(), files.end(),
            [](const SourceFile& a, const SourceFile& b) { return a.path < b.path; });
  return files;
}

std::string code_only(const std::string& text) { return Blanker(text).run(); }

std::vector<FunctionLength> function_lengths(const std::string& text) {
  std::vector<FunctionLength> found;
  std::string head;  // code since the last ; { or } outside bodies
  std::int64_t line = 1;
  std::int64_t depth = 0;  // braces open inside the present body, 0 outside of one
  for (const char c : code_only(text)) {
    line += c == '\n' ? 1 : 0;
    if (depth > 0) {
      depth += c == '{' ? 1 : c == '}' ? -1 : 0;
      if (depth == 0) found.back().lines = line - found.back().line + 1;
    } else if (c == '{' && opens_body(head)) {
      found.push_back({line, 0});
      depth = 1;
    }
    if (c == '{' || c == '}' || c == ';') {
      head.clear();
    } else {
      head += c;
    }
  }
  return found;
}

std::vector<std::string> quoted_includes(const SourceFile& file) {
  static const std::regex include(R"(^\s*#\s*include\s+"([^"]+)\")");
  std::vector<std::string> names;
  for (const std::string& line : file.lines) {
    std::smatch match;
    if (std::regex_search(line, match, include)) names.push_back(match[1]);
  }
  return names;
}

}  // namespace sizesheet
