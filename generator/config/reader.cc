// SPDX-License-Identifier: Apache-2.0
#include "config/reader.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "config/text/yaml_values.h"
#include "config/values.h"
#include "support/error.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr double kMostWhole = 1e15;
constexpr std::size_t kMostNames = 200;  ///< of a list of projections

/// The row of a table of values that a value means: the value itself, else the longest pattern.
const Json* row_of(const Json& table, const Json& value) {
  const std::string text = config_text(value);
  const Json* best = nullptr;
  std::size_t length = 0;
  for (const auto& [name, outcome] : table.items()) {
    const std::string small = small_letters(name);
    if (small == text) return &outcome;
    const bool longer = best == nullptr || name.size() > length;
    if (!longer || name.find('*') == std::string::npos || !matches(small, text)) continue;
    best = &outcome;
    length = name.size();
  }
  return best;
}

std::string expected_values(const Json& table) {
  std::vector<std::string> known;
  for (const auto& [name, outcome] : table.items()) {
    if (name.find('*') == std::string::npos && !name.empty()) known.push_back(name);
  }
  return join(known, ", ");
}

double work_of(const std::string& operation, double left, double right) {
  if (operation == "*") return left * right;
  if (operation == "+") return left + right;
  if (operation == "min") return std::min(left, right);
  if (operation == "max") return std::max(left, right);
  if (operation == "floor/") return std::floor(left / right);
  return operation == "ceil/" ? std::ceil(left / right) : left / right;
}

bool divides(const std::string& operation) { return operation.ends_with('/'); }

/// Calls `visit` with the dotted path of each value that is no mapping.
void each_leaf(const Json& keys, const std::string& path,
               const std::function<void(const std::string& path)>& visit) {
  for (const auto& [key, value] : keys.items()) {
    const std::string place = path.empty() ? key : path + "." + key;
    if (value.is_object() && !value.empty()) {
      each_leaf(value, place, visit);
    } else {
      visit(place);
    }
  }
}

/// The path itself and all above it.
std::vector<std::string> ways_to(const std::string& path) {
  std::vector<std::string> ways = {path};
  for (std::size_t dot = path.rfind('.'); dot != std::string::npos && dot > 0;
       dot = path.rfind('.', dot - 1)) {
    ways.push_back(path.substr(0, dot));
  }
  return ways;
}

/// Names as a request has them, where the framework calls them otherwise.
Json renamed(const Json& names, const Json& other) {
  Json all = Json::array();
  for (const Json& one : names.is_array() ? names : Json::array({names})) {
    const bool known = one.is_string() && other.contains(one.get<std::string>());
    all.push_back(known ? other.at(one.get<std::string>()) : one);
  }
  return all;
}

std::string short_value(const Json& value) {
  return value.is_string() ? in_quotes(beginning_of(value.get<std::string>(), 60)) : shown(value);
}

/// GPUs of "localhost:0,1@other:2,3" and of "0,1"; nullopt where a machine has no list of them.
std::optional<Json> slots_of(const std::string& hosts) {
  std::int64_t count = 0;
  for (const std::string& host : split(hosts, '@')) {
    const std::size_t colon = host.find(':');
    const std::string cards = colon == std::string::npos ? host : host.substr(colon + 1);
    const bool listed = !cards.empty() && cards.find_first_not_of("0123456789,") == cards.npos;
    if (!listed) return std::nullopt;
    count += 1 + std::ranges::count(cards, ',');
  }
  return Json(count);
}

/// Whether --gpus says what the key does: how many GPUs or machines take part.
bool counts_gpus(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  const std::string own = dot == name.npos ? name : name.substr(dot + 1);
  return name.starts_with("env.") ||
         contains({"nproc_per_node", "nproc-per-node", "num_processes", "n_gpus_per_node",
                   "num_gpus", "nnodes", "num_machines"},
                  own);
}

}  // namespace

ConfigReader::Found ConfigReader::found_in_file(const std::string& name) const {
  const auto rows = format_.by_name.find(name);
  if (rows == format_.by_name.end()) {
    const Json* value = at_path(tree_.keys, name);
    if (value == nullptr || value->is_null()) return {nullptr, true, name};
    return {*value, false, name};
  }
  for (const std::size_t row : rows->second) {
    const std::vector<std::string>& all = format_.keys[row].names;
    for (const std::string& spelling : all) {
      if (name != all.front() && name != spelling) continue;  // an older name stands for itself
      const Json* value = at_path(tree_.keys, spelling);
      if (value != nullptr && !value->is_null()) return {*value, false, spelling};
    }
  }
  for (const std::size_t row : rows->second) {
    const ConfigKey& key = format_.keys[row];
    if (!key.by_default.is_null()) return {key.by_default, true, name};
  }
  return {nullptr, true, name};
}

