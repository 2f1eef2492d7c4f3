// SPDX-License-Identifier: Apache-2.0
#include "render/xlsx/pages.h"

#include <algorithm>

#include "render/xlsx/assumptions_page.h"
#include "render/xlsx/labels.h"
#include "render/xlsx/ownership_table.h"
#include "render/xlsx/page.h"
#include "render/xlsx/prices_table.h"
#include "render/xlsx/rent_columns.h"
#include "render/xlsx/rent_table.h"
#include "render/xlsx/sizing_table.h"
#include "render/xlsx/terms_table.h"
#include "sheet/tiers.h"

namespace sizesheet::xlsx {
namespace {

constexpr std::size_t kHeading = 2;
constexpr double kMostRateDollars = 1e6;
constexpr double kMostGpus = 1024;

std::size_t column_of(const std::vector<Column>& columns, const std::string& key) {
  std::size_t i = 0;
  while (i < columns.size() && columns[i].key != key) ++i;
  return i;
}

std::string edition_words(const SheetMeta& meta) {
  return meta.title + ", " + meta.edition + ", as of " + meta.as_of + ". ";
}

struct View {
  std::size_t frozen = 1;                ///< columns that stay in view, and are repeated in print
  const char* unprinted = "";            ///< key of the first column that is not printed
  std::vector<const char*> breaks = {};  ///< columns that begin a new printed page
};

/// The size in print at which the widest of the pages side by side still fits on paper, in percent.
int print_percent(const std::vector<Column>& columns, const View& view,
                  const std::vector<std::size_t>& breaks, std::size_t printed) {
  constexpr double kCharactersOfPaper = 104;  // of full size, on the narrower of A4 and Letter
  double repeated = 0;
  double page = 0;
  double widest = 0;
  for (std::size_t i = 0; i < printed; ++i) {
    if (std::find(breaks.begin(), breaks.end(), i) != breaks.end()) page = repeated;
    if (i < view.frozen) repeated += columns[i].width;
    page += columns[i].width;
    widest = std::max(widest, page);
  }
  return static_cast<int>(100 * kCharactersOfPaper / widest);
}

TablePlace draw(Page& page, const Table& table, const View& view, const SheetMeta& meta,
                bool letter) {
  const TablePlace place = page.table(kHeading, table);
  page.widths(table.columns);
  page.freeze(place, view.frozen, table.columns.size());
  page.print_setup(meta, letter);
  const std::size_t printed = column_of(table.columns, view.unprinted);
  page.print_only(place, printed);
  std::vector<std::size_t> breaks;
  for (const char* key : view.breaks) breaks.push_back(column_of(table.columns, key));
  if (!breaks.empty()) {
    page.break_before(breaks, print_percent(table.columns, view, breaks, printed));
  }
  return place;
}

/// Lays a style over the rows where `formula`, written for the first row, is true.
void highlight(Page& page, const TablePlace& place, std::size_t columns, const std::string& formula,
               Style style) {
  if (place.rows == 0) return;
  std::string words = "=" + formula;
  lxw_conditional_format rule = {};
  rule.type = LXW_CONDITIONAL_TYPE_FORMULA;
  rule.value_string = words.data();
  rule.format = page.book().style(style);
  require(
      worksheet_conditional_format_range(page.handle(), static_cast<lxw_row_t>(place.first_row), 0,
                                         static_cast<lxw_row_t>(place.first_row + place.rows - 1),
                                         static_cast<lxw_col_t>(columns - 1), &rule),
      "highlight");
}

/// One of `words` in the cells of a column.
void limit_words(Page& page, std::size_t first_row, std::size_t last_row, std::size_t column,
                 std::vector<std::string> words) {
  // Newer versions of the library promise not to write to them.
  std::vector<std::remove_pointer_t<decltype(lxw_data_validation::value_list)>> choices;
  std::size_t length = 0;
  for (std::string& word : words) {
    length += word.size() + 1;
    choices.push_back(word.data());
  }
  constexpr std::size_t kLongestList = 255;  // of the file format
  if (length > kLongestList) return;
  choices.push_back(nullptr);
  lxw_data_validation rule = {};
  rule.validate = LXW_VALIDATION_TYPE_LIST;
  rule.value_list = choices.data();
  const auto col = static_cast<lxw_col_t>(column);
  require(worksheet_data_validation_range(page.handle(), static_cast<lxw_row_t>(first_row), col,
                                          static_cast<lxw_row_t>(last_row), col, &rule),
          "choices");
}

void limit_prices(const Sheet& sheet, const Table& table, const TablePlace& place, Page& page) {
  const std::size_t last = place.first_row + place.rows - 1;
  const std::size_t quotes = last + 1 - kQuoteLines;
  limit_numbers(page, place.first_row, last, column_of(table.columns, "usd"), 0, kMostRateDollars,
                "US dollars an hour for a whole instance. Empty: not on offer.");
  limit_numbers(page, quotes, last, column_of(table.columns, "gpus"), 1, kMostGpus,
                "GPUs of one instance.");
  std::vector<std::string> gpus;
  for (const SheetGpu& gpu : sheet.gpus) gpus.push_back(gpu_label(sheet, gpu.id));
  limit_words(page, quotes, last, column_of(table.columns, "gpu"), gpus);
  std::vector<std::string> tiers;
  for (const RentTier& tier : kRentTiers) tiers.emplace_back(tier.key);
  limit_words(page, quotes, last, column_of(table.columns, "tier"), tiers);
}

}  // namespace

void draw_sizing(const Sheet& sheet, WorkbookFile& book, bool letter) {
  Page page(book, "Sizing", "Sizing: GPUs, layout and memory",
            edition_words(sheet.meta) + "Results of the program; prices do not move them.");
  const Table table = sizing_table(sheet);
  const TablePlace place = draw(page, table, {5, "", {"weights"}}, sheet.meta, letter);
  const std::string pick = column_letters(column_of(table.columns, "pick"));
  highlight(page, place, table.columns.size(),
            "$" + pick + std::to_string(place.first_row + 1) + "<>\"\"", Style::kBest);
}

void draw_rent(const Sheet& sheet, WorkbookFile& book, bool letter) {
  Page page(
      book, "Rent vs buy", "Rent or buy: every configuration that holds",
      edition_words(sheet.meta) +
          "Formulas over Prices, Ownership and Assumptions. Green: the cheapest run on demand "
          "of its model, method and scenario.");
  const Table table = rent_table(sheet);
  const TablePlace place =
      draw(page, table, {5, kFirstLine, {"reserved_1y_hour"}}, sheet.meta, letter);
  const std::string cheapest = column_letters(column_of(table.columns, "cheapest"));
  highlight(page, place, table.columns.size(),
            "$" + cheapest + std::to_string(place.first_row + 1) + "=\"yes\"", Style::kBest);
  const std::string first = column_letters(column_of(table.columns, kFirstLine));
  const std::string last = column_letters(column_of(table.columns, kLastLine));
  const std::size_t rows = place.rows > 0 ? place.rows : 1;
  book.define_name("lines_used", "'Rent vs buy'!$" + first + "$" +
                                     std::to_string(place.first_row + 1) + ":$" + last + "$" +
                                     std::to_string(place.first_row + rows));
}

void draw_prices(const Sheet& sheet, WorkbookFile& book, bool letter) {
  Page page(book, "Prices", "Prices of the sheet's GPUs",
            edition_words(sheet.meta) +
                "Change a price, or write a quote into the empty lines at the end. Second heading: "
                "FOCUS terms.");
  const Table table = prices_table(sheet);
  const TablePlace place = draw(page, table, {2, "sku"}, sheet.meta, letter);
  limit_prices(sheet, table, place, page);
  const std::string counts = column_letters(column_of(table.columns, "ok"));
  highlight(page, place, table.columns.size(),
            "AND($B" + std::to_string(place.first_row + 1) + "<>\"\",$" + counts +
                std::to_string(place.first_row + 1) + "=0)",
            Style::kAside);
}

void draw_ownership(const Sheet& sheet, const std::vector<Input>& inputs, WorkbookFile& book,
                    bool letter) {
  Page page(book, "Ownership", "Owning: what each count of GPUs costs",
            edition_words(sheet.meta) + "Formulas over Assumptions and Prices.");
  draw(page, ownership_table(sheet, inputs), {3, "node", {"rent", "depreciation"}}, sheet.meta,
       letter);
}

void draw_terms(const Sheet& sheet, WorkbookFile& book, bool letter) {
  Page page(book, "Terms", "Terms and units", edition_words(sheet.meta));
  draw(page, terms_table(sheet), {2, ""}, sheet.meta, letter);
}

}  // namespace sizesheet::xlsx
