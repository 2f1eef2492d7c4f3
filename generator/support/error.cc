// SPDX-License-Identifier: Apache-2.0
#include "support/error.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "support/printable.h"
#include "support/text.h"

namespace sizesheet {
namespace {

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
  if (!fault.pointer.empty()) place += (place.empty() ? "" : ":") + plain_text(fault.pointer);
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

std::string Faults::request_text() const {
  std::string text;
  for (const Fault& fault : all_) text += (text.empty() ? "" : "; ") + to_request_text(fault);
  return text;
}

void Faults::refuse() const {
  if (all_.empty()) return;
  constexpr std::size_t kMostShown = 200;
  std::vector<std::string> lines;
  for (const Fault& fault : all_) {
    if (lines.size() == kMostShown) {
      const std::size_t more = all_.size() - kMostShown;
      lines.push_back("and " + std::to_string(more) + (more == 1 ? " fault more" : " faults more"));
      break;
    }
    lines.push_back(to_text(fault));
  }
  throw InputError(join(lines, "\n"));
}

}  // namespace sizesheet
