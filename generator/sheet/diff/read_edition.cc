// SPDX-License-Identifier: Apache-2.0
#include "sheet/diff/read_edition.h"

#include <simdjson.h>

#include "sheet/diff/edition.h"
#include "sheet/field_reader.h"
#include "sheet/money.h"
#include "sheet/repeated_picks.h"
#include "sheet/sheet.h"
#include "sheet/sheet_json.h"
#include "support/described.h"
#include "support/error.h"
#include "support/files.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/named.h"
#include "support/text.h"

namespace sizesheet {
namespace {

namespace dom = simdjson::dom;

/// A value of a text that simdjson holds.
class QuickSource {
 public:
  explicit QuickSource(const dom::element& value) : value_(value) {}

  bool is_object() const { return value_.is_object(); }
  bool is_array() const { return value_.is_array(); }
  bool is_null() const { return value_.is_null(); }
  bool empty() const { return is_object() ? object().size() == 0 : list().size() == 0; }
  std::optional<QuickSource> find(std::string_view key) const {
    return taken<QuickSource>(object().at_key(key));
  }
  std::optional<std::string_view> text() const {
    return taken<std::string_view>(value_.get_string());
  }
  std::optional<bool> flag() const { return taken<bool>(value_.get_bool()); }
  std::optional<std::int64_t> integer() const {
    if (value_.type() == dom::element_type::UINT64) return std::numeric_limits<std::int64_t>::max();
    return value_.type() == dom::element_type::INT64 ? taken<std::int64_t>(value_.get_int64())
                                                     : std::nullopt;
  }
  std::optional<double> number() const { return taken<double>(value_.get_double()); }
  template <typename Take>
  void each_member(const Take& take) const {
    for (const auto& [key, value] : object()) take(key, QuickSource(value));
  }
  template <typename Take>
  void each_element(const Take& take) const {
    for (const dom::element& value : list()) take(QuickSource(value));
  }
  Json json() const { return parse_json(simdjson::minify(value_), ""); }

 private:
  dom::object object() const { return value_.get_object().value_unsafe(); }
  dom::array list() const { return value_.get_array().value_unsafe(); }
  template <typename T, typename Found>
  static std::optional<T> taken(const simdjson::simdjson_result<Found>& result) {
    if (result.error() != simdjson::SUCCESS) return std::nullopt;
    return T(result.value_unsafe());
  }

  dom::element value_;
};

/// Looks for what only the slower reader tells of, or takes otherwise: a key that stands twice (all
/// of ours are in order), a text that fits no sentence, depth, more values than are held at once.
class Plain {
 public:
  bool is_plain(const QuickSource& value, std::size_t depth = 0) {
    if (++held_ > kMostValues || depth > kDeepest) return false;
    bool plain = true;
    if (value.is_object()) {
      std::optional<std::string_view> before;
      value.each_member([&](std::string_view key, const QuickSource& member) {
        plain = plain && (!before || *before < key) && unfit_character(key).empty() &&
                is_plain(member, depth + 1);
        before = key;
      });
    } else if (value.is_array()) {
      value.each_element(
          [&](const QuickSource& element) { plain = plain && is_plain(element, depth + 1); });
    } else if (const auto text = value.text()) {
      plain = unfit_character(*text).empty();
    }
    return plain;
  }

