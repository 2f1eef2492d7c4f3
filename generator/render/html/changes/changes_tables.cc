// SPDX-License-Identifier: Apache-2.0
// The tables of the page of changes, and what lies behind them.

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>

#include "render/diff/words.h"
#include "render/html/pages.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// Names, link and level of what changed.
void put_subject(Json& row, const Change& change, const ChangesPlace& place) {
  row["subject_model"] = place.name("model", change.model);
  row["subject_method"] = place.name("method", change.method);
  row["subject_href"] = place.href(change);
  row["subject_gpu"] = place.gpu(change);
  row["subject_scenario"] = place.scenario(change);
  row["was"] = change.was;
  row["level"] = change.level;
}

/// ○, ▲, ● for what fits now, ↑ and ↓ for counts, with the class of a verdict.
void put_standing(Json& row, const Change& change) {
  const ChangeKind& kind = change_kind(change.kind);
  static const std::map<std::string, std::pair<const char*, const char*>> kMarks = {
      {"no_longer_fits", {"○", "no"}},  {"headroom_low", {"▲", "tight"}},
      {"needs_more", {"↑", "tight"}},   {"now_fits", {"●", "fits"}},
      {"headroom_back", {"●", "fits"}}, {"needs_less", {"↓", "fits"}}};
  const auto found = kMarks.find(change.kind);
  row["now_mark"] = found == kMarks.end() ? kind.mark : found->second.first;
  row["now_class"] = found == kMarks.end() ? "quiet" : found->second.second;
  row["now_words"] = kind.words;
}

std::string setup_or_absent(const std::optional<ChangeSide>& side) {
  if (!side) return std::string(kAbsent);
  return side->holds() ? side_setup(*side) : side_standing(side);
}

/// The pick's set-up, or both where they differ.
void put_setups(Json& row, const Change& change) {
  const std::string before = setup_or_absent(change.old_side);
  const std::string after = setup_or_absent(change.new_side);
  row["setup_before"] = before;
  row["setup_after"] = after;
  row["setup_left"] = change.old_side && before != after;
  row["setup_came"] = change.new_side && before != after;
  row["setup_stays"] = before == after;
}

/// "d-llama-3.1-70b-lora": letters, digits, dots, dashes and underscores of the ids.
std::string change_id(const Change& change) {
  std::string id = "d-" + change.model + "-" + change.method;
  for (char& c : id) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '.' || c == '-' || c == '_';
    if (!plain) c = '-';
  }
  return id;
}

/// The change with the share by which a run moved.
Json moved_json(const Change& change) {
  const auto run_on = [](const std::optional<ChangeSide>& side) {
    return side ? side->list_usd_per_run : std::nullopt;
  };
  Json row = written(change);
  const auto share = delta_share(run_on(change.old_side), run_on(change.new_side));
  row["share"] = share ? Json(*share) : Json();
  return row;
}

Json pick_row(const Change& change, const ChangesPlace& place, const MovedById& moved,
              std::int64_t largest) {
  Json row = moved_json(change);
  row["pick_id"] = change_id(change);
  row["pick_search"] = place.name("model", change.model) + " " + change.model;
  row["pick_causes"] = join(change.cause, " ");
  row["pick_moves"] = pick_moves(change, moved);
  row["pick_next"] = change.next ? next_words(*change.next) : "";
  put_subject(row, change, place);
  put_setups(row, change);
  const double total =
      change.effects_usd ? static_cast<double>(change.effects_usd->total.value) : 0;
  row["delta_svg"] = svg_cell_signed(largest > 0 ? total / static_cast<double>(largest) : 0);
  return row;
}

Json changed_row(const Change& change, const ChangesPlace& place, const MovedById& moved) {
  Json row = moved_json(change);
  std::vector<std::string> words;
  for (const std::string& kind : change.kinds()) words.push_back(change_kind(kind).words);
  row["change_words"] = join(words, ", ");
  row["change_cause"] = cause_title(change, moved);
  put_subject(row, change, place);
  put_setups(row, change);
  return row;
}

