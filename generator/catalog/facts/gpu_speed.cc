// SPDX-License-Identifier: Apache-2.0
#include "catalog/facts/gpu_speed.h"

#include "catalog/files/entry.h"
#include "support/json.h"
#include "support/text.h"

namespace sizesheet {

GpuSpeed read_speed(ObjectReader& row) {
  constexpr Bounds<double> kSpeed{0, 1e6};
  constexpr double kSlowest = 0.001;  // GB/s; hours below are of no use to anyone
  auto speed = read_members<GpuSpeed>(row, {.numbers = {0.001, 1},
                                            .bounds = {{"bus_gb_per_s", kSpeed},
                                                       {"host_link_gb_per_s", kSpeed},
                                                       {"nic_gb_per_s", kSpeed},
                                                       {"te_fp8_efficiency", {0.001, 2}}}});
  for (const char* key : {"bus_gb_per_s", "host_link_gb_per_s"}) {
    const Json& link = row.raw(key);  // 0: no such link, or not known
    if (!row.sound(key) || link == 0 || link >= kSlowest) continue;
    row.mismatch(key, "0 or at least " + shortest(kSlowest) + " GB/s", link);
  }
  read_filled_text(row, "reason");
  speed.source = read_source(row);
  read_date(row, "date");
  row.done();
  return speed;
}

}  // namespace sizesheet
