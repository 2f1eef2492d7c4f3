// SPDX-License-Identifier: Apache-2.0
#include "sizing/request/settled_defaults.h"

#include <algorithm>
#include <cmath>

#include "sizing/job/training.h"
#include "support/json.h"
#include "support/text.h"
#include "support/whole_numbers.h"

namespace sizesheet {
namespace {

/// A mean length, its limit, and where that has its default.
struct MeanLength {
  const char* mean;
  const char* limit;
  std::int64_t GrpoSpec::*usual_limit;
};
constexpr MeanLength kMeans[] = {
    {"prompt_mean", "prompt_length", &GrpoSpec::prompt_length},
    {"completion_mean", "completion_length", &GrpoSpec::completion_length}};

bool is_said(const Json& asked, const char* key) {
  return asked.contains(key) && !asked.at(key).is_null();
}

/// Shortens a mean of `grpo` that is above the limit in `asked`. Returns the warning; "" where
/// nothing changes.
std::string shortened(const MeanLength& length, const Json& asked, Json& grpo) {
  if (!is_said(asked, length.limit) || asked.contains(length.mean)) return "";
  const Json& limit = asked.at(length.limit);
  if (!limit.is_number() || !is_said(grpo, length.mean)) return "";
  const double mean = grpo.at(length.mean);
  if (mean <= limit.get<double>()) return "";
  const double share = std::min(1.0, mean / as_double(GrpoSpec().*length.usual_limit));
  const double fitting = std::max(1.0, std::floor(limit.get<double>() * share));
  grpo[length.mean] = fitting;
  return std::string("grpo.") + length.mean + ": " + shortest(fitting) +
         " is taken, since the method's " + shortest(mean) + " is above " + length.limit + " " +
         shown(limit) + "; give " + length.mean + " for another";
}

}  // namespace

std::vector<std::string> settle_defaults(const Json& request, Json& whole) {
  std::vector<std::string> changes;
  const bool named = at_dotted(request, "method").is_string();
  if (!named || !request.contains("grpo") || !request.at("grpo").is_object()) return changes;
  if (!whole.contains("grpo") || !whole.at("grpo").is_object()) return changes;
  const Json& asked = request.at("grpo");
  Json& grpo = whole["grpo"];
  const bool one_each = grpo.value("algorithm", Json()) == "ppo" && is_said(grpo, "group_size") &&
                        grpo.at("group_size") != 1 && !asked.contains("group_size");
  if (one_each) {
    changes.push_back(
        "grpo.group_size: 1 is taken, since algorithm \"ppo\" has one completion of a prompt, and "
        "the method's " +
        shown(grpo.at("group_size")) + " is for groups");
    grpo["group_size"] = 1;
  }
  const bool timed = is_said(grpo, "prompts_per_step");
  for (const MeanLength& length : kMeans) {
    if (!timed && !asked.contains(length.mean)) {
      grpo.erase(length.mean);
      continue;
    }
    const std::string change = shortened(length, asked, grpo);
    if (!change.empty()) changes.push_back(change);
  }
  return changes;
}

}  // namespace sizesheet
