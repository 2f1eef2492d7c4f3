// SPDX-License-Identifier: Apache-2.0
#include "cli/list.h"

#include "catalog/catalog.h"
#include "sizing/parameters.h"
#include "support/text.h"

namespace sizesheet {
namespace {

void list_models(const Catalog& catalog, std::ostream& out) {
  for (const auto& [id, model] : catalog.models) {
    const ComponentCounts counts = count_parameters(model.architecture);
    out << id << '\t' << counts.total() << '\t' << model.title << '\n';
  }
}

void list_gpus(const Catalog& catalog, std::ostream& out) {
  for (const auto& [id, gpu] : catalog.gpus) {
    const auto capacity = gpu.capacity_bytes();
    out << id << '\t' << (capacity ? format_gib(*capacity, 1) + " GiB" : std::string(kAbsent))
        << '\t' << gpu.name << '\n';
  }
}

void list_prices(const Catalog& catalog, std::ostream& out) {
  for (const Price& price : catalog.prices) {
    out << price.key() << '\t' << shortest(to_usd(price.usd_per_instance_hour)) << '\t'
        << (price.settled.empty() ? "" : "settled: " + price.settled) << '\n';
  }
  for (const ExcludedPrice& price : catalog.excluded_prices) {
    out << "excluded " << price.provider << '/' << price.gpu << "\t" << kAbsent << "\t"
        << price.reason << '\n';
  }
}

}  // namespace

int run_list(const std::string& what, const std::filesystem::path& catalog, std::ostream& out) {
  const CatalogParts parts = what == "prices" ? CatalogParts{CatalogPart::kMoney} : CatalogParts{};
  const Catalog facts = load_sound_catalog(catalog, parts);
  if (what == "models") list_models(facts, out);
  if (what == "gpus") list_gpus(facts, out);
  if (what == "prices") list_prices(facts, out);
  if (what == "methods") {
    for (const auto& [id, method] : facts.methods) out << id << '\t' << method.title << '\n';
  }
  if (what == "stacks") {
    for (const auto& [id, stack] : facts.stacks) out << id << '\t' << stack.title << '\n';
  }
  if (what == "sheets") {
    for (const std::string& id : facts.sheets) out << id << '\n';
  }
  return 0;
}

}  // namespace sizesheet
