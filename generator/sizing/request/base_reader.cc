// SPDX-License-Identifier: Apache-2.0
// What the weights of a request's method are stored in, and rounded to; and its images: how many a
// sequence has, how large they are, and how much of the tower that sees them trains.

#include <limits>

#include "sizing/request/job_reader.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr NameTable<BaseDtype, 8> kStored{{{BaseDtype::kBf16, "bf16"},
                                           {BaseDtype::kFp32, "fp32"},
                                           {BaseDtype::kFp16, "fp16"},
                                           {BaseDtype::kInt8, "int8"},
                                           {BaseDtype::kFp8, "fp8"},
                                           {BaseDtype::kNf4, "nf4"},
                                           {BaseDtype::kMxfp4, "mxfp4"},
                                           {BaseDtype::kNvfp4, "nvfp4"}}};

/// Why rounding to another format in training cannot apply; "" if it can.
std::string why_not_rounded(const Job& job) {
  if (!job.full() && job.base != BaseDtype::kBf16) {
    return "rounds bf16 weights, and method.base is " + in_quotes(id_of(kStored, job.base));
  }
  if (job.full() && job.state.weight != 2) {
    return "rounds bf16 weights, and state " + in_quotes(job.state.id) + " keeps " +
           shortest(job.state.weight) + " bytes";
  }
  if (job.precision != Precision::kBf16) return "needs kernels.precision \"bf16\"";
  if (has_experts(*job.model)) {
    return "is modelled for plain projections, and the model has routed experts";
  }
  return "";
}

}  // namespace

std::string read_base(ObjectReader& reader, Job& job) {
  const MethodFacts& kind = facts_of(job.kind);
  const bool fp16 = job.precision == Precision::kFp16;
  const std::string natural = kind.needs_nf4() ? "nf4" : fp16 && !job.full() ? "fp16" : "bf16";
  static const std::vector<std::string> kNames = ids(kStored);
  const std::string base = reader.one_of_or("base", kNames, natural);
  if (job.full()) {
    refuse_unless(reader, base == "bf16", "base", [&] {
      return "method.kind \"full\" has no frozen base; `state` says how its weights are kept, "
             "got " +
             in_quotes(base);
    });
    return base;
  }
  job.base = value_of(kStored, base).value_or(BaseDtype::kBf16);
  const auto id = [&] { return in_quotes(id_of(job.kind)); };
  refuse_unless(reader, !kind.needs_nf4() || base == "nf4", "base",
                [&] { return "method.kind " + id() + " has an nf4 base, got " + in_quotes(base); });
  refuse_unless(reader, base != "fp8" || job.precision == Precision::kFp8, "base",
                "\"fp8\" is multiplied as it is stored and needs kernels.precision \"fp8\"");
  refuse_unless(reader, kind.takes_nf4() || base != "nf4", "base", [&] {
    return "an nf4 base needs method.kind " + in_quotes(id_of(kind.quantised)) + ", got " + id();
  });
  return base;
}

void read_qat(ObjectReader& reader, Job& job) {
  const std::string format =
      reader.one_of_or("qat", {"none", "int8-int4", "int4", "fp8", "nvfp4"}, "none");
  job.fake_quantised = format != "none";
  job.fake_quantised_inputs = job.fake_quantised && format != "int4";  // which rounds weights alone
  if (!job.fake_quantised) return;
  const std::string fault = why_not_rounded(job);
  refuse_unless(reader, fault.empty(), "qat", in_quotes(format) + " " + fault);
}

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
