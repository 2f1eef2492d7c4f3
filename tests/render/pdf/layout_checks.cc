// SPDX-License-Identifier: Apache-2.0
#include "render/pdf/layout_checks.h"

#include <algorithm>
#include <cmath>

namespace sizesheet::pdf {

namespace {

constexpr double kHair = 0.01;  // points that may be shared

bool overlap(const Rect& a, const Rect& b) {
  return a.x + kHair < b.x + b.width && b.x + kHair < a.x + a.width &&
         a.y + kHair < b.y + b.height && b.y + kHair < a.y + a.height;
}

}  // namespace

const Faces& test_faces() {
  static const Faces faces;
  return faces;
}

std::vector<TextRun> text_runs(const PageLayout& page) {
  std::vector<TextRun> runs;
  for (const Mark& mark : page.marks) {
    if (const auto* run = std::get_if<TextRun>(&mark)) runs.push_back(*run);
  }
  return runs;
}

std::vector<std::string> overlaps(const PageLayout& page) {
  const std::vector<TextRun> runs = text_runs(page);
  std::vector<std::string> found;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (!overlap(extent(runs[i]), extent(runs[j]))) continue;
      found.push_back("'" + runs[i].text + "' over '" + runs[j].text + "'");
    }
  }
  return found;
}

std::vector<std::string> outside(const PageLayout& page, double top, double bottom) {
  std::vector<std::string> found;
  for (const TextRun& run : text_runs(page)) {
    const Rect area = extent(run);
    const bool inside = area.x >= 28 - kHair && area.x + area.width <= page.width - 28 + kHair &&
                        area.y >= top - kHair && area.y + area.height <= bottom + kHair;
    if (!inside) found.push_back(run.text);
  }
  return found;
}

double smallest_text(const PageLayout& page) {
  double smallest = 1000;
  for (const TextRun& run : text_runs(page)) smallest = std::min(smallest, run.style.size);
  return smallest;
}

std::vector<std::string> line_at(const PageLayout& page, double y) {
  std::vector<TextRun> runs = text_runs(page);
  std::erase_if(runs, [&](const TextRun& run) { return std::abs(run.start.y - y) > 0.5; });
  std::sort(runs.begin(), runs.end(),
            [](const TextRun& a, const TextRun& b) { return a.start.x < b.start.x; });
  std::vector<std::string> texts;
  for (const TextRun& run : runs) texts.push_back(run.text);
  return texts;
}

std::string all_text(const PageLayout& page) {
  std::string text;
  for (const TextRun& run : text_runs(page)) text += run.text + "\n";
  return text;
}

GlyphWidth half_em(std::u32string missing) {
  return [missing = std::move(missing)](Face, char32_t character) -> std::optional<int> {
    if (missing.find(character) != std::u32string::npos) return std::nullopt;
    return 500;
  };
}

}  // namespace sizesheet::pdf
