// SPDX-License-Identifier: Apache-2.0
#include "support/values.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "support/json.h"
#include "support/project_catalog.h"
#include "support/refusal.h"
#include "support/value_texts.h"

namespace sizesheet {
namespace {

const ValueKind& kind_called(const std::string& id) {
  static const std::map<std::string, std::reference_wrapper<const ValueKind>> kinds = [] {
    std::map<std::string, std::reference_wrapper<const ValueKind>> all;
    for (const ValueKind& kind :
         {std::cref(count_kind()), std::cref(length_kind()), std::cref(tokens_kind()),
          std::cref(hours_kind()), std::cref(dollars_kind()), std::cref(rate_kind()),
          std::cref(share_kind()), std::cref(memory_kind())}) {
      all.emplace(kind.id, kind);
    }
    return all;
  }();
  return kinds.at(id);
}

TEST(Values, are_read_as_people_write_them) {
  const Json cases = oracle("values.json");
  for (const Json& one : cases.at("read")) {
    const ReadValue read = read_value(one.at(1).get<std::string>(), kind_called(one.at(0)));
    EXPECT_EQ(read.fault, "") << one;
    EXPECT_DOUBLE_EQ(read.value.value_or(-1), one.at(2).get<double>()) << one;
  }
}

TEST(Values, that_may_be_two_or_none_are_refused_in_whole_sentences) {
  const Json cases = oracle("values.json");
  for (const Json& one : cases.at("refused")) {
    const ReadValue read = read_value(one.at(1).get<std::string>(), kind_called(one.at(0)));
    EXPECT_FALSE(read.value) << one;
    EXPECT_EQ(read.fault, one.at(2)) << one;
  }
}

TEST(Values, lists_hold_lengths_whose_commas_have_one_meaning) {
  const Json cases = oracle("values.json");
  for (const Json& one : cases.at("lists")) {
    EXPECT_EQ(lengths_in("--seq", one.at(0)), one.at(1).get<std::vector<std::int64_t>>()) << one;
  }
  for (const Json& one : cases.at("lists_refused")) {
    EXPECT_EQ(refusal_of([&] { lengths_in("--seq", one.at(0)); }), one.at(1)) << one;
  }
}

TEST(Values, days_are_written_in_one_way) {
  for (const char* day : {"2026-11-20", "1970-01-01", "2024-02-29"}) EXPECT_EQ(why_no_day(day), "");
  for (const char* text : {"", "yesterday", "today", "2026/11/20", "20.11.2026", "2026-11",
                           "2026-13-01", "2026-02-30", "2026-11-20T00:00", "2026-1-2"}) {
    EXPECT_EQ(why_no_day(text), std::string("expected a date YYYY-MM-DD, got \"") + text + "\"");
  }
}

TEST(ValueTexts, of_a_request_become_numbers) {
  const Json request = {{"id", "8k"},
                        {"headroom", "10%"},
                        {"deadline_hours", "3d"},
                        {"model", {{"tokens", "50M"}}},
                        {"layout", {{"gpus", "8"}}},
                        {"workload", {{"seq_len", "8k"}, {"tokens", "1.5B"}, {"packed", true}}}};
  const Json expected = {
      {"id", "8k"},
      {"headroom", 0.1},
      {"deadline_hours", 72.0},
      {"model", {{"tokens", "50M"}}},
      {"layout", {{"gpus", 8}}},
      {"workload", {{"seq_len", 8192}, {"tokens", 1500000000}, {"packed", true}}}};
  EXPECT_TRUE(has_value_text(request));
  EXPECT_EQ(request_with_values(request), expected);
  EXPECT_FALSE(has_value_text(expected));
}

TEST(ValueTexts, that_are_none_are_faults_at_their_place) {
  const Json request = {{"rent_usd_per_gpu_hour", "2,49"},
                        {"workload", {{"seq_len", "long"}, {"tokens", "1,5M"}}}};
  EXPECT_EQ(refusal_of([&] { static_cast<void>(request_with_values(request)); }),
            "rent_usd_per_gpu_hour: \"2,49\" can be read as 2.49 or as 249; write 2.49 or 249; "
            "workload.seq_len: expected tokens of a sequence, such as 8192, 8,192 or 8k, got "
            "\"long\"; workload.tokens: \"1,5M\" can be read as 1.5M or as 15M; write 1.5M or 15M");
}

}  // namespace
}  // namespace sizesheet
