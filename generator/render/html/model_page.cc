// SPDX-License-Identifier: Apache-2.0
#include "render/html/model_page.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "render/charts.h"
#include "render/choices.h"
#include "render/formats.h"
#include "render/html/answer_lines.h"
#include "render/html/html_writer.h"
#include "render/html/model_levers.h"
#include "render/html/proof.h"
#include "render/html/templates/strict_context.h"
#include "render/job_options.h"
#include "render/phrases.h"
#include "render/project_words.h"
#include "render/run_charts.h"
#include "render/smaller_counts.h"
#include "render/svg/svg_bars.h"
#include "sheet/decision.h"
#include "sheet/fields.h"
#include "sheet/money.h"
#include "sheet/project.h"
#include "sheet/sections.h"
#include "sheet/seller_names.h"
#include "sheet/services.h"
#include "sheet/sheet.h"
#include "support/json.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// With a capital first and a full stop last; "" stays "".
std::string as_sentence(const std::string& words) {
  if (words.empty() || words.back() == '.') return sentence_case(words);
  return sentence_case(words) + ".";
}

// ---- The cards at the top: one answer a method.

/// The other answers of a job, a line each: the second source, faster, cheaper on average.
Json other_answers(const Sheet& sheet, const Pick* pick) {
  Json lines = Json::array();
  if (pick == nullptr) return lines;
  const Json answer = answer_values(sheet, *pick);
  for (const Json& line : answer.at("answer_lines")) {
    const std::string title = line.at("line_title").get<std::string>();
    if (contains({kSecondTitle, kScarceTitle, kFasterTitle, kCheaperTitle}, title))
      lines.push_back(line);
  }
  return lines;
}

/// "2 × H100", "2 × H100 (not certain)".
std::string smallest_words(const Sheet& sheet, const Row& row) {
  const bool unsure = !row.certain_on(*row.rentable).value_or(true);
  return set_up(sheet, row.gpu, *row.rentable) + (unsure ? " (not certain)" : "");
}

/// The text with dates that a line does not break: a hyphen between digits keeps them together.
std::string with_whole_dates(const std::string& text) {
  std::string whole;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool within =
        i > 0 && i + 1 < text.size() && is_digit(text[i - 1]) && is_digit(text[i + 1]);
    whole += text[i] == '-' && within ? std::string("\u2011") : std::string(1, text[i]);
  }
  return whole;
}

Json project_card(const ProjectCost& cost) {
  return {{"project_amount", project_amount(cost)}, {"project_parts", project_parts(cost)}};
}

/// The command that writes the config of the card's set-up; "" where none is written.
std::string config_command(const Sheet& sheet, const Row& row) {
  const Scenario& scenario = *entry_with(sheet.scenarios, &Scenario::id, row.scenario);
  if (scenario.writer.empty() || row.set_up() == nullptr) return "";
  return "sizesheet ask " + row.model + " " + row.method + " " + row.gpu + " --gpus " +
         std::to_string(row.set_up()->gpus) + " --framework " + scenario.writer + " --write run";
}

Json card_list(const Sheet& sheet, const std::string& model) {
  Json cards = Json::array();
  for (const SheetMethod& method : sheet.methods) {
    const Row* row = shown_row(sheet, model, method.id);
    const Pick* pick = sheet.pick(model, method.id);
    Json& card = cards.emplace_back(row ? row_json(sheet, *row) : Json{{"method", method.id}});
    card["known"] = row != nullptr;
    card["project_card"] = row && row->project ? project_card(*row->project) : Json();
    card["services"] = Json::array();
    for (const SheetService& offer : services_for(sheet, model, method.id)) {
      card["services"].push_back({{"service", service_words(offer)},
                                  {"service_date", offer.as_of},
                                  {"source", with_whole_dates(offer.source)}});
    }
    if (!row) card["beside_lora"] = "";
    card["why"] = pick ? pick->rent_why : "not part of this sheet";
    if (!row) continue;
    card["one_seller"] = pick != nullptr && pick->exposed;
    card["others"] = other_answers(sheet, pick);
    card["seller"] = row->set_up() ? seller_name(sheet, row->set_up()->provider) : "";
    card["far_below"] = pick != nullptr ? as_sentence(far_below_words(*pick)) : "";
    card["why_not_fewer"] = why_not_fewer(sheet, *row);
    card["run_as"] = choice_words(row->choices);
    card["config_command"] = config_command(sheet, *row);
    const Row* smallest = smallest_row(sheet, *row);
    card["smallest"] = smallest ? smallest_words(sheet, *smallest) : "";
    card["owned_on"] = row->owned ? machine_set_up(sheet, *row->owned) : "";
  }
  return cards;
}

