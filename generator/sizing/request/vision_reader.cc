// SPDX-License-Identifier: Apache-2.0
// What of a request concerns images: how many a sequence has, how large they are, and how much of
// the tower that sees them trains.

#include <limits>

#include "sizing/request/job_reader.h"
#include "support/text.h"

namespace sizesheet {

void read_vision(ObjectReader& method, Job& job) {
  if (method.raw("vision").is_null()) return;
  const auto training = read_named_or(method, "vision", kTowerTrainings, TowerTraining::kFrozen);
  refuse_unless(method, job.model->tower.has_value(), "vision",
                "the model has no vision tower that is counted");
  if (job.model->tower) job.vision = Vision{.training = training};
}

void read_images(ObjectReader& workload, bool generates, Job& job) {
  const auto images = workload.optional_number("images", {std::numeric_limits<double>::min(), 1e4});
  const auto height = workload.optional_integer("image_height", {1, 1 << 16});
  const auto width = workload.optional_integer("image_width", {1, 1 << 16});
  for (const auto& [key, side] : {std::pair{"image_height", height}, {"image_width", width}}) {
    refuse_unless(workload, images || !side, key,
                  "is of the images of a sequence, and images does not say how many there are");
  }
  if (!images) return;
  const std::optional<Tower>& tower = job.model->tower;
  refuse_unless(workload, tower.has_value(), "images",
                "the model has no vision tower that is counted");
  refuse_unless(workload, !generates && !job.training, "images",
                "are modelled in supervised fine-tuning; leave them out, or grpo and objective");
  if (!tower) return;
  const bool own_size = tower->image_size > 0;
  for (const auto& [key, side] : {std::pair{"image_height", height}, {"image_width", width}}) {
    refuse_unless(workload, !own_size || !side, key, [&] {
      const std::string pixels = std::to_string(tower->image_size);
      return "changes nothing: the model brings every image to " + pixels + " x " + pixels;
    });
    refuse_unless(workload, own_size || side, key, "expected an integer, got nothing");
  }
  if (!own_size && (!height || !width)) return;
  if (!job.vision) job.vision.emplace();
  job.vision->images = *images;
  job.vision->each = image_size(*tower, height.value_or(0), width.value_or(0));
  const double tokens = *images * as_double(job.vision->each.tokens);
  refuse_unless(workload, tokens <= as_double(job.seq_len), "images", [&] {
    return shortest(*images) + " x " + format_integer(job.vision->each.tokens) +
           " tokens are more than seq_len, " + std::to_string(job.seq_len);
  });
}

void settle_vision(ObjectReader& request, const Job& job) {
  const bool idle = job.vision && job.vision->images == 0;
  refuse_unless(request, !idle || job.vision->training == TowerTraining::kFrozen, "method", [&] {
    return "vision " + in_quotes(id_of(kTowerTrainings, job.vision->training)) +
           " needs workload.images: without any there is nothing to learn from";
  });
}

}  // namespace sizesheet
