// SPDX-License-Identifier: Apache-2.0
#include "cli/run_log.h"

#include <algorithm>

#include "support/text.h"

namespace sizesheet {
namespace {

constexpr double kMiB = 1.0 / 1024;  // in GiB
constexpr double kByte = 1 / kGiB;

/// How many values of one figure are kept.
enum class Of { kLargest, kMedian };

struct LogKey {
  std::string_view name;
  std::optional<double> RunFigures::*figure;
  Of of;
  double unit = 1;
  bool inverse = false;  ///< seconds of a step, and no steps of a second
};

constexpr LogKey kLogKeys[] = {
    // axolotl: the second name of each was its first until 2025
    {"memory/max_allocated (GiB)", &RunFigures::allocated_gib, Of::kLargest},
    {"memory/max_mem_allocated(gib)", &RunFigures::allocated_gib, Of::kLargest},
    {"memory/device_reserved (GiB)", &RunFigures::reserved_gib, Of::kLargest},
    {"memory/device_mem_reserved(gib)", &RunFigures::reserved_gib, Of::kLargest},
    {"tokens/train_per_sec_per_gpu", &RunFigures::tokens_per_second_per_gpu, Of::kMedian},
    // axolotl and torchtune
    {"tokens_per_second_per_gpu", &RunFigures::tokens_per_second_per_gpu, Of::kMedian},
    {"peak_memory_alloc", &RunFigures::allocated_gib, Of::kLargest},
    {"peak_memory_reserved", &RunFigures::reserved_gib, Of::kLargest},
    // torchtitan
    {"memory/max_reserved(GiB)", &RunFigures::reserved_gib, Of::kLargest},
    {"throughput(tps)", &RunFigures::tokens_per_second_per_gpu, Of::kMedian},
    // ms-swift
    {"memory(GiB)", &RunFigures::reserved_gib, Of::kLargest},
    {"train_speed(iter/s)", &RunFigures::steps_per_second, Of::kMedian},
    {"train_speed(s/it)", &RunFigures::steps_per_second, Of::kMedian, 1, true},
    // transformers
    {"train_tokens_per_second", &RunFigures::tokens_per_second_per_gpu, Of::kMedian},
    {"train_steps_per_second", &RunFigures::steps_per_second, Of::kMedian},
    // measure-script
    {"allocated_bytes", &RunFigures::allocated_gib, Of::kLargest, kByte},
    {"reserved_bytes", &RunFigures::reserved_gib, Of::kLargest, kByte},
    {"device_bytes", &RunFigures::device_gib, Of::kLargest, kByte},
};

bool continues_name(char letter) {
  return is_letter_or_digit(letter) || letter == '_' || letter == '/';
}

/// The number behind `at`, where nothing but a colon, an equals sign, quotes and blanks is before
/// it.
std::optional<double> number_behind(std::string_view text, std::size_t at) {
  constexpr std::string_view kBetween = " \t'\":=";
  const std::size_t begin = text.find_first_not_of(kBetween, at);
  if (begin == text.npos || begin == at) return std::nullopt;
  const std::size_t end = text.find_first_not_of("0123456789.eE+-", begin);
  return parsed<double>(text.substr(begin, end == text.npos ? text.npos : end - begin));
}

/// Above 0: loggers write 0 before the first step.
void add_positive(std::optional<double> value, double unit, bool inverse,
                  std::vector<double>& values) {
  if (!value || *value <= 0) return;
  values.push_back(inverse ? unit / *value : *value * unit);
}

std::vector<double> values_of(std::string_view text, const LogKey& key) {
  std::vector<double> values;
  for (std::size_t at = text.find(key.name); at != text.npos; at = text.find(key.name, at + 1)) {
    if (at > 0 && continues_name(text[at - 1])) continue;
    add_positive(number_behind(text, at + key.name.size()), key.unit, key.inverse, values);
  }
  return values;
}

/// "34210MiB / 81559MiB": what is used.
std::vector<double> nvidia_smi_values(std::string_view text) {
  constexpr std::string_view kUnit = "MiB";
  std::vector<double> values;
  for (std::size_t at = text.find(kUnit); at != text.npos; at = text.find(kUnit, at + 1)) {
    const std::size_t behind = text.find_first_not_of(' ', at + kUnit.size());
    if (behind == text.npos || text[behind] != '/') continue;
    std::size_t begin = at;
    while (begin > 0 && (is_digit(text[begin - 1]) || (begin == at && text[begin - 1] == ' '))) {
      --begin;
    }
    const std::string_view digits = text.substr(begin, at - begin);
    const std::size_t end = digits.find(' ');
    add_positive(parsed<double>(digits.substr(0, end)), kMiB, false, values);
  }
  return values;
}

void put(std::vector<double> values, Of of, std::optional<double>& figure) {
  if (values.empty()) return;
  std::ranges::sort(values);
  const double found = of == Of::kLargest ? values.back() : values[values.size() / 2];
  figure = of == Of::kLargest ? std::max(figure.value_or(0), found) : figure.value_or(found);
}

}  // namespace

RunFigures figures_in(std::string_view text) {
  RunFigures found;
  for (const LogKey& key : kLogKeys) put(values_of(text, key), key.of, found.*key.figure);
  put(nvidia_smi_values(text), Of::kLargest, found.device_gib);
  return found;
}

std::vector<std::string> known_log_keys() {
  std::vector<std::string> names;
  for (const LogKey& key : kLogKeys) names.emplace_back(key.name);
  return names;
}

}  // namespace sizesheet
