// SPDX-License-Identifier: Apache-2.0
#include "support/address.h"

#include <algorithm>

#include "support/text.h"

namespace sizesheet {
namespace {

constexpr std::string_view kScheme = "https";
constexpr std::string_view kAfterScheme = "://";

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/// "example.org" or "example.org:8080".
bool is_authority(std::string_view text) {
  const std::string_view host = text.substr(0, text.find(':'));
  const bool letters = std::all_of(host.begin(), host.end(), [](char c) {
    return is_letter_or_digit(c) || c == '.' || c == '-';
  });
  if (host.empty() || !letters || !is_letter_or_digit(host.front())) return false;
  if (host.size() == text.size()) return true;
  constexpr std::size_t kMostDigits = 5;
  const std::string_view port = text.substr(host.size() + 1);
  return !port.empty() && port.size() <= kMostDigits &&
         std::all_of(port.begin(), port.end(), is_digit);
}

/// What follows "://" up to the path, or to the end of the word.
std::string_view authority_of(std::string_view rest) {
  std::string_view found = rest.substr(0, rest.find_first_of("/?# \t\n\"'<>()[]{},;`|\\"));
  while (!found.empty() && (found.back() == '.' || found.back() == ':')) found.remove_suffix(1);
  return found;
}

}  // namespace

std::string unsafe_address(std::string_view text) {
  for (std::size_t at = text.find(kAfterScheme); at != std::string_view::npos;
       at = text.find(kAfterScheme, at + kAfterScheme.size())) {
    std::size_t first = at;
    while (first > 0 && is_letter_or_digit(text[first - 1])) --first;
    const std::string_view authority = authority_of(text.substr(at + kAfterScheme.size()));
    if (text.substr(first, at - first) == kScheme && is_authority(authority)) continue;
    const std::size_t end = at + kAfterScheme.size() + authority.size();
    return std::string(text.substr(first, end - first));
  }
  return "";
}

bool is_address(std::string_view text) {
  const std::string start = std::string(kScheme) + std::string(kAfterScheme);
  if (text.substr(0, start.size()) != start) return false;
  const bool plain = std::all_of(text.begin(), text.end(), [](char c) {
    return c > ' ' && c < 0x7F &&
           std::string_view("\"'<>\\^`{|}").find(c) == std::string_view::npos;
  });
  const std::string_view rest = text.substr(start.size());
  return plain && is_authority(rest.substr(0, rest.find_first_of("/?#")));
}

}  // namespace sizesheet
