// SPDX-License-Identifier: Apache-2.0
#include "sizing/job/micro_batch.h"

#include "sizing/job/job.h"
#include "sizing/job/lengths.h"
#include "support/whole_numbers.h"

namespace sizesheet {

void set_micro_batch(std::int64_t examples, Job& job) {
  job.micro_batch = examples;
  if (!job.samples) return;
  const SampleBatches& before = *job.samples;
  job.samples = batches_of(before.batching, before.spread, examples * job.sequences());
  if (job.sample_length) job.samples->cost.attended = as_double(*job.sample_length);
}

}  // namespace sizesheet
