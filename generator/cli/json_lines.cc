// SPDX-License-Identifier: Apache-2.0
#include "cli/json_lines.h"

#include <string>
#include <vector>

#include "cli/non_numbers.h"
#include "support/error.h"
#include "support/parallel.h"
#include "support/printable.h"
#include "support/text.h"

namespace sizesheet {

namespace {

constexpr std::size_t kLinesPerJob = 64;
constexpr std::size_t kLongestLine = std::size_t{1} << 20U;

struct Line {
  std::int64_t number = 0;
  std::string text;
};

struct Answer {
  std::string text;
  bool ok = false;
};

/// The id to echo: that of an object with a text for its id, else null.
Json id_of(const Json& request) {
  if (!request.is_object()) return nullptr;
  const auto found = request.find("id");
  return found != request.end() && found->is_string() ? *found : Json(nullptr);
}

/// A name of a megabyte is not told whole.
std::string shortened(const std::string& message) {
  constexpr std::size_t kMost = 4000;
  if (message.size() <= kMost) return message;
  std::size_t end = kMost;
  while (end > 0 && (static_cast<unsigned char>(message[end]) & 0xC0U) == 0x80U) --end;
  return message.substr(0, end) + "…";
}

Answer refused(const Json& id, const std::string& message) {
  const Json answer = {{"id", id}, {"ok", false}, {"error", plain_text(shortened(message))}};
  return {json_text(answer), false};
}

/// "line 3:1:7: message", as the parser places it, told of the line: "line 3: column 7: message".
std::string placed_in_line(const std::string& message, const std::string& line) {
  const std::string parsed = line + ":1:";
  if (!starts_with(message, parsed)) return line + ": " + message;
  return line + ": column " + message.substr(parsed.size());
}

Answer answer_parsed(const Json& request, const Line& line, const JsonLineHandler& handler) {
  const Json id = id_of(request);
  try {
    Json answer = handler(request, line.number);
    answer["id"] = id;
    answer["ok"] = true;
    return {json_text(answer), true};
  } catch (const InputError& error) {
    return refused(id, error.what());
  } catch (const std::exception& error) {
    // One line that breaks the program must not take the answers after it.
    return refused(id, std::string("internal error, please report: ") + error.what());
  }
}

/// A line that the parser refuses. The asker still knows it by its id where that can be read.
Answer answer_malformed(const Line& line, const std::string& place, const std::string& message) {
  if (const auto found = find_non_number(line.text)) {
    const Json mended = Json::parse(found->mended, nullptr, false);
    if (mended.is_object()) {
      return refused(id_of(mended), found->key + ": expected a number, got " + found->token);
    }
  }
  return refused(id_of(Json::parse(line.text, nullptr, false)), placed_in_line(message, place));
}

Answer answer_line(const Line& line, const JsonLineHandler& handler) {
  const std::string place = "line " + std::to_string(line.number);
  if (line.text.size() > kLongestLine) {
    return refused(nullptr,
                   place + ": expected at most " + std::to_string(kLongestLine) + " bytes");
  }
  Json request;
  try {
    request = parse_json(line.text, place);
  } catch (const InputError& error) {
    return answer_malformed(line, place, error.what());
  }
  if (!request.is_object()) {
    return refused(nullptr, place + ": expected an object, got " + shown(request));
  }
  return answer_parsed(request, line, handler);
}

bool is_blank(const std::string& text) {
  return text.find_first_not_of(" \t\r") == std::string::npos;
}

/// The next line; of a longer one than any request just enough to see that it is.
bool read_line(std::istream& in, std::string& line) {
  line.clear();
  std::streambuf& bytes = *in.rdbuf();
  for (int next = bytes.sbumpc(); next != std::char_traits<char>::eof(); next = bytes.sbumpc()) {
    if (next == '\n') return true;
    if (line.size() <= kLongestLine) line += static_cast<char>(next);
  }
  return !line.empty();
}

/// The next up to `most` lines that are not blank; `number` counts every line.
std::vector<Line> read_batch(std::istream& in, std::size_t most, std::int64_t& number) {
  std::vector<Line> batch;
  std::string text;
  while (batch.size() < most && read_line(in, text)) {
    ++number;
    if (!is_blank(text)) batch.push_back({number, text});
  }
  return batch;
}

}  // namespace

int for_each_json_line(std::istream& in, std::ostream& out, int jobs,
                       const JsonLineHandler& handler) {
  const std::size_t most = jobs > 1 ? static_cast<std::size_t>(jobs) * kLinesPerJob : 1;
  std::int64_t number = 0;
  bool all_ok = true;
  for (;;) {
    const std::vector<Line> batch = read_batch(in, most, number);
    if (batch.empty()) break;
    std::vector<Answer> answers(batch.size());
    for_each_index(batch.size(), jobs,
                   [&](std::size_t i) { answers[i] = answer_line(batch[i], handler); });
    for (const Answer& answer : answers) {
      out << answer.text << '\n';
      all_ok = all_ok && answer.ok;
    }
    if (!out.flush()) throw InputError("the answers cannot be written to the output");
  }
  return all_ok ? 0 : 1;
}

}  // namespace sizesheet
