// SPDX-License-Identifier: Apache-2.0
// Faults as text, and the search for the name that was meant.
#include "support/error.h"

#include <gtest/gtest.h>

namespace sizesheet {
namespace {

TEST(FaultText, names_file_and_pointer) {
  EXPECT_EQ(to_text({"gpus/h100.json", "/memory_gb", "expected a number, got \"x\""}),
            "gpus/h100.json:/memory_gb: expected a number, got \"x\"");
  EXPECT_EQ(to_text({"a.json", "", "expected an object, got 5"}),
            "a.json: expected an object, got 5");
  EXPECT_EQ(to_text({"", "/a", "wrong"}), "/a: wrong");
  EXPECT_EQ(to_text({"", "", "wrong"}), "wrong");
}

TEST(FaultText, of_a_request_has_dots_and_indices) {
  EXPECT_EQ(to_request_text({"", "/layout/ep", "too many"}), "layout.ep: too many");
  EXPECT_EQ(to_request_text({"", "/method/targets/2", "unknown"}), "method.targets[2]: unknown");
  EXPECT_EQ(to_request_text({"", "/a~1b/c~0d", "wrong"}), "a/b.c~d: wrong");
  EXPECT_EQ(to_request_text({"file", "", "wrong"}), "wrong");
}

TEST(Faults, keep_their_order) {
  Faults faults;
  EXPECT_TRUE(faults.empty());
  faults.add("b", "/x", "one");
  faults.add("a", "/y", "two");
  ASSERT_EQ(faults.all().size(), 2U);
  EXPECT_EQ(faults.all()[0], (Fault{"b", "/x", "one"}));
  EXPECT_EQ(faults.all()[1], (Fault{"a", "/y", "two"}));
}

TEST(DidYouMean, finds_a_near_name) {
  const std::vector<std::string> known{"fits", "tight", "no"};
  EXPECT_EQ(did_you_mean("fitz", known), " (did you mean \"fits\"?)");
  EXPECT_EQ(did_you_mean("FITS", known), " (did you mean \"fits\"?)");
  EXPECT_EQ(did_you_mean("ftis", known), " (did you mean \"fits\"?)");  // a swap costs 1
  EXPECT_EQ(did_you_mean("tigth", known), " (did you mean \"tight\"?)");
  EXPECT_EQ(did_you_mean("on", known), " (did you mean \"no\"?)");
}

TEST(DidYouMean, is_silent_when_nothing_is_close) {
  const std::vector<std::string> known{"fits", "tight", "no"};
  EXPECT_EQ(did_you_mean("banana", known), "");
  EXPECT_EQ(did_you_mean("fixy", known), "");  // distance 2, a third of 4 is 1
  EXPECT_EQ(did_you_mean("x", {}), "");
  EXPECT_EQ(did_you_mean(std::string(5000, 'a'), {std::string(5000, 'a')}), "");
}

TEST(DidYouMean, takes_the_first_of_equals) {
  EXPECT_EQ(did_you_mean("bat", {"cat", "hat"}), " (did you mean \"cat\"?)");
  EXPECT_EQ(did_you_mean("bat", {"hat", "cat"}), " (did you mean \"hat\"?)");
}

}  // namespace
}  // namespace sizesheet
