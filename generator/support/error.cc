// SPDX-License-Identifier: Apache-2.0
#include "support/error.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <utility>

#include "support/text.h"

namespace sizesheet {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), [](unsigned char letter) {
    return static_cast<char>(letter < 0x80 ? std::tolower(letter) : letter);
  });
  return result;
}

/// Optimal string alignment: insert, delete, replace, or swap two neighbours, each at cost 1.
std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) cost[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) cost[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = cost[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  }
  return cost[a.size()][b.size()];
}

/// The tokens of a JSON pointer, "~1" and "~0" undone.
std::vector<std::string> pointer_tokens(const std::string& pointer) {
  std::vector<std::string> tokens;
  for (std::size_t i = 0; i < pointer.size(); ++i) {
    if (pointer[i] == '/') {
      tokens.emplace_back();
    } else if (tokens.empty()) {
      tokens.emplace_back(1, pointer[i]);
    } else if (pointer[i] == '~' && i + 1 < pointer.size()) {
      tokens.back() += pointer[++i] == '1' ? '/' : '~';
    } else {
      tokens.back() += pointer[i];
    }
  }
  return tokens;
}

bool is_index(const std::string& token) {
  return !token.empty() && std::all_of(token.begin(), token.end(),
                                       [](char letter) { return letter >= '0' && letter <= '9'; });
}

}  // namespace

std::string to_text(const Fault& fault) {
  std::string place = fault.file;
  if (!fault.pointer.empty()) place += (place.empty() ? "" : ":") + fault.pointer;
  return place.empty() ? fault.message : place + ": " + fault.message;
}

std::string to_request_text(const Fault& fault) {
  std::string place;
  for (const std::string& token : pointer_tokens(fault.pointer)) {
    if (is_index(token)) {
      place += "[" + token + "]";
    } else {
      place += (place.empty() ? "" : ".") + token;
    }
  }
  return place.empty() ? fault.message : place + ": " + fault.message;
}

void Faults::add(std::string file, std::string pointer, std::string message) {
  all_.push_back({std::move(file), std::move(pointer), std::move(message)});
}

namespace {

/// The first known name that the wanted one begins: "h100" for "h100-nvl".
const std::string* first_beginning_with(const std::string& wanted,
                                        const std::vector<std::string>& known) {
  constexpr std::size_t kShortest = 3;
  if (wanted.size() < kShortest) return nullptr;
  for (const std::string& candidate : known) {
    if (lower(candidate).starts_with(wanted)) return &candidate;
  }
  return nullptr;
}

}  // namespace

void Faults::refuse() const {
  if (all_.empty()) return;
  constexpr std::size_t kMostShown = 200;
  std::vector<std::string> lines;
  for (const Fault& fault : all_) {
    if (lines.size() == kMostShown) {
      lines.push_back("and " + std::to_string(all_.size() - kMostShown) + " faults more");
      break;
    }
    lines.push_back(to_text(fault));
  }
  throw InputError(join(lines, "\n"));
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& known) {
  constexpr std::size_t kLongestName = 200;  // the table below is quadratic; no name is this long
  if (name.size() > kLongestName) return "";
  const std::string wanted = lower(name);
  const std::size_t limit = std::max<std::size_t>(1, name.size() / 3);
  const std::string* closest = nullptr;
  std::size_t least = limit + 1;
  for (const std::string& candidate : known) {
    if (candidate.size() > name.size() + limit) continue;
    const std::size_t far = distance(wanted, lower(candidate));
    if (far >= least) continue;
    least = far;
    closest = &candidate;
  }
  if (closest == nullptr) closest = first_beginning_with(wanted, known);
  return closest == nullptr ? "" : " (did you mean \"" + *closest + "\"?)";
}

}  // namespace sizesheet
