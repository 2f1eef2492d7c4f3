// SPDX-License-Identifier: Apache-2.0
#include "config/text/shell_arithmetic.h"

#include <cstdlib>

#include "support/text.h"

namespace sizesheet {
namespace {

constexpr int kMostDepth = 16;
constexpr std::int64_t kLargest = 1'000'000'000;

/// Reads an expression from the left; after a fault it comes to nothing.
class ArithmeticReader {
 public:
  ArithmeticReader(std::string_view text, const std::map<std::string, std::string>& values)
      : text_(text), values_(values) {}

  std::optional<std::int64_t> whole() {
    const std::int64_t result = sum();
    skip_blanks();
    return sound_ && at_ == text_.size() ? std::optional(result) : std::nullopt;
  }

 private:
  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }

  bool take(char letter) {
    skip_blanks();
    if (at_ >= text_.size() || text_[at_] != letter) return false;
    ++at_;
    return true;
  }

  std::int64_t bounded(std::int64_t value) {
    if (std::abs(value) <= kLargest) return value;
    sound_ = false;
    return 0;
  }

  std::int64_t sum() {
    std::int64_t result = product();
    while (sound_) {
      if (take('+')) {
        result = bounded(result + product());
      } else if (take('-')) {
        result = bounded(result - product());
      } else {
        break;
      }
    }
    return result;
  }

  std::int64_t product() {
    std::int64_t result = factor();
    while (sound_) {
      if (take('*')) {
        result = bounded(result * factor());
        continue;
      }
      const bool divides = take('/');
      if (!divides && !take('%')) break;
      const std::int64_t by = factor();
      if (by == 0) sound_ = false;
      if (sound_) result = divides ? result / by : result % by;
    }
    return result;
  }

  std::int64_t factor() {
    if (++depth_ > kMostDepth) sound_ = false;
    std::int64_t result = 0;
    if (sound_ && take('-')) {
      result = -factor();
    } else if (sound_ && take('(')) {
      result = sum();
      if (!take(')')) sound_ = false;
    } else if (sound_) {
      result = operand();
    }
    --depth_;
    return result;
  }

  /// A number, or a variable with or without a dollar sign and braces.
  std::int64_t operand() {
    const bool dollar = take('$');
    const bool braced = dollar && take('{');
    skip_blanks();
    const std::size_t begin = at_;
    while (at_ < text_.size() && (is_letter_or_digit(text_[at_]) || text_[at_] == '_')) ++at_;
    std::string word(text_.substr(begin, at_ - begin));
    if (braced && !take('}')) sound_ = false;
    if (!word.empty() && (dollar || !is_digit(word.front()))) {
      const auto value = values_.find(word);
      word = value != values_.end() ? value->second : "";
    }
    const auto number = parsed<std::int64_t>(word);
    if (!number) sound_ = false;
    return bounded(number.value_or(0));
  }

  std::string_view text_;
  const std::map<std::string, std::string>& values_;
  std::size_t at_ = 0;
  int depth_ = 0;
  bool sound_ = true;
};

}  // namespace

std::optional<std::int64_t> shell_arithmetic(std::string_view expression,
                                             const std::map<std::string, std::string>& values) {
  return ArithmeticReader(expression, values).whole();
}

}  // namespace sizesheet