// ---- One block a method: the other GPU types, cheapest run first, and the counts below the
// answer.

Json other_rows(const Sheet& sheet, const std::vector<const Row*>& rows, const Row* shown) {
  Json list = Json::array();
  for (const Row* row : rows) {
    Json& values = list.emplace_back(row_json(sheet, *row));
    values["shown"] = row == shown;
    // A row that does not fit is the least bad layout, not a set-up anyone should read as advice.
    const bool has_setup = row->modelled && row->verdict != Verdict::kNo;
    values["other_setup"] = has_setup ? set_up(sheet, *row) : sheet.gpu(row->gpu).short_name;
  }
  return list;
}

/// A count of GPUs as a line of the table of counts; what it lacks stays unknown.
Json count_line(const Row& row, std::int64_t gpus, std::int64_t device) {
  const Json none = {{"low", nullptr}, {"mid", nullptr}, {"high", nullptr}};
  return {{"gpus", gpus},
          {"gpu", row.gpu},
          {"device", device},
          {"capacity", row.memory.capacity},
          {"hours", none},
          {"usd", none},
          {"seller", ""},
          {"largest", ""},
          {"why_not", ""},
          {"answer", false},
          {"measured", row.speed_measured.value_or(false)}};
}

Json unfit_line(const Row& row, const CountCheck& check) {
  Json line = count_line(row, check.gpus, check.device);
  line.update(written(check));
  line["largest"] = term_words(check.largest_term);
  line["why_not"] = holds(check.verdict) ? "no headroom" : "too little memory";
  return line;
}

/// The seller, and for how many GPUs it bills where its offer has more than the count.
std::string billing_seller(const Sheet& sheet, const std::string& provider,
                           const std::string& price_key, std::int64_t gpus) {
  const std::string name = seller_name(sheet, provider);
  const SheetPrice* price = entry_with(sheet.prices, &SheetPrice::key, price_key);
  if (price == nullptr || price->gpus <= 0 || gpus % price->gpus == 0) return name;
  const std::int64_t paid = (gpus / price->gpus + 1) * price->gpus;
  return name + ", bills " + format_integer(paid) + " GPUs";
}

Json smaller_line(const Sheet& sheet, const Row& row, const SmallerCount& count) {
  Json line = count_line(row, count.gpus, count.device);
  line["verdict"] = id_of(Verdict::kFits);
  line["device_high"] = count.device_high;
  line["certain"] = written(count).at("certain");
  if (count.hours) line["hours"] = written(*count.hours);
  if (count.usd) line["usd"] = written(*count.usd);
  if (!count.provider.empty()) {
    line["seller"] = billing_seller(sheet, count.provider, count.price_key, count.gpus);
  }
  line["why_not"] = why_not(sheet, row, count);
  return line;
}

Json set_up_line(const Sheet& sheet, const Row& row) {
  Json line = count_line(row, row.layout.gpus, row.memory.device);
  line["verdict"] = id_of(row.verdict);
  line["device_high"] = row.device_high;
  line["certain"] = row.certain() ? Json(*row.certain()) : Json();
  line["answer"] = true;
  line["why_not"] = "chosen for this type";
  if (row.set_up() == nullptr) return line;
  line["hours"] = written(row.set_up()->hours);
  line["usd"] = written(row.set_up()->usd);
  line["seller"] = seller_name(sheet, row.set_up()->provider);
  return line;
}

