// SPDX-License-Identifier: Apache-2.0
#include "catalog/files/entry.h"

#include "catalog/files/spelling.h"
#include "support/error.h"
#include "support/json.h"
#include "support/money.h"
#include "support/named.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// Names that some systems take for a device, whatever their ending; pages are named after ids.
bool is_device(const std::string& text) {
  const std::string name = text.substr(0, text.find('.'));
  const bool numbered = name.size() == 4 && (name.starts_with("com") || name.starts_with("lpt"));
  return name == "con" || name == "prn" || name == "aux" || name == "nul" ||
         (numbered && name[3] >= '0' && name[3] <= '9');
}

constexpr std::size_t kLongestId = 100;  // file names have 255 at most

/// What was expected of `text` that makes it no id; "" where it is one.
std::string expected_of_id(const std::string& text) {
  const bool letters =
      text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789.-") == std::string::npos;
  if (text.empty() || !letters || text.front() == '.' || text.front() == '-') {
    return "of lower-case letters, digits, . and -";
  }
  if (text.size() > kLongestId) return "of at most " + std::to_string(kLongestId) + " characters";
  if (text.back() == '.') return "that does not end in .";
  return is_device(text) ? "that is not the name of a device" : "";
}

/// Keys that say "unknown" or "none" by null, and must stand there.
const std::set<std::string> kMayBeNull = {"torch_total_gib",   "driver_total_gib",
                                          "bf16_dense_tflops", "fp16_dense_tflops",
                                          "fp8_dense_tflops",  "sliding_window"};

}  // namespace

bool may_be_null(const std::string& pointer) {
  return pointer.starts_with("/request/") || kMayBeNull.contains(pointer.substr(1));
}

std::string read_filled_text(ObjectReader& reader, const std::string& key) {
  const bool is_text = reader.raw(key).is_string();
  const std::string text = reader.text(key);
  if (is_text && text.find_first_not_of(" \t\n") == std::string::npos) {
    reader.mismatch(key, "text that is not empty", text);
  } else if (is_text && (text.front() == ' ' || text.back() == ' ')) {
    reader.mismatch(key, "text without blanks at its ends", text);
  }
  return text;
}

bool is_id(const std::string& text) { return expected_of_id(text).empty(); }

std::string read_id(ObjectReader& reader, const std::string& key) {
  const bool is_text = reader.raw(key).is_string();
  std::string id = reader.text(key);
  const std::string expected = is_text ? expected_of_id(id) : "";
  if (!expected.empty()) reader.mismatch(key, "an id " + expected, id);
  return id;
}

std::string read_note(ObjectReader& reader, const std::string& key) {
  return reader.has(key) ? read_filled_text(reader, key) : reader.text_or(key, "");
}

Json read_request_keys(ObjectReader& reader) {
  reader.object("request");
  const Json& request = reader.raw("request");
  return request.is_object() ? request : Json::object();
}

std::vector<ObjectReader> read_rows(ObjectReader& reader, const std::string& key) {
  if (reader.raw(key) == Json::array()) {
    reader.fault(key, "expected a list with at least one entry, got []");
  }
  return reader.objects(key);
}

std::string read_source(ObjectReader& reader) { return read_filled_text(reader, "source"); }

std::string read_date(ObjectReader& reader, const std::string& key) {
  const bool is_text = reader.raw(key).is_string();
  const std::string date = reader.text(key);
  if (is_text && !day_number(date)) reader.mismatch(key, "a date YYYY-MM-DD or YYYY-MM", date);
  return date;
}

void read_validity(ObjectReader& reader, std::optional<std::string>& from,
                   std::optional<std::string>& until) {
  const auto read_day = [&](const char* key, std::optional<std::string>& day) {
    if (!reader.has(key)) return;
    day = read_date(reader, key);
    if (reader.sound(key) && day->size() != 10) {
      reader.fault(key, "expected a day YYYY-MM-DD, got " + in_quotes(*day));
    }
  };
  read_day("valid_from", from);
  read_day("valid_until", until);
  const bool both = from && until && reader.sound("valid_from") && reader.sound("valid_until");
  if (both && *until < *from) {
    reader.mismatch("valid_until", "a day not before valid_from, " + *from, *until);
  }
}

void check_unique(std::vector<ObjectReader>& readers, const std::string& key,
                  const std::string& what) {
  std::set<std::string> seen;
  for (ObjectReader& reader : readers) {
    const Json& id = reader.raw(key);
    if (!id.is_string() || seen.insert(id.get<std::string>()).second) continue;
    reader.fault(key, "expected " + what + " that is used once, got " + shown(id) + " again");
  }
}

