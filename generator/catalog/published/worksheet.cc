// SPDX-License-Identifier: Apache-2.0
#include "catalog/published/worksheet.h"

#include <stdexcept>

#include "catalog/files/entry.h"
#include "catalog/files/loader.h"
#include "support/error.h"
#include "support/json.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// Ids of columns, groups and rows become keys and parts of fragments.
std::string read_name(ObjectReader& reader) {
  std::string id = reader.text("id");
  constexpr const char* kAllowed = "abcdefghijklmnopqrstuvwxyz0123456789.-_";
  if (reader.sound("id") && (id.empty() || id.find_first_not_of(kAllowed) != std::string::npos)) {
    reader.mismatch("id", "lower-case letters, digits, '.', '-' and '_'", id);
  }
  return id;
}

/// Columns, groups and rows.
const EntryRules kPartRules = {
    .bounds = {{"decimals", {0, 6}}}, .may_lack = {"decimals", "request"}, .id = read_name};

void read_facts(ObjectReader& reader, const Worksheet& sheet, WorksheetRow& row) {
  auto facts = reader.optional_object("facts");
  if (!facts) return;
  const std::vector<std::string> columns = each_of(sheet.columns, &WorksheetColumn::id);
  for (const std::string& key : facts->keys()) {
    row.facts[key] = read_filled_text(*facts, key);
    if (contains(columns, key)) continue;
    facts->fault(key, "no column " + in_quotes(key) + " in the table" + did_you_mean(key, columns));
  }
  facts->done();
}

WorksheetRow read_row(ObjectReader& reader, const Worksheet& sheet) {
  auto row = read_members<WorksheetRow>(reader, kPartRules);
  read_facts(reader, sheet, row);
  reader.done();
  return row;
}

/// A technique is shown without and with it, or not at all; a warning has a request that brings it
/// about, a target one that trains it.
void check_runs(ObjectReader& reader, const std::string& kind, std::size_t runs) {
  const bool technique = kind == "techniques";
  const bool one = kind == "warnings" || kind == "targets";
  if (technique ? runs == 0 || runs == 2 : !one || runs == 1) return;
  reader.mismatch("runs", technique ? "0 or 2" : "1", runs);
}

AdviceEntry read_advice_entry(ObjectReader& reader, const std::string& kind) {
  auto entry =
      read_members<AdviceEntry>(reader, {.choices = {{"basis", {"rule", "claim", "reported"}}}});
  if (kind == "techniques" || kind == "targets") {
    entry.acts_on = read_filled_text(reader, "acts_on");
  }
  if (kind == "warnings") entry.prints = read_filled_text(reader, "prints");
  if (kind == "targets") entry.prints = read_note(reader, "prints");
  if (kind == "symptoms") {
    entry.cause = read_filled_text(reader, "cause");
    entry.remedy = read_filled_text(reader, "remedy");
  }
  if (kind == "settings") entry.setting = read_filled_text(reader, "setting");
  if (kind == "techniques") entry.setting = read_note(reader, "setting");
  if (reader.has("runs")) {
    for (ObjectReader& row : reader.objects("runs")) {
      entry.runs.push_back(read_entry<AdviceRun>(row, {.may_lack = {"request"}}));
    }
  }
  check_runs(reader, kind, entry.runs.size());
  reader.done();
  return entry;
}

AdviceCards read_cards(ObjectReader reader, const std::vector<std::string>& gpus) {
  auto cards = read_entry<AdviceCards>(reader);
  for (std::size_t i = 1; i < cards.limits_gb.size(); ++i) {
    if (cards.limits_gb[i] <= cards.limits_gb[i - 1]) {
      reader.fault("limits_gb", "expected ascending numbers, got " +
                                    std::to_string(cards.limits_gb[i]) + " after " +
                                    std::to_string(cards.limits_gb[i - 1]));
    }
  }
  for (const std::string& gpu : cards.gpus) {
    if (!contains(gpus, gpu)) reader.fault("gpus", not_in_catalog("GPU", gpu, gpus));
  }
  return cards;
}

}  // namespace

Worksheet read_worksheet(ObjectReader reader) {
  auto sheet = read_members<Worksheet>(
      reader, {.counts = {1, 99},
               .choices = {{"page", {"frameworks", "gpus", "guides", "method"}}},
               .may_lack = {"request"}});
  sheet.columns = read_list(reader, "columns", [](ObjectReader& row) {
    return read_entry<WorksheetColumn>(row, kPartRules);
  });
  sheet.groups = {{"", "", Json::object()}};
  if (reader.has("groups")) {
    sheet.groups = read_list(reader, "groups", [](ObjectReader& row) {
      return read_entry<WorksheetGroup>(row, kPartRules);
    });
  }
  sheet.rows = read_list(reader, "rows", [&](ObjectReader& row) { return read_row(row, sheet); });
  reader.done();
  return sheet;
}

