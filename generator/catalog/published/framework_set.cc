// SPDX-License-Identifier: Apache-2.0
#include "catalog/published/framework_set.h"

#include <stdexcept>

#include "catalog/loader.h"

namespace sizesheet {
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
  constexpr Bounds<double> kParameters{0, 1125899906842624.0};  // 2^50
  auto mode = read_members<AdapterMode>(reader);
  for (ObjectReader& row : reader.objects("published")) {
    const std::int64_t rank = row.integer("rank", kCount);
    mode.published.push_back(read_entry<PublishedAdapters>(
        row, {.bounds = {{"value", {1, kParameters.high}}, {"within", kParameters}},
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