/// Every count up to the set-up's: those that do not fit, those that do and why they are not it.
std::vector<Json> count_lines(const Sheet& sheet, const Row& row) {
  std::vector<Json> lines;
  const auto& smaller = row.smaller_counts;
  for (const CountCheck& check : row.counts) {
    const bool timed = entry_with(smaller, &SmallerCount::gpus, check.gpus) != nullptr;
    if (!timed && check.gpus < row.layout.gpus) lines.push_back(unfit_line(row, check));
  }
  for (const SmallerCount& count : smaller) lines.push_back(smaller_line(sheet, row, count));
  lines.push_back(set_up_line(sheet, row));
  return lines;
}

Json counts_of(const Sheet& sheet, const Row& row) {
  std::vector<Json> lines = count_lines(sheet, row);
  const double capacity = static_cast<double>(row.memory.capacity);
  double largest = capacity;
  for (const Json& line : lines) largest = std::max(largest, line.at("device").get<double>());
  for (Json& line : lines) {
    const bool over = line.at("verdict") == id_of(Verdict::kNo);
    line["bar_svg"] = svg_cell_bar(line.at("device").get<double>() / largest,
                                   over ? CellBar::kOver : CellBar::kPlain, capacity / largest, 80);
  }
  const std::string words = why_not_fewer(sheet, row);
  return {{"gpu", row.gpu},
          {"words", words.empty() ? "One GPU is enough." : words},
          {"binding", row.smaller_counts.empty() ? as_sentence(row.binding) : ""},
          {"rows", lines}};
}

/// Of every GPU type the counts that no other count of it beats, and the smaller ones that fit.
Json every_count(const Sheet& sheet, const std::vector<const Row*>& rows) {
  Json lines = Json::array();
  for (const Row* row : rows) {
    for (const SmallerCount& count : row->smaller_counts) {
      if (entry_with(row->candidates, &RunCandidate::gpus, count.gpus) != nullptr) continue;
      lines.push_back(smaller_line(sheet, *row, count));
    }
    for (const RunCandidate& run : row->candidates) {
      Json& line = lines.emplace_back(count_line(*row, run.gpus, row->memory.device));
      line["certain"] = run.certain ? Json(*run.certain) : Json();
      line["verdict"] = id_of(Verdict::kFits);
      line["hours"] = written(run.hours);
      line["usd"] = written(run.usd);
      line["seller"] = billing_seller(sheet, run.provider, run.price_key, run.gpus);
      if (&run == row->set_up()) line["why_not"] = "chosen for this type";
    }
  }
  return lines;
}

Json choice_list(const Sheet& sheet, const std::string& model, const Row* best) {
  Json blocks = Json::array();
  std::size_t open = 0;
  for (const SheetMethod& method : sheet.methods) {
    const Row* shown = shown_row(sheet, model, method.id);
    const auto rows = rows_by_price(sheet, model, method.id);
    if (rows.empty()) continue;
    if (best && shown == best) open = blocks.size();
    blocks.push_back(Json{{"choice", method.id},
                          {"title", method.short_title},
                          {"other_rows", other_rows(sheet, rows, shown)},
                          {"set_ups", every_count(sheet, rows)},
                          {"counts", shown ? counts_of(sheet, *shown) : Json()}});
  }
  return with_open(std::move(blocks), open);
}

Json choice_charts(const Sheet& sheet, const std::string& model) {
  Json charts = Json::array();
  for (const SheetMethod& method : sheet.methods) {
    const Row* row = rent_pick_row(sheet, model, method.id);
    if (row == nullptr) continue;
    charts.push_back(chart_json(hours_against_usd_chart(sheet, *row)));
    charts.back()["chart_method"] = sentence_case(method.short_title);
  }
  return charts;
}

// ---- The model's rows of other scenarios beside the same row of the main one.

/// Why the other stack's count differs, where the page's own stack fails on that very count; else
/// what binds there.
std::string why(const Sheet& sheet, const Row& there, const Row* here) {
  if (!there.modelled) return as_sentence(there.refusal);
  const bool same_count = here && here->fewer && here->fewer->gpus == there.layout.gpus;
  if (!same_count) return as_sentence(there.binding);
  const std::string over = here->fewer->over > 0 ? ", over by " + format_gib(here->fewer->over, 1)
                                                 : ", without headroom";
  return set_up(sheet, there) + ": " + format_gib(there.memory.device, 1) + " GiB in this stack, " +
         format_gib(here->fewer->device, 1) + " in the main stack, of " +
         format_gib(here->memory.capacity, 1) + " usable" + over +
         "; the main stack needs most for " + term_words(here->fewer->largest_term) + ".";
}

