// SPDX-License-Identifier: Apache-2.0
#include "render/html/templates/proof_id.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "sheet/sheet.h"

namespace sizesheet {

std::string proof_id(const Sheet& sheet, const Row& row) {
  std::string id = "bill-" + row.method + "-" + row.gpu;
  if (!sheet.is_main(row)) id += "-" + row.scenario;
  return id;
}

}  // namespace sizesheet
