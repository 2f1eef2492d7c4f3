// SPDX-License-Identifier: Apache-2.0
#include "config/text/shell_words.h"

#include <algorithm>

#include "config/text/config_tree.h"
#include "config/text/shell_arithmetic.h"
#include "support/error.h"
#include "support/text.h"

namespace sizesheet {
namespace {

bool is_name(std::string_view text) {
  return !text.empty() && !is_digit(text.front()) &&
         std::ranges::all_of(text, [](char c) { return is_letter_or_digit(c) || c == '_'; });
}

/// "name=", "name+=".
bool is_array_name(std::string_view text) {
  if (!text.ends_with('=')) return false;
  text.remove_suffix(text.ends_with("+=") ? 2 : 1);
  return is_name(text);
}

constexpr std::size_t kMostReferenceBytes = 4096;
constexpr std::string_view kArithmetic = "$((";

/// Letters of the "$(( … ))" that begins the text; 0 where none does, or it is not closed.
std::size_t arithmetic_size(std::string_view text) {
  if (!text.starts_with(kArithmetic)) return 0;
  int depth = 0;
  for (std::size_t at = 1; at < std::min(text.size(), kMostReferenceBytes); ++at) {
    if (text[at] == '(') ++depth;
    if (text[at] != ')') continue;
    if (--depth == 0) return text[at - 1] == ')' ? at + 1 : 0;
  }
  return 0;
}

/// Divides a script into words and commands as a shell does, without running anything.
class ShellWords {
 public:
  ShellWords(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {}

  /// The words of each command; those between two newlines, `;`, `&&` or `|`.
  std::vector<std::vector<CommandWord>> commands() {
    while (at_ < text_.size()) step();
    end_command();
    return std::move(commands_);
  }

 private:
  void step() {
    const char letter = text_[at_];
    if (letter == '\\' && at_ + 1 < text_.size()) return escaped();
    if (letter == '\\') {  // joins the last line with nothing
      ++at_;
      return;
    }
    if (letter == '\'' || letter == '"') return quoted(letter);
    if (text_.substr(at_).starts_with(kArithmetic)) return arithmetic();
    ++at_;
    if (letter == '#' && !in_word_) return skip_line();
    if (letter == '(' && begins_array()) {
      put(letter);
      end_word();
      in_array_ = true;
    } else if (letter == ')' && in_array_) {
      in_array_ = false;
      end_command();
    } else if (letter == '\n') {
      in_array_ ? end_word() : end_command();
      ++line_;
    } else if (letter == ';' || letter == '|' || letter == '&') {
      end_command();
    } else if (letter == ' ' || letter == '\t' || letter == '\r') {
      end_word();
    } else {
      put(letter);
    }
  }

  /// "name=" or "name+=" before a parenthesis.
  bool begins_array() const {
    return in_word_ && !word_.quoted && !in_array_ && words_.empty() && is_array_name(word_.text);
  }

  void escaped() {
    const char next = text_[at_ + 1];
    at_ += 2;
    if (next == '\r' && at_ < text_.size() && text_[at_] == '\n') ++at_;
    if (next == '\n' || next == '\r') {
      ++line_;
      end_word();
    } else {
      put(next);
    }
  }

  /// "$(( … ))" is one word, whatever its blanks.
  void arithmetic() {
    const std::size_t size = arithmetic_size(text_.substr(at_));
    const std::size_t after = at_ + (size == 0 ? 1 : size);
    while (at_ < after) {
      const char letter = text_[at_++];
      if (letter == '\n') ++line_;
      if (letter != ' ' && letter != '\n') put(letter);
    }
  }

  void quoted(char mark) {
    const int begin = line_;
    in_word_ = word_.quoted = true;
    for (++at_; at_ < text_.size() && text_[at_] != mark; ++at_) {
      const bool escape = mark == '"' && text_[at_] == '\\' && at_ + 1 < text_.size();
      if (escape) ++at_;
      if (text_[at_] == '\n') ++line_;
      if (!escape || text_[at_] != '\n') put(text_[at_]);  // both join the lines
    }
    if (at_ >= text_.size()) {
      throw InputError(file_ + ":" + std::to_string(begin) + ": expected a closing " + mark);
    }
    ++at_;
  }

  void put(char letter) {
    if (!in_word_) word_.line = line_;
    in_word_ = true;
    word_.text.push_back(letter);
  }

  void skip_line() {
    while (at_ < text_.size() && text_[at_] != '\n') ++at_;
  }

  void end_word() {
    if (in_word_) words_.push_back(std::exchange(word_, {}));
    in_word_ = false;
  }

  void end_command() {
    end_word();
    if (!words_.empty()) commands_.push_back(std::exchange(words_, {}));
  }

  std::string_view text_;
  std::string file_;
  std::size_t at_ = 0;
  int line_ = 1;
  CommandWord word_;
  bool in_word_ = false;
  bool in_array_ = false;
  std::vector<CommandWord> words_;
  std::vector<std::vector<CommandWord>> commands_;
};

bool is_name_letter(char letter) { return is_letter_or_digit(letter) || letter == '_'; }

/// A variable as a word has it: "$NAME", "${NAME}" or "${NAME:-default}".
struct Reference {
  std::string name;
  std::optional<std::string> by_default;
  std::size_t size = 0;  ///< letters, with the dollar sign
};

constexpr int kMostReferenceDepth = 8;

/// Where the brace that opens at `open` is closed; npos where that is too far, too deep or nowhere.
std::size_t closing_brace(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t at = open; at < std::min(text.size(), kMostReferenceBytes); ++at) {
    if (text[at] == '{' && ++depth > kMostReferenceDepth) break;
    if (text[at] == '}' && --depth == 0) return at;
  }
  return std::string_view::npos;
}

std::optional<Reference> braced_reference(std::string_view text) {
  const std::size_t end = closing_brace(text, 1);
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view inside = text.substr(2, end - 2);
  const std::size_t name_end =
      static_cast<std::size_t>(std::ranges::find_if_not(inside, is_name_letter) - inside.begin());
  const std::string name(inside.substr(0, name_end));
  const bool positional = !name.empty() && std::ranges::all_of(name, is_digit);  // ${1:-default}
  if (!is_name(name) && !positional) return std::nullopt;
  const std::string_view rest = inside.substr(name_end);
  if (rest.empty()) return Reference{name, std::nullopt, end + 1};
  for (const std::string_view mark : {":-", ":=", "-", "="}) {
    if (rest.starts_with(mark)) {
      return Reference{name, std::string(rest.substr(mark.size())), end + 1};
    }
  }
  return std::nullopt;
}

/// The reference at the beginning of the text, which is a dollar sign.
std::optional<Reference> reference_at(std::string_view text) {
  if (text.size() > 1 && text[1] == '{') return braced_reference(text);
  std::size_t end = 1;
  while (end < text.size() && is_name_letter(text[end])) ++end;
  const std::string name(text.substr(1, end - 1));
  if (!is_name(name)) return std::nullopt;
  return Reference{name, std::nullopt, end};
}

}  // namespace

std::vector<std::vector<CommandWord>> shell_commands(std::string_view text,
                                                     const std::string& file) {
  return ShellWords(text, file).commands();
}

std::optional<std::pair<std::string, std::string>> assignment(const std::string& word) {
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos || !is_name(word.substr(0, equals))) return std::nullopt;
  return std::pair(word.substr(0, equals), word.substr(equals + 1));
}

