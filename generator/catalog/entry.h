// SPDX-License-Identifier: Apache-2.0
// What every catalog entry has in common: a source, a date, ids that must be one's own or
// another's.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/json.h"

namespace sizesheet {

/// Text that says something; "" is a fault.
std::string read_filled_text(ObjectReader& reader, const std::string& key);
/// True for an id as file names and keys use it: at most 100 lower-case letters, digits, '.' and
/// '-', no '.' at the end, and no name that some systems take for a device (con, nul, com1).
bool is_id(const std::string& text);
/// Such an id.
std::string read_id(ObjectReader& reader, const std::string& key);
/// "note", which may be left out but not be empty; "" when there is none.
std::string read_note(ObjectReader& reader, const std::string& key = "note");
/// "request", an object; what its keys may hold is the request reader's business.
Json read_request_keys(ObjectReader& reader);
/// A list of objects with at least one in it.
std::vector<ObjectReader> read_rows(ObjectReader& reader, const std::string& key);
/// "source": where the fact stands.
std::string read_source(ObjectReader& reader);
/// "basis": source | part-assumption | assumption.
std::string read_basis(ObjectReader& reader);
/// A date YYYY-MM-DD or YYYY-MM under `key`.
std::string read_date(ObjectReader& reader, const std::string& key);
/// A number, or null for unknown; the key itself must be there.
std::optional<double> read_known_or_null(ObjectReader& reader, const std::string& key,
                                         Bounds<double> bounds);

/// Faults every id (at its `key`) that stands twice among `readers`.
void check_unique(std::vector<ObjectReader>& readers, const std::string& key,
                  const std::string& what);
/// Faults `key` unless `id` is one of `known`: `no GPU "h100" in the catalog (did you mean …?)`.
void check_reference(ObjectReader& reader, const std::string& key, const std::string& what,
                     const std::vector<std::string>& known);
/// Faults every null where unknown is told by leaving the key out, unless its place has a fault
/// already.
void check_nulls(const Json& document, const std::string& file, Faults& faults,
                 const std::string& pointer = "");
/// Faults every text in the document that holds an address other than https://, a character that
/// is not to be shown (unfit_character) or more than kLongestText characters. The document may be
/// the part at `pointer` of a larger one, also above.
void check_texts(const Json& document, const std::string& file, Faults& faults,
                 const std::string& pointer = "");

inline constexpr Bounds<std::int64_t> kCount{1, 1'000'000};

inline constexpr std::size_t kLongestText = 4000;  ///< bytes; the longest note has 560

/// A file of the catalog as JSON, its texts checked (check_texts). A "$schema" at its top, which
/// tells editors how to help, says nothing of any fact and is left out.
Json parse_entry(std::string_view bytes, const std::string& file, Faults& faults);
/// The same, but each element of the list under `key` is given to `read` and not kept. Its texts
/// are checked before, its nulls after that.
Json parse_entry(std::string_view bytes, const std::string& file, Faults& faults,
                 const std::string& key, const std::function<void(ObjectReader&)>& read);

/// True for the text "" only; a missing or mistyped value is not empty text.
bool is_empty_text(const Json& value);

}  // namespace sizesheet
