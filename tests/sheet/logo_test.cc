// SPDX-License-Identifier: Apache-2.0
// Logos: more than 200 odd files are decoded to what they show or refused in a sentence, and the
// same pixels are drawn to the same bytes. The sanitizers watch the decoder and the library of the
// PDF meanwhile.
#include "sheet/logo.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>

#include "render/pdf/drawing/document.h"
#include "render/pdf/fonts/faces.h"
#include "render/pdf/page/page_layout.h"
#include "sheet/odd_pngs.h"
#include "support/due.h"
#include "support/error.h"
#include "support/refusal.h"
#include "support/temp_dir.h"

namespace sizesheet {
namespace {

const std::string kExpected =
    "sheet.json:/options/logo: expected a PNG file of at most 4096 by 4096 pixels, got ";

/// As an edition keeps it. The file is read and decoded for that; one that is refused is "".
std::string kept(const std::string& bytes) {
  const TempDir dir;
  dir.write("l.png", bytes);
  try {
    return read_logo(dir.path() / "l.png");
  } catch (const InputError&) {
    return "";
  }
}

std::string base64_of(const std::string& bytes) {
  static constexpr char kDigits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    std::uint32_t three = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const bool there = at + i < bytes.size();
      three = (three << 8U) | (there ? static_cast<unsigned char>(bytes[at + i]) : 0U);
    }
    for (std::size_t i = 0; i < 4; ++i) {
      text += at + i > bytes.size() ? '=' : kDigits[(three >> (18U - 6U * i)) & 63U];
    }
  }
  return text;
}

std::string drawn(const Logo& logo) {
  static const pdf::Faces kFaces;
  pdf::PageLayout page;
  page.width = page.height = 100;
  page.marks.emplace_back(
      pdf::Picture{{10, 10, 50, 50}, logo.width, logo.height, logo.colors, logo.alpha});
  return pdf::draw(page, {"t", "c", "s", "2026-11-20"}, kFaces);
}

bool is_same(const Logo& a, const Logo& b) {
  return a.width == b.width && a.height == b.height && a.colors == b.colors && a.alpha == b.alpha;
}

TEST(Logo, OddFilesAreDecodedToWhatTheyShowOrRefusedInASentence) {
  const std::vector<OddPng> all = odd_pngs();
  EXPECT_GE(all.size(), 200U);
  std::size_t taken = 0;
  std::size_t refused = 0;
  for (const OddPng& one : all) {
    Logo logo;
    const std::string refusal =
        refusal_of([&] { logo = logo_of(base64_of(one.bytes), "sheet.json:/options/logo"); });
    EXPECT_EQ(kept(one.bytes).empty(), refusal != "no refusal") << one.name;
    if (refusal != "no refusal") {
      ++refused;
      EXPECT_FALSE(one.pixels) << one.name << ": " << refusal;
      EXPECT_TRUE(refusal.starts_with(kExpected)) << one.name << ": " << refusal;
      EXPECT_GT(refusal.size(), kExpected.size()) << one.name;
      continue;
    }
    ++taken;
    const auto size = static_cast<std::size_t>(logo.width) * static_cast<std::size_t>(logo.height);
    EXPECT_EQ(logo.colors.size(), 3 * size) << one.name;
    EXPECT_TRUE(logo.alpha.empty() || logo.alpha.size() == size) << one.name;
    const bool known = !one.pixels || is_same(logo, *one.pixels);
    EXPECT_TRUE(known) << one.name;
    // The fonts of a page take longer than its picture.
    if (size > 10000 || !is_due(taken, 8)) continue;
    const std::string once = drawn(logo);
    EXPECT_EQ(once, drawn(logo)) << one.name;
    EXPECT_EQ(once.find("/SMask") != std::string::npos, !logo.alpha.empty()) << one.name;
  }
  EXPECT_GE(taken, 120U);
  EXPECT_GE(refused, 40U);
}

/// Files of other depths and orders that show the same.
TEST(Logo, TheSamePixelsGiveTheSameBytesOfThePage) {
  std::map<std::string, std::string> pages;
  std::size_t compared = 0;
  for (const OddPng& one : odd_pngs()) {
    if (!one.pixels || one.pixels->width != 33) continue;
    const Logo logo = logo_of(base64_of(one.bytes), "here");
    const auto [first, fresh] = pages.try_emplace(logo.colors + "|" + logo.alpha, drawn(logo));
    compared += fresh ? 0 : 1;
    EXPECT_EQ(first->second, drawn(logo)) << one.name;
  }
  EXPECT_GE(compared, 20U);
}

/// Interlaced, with alpha; drawn by the library's own reader it freed memory twice.
TEST(Logo, AnInterlacedPictureOfSeventyBytesIsDrawn) {
  const Logo logo = logo_of(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAFoEvQfAAAADUlEQVR4nGNgZGJmAQAAGQAL51pGpAAAAABJRU5ErkJg"
      "gg==",
      "here");
  EXPECT_EQ(logo.width, 1);
  EXPECT_EQ(logo.colors, "\x01\x02\x03");
  EXPECT_EQ(logo.alpha, "\x04");
  EXPECT_NE(drawn(logo).find("/SMask"), std::string::npos);
}

TEST(Logo, WhatIsNoBase64IsRefused) {
  const std::string words = "here: expected base64, got other characters";
  for (const char* text : {"?", "A", "====", "AA==AAAA", "A===", "AAAA====", "\xff\xff\xff\xff"}) {
    EXPECT_EQ(refusal_of([&] { logo_of(text, "here"); }), words) << text;
  }
  EXPECT_EQ(refusal_of([] { logo_of(std::string(2 * kMostLogoBytes + 4, 'A'), "here"); }),
            "here: expected a picture of at most 262144 bytes, got more");
  for (const char* text : {"AAAA", "AAA=", "AA=="}) {
    EXPECT_EQ(refusal_of([&] { logo_of(text, "here"); }),
              "here: expected a PNG file of at most 4096 by 4096 pixels, got read beyond end of "
              "data");
  }
}

TEST(Logo, RefusalsNameTheFileAndTheReason) {
  const auto refusal = [](const std::string& name) {
    for (const OddPng& one : odd_pngs()) {
      if (one.name != name) continue;
      const std::string words =
          refusal_of([&] { logo_of(base64_of(one.bytes), "sheet.json:/options/logo"); });
      return words.substr(std::min(words.size(), kExpected.size()));
    }
    return "no file " + name;
  };
  EXPECT_EQ(refusal("cut after 0"), "an empty file");
  EXPECT_EQ(refusal("cut after 7"), "read beyond end of data");
  EXPECT_EQ(refusal("kind 2, 8 bits, 33 by 17, another signature"), "Not a PNG file");
  EXPECT_EQ(refusal("kind 3, 4 bits, 33 by 17, interlaced, no palette"),
            "IDAT: Missing PLTE before IDAT");
  EXPECT_EQ(refusal("no width"), "Invalid IHDR data");
  EXPECT_EQ(refusal("a width of 4,097"), "4097 by 1");
  EXPECT_EQ(refusal("kind 2, 8 bits, 33 by 17, a header with a wrong sum"), "IHDR: CRC error");
  const TempDir dir;
  dir.write("big.png", std::string(kMostLogoBytes + 1, 'x'));
  EXPECT_EQ(refusal_of([&] { read_logo(dir.path() / "big.png"); }),
            (dir.path() / "big.png").string() + ": expected at most 262144 bytes");
}

}  // namespace
}  // namespace sizesheet