std::string not_in_catalog(const std::string& what, const std::string& id,
                           const std::vector<std::string>& known) {
  const std::string none = "no " + what + " " + shown(id) + " in the catalog";
  if (what != "model") return none + did_you_mean(id, known);
  // A name on a hub is rarely misspelt: what it is like says more.
  const bool hub = id.find('/') != id.npos;
  const std::string near = did_you_mean(id, known);
  if (!hub && !near.empty()) return none + near;
  const std::vector<std::string> nearest = nearest_names(id, known);
  return none + (nearest.empty() ? near : "; nearest are " + join(nearest, ", "));
}

void check_reference(ObjectReader& reader, const std::string& key, const std::string& what,
                     const std::vector<std::string>& known) {
  const Json& id = reader.raw(key);
  if (!id.is_string()) return;
  const auto name = id.get<std::string>();
  if (!contains(known, name)) reader.fault(key, not_in_catalog(what, name, known));
}

std::vector<std::string> read_was(ObjectReader& reader) {
  std::vector<std::string> ids;
  if (!reader.mentions("was")) return ids;
  ids = reader.texts("was");
  if (ids.empty() && reader.sound("was")) {
    reader.fault("was", "expected at least one earlier id, or no such key, got []");
  }
  std::set<std::string> seen;
  for (const std::string& id : ids) {
    if (!is_id(id)) {
      reader.mismatch("was", "ids of lower-case letters, digits, . and -", id);
    } else if (!seen.insert(id).second) {
      reader.fault("was", "expected each id once, got " + shown(id) + " again");
    }
  }
  return ids;
}

bool is_empty_text(const Json& value) {
  return value.is_string() && value.get_ref<const std::string&>().empty();
}

void EntryReader::operator()(const std::string& key, std::string& value) {
  const bool may_lack = rules_.may_lack.contains(key);
  const auto choices = rules_.choices.find(key);
  const auto reference = rules_.references.find(key);
  if (choices != rules_.choices.end()) {
    value = may_lack ? reader_.one_of_or(key, choices->second, value)
                     : reader_.one_of(key, choices->second);
  } else if (reference != rules_.references.end()) {
    value = may_lack ? reader_.text_or(key, value) : reader_.text(key);
    if (may_lack && !reader_.has(key)) return;
    check_reference(reader_, key, reference->second.what, reference->second.known);
  } else if (rules_.may_be_empty.contains(key)) {
    value = may_lack ? reader_.text_or(key, value) : reader_.text(key);
  } else if (rules_.ids.contains(key)) {
    value = read_id(reader_, key);
  } else if (key == "id") {
    value = rules_.id != nullptr ? rules_.id(reader_) : read_id(reader_, key);
  } else if (key == "date") {
    value = read_date(reader_, key);
  } else {
    const bool note = may_lack || key == "note";
    value = note ? read_note(reader_, key) : read_filled_text(reader_, key);
  }
}

void EntryReader::operator()(const std::string& key, bool& value) {
  value = rules_.may_lack.contains(key) ? reader_.flag_or(key, value) : reader_.flag(key);
}

template <typename T>
Bounds<T> EntryReader::bounds_of(const std::string& key, Bounds<T> usual) const {
  const auto own = rules_.bounds.find(key);
  if (own == rules_.bounds.end()) return usual;
  return {static_cast<T>(own->second.low), static_cast<T>(own->second.high)};
}

void EntryReader::operator()(const std::string& key, double& value) {
  const Bounds<double> bounds = bounds_of(key, rules_.numbers);
  value = rules_.may_lack.contains(key) ? reader_.number_or(key, value, bounds)
                                        : reader_.number(key, bounds);
}

void EntryReader::operator()(const std::string& key, std::int64_t& value) {
  const Bounds<std::int64_t> bounds = bounds_of(key, rules_.counts);
  value = rules_.may_lack.contains(key) ? reader_.integer_or(key, value, bounds)
                                        : reader_.integer(key, bounds);
}

void EntryReader::operator()(const std::string& key, MicroUsd& value) {
  value =
      rules_.may_lack.contains(key) ? reader_.optional_usd(key).value_or(value) : reader_.usd(key);
}

void EntryReader::operator()(const std::string& key, std::vector<std::string>& value) {
  if (rules_.may_lack.contains(key) && reader_.raw(key).is_null()) return;
  value = key == "was" ? read_was(reader_) : reader_.texts(key);
}

void EntryReader::operator()(const std::string& key, std::vector<std::int64_t>& value) {
  value = reader_.integers(key, bounds_of(key, rules_.counts));
}

void EntryReader::operator()(const std::string& key, Json& value) {
  const bool none = reader_.raw(key).is_null() && rules_.may_lack.contains(key);
  value = none ? Json::object() : read_request_keys(reader_);
}

bool EntryReader::is_unknown(const std::string& key) {
  if (kMayBeNull.contains(key) && !reader_.mentions(key)) {
    reader_.fault(key, "expected a number or null, got nothing");
  }
  return reader_.raw(key).is_null();
}

}  // namespace sizesheet
