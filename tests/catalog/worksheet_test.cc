// SPDX-License-Identifier: Apache-2.0
// Worksheets out of their file: what is kept, and one mutation at a time, whole text.
#include "catalog/published/worksheet.h"

#include <gtest/gtest.h>

#include "catalog/sample_catalog.h"
#include "support/refusal.h"

namespace sizesheet {
namespace {

Json table_document() {
  return parse_json(R"({
    "id": "small", "page": "method", "position": 1, "title": "Small", "words": "Two rows.",
    "source": "here", "date": "2026-11", "rows_title": "Row", "request": {"model": "llama-3.1-8b"},
    "columns": [{"id": "device_gib", "title": "GiB", "decimals": 1}, {"id": "why", "title": "Why"}],
    "groups": [{"id": "a", "title": "A", "request": {"gpu": "h100-sxm"}}],
    "rows": [{"id": "one", "title": "One", "request": {"method": "full"}},
             {"id": "two", "title": "Two", "facts": {"why": "because"}, "note": "a note"}]})",
                    "small.json");
}

Worksheet read_table(const Json& json, Faults& faults) {
  return read_worksheet({json, "small.json", "", faults});
}

/// Faults after `value` is put at `pointer`.
Texts table_faults(const std::string& pointer, const Json& value) {
  Faults faults;
  read_table(changed_at(table_document(), pointer, value), faults);
  return texts_of(faults);
}

TEST(Worksheet, keeps_what_the_file_says) {
  Faults faults;
  const Worksheet sheet = read_table(table_document(), faults);
  EXPECT_EQ(texts_of(faults), Texts{});
  EXPECT_EQ(sheet.columns.at(0).decimals, 1);
  EXPECT_EQ(sheet.groups.at(0).request.at("gpu"), "h100-sxm");
  EXPECT_EQ(sheet.rows.at(0).request->at("method"), "full");
  EXPECT_FALSE(sheet.rows.at(1).request.has_value());
  EXPECT_EQ(sheet.rows.at(1).facts.at("why"), "because");
  EXPECT_EQ(sheet.rows.at(1).note, "a note");
}

TEST(Worksheet, without_groups_has_one_without_a_title) {
  Json json = table_document();
  json.erase("groups");
  Faults faults;
  const Worksheet sheet = read_table(json, faults);
  EXPECT_EQ(texts_of(faults), Texts{});
  ASSERT_EQ(sheet.groups.size(), 1U);
  EXPECT_EQ(sheet.groups.at(0).title, "");
}

TEST(Worksheet, refuses_what_it_could_not_show) {
  EXPECT_EQ(table_faults("/page", "methods"),
            Texts{R"(small.json:/page: expected one of frameworks, gpus, guides, method; got )"
                  R"("methods" (did you mean "method"?))"});
  EXPECT_EQ(table_faults("/rows/1/facts/wy", "x"),
            Texts{R"(small.json:/rows/1/facts/wy: no column "wy" in the table )"
                  R"((did you mean "why"?))"});
  const Texts twice{
      R"(small.json:/columns/1/id: expected an id that stands once, got "device_gib" again)",
      R"(small.json:/rows/1/facts/why: no column "why" in the table)"};
  EXPECT_EQ(table_faults("/columns/1/id", "device_gib"), twice);
  EXPECT_EQ(table_faults("/rows/0/id", "One row"),
            Texts{"small.json:/rows/0/id: expected lower-case letters, digits, '.', '-' and '_', "
                  "got \"One row\""});
  EXPECT_EQ(table_faults("/columns/0/decimals", 7),
            Texts{"small.json:/columns/0/decimals: expected an integer from 0 to 6, got 7"});
  EXPECT_EQ(table_faults("/rows/0/request", "full"),
            Texts{R"(small.json:/rows/0/request: expected an object, got "full")"});
  EXPECT_EQ(table_faults("/rowz", 1),
            Texts{R"(small.json:/rowz: unknown key (did you mean "rows"?))"});
}

}  // namespace
}  // namespace sizesheet
