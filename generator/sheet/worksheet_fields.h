// SPDX-License-Identifier: Apache-2.0
// The fields of the worksheets' part of a Sheet, for fields.h.
#pragma once

#include <type_traits>

#include "sheet/worksheet.h"

namespace sizesheet {

template <typename V, typename T>
void fields(V& v, T& item) requires std::is_same_v<std::remove_const_t<T>, SheetWorksheetColumn> {
  v("id", item.id);
  v("title", item.title);
  v("decimals", item.decimals);
}

template <typename V, typename T>
void fields(V& v, T& item) requires std::is_same_v<std::remove_const_t<T>, SheetWorksheetRow> {
  v("id", item.id);
  v("group", item.group);
  v("title", item.title);
  v("figures", item.figures);
  v("usd", item.usd);
  v("words", item.words);
  v("layout", item.layout);
  v("device_bytes", item.device);
  v("capacity_bytes", item.capacity);
  v("note", item.note);
}

template <typename V, typename T>
void fields(V& v, T& item) requires std::is_same_v<std::remove_const_t<T>, SheetWorksheet> {
  v("id", item.id);
  v("page", item.page);
  v("title", item.title);
  v("words", item.words);
  v("source", item.source);
  v("date", item.date);
  v("rows_title", item.rows_title);
  v("columns", item.columns);
  v("rows", item.rows);
}

}  // namespace sizesheet