AdviceTopic read_advice_topic(ObjectReader reader, const std::vector<std::string>& gpus) {
  auto topic =
      read_members<AdviceTopic>(reader, {.choices = {{"kind",
                                                      {"cards", "techniques", "warnings", "targets",
                                                       "symptoms", "notes", "settings"}}},
                                         .may_lack = {"request"}});
  if (!reader.sound("kind")) return topic;  // what its entries may hold is not known
  if (topic.kind == "cards") topic.cards = read_cards(reader.object("cards"), gpus);
  topic.entries = read_list(reader, "entries",
                            [&](ObjectReader& row) { return read_advice_entry(row, topic.kind); });
  reader.done();
  return topic;
}

namespace {

constexpr Bounds<double> kAmount{0, 1e9};

RequestSet read_set(ObjectReader& reader) {
  auto set = read_members<RequestSet>(reader);
  if (auto printed = reader.optional_object("printed_gb")) {
    for (const std::string& kind : printed->keys()) {
      set.printed_gb[kind] = printed->number(kind, kAmount);
    }
    printed->done();
  }
  reader.done();
  return set;
}

AdapterMode read_mode(ObjectReader& reader) {
  constexpr Bounds<double> kAdapterParameters{0, 1125899906842624.0};  // 2^50
  auto mode = read_members<AdapterMode>(reader);
  for (ObjectReader& row : reader.objects("published")) {
    const std::int64_t rank = row.integer("rank", kCount);
    mode.published.push_back(read_entry<PublishedAdapters>(
        row, {.bounds = {{"value", {1, kAdapterParameters.high}}, {"within", kAdapterParameters}},
              .choices = {{"of", {"all", "experts"}}, {"evidence", evidence_labels()}}}));
    mode.published.back().rank = rank;
  }
  reader.done();
  return mode;
}

LaunchRecipe read_recipe(ObjectReader& reader, const EntryRules& rules) {
  constexpr std::size_t kWholeCommit = 40;
  auto recipe = read_entry<LaunchRecipe>(reader, rules);
  const std::string& commit = recipe.commit;
  // A whole one, so that a link to the file keeps leading to what was read.
  const bool hex = commit.find_first_not_of("0123456789abcdef") == std::string::npos;
  if (!commit.empty() && (!hex || commit.size() != kWholeCommit)) {
    reader.mismatch("commit", "40 hexadecimal digits", commit);
  }
  return recipe;
}

}  // namespace

const std::vector<std::string>& evidence_labels() {
  static const std::vector<std::string> labels = {"computed", "recipe", "tested", "theoretical"};
  return labels;
}

const TrainingFramework& FrameworkSet::framework(const std::string& framework_id) const {
  const auto* found = entry_with(frameworks, &TrainingFramework::id, framework_id);
  if (found != nullptr) return *found;
  throw std::out_of_range("no framework '" + framework_id + "' in '" + id + "'");
}

FrameworkSet read_framework_set(ObjectReader reader, const FrameworkNames& known) {
  auto set = read_members<FrameworkSet>(
      reader, {.references = {{"model", {"model", known.models}}, {"gpu", {"GPU", known.gpus}}}});
  set.frameworks = read_list(reader, "frameworks", [](ObjectReader& row) {
    auto framework = read_members<TrainingFramework>(row);
    framework.request = read_request_keys(row);
    row.done();
    return framework;
  });
  EntryRules rules{
      .numbers = kAmount,
      .choices = {{"evidence", evidence_labels()}},
      .references = {{"framework", {"framework", each_of(set.frameworks, &TrainingFramework::id)}}},
      .may_lack = {"recipe", "commit"}};
  set.recipes =
      read_list(reader, "recipes", [&](ObjectReader& row) { return read_recipe(row, rules); });
  rules.references["recipe"] = {"recipe", each_of(set.recipes, &LaunchRecipe::id)};
  set.questions = read_list(reader, "questions", [&](ObjectReader& row) {
    return read_entry<FrameworkQuestion>(row, rules);
  });
  ObjectReader sequences = reader.object("sequences");
  set.sequences = read_members<SequenceTable>(sequences, rules);
  set.sequences.sets = read_list(sequences, "sets", read_set);
  for (ObjectReader& row : read_rows(sequences, "rows")) {
    set.sequences.rows.push_back(read_entry<SequenceStep>(row, rules));
  }
  sequences.done();
  ObjectReader adapters = reader.object("adapters");
  set.ranks = adapters.integers("ranks", kCount);
  set.modes = read_list(adapters, "modes", read_mode);
  adapters.done();
  const auto read_table = [&](ObjectReader table, const std::string& rows) {
    auto read = read_members<RequestTable>(table, rules);
    read.sets = read_list(table, rows, read_set);
    table.done();
    return read;
  };
  set.layers = read_table(reader.object("layers"), "sets");
  set.comparison = read_table(reader.object("comparison"), "rows");
  reader.done();
  return set;
}

}  // namespace sizesheet
