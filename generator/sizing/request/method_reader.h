// SPDX-License-Identifier: Apache-2.0
// The method of a request: what trains, what the weights are stored in and rounded to; and its
// images: how many a sequence has, how large they are, and how much of the tower trains.
#pragma once

#include <optional>
#include <string>

#include "sizing/job/job.h"
#include "support/json.h"

namespace sizesheet {

struct ReadMethod {
  MethodKeys keys;
  std::optional<Vision> vision;  ///< what of the tower trains; its images are the workload's
};

ReadMethod read_method_keys(ObjectReader reader, const Architecture& model,
                            const PrecisionKeys& stated);

/// The images of a workload, beside what of the tower trains.
std::optional<Vision> read_images(ObjectReader& workload, bool generates, const Architecture& model,
                                  const WorkloadKeys& keys);
/// Whether what trains of the tower has something to see.
void check_vision(ObjectReader& request, const std::optional<Vision>& vision);

/// What the frozen base is stored in; nullopt where every weight trains.
std::optional<std::string> base_name(const MethodKeys& method);

}  // namespace sizesheet
