// SPDX-License-Identifier: Apache-2.0
#include "cli/json_lines.h"

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <utility>

#include "calculator/estimates.h"
#include "calculator/request_line.h"
#include "cli/common_options.h"
#include "cli/refusals.h"
#include "cli/sheet_choice.h"
#include "sizing/answer/estimate.h"
#include "support/error.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/parallel.h"
#include "support/value_texts.h"

namespace sizesheet {
namespace {

constexpr std::size_t kLinesPerJob = 64;

bool is_blank(const std::string& text) {
  return text.find_first_not_of(" \t\r") == std::string::npos;
}

/// Lines that are not blank, as they come.
class LineReader {
 public:
  explicit LineReader(std::istream& in) : bytes_(*in.rdbuf()) {}

  /// Whether `next` need not wait, as far as the stream can tell. Reads ahead: who writes some
  /// hundred lines before reading an answer must not fill both pipes.
  bool ready() {
    while (lines_.size() < kMostAhead && !ended_ && bytes_.in_avail() > 0) read_some();
    return ended_ || !lines_.empty();
  }

  /// Waits for it. nullopt at the end.
  std::optional<RequestLine> next() {
    while (lines_.empty() && !ended_) read_some();
    if (lines_.empty()) return std::nullopt;
    std::optional<RequestLine> line = std::move(lines_.front());
    lines_.pop_front();
    return line;
  }

 private:
  /// Waits for bytes and takes a piece of them; false at the end.
  bool read_piece() {
    try {
      if (bytes_.sgetc() == std::char_traits<char>::eof()) return false;
      const auto there = std::clamp<std::streamsize>(bytes_.in_avail(), 1, kLongestPiece);
      piece_.resize(static_cast<std::size_t>(there));
      piece_.resize(static_cast<std::size_t>(bytes_.sgetn(piece_.data(), there)));
      return true;
    } catch (const std::ios_base::failure& error) {  // it is closed, or a folder
      throw InputError("stdin: cannot be read: " + error.code().message());
    }
  }

  void read_some() {
    if (!read_piece()) {
      ended_ = true;
      if (!open_.empty()) end_line();
      return;
    }
    for (std::string_view left = piece_; !left.empty();) {
      const std::size_t end = std::min(left.find('\n'), left.size());
      // Of a longer line than any request just enough to see that it is.
      open_ += left.substr(0, std::min(end, kLongestLine + 1 - open_.size()));
      if (end < left.size()) end_line();
      left.remove_prefix(std::min(end + 1, left.size()));
    }
  }

  void end_line() {
    ++number_;
    if (!is_blank(open_)) lines_.push_back({number_, open_});
    open_.clear();
  }

  static constexpr std::streamsize kLongestPiece = std::streamsize{1} << 16U;
  static constexpr std::size_t kMostAhead = 256;

  std::streambuf& bytes_;
  std::string piece_;
  std::string open_;  ///< what has come of a line without its end
  std::deque<RequestLine> lines_;
  std::int64_t number_ = 0;  ///< of the last line, blank ones counted
  bool ended_ = false;
};

/// Hands out lines and writes their answers in the same order, each as soon as those before it are
/// there.
class InOrder {
 public:
  /// `most`: answers that may wait for one before them.
  InOrder(std::istream& in, std::ostream& out, std::size_t most)
      : reader_(in), out_(out), waiting_(most) {}

  /// The next line, with its place in the order. nullopt: there is none, or no use in one. Whoever
  /// sent a line may wait for its answer before the next: the stream is waited for only where
  /// every answer is written.
  std::optional<std::pair<std::size_t, RequestLine>> take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] {
      return !out_ || taken_ == written_ ||
             (taken_ - written_ < waiting_.size() && reader_.ready());
    });
    if (!out_) return std::nullopt;
    std::optional<RequestLine> line = reader_.next();
    if (!line) return std::nullopt;
    return std::pair(taken_++, std::move(*line));
  }

  void put(std::size_t index, LineAnswer answer) {
    const std::lock_guard lock(mutex_);
    waiting_[index % waiting_.size()] = std::move(answer);
    if (index != written_) return;
    for (auto* next = &in_turn(); *next; next = &in_turn()) {
      out_ << ((*next)->text += '\n');
      all_ok_ = all_ok_ && (*next)->ok;
      next->reset();
      ++written_;
    }
    out_.flush();
    changed_.notify_all();
  }

  bool all_ok() const { return all_ok_; }

 private:
  std::optional<LineAnswer>& in_turn() { return waiting_[written_ % waiting_.size()]; }

  std::mutex mutex_;
  std::condition_variable changed_;
  LineReader reader_;
  std::ostream& out_;
  std::vector<std::optional<LineAnswer>> waiting_;  ///< a ring
  std::size_t taken_ = 0;
  std::size_t written_ = 0;
  bool all_ok_ = true;
};

}  // namespace

int for_each_json_line(std::istream& in, std::ostream& out, int jobs,
                       const JsonLineHandler& handler) {
  const auto threads = static_cast<std::size_t>(std::max(jobs, 1));
  InOrder answers(in, out, threads * kLinesPerJob);
  for_each_index(threads, jobs, [&](std::size_t /*thread*/) {
    while (const auto taken = answers.take()) {
      answers.put(taken->first, answer_line(taken->second, handler));
    }
  });
  if (!out) throw OutputError("the answers cannot be written to the output");
  return answers.all_ok() ? 0 : 1;
}

EstimateRules estimate_rules(const CommonOptions& options) {
  return {options.catalog, options.sheet, as_of_day(options.as_of, "")};
}

Json request_keys(const std::string& text, KeysOfOptions said) {
  const Json given = text.empty() ? Json::object() : parse_json(text, "--request");
  if (!given.is_object()) throw InputError("--request: expected an object, got " + shown(given));
  const Json keys = request_with_values(given);
  for (const auto& [key, option] : said) {
    if (keys.contains(key)) {
      throw InputError(std::string("--request: ") + key + ": say it with " + option);
    }
  }
  return keys;
}

}  // namespace sizesheet
