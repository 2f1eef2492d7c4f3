// SPDX-License-Identifier: Apache-2.0
// A sheet as people read it: its amounts and its signs of money in the currency that it names.
#pragma once

#include <string>

namespace sizesheet {

struct Sheet;
struct SheetMeta;

/// The sheet with every amount converted, once and from its dollars, so that counts, picks and
/// their order stay; sentences made of amounts are made again. What is quoted keeps its dollars:
/// the signs in it are marked. Of a sheet with a rate of exchange.
Sheet as_shown(const Sheet& sheet);

/// A text of a form as people read it. In a text of ours "$", "USD" and "dollars" are the money of
/// the sheet; where `as_quoted` marked them they are what they say.
std::string in_money(std::string text, const SheetMeta& meta);
std::string as_quoted(std::string text);

/// A label in the language of the sheet, behind the mark that it has; any other text as it is.
std::string labelled(const std::string& text, const SheetMeta& meta);

/// Both, of a whole text: how most of them are printed.
std::string worded(const std::string& text, const SheetMeta& meta);

/// "1 EUR = $1.0842 on 2026-10-09 (its source)", quoted; "" where people read dollars.
std::string exchange_words(const SheetMeta& meta);

}  // namespace sizesheet