Json ConfigReader::fact(const std::string& name) {
  if (given_.facts.contains(name)) return given_.facts.at(name);
  if (!model_facts_) {
    const auto model = request_.find("model");
    const bool named = model != request_.end() && model->second.is_string();
    model_facts_ = named && given_.model_facts
                       ? given_.model_facts(model->second.get<std::string>())
                       : Json::object();
  }
  return at_dotted(*model_facts_, name);
}

ConfigReader::Found ConfigReader::found(const std::string& name) {
  if (name.front() == '@') return {fact(name.substr(1)), true, name};
  const bool of_file = is_of_file(name) || tree_.keys.contains(name);
  if (of_file) return found_in_file(name);
  const std::string key = name.front() == '=' ? name.substr(1) : name;
  const auto set = request_.find(key);
  if (set == request_.end()) return {nullptr, true, name};
  return {set->second, uses_[key].by_default, name};
}

std::optional<bool> ConfigReader::holds(const Json& condition) {
  bool by_default = true;
  for (const auto& [name, test] : condition.items()) {
    const Found one = found(name);
    const bool of_file = is_of_file(name) || tree_.keys.contains(name);
    const bool said = of_file ? !one.by_default : !one.value.is_null();
    if (!passes(one.value, test, said)) return std::nullopt;
    by_default = by_default && one.by_default;
  }
  return by_default;
}

/// The number that a work comes to; nullopt where an operand is not known.
std::optional<std::pair<double, bool>> ConfigReader::worked(const Json& work) {
  if (work.is_number()) return std::pair(work.get<double>(), true);
  if (work.is_string()) {
    const Found one = found(work.get<std::string>());
    const auto number = config_number(one.value);
    return number ? std::optional(std::pair(*number, one.by_default)) : std::nullopt;
  }
  const auto operation = work.front().get<std::string>();
  std::optional<std::pair<double, bool>> result;
  for (std::size_t i = 1; i < work.size(); ++i) {
    const auto next = worked(work[i]);
    if (!next || (result && divides(operation) && next->first == 0)) return std::nullopt;
    result = result ? std::pair(work_of(operation, result->first, next->first),
                                result->second && next->second)
                    : *next;
  }
  return result && std::abs(result->first) < kMostWhole ? result : std::nullopt;
}

std::optional<Json> ConfigReader::whole(const Json& value, const std::string& name) {
  const auto number = value.is_boolean() ? std::nullopt : config_number(value);
  const bool fine =
      number && *number >= 0 && *number < kMostWhole && *number == std::floor(*number);
  if (fine) return static_cast<std::int64_t>(*number);
  refuse(name, "expected a whole number, got " + short_value(value));
  return std::nullopt;
}

/// "a, b" and ["a", "b"] are names; "all-linear" and a pattern stay a text.
std::optional<Json> ConfigReader::names(const Json& value, const std::string& name) {
  Json list = Json::array();
  if (value.is_string()) {
    const auto text = value.get<std::string>();
    if (text.find(',') == std::string::npos) return value;
    for (std::string part : split(text, ',')) {
      std::erase(part, ' ');
      if (!part.empty()) list.push_back(part);
    }
    return list;
  }
  const bool fine = value.is_array() && value.size() <= kMostNames &&
                    std::ranges::all_of(value, [](const Json& one) { return one.is_string(); });
  if (!fine) {
    refuse(name, "expected a name or a list of names, got " + short_value(value));
    return std::nullopt;
  }
  const bool one = value.size() == 1 && contains({"all-linear", "all"}, config_text(value.front()));
  return one ? value.front() : value;
}

std::optional<Json> ConfigReader::converted(const std::string& kind, const Json& value,
                                            const std::string& name) {
  if (kind == "whole") return whole(value, name);
  if (kind == "names") return names(value, name);
  if (kind == "list") {
    const auto all = names(value, name);
    return all && !all->is_array() ? Json::array({*all}) : all;
  }
  if (kind == "slots") return slots_of(config_text(value));
  if (kind == "length") return value.is_structured() ? value.size() : 1;
  if (kind == "flag") {
    if (const auto flag = config_flag(value)) return *flag;
    refuse(name, "expected true or false, got " + short_value(value));
    return std::nullopt;
  }
  if (kind == "number") {
    if (const auto number = config_number(value); number && !value.is_boolean()) return *number;
    refuse(name, "expected a number, got " + short_value(value));
    return std::nullopt;
  }
  if (!value.is_structured()) return value.is_string() ? value : Json(value.dump());
  refuse(name, "expected a text, got " + short_value(value));
  return std::nullopt;
}