Json stack_list(const Sheet& sheet, const std::string& model) {
  Json list = Json::array();
  for (const Row& row : sheet.rows) {
    if (row.model != model || sheet.is_main(row)) continue;
    const Row* here = sheet.main_row(row.model, row.method, row.gpu);
    Json& values = list.emplace_back(row_json(sheet, row));
    values["here"] = here ? row_json(sheet, *here) : Json();
    values["why"] = why(sheet, row, here);
  }
  return list;
}

// ---- Memory.

/// The proofs: the best method's in full, the other picks' and every other row's folded.
void put_proofs(Json& values, const Sheet& sheet, const SheetModel& model, const Row* best) {
  for (const char* list : {"first_proof", "pick_proofs", "other_proofs"}) {
    values[list] = Json::array();
  }
  for (const Row& row : sheet.rows) {
    if (row.model != model.id) continue;
    const bool pick = sheet.is_main(row) && &row == shown_row(sheet, row.model, row.method);
    values[&row == best ? "first_proof"
           : pick       ? "pick_proofs"
                        : "other_proofs"]
        .push_back(proof_values(sheet, row));
  }
}

Json phase_row(Phase phase, const std::vector<const Row*>& picks, const Row& best) {
  Json cells = Json::array();
  for (const Row* row : picks) {
    const bool peak = row->memory.peak_phase == name_of(phase);
    cells.push_back({{"bytes", row->memory.phases_step1.in(phase)}, {"peak", false}});
    cells.push_back({{"bytes", row->memory.phases.in(phase)}, {"peak", peak}});
  }
  const double bytes = static_cast<double>(
      std::max(best.memory.phases.in(phase), best.memory.phases_step1.in(phase)));
  const double capacity = static_cast<double>(best.memory.capacity);
  return {{"phase", name_of(phase)},
          {"cells", cells},
          {"bar_svg", svg_cell_bar(bytes / capacity, CellBar::kPlain, 1.0)}};
}

Json sequence_row(const Sheet& sheet, const SequenceSeries& series,
                  const std::vector<SequencePoint>& lengths) {
  const Row& row = *sheet.find(series.row_key);
  Json values = written(series);
  values["method"] = row.method;
  values["set_up"] = set_up(sheet, row);
  values["cells"] = Json::array();
  for (const SequencePoint& at : lengths) {
    const auto* point = entry_with(series.points, &SequencePoint::seq_len, at.seq_len);
    Json& cell = values["cells"].emplace_back(written(point ? *point : SequencePoint{}));
    if (!point) cell["device"] = nullptr;
    cell["over"] = point && point->device > series.capacity;
    cell["tight"] = point && point->device <= series.capacity &&
                    (!series.longest || point->seq_len > *series.longest);
  }
  return values;
}

/// The memory of the model's picks by length; null without one: a chart of none of them would be an
/// empty frame.
Json sequences(const Sheet& sheet, const std::string& model) {
  std::vector<const SequenceSeries*> found;
  for (const SequenceSeries& series : sheet.series) {
    const Row* row = sheet.find(series.row_key);
    if (row && row->model == model && !series.points.empty()) found.push_back(&series);
  }
  if (found.empty()) return nullptr;
  Json values = chart_json(memory_by_sequence_chart(sheet, model));
  values["sequence_heads"] = written(*found.front()).at("points");
  for (const SequenceSeries* one : found) {
    values["sequence_rows"].push_back(sequence_row(sheet, *one, found.front()->points));
  }
  return values;
}

Json length_cell(const Sheet& sheet, const std::string& gpu, std::int64_t gpus, double hours,
                 const UsdRange& usd, const std::string& provider, std::optional<bool> certain) {
  return {{"set_up", set_up(sheet, gpu, gpus) + (certain.value_or(true) ? "" : kDoubtMark)},
          {"hours", hours},
          {"usd", written(usd)},
          {"seller", seller_name(sheet, provider)}};
}

