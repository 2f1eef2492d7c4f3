// SPDX-License-Identifier: Apache-2.0
#include "render/formats.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "render/change_words.h"
#include "render/changes_words.h"
#include "render/phrases.h"
#include "render/range_charts.h"
#include "sheet/money_words.h"
#include "support/error.h"
#include "support/json.h"
#include "support/money.h"
#include "support/named.h"
#include "support/text.h"
#include "support/trace.h"

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

Json made(auto(*words)(MicroUsd), const Json& value) { return words(dollars(value)); }
Json made(auto(*words)(std::int64_t), const Json& value) { return words(whole(value)); }
Json made(auto(*words)(double), const Json& value) { return words(real(value)); }
Json made(auto(*words)(const std::string&), const Json& value) { return words(text(value)); }

/// What a function makes of the amount, count, number or text that it takes.
template <auto words>
Json said(const Json& value) {
  return made(+words, value);
}
template <int decimals>
Json number(const Json& value) {
  return format_number(real(value), decimals);
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

/// Plain figures read better rounded by size than at one precision for 0.08 and 265,000 alike.
std::string estimate(double value) {
  return value >= 1000 ? format_number(value, 0) : shortest(value);
}

/// A figure that some types lack: 0 is "not known".
std::string known(double value) {
  return value > 0 ? format_number(value, 0) : std::string(kAbsent);
}

/// "+10.0 %", "+0.09 %" of a natural logarithm.
std::string ln_percent(double ln) {
  const double percent = 100 * std::expm1(ln);
  if (percent == 0) return "0\u00a0%";
  return (percent > 0 ? "+" : "") + format_number(percent, std::abs(percent) < 1 ? 2 : 1) +
         "\u00a0%";
}

std::string signed_percent(double share) {
  const std::string words = share_words(share);
  return (share > 0 && words != "0.0\u00a0%" ? "+" : "") + words;
}

/// The class of what moved: "less", "same" or "more".
std::string way(double moved) {
  if (moved == 0) return "same";
  return moved < 0 ? "less" : "more";
}

/// "93.0 %", "< 0.1 %".
std::string part(double share) {
  constexpr double kLeast = 0.0005;
  return share > 0 && share < kLeast ? "<\u00a00.1\u00a0%" : share_words(share);
}

/// Two decimals under 10 GiB, one above; "0" for nothing, never for little.
std::string small_gib(std::int64_t bytes) {
  constexpr std::int64_t kTenGib = 10LL << 30;
  constexpr double kLeast = 0.005;
  if (bytes > 0 && static_cast<double>(bytes) < kLeast * kGiB) return "<\u00a00.01";
  return bytes == 0 ? "0" : format_gib(bytes, bytes < kTenGib ? 2 : 1);
}

/// GiB of a file with two decimals below ten, whole above; an absent part of a run has no file.
std::string file_size(std::int64_t bytes) {
  constexpr double kTen = 9.995;
  return bytes > 0 ? format_gib(bytes, gib(bytes) < kTen ? 2 : 0) : std::string(kAbsent);
}

/// "6.20 M", "31,577.9 M": parameters in millions.
std::string millions(std::int64_t count) {
  constexpr double kMillion = 1e6;
  constexpr std::int64_t kManyMillions = 100'000'000;
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

/// "fits, 22 % free" of whatever has a verdict, device and capacity: a row, a check, a bill.
Json verdict(const Json& value) {
  if (!value.value("modelled", true)) return facts_of(Verdict::kNotModelled).words;
  const Json& bytes = value.contains("memory") ? value.at("memory") : value;
  const std::string unit = bytes.contains("device_bytes") ? "_bytes" : "";
  return verdict_words(verdict_named(text(value.at("verdict"))).value,
                       whole(bytes.at("device" + unit)), whole(bytes.at("device_high" + unit)),
                       whole(bytes.at("capacity" + unit)));
}
Verdict verdict_of(const Json& value) {
  return value.value("modelled", true) ? verdict_named(text(value.at("verdict"))).value
                                       : Verdict::kNotModelled;
}
/// What a value says, else its bill; nullopt where neither says it.
std::optional<bool> certain_of(const Json& value) {
  const Json& of = value.contains("certain") ? value : value.value("memory", Json::object());
  const auto found = of.find("certain");
  if (found == of.end() || found->is_null()) return std::nullopt;
  return found->get<bool>();
}
/// The class of a value with a verdict: the verdict, "unsure" or "refused".
Json standing(const Json& value) { return standing_class(verdict_of(value), certain_of(value)); }

const VerdictFacts& standing_facts(const Json& value) {
  return standing_facts(verdict_of(value), certain_of(value));
}
Json unsure(const Json& value) { return !certain_of(value).value_or(true); }
/// "?" where it is not certain, else "".
Json doubt(const Json& value) { return certain_of(value).value_or(true) ? "" : kDoubtMark; }
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
Json in_unit(const Json& input, const char* key) {
  return input_value(real(input.at(key)), text(input.at("unit")));
}

/// "rent", "buy", "close": what a stated demand decides; "" without one.
std::string decision_of(const Json& own) {
  const auto found = own.find("decision");
  return found == own.end() || found->is_null() ? "" : text(*found);
}
Json decision(const Json& own) { return decision_of(own); }
Json decision_class(const Json& own) {
  const std::string word = decision_of(own);
  return word.empty() ? "absent" : word;
}

constexpr const char* kEvenHours = "break_even_hours_per_month";
constexpr const char* kEvenRuns = "break_even_runs_per_month";
/// Hours or runs per month from which owning pays: "never" where it does not, "–" where nothing
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

/// "214", "never"; behind it the word of a stated demand: "214, buy".
Json pays_from(const Json& own) {
  const std::string word = decision_of(own);
  return text(even<kEvenHours>(own)) + (word.empty() ? "" : ", " + word);
}
/// "3,822 or 2,740": a month rented, and the same owned.
Json rent_or_own_month(const Json& month) {
  const Json& rent = month.at("rent_usd_per_month");
  const std::string own = whole_usd(dollars(month.at("own_usd_per_month")));
  return (rent.is_null() ? std::string(kAbsent) : whole_usd(dollars(rent))) + " or " + own;
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

/// "530–810" of dollars; absent where there is no offer.
Json usd_range(const Json& usd) {
  if (usd.at("low").is_null()) return std::string(kAbsent);
  const auto words = [&](const char* end) { return format_usd_roughly(dollars(usd.at(end))); };
  return words("low") + "–" + words("high");
}

/// "31.5–52.0" of the set-up that an owned machine is compared with.
Json against_range(const Json& own) {
  const Json& set_up = own.at("rent_set_up");
  return set_up.is_null() ? std::string(kAbsent) : text(usd_range(set_up.at("usd")));
}

/// An amount of a rent, with what stands behind it.
Json paid(const Json& line, const char* key, std::string (*words)(MicroUsd)) {
  if (line.at(key).is_null()) return std::string(kAbsent);
  return words(dollars(line.at(key))) + text(line.at("behind_price"));
}

/// "1,234" of a rent; on spot "1,234 to 1,419", interruptions counted.
Json run_or_range(const Json& line) {
  if (line.at("usd_per_run").is_null()) return std::string(kAbsent);
  const std::string plain = run_usd(dollars(line.at("usd_per_run")));
  const Json& interrupted = line.at("usd_per_run_interrupted");
  return interrupted.is_null() ? plain : plain + " to " + run_usd(dollars(interrupted));
}

/// "8x H100 SXM node, 7 GPUs unused: $9,606 per month", "2 × 8x H100 SXM node" of what is owned.
Json bought(const Json& own) {
  const std::int64_t unused = whole(own.at("unused_gpus"));
  const std::int64_t nodes = whole(own.at("nodes"));
  return (nodes == 1 ? "" : format_integer(nodes) + " × ") + text(own.at("node_title")) +
         (unused == 0 ? ""
                      : ", " + gpu_count(unused) + " unused: $" +
                            whole_usd(dollars(own.at("unused_usd_per_month"))) + " per month");
}

/// "price of its parts, 2026-07-22; delivery in 36 to 52 weeks" of what is owned.
Json ordered(const Json& own) {
  const Json& kind = own.at("price_kind");
  const Json& weeks = own.at("lead_time_weeks");
  std::optional<PriceKind> known;
  if (!kind.is_null()) known = value_of(kPurchasePriceKinds, text(kind));
  std::optional<LeadTime> lead;
  if (!weeks.is_null()) lead = LeadTime{real(weeks.at("low")), real(weeks.at("high"))};
  return order_words(known, text(own.at("price_as_of")), lead);
}
/// "36 to 52 weeks" of a machine that a plan buys; what no source says is assumed.
Json delivery(const Json& pool) {
  const Json& months = pool.at("lead_months");
  if (months.is_null()) return "";
  const Json& weeks = pool.at("lead_time_weeks");
  if (!weeks.is_null()) return lead_words({real(weeks.at("low")), real(weeks.at("high"))});
  return months_words(real(months)) + " (assumed)";
}
/// "9,606", "2,740 used": dollars per month of what is owned.
Json own_month(const Json& own) {
  return whole_usd(dollars(own.at("usd_per_month"))) + (own.at("used") == true ? " used" : "");
}
/// Of a row that is owned, behind "~" where no published speed is of its GPU type.
Json own_row_run(const Json& row) {
  const Json& own = row.at("own");
  if (own.is_null() || own.at("own_usd_per_run").is_null()) return std::string(kAbsent);
  const bool guessed = row.at("throughput").at("gpu_measured") == false;
  return (guessed ? "~" : "") + run_usd(dollars(own.at("own_usd_per_run")));
}
/// "1.2–3.4", dollars of a run on what is owned.
Json own_run_range(const Json& own) {
  return run_usd(dollars(own.at("usd_per_run_low"))) + "–" +
         run_usd(dollars(own.at("usd_per_run_high")));
}
/// Behind "~" where no published speed is of its GPU type.
Json own_run(const Json& own) {
  return (own.at("measured") == false ? "~" : "") + run_usd(dollars(own.at("usd_per_run")));
}

/// Whole numbers as they are, others with four significant digits, no zeros at the end.
std::string figure_words(double value) {
  constexpr int kDigits = 4;  // enough to tell a figure from its rounding
  constexpr double kLargestWhole = 1e15;
  if (std::fabs(value) >= kLargestWhole) return shortest(value);
  if (value == std::floor(value)) return format_integer(static_cast<std::int64_t>(value));
  const int before = static_cast<int>(std::floor(std::log10(std::fabs(value)))) + 1;
  std::string text = format_number(value, std::max(0, kDigits - before));
  if (text.find('.') == std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

/// "1.2–3.4" of a figure of a guide, or "yes", or "1; 2; 3".
Json printed_figure(const Json& value) {
  if (!value.at("answer").is_null()) return value.at("answer") ? "yes" : "no";
  std::vector<std::string> words;
  for (const Json& one : value.at("numbers")) words.push_back(figure_words(real(one)));
  if (words.empty()) return std::string(kAbsent);
  return join(words, words.size() == 2 ? "–" : "; ");
}

/// "owner/name folder/file @commit, what it holds": a source that is a file of a public repository.
struct FileSource {
  std::string repository;
  std::string path;
  std::string commit;  ///< "HEAD" where none is named
  std::string words;   ///< what it holds
};

std::optional<FileSource> file_source(const std::string& source) {
  const std::size_t behind_name = source.find(' ');
  if (behind_name == source.npos) return std::nullopt;
  FileSource file{source.substr(0, behind_name), "", "HEAD", ""};
  if (std::ranges::count(file.repository, '/') != 1 || file.repository.find('.') != source.npos) {
    return std::nullopt;
  }
  std::string rest = source.substr(behind_name + 1);
  file.path = rest.substr(0, rest.find_first_of(" ,"));
  if (file.path.find('.') == source.npos) return std::nullopt;
  rest.erase(0, file.path.size());
  if (starts_with(rest, " @")) {
    file.commit = rest.substr(2, rest.find_first_of(" ,", 2) - 2);
    rest.erase(0, 2 + file.commit.size());
  }
  const std::size_t words = rest.find_first_not_of(" ,");
  file.words = words == rest.npos ? "" : rest.substr(words);
  return file;
}

Json file_address(const Json& source) {
  const FileSource file = file_source(text(source)).value();
  return "https://github.com/" + file.repository + "/blob/" + file.commit + "/" + file.path;
}

/// What the file holds; where nothing says it, whose file it is.
Json file_words(const Json& source) {
  const FileSource file = file_source(text(source)).value();
  return file.words.empty() ? "file of " + file.repository : sentence_case(file.words);
}

/// What a figure of a team's own run is, with its unit.
std::string team_figure(const std::string& figure) {
  return figure == "speed" ? "tokens per second and GPU" : "GiB per GPU, " + figure;
}

Json yes_or_no(const Json& value) { return value.get<bool>() ? "yes" : "no"; }

/// Makes words of a value, or a flag for a section.
struct Format {
  std::string_view id;
  Json (*shown)(const Json& value);
  const char* absent = "–";  ///< what stands for a value that is not known; nullptr: false
};

/// Flags of sections, then numbers to sort by, counts and other figures, bytes, money, time, words.
constexpr Format kFormats[] = {
    {"any", is_any, nullptr},
    {"unsure", unsure, nullptr},
    {"link", said<[](const std::string& address) {
       return starts_with(address, "https://") && address.find(' ') == address.npos;
     }>,
     nullptr},
    {"in_file", said<[](const std::string& source) { return file_source(source).has_value(); }>,
     nullptr},
    {"file_address", file_address},
    {"file_words", file_words},
    {"in_method", said<[](const std::string& source) { return starts_with(source, kMethodPage); }>,
     nullptr},
    {"raw", said<shortest>, ""},
    {"raw_gib", said<[](std::int64_t bytes) { return shortest(gib(bytes)); }>, ""},
    {"raw_known", said<[](double value) { return 0 < value ? shortest(value) : ""; }>, ""},
    {"raw_percent", said<[](double share) { return shortest(std::round(share * 1e5) / 1e3); }>, ""},
    {"raw_even", raw_even<kEvenHours>, ""},
    {"raw_smallest", raw_smallest, ""},
    {"digits", said<[](std::int64_t count) { return std::to_string(count); }>, ""},
    {"count", said<format_integer>},
    {"nth", said<[](std::int64_t before) { return format_integer(before + 1); }>},
    {"counts", counts},
    {"one_or_count", said<[](std::int64_t n) { return n == 1 ? "one" : format_integer(n); }>},
    {"gpus", said<gpu_count>},
    {"smallest", smallest_count},
    {"length",
     [](const Json& v) -> Json { return format_integer(static_cast<std::int64_t>(v.size())); }},
    {"times", said<[](std::int64_t count) { return format_integer(count) + "\u00a0×\u00a0"; }>},
    {"rounded", said<[](double value) { return format_integer(std::llround(value)); }>},
    {"n0", number<0>},
    {"n1", number<1>},
    {"n2", number<2>},
    {"n3", number<3>},
    {"n0_or_never", number<0>, "never"},
    {"n1_or_never", number<1>, "never"},
    {"known", said<known>},
    {"millions", said<millions>},
    {"estimate", said<estimate>},
    {"parameters", said<format_parameters>},
    {"share", said<share_words>},
    {"part", said<part>},
    {"percents", said<[](double share) { return format_number(100 * share, 0) + "\u00a0%"; }>},
    {"error", said<signed_percent>},
    {"team_figure", said<team_figure>},
    {"yes_or_no", yes_or_no},
    {"ln", said<ln_percent>},
    {"factor", said<[](double factor) { return signed_percent(factor - 1); }>},
    {"low", [](const Json& v) { return in_unit(v, "low"); }},
    {"typical", [](const Json& v) { return in_unit(v, "typical"); }},
    {"high", [](const Json& v) { return in_unit(v, "high"); }},
    {"value", [](const Json& v) { return in_unit(v, "value"); }},
    {"printed", printed_figure},
    {"added", said<added_words>},
    {"moved", said<delta_percent>},
    {"way", said<way>, "absent"},
    {"multiple", said<[](double value) { return format_number(value, 2) + "\u00a0×"; }>},
    {"percent", said<[](double share) { return format_number(100 * share, 2); }>},
    {"gib", said<[](std::int64_t bytes) { return format_gib(bytes, 1); }>},
    {"gib_or_0", said<[](std::int64_t bytes) { return bytes == 0 ? "0" : format_gib(bytes, 1); }>},
    {"gib2", said<[](std::int64_t bytes) { return format_gib(bytes, 2); }>},
    {"small_gib", said<small_gib>},
    {"file", said<file_size>},
    {"hourly", said<hourly_usd>},
    {"run", said<run_usd>},
    {"million_tokens", said<million_tokens_usd>},
    {"whole", said<whole_usd>},
    {"delta", said<delta_run>},
    {"cents", said<[](MicroUsd usd) { return delta_usd(usd, 2); }>},
    {"paid_run", [](const Json& line) { return paid(line, "usd_per_run", run_usd); }},
    {"paid_month", [](const Json& line) { return paid(line, "usd_per_month", whole_usd); }},
    {"run_or_range", run_or_range},
    {"bought", bought},
    {"ordered", ordered},
    {"delivery", delivery},
    {"own_month", own_month},
    {"own_row_run", own_row_run},
    {"own_run", own_run},
    {"own_run_range", own_run_range},
    {"hours", said<[](double hours) { return run_hours(hours); }>},
    {"row_hours", row_hours},
    {"range", range},
    {"usd_range", usd_range},
    {"month", said<[](std::int64_t month) { return "month " + format_integer(month); }>},
    {"months", said<[](std::int64_t months) { return counted(months, "month", "months"); }>},
    {"text", worded<[](const std::string& words) { return words; }>},
    {"list", [](const Json& v) -> Json { return join(v.get<std::vector<std::string>>(), ", "); }},
    {"short", said<[](const std::string& hash) { return hash.substr(0, kShortHash); }>},
    {"method_part",
     said<[](const std::string& source) { return source.substr(kMethodPage.size()); }>},
    {"title", said<[](const std::string& words) { return sentence_case(words); }>},
    {"group", said<group_title>},
    {"phase", worded<phase_words>},
    {"term", worded<term_words>},
    {"tier", worded<tier_words>},
    {"tier_title", said<[](const std::string& tier) { return sentence_case(tier_words(tier)); }>},
    {"stage", said<stage_words>},
    {"mark", said<[](const std::string& id) { return verdict_named(id).mark; }>},
    {"verdict", verdict},
    {"standing", standing},
    {"row_mark", [](const Json& row) -> Json { return standing_facts(row).mark; }},
    {"answer", [](const Json& row) -> Json { return standing_facts(row).answer; }},
    {"doubt", doubt, ""},
    {"fragment", said<[](const std::string& key) { return fragment("", key); }>},
    {"decision", decision, ""},
    {"decision_class", decision_class, "absent"},
    {"pays_from", pays_from},
    {"rent_or_own_month", rent_or_own_month},
    {"against_range", against_range},
    {"even", even<kEvenHours>},
    {"even_class", even_class<kEvenHours>, "absent"},
    {"from_runs", even<kEvenRuns>},
    {"from_runs_class", even_class<kEvenRuns>, "absent"},
    {"raw_from_runs", raw_even<kEvenRuns>, ""},
};

const Format* format_of(std::string_view id) {
  const auto* found = std::ranges::find(kFormats, id, &Format::id);
  return found == std::end(kFormats) ? nullptr : found;
}

/// Begins the format that asks whether a text is one of the words behind it.
constexpr std::string_view kIs = "is ";

}  // namespace

Json formatted(std::string_view format, const Json& value) {
  if (starts_with(format, kIs)) {
    return value.is_string() && contains(split(format.substr(kIs.size()), ' '), text(value));
  }
  const Format* known = format_of(format);
  if (known == nullptr) throw std::out_of_range(std::string(format));
  if (!value.is_null()) return known->shown(value);
  return known->absent == nullptr ? Json(false) : Json(known->absent);
}

std::string format_fault(std::string_view format) {
  if (starts_with(format, kIs) || format_of(format) != nullptr) return "";
  return "no format named '" + std::string(format) + "'" +
         did_you_mean(format, each_of(kFormats, &Format::id));
}

std::string words_at(const Json& object, std::string_view name) {
  const std::size_t bar = name.find('|');
  const std::string_view path = name.substr(0, bar);
  const Json* value = path == "." ? &object : at_path(object, path);
  if (value == nullptr || bar == name.npos) throw std::out_of_range(std::string(name));
  return formatted(name.substr(bar + 1), *value).get<std::string>();
}

}  // namespace sizesheet
