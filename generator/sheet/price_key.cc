// SPDX-License-Identifier: Apache-2.0
#include "sheet/price_key.h"

namespace sizesheet {

std::string offer_of(const std::string& price_key) {
  return price_key.substr(0, price_key.rfind('/'));
}

}  // namespace sizesheet
