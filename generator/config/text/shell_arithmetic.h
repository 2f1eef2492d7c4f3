// SPDX-License-Identifier: Apache-2.0
// Arithmetic of a shell script with whole numbers: "BATCH / (GPUS * 2)".
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace sizesheet {

/// What the expression comes to, with the values of its variables put in; nullopt where a variable
/// is not known or no whole number, for other operators than + - * / % and parentheses, and where a
/// result is too large.
std::optional<std::int64_t> shell_arithmetic(std::string_view expression,
                                             const std::map<std::string, std::string>& values);

}  // namespace sizesheet