void ConfigReader::put(const std::string& to, const Json& value, const Found& from) {
  request_[to] = value;
  const bool of_file = is_of_file(from.name) && !from.by_default;
  uses_[to] = {of_file ? from.name : "", of_file ? config_place(tree_, from.name) : "",
               from.by_default};
}

/// A default takes the place of nothing that is said.
void ConfigReader::put_from_key(const std::string& to, const Json& value, const Found& from) {
  const auto before = uses_.find(to);
  if (from.by_default && before != uses_.end() && !before->second.by_default) return;
  put(to, value, from);
}

void ConfigReader::take_outcome(const ConfigKey& key, const Found& from, const Json& outcome) {
  if (!outcome.is_object()) return put_from_key(key.to, outcome, from);
  if (outcome.contains("told") && !from.by_default) tell(from.name, outcome.at("told"));
  if (outcome.contains("refused")) refuse(from.name, outcome.at("refused"));
  if (outcome.contains("set")) {
    for (const auto& [to, value] : outcome.at("set").items()) put_from_key(to, value, from);
  }
  if (outcome.contains("value")) put_from_key(key.to, outcome.at("value"), from);
}

void ConfigReader::read_key(const ConfigKey& key) {
  Found from{key.by_default, true, key.names.front()};
  for (const std::string& spelling : key.names) {
    const Json* value = at_path(tree_.keys, spelling);
    if (value == nullptr || value->is_null()) continue;
    from = {*value, false, spelling};
    break;
  }
  if (from.value.is_null()) return;
  const bool neutral =
      is_neutral(from.value) ||
      (key.neutral.is_array() && std::ranges::any_of(key.neutral, [&](const Json& one) {
         return same_config_value(from.value, one);
       }));
  if (!from.by_default && !neutral && !key.told.empty()) tell(from.name, key.told);
  if (!from.by_default && !neutral && !key.refused.empty()) refuse(from.name, key.refused);
  const bool waits = from.value.is_string() && is_unresolved(from.value.get<std::string>());
  const bool replaced = key.to == "model" && given_.facts.contains("model");
  const bool counts = counts_gpus(from.name) && given_.facts.contains("gpus");
  if (waits && (replaced || counts)) return;
  if (waits && (!key.to.empty() || key.values.is_object())) {
    asked_.emplace(from.name, "is " + short_value(from.value) +
                                  ", and the environment is not read: write the value");
    return;
  }
  if (key.values.is_object()) {
    const Json* outcome = row_of(key.values, from.value);
    if (outcome != nullptr) return take_outcome(key, from, *outcome);
    if (key.as.empty()) {
      refuse(from.name,
             "expected " + expected_values(key.values) + ", got " + short_value(from.value));
      return;
    }
  }
  if (key.to.empty()) return;
  if (const auto value = converted(key.as, from.value, from.name)) {
    put_from_key(key.to, *value, from);
  }
}

/// What a rule sets a key to; a null value where it is not known.
ConfigReader::Found ConfigReader::set_value(const Json& value, bool by_default) {
  if (!value.is_object()) return {value, by_default, ""};
  if (value.contains("value")) return {value.at("value"), by_default, ""};
  if (value.contains("work")) {
    const auto result = worked(value.at("work"));
    if (!result) return {};
    const bool is_whole = result->first == std::floor(result->first);
    const Json number =
        is_whole ? Json(static_cast<std::int64_t>(result->first)) : Json(result->first);
    return {number, result->second, ""};
  }
  Found from = found(value.at("of").get<std::string>());
  if (!from.value.is_null() && value.contains("as")) {
    from.value = converted(value.at("as"), from.value, from.name).value_or(nullptr);
  }
  if (value.contains("renamed")) from.value = renamed(from.value, value.at("renamed"));
  if (value.contains("and") && from.value.is_array()) {
    for (const Json& one : value.at("and")) from.value.push_back(one);
  }
  return from;  // a default is one, whoever asks for it
}

void ConfigReader::read_set(const ConfigRule& rule, bool by_default) {
  for (const auto& [to, value] : rule.set.items()) {
    if (rule.where_open && request_.contains(to)) continue;
    const Found from = set_value(value, by_default);
    if (from.value.is_null()) continue;
    const auto own = uses_.find(from.name);
    put(to, from.value, from);
    if (own != uses_.end()) uses_[to] = {own->second.key, own->second.place, from.by_default};
  }
}