constexpr std::size_t kMostShown = 20;    // that some row rests on
constexpr std::size_t kMostFolded = 250;  // the rest; sheet.json has them all

/// "6 changed, 2 added" of the inputs of a group; "" when none moved.
std::string group_words(const SheetChanges& changes, const std::string& group) {
  std::vector<std::string> parts;
  for (const char* how : {"changed", "added", "removed"}) {
    const auto count = std::count_if(
        changes.moved.begin(), changes.moved.end(),
        [&](const MovedInput& moved) { return moved.group == group && moved.how == how; });
    if (count > 0) parts.push_back(format_integer(count) + "\u00a0" + how);
  }
  return join(parts, ", ");
}

/// Prices to the cent, or as they are where a cent does not tell them apart.
std::string price_words(const std::string& json_text) {
  const auto value = number_in(json_text);
  if (!value) return moved_value(json_text);
  const double cents = *value * 100;
  const bool whole = std::abs(cents - std::round(cents)) < 1e-9;
  return whole ? format_number(*value, 2) : moved_value(json_text);
}

std::string seen_words(const MovedInput& moved) {
  if (moved.old_as_of.empty() && moved.new_as_of.empty()) return std::string(kAbsent);
  if (moved.old_as_of == moved.new_as_of || moved.old_as_of.empty()) return moved.new_as_of;
  return moved.new_as_of.empty() ? moved.old_as_of : moved.old_as_of + " → " + moved.new_as_of;
}

Json input_row(const MovedInput& moved) {
  const bool price = moved.group == "prices";
  const auto value = [&](const std::string& text) {
    return price ? price_words(text) : moved_value(text);
  };
  const auto before = number_in(moved.old_value);
  const auto after = number_in(moved.new_value);
  const bool comparable = before && after && *before > 0;
  return {{"title", moved_title(moved)},
          {"group", group_title(moved.group)},
          {"before", value(moved.old_value)},
          {"after", moved.how == "removed" ? "gone" : value(moved.new_value)},
          {"share", comparable ? Json((*after - *before) / *before) : Json()},
          {"unit", moved.unit},
          {"seen", seen_words(moved)},
          {"rows", moved.rows},
          {"source", moved.source}};
}

/// name_rows, name_folded, name_more …: the inputs of one table, those that most rows name first.
void put_inputs(Json& values, const std::string& name, std::vector<const MovedInput*> inputs) {
  std::stable_sort(inputs.begin(), inputs.end(),
                   [](const MovedInput* a, const MovedInput* b) { return a->rows > b->rows; });
  Json shown = Json::array();
  Json folded = Json::array();
  std::size_t left_out = 0;
  for (const MovedInput* moved : inputs) {
    if (moved->rows > 0 && shown.size() < kMostShown) {
      shown.push_back(input_row(*moved));
    } else if (folded.size() < kMostFolded) {
      folded.push_back(input_row(*moved));
    } else {
      ++left_out;
    }
  }
  values["has_" + name] = !inputs.empty();
  values[name + "_folded_words"] =
      format_integer(static_cast<std::int64_t>(folded.size() + left_out)) + "\u00a0more";
  if (left_out > 0) {
    const std::string first = format_integer(static_cast<std::int64_t>(folded.size()));
    values[name + "_folded_words"] =
        values[name + "_folded_words"].get<std::string>() + ", of which the first " + first;
  }
  values[name + "_rows"] = shown;
  values[name + "_folded"] = folded;
}

}  // namespace

Json verdict_rows(const SheetChanges& changes, const ChangesPlace& place) {
  const MovedById moved = moved_by_id(changes);
  Json rows = Json::array();
  for (const Change& change : changes.changes) {
    if (change.of != "row" || !is_verdict(change.kind)) continue;
    Json row = {{"verdict_before", side_standing(change.old_side)},
                {"verdict_after", side_standing(change.new_side)},
                {"verdict_cause", cause_title(change, moved)},
                {"verdict_next", std::string(kAbsent)}};
    if (change.kind == "no_longer_fits") {
      row["verdict_next"] = place.pick_now(change.model, change.method).value_or("the pick stays");
    }
    put_subject(row, change, place);
    put_standing(row, change);
    rows.push_back(row);
  }
  return rows;
}

