// SPDX-License-Identifier: Apache-2.0
// What several commands share: embedded documents, absent figures.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "support/text.h"

namespace sizesheet {

/// Files of docs/ that commands quote, generated into the program by the build.
const std::map<std::string, std::string_view>& embedded_documents();

/// A figure as `format` has it, or the sign of absence.
template <typename T, typename Format>
std::string or_absent(const std::optional<T>& value, const Format& format) {
  return value ? format(*value) : std::string(kAbsent);
}

}  // namespace sizesheet
