// SPDX-License-Identifier: Apache-2.0
// The six phases of a training step, and bytes by phase.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace sizesheet {

enum class Phase { kForward, kLoss, kLossBackward, kBlockBackward, kEndBackward, kOptimizerStep };
inline constexpr std::array<Phase, 6> kPhases = {Phase::kForward,      Phase::kLoss,
                                                 Phase::kLossBackward, Phase::kBlockBackward,
                                                 Phase::kEndBackward,  Phase::kOptimizerStep};

/// "forward" … "optimizer_step".
const char* name_of(Phase phase);

std::optional<Phase> phase_named(std::string_view name);

/// Bytes in every phase, or in none: a bill that was not made knows no phases.
class PhaseBytes {
 public:
  bool known() const { return known_; }
  /// 0 where none are known.
  std::int64_t in(Phase phase) const { return bytes_[static_cast<std::size_t>(phase)]; }
  void set(Phase phase, std::int64_t bytes) {
    bytes_[static_cast<std::size_t>(phase)] = bytes;
    known_ = true;
  }
  bool operator==(const PhaseBytes&) const = default;

 private:
  std::array<std::int64_t, kPhases.size()> bytes_{};
  bool known_ = false;
};

}  // namespace sizesheet
