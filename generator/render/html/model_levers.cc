// SPDX-License-Identifier: Apache-2.0
#include "render/html/model_levers.h"

#include <algorithm>
#include <vector>

#include "render/charts.h"
#include "render/html/html_writer.h"
#include "render/html/model_page.h"
#include "render/phrases.h"
#include "render/range_charts.h"
#include "render/svg/svg_bars.h"
#include "sheet/fields.h"
#include "sheet/sections.h"
#include "sheet/sheet.h"
#include "support/json.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr double kShareBar = 64;

void put_resized(Json& values, const Sheet& sheet, const Row& row, const SheetResized& resized,
                 std::int64_t most) {
  const bool fewer = resized.rentable && *resized.rentable < row.layout.gpus;
  values["lever_fewer"] = fewer;
  values["lever_needs"] = fewer ? set_up(sheet, row.gpu, *resized.rentable) : "same";
  const double share = static_cast<double>(resized.saved.value_or(0)) / static_cast<double>(most);
  values["lever_bar_svg"] = svg_cell_bar(share, CellBar::kPlain, {}, kShareBar);
}

/// A title at the head of a cell or a sentence; a dtype keeps its small letter.
std::string heading(const std::string& title) {
  return starts_with(title, "bf16") ? title : sentence_case(title);
}

Json lever_row(const Sheet& sheet, const Row& row, const SheetLever& lever, std::int64_t most) {
  Json values = written(lever);
  values["title"] = heading(lever.title);
  const std::int64_t host = lever.resized.host - row.memory.host;
  values["host_bytes"] = lever.in_use ? 0 : std::max<std::int64_t>(host, 0);
  put_resized(values, sheet, row, lever.resized, most);
  return values;
}

/// Worth a line of its own: a hundredth of the bill, or fewer GPUs.
bool worth_a_line(const SheetLever& lever, const Row& row) {
  const SheetResized& resized = lever.resized;
  const bool fewer = resized.rentable && *resized.rentable < row.layout.gpus;
  return fewer || (resized.saved && *resized.saved * 100 >= row.memory.device);
}

std::int64_t most_saved(const SheetWhatIf& all, bool in_use) {
  std::int64_t most = 1;
  for (const SheetLever& lever : all.levers) {
    if (lever.in_use == in_use) most = std::max(most, lever.resized.saved.value_or(0));
  }
  if (!in_use && all.combination) most = std::max(most, all.combination->resized.saved.value_or(0));
  return most;
}

std::string joined_titles(const SheetWhatIf& all, const std::string& separator) {
  std::vector<std::string> titles;
  for (const std::string& id : all.combination->levers) {
    titles.push_back(entry_with(all.levers, &SheetLever::id, id)->title);
  }
  return join(titles, separator);
}

/// "96.4 of 162.3 GiB with +2.5 % hours, so 4 × MI300X is enough"
std::string comes_to(const Sheet& sheet, const Row& row, const SheetResized& resized) {
  std::string words = format_gib(resized.saved.value_or(0), 1) + " of " +
                      format_gib(row.memory.device, 1) + "\u00a0GiB";
  if (resized.hours_added) {
    const std::string added = added_words(*resized.hours_added);
    words += added == "none" ? " with the same hours" : " with " + added + " hours";
  }
  const std::int64_t without = std::min(row.layout.gpus, row.rentable.value_or(row.layout.gpus));
  if (resized.rentable && *resized.rentable < without) {
    words += ", so " + set_up(sheet, row.gpu, *resized.rentable) + " is enough";
  }
  return words;
}

/// What helps most: the levers that go together, else the first one.
std::string conclusion_of(const Sheet& sheet, const Row& row, const SheetWhatIf& all) {
  const std::string subject =
      sentence_case(sheet.method(row.method).short_title) + " on " + set_up(sheet, row);
  if (all.combination) {
    return subject + ": " + std::to_string(all.combination->levers.size()) +
           " changes together would save " + comes_to(sheet, row, all.combination->resized) + ": " +
           joined_titles(all, "; ") + ".";
  }
  const SheetLever& first = all.levers.front();
  if (first.in_use || !first.resized.saved || !worth_a_line(first, row)) {
    return subject + ": no lever left would save a hundredth of the memory.";
  }
  return subject + ": the largest saving is from " + first.title + ": " +
         comes_to(sheet, row, first.resized) + ".";
}

