// SPDX-License-Identifier: Apache-2.0
// How a value of sheet.json reads: one table of formats, by the ids that templates write.

#include <cmath>
#include <stdexcept>

#include "render/charts.h"
#include "render/diff/words.h"
#include "render/phrases.h"
#include "support/money.h"
#include "support/text.h"

namespace sizesheet {
namespace {

std::int64_t whole(const Json& value) { return value.get<std::int64_t>(); }
double real(const Json& value) { return value.get<double>(); }
std::string text(const Json& value) { return value.get<std::string>(); }

/// The amount behind dollars of a document.
MicroUsd dollars(const Json& value) {
  const auto usd = usd_of(real(value));
  if (!usd) throw std::out_of_range("dollars with at most six decimals");
  return *usd;
}

template <std::string (*words)(MicroUsd)>
Json money(const Json& value) {
  return words(dollars(value));
}
template <int decimals>
Json number(const Json& value) {
  return format_number(real(value), decimals);
}
template <int decimals>
Json gib_words(const Json& value) {
  return format_gib(whole(value), decimals);
}
template <std::string (*words)(const std::string&)>
Json worded(const Json& value) {
  return text(value).empty() ? std::string(kAbsent) : words(text(value));
}

Json is_any(const Json& value) {
  if (value.is_string()) return !text(value).empty();
  if (value.is_number()) return real(value) != 0;
  return value.is_boolean() ? value : Json(!value.is_array() || !value.empty());
}

constexpr std::size_t kShortHash = 12;  // characters of a catalog's hash on a page

/// "method.html#loss": a part of the page of method, as a model's page names its sources.
constexpr std::string_view kMethodPage = "method.html#";
Json in_method(const Json& value) { return starts_with(text(value), kMethodPage); }
Json method_part(const Json& value) { return text(value).substr(kMethodPage.size()); }

/// Plain figures read better rounded by size than at one precision for 0.08 and 265,000 alike.
Json estimate(const Json& value) {
  return real(value) >= 1000 ? format_number(real(value), 0) : shortest(real(value));
}

/// A figure that some types lack: 0 is "not known".
Json known(const Json& value) {
  return real(value) > 0 ? format_number(real(value), 0) : std::string(kAbsent);
}
Json raw_known(const Json& value) { return real(value) > 0 ? shortest(real(value)) : ""; }

std::string signed_percent(double share) {
  const std::string words = share_words(share);
  return (share > 0 && words != "0.0\u00a0%" ? "+" : "") + words;
}

/// The class of what moved: "less", "same" or "more".
Json way(const Json& moved) {
  if (real(moved) == 0) return "same";
  return real(moved) < 0 ? "less" : "more";
}

/// "93.0 %", "< 0.1 %".
Json part(const Json& value) {
  constexpr double kLeast = 0.0005;
  const double share = real(value);
  return share > 0 && share < kLeast ? "<\u00a00.1\u00a0%" : share_words(share);
}

/// Two decimals under 10 GiB, one above; "0" for nothing, never for little.
Json small_gib(const Json& value) {
  constexpr std::int64_t kTenGib = 10LL << 30;
  constexpr double kLeast = 0.005;
  const std::int64_t bytes = whole(value);
  if (bytes > 0 && static_cast<double>(bytes) < kLeast * kGiB) return "<\u00a00.01";
  return bytes == 0 ? "0" : format_gib(bytes, bytes < kTenGib ? 2 : 1);
}

/// GiB of a file with two decimals below ten, whole above; an absent part of a run has no file.
Json file_size(const Json& value) {
  constexpr double kTen = 9.995;
  const std::int64_t bytes = whole(value);
  return bytes > 0 ? format_gib(bytes, gib(bytes) < kTen ? 2 : 0) : std::string(kAbsent);
}

/// "6.20 M", "31,577.9 M": parameters in millions.
Json millions(const Json& value) {
  constexpr double kMillion = 1e6;
  constexpr std::int64_t kManyMillions = 100'000'000;
  const std::int64_t count = whole(value);
  return format_number(static_cast<double>(count) / kMillion, count < kManyMillions ? 2 : 1) +
         "\u00a0M";
}

/// "1, 2, 4, 8" of a list; the middle of a long one is left out.
Json counts(const Json& list) {
  constexpr std::size_t kMost = 8;
  constexpr std::size_t kFirst = 5;
  std::vector<std::string> words;
  for (const Json& count : list) words.push_back(format_integer(whole(count)));
  if (words.size() > kMost) {
    words.erase(words.begin() + kFirst, words.end() - 1);
    words.insert(words.end() - 1, "…");
  }
  return join(words, ", ");
}

/// "●", "▲" or "○" of a verdict.
Json mark(const Json& value) { return verdict_named(text(value)).mark; }

/// "fits, 22 % free" of whatever has a verdict, device and capacity: a row, a check, a bill.
Json verdict(const Json& value) {
  if (!value.value("modelled", true)) return facts_of(Verdict::kNotModelled).words;
  const Json& bytes = value.contains("memory") ? value.at("memory") : value;
  const std::string unit = bytes.contains("device_bytes") ? "_bytes" : "";
  return verdict_words(verdict_named(text(value.at("verdict"))).value,
                       whole(bytes.at("device" + unit)), whole(bytes.at("capacity" + unit)));
}
/// The class of a row: its verdict, or "refused".
Json standing(const Json& row) {
  return row.at("modelled").get<bool>() ? row.at("verdict") : Json(Verdict::kNotModelled);
}

/// "●" … of a row; "–" where it was refused.
Json row_mark(const Json& row) { return mark(standing(row)); }
/// "fits", "tight", "no", "not modelled".
Json answer(const Json& row) { return verdict_named(text(standing(row))).answer; }
/// The smallest count that can be rented: one that fits, else one that holds.
Json smallest(const Json& minimum) {
  return minimum.at("rentable").is_null() ? minimum.at("tight") : minimum.at("rentable");
}
Json smallest_count(const Json& minimum) {
  const Json count = smallest(minimum);
  return count.is_null() ? std::string(kAbsent) : format_integer(whole(count));
}
Json raw_smallest(const Json& minimum) {
  const Json count = smallest(minimum);
  return count.is_null() ? "" : std::to_string(whole(count));
}

/// A figure of an input, in its unit: "low", "typical", "high", "value".
template <const char* const& key>
Json in_unit(const Json& input) {
  return input_value(real(input.at(key)), text(input.at("unit")));
}
constexpr const char* kLow = "low";
constexpr const char* kTypical = "typical";
constexpr const char* kHigh = "high";
constexpr const char* kValue = "value";

/// "rent", "buy", "close" of a machine owned, or of a month of use; null where it has no advice.
Json advice_of(const Json& own) {
  if (own.at("advice").is_null()) return nullptr;
  return own.at("close").get<bool>() ? Json("close") : own.at("advice");
}
Json advice(const Json& own) {
  const Json word = advice_of(own);
  return word.is_null() ? Json(std::string(kAbsent)) : word;
}
Json advice_class(const Json& own) {
  const Json word = advice_of(own);
  return word.is_null() ? Json("absent") : word;
}
/// The class of an advice to part from renting: "buy" or "close".
Json decided(const Json& own) {
  const Json word = advice_of(own);
  return word.is_null() || word == "rent" ? Json("known") : word;
}

constexpr const char* kEvenHours = "break_even_hours_per_month";
constexpr const char* kEvenRuns = "break_even_runs_per_month";
/// Hours or runs a month from which owning pays: "never" where it does not, "–" where nothing
/// compares.
template <const char* const& key>
Json even(const Json& own) {
  if (own.at("advice").is_null()) return std::string(kAbsent);
  const Json& value = own.at(key);
  if (value.is_null()) return "never";
  return key == kEvenRuns ? format_number(real(value), 1) : month_hours(real(value));
}
template <const char* const& key>
Json raw_even(const Json& own) {
  const Json& value = own.at(key);
  return own.at("advice").is_null() || value.is_null() ? "" : shortest(real(value));
}
template <const char* const& key>
Json even_class(const Json& own) {
  if (own.at("advice").is_null()) return "absent";
  return own.at(key).is_null() ? "never" : "known";
}

/// Hours of a row, behind "~" where no published speed is of its GPU type.
Json row_hours(const Json& row) {
  const Json& mid = row.at("hours").at("mid");
  if (mid.is_null()) return std::string(kAbsent);
  const bool guessed = row.at("throughput").at("gpu_measured") == false;
  return (guessed ? "~" : "") + run_hours(real(mid));
}
/// "2.1–3.4" of hours.
Json range(const Json& hours) {
  if (hours.at("low").is_null() || hours.at("high").is_null()) return std::string(kAbsent);
  return run_hours(real(hours.at("low"))) + "–" + run_hours(real(hours.at("high")));
}

/// "530–810" of dollars.
Json usd_range(const Json& usd) {
  const auto words = [&](const char* end) { return format_usd_roughly(dollars(usd.at(end))); };
  return words("low") + "–" + words("high");
}

/// An amount of a rent, with what stands behind it.
Json paid(const Json& line, const char* key, std::string (*words)(MicroUsd)) {
  if (line.at(key).is_null()) return std::string(kAbsent);
  return words(dollars(line.at(key))) + text(line.at("behind_price"));
}
Json paid_run(const Json& line) { return paid(line, "usd_per_run", run_usd); }
Json paid_month(const Json& line) { return paid(line, "usd_per_month", whole_usd); }

/// "1,234" of a rent; on spot "1,234 to 1,419", interruptions counted.
Json run_or_range(const Json& line) {
  if (line.at("usd_per_run").is_null()) return std::string(kAbsent);
  const std::string plain = run_usd(dollars(line.at("usd_per_run")));
  const Json& interrupted = line.at("usd_per_run_interrupted");
  return interrupted.is_null() ? plain : plain + " to " + run_usd(dollars(interrupted));
}

/// "1 (8x H100 SXM node), 7 GPUs unused: $9,606 a month" of what is owned.
Json bought(const Json& own) {
  const std::int64_t unused = whole(own.at("unused_gpus"));
  return format_integer(whole(own.at("nodes"))) + " (" + text(own.at("node_title")) + ")" +
         (unused == 0 ? ""
                      : ", " + gpu_count(unused) + " unused: $" +
                            whole_usd(dollars(own.at("unused_usd_per_month"))) + " a month");
}

using Formats = std::map<std::string, Format, std::less<>>;

/// Flags of sections, then numbers to sort by, then counts and other figures.
Formats figure_formats() {
  const std::string none(kAbsent);
  return {
      {"any", {is_any, false}},
      {"link",
       {[](const Json& v) -> Json {
          return starts_with(text(v), "https://") && text(v).find(' ') == std::string::npos;
        },
        false}},
      {"in_method", {in_method, false}},
      {"raw", {[](const Json& v) -> Json { return shortest(real(v)); }, ""}},
      {"raw_gib", {[](const Json& v) -> Json { return shortest(gib(whole(v))); }, ""}},
      {"raw_known", {raw_known, ""}},
      {"raw_percent",
       {[](const Json& v) -> Json { return shortest(std::round(real(v) * 1e5) / 1e3); }, ""}},
      {"raw_even", {raw_even<kEvenHours>, ""}},
      {"raw_smallest", {raw_smallest, ""}},
      {"digits", {[](const Json& v) -> Json { return std::to_string(whole(v)); }, ""}},
      {"count", {[](const Json& v) -> Json { return format_integer(whole(v)); }, none}},
      {"counts", {counts, none}},
      {"smallest", {smallest_count, none}},
      {"length",
       {[](const Json& v) -> Json { return format_integer(static_cast<std::int64_t>(v.size())); },
        none}},
      {"times",
       {[](const Json& v) -> Json { return format_integer(whole(v)) + "\u00a0×\u00a0"; }, none}},
      {"rounded",
       {[](const Json& v) -> Json { return format_integer(std::llround(real(v))); }, none}},
      {"n0", {number<0>, none}},
      {"n1", {number<1>, none}},
      {"n2", {number<2>, none}},
      {"n3", {number<3>, none}},
      {"n0_or_never", {number<0>, "never"}},
      {"n1_or_never", {number<1>, "never"}},
      {"known", {known, none}},
      {"millions", {millions, none}},
      {"estimate", {estimate, none}},
      {"parameters", {[](const Json& v) -> Json { return format_parameters(whole(v)); }, none}},
      {"share", {[](const Json& v) -> Json { return share_words(real(v)); }, none}},
      {"part", {part, none}},
      {"percents",
       {[](const Json& v) -> Json { return format_number(100 * real(v), 0) + "\u00a0%"; }, none}},
      {"error", {[](const Json& v) -> Json { return signed_percent(real(v)); }, none}},
      {"factor", {[](const Json& v) -> Json { return signed_percent(real(v) - 1); }, none}},
      {"low", {in_unit<kLow>, none}},
      {"typical", {in_unit<kTypical>, none}},
      {"high", {in_unit<kHigh>, none}},
      {"value", {in_unit<kValue>, none}},
      {"added", {[](const Json& v) -> Json { return added_words(real(v)); }, none}},
      {"moved", {[](const Json& v) -> Json { return delta_percent(real(v)); }, none}},
      {"way", {way, "absent"}},
      {"multiple",
       {[](const Json& v) -> Json { return format_number(real(v), 2) + "\u00a0×"; }, none}},
      {"percent", {[](const Json& v) -> Json { return format_number(100 * real(v), 2); }, none}},
  };
}

/// Bytes, then money, then time, then words.
Formats unit_formats() {
  const std::string none(kAbsent);
  return {
      {"gib", {gib_words<1>, none}},
      {"gib_or_0",
       {[](const Json& v) -> Json { return whole(v) == 0 ? "0" : format_gib(whole(v), 1); }, none}},
      {"gib2", {gib_words<2>, none}},
      {"small_gib", {small_gib, none}},
      {"file", {file_size, none}},
      {"hourly", {money<hourly_usd>, none}},
      {"run", {money<run_usd>, none}},
      {"whole", {money<whole_usd>, none}},
      {"delta", {money<delta_run>, none}},
      {"cents", {[](const Json& v) -> Json { return delta_usd(dollars(v), 2); }, none}},
      {"paid_run", {paid_run, none}},
      {"paid_month", {paid_month, none}},
      {"run_or_range", {run_or_range, none}},
      {"bought", {bought, none}},
      {"hours", {[](const Json& v) -> Json { return run_hours(real(v)); }, none}},
      {"row_hours", {row_hours, none}},
      {"range", {range, none}},
      {"usd_range", {usd_range, none}},
      {"month", {[](const Json& v) -> Json { return "month " + format_integer(whole(v)); }, none}},
      {"text",
       {[](const Json& v) -> Json { return text(v).empty() ? Json(std::string(kAbsent)) : v; },
        none}},
      {"short", {[](const Json& v) -> Json { return text(v).substr(0, kShortHash); }, none}},
      {"method_part", {method_part, none}},
      {"title", {[](const Json& v) -> Json { return sentence_case(text(v)); }, none}},
      {"phase", {worded<phase_words>, none}},
      {"term", {worded<term_words>, none}},
      {"tier", {worded<tier_words>, none}},
      {"tier_title",
       {[](const Json& v) -> Json { return sentence_case(tier_words(text(v))); }, none}},
      {"mark", {mark, none}},
      {"verdict", {verdict, none}},
      {"standing", {standing, none}},
      {"row_mark", {row_mark, none}},
      {"answer", {answer, none}},
      {"fragment", {[](const Json& v) -> Json { return fragment("", text(v)); }, none}},
      {"advice", {advice, none}},
      {"advice_class", {advice_class, "absent"}},
      {"decided", {decided, "known"}},
      {"even", {even<kEvenHours>, none}},
      {"even_class", {even_class<kEvenHours>, "absent"}},
      {"from_runs", {even<kEvenRuns>, none}},
      {"from_runs_class", {even_class<kEvenRuns>, "absent"}},
      {"raw_from_runs", {raw_even<kEvenRuns>, ""}},
  };
}

const Formats& formats() {
  static const Formats kFormats = [] {
    Formats all = figure_formats();
    all.merge(unit_formats());
    return all;
  }();
  return kFormats;
}

}  // namespace

const Format* format_of(std::string_view id) {
  const auto found = formats().find(id);
  return found == formats().end() ? nullptr : &found->second;
}

Json formatted(const Format& format, const Json& value) {
  return value.is_null() ? format.absent : format.shown(value);
}

std::string words_at(const Json& object, std::string_view name) {
  const std::size_t bar = name.find('|');
  const std::string_view path = name.substr(0, bar);
  const Json* value = path == "." ? &object : at_path(object, path);
  const Format* format = bar == name.npos ? nullptr : format_of(name.substr(bar + 1));
  if (value == nullptr || format == nullptr) throw std::out_of_range(std::string(name));
  return formatted(*format, *value).get<std::string>();
}

std::vector<std::string> format_ids() {
  std::vector<std::string> ids;
  for (const auto& [id, format] : formats()) ids.push_back(id);
  return ids;
}

}  // namespace sizesheet
