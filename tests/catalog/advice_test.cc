// SPDX-License-Identifier: Apache-2.0
// Advice out of its files: what is kept, and one mutation at a time, whole text.
#include <gtest/gtest.h>

#include "catalog/published/worksheet.h"
#include "catalog/sample_catalog.h"
#include "support/files.h"
#include "support/refusal.h"

namespace sizesheet {
namespace {

Json topic_document(const std::string& topic) {
  const std::string path = SIZESHEET_SOURCE_DIR "/catalog/advice/" + topic + ".json";
  return parse_json(read_file(path), path);
}

AdviceTopic read_topic(const Json& json, Faults& faults) {
  std::vector<std::string> gpus;
  const Json whole = topic_document("choosing");
  for (const Json& gpu : whole.at("cards").at("gpus")) {
    gpus.push_back(gpu.get<std::string>());
  }
  return read_advice_topic({json, "topic.json", "", faults}, gpus);
}

/// Faults after `value` is put at `pointer`; nullopt takes the key out.
Texts topic_faults(const std::string& topic, const std::string& pointer,
                   const std::optional<Json>& value) {
  Faults faults;
  read_topic(changed_at(topic_document(topic), pointer, value), faults);
  return texts_of(faults);
}

TEST(Advice, keeps_what_the_file_says) {
  Faults faults;
  const AdviceTopic topic = read_topic(topic_document("techniques"), faults);
  EXPECT_EQ(texts_of(faults), Texts{});
  EXPECT_EQ(topic.kind, "techniques");
  EXPECT_EQ(topic.request.at("gpu"), "h100-sxm");
  EXPECT_EQ(topic.entries.at(0).acts_on, "activations");
  EXPECT_EQ(topic.entries.at(0).runs.size(), 2U);
  EXPECT_EQ(topic.entries.at(0).runs.at(1).request.at("kernels").at("recompute"), "full");
}

TEST(Advice, cards_come_in_ascending_tiers_of_known_types) {
  EXPECT_EQ(topic_faults("choosing", "/cards/gpus/0", "t5"),
            Texts{R"(topic.json:/cards/gpus: no GPU "t5" in the catalog)"});
  EXPECT_EQ(topic_faults("choosing", "/cards/limits_gb", Json::array({24, 24})),
            Texts{"topic.json:/cards/limits_gb: expected ascending numbers, got 24 after 24"});
}

TEST(Advice, asks_for_what_its_kind_shows) {
  EXPECT_EQ(topic_faults("techniques", "/entries/0/acts_on", std::nullopt),
            Texts{"topic.json:/entries/0/acts_on: expected text, got nothing"});
  EXPECT_EQ(topic_faults("techniques", "/entries/0/runs", Json::array({{{"title", "one"}}})),
            Texts{"topic.json:/entries/0/runs: expected 0 or 2, got 1"});
  EXPECT_EQ(topic_faults("warnings", "/entries/0/runs", Json::array()),
            Texts{"topic.json:/entries/0/runs: expected 1, got 0"});
  EXPECT_EQ(topic_faults("diagnosis", "/entries/0/remedy", ""),
            Texts{R"(topic.json:/entries/0/remedy: expected text that is not empty, got "")"});
}

TEST(Advice, what_its_kind_does_not_show_is_refused) {
  EXPECT_EQ(topic_faults("diagnosis", "/entries/0/setting", "x=1"),
            Texts{R"(topic.json:/entries/0/setting: unknown key)"});
  EXPECT_EQ(
      topic_faults("warnings", "/kind", "warning"),
      Texts{"topic.json:/kind: expected one of cards, techniques, warnings, targets, symptoms, "
            "notes, settings; got \"warning\" (did you mean \"warnings\"?)"});
}

TEST(Advice, every_entry_has_a_source_and_a_date) {
  for (const char* topic : {"choosing", "techniques", "warnings", "targets", "diagnosis",
                            "operations", "parallelism", "questions", "settings"}) {
    EXPECT_EQ(topic_faults(topic, "/entries/0/source", std::nullopt),
              Texts{"topic.json:/entries/0/source: expected text, got nothing"})
        << topic;
    EXPECT_EQ(topic_faults(topic, "/entries/0/date", "last year").size(), 1U) << topic;
  }
}

}  // namespace
}  // namespace sizesheet
