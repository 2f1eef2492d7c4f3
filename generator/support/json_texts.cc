// SPDX-License-Identifier: Apache-2.0
#include "support/json_texts.h"

#include <algorithm>

#include "support/pointer.h"
#include "support/printable.h"

namespace sizesheet {
namespace {

/// Most texts are plain ASCII, and an edition has millions of letters.
bool is_plain(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c < 0x7F; });
}

void refuse_unfit(const std::string& text, const std::string& file, const std::string& pointer) {
  if (is_plain(text)) return;
  const std::string unfit = unfit_character(text);
  if (unfit.empty()) return;
  throw InputError(
      to_text({file, plain_text(pointer), "expected a text without the character " + unfit}));
}

}  // namespace

void refuse_unfit_texts(const Json& document, const std::string& file, const std::string& pointer) {
  if (document.is_string()) {
    refuse_unfit(document.get_ref<const std::string&>(), file, pointer);
  } else if (document.is_object()) {
    for (const auto& [key, value] : document.items()) {
      refuse_unfit(key, file, pointer);
      refuse_unfit_texts(value, file, pointer + "/" + pointer_token(key));
    }
  } else if (document.is_array()) {
    for (std::size_t i = 0; i < document.size(); ++i) {
      refuse_unfit_texts(document[i], file, pointer + "/" + std::to_string(i));
    }
  }
}

}  // namespace sizesheet
