// SPDX-License-Identifier: Apache-2.0
// The scanner that the style tests rely on.
#include "build/source_scan.h"

#include <gtest/gtest.h>

namespace sizesheet {
namespace {

TEST(SourceScan, blanks_comments_and_literals_but_keeps_lines) {
  EXPECT_EQ(code_only("a /* { \n } */ b"), "a      \n      b");
  EXPECT_EQ(code_only("a // {\nb"), "a     \nb");
  EXPECT_EQ(code_only(R"(x = "{\"{";)"), "x =       ;");
  EXPECT_EQ(code_only("c = '{'; n = 1'000;"), "c =    ; n = 1'000;");
  EXPECT_EQ(code_only("r = R\"x({)\" )x\";"), "r =            ;");
}

TEST(SourceScan, measures_outermost_bodies_only) {
  const std::string text =
      "namespace a {\n"
      "struct B {\n"
      "  int one() { return 1; }\n"
      "  int field = 2;\n"
      "};\n"
      "int two(int x)\n"
      "{\n"
      "  if (x) {\n"
      "    return 3;\n"
      "  }\n"
      "  return 4;\n"
      "}\n"
      "}\n";
  const std::vector<FunctionLength> found = function_lengths(text);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].line, 3);
  EXPECT_EQ(found[0].lines, 1);
  EXPECT_EQ(found[1].line, 7);
  EXPECT_EQ(found[1].lines, 6);
}

TEST(SourceScan, finds_quoted_includes) {
  const SourceFile file{"x.cc", {"#include <map>", "#include \"a/b.h\"", "  # include \"c.h\""}};
  EXPECT_EQ(quoted_includes(file), (std::vector<std::string>{"a/b.h", "c.h"}));
}

}  // namespace
}  // namespace sizesheet
