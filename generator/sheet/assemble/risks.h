// SPDX-License-Identifier: Apache-2.0
// What may move the picks of the handout, counted.
#pragma once

namespace sizesheet {

struct Sheet;

/// What may move the handout's picks: one seller, speeds that nobody published, list prices that
/// moved within 90 days or are old, and another GPU type within the tie share. What holds for none
/// is left out.
void add_risks(Sheet& sheet);

}  // namespace sizesheet
