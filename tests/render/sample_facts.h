// SPDX-License-Identifier: Apache-2.0
// The made-up facts of the sample sheets, as the files of tests/render/samples have them.
#pragma once

#include <string>

#include "sheet/field_reader.h"
#include "sheet/sheet.h"

namespace sizesheet::sample {

/// A file of tests/render/samples. A list of like objects may stand there as what they share and
/// what each has of its own: {"each": {…}, "of": [{…}, …]}.
Json facts(const std::string& name);

/// Throws std::out_of_range naming a member that `asked` has and `whole` lacks.
void check_members(const Json& asked, const Json& whole);

/// Gives members the values that `json` has for them; null where one is not known.
template <typename T>
void set_members(T& value, const Json& json) {
  FieldReader reader(JsonSource(json), "samples", "", Missing::kSkip);
  fields(reader, value);
  check_members(json, written(value));
}

/// A value with these members; the others stay as they are by default.
template <typename T>
T value_from(const Json& json) {
  T value;
  set_members(value, json);
  return value;
}

/// All that the sample sheet has beside its rows and what follows from those: nine sizes, three
/// methods, nine GPU types, two scenarios, prices, and what pages show beside the table.
Sheet parts();

/// Kilowatts of a machine of these GPUs; 0 where none is sold.
double node_kw(const std::string& gpu);

}  // namespace sizesheet::sample