 private:
  static constexpr std::size_t kDeepest = 100;  ///< the slower one reads some more
  std::size_t held_ = 0;
};

/// A sheet.json as the program writes it, with one line a row.
struct Apart {
  std::vector<std::string_view> rows;
  std::string rest;  ///< the document without them
};

std::optional<Apart> taken_apart(std::string_view text) {
  constexpr std::string_view kList = "\n \"rows\": [";
  constexpr std::string_view kIndent = "\n  ";
  const std::size_t list = text.rfind(kList);  // other parts with rows stand before
  if (!starts_with(text, "{") || list == std::string_view::npos) return std::nullopt;
  Apart apart;
  std::size_t at = list + kList.size();
  apart.rest = text.substr(0, at);
  while (starts_with(text.substr(at), kIndent)) {
    const std::size_t from = at + kIndent.size();
    at = std::min(text.find('\n', from), text.size());
    apart.rows.push_back(text.substr(from, at - from));
  }
  for (std::string_view& row : apart.rows) {
    if (&row == &apart.rows.back()) break;
    if (!row.ends_with(',')) return std::nullopt;
    row.remove_suffix(1);
  }
  apart.rest += text.substr(at);
  return apart;
}

/// It has its names, and what is multiplied later makes sense.
void check_row(const Row& row, const std::string& file, const std::string& pointer) {
  const auto refuse = [&](const std::string& place, const std::string& words) {
    throw InputError(file + ":" + pointer + "/" + place + ": expected " + words);
  };
  const std::pair<const char*, std::string> needed[] = {{"model", row.model},
                                                        {"method", row.method},
                                                        {"gpu", row.gpu},
                                                        {"scenario", row.scenario},
                                                        {"verdict", id_of(row.standing())}};
  for (const auto& [key, value] : needed) {
    if (value.empty()) refuse(key, "a name, got nothing");
  }
  const auto candidates = static_cast<std::int64_t>(row.candidates.size());
  if (row.chosen && (*row.chosen < 0 || *row.chosen >= candidates)) {
    refuse("chosen", "the place of one of " + std::to_string(candidates) + " candidates, got " +
                         std::to_string(*row.chosen));
  }
  const std::optional<RentLine>& rent = row.rents[kOnDemand];
  if (rent && rent->instances < 1) {
    refuse("rent/list/instances", "1 or more, got " + std::to_string(rent->instances));
  }
  constexpr double kMostHours = 1e9;
  if (row.hours_mid && !(*row.hours_mid >= 0 && *row.hours_mid <= kMostHours)) {
    refuse("hours/mid", "a number from 0 to 1e9, got " + shortest(*row.hours_mid));
  }
}

/// What is taken of one row, once it makes sense.
template <typename Source>
EditionRow read_row(const Source& element, const std::string& file, std::size_t index) {
  const std::string pointer = "/rows/" + std::to_string(index);
  Row row;
  FieldReader reader(element, file, pointer, Missing::kSkip);
  fields(reader, row);
  check_row(row, file, pointer);
  return edition_row(row);
}

template <typename Source>
SheetHead read_head(const Source& document, const std::string& file) {
  SheetHead head;
  FieldReader reader(document, file, "", Missing::kSkip);
  fields(reader, head);
  refuse_repeated_picks(head.picks, file);
  return head;
}

/// What simdjson makes of a text, where it is plain.
std::optional<QuickSource> parsed(dom::parser& parser, std::string_view text) {
  dom::element value;
  if (parser.parse(text.data(), text.size()).get(value)) return std::nullopt;
  return Plain().is_plain(QuickSource(value)) ? std::optional(QuickSource(value)) : std::nullopt;
}

/// Nothing where anything is not as the program writes it.
std::optional<Edition> read_quickly(const std::string& text, const std::string& file) {
  const std::optional<Apart> apart = taken_apart(text);
  if (!apart) return std::nullopt;
  dom::parser parser;
  std::vector<EditionRow> rows;
  try {
    for (const std::string_view line : apart->rows) {
      const auto row = parsed(parser, line);
      if (!row) return std::nullopt;
      rows.push_back(read_row(*row, file, rows.size()));
    }
    const auto rest = parsed(parser, apart->rest);
    const auto list = rest ? rest->find("rows") : std::nullopt;
    const auto version = rest ? rest->find("schema_version") : std::nullopt;
    if (!list || !list->is_array() || !list->empty() || !version) return std::nullopt;
    check_schema_version({{"schema_version", version->json()}}, file);
    return edition_of(read_head(*rest, file), std::move(rows), file);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

}  // namespace

Edition parse_edition(const std::string& text, const std::string& file) {
  if (auto quick = read_quickly(text, file)) return *std::move(quick);
  std::vector<EditionRow> rows;
  std::optional<InputError> first_fault;  // told after a schema of another major
  const Json json = parse_json(text, file, "rows", [&](Json&& element, std::size_t index) {
    if (first_fault) return;
    try {
      refuse_unfit_texts(element, file, "/rows/" + std::to_string(index));
      rows.push_back(read_row(JsonSource(element), file, index));
    } catch (const InputError& fault) {
      first_fault = fault;
    }
  });
  check_schema_version(json, file);
  if (first_fault) throw *first_fault;
  const auto list = json.find("rows");  // its rows were handed over one by one
  if (list == json.end() || !list->is_array()) {
    throw InputError(file + ":/rows: expected a list, got " +
                     (list == json.end() ? "nothing" : shown(*list)));
  }
  refuse_unfit_texts(json, file, "");
  return edition_of(read_head(JsonSource(json), file), std::move(rows), file);
}

Edition read_edition(const std::filesystem::path& path) {
  return parse_edition(read_file(path), shown_path(path));
}

}  // namespace sizesheet
