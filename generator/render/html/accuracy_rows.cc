// SPDX-License-Identifier: Apache-2.0
#include "render/html/accuracy_rows.h"

#include "render/html/cells.h"
#include "support/text.h"

namespace sizesheet {

namespace {

std::string relation_words(const std::string& relation) {
  if (relation == "lower_bound") return "at least";
  if (relation == "fits") return "ran";
  if (relation == "oom") return "out of memory";
  return "";
}

void put_gib(Json& values, const std::string& name, const std::optional<std::int64_t>& bytes) {
  if (bytes) {
    put(values, name, format_gib(*bytes, 1), static_cast<double>(*bytes));
  } else {
    put_absent(values, name);
  }
}

/// What a row says beside its figures.
std::string row_words(const AccuracyRow& row) {
  if (!row.refusal.empty()) return "refused: " + row.refusal;
  return join(row.flags, ", ");
}

/// A verdict that what happened contradicts.
bool contradicted(const AccuracyRow& row) {
  if (row.relation == "oom") return row.verdict == "fits";
  return row.verdict == "no";
}

Json row_values(const AccuracyRow& row) {
  const std::string relation = relation_words(row.relation);
  const std::string words = row_words(row);
  Json values = {{"row_id", row.id},
                 {"row_setup", row.setup},
                 {"row_kind", row.kind},
                 {"row_has_relation", !relation.empty()},
                 {"row_relation", relation},
                 {"row_verdict", row.verdict.empty() ? std::string(kAbsent) : row.verdict},
                 {"row_class", contradicted(row) ? "no" : "said"},
                 {"row_has_words", !words.empty()},
                 {"row_words", words},
                 {"row_link", row.link},
                 {"row_evidence", row.evidence},
                 {"row_source", row.source},
                 {"row_source_id", source_fragment(row.source)},
                 {"row_held_out", row.held_out}};
  put_gib(values, "row_measured", row.measured);
  put_gib(values, "row_predicted", row.predicted);
  if (row.error) {
    put_signed_share(values, "row_error", *row.error);
  } else {
    put_absent(values, "row_error");
  }
  return values;
}

}  // namespace

std::string source_fragment(const std::string& id) { return "source-" + id; }

void put_share(Json& values, const std::string& name, double share) {
  put(values, name, format_number(100 * share, 1) + "\u00a0%", share);
}

void put_signed_share(Json& values, const std::string& name, double share) {
  const std::string text = format_number(100 * share, 1) + "\u00a0%";
  const bool positive = share > 0 && text != "0.0\u00a0%";
  put(values, name, (positive ? "+" : "") + text, share);
}

Json accuracy_row_values(const Accuracy& accuracy) {
  Json rows = Json::array();
  for (const AccuracyRow& row : accuracy.rows) rows.push_back(row_values(row));
  return rows;
}

}  // namespace sizesheet
