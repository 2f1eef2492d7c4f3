// SPDX-License-Identifier: Apache-2.0
#include "render/phrases.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "sheet/money.h"
#include "sheet/services.h"
#include "sheet/sheet.h"
#include "support/money.h"
#include "support/named.h"
#include "support/text.h"
#include "support/trace.h"

namespace sizesheet {

std::string set_up(const Sheet& sheet, const std::string& gpu, std::int64_t gpus) {
  return format_integer(gpus) + "\u00a0×\u00a0" + sheet.gpu(gpu).short_name;
}

std::string set_up(const Sheet& sheet, const Row& row) {
  return set_up(sheet, row.gpu, row.layout.gpus);
}

std::string behind_price(const Row& row, const RentLine& line) {
  const bool more = line.gpus_paid > row.layout.gpus;
  return (more ? "\u00a0for\u00a0" + format_integer(line.gpus_paid) + "\u00a0GPUs" : "") +
         (line.old ? "\u00a0of\u00a0" + line.price_key.substr(line.price_key.rfind('/') + 1) : "");
}

std::string price_days(const SheetMeta& meta) {
  const bool one = meta.price_from.empty() || meta.price_from == meta.price_as_of;
  return (one ? "" : meta.price_from + " to ") + meta.price_as_of;
}

std::string run_length(const Sheet& sheet, std::string (*count)(std::int64_t tokens),
                       const std::string& unit) {
  const auto& [whole, adapters] = std::tie(sheet.options.tokens, sheet.options.adapter_tokens);
  const bool any = std::ranges::any_of(sheet.methods, &SheetMethod::adapters);
  if (!adapters || !any) return count(whole) + unit;
  if (std::ranges::all_of(sheet.methods, &SheetMethod::adapters)) return count(*adapters) + unit;
  return count(whole) + unit + " (adapters: " + count(*adapters) + ")";
}

std::string counts_text(const std::vector<std::int64_t>& counts, const char* between) {
  std::vector<std::string> words;
  for (const std::int64_t count : counts) words.push_back(std::to_string(count));
  return join(words, between);
}

std::string gpu_count(std::int64_t gpus) {
  return format_integer(gpus) + (gpus == 1 ? " GPU" : " GPUs");
}

std::vector<std::string> degrees(const LayoutShape& layout, bool in_words) {
  std::vector<std::string> parts;
  for (const Degree& degree : kDegrees) {
    const std::int64_t ranks = layout.*degree.ranks;
    if (ranks > 1) {
      parts.push_back((in_words ? degree.words : degree.brief) + format_integer(ranks));
    }
  }
  return parts;
}

std::string phase_words(const std::string& phase) {
  std::string words = phase;
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

std::string term_words(const std::string& term) {
  const auto known = value_of(kTerms, term);
  return known ? facts_of(*known).words : phase_words(term);
}

std::string tier_words(const std::string& tier) {
  const RentTier* known = find_tier(tier);
  return known == nullptr ? phase_words(tier) : known->words;
}

std::string pricing_category(const std::string& tier) {
  const RentTier* known = find_tier(tier);
  return known == nullptr ? "Committed" : known->category;
}

std::string sentence_case(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') {
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  }
  return text;
}

std::string run_usd(MicroUsd usd) {
  constexpr std::int64_t kDollar = 1'000'000;
  // The bounds are those of the printed figure: 9.996 prints as "10.0", not as "10.00".
  if (usd.value >= 99'950'000) return format_usd(usd, 0);
  if (usd.value >= 9'995'000) return format_usd(usd, 1);
  return format_usd(usd, usd.value < kDollar / 10 && usd.value > 0 ? 4 : 2);
}

std::string weights_words(const std::string& weights) {
  if (weights == "yes") return ", you get the weights";
  return weights == "no" ? ", no weights" : "";
}

std::string service_words(const SheetService& offer) {
  std::string rate = "$" + million_tokens_usd(offer.usd_per_million_tokens) + " per million tokens";
  if (offer.minimum_applies) rate = "its minimum; " + rate;
  if (offer.basis == "assumption") rate += ", assumed";
  return offer.title + " " + offer.trains + " $" + run_usd(offer.usd_per_run) + " (" + rate + ")" +
         weights_words(offer.weights);
}

std::string hourly_usd(MicroUsd usd) { return format_usd(usd, 2); }

std::string million_tokens_usd(MicroUsd usd) { return format_usd(usd, to_usd(usd) < 1 ? 3 : 2); }

std::string whole_usd(MicroUsd usd) { return format_usd(usd, 0); }

std::string run_hours(double hours) { return format_number(hours, hours < 0.995 ? 2 : 1); }

std::string run_hours(const Row& row) {
  if (!row.hours_mid) return std::string(kAbsent);
  return (row.speed_measured == false ? "~" : "") + run_hours(*row.hours_mid);
}

std::string month_hours(double hours) { return format_number(hours, 0); }

std::int64_t free_percent(std::int64_t device, std::int64_t capacity) {
  if (capacity <= 0) return 0;
  const double share = static_cast<double>(capacity - device) / static_cast<double>(capacity);
  return static_cast<std::int64_t>(std::floor(share * 100));
}

std::string free_words(std::int64_t device, std::int64_t capacity) {
  return format_integer(free_percent(device, capacity)) + "\u00a0% free";
}

std::string over_words(std::int64_t device, std::int64_t capacity) {
  return "no, over by " + format_gib(device - capacity, 1) + "\u00a0GiB";
}

std::string verdict_words(Verdict verdict, std::int64_t device, std::int64_t device_high,
                          std::int64_t capacity) {
  if (verdict == Verdict::kNotModelled) return facts_of(verdict).words;
  if (!doubt_words(verdict, device_high, capacity).empty()) {
    return standing_words(verdict, device_high, capacity);
  }
  if (holds(verdict)) return id_of(verdict) + ", " + free_words(device, capacity);
  return over_words(device, capacity);
}

const VerdictFacts& standing_facts(Verdict verdict, std::optional<bool> certain) {
  const bool unsure = verdict == Verdict::kFits && !certain.value_or(true);
  return unsure ? kNotCertain : facts_of(verdict);
}

std::string standing_class(Verdict verdict, std::optional<bool> certain) {
  const VerdictFacts& facts = standing_facts(verdict, certain);
  return &facts == &kNotCertain ? "unsure" : std::string(facts.id);
}

std::string fragment(const std::string& prefix, const std::string& key) {
  std::string id = prefix;
  for (const char c : key) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    id += plain ? c : '-';
  }
  return id;
}

