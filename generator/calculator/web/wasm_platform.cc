// SPDX-License-Identifier: Apache-2.0
// What a page has in the place of files, threads and ICU: no file, one after the other, tables.
// Facts and rules are those of an edition, which looked at them when it was built.
#include <unicode/uchar.h>
#include <unicode_ranges.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>

#include "catalog/catalog.h"
#include "catalog/prices/purchase.h"
#include "sheet/assemble/checks.h"
#include "sheet/logo.h"
#include "sheet/spec.h"
#include "sheet/spec_ownership.h"
#include "sizing/time/throughput.h"
#include "support/error.h"
#include "support/files.h"
#include "support/json.h"
#include "support/json_quick.h"
#include "support/parallel.h"
#include "support/text.h"

namespace sizesheet {

std::string read_file(const std::filesystem::path& path, std::size_t /*most*/) {
  throw InputError(shown_path(path) + ": a page reads no files");
}

std::filesystem::path file_beside(const std::filesystem::path& file, const std::string& named) {
  return file.parent_path() / named;
}

std::vector<std::string> list_files(const std::filesystem::path& directory) {
  throw InputError(shown_path(directory) + ": a page lists no folders");
}

std::string sha256_hex(const std::string& /*bytes*/) {
  throw std::logic_error("a page hashes nothing");
}

void for_each_index(std::size_t count, int /*jobs*/, const std::function<void(std::size_t)>& work) {
  for (std::size_t i = 0; i < count; ++i) work(i);
}

bool tell_quickly(std::string_view text, JsonEvents& events) {
  // The parser takes a zero byte for the end of the text.
  return !contains(text, '\0') && Json::sax_parse(text.begin(), text.end(), &events);
}

std::string read_logo(const std::filesystem::path& file) { return read_file(file); }

void check_rates(const SpecOwnership& /*own*/, const Purchase& /*purchase*/,
                 const std::string& /*rates_file*/, const std::string& /*rates_pointer*/,
                 Faults& /*faults*/) {}

void check_requests(const SheetSpec& /*spec*/, const Catalog& /*catalog*/,
                    const std::string& /*file*/, Faults& /*faults*/) {}

}  // namespace sizesheet

// What the engine asks of ICU, from tables that the machine's own ICU wrote at build time
// (cmake/calculator/unicode_ranges.cc): a page cannot carry the whole of it.
namespace {

template <std::size_t kCount>
bool is_in(const CharacterRange (&ranges)[kCount], UChar32 code) {
  const auto behind = std::upper_bound(
      std::begin(ranges), std::end(ranges), code,
      [](UChar32 wanted, const CharacterRange& one) { return wanted < one.first; });
  return behind != std::begin(ranges) && code <= std::prev(behind)->last;
}

}  // namespace

/// Only whether a character is one of the others or ends a line is asked.
int8_t u_charType(UChar32 code) {
  return is_in(kOthersAndEnds, code) ? U_UNASSIGNED : U_OTHER_LETTER;
}

UBool u_hasBinaryProperty(UChar32 code, UProperty property) {
  return property == UCHAR_EMOJI ? is_in(kEmoji, code) : is_in(kIgnorable, code);
}

int32_t u_getIntPropertyValue(UChar32 code, UProperty /*joining*/) {
  return is_in(kJoining, code) ? U_JT_DUAL_JOINING : U_JT_NON_JOINING;
}

uint8_t u_getCombiningClass(UChar32 code) { return is_in(kViramas, code) ? 9 : 0; }
