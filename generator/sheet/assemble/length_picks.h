// SPDX-License-Identifier: Apache-2.0
// The picks at other sequence lengths, made anew over all GPU types and counts of the sheet.
#pragma once

namespace sizesheet {

struct Catalog;
struct Sheet;
struct SheetSpec;

/// Fills Pick::at_lengths for each of the spec's `pick_seq_lens`, by the rules of the sheet and its
/// main scenario, on `jobs` threads: what `sizesheet ask --seq` answers.
void add_length_picks(const Catalog& catalog, const SheetSpec& spec, int jobs, Sheet& sheet);

}  // namespace sizesheet
