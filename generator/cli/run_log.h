// SPDX-License-Identifier: Apache-2.0
// What a run says of its memory and speed: in the log or the state of a trainer, or as nvidia-smi
// prints it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sizesheet {

/// Absent: the run does not say it.
struct RunFigures {
  std::optional<double> allocated_gib;  ///< of tensors, at the peak
  std::optional<double> reserved_gib;   ///< by the allocator
  std::optional<double> device_gib;     ///< of the whole card, as nvidia-smi shows it
  std::optional<double> tokens_per_second_per_gpu;
  std::optional<double> steps_per_second;  ///< optimizer steps

  bool empty() const {
    return !allocated_gib && !reserved_gib && !device_gib && !tokens_per_second_per_gpu &&
           !steps_per_second;
  }
};

/// The largest of each figure of memory, and the median of each speed, over all places of `text`
/// that say one. Understands the keys of transformers, axolotl, torchtune, torchtitan and ms-swift,
/// "34210MiB / 81559MiB" of nvidia-smi, and what `measure-script` prints.
RunFigures figures_in(std::string_view text);

/// The keys that are understood, for a message.
std::vector<std::string> known_log_keys();

}  // namespace sizesheet