void ConfigReader::read_rule(const ConfigRule& rule) {
  std::optional<bool> by_default = true;
  for (const Json& condition : rule.when) {
    by_default = holds(condition);
    if (by_default) break;
  }
  if (!by_default) return;
  if (rule.set.is_object()) read_set(rule, *by_default);
  for (const auto& [key, words] : rule.told) tell(key, words);
  for (const auto& [key, words] : rule.refused) refuse(key, words);
  for (const auto& [key, words] : rule.asked) asked_.emplace(key, words);
}

void ConfigReader::find_unknown(bool refused) {
  std::vector<std::string> known;
  std::set<std::string> mentioned, whole_keys;
  for (const ConfigKey& key : format_.keys) {
    for (const std::string& name : key.names) {
      mentioned.insert(name);
      known.push_back(name);
      if (key.whole) whole_keys.insert(name);
    }
  }
  for (const ConfigRule& rule : format_.rules) {
    for (const Json& condition : rule.when) {
      for (const auto& [name, test] : condition.items()) mentioned.insert(name);
    }
  }
  each_leaf(tree_.keys, "", [&](const std::string& path) {
    if (path.empty() || path.front() == '_' || mentioned.contains(path)) return;
    for (const std::string& way : ways_to(path)) {
      const bool passed = whole_keys.contains(way) ||
                          std::ranges::any_of(format_.passed_over, [&](const std::string& pattern) {
                            return matches(pattern, way);
                          });
      if (passed) return;
    }
    const std::string near = path.size() < 80 ? did_you_mean(path, known) : "";
    if (refused) {
      refuse(path, format_.title + " has no such key" + near);
    } else {
      const bool of_script = tree_.keys.contains("_command");
      tell(path, (of_script ? "not an option of " + format_.title + "; its effect is not counted"
                            : format_.title + " does not know this key, and ignores it") +
                     near);
    }
  });
}

/// Epochs need the number of examples and their length, steps the number of GPUs, and padding the
/// length of examples. Where the steps are limited, the epochs have no effect.
void ConfigReader::wait_for_data() {
  const auto leave = [&](const std::string& key) {
    request_.erase(key);
    uses_.erase(key);
  };
  const auto wait = [&](const std::string& key) {
    waiting_[key] = request_.at(key);
    leave(key);
  };
  if (request_.contains(kLimitedSteps)) {
    const bool generates = std::ranges::any_of(
        request_, [](const auto& one) { return one.first.starts_with("grpo."); });
    if (generates) {
      const std::string& key = uses_.at(kLimitedSteps).key;
      tell(key, key.empty() ? "a limit of steps ends the run before its epochs"
                            : "ends the run before its epochs");
    } else {
      leave("workload.epochs");
    }
    wait(kLimitedSteps);
  }
  const bool lengths = given_.facts.contains("mean_length");
  if (request_.contains("workload.epochs")) wait("workload.epochs");
  if (request_.contains(kStepsOfEpoch)) wait(kStepsOfEpoch);
  const auto batching = request_.find("workload.batching");
  if (batching == request_.end() || lengths || batching->second == "packed") return;
  const ConfigUse use = uses_["workload.batching"];
  const bool all_alike = batching->second == "fixed";
  wait("workload.batching");
  request_["workload.packed"] = all_alike;
  uses_["workload.packed"] = use;
}

void ConfigReader::read(bool unknown_refused) {
  for (const ConfigKey& key : format_.keys) read_key(key);
  for (const ConfigRule& rule : format_.rules) read_rule(rule);
  find_unknown(unknown_refused);
  wait_for_data();
}

ConfigReading ConfigReader::reading() const {
  ConfigReading reading;
  for (const auto& [key, value] : request_) {
    if (key == "model") {
      reading.model = value.get<std::string>();
    } else if (key == "stack") {
      reading.stack = value.get<std::string>();
    } else if (key.front() != '_') {
      set_dotted(reading.request, key, value);
    }
    if (key.front() != '_') reading.uses[key] = uses_.at(key);
  }
  reading.waiting = waiting_;
  for (const auto& [key, words] : told_) reading.told.push_back(remark(key, words));
  for (const auto& [key, words] : refused_) reading.refused.push_back(remark(key, words));
  for (const auto& [key, words] : asked_) reading.asked.push_back(remark(key, words));
  return reading;
}

}  // namespace sizesheet
