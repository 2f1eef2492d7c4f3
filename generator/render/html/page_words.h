// SPDX-License-Identifier: Apache-2.0
// Pages and scripts in the language and the money of the sheet, when they are drawn: whole texts
// between tags are looked up, so that a label needs no mark in any template.
#pragma once

#include <string>

namespace sizesheet {

struct SheetMeta;

/// A drawn page as people read it: labels that are all the text between two tags, or of an
/// attribute that is read, and the sign of money throughout.
std::string worded_page(const std::string& page, const SheetMeta& meta);

/// A script with its labels: whole texts in quotes that begin with a capital, as no name in it
/// does.
std::string worded_script(std::string script, const SheetMeta& meta);

}  // namespace sizesheet
