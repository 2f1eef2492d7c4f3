// SPDX-License-Identifier: Apache-2.0
// The fields of the guides' part of a Sheet, for fields.h.
#pragma once

#include <type_traits>

#include "sheet/guide.h"

namespace sizesheet {

template <typename V, typename T>
void fields(V& v, T& rule) requires std::is_same_v<std::remove_const_t<T>, SheetGuideRule> {
  v("part", rule.part);
  v("words", rule.words);
  v("fitted", rule.fitted);
}

template <typename V, typename T>
void fields(V& v, T& value) requires std::is_same_v<std::remove_const_t<T>, SheetGuideValue> {
  v("numbers", value.numbers);
  v("answer", value.answer);
}

template <typename V, typename T>
void fields(V& v, T& figure) requires std::is_same_v<std::remove_const_t<T>, SheetGuideFigure> {
  v("id", figure.id);
  v("where", figure.where);
  v("what", figure.what);
  v("unit", figure.unit);
  v("printed", figure.printed);
  v("computed", figure.computed);
  v("status", figure.status);
  v("reason", figure.reason);
}

template <typename V, typename T>
void fields(V& v, T& guide) requires std::is_same_v<std::remove_const_t<T>, SheetGuide> {
  v("id", guide.id);
  v("title", guide.title);
  v("publisher", guide.publisher);
  v("source", guide.source);
  v("date", guide.date);
  v("dated", guide.dated);
  v("words", guide.words);
  v("rules", guide.rules);
  v("exact", guide.exact);
  v("within_rounding", guide.within_rounding);
  v("inconsistent", guide.inconsistent);
  v("not_derivable", guide.not_derivable);
  v("figures", guide.figures);
}

template <typename V, typename T>
void fields(V& v,
            T& difference) requires std::is_same_v<std::remove_const_t<T>, SheetGuideDifference> {
  v("id", difference.id);
  v("title", difference.title);
  v("guides", difference.guides);
  v("sheet", difference.sheet);
  v("source", difference.source);
  v("date", difference.date);
}

}  // namespace sizesheet
