// SPDX-License-Identifier: Apache-2.0
// Earlier ids of entries: read, and refused where they would be ambiguous.
#include <gtest/gtest.h>

#include "catalog/loader.h"
#include "catalog/sample_catalog.h"

namespace sizesheet {
namespace {

/// The sample with a second model of the same shape.
Documents two_models() {
  Documents documents = sample_documents();
  Json other = sample_model();
  other["id"] = "other";
  documents["models/other.json"] = other;
  return documents;
}

Texts faults_with_was(const std::string& path, const Json& was) {
  Documents documents = two_models();
  documents.at(path)["was"] = was;
  return faults_in(documents);
}

TEST(Renames, are_read_and_kept_in_the_raw_entry) {
  Documents documents = two_models();
  documents.at("models/small.json")["was"] = {"tiny", "small-1b"};
  documents.at("gpus/h100.json")["was"] = {"h100-80"};
  documents.at("methods/full.json")["was"] = {"all"};
  const Catalog catalog = loaded(documents);
  EXPECT_EQ((Texts{"tiny", "small-1b"}), catalog.model("small").was);
  EXPECT_EQ(Json({"tiny", "small-1b"}), catalog.model("small").raw.at("was"));
  EXPECT_EQ(Texts{"h100-80"}, catalog.gpu("h100").was);
  EXPECT_EQ(Texts{"all"}, catalog.method("full").was);
  EXPECT_TRUE(catalog.model("other").was.empty());
}

TEST(Renames, faults_name_the_id_and_who_has_it) {
  const std::string file = "models/small.json";
  EXPECT_EQ(faults_with_was(file, Json::array()),
            Texts{file + ":/was: expected at least one earlier id, or no such key, got []"});
  EXPECT_EQ(faults_with_was(file, "tiny"),
            Texts{file + ":/was: expected a list of texts, got \"tiny\""});
  EXPECT_EQ(faults_with_was(file, {"Tiny 1"}),
            Texts{file + ":/was: expected ids of lower-case letters, digits, . and -, got "
                         "\"Tiny 1\""});
  EXPECT_EQ(faults_with_was(file, {"tiny", "tiny"}),
            Texts{file + ":/was: expected each id once, got \"tiny\" again"});
  EXPECT_EQ(faults_with_was(file, {"other"}),
            Texts{file + ":/was: expected ids that no model has today, got \"other\""});
  EXPECT_EQ(faults_with_was(file, {"small"}),
            Texts{file + ":/was: expected ids that no model has today, got \"small\""});
  EXPECT_EQ(faults_with_was("gpus/h100.json", {"h100"}),
            Texts{"gpus/h100.json:/was: expected ids that no GPU has today, got \"h100\""});
  EXPECT_EQ(faults_with_was("methods/full.json", {"full"}),
            Texts{"methods/full.json:/was: expected ids that no method has today, got \"full\""});
}

TEST(Renames, an_earlier_id_belongs_to_one_entry) {
  Documents documents = two_models();
  documents.at("models/small.json")["was"] = {"tiny"};
  documents.at("models/other.json")["was"] = {"tiny"};
  EXPECT_EQ(faults_in(documents),
            Texts{"models/small.json:/was: expected ids that no other model had, got \"tiny\", "
                  "which other had"});
}

}  // namespace
}  // namespace sizesheet
