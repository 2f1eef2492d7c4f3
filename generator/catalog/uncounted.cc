// SPDX-License-Identifier: Apache-2.0
#include "catalog/uncounted.h"

#include <algorithm>
#include <map>

#include "support/text.h"

namespace sizesheet {
namespace {

constexpr const char* kPredicted = "layers that predict further tokens";

/// "a vision tower" for the object under a key of this name; "" for settings that are no part.
std::string part_named(const std::string& key) {
  static const std::map<std::string, std::string> kParts = {
      {"vision_config", "a vision tower"}, {"visual", "a vision tower"},
      {"audio_config", "an audio tower"},  {"speech_config", "an audio tower"},
      {"talker_config", "a talker"},       {"code2wav_config", "a vocoder"}};
  const auto part = kParts.find(key);
  return part == kParts.end() ? "" : part->second;
}

}  // namespace

std::vector<UncountedPart> uncounted_parts(const Json& config) {
  std::vector<UncountedPart> parts;
  if (!config.is_object()) return parts;
  for (const auto& [key, value] : config.items()) {
    const std::string what = part_named(key);
    if (!what.empty() && value.is_object()) parts.push_back({"/" + key, what});
  }
  const bool within = config.contains("text_config") && config.at("text_config").is_object();
  const Json& text = within ? config.at("text_config") : config;
  for (const char* key : {"num_nextn_predict_layers", "mtp_num_hidden_layers"}) {
    const Json predicted = text.value(key, Json(nullptr));
    if (!predicted.is_number_integer() || predicted <= 0) continue;
    parts.push_back({(within ? "/text_config/" : "/") + std::string(key), kPredicted});
  }
  return parts;
}

std::string uncounted_note(const Json& config) {
  std::vector<std::string> notes;
  for (const UncountedPart& part : uncounted_parts(config)) {
    const std::string sentence =
        part.what == kPredicted ? "Multi-token-prediction layers of the checkpoint are not counted."
                                : "Text part of a model with " + part.what + ".";
    if (std::find(notes.begin(), notes.end(), sentence) == notes.end()) notes.push_back(sentence);
  }
  return join(notes, " ");
}

}  // namespace sizesheet
