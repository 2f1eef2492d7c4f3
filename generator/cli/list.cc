// SPDX-License-Identifier: Apache-2.0
#include "cli/list.h"

#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <utility>

#include "catalog/catalog.h"
#include "catalog/files/loader.h"
#include "catalog/names.h"
#include "catalog/prices/price.h"
#include "catalog/prices/provider.h"
#include "catalog/prices/service.h"
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/taken_names.h"
#include "sheet/rows/size_row.h"
#include "sheet/spec.h"
#include "sizing/model/parameters.h"
#include "support/error.h"
#include "support/json.h"
#include "support/money.h"
#include "support/object_text.h"
#include "support/text.h"

namespace sizesheet {
namespace {

struct ListOptions : CommonOptions {
  std::string what;
  std::string gpu;
  std::string tier;
  std::string provider;
  bool json = false;
};

/// A figure or a text, and how a line shows it.
struct ListCell {
  Json value;
  std::string text;

  ListCell(std::string words)
      : value(words), text(std::move(words)) {}  // NOLINT(google-explicit-constructor)
  ListCell(Json figure, std::string shown) : value(std::move(figure)), text(std::move(shown)) {}
};

using ListCells = std::vector<ListCell>;

/// Entries under the heads of their columns, which are the keys in JSON.
struct ListTable {
  std::vector<std::string> heads;
  std::vector<ListCells> rows;
};

ListTable models(const Catalog& facts, const ListOptions&) {
  ListTable list{{"id", "parameters", "title"}, {}};
  for (const auto& [id, model] : facts.models) {
    const std::int64_t count = count_parameters(model.architecture).total();
    list.rows.push_back({id, {count, std::to_string(count)}, model.title});
  }
  return list;
}

ListTable gpus(const Catalog& facts, const ListOptions&) {
  ListTable list{{"id", "usable_bytes", "name"}, {}};
  for (const auto& [id, gpu] : facts.gpus) {
    const auto capacity = gpu.capacity_bytes();
    const ListCell usable = capacity ? ListCell(*capacity, format_gib(*capacity, 1) + " GiB")
                                     : ListCell(nullptr, std::string(kAbsent));
    list.rows.push_back({id, usable, gpu.name});
  }
  return list;
}

template <auto kEntries>
ListTable titled(const Catalog& facts, const ListOptions&) {
  ListTable list{{"id", "title"}, {}};
  for (const auto& [id, entry] : facts.*kEntries) list.rows.push_back({id, entry.title});
  return list;
}

ListTable sheets(const Catalog& facts, const ListOptions&) {
  ListTable list{{"id"}, {}};
  for (const std::string& id : facts.sheets) list.rows.push_back({id});
  return list;
}

/// Whether what is said of a price is asked for. One that is excluded has no tier.
bool is_asked_for(const ListOptions& asked, const std::string& gpu, const std::string& provider,
                  const std::string& tier = "") {
  return (asked.gpu.empty() || asked.gpu == gpu) && (asked.tier.empty() || asked.tier == tier) &&
         (asked.provider.empty() || asked.provider == provider);
}

ListTable prices(const Catalog& facts, const ListOptions& asked) {
  ListTable list{{"key", "usd_per_instance_hour", "remark"}, {}};
  for (const Price& price : facts.prices) {
    if (!is_asked_for(asked, price.gpu, price.provider, price.tier)) continue;
    const double usd = to_usd(price.usd_per_instance_hour);
    list.rows.push_back({price.key(),
                         {usd, shortest(usd)},
                         price.settled.empty() ? "" : "settled: " + price.settled});
  }
  for (const ExcludedPrice& price : facts.excluded_prices) {
    if (!is_asked_for(asked, price.gpu, price.provider)) continue;
    list.rows.push_back({"excluded " + price.provider + '/' + price.gpu,
                         {nullptr, std::string(kAbsent)},
                         price.reason});
  }
  return list;
}

/// Whoever has a price, and what is known of it.
ListTable providers(const Catalog& facts, const ListOptions& asked) {
  ListTable list{{"id", "prices", "jurisdiction", "tenancy", "title"}, {}};
  std::map<std::string, std::int64_t> counts;
  for (const Price& price : facts.prices) {
    if (is_asked_for(asked, price.gpu, price.provider, price.tier)) ++counts[price.provider];
  }
  for (const auto& [id, count] : counts) {
    const Provider* known = entry_with(facts.providers, &Provider::id, id);
    list.rows.push_back({id,
                         {count, std::to_string(count)},
                         known != nullptr ? known->jurisdiction : kUnstated,
                         known != nullptr ? known->tenancy : kUnstated,
                         known != nullptr ? known->title : ""});
  }
  return list;
}

ListTable services(const Catalog& facts, const ListOptions&) {
  ListTable list{{"key", "usd_per_million_tokens", "minimum_usd", "weights", "remark"}, {}};
  const auto amount = [](const std::optional<MicroUsd>& usd) {
    return usd ? ListCell(to_usd(*usd), shortest(to_usd(*usd)))
               : ListCell(nullptr, std::string(kAbsent));
  };
  for (const Service& service : facts.services) {
    std::vector<std::string> remarks;
    if (!service.prices_runs()) remarks.emplace_back("bills generation too: prices no run");
    if (service.valid_until) remarks.push_back("until " + *service.valid_until);
    if (service.basis != "source") remarks.push_back(service.basis);
    list.rows.push_back({service.key(), amount(service.usd_per_million_tokens),
                         amount(service.minimum_usd), service.weights, join(remarks, "; ")});
  }
  return list;
}

constexpr const char* kLabels = "labels";  // a file, and no table

struct Listable {
  const char* what;
  ListTable (*listing)(const Catalog&, const ListOptions&);
  CatalogParts parts = {};  ///< that it is made of, beside what is always loaded
  bool narrows = false;     ///< --gpu, --tier and --provider may narrow it
};
constexpr Listable kListables[] = {{"models", models},
                                   {"gpus", gpus},
                                   {"methods", titled<&Catalog::methods>},
                                   {"stacks", titled<&Catalog::stacks>},
                                   {"providers", providers, {CatalogPart::kMoney}, true},
                                   {"prices", prices, {CatalogPart::kMoney}, true},
                                   {"services", services, {CatalogPart::kMoney}},
                                   {"sheets", sheets}};

/// "spot", "on-demand" and "1 year" for a tier's key.
std::string tier_of(const std::string& asked) {
  std::vector<CalledEntry> all;
  for (const RentTier& tier : kPriceTiers) all.push_back({tier.key, {tier.key, tier.words}});
  return asked.empty() ? asked : resolved("tier", asked, all);
}

/// Options that narrow what they do not apply to.
void refuse_narrowing(const ListOptions& asked) {
  for (const auto& [option, value] :
       {std::pair{"--gpu", &asked.gpu}, {"--tier", &asked.tier}, {"--provider", &asked.provider}}) {
    if (value->empty()) continue;
    throw InputError(std::string(option) + ": narrows prices and providers, not " + asked.what);
  }
}

ListOptions with_ids(ListOptions asked, const Listable& list, const Catalog& facts,
                     std::ostream& err) {
  if (!list.narrows) refuse_narrowing(asked);
  TakenNames taken(err);  // each row of the list tells its GPU and provider
  take_name(asked.gpu, "GPU", called_gpus(facts), taken);
  asked.tier = tier_of(asked.tier);
  take_name(asked.provider, "provider", called_providers(facts), taken);
  return asked;
}

void print_json(const ListTable& list, std::ostream& out) {
  Json entries = Json::array();
  for (const ListCells& row : list.rows) {
    Json entry;
    for (std::size_t i = 0; i < row.size(); ++i) entry[list.heads[i]] = row[i].value;
    entries.push_back(std::move(entry));
  }
  out << json_text(entries) << '\n';
}

/// Columns as wide as their widest cell, under their heads.
void print_aligned(const ListTable& list, std::ostream& out) {
  std::vector<ListCells> lines{{list.heads.begin(), list.heads.end()}};
  lines.insert(lines.end(), list.rows.begin(), list.rows.end());
  std::vector<std::size_t> widths(list.heads.size());
  for (const ListCells& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      widths[i] = std::max(widths[i], width_of(line[i].text));
    }
  }
  for (const ListCells& line : lines) {
    std::string text;
    for (std::size_t i = 0; i < line.size(); ++i) text += padded_right(line[i].text, widths[i] + 2);
    text.erase(text.find_last_not_of(' ') + 1);
    out << text << '\n';
  }
}

void print_tabs(const ListTable& list, std::ostream& out) {
  for (const ListCells& row : list.rows) out << join(each_of(row, &ListCell::text), "\t") << '\n';
}

int run_list(const ListOptions& options, const Streams& streams) {
  if (options.what == kLabels) {
    refuse_narrowing(options);
    if (options.catalog.shown() != default_catalog().shown()) {
      throw InputError("--catalog: labels are of the program, whatever the catalog");
    }
    streams.out << embedded_catalog().at(kEnglishLabels);
    return 0;
  }
  const Listable& list = *std::ranges::find(kListables, options.what, &Listable::what);
  const Catalog facts = load_sound_catalog(options.catalog, list.parts);
  const ListTable listing = list.listing(facts, with_ids(options, list, facts, streams.err));
  if (options.json) {
    print_json(listing, streams.out);
  } else if (&streams.out == &std::cout && isatty(STDOUT_FILENO) != 0) {
    print_aligned(listing, streams.out);
  } else {
    print_tabs(listing, streams.out);
  }
  return 0;
}

}  // namespace

void add_list(CLI::App& app, const Streams& streams, Command& chosen) {
  const auto& [command, options] =
      add_command(app, streams, chosen, "list", "List what the catalog holds", run_list);
  std::vector<std::string> known;
  for (const Listable& one : kListables) known.emplace_back(one.what);
  known.emplace_back(kLabels);
  command
      .add_option(
          "what", options.what,
          "models, gpus, methods, stacks, providers, prices, services, sheets, or labels: a "
          "file of every label of the forms, to be put into another language")
      ->required()
      ->check(CLI::IsMember(known));
  add_catalog(command, options.catalog);
  command.add_option("--gpu", options.gpu, "Prices and providers of this GPU type alone");
  command.add_option("--tier", options.tier, "Prices and providers of this tier alone: spot …");
  command.add_option("--provider", options.provider, "This provider and its prices alone");
  command.add_flag("--json", options.json, "JSON in place of lines");
}

}  // namespace sizesheet
