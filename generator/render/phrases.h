// SPDX-License-Identifier: Apache-2.0
// Figures of a Sheet in the words that every page and chart uses, and the formats that templates
// name.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sheet/sheet.h"
#include "support/money.h"

namespace sizesheet {

struct RentLine;
struct SheetService;
struct SheetOwnership;
struct UseOfRow;

/// "8 × MI300X" of a row's layout, with non-breaking spaces.
std::string set_up(const Sheet& sheet, const Row& row);
std::string set_up(const Sheet& sheet, const std::string& gpu, std::int64_t gpus);

/// " for 8 GPUs" behind a price that is of more GPUs than the row needs, since no smaller order
/// will do, and " of 2026-08-22" where no newer price will; else "".
std::string behind_price(const Row& row, const RentLine& line);

/// "2026-10-02 to 2026-11-18": the days on which the prices of the picks were seen; "2026-11-18" of
/// one day, "" without a price.
std::string price_days(const SheetMeta& meta);

/// "1 GPU", "8 GPUs".
std::string gpu_count(std::int64_t gpus);

/// The counts of GPUs that a machine can have: "1 2 8", "1, 2, 8"; "" where none are known.
std::string counts_text(const std::vector<std::int64_t>& counts, const char* between);

/// "500 M tokens (adapters: 50 M)", the counts as `count` words them; one of them where every
/// method of the sheet runs as long.
std::string run_length(const Sheet& sheet, std::string (*count)(std::int64_t tokens),
                       const std::string& unit = " tokens");

/// What a layout is spread over, where it is more than one: "DP 8", "TP 2"; in words "data parallel
/// 8", "tensor parallel 2".
std::vector<std::string> degrees(const LayoutShape& layout, bool in_words = false);

/// "loss backward" for "loss_backward".
std::string phase_words(const std::string& phase);

/// "optimizer states" for "optimizer", "working set" for "working_set" …
std::string term_words(const std::string& term);

/// "on demand" for "on_demand", "1 year" for "reserved_1y".
std::string tier_words(const std::string& tier);

/// FOCUS's PricingCategory of a tier: "Standard", "Dynamic" or "Committed".
std::string pricing_category(const std::string& tier);

/// The text with an ASCII capital first, to begin a sentence.
std::string sentence_case(std::string text);

/// Dollars of a run: three significant figures under 100, whole above. No currency sign.
std::string run_usd(MicroUsd usd);
/// Dollars per hour: two decimals.
std::string hourly_usd(MicroUsd usd);
/// Dollars per million tokens: three decimals under $1, two above.
std::string million_tokens_usd(MicroUsd usd);
/// Whole dollars.
std::string whole_usd(MicroUsd usd);
/// ", you get the weights", ", no weights": whether what a service trains
/// can be downloaded; "" where that is not known.
std::string weights_words(const std::string& weights);
/// "Together LoRA $17.0 ($0.340 per million tokens) weights can be downloaded": an offer of a
/// service.
std::string service_words(const SheetService& offer);
/// Hours of a run: two decimals under 1, one above.
std::string run_hours(double hours);
/// A row's hours, behind "~" where no published speed is of its GPU type; "–" when unknown.
std::string run_hours(const Row& row);
/// Whole hours of a month.
std::string month_hours(double hours);

/// Share of the capacity the estimate leaves free, in whole per cent rounded down; negative when
/// over.
std::int64_t free_percent(std::int64_t device, std::int64_t capacity);
/// "22 % free".
std::string free_words(std::int64_t device, std::int64_t capacity);
/// "no, over by 11.4 GiB".
std::string over_words(std::int64_t device, std::int64_t capacity);

/// "fits, 22 % free", "tight, 4 % free", "no, over by 11.4 GiB"; where the upper end of the range
/// is above the card "fits, not certain: up to 81.3 of 79.2 GiB; run two training steps first".
std::string verdict_words(Verdict verdict, std::int64_t device, std::int64_t device_high,
                          std::int64_t capacity);

/// How something stands that has this verdict and is certain or not, with mark and words.
const VerdictFacts& standing_facts(Verdict verdict, std::optional<bool> certain);
/// The class of it on a page: the verdict's id, "unsure" where it fits and is not certain.
std::string standing_class(Verdict verdict, std::optional<bool> certain);

/// The smallest share of the capacity that a row that fits leaves free: h / (1 + h), in per cent.
double least_free_percent(double headroom);

/// `prefix` and the key with everything but letters and digits as "-": safe in an address.
std::string fragment(const std::string& prefix, const std::string& key);

/// "+12 %", "−4 %", "+0 %": how far another is away.
std::string away_words(double share);

/// "4.3 %" of a share of 0.043, the sign kept on the number's line.
std::string share_words(double share);

/// The shortest form that reads back, with commas between thousands.
std::string number_words(double value);

/// "+13 %", "−0.4 %", "none" of a share of time added.
std::string added_words(double share);

/// Bytes as a number of GiB, for charts.
double gib(std::int64_t bytes);

/// A pick's row rented or owned at typical uses; nullptr where it is no pick or cannot be bought.
const UseOfRow* use_of(const SheetOwnership& ownership, const Row& row);

}  // namespace sizesheet
