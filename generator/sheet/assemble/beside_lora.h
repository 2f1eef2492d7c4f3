// SPDX-License-Identifier: Apache-2.0
// QLoRA beside LoRA: the base takes a quarter of the memory and a step dequantises it, so readers
// expect less memory, longer hours and, for what fits a smaller card, fewer dollars.
#pragma once

namespace sizesheet {

struct Catalog;
struct Sheet;
struct SheetSpec;

/// Says why, in Row::beside_lora, where a QLoRA row does not need less memory or more hours than
/// the row of the same adapters over a base in 16 bits; and, in Pick::why, where its pick costs
/// more.
void explain_beside_lora(const Catalog& catalog, const SheetSpec& spec, Sheet& sheet);

}  // namespace sizesheet
