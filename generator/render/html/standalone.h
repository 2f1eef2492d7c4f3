// SPDX-License-Identifier: Apache-2.0
// A page as one document: the stylesheet and the script stand in it, and its own policy allows
// these two and nothing else.
#pragma once

#include <string>

#include "render/html/templates.h"

namespace sizesheet {

/// `body` is rendered markup, `title` plain text.
std::string standalone_document(const std::string& title, const std::string& body,
                                const TemplateSet& templates);

/// 'sha256-…': how a policy names a text that it allows.
std::string policy_hash(const std::string& text);

}  // namespace sizesheet
