// SPDX-License-Identifier: Apache-2.0
// What a row of a sheet says, figure by figure: one entry a figure, under the name that tables and
// programs know it by. sheet.csv, the sweep, the workbook and the diff walk this list.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "support/json.h"
#include "support/money.h"

namespace sizesheet {

struct MemoryBill;
struct Row;

/// Told from a count, for people read it in GiB.
struct Bytes {
  std::int64_t value = 0;

  bool operator==(const Bytes&) const = default;
};

/// Nothing where a figure does not apply or is not known.
using FigureValue =
    std::variant<std::monostate, std::int64_t, Bytes, double, MicroUsd, bool, std::string>;

struct Measure {
  std::string id;  ///< says the unit, and whether money is list, spot, reserved or own
  std::function<FigureValue(const Row&)> of;
  bool in_sheet = true;   ///< a column of sheet.csv
  bool in_sweep = false;  ///< of a sweep, which has no price but the one on demand
  bool flat = false;      ///< has a key of its own in a row of sheet.json, beside the groups there
  std::string change = {};  ///< the kind that a diff tells a move as; "" where it compares none
};

/// As in sheet.json and in JSON lines: dollars, bytes, null for nothing.
Json json_of(const FigureValue& value);

/// In the order of the columns.
const std::vector<Measure>& measures();

/// Throws std::out_of_range.
const Measure& measure(std::string_view id);

/// Bytes of a GPU while the optimizer steps, context and communicators included. No activation is
/// alive then: no checkpointing and no shorter sequence takes any of it away. 0 without a bill.
std::int64_t floor_bytes(const MemoryBill& bill);

/// The key without its day: one offer, whenever it was seen.
std::string offer_of(const std::string& price_key);

}  // namespace sizesheet
