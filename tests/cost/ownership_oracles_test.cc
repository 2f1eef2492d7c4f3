// SPDX-License-Identifier: Apache-2.0
// Published rent-or-buy cases, every printed digit.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "cost/ownership.h"

namespace sizesheet {
namespace {

Json published() {
  const std::string path = std::string(SIZESHEET_SOURCE_DIR) + "/tests/oracles/ownership.json";
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return parse_json(text.str(), path);
}

/// Dollars are published to a cent; dollars per GPU-hour and shares to four places.
double half_a_digit(const std::string& key) {
  return key == "own_usd_per_gpu_hour" || key == "break_even_utilisation" ? 0.00005 : 0.005;
}

void expect_equal(const std::string& key, const Json& expected, const Json& got) {
  if (expected.is_object()) {
    ASSERT_TRUE(got.is_number()) << key;
    EXPECT_NEAR(got.get<double>(), expected.at("value").get<double>(),
                expected.at("within").get<double>())
        << key;
  } else if (expected.is_number_float()) {
    ASSERT_TRUE(got.is_number()) << key;
    EXPECT_NEAR(got.get<double>(), expected.get<double>(), half_a_digit(key)) << key;
  } else if (expected.is_number() && got.is_number_float()) {
    EXPECT_NEAR(got.get<double>(), expected.get<double>(), 0.005) << key;
  } else {
    EXPECT_EQ(got, expected) << key;
  }
}

TEST(OwnershipOracles, PublishedCases) {
  const Json cases = published().at("cases");
  ASSERT_EQ(cases.size(), 9U);
  for (const Json& published_case : cases) {
    SCOPED_TRACE(published_case.at("name").get<std::string>());
    const Json answer = answer_cost_request(published_case.at("request"));
    for (const auto& [key, expected] : published_case.at("expected").items()) {
      if (key == "parts") continue;
      expect_equal(key, expected, answer.at(key));
    }
    for (const auto& [key, expected] : published_case.at("expected").at("parts").items()) {
      expect_equal(key, expected, answer.at("parts").at(key));
    }
  }
}

}  // namespace
}  // namespace sizesheet
