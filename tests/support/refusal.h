// SPDX-License-Identifier: Apache-2.0
// The words of refusals and faults, for tests that compare whole messages.
#pragma once

#include <string>
#include <vector>

#include "support/error.h"

namespace sizesheet {

using Texts = std::vector<std::string>;

/// The message of the InputError that `act` throws, or "no refusal".
template <typename Act>
std::string refusal_of(const Act& act) {
  try {
    act();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no refusal";
}

inline Texts texts_of(const Faults& faults) {
  Texts texts;
  for (const Fault& fault : faults.all()) texts.push_back(to_text(fault));
  return texts;
}

}  // namespace sizesheet
