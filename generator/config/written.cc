// SPDX-License-Identifier: Apache-2.0
#include "config/written.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <map>
#include <span>
#include <string_view>

#include "config/text/yaml_values.h"
#include "config/values.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// What describes the run and not its settings, and what follows from other keys.
constexpr std::string_view kNotSettings[] = {"workload.tokens",
                                             "workload.epochs",
                                             "workload.examples",
                                             "workload.mean_length",
                                             "workload.steps",
                                             "workload.startup_hours*",
                                             "workload.checkpoint_*",
                                             "workload.packed",
                                             "workload.global_batch",
                                             "layout.dp",
                                             "layout.vpp",
                                             "layout.etp",
                                             "model",
                                             "gpu",
                                             "stack",
                                             "deadline_hours",
                                             "overheads.*",
                                             "_*"};

bool holds_for(const Json& condition, const Json& request) {
  for (const auto& [key, test] : condition.items()) {
    const Json& value = at_dotted(request, key);
    if (!passes(value, test, !value.is_null())) return false;
  }
  return true;
}

bool is_met(const Json& when, const Json& request) {
  return when.empty() || std::ranges::any_of(when, [&](const Json& condition) {
           return holds_for(condition, request);
         });
}

std::string words_of(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  return value.is_number_float() ? shortest(value.get<double>()) : value.dump();
}

/// "{layout.gpus}" in words becomes the value of the request.
std::string filled(const std::string& words, const Json& request) {
  std::string all;
  for (std::size_t at = 0; at < words.size();) {
    const std::size_t end = words[at] == '{' ? words.find('}', at) : std::string::npos;
    if (end == std::string::npos) {
      all.push_back(words[at++]);
      continue;
    }
    all += words_of(at_dotted(request, words.substr(at + 1, end - at - 1)));
    at = end + 1;
  }
  return all;
}

std::string chosen(const std::vector<WrittenChoice>& choices, const Json& request) {
  for (const WrittenChoice& one : choices) {
    if (is_met(one.when, request)) return filled(one.words, request);
  }
  return "";
}

/// What a line has for a request; null where the request has no such key, or the table no row.
Json value_of(const WrittenLine& line, const Json& request) {
  if (!line.value.is_object()) {
    return line.value.is_string() ? Json(filled(line.value.get<std::string>(), request))
                                  : line.value;
  }
  if (line.value.contains("literal")) return line.value;
  const Json& value = at_dotted(request, line.value.at("of").get<std::string>());
  const auto table = line.value.find("values");
  if (value.is_null() || table == line.value.end()) return value;
  for (const auto& [known, outcome] : table->items()) {
    if (same_config_value(value, known)) return outcome;
  }
  return nullptr;
}

/// A line with its value.
struct FilledLine {
  std::vector<std::string> path;
  Json value;
  std::string note;
};

void emit_scalar(const Json& value, YAML::Emitter& yaml) {
  const std::string words = words_of(value);
  if (value.is_null()) {
    yaml << YAML::Null;
  } else if (value.is_string() && plain_yaml_value(words) != value) {
    yaml << YAML::DoubleQuoted << words;
  } else {
    yaml << words;
  }
}

void emit_value(const Json& value, YAML::Emitter& yaml) {
  if (value.is_object() && value.contains("literal")) {
    yaml << value.at("literal").get<std::string>();
  } else if (value.is_object()) {
    yaml << YAML::BeginMap;
    for (const auto& [key, inner] : value.items()) {
      yaml << YAML::Key << key << YAML::Value;
      emit_value(inner, yaml);
    }
    yaml << YAML::EndMap;
  } else if (value.is_array()) {
    const bool plain =
        std::ranges::none_of(value, [](const Json& one) { return one.is_structured(); });
    if (plain) yaml << YAML::Flow;
    yaml << YAML::BeginSeq;
    for (const Json& one : value) emit_value(one, yaml);
    yaml << YAML::EndSeq;
  } else {
    emit_scalar(value, yaml);
  }
}

