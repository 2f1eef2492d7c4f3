// SPDX-License-Identifier: Apache-2.0
// A request object (already merged with its stack) read into a Job, every key checked.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "catalog/catalog.h"
#include "catalog/loader.h"
#include "sizing/request/job.h"
#include "support/json.h"

namespace sizesheet {

/// The layout keys a request may fix; what is absent is searched.
struct LayoutPins {
  std::optional<std::int64_t> gpus;
  std::optional<std::int64_t> dp;
  std::optional<std::int64_t> tp;
  std::optional<std::int64_t> pp;
  std::optional<std::int64_t> cp;
  std::optional<std::int64_t> ep;
  std::optional<Shard> shard;
};

/// A dimension that a request fixes or a search chooses.
struct Dimension {
  const char* key;
  std::int64_t ParallelRanks::*ranks;
  std::optional<std::int64_t> LayoutPins::*pin;
};
inline constexpr Dimension kDimensions[] = {{"tp", &Layout::tp, &LayoutPins::tp},
                                            {"pp", &Layout::pp, &LayoutPins::pp},
                                            {"cp", &Layout::cp, &LayoutPins::cp},
                                            {"ep", &Layout::ep, &LayoutPins::ep},
                                            {"dp", &Layout::dp, &LayoutPins::dp}};
/// Those that split the model.
inline constexpr std::span<const Dimension, 4> kSplits(kDimensions, 4);

struct ReadJob {
  Job job;
  LayoutPins pins;
  std::int64_t max_gpus = 512;
};

/// Keys of an estimate request but id, model, gpu and stack. Faults go to the reader's collector.
/// The GPU (nullptr: none named) gives `hsdp` its shard group and decides between bf16 and fp16;
/// the catalog has the models that score completions. `training`: of the request's objective, read
/// before.
ReadJob read_job(ObjectReader& request, std::shared_ptr<const Architecture> model,
                 const std::optional<TrainingObjective>& training, const EngineConstants& constants,
                 const Gpu* gpu, const Catalog& catalog);

/// The model with so many rows more in embedding and head as "added_tokens" says, for tokens of
/// one's own, rounded up to "vocab_multiple", and with its further predictions where "mtp" keeps
/// them.
std::shared_ptr<const Architecture> model_as_run(ObjectReader& request,
                                                 std::shared_ptr<const Architecture> model);

void read_method_keys(ObjectReader reader, Job& job);
/// The base's name; full fine-tuning has none and keeps kTrained.
std::string read_base(ObjectReader& reader, Job& job);
/// Training that rounds weights to a format they are stored in later; once the base is known.
void read_qat(ObjectReader& reader, Job& job);
void read_kernels(std::optional<ObjectReader> reader, const Gpu* gpu, Job& job);
/// Once kernels are known.
/// `generates`: the request has a `grpo` object.
void read_workload(std::optional<ObjectReader> reader, bool generates, Job& job);
/// Precision, once state is known: bf16, fp16 under loss scaling, or fp8.
void read_precision(ObjectReader& request, std::optional<ObjectReader>& kernels, const Gpu* gpu,
                    Job& job);
/// Once method and workload are known: it sets the trained sequence.
void read_grpo(ObjectReader& request, const Gpu* gpu, const Catalog& catalog, Job& job);
/// How much of the vision tower trains; of a method.
void read_vision(ObjectReader& method, Job& job);
/// The images of a workload, once its sequences are known.
void read_images(ObjectReader& workload, bool generates, Job& job);
/// Whether what trains of the tower has something to see.
void settle_vision(ObjectReader& request, const Job& job);
/// What is trained for, checked against all else; it sets the loss.
void settle_objective(ObjectReader& request, Job& job);
/// Whether there are adapters whose absence makes the reference.
void check_adapter_off(ObjectReader& reader, Reference reference, const Job& job);
/// Whether the engine of the job can be split and started; once overheads are known.
void check_grpo(ObjectReader& request, const Gpu* gpu, const Job& job);
/// Why the dollars of such a run are not known; "" where they are.
std::string money_fault(const Job& job);

/// `words` may be a function that makes them, where that costs more than to check.
template <typename Words>
void refuse_unless(ObjectReader& reader, bool fine, const char* key, const Words& words) {
  if (fine) return;
  if constexpr (std::is_invocable_v<Words>) {
    reader.fault(key, words());
  } else {
    reader.fault(key, words);
  }
}

/// "none", "optimizer", "params", "all".
const char* offload_name(const Layout& layout);
std::string recompute_name(const Job& job);
/// As a request says it: the name, or the modules.
Json recompute_json(const Job& job);

}  // namespace sizesheet