std::string variable_meant(const std::string& word) {
  if (word.size() < 2 || word.front() != '$') return "";
  const bool braced = word[1] == '{' && word.back() == '}';
  const std::string name = braced ? word.substr(2, word.size() - 3) : word.substr(1);
  return is_name(name) ? name : "";
}

std::optional<std::string> array_meant(const std::string& word) {
  for (const std::string_view end : {"[@]}", "[*]}"}) {
    if (!word.starts_with("${") || !word.ends_with(end)) continue;
    const std::string name = word.substr(2, word.size() - 2 - end.size());
    if (is_name(name)) return name;
  }
  return std::nullopt;
}

std::pair<std::int64_t, std::size_t> ShellVariables::worked_out(std::string_view text) const {
  const std::size_t size = arithmetic_size(text);
  if (size == 0) return {0, 0};
  const auto inside = text.substr(kArithmetic.size(), size - kArithmetic.size() - 2);
  const auto result = shell_arithmetic(inside, values_);
  return result ? std::pair(*result, size) : std::pair(std::int64_t{0}, std::size_t{0});
}

std::string ShellVariables::put_in(std::string_view word,
                                   std::vector<std::string>& defaults) const {
  std::string whole;
  for (std::size_t at = 0; at < word.size() && whole.size() < kMostConfigBytes;) {
    if (const auto [result, size] = worked_out(word.substr(at)); size > 0) {
      whole += std::to_string(result);
      at += size;
      continue;
    }
    const auto reference = word[at] == '$' ? reference_at(word.substr(at)) : std::nullopt;
    if (!reference) {
      whole.push_back(word[at++]);
      continue;
    }
    const auto known = values_.find(reference->name);
    if (known != values_.end()) {
      whole += known->second;
    } else if (reference->by_default) {
      defaults.push_back(reference->name);
      whole += put_in(*reference->by_default, defaults);
    } else {
      whole += word.substr(at, reference->size);
    }
    at += reference->size;
  }
  return whole;
}

}  // namespace sizesheet