/// The pick at the sheet's length, then at each of `lengths`; without a pick it has no set-up.
Json length_row(const Sheet& sheet, const Pick& pick, const std::vector<std::int64_t>& lengths) {
  const Json none = {{"set_up", nullptr}};
  Json cells = Json::array({none});
  const Row* row = rent_pick_row(sheet, pick.model, pick.method);
  if (const RunCandidate* run = row == nullptr ? nullptr : row->set_up()) {
    cells[0] = length_cell(sheet, run->gpu, run->gpus, run->hours.mid, run->usd, run->provider,
                           run->certain);
  }
  for (const std::int64_t seq_len : lengths) {
    const auto* at = entry_with(pick.at_lengths, &LengthPick::seq_len, seq_len);
    cells.push_back(at == nullptr ? none
                                  : length_cell(sheet, at->gpu, at->gpus, at->hours,
                                                {at->usd_low, at->usd, at->usd_high}, at->provider,
                                                at->certain));
  }
  return {{"method", pick.method}, {"cells", cells}};
}

/// The picks of the model at longer sequences; null where the sheet makes none.
Json length_picks(const Sheet& sheet, const std::string& model) {
  std::set<std::int64_t> lengths;
  for (const Pick& pick : sheet.picks) {
    for (const LengthPick& at : pick.at_lengths) lengths.insert(at.seq_len);
  }
  if (lengths.empty()) return nullptr;
  const std::vector<std::int64_t> others(lengths.begin(), lengths.end());
  Json heads = Json::array({{{"seq_len", sheet.scenarios.front().seq_len}}});
  for (const std::int64_t seq_len : others) heads.push_back({{"seq_len", seq_len}});
  Json rows = Json::array();
  for (const Pick& pick : sheet.picks) {
    if (pick.model == model) rows.push_back(length_row(sheet, pick, others));
  }
  return {{"length_heads", heads}, {"length_rows", rows}};
}

// ---- Rent or buy.

/// The row whose chart says most: the first pick that breaks even, else the best.
const Row* charted(const std::vector<const Row*>& rows, const Row* best) {
  for (const Row* row : rows) {
    if (row->owned && row->owned->break_even_hours_per_month) return row;
  }
  return best && best->owned ? best : nullptr;
}

/// A line of what not every tier and sheet has; none where no row has it.
void add_tier_line(const Json& rows, const std::string& label, const std::string& path,
                   Json& lines) {
  Json texts = Json::array();
  bool some = false;
  for (const Json& row : rows) {
    const Json* figure = at_path(row, path.substr(0, path.find('|')));
    texts.push_back(figure == nullptr ? std::string(kAbsent) : words_at(row, path));
    some = some || (figure != nullptr && !figure->is_null());
  }
  if (some) lines.push_back({{"label", label}, {"texts", texts}});
}

/// What each row pays in a tier, a line a tier.
Json tier_lines(const Json& rows) {
  Json lines = Json::array();
  for (const SheetTier& tier : kRentTiers) {
    const std::string note = *tier.note == '\0' ? "" : std::string(" (") + tier.note + ")";
    const std::string rent = std::string("rent.") + tier.name;
    Json texts = Json::array();
    for (const Json& row : rows) {
      texts.push_back(
          words_at(row, rent + (tier.by_month() ? ".usd_per_month|whole" : "|run_or_range")));
    }
    lines.push_back({{"label", tier.title + (tier.by_month() ? ", $/month" : note + ", $/run")},
                     {"texts", texts}});
    if (tier.by_month()) {
      add_tier_line(rows, std::string(tier.title) + ", cheaper than on demand from, h/month",
                    rent + ".break_even_hours_per_month|n0", lines);
    } else if (tier.interrupted) {
      const std::string spot = rent + ".spot.";
      add_tier_line(rows, std::string(tier.title) + ", expected hours per run",
                    spot + "hours|hours", lines);
      add_tier_line(rows, std::string(tier.title) + ", expected interruptions per run",
                    spot + "interruptions|n2", lines);
    }
  }
  return lines;
}

