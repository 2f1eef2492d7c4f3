// SPDX-License-Identifier: Apache-2.0
#include "support/json_texts.h"

#include "support/pointer.h"
#include "support/printable.h"

namespace sizesheet {
namespace {

void refuse_unfit(const std::string& text, const std::string& file, const std::string& pointer) {
  const std::string unfit = unfit_character(text);
  if (unfit.empty()) return;
  throw InputError(to_text({file, pointer, "expected a text without the character " + unfit}));
}

using Visit = std::function<void(const std::string& pointer, const Json& leaf)>;

/// `pointer` grows and shrinks in place: a catalog has a hundred thousand leaves.
void visit_leaves(const Json& value, std::string& pointer, const Visit& visit) {
  if (value.empty() || !value.is_structured()) return visit(pointer, value);
  const std::size_t length = pointer.size();
  if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i) {
      pointer += "/" + std::to_string(i);
      visit_leaves(value[i], pointer, visit);
      pointer.resize(length);
    }
    return;
  }
  for (const auto& [key, inner] : value.get_ref<const Json::object_t&>()) {
    pointer += "/" + pointer_token(key);
    visit_leaves(inner, pointer, visit);
    pointer.resize(length);
  }
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

void for_each_leaf(const Json& document, std::string pointer, const Visit& visit) {
  visit_leaves(document, pointer, visit);
}

}  // namespace sizesheet
