// SPDX-License-Identifier: Apache-2.0
#include "cli/ask_count.h"

#include <algorithm>

#include "cli/ask_advice.h"
#include "cli/ask_answer.h"
#include "render/phrases.h"
#include "sheet/fields.h"
#include "sheet/money.h"
#include "sheet/money_words.h"
#include "sheet/rows/size_row.h"
#include "sheet/sheet.h"
#include "sheet/spec.h"
#include "support/money.h"
#include "support/named.h"
#include "support/object_text.h"

namespace sizesheet {
namespace {

/// GPUs of what the answer takes; 0 where it takes none.
std::int64_t gpus_of(const MethodAnswer& answer) {
  if (answer.row != nullptr) return answer.row->set_up()->gpus;
  return answer.unpriced != nullptr ? answer.unpriced->layout.gpus : 0;
}

std::string between(const std::string& low, const std::string& high) {
  return " (" + low + "–" + high + ")";
}

/// Hours and dollars of the run, and who rents the GPUs out.
void put_rent(const Sheet& sheet, const RunCandidate& run, AskedCount& count) {
  count.set_up = set_up(sheet, run.gpu, run.gpus) + ", " + run.provider;
  count.figures = run_hours(run.hours.mid) + " h" +
                  between(run_hours(run.hours.low), run_hours(run.hours.high)) + ", $" +
                  run_usd(run.usd.mid) +
                  between(format_usd_roughly(run.usd.low), format_usd_roughly(run.usd.high));
  count.rent = written(run);
}

AskedCount counted_answer(const AskOptions& options, const Sheet& sheet, const MethodAnswer& answer,
                          const Sheet& exact, const MethodAnswer& same) {
  AskedCount count;
  count.gpus = *options.gpus;
  const std::string enough = answer.row != nullptr
                                 ? set_up(sheet, answer.row->set_up()->gpu, gpus_of(answer))
                                 : set_up(sheet, *answer.unpriced);
  const char* verb = gpus_of(answer) == 1 ? " is" : " are";
  count.words = std::to_string(count.gpus) + " GPUs are the most; " + enough + verb + " enough";
  if (same.row != nullptr) {
    put_rent(exact, *same.row->set_up(), count);
    if (answer.row != nullptr) count.words += verb[1] == 'i' ? " and costs less" : " and cost less";
  } else if (same.unpriced != nullptr) {
    count.set_up = set_up(exact, *same.unpriced);
    count.figures = hours_range(*same.unpriced) + ", no rental price";
  } else {
    count.set_up = std::to_string(count.gpus) + " GPUs";
    count.figures = unrented_words(exact, answer.method->id,
                                   options.deadline ? "the deadline" : "the default deadline");
  }
  return count;
}

}  // namespace

void put_asked_counts(const AskOptions& options, const Catalog& catalog, const SheetSpec& spec,
                      const Sheet& sheet, std::vector<MethodAnswer>& answers) {
  if (!options.gpus || options.whole_machine) return;
  const auto takes_fewer = [&](const MethodAnswer& answer) {
    return gpus_of(answer) > 0 && gpus_of(answer) < *options.gpus;
  };
  if (std::ranges::none_of(answers, takes_fewer)) return;
  SheetSpec same = spec;
  same.scenarios.front().request["layout"]["gpus"] = *options.gpus;
  const Sheet exact = asked_sheet(catalog, same, options.jobs);
  const std::vector<MethodAnswer> all = answers_of(exact, options);
  for (std::size_t i = 0; i < answers.size() && i < all.size(); ++i) {
    if (!takes_fewer(answers[i])) continue;
    answers[i].asked_count = counted_answer(options, sheet, answers[i], exact, all[i]);
  }
}

Json to_json(const AskedCount& count) {
  return {{"gpus", count.gpus},
          {"set_up", count.set_up},
          {"figures", count.figures},
          {"words", count.words},
          {"rent", count.rent}};
}

}  // namespace sizesheet
