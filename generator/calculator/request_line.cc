// SPDX-License-Identifier: Apache-2.0
#include "calculator/request_line.h"

#include <stdexcept>

#include "support/error.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/named.h"
#include "support/object_text.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr std::size_t kMostLineValues = 20000;  // several lines are read at once

/// The id to echo: that of an object with a text for its id, else null.
Json id_of(const Json& request) {
  if (!request.is_object()) return nullptr;
  const auto found = request.find("id");
  return found != request.end() && found->is_string() ? *found : Json(nullptr);
}

/// The id of an object that the parser refuses, and nothing else of it.
Json id_in(const std::string& text) {
  const auto only_id = [](int depth, Json::parse_event_t event, const Json& value) {
    if (event == Json::parse_event_t::key) return depth == 1 && value == "id";
    return depth == 0 || event == Json::parse_event_t::value;
  };
  return id_of(Json::parse(text, only_id, false));
}

LineAnswer refused_line(const Json& id, const std::string& message) {
  constexpr std::size_t kMost = 4000;  // a name of a megabyte is not told whole
  const std::string words = plain_text(beginning_of(message, kMost));
  const Json answer = {
      {"id", id}, {"ok", false}, {"error", words + (message.size() > kMost ? "…" : "")}};
  return {json_text(answer), false};
}

LineAnswer answer_parsed(const Json& request, const RequestLine& line,
                         const JsonLineHandler& handler) {
  const Json id = id_of(request);
  try {
    ObjectText answer = handler(request, line.number);
    for (const char* ours : {"id", "ok"}) answer.erase(ours);
    answer("id", id);
    answer("ok", true);
    LineAnswer line_of{"", true};
    answer.append_to(line_of.text);
    return line_of;
  } catch (const InputError& error) {
    return refused_line(id, error.what());
  } catch (const std::overflow_error& error) {  // of sound figures that are out of proportion
    return refused_line(id, error.what() + std::string("; ask for fewer tokens"));
  } catch (const std::exception& error) {
    // One line that breaks the program must not take the answers after it.
    return refused_line(id, std::string("internal error, please report: ") + error.what());
  }
}

/// A line that the parser refuses. The asker still knows it by its id where that can be read.
LineAnswer answer_malformed(const RequestLine& line, const std::string& place,
                            const std::string& message) {
  if (const auto found = find_non_number(line.text)) {
    const std::size_t first = found->mended.find_first_not_of(" \t\r");
    if (first != std::string::npos && found->mended[first] == '{' && Json::accept(found->mended)) {
      return refused_line(id_in(found->mended),
                          found->key + ": expected a number, got " + found->token);
    }
  }
  // "line 3:1:7: message", as the parser places it, told of the line: "line 3: column 7: message".
  const std::string parsed = place + ":1:";
  const bool placed = starts_with(message, parsed);
  return refused_line(id_in(line.text), placed ? place + ": column " + message.substr(parsed.size())
                                               : place + ": " + message);
}

/// The text from the quote at `at` to its closing quote, or to the end of the line.
std::string_view string_at(std::string_view line, std::size_t at) {
  std::size_t end = at + 1;
  while (end < line.size() && line[end] != '"') end += line[end] == '\\' ? 2 : 1;
  return line.substr(at, end + 1 - at);
}

/// Where the object under "model" begins in a line, and the place behind its end; both 0 where
/// there is none.
std::pair<std::size_t, std::size_t> model_in(std::string_view line) {
  std::size_t depth = 0;
  std::size_t begin = 0;
  std::string_view last;
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (line[at] == '"') {
      last = string_at(line, at);
      at += last.size() - 1;
    } else if (line[at] == '{' || line[at] == '[') {
      if (++depth == 2 && last == "\"model\"" && begin == 0) begin = at;
    } else if (line[at] == '}' || line[at] == ']') {
      if (depth > 0 && --depth == 1 && begin > 0) return {begin, at + 1};
    }
  }
  return {0, 0};
}

/// A config.json in a request may have infinite limits, as in a file.
std::string with_plain_config(const std::string& line) {
  const auto [begin, end] = model_in(line);
  return line.substr(0, begin) + without_limits(line.substr(begin, end - begin)) + line.substr(end);
}

}  // namespace

LineAnswer answer_line(const RequestLine& line, const JsonLineHandler& handler) {
  const std::string place = "line " + std::to_string(line.number);
  if (line.text.size() > kLongestLine) {
    return refused_line(nullptr,
                        place + ": expected at most " + std::to_string(kLongestLine) + " bytes");
  }
  Json request;
  try {
    request = parse_json(line.text, place, kMostLineValues);
  } catch (const InputError& error) {
    const std::string mended = with_plain_config(line.text);
    if (mended == line.text) return answer_malformed(line, place, error.what());
    try {
      request = parse_json(mended, place, kMostLineValues);
    } catch (const InputError& other) {
      return answer_malformed({line.number, mended}, place, other.what());
    }
  }
  if (!request.is_object()) {
    return refused_line(nullptr, place + ": expected an object, got " + shown(request));
  }
  return answer_parsed(request, line, handler);
}

std::optional<NonNumber> find_non_number(std::string_view line) {
  NonNumber found;
  std::string_view last;
  for (std::size_t at = 0; at < line.size();) {
    if (line[at] == '"') {
      last = string_at(line, at);
      found.mended += last;
      at += last.size();
      continue;
    }
    std::string_view token;
    for (const std::string_view one : {"NaN", "Infinity", "-Infinity"}) {
      if (line.substr(at, one.size()) == one) token = one;
    }
    if (!token.empty() && found.token.empty()) {
      found.key = last.size() < 2 ? "" : last.substr(1, last.size() - 2);
      found.token = token;
    }
    found.mended += token.empty() ? line.substr(at, 1) : "null";
    at += token.empty() ? 1 : token.size();
  }
  return found.token.empty() ? std::nullopt : std::optional<NonNumber>(found);
}

}  // namespace sizesheet