Json lever_table(const Sheet& sheet, const Row& row, const SheetWhatIf& all) {
  Json offered = Json::array();
  Json in_use = Json::array();
  Json together = Json::array();
  std::vector<std::string> small;
  for (const SheetLever& lever : all.levers) {
    Json line = lever_row(sheet, row, lever, most_saved(all, lever.in_use));
    if (!worth_a_line(lever, row)) {
      if (!lever.in_use) small.push_back(lever.title);
    } else {
      (lever.in_use ? in_use : offered).push_back(std::move(line));
    }
  }
  if (all.combination) {
    Json line = written(*all.combination);
    line["title"] = joined_titles(all, " + ");
    put_resized(line, sheet, row, all.combination->resized, most_saved(all, false));
    together.push_back(std::move(line));
  }
  return {{"levers_method", sentence_case(sheet.method(row.method).short_title)},
          {"levers_setup", set_up(sheet, row)},
          {"levers_conclusion", conclusion_of(sheet, row, all)},
          {"levers_small", join(small, ", ")},
          {"lever_rows", offered},
          {"used_rows", in_use},
          {"together_rows", together}};
}

}  // namespace

Json segment_parts(const MemoryBill& bill) {
  Json parts = Json::array();
  for (const Segment& segment : five_segments(bill)) {
    parts.push_back(format_number(segment.value, 1));
  }
  return parts;
}

void put_levers(Json& values, const Sheet& sheet, const std::string& model, const Row* best) {
  Json tables = Json::array();
  std::size_t open = 0;
  for (const SheetMethod& method : sheet.methods) {
    const Row* row = rent_pick_row(sheet, model, method.id);
    const SheetWhatIf* all =
        row != nullptr ? entry_with(sheet.what_if, &SheetWhatIf::row_key, row->key()) : nullptr;
    if (all == nullptr || all->levers.empty()) continue;
    if (row == best) open = tables.size();
    tables.push_back(lever_table(sheet, *row, *all));
  }
  values["levers"] = with_open(std::move(tables), open);
}

void put_zero_stages(Json& values, const Sheet& sheet, const std::string& model) {
  const SheetZeroStages* zero = entry_with(sheet.zero_stages, &SheetZeroStages::model, model);
  Json& json = values["zero"] = nullptr;
  if (zero == nullptr) return;
  json = written(*zero);
  json.update(chart_json(zero_stages_chart(sheet, *zero)));
  const std::optional<double>& plain = zero->stages.front().wire;
  for (std::size_t i = 0; i < zero->stages.size(); ++i) {
    const SheetZeroStage& stage = zero->stages[i];
    json["stages"][i]["parts"] = segment_parts(stage.memory);
    const bool known = stage.wire && plain && *plain > 0;
    json["stages"][i]["wire_share"] = known ? Json(*stage.wire / *plain) : Json();
  }
}

void put_adapter_ranks(Json& values, const Sheet& sheet, const std::string& model) {
  const auto* adapters = entry_with(sheet.adapter_ranks, &SheetAdapterRanks::model, model);
  Json& json = values["adapters"] = nullptr;
  if (adapters == nullptr) return;
  json = written(*adapters);
  json.update(chart_json(adapter_ranks_chart(sheet, *adapters)));
  const Row* row = sheet.find(adapters->row_key);
  json["on"] = row != nullptr ? set_up(sheet, *row) : "";
  for (std::size_t i = 0; i < adapters->ranks.size(); ++i) {
    json["ranks"][i]["state_bytes"] = state_bytes(adapters->ranks[i]);
    json["ranks"][i]["own"] = adapters->ranks[i].rank == adapters->rank;
  }
}

}  // namespace sizesheet
