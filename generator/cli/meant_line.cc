// SPDX-License-Identifier: Apache-2.0
#include "cli/meant_line.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "catalog/catalog.h"
#include "catalog/files/loader.h"
#include "catalog/prices/purchase.h"
#include "cli/area_names.h"
#include "cli/common_options.h"
#include "cli/meant_command.h"
#include "cli/meant_reader.h"
#include "cli/said_words.h"
#include "cli/word_meanings.h"
#include "sheet/assemble/load_spec.h"
#include "sheet/spec.h"
#include "support/error.h"
#include "support/text.h"
#include "support/values.h"

namespace sizesheet {
namespace {

/// Of a card that is in no machine with a price.
std::string why_no_machine(const std::string& card, const WordMeanings& means) {
  const std::string gpu = means.gpu_in(card).value_or(card);
  const bool known = std::ranges::any_of(means.catalog().purchase.nodes,
                                         [&](const PurchaseNode& node) { return node.gpu == gpu; });
  return known ? "no machine with it has a price to buy it at: cost takes one as "
                 "--request '{\"capex_usd_per_node\": 60000}'"
               : "no machine with this card is in the catalog, so owning it has no price";
}

/// The catalog and the sheet that a line names, else the usual ones.
CommonOptions common_in(const std::vector<std::string>& arguments) {
  CommonOptions options;
  std::vector<std::string> named;
  for (std::size_t i = 0; i + 1 < arguments.size(); ++i) {
    if (arguments[i] == "--catalog") named.push_back(arguments[i + 1]);
    if (arguments[i] == "--sheet") options.sheet = arguments[i + 1];
  }
  if (!named.empty()) options.catalog = CatalogLayers(named);
  return options;
}

/// A share of use as hours of a month of the sheet.
void settle_use(const CommonOptions& options, const Catalog& catalog, MeantParts& parts) {
  if (parts.use_share.empty()) return;
  const SheetSpec spec = load_sheet_spec(options.sheet, options.catalog, catalog);
  const double month = catalog.purchase.rate(spec.ownership.hours_per_month).value.typical;
  const double share = read_value(parts.use_share, share_kind()).value.value_or(0);
  parts.options["--hours"] = shortest(std::round(share * month * 100) / 100);
  parts.notes.push_back(parts.use_share + " of the " + shortest(month) + " hours of a month are " +
                        parts.options["--hours"] + " hours");
}

/// Where no price is of a region, the part of the world where it is.
std::optional<MeantParts> in_wider_region(const MeantParts& parts) {
  const auto said = parts.options.find("--region");
  if (said == parts.options.end()) return std::nullopt;
  const std::string area = area_of_region(said->second);
  if (area.empty() || area == small_letters(said->second)) return std::nullopt;
  MeantParts wider = parts;
  wider.options["--region"] = area;
  wider.note("no price that is asked for is of " + said->second + ": " + area +
             " is the part of the world where it is");
  return wider;
}

/// A launch file without a method, such as DeepSpeed's, needs one beside it.
std::optional<MeantParts> with_example_method(const MeantParts& parts) {
  const bool launched = contains(parts.kept, "--config") && !parts.models.empty();
  if (!launched || !parts.methods.empty()) return std::nullopt;
  MeantParts trained = parts;
  trained.methods.emplace_back("full");
  trained.note("full is an example: no method was named");
  return trained;
}

}  // namespace

std::vector<MeantLine> meant_lines(const std::vector<std::string>& arguments) {
  try {
    const CommonOptions options = common_in(arguments);
    const Catalog catalog = load_sound_catalog(options.catalog, {CatalogPart::kMoney});
    const UsualNames usual = usual_names(options.sheet, options.catalog);
    const WordMeanings means(catalog, usual,
                             [&] { return sheet_sizes(options.sheet, options.catalog); });
    MeantParts parts = meant_parts(said_words(arguments, means), means);
    settle_use(options, catalog, parts);
    const auto whole = line_for(parts, means);
    if (!whole) return {};
    std::vector<MeantLine> lines = {*whole};
    if (const auto wider = in_wider_region(parts)) {
      if (const auto line = line_for(*wider, means)) lines.push_back(*line);
    }
    if (const auto trained = with_example_method(parts)) {
      if (const auto line = line_for(*trained, means)) lines.push_back(*line);
    }
    for (const char* option : {"--provider", "--region", "--tier", "--micro-batch", "--headroom",
                               "--rank", "--stack", "--gpus"}) {
      MeantParts fewer = parts;
      const auto dropped = fewer.options.extract(option);
      if (dropped.empty()) continue;
      fewer.left_out.push_back(std::string(option) + " " + dropped.mapped());
      if (const auto line = line_for(std::move(fewer), means)) lines.push_back(*line);
    }
    if (parts.intent == "cost" && parts.models.empty() && !parts.cards.empty()) {
      MeantParts rented = parts;  // where no machine with the card has a price
      rented.list = "prices";
      rented.notes.push_back(why_no_machine(parts.cards.front().name, means));
      if (const auto line = line_for(std::move(rented), means)) lines.push_back(*line);
    }
    if (!parts.request.empty()) {
      MeantParts fewer = parts;
      fewer.request = Json::object();
      fewer.left_out.insert(fewer.left_out.end(), fewer.requested.begin(), fewer.requested.end());
      fewer.requested.clear();
      if (const auto line = line_for(std::move(fewer), means)) lines.push_back(*line);
    }
    return lines;
  } catch (const InputError&) {
    return {};
  }
}

}  // namespace sizesheet
