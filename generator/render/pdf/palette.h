// SPDX-License-Identifier: Apache-2.0
// The page's colours and text styles. Nothing is told by colour alone: neighbours differ in grey,
// too.
#pragma once

#include "render/pdf/page_layout.h"

namespace sizesheet::pdf {

inline constexpr Color kInk{0x15181e};
inline constexpr Color kWhite{0xffffff};
inline constexpr Color kGrey{0x555c69};
inline constexpr Color kAxis{0x9ba1ab};
inline constexpr Color kPlanned{0x8b919c};
inline constexpr Color kHairline{0xd3d6dc};
inline constexpr Color kTint{0xeaf0f7};
inline constexpr Color kPickFill{0xcfdcea};
inline constexpr Color kBlue{0x1f4e79};
inline constexpr Color kBrown{0xa54a08};
inline constexpr Color kHeadroomBand{0xf3dfcd};
inline constexpr Color kOwnArea{0xf6ece2};
inline constexpr Color kGradients{0x277899};
inline constexpr Color kOptimizer{0xf2a541};
inline constexpr Color kActivations{0x7a9e7e};
inline constexpr Color kOther{0xd3d5dc};

inline constexpr double kSmallestText = 6.5;

constexpr Style regular(double size, Color color = kInk) { return {Face::kRegular, size, color}; }
constexpr Style bold(double size, Color color = kInk) { return {Face::kBold, size, color}; }
constexpr Style condensed(double size, Color color = kInk) {
  return {Face::kCondensed, size, color};
}
constexpr Style condensed_bold(double size, Color color = kInk) {
  return {Face::kCondensedBold, size, color};
}

}  // namespace sizesheet::pdf
