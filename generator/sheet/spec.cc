// SPDX-License-Identifier: Apache-2.0
#include "sheet/spec.h"

#include <algorithm>
#include <functional>
#include <set>

#include "catalog/catalog.h"
#include "catalog/facts/method.h"
#include "catalog/files/entry.h"
#include "catalog/files/loader.h"
#include "catalog/model_names.h"
#include "catalog/prices/price.h"
#include "catalog/prices/provider.h"
#include "cost/rent.h"
#include "sheet/decision.h"
#include "sheet/demand.h"
#include "sheet/money.h"
#include "sheet/sheet.h"
#include "sheet/spec_ownership.h"
#include "sheet/spec_project.h"
#include "sheet/spec_spot.h"
#include "sheet/spec_words.h"
#include "support/error.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/named.h"
#include "support/text.h"
#include "support/value_texts.h"

namespace sizesheet {
namespace {

namespace fs = std::filesystem;

template <typename T>
std::vector<std::string> read_ids(ObjectReader& reader, const std::string& key,
                                  const std::map<std::string, T>& all, const std::string& what) {
  std::vector<std::string> ids = reader.texts(key);
  std::set<std::string> seen;
  for (const std::string& id : ids) {
    const bool missing = id.empty() && !reader.sound(key);  // and told already
    if (!missing && !all.contains(id)) reader.fault(key, not_in_catalog(what, id, keys_of(all)));
    if (!seen.insert(id).second) {
      reader.fault(key, "expected each " + what + " once, got " + shown(id) + " again");
    }
  }
  if (ids.empty()) reader.fault(key, "expected at least one " + what);
  return ids;
}

SpecModel read_spec_model(ObjectReader reader, const Catalog& catalog) {
  SpecModel model;
  model.id = reader.text("id");
  model.size = read_filled_text(reader, "size");
  model.note = reader.text_or("note", "");
  check_reference(reader, "id", "model", keys_of(catalog.models));
  reader.done();
  return model;
}

/// Of the pages; the handout has it as a QR code.
constexpr std::size_t kLongestAddress = 500;

/// Keys of `estimate` that hold for every row of the scenario; what the sheet sets itself is not
/// one.
void check_request(ObjectReader& reader) {
  const Json& request = reader.raw("request");
  if (!request.is_object()) {
    reader.fault("request", "expected an object of estimate keys");
    return;
  }
  ObjectReader keys = reader.object("request");
  for (const auto& [key, value] : request.items()) {
    if (value.is_null()) keys.fault(key, "expected a value, got null; leave out what says nothing");
  }
  for (const char* key : {"id", "model", "method", "gpu", "stack", "headroom", "max_gpus"}) {
    if (keys.mentions(key))
      keys.fault(key, "expected no such key: the sheet sets it for every row");
  }
  for (const char* key : {"workload", "layout"}) keys.optional_object(key);
  auto workload = keys.optional_object("workload");
  if (!workload) return;
  for (const char* key : {"seq_len", "micro_batch", "grad_accum", "global_batch"}) {
    if (workload->mentions(key)) workload->integer(key, {1, 100000000});
  }
  if (workload->mentions("tokens")) {
    workload->fault("tokens", "expected no such key: the sheet sets it for every row");
  }
}

SpecScenario read_scenario(ObjectReader& reader, const Catalog& catalog) {
  SpecScenario scenario;
  scenario.id = read_id(reader, "id");
  scenario.title = read_filled_text(reader, "title");
  scenario.stack = reader.text("stack");
  scenario.summary = reader.text("summary");
  scenario.request = reader.raw("request");
  check_reference(reader, "stack", "stack", keys_of(catalog.stacks));
  if (reader.has("methods")) {
    scenario.methods = read_ids(reader, "methods", catalog.methods, "method");
  }
  scenario.was = read_was(reader);
  check_request(reader);
  reader.done();
  return scenario;
}

void read_scenarios(ObjectReader& reader, const Catalog& catalog, SheetSpec& spec) {
  std::vector<ObjectReader> readers = reader.objects("scenarios");
  check_unique(readers, "id", "an id");
  std::vector<EarlierIds> earlier;
  for (ObjectReader& one : readers) {
    spec.scenarios.push_back(read_scenario(one, catalog));
    earlier.push_back({spec.scenarios.back().id, spec.scenarios.back().was,
                       [&one](const std::string& message) { one.fault("was", message); }});
  }
  check_was(earlier, "scenario");
}

void read_sweep_lists(ObjectReader& reader, const Catalog& catalog, SheetSpec& spec) {
  std::vector<ObjectReader> models = reader.objects("models");
  check_unique(models, "id", "a model");
  for (ObjectReader& model : models) {
    spec.models.push_back(read_spec_model(std::move(model), catalog));
  }
  spec.methods = read_ids(reader, "methods", catalog.methods, "method");
  spec.gpus = read_ids(reader, "gpus", catalog.gpus, "GPU");
  read_scenarios(reader, catalog, spec);
  if (spec.models.empty()) reader.fault("models", "expected at least one model");
  if (spec.scenarios.empty()) reader.fault("scenarios", "expected at least one scenario");
}

/// Of a list of names those that `key` chooses, in the order of the list.
std::vector<std::string> read_chosen(ObjectReader& reader, const char* key, const std::string& kind,
                                     const std::string& whose, std::vector<std::string> all) {
  const std::vector<std::string> chosen = reader.texts(key);
  std::set<std::string> seen;
  for (const std::string& id : chosen) {
    if (!contains(all, id)) {
      reader.fault(key, "expected " + kind + "s of " + whose + ", got " + in_quotes(id) +
                            did_you_mean(id, all));
    }
    if (!seen.insert(id).second) {
      reader.fault(key, "expected each " + kind + " once, got " + in_quotes(id) + " again");
    }
  }
  if (chosen.empty() && reader.sound(key)) {
    reader.fault(key, "expected at least one " + kind + " of " + whose + ", got []");
  }
  std::erase_if(all, [&](const std::string& id) { return !seen.contains(id); });
  return all;
}

/// GPUs are compared with those of the sheet only where these are known.
void read_handout(ObjectReader reader, bool gpus_known, SheetSpec& spec) {
  if (!reader.raw("models").is_null()) {
    spec.handout_models =
        read_chosen(reader, "models", "model", "this sheet", each_of(spec.models, &SpecModel::id));
  }
  if (!reader.raw("gpus").is_null() && gpus_known) {
    spec.handout_gpus = read_chosen(reader, "gpus", "GPU", "this sheet", spec.gpus);
  }
  if (!reader.raw("hidden_columns").is_null()) {
    spec.hidden_columns = read_chosen(reader, "hidden_columns", "column", "the handout",
                                      {std::begin(kHideableColumns), std::end(kHideableColumns)});
  }
  spec.company = reader.text_or("company", "");
  spec.contact = reader.text_or("contact", "");
  spec.next_edition = reader.text_or("next_edition", "");
  reader.text_or("logo", "");
  spec.base_url = reader.text_or("base_url", "");
  if (!spec.base_url.empty() && !is_address(spec.base_url)) {
    reader.fault("base_url", "expected https://…, got " + in_quotes(spec.base_url));
  } else if (spec.base_url.size() > kLongestAddress) {
    reader.fault("base_url", "expected at most " + std::to_string(kLongestAddress) +
                                 " characters, got " + std::to_string(spec.base_url.size()));
  }
  reader.done();
}

/// The model that the panels show must be on the page that they stand on.
void read_shown_models(ObjectReader& reader, SheetSpec& spec) {
  spec.highlight_model = reader.text("highlight_model");
  const bool of_sheet = entry_with(spec.models, &SpecModel::id, spec.highlight_model) != nullptr;
  if (!of_sheet) {
    reader.fault("highlight_model",
                 "expected a model of this sheet, got " + in_quotes(spec.highlight_model));
  }
  auto handout = reader.optional_object("handout");
  if (!handout) return;
  read_handout(std::move(*handout), reader.sound("gpus"), spec);
  const std::vector<std::string>& shown = spec.handout_models;
  if (shown.empty() || !of_sheet || !reader.sound("handout") ||
      contains(shown, spec.highlight_model)) {
    return;
  }
  reader.fault("highlight_model", "expected a model of handout/models, got " +
                                      in_quotes(spec.highlight_model) +
                                      did_you_mean(spec.highlight_model, shown));
}

/// Ascending lengths of sequences, at most `most`.
std::vector<std::int64_t> read_lengths(ObjectReader& reader, const char* key, std::size_t most) {
  std::vector<std::int64_t> lengths = reader.integers(key, {1, 100000000});
  const bool ascending =
      std::adjacent_find(lengths.begin(), lengths.end(), std::greater_equal<>()) == lengths.end();
  if (reader.sound(key) && (!ascending || lengths.size() > most)) {
    reader.fault(key, "expected at most " + std::to_string(most) + " ascending lengths, got " +
                          shown(reader.raw(key)));
  }
  return lengths;
}

/// The lengths at which memory is drawn, and those at which the picks are made anew. Each of the
/// latter sizes the whole sheet once more.
void read_series(ObjectReader& reader, SheetSpec& spec) {
  constexpr std::size_t kMostDrawn = 100;
  constexpr std::size_t kMostPicked = 4;
  spec.series_seq_lens = read_lengths(reader, "series_seq_lens", kMostDrawn);
  if (reader.has("pick_seq_lens")) {
    spec.pick_seq_lens = read_lengths(reader, "pick_seq_lens", kMostPicked);
  }
}

/// Rows that a person can still look at, and a machine keep in memory.
void refuse_giants(ObjectReader& reader, const SheetSpec& spec) {
  constexpr double kMost = 30000;
  const auto count = [](const auto& list) { return static_cast<double>(list.size()); };
  const double rows =
      count(spec.models) * count(spec.methods) * count(spec.gpus) * count(spec.scenarios);
  if (rows <= kMost) return;
  reader.fault("", "expected at most 30,000 rows (models times methods, GPUs and scenarios), got " +
                       format_number(rows, 0));
}

using Texts = std::vector<std::string>;

constexpr Bounds<std::int64_t> kDays{1, 100000};

constexpr Bounds<std::int64_t> kTokens{1, 100'000'000'000'000};

/// An optional list of which every element must be known; an empty list is a fault, since it would
/// read as "none" and count as "any".
Texts read_known(ObjectReader& reader, const std::string& key, const Texts& known,
                 const std::string& what) {
  if (reader.raw(key).is_null()) return {};
  Texts list = reader.texts(key);
  if (list.empty() && reader.sound(key)) {
    reader.fault(key, "expected at least one " + what + ", or no such key for any");
  }
  for (const std::string& one : list) {
    if (!contains(known, one)) reader.fault(key, not_in_catalog(what, one, known));
  }
  return list;
}

/// A list of some of the words, at least one.
Texts read_known_words(ObjectReader& reader, const std::string& key, const Texts& known) {
  Texts list = reader.texts(key);
  if (list.empty() && reader.sound(key)) reader.fault(key, "expected some of " + join(known, ", "));
  for (const std::string& one : list) {
    if (contains(known, one)) continue;
    reader.fault(key, "expected some of " + join(known, ", ") + ", got " + in_quotes(one) +
                          did_you_mean(one, known));
  }
  return list;
}

Texts texts_or_none(ObjectReader& reader, const std::string& key) {
  return reader.raw(key).is_null() ? Texts{} : reader.texts(key);
}

/// Regions of the price rows; one that ends in "*" must be the beginning of at least one.
Texts read_regions(ObjectReader& reader, const Catalog& catalog) {
  if (reader.raw("regions").is_null()) return {};
  std::set<std::string> names;
  for (const Price& price : catalog.prices) names.insert(price.region);
  const Texts known(names.begin(), names.end());
  Texts regions = reader.texts("regions");
  if (regions.empty() && reader.sound("regions")) {
    reader.fault("regions", "expected at least one region, or no such key for any");
  }
  for (const std::string& wanted : regions) {
    const bool met = std::any_of(known.begin(), known.end(), [&](const std::string& region) {
      return region_matches(region, wanted);
    });
    if (met) continue;
    reader.fault("regions", "no price row of the catalog is in region " + in_quotes(wanted) +
                                did_you_mean(wanted, known));
  }
  return regions;
}

void read_origins(ObjectReader& reader, const Catalog& catalog, PriceOrigins origins,
                  PriceRules& rules) {
  std::set<std::string> names;
  for (const Price& price : catalog.prices) names.insert(price.provider);
  for (const Provider& provider : catalog.providers) names.insert(provider.id);
  Texts providers(names.begin(), names.end());
  if (origins == PriceOrigins::kTrusted) {
    for (const char* key : {"providers", "exclude_providers"}) {
      for (std::string& name : texts_or_none(reader, key)) providers.push_back(std::move(name));
    }
  }
  rules.providers = read_known(reader, "providers", providers, "provider");
  rules.exclude_providers = read_known(reader, "exclude_providers", providers, "provider");
  for (const std::string& one : rules.exclude_providers) {
    if (!contains(rules.providers, one)) continue;
    reader.fault("exclude_providers", in_quotes(one) + " is also in providers");
  }
  rules.regions = origins == PriceOrigins::kTrusted ? texts_or_none(reader, "regions")
                                                    : read_regions(reader, catalog);
  rules.jurisdictions = read_known(reader, "jurisdictions", kJurisdictions, "jurisdiction");
  rules.locations = read_known(reader, "locations", kJurisdictions, "jurisdiction");
  rules.tenancies = read_known(reader, "tenancies", kTenancies, "tenancy");
}

/// "max_age_days_of": kinds of prices that count for fewer days than others. Those of an edition
/// are trusted: what they were checked against may be another edition's.
void read_ages_of_kinds(ObjectReader& reader, const Catalog& catalog, PriceOrigins origins,
                        std::map<std::string, std::int64_t>& days) {
  auto of = reader.optional_object("max_age_days_of");
  if (!of) return;
  const Texts known = each_of(catalog.price_age.kinds, &AgeKind::id);
  for (const std::string& id : of->keys()) {
    days[id] = of->integer(id, kDays);
    if (origins == PriceOrigins::kTrusted || contains(known, id)) continue;
    of->fault(id, not_in_catalog("kind of price", id, known));
  }
}

/// Reads "prices" into the spec. Every name is checked, those of providers and regions where
/// `origins` says so; faults are recorded.
void read_spec_prices(ObjectReader reader, const Catalog& catalog, PriceOrigins origins,
                      SheetSpec& spec) {
  spec.price_offers = reader.texts("offers");
  const Texts known{"list", "community", "marketplace"};
  for (const std::string& offer : spec.price_offers) {
    if (!contains(known, offer)) {
      reader.fault("offers", "expected list, community or marketplace, got " + in_quotes(offer) +
                                 did_you_mean(offer, known));
    }
  }
  spec.price_max_age_days = reader.integer("max_age_days", kDays);
  spec.reserved_max_age_days = reader.integer("reserved_max_age_days", kDays);
  PriceRules& rules = spec.price_rules;
  rules.block_max_age_days = reader.optional_integer("block_max_age_days", kDays);
  rules.warn_age_days = reader.optional_integer("warn_age_days", kDays);
  rules.fallback_age_days = reader.optional_integer("fallback_age_days", kDays);
  if (rules.fallback_age_days.value_or(100000) <= spec.price_max_age_days) {
    reader.fault("fallback_age_days", "expected more days than max_age_days, got " +
                                          std::to_string(*rules.fallback_age_days));
  }
  read_ages_of_kinds(reader, catalog, origins, rules.max_age_days_of);
  rules.several_nodes = reader.one_of_or("several_nodes", {"any", "connected"}, "any");
  if (reader.has("stock")) {
    Texts states = kStocks;
    states.push_back(kSales.front());
    rules.stock = read_known_words(reader, "stock", states);
  }
  read_origins(reader, catalog, origins, rules);
  if (auto interruption = reader.optional_object("spot_interruption")) {
    read_spot_interruption(std::move(*interruption), catalog, rules);
  }
  reader.done();
}

/// What is left out stays as it is by default.
PickRules read_pick_rules(ObjectReader reader) {
  PickRules rules;
  rules.rank = reader.one_of_or("rank", kRanks, rules.rank);
  rules.risk_weight = reader.number_or("risk_weight", rules.risk_weight, {0, 1});
  if (rules.rank != kRanks.front() && reader.has("risk_weight")) {
    reader.fault("risk_weight", "needs rank \"score\"; \"" + rules.rank + "\" has a weight of " +
                                    format_number(rules.weight(), 0));
  }
  rules.tie_share = reader.number_or("tie_share", rules.tie_share, {0, 10});
  rules.measured = reader.flag_or("measured", rules.measured);
  rules.min_offers = reader.integer_or("min_offers", rules.min_offers, {1, 1000});
  rules.exposure_share = reader.number_or("exposure_share", rules.exposure_share, {0, 1000});
  rules.frontier_share = reader.number_or("frontier_share", rules.frontier_share, {0, 1000});
  reader.done();
  return rules;
}

bool is_sheet_file(const std::string& id_or_file) {
  return id_or_file.ends_with(".json") || id_or_file.find('/') != std::string::npos;
}

std::string sheet_path(const std::string& id) { return "sheets/" + id + ".json"; }

}  // namespace

std::int64_t tokens_of(const SheetSpec& spec, const Method& method) {
  return trains_adapters(method) ? spec.adapter_tokens.value_or(spec.tokens) : spec.tokens;
}

SheetSpec read_sheet_spec(ObjectReader reader, const Catalog& catalog, PriceOrigins origins) {
  SheetSpec spec;
  spec.raw = reader.whole();
  spec.id = read_id(reader, "id");
  spec.title = read_filled_text(reader, "title");
  spec.edition = read_filled_text(reader, "edition");
  spec.as_of = reader.text("as_of");
  if (!day_number(spec.as_of) || spec.as_of.size() != 10) {
    reader.fault("as_of", "expected a date YYYY-MM-DD, got " + in_quotes(spec.as_of));
  }
  spec.exchange = read_currency(reader);
  reader.text_or("labels", "");
  read_sweep_lists(reader, catalog, spec);
  read_shown_models(reader, spec);
  spec.tokens = reader.integer("tokens", kTokens);
  spec.adapter_tokens = reader.optional_integer("adapter_tokens", kTokens);
  spec.headroom = reader.number("headroom", {0, 1});
  spec.max_gpus = reader.integer("max_gpus", {1, 100000});
  spec.deadline_hours = reader.optional_number("deadline_hours", {0.001, 1e6});
  read_spec_prices(reader.object("prices"), catalog, origins, spec);
  if (auto picks = reader.optional_object("picks")) {
    spec.pick_rules = read_pick_rules(std::move(*picks));
  }
  spec.ownership = read_spec_ownership(reader.object("ownership"), catalog.purchase);
  spec.plan = read_plan_demand(reader.optional_object("plan"), spec, catalog);
  spec.project = read_spec_project(reader.optional_object("project"), spec, catalog);
  read_series(reader, spec);
  refuse_giants(reader, spec);
  reader.text_or("source", "");
  reader.text_or("date", "");
  reader.done();
  return spec;
}

void refuse_unknown_memory(const SheetSpec& spec, const Catalog& catalog, const std::string& file,
                           Faults& faults) {
  for (std::size_t i = 0; i < spec.gpus.size(); ++i) {
    const auto gpu = catalog.gpus.find(spec.gpus[i]);
    if (gpu == catalog.gpus.end() || gpu->second.capacity_bytes()) continue;
    faults.add(file, "/gpus/" + std::to_string(i),
               gpu->first + ": its usable memory is not known, so nothing can be sized on it");
  }
}

/// A text that is no figure is one fault: the reader's own fault at its place is left out.
void add_once_a_place(const Faults& unread, const Faults& found, Faults& faults) {
  const auto add = [&](const Fault& one) { faults.add(one.file, one.pointer, one.message); };
  std::ranges::for_each(unread.all(), add);
  for (const Fault& one : found.all()) {
    const auto same = [&](const Fault& other) { return other.pointer == one.pointer; };
    if (std::ranges::none_of(unread.all(), same)) add(one);
  }
}

SheetSpec read_sheet_file(const fs::path& file, const Catalog& catalog, Faults& faults) {
  const std::string name = shown_path(file);
  Faults unread;
  const Json json = with_values(
      parse_entry(read_catalog_file(file), name, faults, Comments::kSkipped), name, unread);
  Faults found;
  SheetSpec spec = read_sheet_spec(ObjectReader(json, name, "", found), catalog);
  add_once_a_place(unread, found, faults);
  refuse_unknown_memory(spec, catalog, name, faults);
  read_named_files(json, file, catalog, spec, faults);
  return spec;
}

fs::path sheet_file(const std::string& id_or_file, const CatalogLayers& layers,
                    const Catalog& catalog) {
  if (is_sheet_file(id_or_file)) return id_or_file;
  if (!contains(catalog.sheets, id_or_file)) {
    throw InputError("--sheet: " + not_in_catalog("sheet", id_or_file, catalog.sheets));
  }
  return layers.place(sheet_path(id_or_file));
}

namespace {

/// The file of a sheet as it is, not held against a catalog.
Json sheet_as_written(const std::string& id_or_file, const CatalogLayers& layers) {
  const fs::path path =
      is_sheet_file(id_or_file) ? fs::path(id_or_file) : layers.place(sheet_path(id_or_file));
  Faults faults;
  Json json = parse_entry(read_catalog_file(path), shown_path(path), faults, Comments::kSkipped);
  faults.refuse();
  return json;
}

std::vector<std::string> texts_at(const Json& json, const char* key) {
  std::vector<std::string> texts;
  const Json& list = at_dotted(json, key);
  for (const Json& text : list.is_array() ? list : Json::array()) {
    if (text.is_string()) texts.push_back(text.get<std::string>());
  }
  return texts;
}

}  // namespace

std::vector<SizeRow> sheet_sizes(const std::string& id_or_file, const CatalogLayers& layers) {
  const Json json = sheet_as_written(id_or_file, layers);
  std::vector<SizeRow> rows;
  const Json& models = at_dotted(json, "models");
  for (const Json& model : models.is_array() ? models : Json::array()) {
    const Json& id = at_dotted(model, "id");
    const Json& size = at_dotted(model, "size");
    if (id.is_string() && size.is_string()) rows.push_back({size, id});
  }
  return rows;
}

UsualNames usual_names(const std::string& id_or_file, const CatalogLayers& layers) {
  const Json json = sheet_as_written(id_or_file, layers);
  return {texts_at(json, "methods"), texts_at(json, "gpus")};
}

}  // namespace sizesheet
