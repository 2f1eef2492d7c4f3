// SPDX-License-Identifier: Apache-2.0
// A stack's defaults: which request keys it sets, for which kind of method.

#include "catalog/facts/method.h"

#include <algorithm>

#include "catalog/files/entry.h"
#include "support/json.h"
#include "support/named.h"
#include "support/text.h"

namespace sizesheet {

Method read_method(ObjectReader reader) {
  auto method = read_members<Method>(reader);
  reader.object("request").one_of("kind", ids(kMethodKinds));
  method.request = reader.raw("request");  // its other keys are the request's own business
  // Keep a valid kind, so that `check` can go on after a fault.
  if (!reader.sound("request")) method.request = {{"kind", "full"}};
  if (reader.has("objective")) reader.object("objective").text("kind");
  method.objective = reader.raw("objective");
  if (reader.has("grpo")) {
    // A run of so many tokens has as many prompts as these make of them.
    ObjectReader grpo = reader.object("grpo");
    for (const char* key : {"group_size", "prompt_mean", "completion_mean"}) {
      grpo.number(key, {1, 1e8});
    }
  }
  method.grpo = reader.raw("grpo");
  reader.done();
  return method;
}

namespace {

bool is_dimension(const std::string& name) { return contains({"tp", "pp", "cp", "ep"}, name); }

/// What a stack may refuse: sharding, adapters on a Mamba layer's out_proj, a base in MXFP4, a
/// parallel dimension, a kind of method, a kind with a dimension or on several GPUs, or some runs
/// with a dimension.
void check_refusal(ObjectReader& refused, const std::string& what) {
  const std::vector<std::string> parts = split(what, '+');
  const bool kind = value_of(kMethodKinds, parts[0]).has_value();
  const bool alone =
      kind || contains({"sharding", "out_proj", "mxfp4"}, what) || is_dimension(what);
  const bool some = kind || contains(kRunsRefused, parts[0]);
  const bool pair =
      parts.size() == 2 && ((kind && parts[1] == "multi-gpu") || (some && is_dimension(parts[1])));
  if (parts.size() == 1 ? alone : pair) return;
  refused.fault(what,
                "expected sharding, out_proj, mxfp4, tp, pp, cp, ep, a kind of method, a kind, "
                "routed, hybrid or grpo with a dimension (+tp), or a kind with +multi-gpu; got " +
                    shown(what));
}

Json read_value(ObjectReader& reader, const std::string& key) {
  const Json& value = reader.raw(key);
  if (value.is_null())
    reader.fault(key,
                 "expected a value, got " + std::string(reader.mentions(key) ? "null" : "nothing"));
  return value;
}

/// "state", "kernels.loss": a key of the request, or one inside a part of it.
std::string read_setting_key(ObjectReader& reader) {
  const std::string key = read_filled_text(reader, "key");
  const std::vector<std::string> parts = split(key, '.');
  const std::vector<std::string> alone{"state", "optimizer", "optimizer_foreach"};
  const std::vector<std::string> groups{"method", "kernels", "layout", "workload", "overheads"};
  constexpr const char* kLetters = "abcdefghijklmnopqrstuvwxyz_";
  const bool in_group = parts.size() == 2 && contains(groups, parts[0]) && !parts[1].empty() &&
                        parts[1].find_first_not_of(kLetters) == std::string::npos;
  const bool known = parts.size() == 1 ? contains(alone, key) : in_group;
  if (!key.empty() && !known) {
    reader.fault("key", "expected state, optimizer, optimizer_foreach or a key of " +
                            join(groups, ", ") + ", such as kernels.loss; got " + shown(key));
  }
  return key;
}

constexpr Bounds<double> kCapabilities{1, 100};

/// The ends of a range of compute capabilities: [8, 8.9].
std::optional<Bounds<double>> read_capabilities(ObjectReader& reader) {
  constexpr const char* kKey = "compute_capability";
  if (!reader.mentions(kKey)) return std::nullopt;
  const Json& ends = reader.raw(kKey);
  const bool pair = ends.is_array() && ends.size() == 2 && ends[0].is_number() &&
                    ends[1].is_number() && kCapabilities.low <= ends[0] && ends[0] <= ends[1] &&
                    ends[1] <= kCapabilities.high;
  if (pair) return Bounds<double>{ends[0].get<double>(), ends[1].get<double>()};
  reader.mismatch(kKey, "its lowest and its highest value, such as [8, 8.9]", ends);
  return std::nullopt;
}

StackSetting::Variant read_variant(ObjectReader& reader) {
  StackSetting::Variant variant;
  const std::vector<std::string> conditions{"when", "vendor", "compute_capability"};
  const auto said = std::ranges::count_if(
      conditions, [&](const std::string& key) { return reader.mentions(key); });
  if (said != 1) {
    reader.fault(said == 0 ? "when" : "vendor",
                 "expected one of when, vendor and compute_capability, got " +
                     (said == 0 ? std::string("none") : std::to_string(said)));
  }
  if (reader.mentions("when")) {
    variant.when = reader.one_of("when", {"sharded", "ddp", "single", "routed"});
  }
  if (reader.mentions("vendor")) variant.vendor = read_filled_text(reader, "vendor");
  variant.compute_capability = read_capabilities(reader);
  variant.value = read_value(reader, "value");
  variant.source = read_source(reader);
  reader.done();
  return variant;
}

StackSetting read_setting(ObjectReader& reader) {
  StackSetting setting;
  setting.key = read_setting_key(reader);
  setting.value = read_value(reader, "value");
  setting.exact = reader.flag("exact");
  setting.source = read_source(reader);
  setting.note = read_note(reader);
  setting.trap = read_note(reader, "trap");
  setting.trap_value = reader.raw("trap_value");
  if (reader.has("trap") != reader.has("trap_value")) {
    reader.fault(reader.has("trap") ? "trap_value" : "trap",
                 "expected trap and trap_value together, got nothing");
  }
  if (reader.has("variants")) {
    setting.variants = read_list(reader, "variants", read_variant, "when", "a case");
  }
  if (reader.has("alternatives")) {
    if (!contains({"kernels.recompute", "kernels.loss"}, setting.key)) {
      reader.mismatch("alternatives", "them for kernels.recompute and kernels.loss only",
                      setting.key);
    }
    for (ObjectReader& row : read_rows(reader, "alternatives")) {
      setting.alternatives.push_back({read_value(row, "value"), read_source(row)});
      row.done();
    }
  }
  reader.done();
  return setting;
}

StackTraining read_training(ObjectReader& reader) {
  StackTraining training;
  for (const std::string& kind : described_kinds()) {
    if (reader.mentions(kind)) training.objectives[kind] = reader.texts(kind);
  }
  training.note = reader.text_or("note", "");
  training.source = read_source(reader);
  reader.done();
  return training;
}

StackWarning read_stack_warning(ObjectReader& reader) {
  StackWarning warning;
  warning.runs = reader.texts("runs");
  warning.text = read_filled_text(reader, "text");
  for (const std::string& run : warning.runs) {
    if (contains(kWarnedRuns, run)) continue;
    reader.fault("runs", "expected one of " + join(kWarnedRuns, ", ") + ", got " + in_quotes(run) +
                             did_you_mean(run, kWarnedRuns));
  }
  reader.done();
  return warning;
}

}  // namespace

Stack read_stack(ObjectReader reader) {
  auto stack = read_members<Stack>(reader);
  if (contains(stack.warnings, "")) reader.fault("warnings", "expected no empty text in the list");
  if (reader.has("warnings_for")) {
    for (ObjectReader& row : reader.objects("warnings_for")) {
      stack.warnings_for.push_back(read_stack_warning(row));
    }
  }
  ObjectReader refused = reader.object("refused");
  for (const std::string& what : refused.keys()) {
    stack.refused[what] = read_filled_text(refused, what);
    if (refused.sound(what)) check_refusal(refused, what);
  }
  if (auto trains = reader.optional_object("trains")) stack.trains = read_training(*trains);
  if (auto needs = reader.optional_object("needs")) {
    stack.vendors = needs->texts("vendors");
    stack.needs = read_filled_text(*needs, "words");
    read_source(*needs);
    needs->done();
  }
  stack.writer = reader.text_or("writer", "");
  ObjectReader kinds = reader.object("kinds");
  for (const std::string& kind : described_kinds()) {
    if (kinds.mentions(kind))
      stack.kinds[kind] = read_list(kinds, kind, read_setting, "key", "a key");
    kinds.raw(kind);
    if (stack.kinds.contains(kind) && stack.refused.contains(kind)) {
      refused.fault(kind, "refused, but kinds has settings for " + kind);
    }
  }
  if (stack.kinds.empty() && reader.has("kinds")) {
    kinds.fault("",
                "expected settings for some of " + join(described_kinds(), ", ") + ", got none");
  }
  kinds.done();
  reader.done();
  return stack;
}

}  // namespace sizesheet
