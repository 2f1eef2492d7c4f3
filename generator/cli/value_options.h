// SPDX-License-Identifier: Apache-2.0
// Options that are values of a kind: read as they are parsed, whether the command needs them or
// not, so that none is accepted and ignored.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>

#include "support/json.h"
#include "support/values.h"

namespace sizesheet {

inline constexpr Bounds<double> kGpusAtMost = {1, 1000000};

/// The value of a kind that `option` gives. Throws InputError naming the option.
double value_in(const std::string& option, const std::string& text, const ValueKind& kind,
                Bounds<double> bounds);

/// An option whose value `put` is called with.
CLI::Option* add_value_option(CLI::App& command, const std::string& name, const ValueKind& kind,
                              Bounds<double> bounds, const std::string& words,
                              const std::function<void(double)>& put);

/// The same into `target`: a number, or an optional one.
template <typename T>
CLI::Option* add_value(CLI::App& command, const std::string& name, T& target, const ValueKind& kind,
                       const std::string& words,
                       std::optional<Bounds<double>> bounds = std::nullopt) {
  return add_value_option(command, name, kind, bounds.value_or(kind.bounds), words,
                          [&target](double value) {
                            if constexpr (std::is_arithmetic_v<T>) {
                              target = static_cast<T>(value);
                            } else {
                              target = static_cast<typename T::value_type>(value);
                            }
                          });
}

/// An option that is a day, YYYY-MM-DD.
CLI::Option* add_day(CLI::App& command, const std::string& name, std::string& day,
                     const std::string& words);

}  // namespace sizesheet
