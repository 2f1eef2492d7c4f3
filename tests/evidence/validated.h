// SPDX-License-Identifier: Apache-2.0
// The project's measurements through the engine, once for all tests; and committed intervals
// against those that the residuals give today, which `make intervals` writes anew.
#pragma once

#include <gtest/gtest.h>

#include "catalog/published/measured.h"
#include "evidence/validation.h"
#include "support/project_catalog.h"

namespace sizesheet {

inline const Validation& validated() {
  static const Validation validation = validate(project_catalog(), 2);
  return validation;
}

inline void expect_same_intervals(const Intervals& committed, const Intervals& fitted) {
  ASSERT_EQ(committed.classes.size(), fitted.classes.size());
  for (std::size_t i = 0; i < fitted.classes.size(); ++i) {
    const IntervalClass& expected = fitted.classes[i];
    const IntervalClass& found = committed.classes[i];
    EXPECT_NEAR(found.low, expected.low, 0.005) << found.id;
    EXPECT_NEAR(found.high, expected.high, 0.005) << found.id;
    EXPECT_EQ(found.n, expected.n) << found.id;
    EXPECT_EQ(found.grade, expected.grade) << found.id;
    EXPECT_EQ(found.basis, expected.basis) << found.id;
  }
}

}  // namespace sizesheet
