// SPDX-License-Identifier: Apache-2.0
// A made-up comparison with measurements for tests of writers: every kind of row once.
#pragma once

#include "evidence/accuracy.h"

namespace sizesheet::sample {

Accuracy accuracy();

}  // namespace sizesheet::sample
