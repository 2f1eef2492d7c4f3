// SPDX-License-Identifier: Apache-2.0
// One fine-tuning job, fully resolved: every key of a request has its value. Plain data.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "catalog/engine_constants.h"
#include "catalog/model.h"
#include "sizing/adapters.h"

namespace sizesheet {

enum class MethodKind { kFull, kLora, kQlora };
enum class AdapterDtype { kBf16, kFp32Autocast, kFp32 };
enum class Recompute { kNone, kSelective, kFull, kModules };
enum class AttentionKernel { kFlash, kFlashRepeatKv, kEager };

/// ZeRO stage; 3 is also FSDP's full sharding.
enum class Shard { kNone = 0, kZero1 = 1, kZero2 = 2, kZero3 = 3 };

struct Layout {
  std::int64_t dp = 1;
  std::int64_t tp = 1;
  bool sequence_parallel = true;
  Shard shard = Shard::kNone;
  std::int64_t shard_group = 0;    ///< ranks that share one copy; 0: all data-parallel ranks
  std::int64_t root_gathered = 2;  ///< how many of embedding and head stay gathered (ZeRO-3)
  bool reduce_fp32 = false;
  double gather_units = 2;
  double bucket_elements = 0;
  bool offload_optimizer = false;
  bool offload_params = false;
  bool expandable_segments = false;

  std::int64_t gpus() const { return dp * tp; }
  std::int64_t shard_ranks() const { return shard_group > 0 ? shard_group : dp; }
  int stage() const { return static_cast<int>(shard); }
};

struct Overheads {
  double context_gib = 0;
  double communicator_gib = 0;
  double all_to_all_gib = 0;
  double library_bytes = 0;
  double other_processes_gib = 0;
  double dynamic_share = 0;  ///< allocator slack on bytes that come and go
  double static_share = 0;   ///< and on bytes that stay
};

struct Job {
  std::shared_ptr<const Architecture> model;  ///< shared: a plan outlives the request it came from
  const EngineConstants* constants = nullptr;

  MethodKind kind = MethodKind::kFull;
  AdapterSpec adapters;  ///< LoRA and QLoRA only
  AdapterDtype adapter_dtype = AdapterDtype::kBf16;
  double dropout = 0;
  bool double_quant = true;
  bool kbit_prep = false;  ///< every unquantised frozen parameter is cast to fp32

  StateRecipe state;
  OptimizerCost optimizer;
  bool optimizer_foreach = false;
  bool paged_optimizer = false;

  Recompute recompute = Recompute::kNone;
  std::set<std::string> recompute_modules;
  AttentionKernel attention = AttentionKernel::kFlash;
  std::string loss = "hf";
  bool fused_ops = false;

  std::int64_t seq_len = 4096;
  std::int64_t micro_batch = 1;
  std::int64_t grad_accum = 1;
  std::optional<double> tokens;  ///< of the whole run
  bool packed = true;

  Layout layout;
  Overheads overheads;
  double headroom = 0.10;

  bool full() const { return kind == MethodKind::kFull; }
  bool nf4() const { return kind == MethodKind::kQlora; }
  /// Tokens of one micro-batch on one rank.
  double tokens_per_rank() const {
    return static_cast<double>(micro_batch) * static_cast<double>(seq_len);
  }
};

}  // namespace sizesheet
