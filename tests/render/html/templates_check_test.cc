// SPDX-License-Identifier: Apache-2.0
// Templates that would never end are refused before anything is drawn.
#include <gtest/gtest.h>

#include "render/html/templates/templates.h"
#include "support/refusal.h"

namespace sizesheet {
namespace {

std::string refusal(const TemplateSet& templates) {
  return refusal_of([&] { check_templates(templates, "mine"); });
}

TEST(TemplatesCheck, takes_the_built_in_ones) {
  EXPECT_EQ(refusal(builtin_templates()), "no refusal");
}

TEST(TemplatesCheck, refuses_circles) {
  EXPECT_EQ(refusal({{"a.mustache", "{{>a}}"}}),
            "mine/a.mustache: takes itself in: a.mustache > a.mustache");
  EXPECT_EQ(refusal({{"a.mustache", "{{> b }}"}, {"b.mustache", "{{#x}}{{ >a}}{{/x}}"}}),
            "mine/a.mustache: takes itself in: a.mustache > b.mustache > a.mustache");
  EXPECT_EQ(refusal({{"a.mustache", "{{>b}}{{>b}}"}, {"b.mustache", "{{>c}}"}}), "no refusal");
}

TEST(TemplatesCheck, refuses_depth_and_other_delimiters) {
  std::string deep;
  for (int i = 0; i < 101; ++i) deep += "{{#x}}";
  EXPECT_EQ(refusal({{"a.mustache", deep}}),
            "mine/a.mustache: expected at most 100 sections in each other");
  EXPECT_EQ(refusal({{"a.mustache", "{{=<% %>=}}<%>a%>"}}),
            "mine/a.mustache: expected the delimiters {{ and }} throughout, got others");
}

TEST(TemplatesCheck, refuses_what_is_malformed_by_its_own_name) {
  EXPECT_EQ(refusal({{"a.mustache", "{{>b}}"}, {"b.mustache", "{{#x}}"}}),
            "mine/b.mustache: Unclosed section \"x\" at 0");
}

}  // namespace
}  // namespace sizesheet
