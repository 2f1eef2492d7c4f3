// SPDX-License-Identifier: Apache-2.0
// The method of a request read into a Job: what trains, what the weights are stored in and rounded
// to; and its images: how many a sequence has, how large they are, and how much of the tower
// trains.
#pragma once

#include <optional>
#include <string>

#include "support/json.h"

namespace sizesheet {

struct Job;

void read_method_keys(ObjectReader reader, Job& job);

/// The images of a workload, once its sequences are known.
void read_images(ObjectReader& workload, bool generates, Job& job);
/// Whether what trains of the tower has something to see.
void settle_vision(ObjectReader& request, const Job& job);

/// What the frozen base is stored in; nullopt where every weight trains.
std::optional<std::string> base_name(const Job& job);

}  // namespace sizesheet
