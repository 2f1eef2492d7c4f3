// SPDX-License-Identifier: Apache-2.0
// What is known before the keys of a job are read.
#pragma once

#include <memory>
#include <optional>

#include "sizing/job/training.h"

namespace sizesheet {

struct Architecture;
struct Catalog;
struct EngineConstants;
struct Gpu;

/// Its references outlive the readers that take it.
struct JobBasis {
  const std::shared_ptr<const Architecture>& model;
  const std::optional<TrainingObjective>& training;  ///< of the request's objective
  const EngineConstants& constants;
  const Gpu* gpu = nullptr;  ///< nullptr: none is named
  const Catalog& catalog;    ///< has the models that score completions
};

}  // namespace sizesheet
