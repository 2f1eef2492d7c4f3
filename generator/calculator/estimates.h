// SPDX-License-Identifier: Apache-2.0
// Sizing requests answered from a catalog and a sheet's rules: what `estimate` and the calculator
// on a page say.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "catalog/files/loader.h"
#include "catalog/model_names.h"
#include "sheet/rows/size_row.h"
#include "sheet/spec.h"
#include "sizing/answer/estimate.h"
#include "support/json.h"
#include "support/object_text.h"

namespace sizesheet {

struct Question;

/// Which facts, and by whose rules something is rented.
struct EstimateRules {
  CatalogLayers catalog;
  std::string sheet;  ///< an id or a file
  std::string as_of;  ///< the day of the prices; "" for the sheet's own
};

/// Answers questions about money, by the prices of a catalog and the rules of a sheet. Both are
/// read at the first such question.
class MoneyAnswers {
 public:
  explicit MoneyAnswers(EstimateRules rules) : rules_(std::move(rules)) {}

  RentedRun answer(const Question& question);
  const SheetSpec& policy();
  const Catalog& catalog();
  double hours_per_month();

 private:
  void load();

  EstimateRules rules_;
  std::once_flag once_;
  Catalog catalog_;
  SheetSpec policy_;
};

/// What an answer says beside a sizing: who rents it out, and the dollars of a run.
void put_money(const RentedRun& found, Json& answer);
/// The same as a line of text.
std::string money_words(const RentedRun& found);

/// Which of several cards the sheet's rules rent, how many, and which machine they would own beside
/// it, from the answers about each: {"deadline_hours": …, "budget_usd": …, "cards": [{"gpus": …,
/// "frontier": …, "own": …}, …]} to {"gpu": id, "gpus": count, "own": …}; null where there is none.
/// "for_budget": the pick by the sheet's rules is over the budget, so the lowest upper end is
/// picked, and whether it is another run. "fastest": {"gpu": id, "gpus": count} where none ends in
/// time.
Json picked_card(const Json& compared, MoneyAnswers& money);

/// Hears what a name was taken for: `model "llama 8b" is llama-3.1-8b`.
using NameTaken = std::function<void(const std::string& words)>;

/// Answers requests of `estimate`, several at once.
class Estimates {
 public:
  /// Loads what is not about money. Throws InputError.
  Estimates(const EstimateRules& rules, NameTaken told);

  const Catalog& catalog() const { return catalog_; }
  MoneyAnswers& money() { return money_; }
  /// Without `id` and `ok`. Throws InputError to refuse it.
  ObjectText answer(const Json& request);
  /// {"id": …} of what a text calls: `kind` is gpu, method or stack; of several, what the sheet
  /// has. null where it calls none. Throws InputError for a text that may call several.
  Json named(const std::string& kind, const std::string& text);

 private:
  std::optional<Json> with_ids(const Json& request, std::vector<std::string>& taken);

  Catalog catalog_;
  MoneyAnswers money_;
  ModelNames models_;
  NameTaken told_;
  std::mutex lock_;
  std::set<std::string> said_;  ///< names that were told of
};

}  // namespace sizesheet
