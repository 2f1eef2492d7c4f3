// SPDX-License-Identifier: Apache-2.0
// The fields of the accuracy part of a Sheet, for the JSON writer and reader (see fields.h).
#pragma once

#include <type_traits>

#include "evidence/accuracy.h"

namespace sizesheet {

template <typename V, typename T>
void fields(V& v, T& stats) requires std::is_same_v<std::remove_const_t<T>, ErrorStats> {
  v("n", stats.n);
  v("median", stats.median);
  v("mean", stats.mean);
  v("p90", stats.p90);
  v("worst", stats.worst);
  v("bias", stats.bias);
  v("low", stats.low);
  v("high", stats.high);
}

template <typename V, typename T>
void fields(V& v, T& row) requires std::is_same_v<std::remove_const_t<T>, AccuracyRow> {
  v("id", row.id);
  v("source", row.source);
  v("framework", row.framework);
  v("method", row.method);
  v("setup", row.setup);
  v("kind", row.kind);
  v("relation", row.relation);
  v("held_out", row.held_out);
  v("flags", row.flags);
  v("measured_bytes", row.measured);
  v("predicted_bytes", row.predicted);
  v("error", row.error);
  v("verdict", row.verdict);
  v("refusal", row.refusal);
  v("interval_class", row.interval_class);
  v("link", row.link);
  v("evidence", row.evidence);
}

template <typename V, typename T>
void fields(V& v, T& source) requires std::is_same_v<std::remove_const_t<T>, AccuracySource> {
  v("id", source.id);
  v("title", source.title);
  v("source", source.source);
  v("url", source.url);
  v("date", source.date);
  v("held_out", source.held_out);
  v("rows", source.rows);
  v("speed_held_out", source.speed_held_out);
  v("speeds", source.speeds);
}

template <typename V, typename T>
void fields(V& v, T& group) requires std::is_same_v<std::remove_const_t<T>, AccuracyGroup> {
  v("name", group.name);
  v("errors", group.errors);
}

template <typename V, typename T>
void fields(V& v, T& seen) requires std::is_same_v<std::remove_const_t<T>, Confusion> {
  v("ran_fits", seen.ran_fits);
  v("ran_tight", seen.ran_tight);
  v("ran_no", seen.ran_no);
  v("oom_fits", seen.oom_fits);
  v("oom_tight", seen.oom_tight);
  v("oom_no", seen.oom_no);
}

template <typename V, typename T>
void fields(V& v, T& part) requires std::is_same_v<std::remove_const_t<T>, AccuracyPart> {
  v("sources", part.sources);
  v("errors", part.errors);
  v("one_vote_median", part.one_vote_median);
  v("by_kind", part.by_kind);
  v("by_method", part.by_method);
  v("by_framework", part.by_framework);
  v("by_source", part.by_source);
  v("confusion", part.confusion);
  v("lower_bounds", part.lower_bounds);
  v("undercut", part.undercut);
  v("refused", part.refused);
}

template <typename V, typename T>
void fields(V& v, T& reason) requires std::is_same_v<std::remove_const_t<T>, OutOfModel> {
  v("id", reason.id);
  v("title", reason.title);
  v("rows", reason.rows);
}

template <typename V, typename T>
void fields(V& v, T& bar) requires std::is_same_v<std::remove_const_t<T>, BarResult> {
  v("id", bar.id);
  v("title", bar.title);
  v("limit", bar.limit);
  v("value", bar.value);
  v("missed", bar.missed);
}

template <typename V, typename T>
void fields(V& v, T& one) requires std::is_same_v<std::remove_const_t<T>, AccuracyInterval> {
  v("id", one.id);
  v("title", one.title);
  v("low", one.low);
  v("high", one.high);
  v("n", one.n);
  v("sources", one.sources);
  v("grade", one.grade);
  v("basis", one.basis);
}

template <typename V, typename T>
void fields(V& v, T& coverage) requires std::is_same_v<std::remove_const_t<T>, HeldOutCoverage> {
  v("n", coverage.n);
  v("share", coverage.share);
  v("median_half_width", coverage.median_half_width);
}

template <typename V, typename T>
void fields(V& v, T& row) requires std::is_same_v<std::remove_const_t<T>, SpeedRow> {
  v("id", row.id);
  v("source", row.source);
  v("framework", row.framework);
  v("method", row.method);
  v("setup", row.setup);
  v("held_out", row.held_out);
  v("flags", row.flags);
  v("measured_tokens_per_s_per_gpu", row.measured);
  v("predicted_tokens_per_s_per_gpu", row.predicted);
  v("low_tokens_per_s_per_gpu", row.low);
  v("high_tokens_per_s_per_gpu", row.high);
  v("error", row.error);
  v("bound_by", row.bound_by);
  v("refusal", row.refusal);
  v("interval_class", row.interval_class);
  v("link", row.link);
  v("evidence", row.evidence);
}

template <typename V, typename T>
void fields(V& v, T& part) requires std::is_same_v<std::remove_const_t<T>, SpeedPart> {
  v("sources", part.sources);
  v("errors", part.errors);
  v("one_vote_median", part.one_vote_median);
  v("covered", part.covered);
  v("median_range", part.median_range);
  v("by_class", part.by_class);
  v("by_method", part.by_method);
  v("by_source", part.by_source);
  v("refused", part.refused);
}

template <typename V, typename T>
void fields(V& v, T& speed) requires std::is_same_v<std::remove_const_t<T>, SpeedAccuracy> {
  v("rows", speed.rows);
  v("all", speed.all);
  v("tuned", speed.tuned);
  v("held_out", speed.held_out);
  v("flagged", speed.flagged);
  v("intervals", speed.intervals);
}

template <typename V, typename T>
void fields(V& v, T& accuracy) requires std::is_same_v<std::remove_const_t<T>, Accuracy> {
  v("held_out_rule", accuracy.held_out_rule);
  v("sources", accuracy.sources);
  v("rows", accuracy.rows);
  v("all", accuracy.all);
  v("tuned", accuracy.tuned);
  v("held_out", accuracy.held_out);
  v("flagged", accuracy.flagged);
  v("out_of_model", accuracy.out_of_model);
  v("bars", accuracy.bars);
  v("intervals", accuracy.intervals);
  v("coverage_held_out", accuracy.coverage);
  v("speed", accuracy.speed);
}

}  // namespace sizesheet