std::string away_words(double share) {
  return (share < 0 ? "−" : "+") + format_number(std::abs(100 * share), 0) + "\u00a0%";
}

std::string share_words(double share) { return format_number(100 * share, 1) + "\u00a0%"; }

std::string number_words(double value) {
  constexpr double kExact = 9007199254740992.0;  // 2^53
  if (std::abs(value) >= kExact) return shortest(value);
  const std::string whole = format_integer(static_cast<std::int64_t>(value));
  if (value == std::floor(value)) return whole;
  const std::string text = shortest(value);
  const std::size_t point = text.find('.');
  if (point == std::string::npos || text.find('e') != std::string::npos) return text;
  const bool small_negative = value < 0 && value > -1;
  return (small_negative ? "−" : "") + whole + text.substr(point);
}

std::string added_words(double share) {
  const double percent = 100 * share;
  if (std::abs(percent) < 0.05) return "none";
  return (percent > 0 ? "+" : "") + format_number(percent, std::abs(percent) < 9.95 ? 1 : 0) +
         "\u00a0%";
}

double least_free_percent(double headroom) { return 100 * headroom / (1 + headroom); }

double gib(std::int64_t bytes) { return static_cast<double>(bytes) / kGiB; }

const UseOfRow* use_of(const SheetOwnership& ownership, const Row& row) {
  return entry_with(ownership.uses, &UseOfRow::row_key, row.key());
}

}  // namespace sizesheet
