// SPDX-License-Identifier: Apache-2.0
// A model's config as the loader reads it, for tests of families and shapes.
#pragma once

#include <gtest/gtest.h>

#include "catalog/models/model.h"
#include "support/refusal.h"

namespace sizesheet {

struct ConfigReading {
  Architecture model;
  Texts faults;
};

/// Reads `config` as "c".
inline ConfigReading read_config(const Json& config) {
  Faults faults;
  ObjectReader reader(config, "c", "", faults);
  ConfigReading reading{read_architecture(reader), {}};
  reading.faults = texts_of(faults);
  return reading;
}

/// The architecture of a config that must have no fault.
inline Architecture sound(const Json& config) {
  const ConfigReading reading = read_config(config);
  EXPECT_EQ(reading.faults, Texts{});
  return reading.model;
}

}  // namespace sizesheet