Json pick_rows(const SheetChanges& changes, const ChangesPlace& place) {
  std::vector<const Change*> picks;
  for (const Change& change : changes.changes) {
    if (change.of == "pick") picks.push_back(&change);
  }
  std::stable_sort(picks.begin(), picks.end(), [](const Change* a, const Change* b) {
    return dollars_moved(*a) > dollars_moved(*b);
  });
  const MovedById moved = moved_by_id(changes);
  const std::int64_t largest = picks.empty() ? 0 : dollars_moved(*picks.front());
  Json rows = Json::array();
  for (const Change* change : picks) rows.push_back(pick_row(*change, place, moved, largest));
  return rows;
}

std::int64_t count_in(const std::map<std::string, std::int64_t>& counts, const std::string& kind) {
  const auto found = counts.find(kind);
  return found == counts.end() ? 0 : found->second;
}

Json kind_rows(const SheetChanges& changes) {
  Json rows = Json::array();
  for (const ChangeKind& kind : change_kinds()) {
    const std::int64_t of_rows = count_in(changes.row_kinds, kind.id);
    const std::int64_t of_picks = count_in(changes.pick_kinds, kind.id);
    if (of_rows == 0 && of_picks == 0) continue;
    rows.push_back(
        {{"level", kind.level}, {"words", kind.words}, {"rows", of_rows}, {"picks", of_picks}});
  }
  return rows;
}

Json equal_rows(const SheetChanges& changes, const ChangesPlace& place) {
  const LineContext context = line_context(changes);
  Json rows = Json::array();
  for (const auto& alike : folded(list_changes(changes, "row", 0)).shown) {
    if (alike.size() == 1) continue;
    const ChangeLine line = change_line(alike, context);
    const auto count = static_cast<std::int64_t>(alike.size());
    rows.push_back({{"count", count},
                    {"gpu", place.gpu(*alike.front())},
                    {"level", alike.front()->level},
                    {"percent", line.run.percent},
                    {"cause", line.cause}});
  }
  return rows;
}

Json changed_rows(const SheetChanges& changes, const ChangesPlace& place, std::size_t most) {
  const MovedById moved = moved_by_id(changes);
  Json rows = Json::array();
  for (const Change& change : changes.changes) {
    if (change.of != "row") continue;
    if (rows.size() == most) break;
    rows.push_back(changed_row(change, place, moved));
  }
  return rows;
}

Json cause_choices(const SheetChanges& changes) {
  std::set<std::string> groups;
  for (const Change& change : changes.changes) {
    if (change.of == "pick") groups.insert(change.cause.begin(), change.cause.end());
  }
  Json choices = Json::array();
  for (const std::string& group : groups) {
    choices.push_back({{"cause_id", group}, {"cause_name", group_title(group)}});
  }
  return choices;
}

void put_causes(Json& values, const SheetChanges& changes) {
  Json rows = Json::array();
  for (const CauseTotal& cause : changes.causes) {
    if (cause.rows == 0 && cause.picks == 0 && cause.usd.value == 0) continue;
    rows.push_back(written(cause));
    rows.back()["title"] = group_title(cause.group);
    rows.back()["words"] = group_words(changes, cause.group);
  }
  values["cause_rows"] = rows;
  values["causes_unknown"] = changes.causes_unknown;
  values["cause_total"] = exact_usd(changes.pick_totals.effects.total);
}

void put_moved(Json& values, const SheetChanges& changes) {
  std::vector<const MovedInput*> prices;
  std::vector<const MovedInput*> others;
  for (const MovedInput& moved : changes.moved) {
    (moved.group == "prices" ? prices : others).push_back(&moved);
  }
  put_inputs(values, "moved_prices", prices);
  put_inputs(values, "moved_others", others);
}

}  // namespace sizesheet
