// SPDX-License-Identifier: Apache-2.0
#include "catalog/published/framework_set.h"

#include <stdexcept>

#include "catalog/loader.h"

namespace sizesheet {
namespace {

constexpr Bounds<double> kAmount{0, 1e9};
constexpr std::int64_t kMostParameters = std::int64_t{1} << 50;

using Names = std::vector<std::string>;

template <typename T>
Names ids_of(const std::vector<T>& all) {
  Names ids;
  for (const T& one : all) ids.push_back(one.id);
  return ids;
}

std::string read_evidence(ObjectReader& reader) {
  return reader.one_of("evidence", evidence_labels());
}

TrainingFramework read_framework(ObjectReader& reader) {
  TrainingFramework framework;
  framework.id = read_id(reader, "id");
  framework.title = read_filled_text(reader, "title");
  framework.words = read_filled_text(reader, "words");
  framework.request = read_request_keys(reader);
  framework.source = read_source(reader);
  framework.date = read_date(reader, "date");
  reader.done();
  return framework;
}

FrameworkQuestion read_framework_question(ObjectReader& reader, const Names& frameworks,
                                          const Names& recipes) {
  FrameworkQuestion question;
  question.id = read_id(reader, "id");
  question.framework = reader.text("framework");
  check_reference(reader, "framework", "framework", frameworks);
  question.title = read_filled_text(reader, "title");
  question.evidence = read_evidence(reader);
  question.recipe = reader.text_or("recipe", "");
  if (reader.has("recipe")) check_reference(reader, "recipe", "recipe", recipes);
  question.words = read_filled_text(reader, "words");
  question.request = read_request_keys(reader);
  reader.done();
  return question;
}

RequestSet read_set(ObjectReader& reader) {
  RequestSet set;
  set.id = read_id(reader, "id");
  set.title = read_filled_text(reader, "title");
  set.request = read_request_keys(reader);
  if (auto printed = reader.optional_object("printed_gb")) {
    for (const std::string& kind : printed->keys()) {
      set.printed_gb[kind] = printed->number(kind, kAmount);
    }
    printed->done();
  }
  reader.done();
  return set;
}

std::vector<RequestSet> read_sets(ObjectReader& reader, const std::string& key) {
  std::vector<ObjectReader> rows = read_rows(reader, key);
  check_unique(rows, "id", "an id");
  std::vector<RequestSet> sets;
  for (ObjectReader& row : rows) sets.push_back(read_set(row));
  return sets;
}

SequenceStep read_step(ObjectReader& reader) {
  SequenceStep step;
  step.seq_len = reader.integer("seq_len", kCount);
  step.gpus = reader.integer("gpus", kCount);
  step.tp = reader.integer("tp", kCount);
  step.cp = reader.integer("cp", kCount);
  step.printed_activations_gb = reader.optional_number("printed_activations_gb", kAmount);
  step.printed_total_gb = reader.optional_number("printed_total_gb", kAmount);
  reader.done();
  return step;
}

SequenceTable read_sequences(ObjectReader reader, const Names& frameworks) {
  SequenceTable table;
  table.framework = reader.text("framework");
  check_reference(reader, "framework", "framework", frameworks);
  table.evidence = read_evidence(reader);
  table.words = read_filled_text(reader, "words");
  table.request = read_request_keys(reader);
  table.sets = read_sets(reader, "sets");
  for (ObjectReader& row : read_rows(reader, "rows")) table.rows.push_back(read_step(row));
  reader.done();
  return table;
}

RequestTable read_table(ObjectReader reader, const std::string& rows, const Names& frameworks) {
  RequestTable table;
  table.framework = reader.text("framework");
  check_reference(reader, "framework", "framework", frameworks);
  table.words = read_filled_text(reader, "words");
  table.request = read_request_keys(reader);
  table.sets = read_sets(reader, rows);
  reader.done();
  return table;
}

PublishedAdapters read_published(ObjectReader& reader) {
  PublishedAdapters count;
  count.rank = reader.integer("rank", kCount);
  count.of = reader.one_of("of", {"all", "experts"});
  count.value = reader.integer("value", {1, kMostParameters});
  count.within = reader.integer("within", {0, kMostParameters});
  count.evidence = read_evidence(reader);
  count.source = read_source(reader);
  reader.done();
  return count;
}

AdapterMode read_mode(ObjectReader& reader) {
  AdapterMode mode;
  mode.id = read_id(reader, "id");
  mode.title = read_filled_text(reader, "title");
  mode.words = read_filled_text(reader, "words");
  mode.request = read_request_keys(reader);
  for (ObjectReader& row : reader.objects("published")) {
    mode.published.push_back(read_published(row));
  }
  reader.done();
  return mode;
}

void read_adapters(ObjectReader reader, FrameworkSet& set) {
  set.ranks = reader.integers("ranks", kCount);
  std::vector<ObjectReader> modes = read_rows(reader, "modes");
  check_unique(modes, "id", "an id");
  for (ObjectReader& mode : modes) set.modes.push_back(read_mode(mode));
  reader.done();
}

/// A whole commit, so that a link to the file keeps leading to what was read.
std::string read_commit(ObjectReader& reader) {
  constexpr std::size_t kWholeCommit = 40;
  std::string commit = read_note(reader, "commit");
  const bool hex = commit.find_first_not_of("0123456789abcdef") == std::string::npos;
  if (!commit.empty() && (!hex || commit.size() != kWholeCommit)) {
    reader.fault("commit", "expected 40 hexadecimal digits, got " + shown(commit));
  }
  return commit;
}

LaunchRecipe read_recipe(ObjectReader& reader, const Names& frameworks) {
  LaunchRecipe recipe;
  recipe.id = read_id(reader, "id");
  recipe.framework = reader.text("framework");
  check_reference(reader, "framework", "framework", frameworks);
  recipe.title = read_filled_text(reader, "title");
  recipe.repository = read_filled_text(reader, "repository");
  recipe.path = read_filled_text(reader, "path");
  recipe.commit = read_commit(reader);
  recipe.date = read_date(reader, "date");
  recipe.gpus = reader.integer("gpus", kCount);
  recipe.nodes = reader.integer("nodes", kCount);
  recipe.hardware = read_filled_text(reader, "hardware");
  recipe.what = read_filled_text(reader, "what");
  recipe.command = read_filled_text(reader, "command");
  recipe.evidence = read_evidence(reader);
  recipe.source = read_source(reader);
  reader.done();
  return recipe;
}

void read_recipes(ObjectReader& reader, const Names& frameworks, FrameworkSet& set) {
  std::vector<ObjectReader> rows = read_rows(reader, "recipes");
  check_unique(rows, "id", "an id");
  for (ObjectReader& row : rows) set.recipes.push_back(read_recipe(row, frameworks));
}

void read_questions(ObjectReader& reader, const Names& frameworks, FrameworkSet& set) {
  std::vector<ObjectReader> rows = read_rows(reader, "questions");
  check_unique(rows, "id", "an id");
  const Names recipes = ids_of(set.recipes);
  for (ObjectReader& row : rows) {
    set.questions.push_back(read_framework_question(row, frameworks, recipes));
  }
}

}  // namespace

const std::vector<std::string>& evidence_labels() {
  static const std::vector<std::string> labels = {"computed", "recipe", "tested", "theoretical"};
  return labels;
}

const TrainingFramework& FrameworkSet::framework(const std::string& framework_id) const {
  for (const TrainingFramework& one : frameworks) {
    if (one.id == framework_id) return one;
  }
  throw std::out_of_range("no framework '" + framework_id + "' in '" + id + "'");
}

FrameworkSet read_framework_set(ObjectReader reader, const FrameworkNames& known) {
  FrameworkSet set;
  set.id = read_id(reader, "id");
  set.title = read_filled_text(reader, "title");
  set.words = read_filled_text(reader, "words");
  set.model = reader.text("model");
  check_reference(reader, "model", "model", known.models);
  set.gpu = reader.text("gpu");
  check_reference(reader, "gpu", "GPU", known.gpus);
  set.source = read_source(reader);
  set.date = read_date(reader, "date");
  std::vector<ObjectReader> rows = read_rows(reader, "frameworks");
  check_unique(rows, "id", "an id");
  for (ObjectReader& row : rows) set.frameworks.push_back(read_framework(row));
  const Names frameworks = ids_of(set.frameworks);
  read_recipes(reader, frameworks, set);
  read_questions(reader, frameworks, set);
  set.sequences = read_sequences(reader.object("sequences"), frameworks);
  read_adapters(reader.object("adapters"), set);
  set.layers = read_table(reader.object("layers"), "sets", frameworks);
  set.comparison = read_table(reader.object("comparison"), "rows", frameworks);
  reader.done();
  return set;
}

}  // namespace sizesheet
