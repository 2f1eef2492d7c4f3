// SPDX-License-Identifier: Apache-2.0
// Published guides as an edition shows them: what each is, how it accounts, and which of its
// figures its own rules do not give.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "catalog/convention.h"
#include "support/described.h"

namespace sizesheet {

/// One sentence of a guide's accounting.
struct SheetGuideRule {
  std::string part;  ///< "Sharding", "Activations" …
  std::string words;
  bool fitted = false;  ///< not stated by the guide, inferred from its figures
};
BOOST_DESCRIBE_STRUCT(SheetGuideRule, (), (part, words, fitted))

/// A figure that contradicts its guide's rules, or that they do not give.
struct SheetGuideFigure {
  std::string id;
  std::string where;  ///< section or table of the guide
  std::string what;
  std::string unit;
  GuideValue printed;
  GuideValue computed;  ///< empty where nothing can be derived
  std::string status;   ///< inconsistent | not-derivable
  std::string reason;
};
BOOST_DESCRIBE_STRUCT(SheetGuideFigure, (),
                      (id, where, what, unit, printed, computed, status, reason))

struct SheetGuide {
  std::string id;
  std::string title;
  std::string publisher;
  std::string source;
  std::string date;   ///< when it was read
  std::string dated;  ///< what it says of its own date
  std::string words;
  std::vector<SheetGuideRule> rules;
  std::int64_t exact = 0;  ///< figures by what the guide's own rules make of them
  std::int64_t within_rounding = 0;
  std::int64_t inconsistent = 0;
  std::int64_t not_derivable = 0;
  std::vector<SheetGuideFigure> figures;  ///< those that do not agree, in the guide's order
};
BOOST_DESCRIBE_STRUCT(SheetGuide, (),
                      (id, title, publisher, source, date, dated, words, rules, exact,
                       within_rounding, inconsistent, not_derivable, figures))

}  // namespace sizesheet