/// By hours of use, what each row's month comes to; null where nothing compares.
Json use_lines(const Sheet& sheet, const std::vector<const Row*>& rows) {
  std::map<double, std::vector<Json>> months;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const UseOfRow* use = sheet.ownership ? use_of(*sheet.ownership, *rows[i]) : nullptr;
    if (use == nullptr) continue;
    for (const MonthOfUse& month : use->months) {
      auto& line = months[month.hours];
      line.resize(rows.size());
      if (month.advice && month.rent_usd_per_month) line[i] = written(month);
    }
  }
  Json lines = Json::array();
  for (const auto& [hours, line] : months) lines.push_back({{"hours", hours}, {"months", line}});
  return lines;
}

/// Where the picks can be rented, and why the cheapest hour is not the cheapest run.
void put_offers(Json& values, const Sheet& sheet, const std::vector<const Row*>& rows) {
  Json tables = Json::array();
  values["dearer_hours"] = Json::array();
  for (const Row* row : rows) {
    const std::string& method = sheet.method(row->method).short_title;
    const RowOffers* all = entry_with(sheet.offers, &RowOffers::row_key, row->key());
    if (all != nullptr && !all->offers.empty()) {
      tables.push_back({{"offers_method", method},
                        {"offers_setup", set_up(sheet, *row)},
                        {"offers", written(*all).at("offers")}});
    }
    const Pick* pick = sheet.pick(row->model, row->method);
    if (pick != nullptr && !pick->hourly_why.empty()) {
      values["dearer_hours"].push_back(
          {{"dearer_method", method}, {"dearer_words", pick->hourly_why}});
    }
  }
  values["offer_tables"] = with_open(std::move(tables), 0);
}

}  // namespace

Json with_open(Json blocks, std::size_t open) {
  if (blocks.empty()) return nullptr;
  Json values = {{"first", blocks.at(open)}};
  blocks.erase(open);
  values["rest"] = std::move(blocks);
  return values;
}

Json model_values(const Sheet& sheet, const SheetModel& model) {
  const Row* best = best_row(sheet, model.id);
  std::vector<const Row*> shown;
  Json rows = Json::array();
  for (const SheetMethod& method : sheet.methods) {
    const Row* row = shown_row(sheet, model.id, method.id);
    if (row == nullptr) continue;
    shown.push_back(row);
    rows.push_back(row_json(sheet, *row));
    rows.back()["bill_parts"] = segment_parts(row->memory);
  }
  const Row* money = charted(shown, best);
  Json values = {
      {"model", model.id},
      {"source", model.source},
      {"cards", card_list(sheet, model.id)},
      {"choices", choice_list(sheet, model.id, best)},
      {"choice_charts", choice_charts(sheet, model.id)},
      {"stacks", stack_list(sheet, model.id)},
      {"memory_chart", chart_json(memory_bill_chart(sheet, model.id))},
      {"sequences", sequences(sheet, model.id)},
      {"length_picks", length_picks(sheet, model.id)},
      {"has_services",
       std::ranges::any_of(sheet.services,
                           [&](const SheetService& offer) { return offer.model == model.id; })},
      {"has_deadline", sheet.options.deadline_hours.has_value()},
      {"best", best ? row_json(sheet, *best) : Json()},
      {"money_chart", money ? chart_json(rent_or_own_chart(sheet, *money)) : Json()},
      {"tier_lines", tier_lines(rows)},
      {"use_lines", use_lines(sheet, shown)},
      {"has_files", std::ranges::any_of(shown, [](const Row* row) { return !!row->files; })}};
  values["shown_rows"] = std::move(rows);
  values["segments"] = Json::array();
  for (const auto& [kind, shade] : kSegments) {
    values["segments"].push_back(
        {{"segment_class", shade}, {"segment_words", segment_words(kind)}});
  }
  values["phase_rows"] = Json::array();
  for (const Phase phase : kPhases) {
    if (best) values["phase_rows"].push_back(phase_row(phase, shown, *best));
  }
  put_proofs(values, sheet, model, best);
  put_levers(values, sheet, model.id, best);
  put_zero_stages(values, sheet, model.id);
  put_adapter_ranks(values, sheet, model.id);
  put_offers(values, sheet, shown);
  return values;
}

}  // namespace sizesheet
