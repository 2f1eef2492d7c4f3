// SPDX-License-Identifier: Apache-2.0
#include "cli/thresholds.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>

#include "support/error.h"
#include "support/printable.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// A plain decimal number, not negative.
std::optional<double> decimal(std::string_view text) {
  double value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  const bool whole = error == std::errc{} && end == text.data() + text.size();
  if (!whole || !std::isfinite(value) || value < 0 || std::signbit(value)) return std::nullopt;
  return value;
}

/// The number before `unit`; nullopt where either is missing.
std::optional<double> with_unit(std::string_view text, std::string_view unit) {
  if (!text.ends_with(unit)) return std::nullopt;
  text.remove_suffix(unit.size());
  return decimal(text);
}

double share(const std::string& name, const std::string& text) {
  const auto percent = with_unit(text, "%");
  if (percent) return *percent / 100;
  const std::string near = decimal(text) ? " (did you mean \"" + text + "%\"?)" : "";
  throw InputError("--threshold " + name + ": expected per cent such as 0.5%, 0 or more, got " +
                   in_quotes(text) + near);
}

double gib(const std::string& text) {
  auto size = with_unit(text, "GiB");
  if (!size) size = decimal(text);
  if (size) return *size;
  const std::string near = with_unit(text, "GB") || with_unit(text, "G")
                               ? " (did you mean \"" + text.substr(0, text.find('G')) + "GiB\"?)"
                               : "";
  throw InputError("--threshold memory: expected GiB such as 0.5 or 0.5GiB, 0 or more, got " +
                   in_quotes(text) + near);
}

void read_one(const std::string& word, std::set<std::string>& named, ChangeThresholds& limits) {
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos) {
    throw InputError("--threshold: expected NAME=VALUE such as usd=1%, got " + in_quotes(word));
  }
  const std::string name = word.substr(0, equals);
  const std::string value = word.substr(equals + 1);
  const std::vector<std::string> known{"hours", "memory", "usd"};
  if (std::find(known.begin(), known.end(), name) == known.end()) {
    throw InputError("--threshold: expected usd, hours or memory, got " + in_quotes(name) +
                     did_you_mean(name, known));
  }
  if (!named.insert(name).second) {
    throw InputError("--threshold: expected " + name + " once, got it again as " + in_quotes(word));
  }
  if (name == "usd") limits.usd_share = share(name, value);
  if (name == "hours") limits.hours_share = share(name, value);
  if (name == "memory") limits.memory_gib = gib(value);
}

}  // namespace

ChangeThresholds read_thresholds(const std::vector<std::string>& words) {
  ChangeThresholds limits;
  std::set<std::string> named;
  for (const std::string& word : words) {
    for (const std::string& one : split(word, ',')) read_one(one, named, limits);
  }
  return limits;
}

}  // namespace sizesheet