/// Lines that have the same keys down to `depth`, in their order; those of one mapping stand
/// together.
void emit_lines(std::span<const FilledLine> lines, std::size_t depth, YAML::Emitter& yaml) {
  yaml << YAML::BeginMap;
  for (std::size_t i = 0; i < lines.size();) {
    const FilledLine& line = lines[i];
    const std::string& key = line.path[depth];
    std::size_t end = i + 1;
    yaml << YAML::Key << key << YAML::Value;
    if (line.path.size() == depth + 1) {
      emit_value(line.value, yaml);
      if (!line.note.empty()) yaml << YAML::Comment(line.note);
    } else {
      while (end < lines.size() && lines[end].path.size() > depth + 1 &&
             lines[end].path[depth] == key) {
        ++end;
      }
      emit_lines(lines.subspan(i, end - i), depth + 1, yaml);
    }
    i = end;
  }
  yaml << YAML::EndMap;
}

std::string file_text(const WrittenFileForm& form, const Json& request,
                      const std::vector<std::string>& heading) {
  std::vector<FilledLine> lines;
  for (const WrittenLine& line : form.lines) {
    if (!is_met(line.when, request)) continue;
    const Json value = value_of(line, request);
    if (value.is_null()) continue;
    lines.push_back({split(line.key, '.'), value, filled(line.note, request)});
  }
  std::string text;
  for (const std::string& line : heading) text += "# " + line + '\n';
  YAML::Emitter yaml;
  emit_lines(lines, 0, yaml);
  return text + yaml.c_str() + '\n';
}

void flatten(const Json& object, const std::string& path, std::map<std::string, Json>& leaves) {
  for (const auto& [key, value] : object.items()) {
    const std::string place = path.empty() ? key : path + "." + key;
    if (value.is_object()) {
      flatten(value, place, leaves);
    } else if (!value.is_null()) {
      leaves[place] = value;
    }
  }
}

/// Packing under its newer name, so that the two spellings are compared as one.
Json with_batching(Json request) {
  const Json& packed = at_dotted(request, "workload.packed");
  const bool said = !at_dotted(request, "workload.batching").is_null();
  if (!said && packed == true) set_dotted(request, "workload.batching", "packed");
  return request;
}

/// Whether two values of a key mean the same: a key that is left out is off.
bool alike(const Json& left, const Json& right) {
  if (left.is_array() || right.is_array()) {
    if (!left.is_array() || !right.is_array()) return false;
    auto one = left.get<std::vector<Json>>();
    auto other = right.get<std::vector<Json>>();
    std::ranges::sort(one);
    std::ranges::sort(other);
    return one == other;
  }
  if (left.is_null() || right.is_null()) return is_neutral(left.is_null() ? right : left);
  return same_config_value(left, right);
}

}  // namespace

WrittenConfig written_config(const ConfigWriter& writer, const Json& request,
                             const std::vector<std::string>& heading) {
  WrittenConfig written;
  for (const UnwrittenKey& one : writer.refused) {
    if (!is_met(one.when, request)) continue;
    written.refused.push_back(one.key + ": " + filled(one.words, request));
  }
  for (const WrittenFileForm& form : writer.files) {
    if (!is_met(form.when, request)) continue;
    written.files.emplace_back(form.name, file_text(form, request, heading));
  }
  written.command = chosen(writer.commands, request);
  written.trainer = chosen(writer.trainers, request);
  return written;
}

std::vector<std::string> unlike_keys(const ConfigWriter& writer, const Json& request,
                                     const Json& written) {
  std::map<std::string, Json> asked;
  flatten(with_batching(request), "", asked);
  const Json read = with_batching(written);
  std::vector<std::string> unlike;
  for (const auto& leaf : asked) {
    const std::string& key = leaf.first;
    const Json& value = leaf.second;
    const auto names = [&](std::string_view pattern) { return matches(pattern, key); };
    if (std::ranges::any_of(kNotSettings, names) || std::ranges::any_of(writer.by_version, names)) {
      continue;
    }
    const Json& found = at_dotted(read, key);
    if (alike(value, found)) continue;
    unlike.push_back(key + ": a config of " + writer.title + " cannot say " + shown(value) +
                     (found.is_null() ? "" : "; it gives " + shown(found)));
  }
  return unlike;
}

}  // namespace sizesheet
