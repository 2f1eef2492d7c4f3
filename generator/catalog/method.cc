// SPDX-License-Identifier: Apache-2.0
// A framework's practice: which request keys it sets, for which kind of method.

#include "catalog/method.h"

#include <algorithm>

#include "catalog/loader.h"
#include "support/text.h"

namespace sizesheet {

const std::vector<std::string>& described_kinds() {
  static const std::vector<std::string> kinds{"full", "lora", "qlora"};
  return kinds;
}

Method read_method(ObjectReader reader) {
  Method method;
  method.raw = reader.whole();
  method.id = read_id(reader, "id");
  method.title = read_filled_text(reader, "title");
  method.short_title = read_filled_text(reader, "short_title");
  method.description = read_filled_text(reader, "description");
  ObjectReader request = reader.object("request");
  request.one_of("kind", ids(kMethodKinds));
  method.request = reader.raw("request");  // its other keys are the request's own business
  method.was = read_was(reader);
  method.source = read_source(reader);
  method.date = read_date(reader, "date");
  reader.done();
  return method;
}

namespace {

bool contains(const std::vector<std::string>& list, const std::string& text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

bool is_key_name(const std::string& text) {
  return !text.empty() &&
         text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == std::string::npos;
}

bool is_dimension(const std::string& name) { return contains({"tp", "pp", "cp", "ep"}, name); }

/// What a stack may refuse: sharding, adapters on a Mamba layer's out_proj, a parallel dimension, a
/// kind of method, or a kind with a dimension or on several GPUs.
void check_refusal(ObjectReader& refused, const std::string& what) {
  const std::vector<std::string> parts = split(what, '+');
  const bool kind = value_of(kMethodKinds, parts[0]).has_value();
  const bool alone = kind || what == "sharding" || what == "out_proj" || is_dimension(what);
  const bool pair =
      parts.size() == 2 && kind && (parts[1] == "multi-gpu" || is_dimension(parts[1]));
  if (parts.size() == 1 ? alone : pair) return;
  refused.fault(
      what,
      "expected sharding, out_proj, tp, pp, cp, ep, a kind of method, or a kind with a dimension "
      "(+tp) or with +multi-gpu; got " +
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
  const bool known = parts.size() == 1
                         ? contains(alone, key)
                         : parts.size() == 2 && contains(groups, parts[0]) && is_key_name(parts[1]);
  if (!key.empty() && !known) {
    reader.fault("key", "expected state, optimizer, optimizer_foreach or a key of " +
                            join(groups, ", ") + ", such as kernels.loss; got " + shown(key));
  }
  return key;
}

StackSetting::Variant read_variant(ObjectReader& reader) {
  StackSetting::Variant variant;
  variant.when = reader.one_of("when", {"sharded", "ddp", "single"});
  variant.value = read_value(reader, "value");
  variant.source = read_source(reader);
  reader.done();
  return variant;
}

void read_alternatives(ObjectReader& reader, StackSetting& setting) {
  if (!reader.has("alternatives")) return;
  if (!contains({"kernels.recompute", "kernels.loss"}, setting.key)) {
    reader.fault("alternatives", "expected them for kernels.recompute and kernels.loss only, got " +
                                     shown(setting.key));
  }
  for (ObjectReader& row : read_rows(reader, "alternatives")) {
    setting.alternatives.push_back({read_value(row, "value"), read_source(row)});
    row.done();
  }
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
    std::vector<ObjectReader> variants = read_rows(reader, "variants");
    check_unique(variants, "when", "a case");
    for (ObjectReader& variant : variants) setting.variants.push_back(read_variant(variant));
  }
  read_alternatives(reader, setting);
  reader.done();
  return setting;
}

std::vector<StackSetting> read_settings(ObjectReader& kinds, const std::string& kind) {
  std::vector<StackSetting> settings;
  std::vector<ObjectReader> readers = read_rows(kinds, kind);
  check_unique(readers, "key", "a key");
  for (ObjectReader& reader : readers) settings.push_back(read_setting(reader));
  return settings;
}

}  // namespace

Stack read_stack(ObjectReader reader) {
  Stack stack;
  stack.raw = reader.whole();
  stack.id = read_id(reader, "id");
  stack.title = read_filled_text(reader, "title");
  stack.version = read_filled_text(reader, "version");
  stack.source = read_source(reader);
  stack.date = read_date(reader, "date");
  stack.warnings = reader.texts("warnings");
  if (contains(stack.warnings, "")) reader.fault("warnings", "expected no empty text in the list");
  ObjectReader refused = reader.object("refused");
  for (const std::string& what : refused.keys()) {
    stack.refused[what] = read_filled_text(refused, what);
    if (refused.sound(what)) check_refusal(refused, what);
  }
  ObjectReader kinds = reader.object("kinds");
  for (const std::string& kind : described_kinds()) {
    if (kinds.mentions(kind)) stack.kinds[kind] = read_settings(kinds, kind);
    kinds.raw(kind);
    if (stack.kinds.contains(kind) && stack.refused.contains(kind)) {
      refused.fault(kind, "refused, but kinds has settings for " + kind);
    }
  }
  if (stack.kinds.empty() && reader.has("kinds")) {
    kinds.fault("", "expected settings for full, lora or qlora, got none");
  }
  kinds.done();
  reader.done();
  return stack;
}

}  // namespace sizesheet
