// SPDX-License-Identifier: Apache-2.0
#include "render/sample_guides.h"

namespace sizesheet::sample {

std::vector<SheetGuide> guides() {
  SheetGuide full;
  full.id = "master";
  full.title = "Memory by model";
  full.publisher = "Alder Cloud";
  full.source = "https://example.org/memory";
  full.date = "2026-11";
  full.dated = "It has no date.";
  full.words = "A table of memory by model.";
  full.rules = {{"Sharding", "The total is divided by the GPUs.", false},
                {"Bytes and constants", "Weights take 2 bytes.", false},
                {"Bytes and constants", "Gradients take 2 bytes.", true}};
  full.exact = 1203;
  full.within_rounding = 2;
  full.inconsistent = 3;
  full.not_derivable = 1;
  full.figures = {
      {{"a", "Table", "7B, each of 8", "GB/GPU", {{17.5}, {}}, "inconsistent", "Twice."},
       {{140}, {}}},
      {{"b", "Table", "70B fits", "yes or no", {{}, true}, "inconsistent", "It does not."},
       {{}, false}},
      {{"c", "Text", "subtotal", "GB", {{65}, {}}, "inconsistent", "No sum."},
       {{93, 123.456789}, {}}},
      {{"d", "Text", "parts", "GB", {{1, 2, 3}, {}}, "not-derivable", "A claim."}, {}}};
  SheetGuide bare;
  bare.id = "bare";
  bare.title = "Nothing wrong";
  bare.publisher = "Birch";
  bare.source = "a book";
  bare.date = "2026-10";
  bare.dated = "Of 2026.";
  bare.words = "One figure.";
  bare.exact = 1;
  return {full, bare};
}

std::vector<GuideDifference> guide_differences() {
  return {{"loss", "Logits", "None counts them.", "14 bytes a token and entry.",
           "https://example.org/loss", "2026-11"},
          {"bytes", "Bytes", "Sixteen.", "8, 12, 16 or 18.", "a paper", "2026-11"}};
}

}  // namespace sizesheet::sample
