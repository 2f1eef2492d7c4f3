// SPDX-License-Identifier: Apache-2.0
// A sheet of one's own from `init` to its pages, and what `init` does not do.
#include <gtest/gtest.h>

#include <filesystem>

#include "cli/program.h"
#include "sheet/quarterly.h"
#include "support/files.h"
#include "support/golden.h"

namespace sizesheet {
namespace {

class Init : public InFolder {
 protected:
  std::string written(const std::string& name) const { return read_file(at(name)); }

  /// The command over the built-in catalog.
  Outcome builtin(const Words& words) const { return told(with(words, {"--catalog", "builtin"})); }
  /// `init` with these words about a file of the test's folder.
  Outcome init(const std::string& name, const Words& words = {}) const {
    return builtin(with({"init", at(name)}, words));
  }
};

TEST_F(Init, writes_the_quarterly_sheet_under_another_id_with_the_words_of_the_document) {
  EXPECT_EQ(init("ours.json"),
            (Outcome{0, "",
                     "written: ours.json, as quarterly is; change it, then run\n"
                     "  sizesheet build --sheet ours.json --out pages --catalog builtin\n"}));
  expect_golden("init/ours.json", written("ours.json"));
  Json sheet = parse_json(written("ours.json"), "ours.json", kMostValues, Comments::kSkipped);
  sheet["id"] = "quarterly";
  EXPECT_EQ(sheet, quarterly_json());
}

TEST_F(Init, goes_from_an_empty_folder_to_the_page_without_a_failed_build) {
  const Outcome begun =
      init("team.json", {"--model", "Llama 3.1 8B", "--model", "phi-4", "--gpu", "H100"});
  EXPECT_EQ(begun.code, 0);
  EXPECT_EQ(begun.err,
            "GPU \"H100\" is h100-sxm\n"
            "model \"Llama 3.1 8B\" is llama-3.1-8b\n"
            "written: team.json, as quarterly is; change it, then run\n"
            "  sizesheet build --sheet team.json --out pages --catalog builtin\n");
  EXPECT_EQ(builtin({"build", "--sheet", at("team.json"), "--out", at("pages")}).code, 0);
  EXPECT_TRUE(read_file(at("pages/sheet.pdf")).starts_with("%PDF"));
  const Json sheet = parse_json(written("pages/sheet.json"), "sheet.json");
  EXPECT_EQ(sheet.at("models")[1].at("size"), "15B");
  const Outcome verified = program({"verify", at("pages")});
  EXPECT_EQ(verified.code, 0) << "comments need not be kept; " << verified.err << verified.out;
}

TEST_F(Init, a_gpu_on_which_nothing_can_be_sized_is_refused_and_nothing_written) {
  const std::string words = ": its usable memory is not known, so nothing can be sized on it\n";
  EXPECT_EQ(init("ours.json", {"--gpu", "h100-sxm", "--gpu", "gaudi3", "--gpu", "mi350x"}),
            (Outcome{2, "",
                     "sizesheet: ours.json:/gpus/1: gaudi3" + words + "ours.json:/gpus/2: mi350x" +
                         words}));
  EXPECT_FALSE(std::filesystem::exists(at("ours.json")));
}

TEST_F(Init, a_slip_of_the_editor_is_told_at_its_line) {
  init("ours.json");
  std::string text = written("ours.json");
  text.replace(text.find("\"as_of\": "), 9, "\"as_of\" ");
  dir_.write("ours.json", text);
  EXPECT_EQ(builtin({"build", "--sheet", at("ours.json"), "--out", at("pages")}).err,
            "sizesheet: ours.json:13:22: not JSON near '\"2026-11-20\"'\n");
}

TEST_F(Init, a_sheet_of_a_later_catalog_is_checked_with_its_comments) {
  std::filesystem::create_directories(at("ours/sheets"));
  EXPECT_EQ(init("ours/sheets/team.json").code, 0);
  const Outcome checked = program({"check", "--catalog", "builtin", "--catalog", at("ours")});
  EXPECT_EQ(checked.code, 0) << checked.out << checked.err;
}

TEST_F(Init, overwrites_nothing) {
  dir_.write("ours.json", "mine");
  std::filesystem::create_symlink("nowhere", at("link.json"));
  for (const char* name : {"ours.json", "link.json"}) {
    EXPECT_EQ(init(name),
              (Outcome{2, "",
                       "sizesheet: " + std::string(name) +
                           ": expected a name that nothing has yet, got one that is there; init "
                           "overwrites nothing\n"}));
  }
  EXPECT_EQ(written("ours.json"), "mine");
}

TEST_F(Init, refuses_what_cannot_be_a_sheet) {
  struct Case {
    std::string name;
    Words words;
    std::string refusal;
  };
  const std::string names =
      ": expected a name of small letters, digits, dots and dashes that ends in .json, got ";
  const std::vector<Case> cases = {
      {"Our Sheet.txt",
       {},
       "sizesheet: Our Sheet.txt" + names +
           "\"Our Sheet.txt\" (did you mean \"our-sheet.json\"?)\n"},
      {"ours", {}, "sizesheet: ours" + names + "\"ours\" (did you mean \"ours.json\"?)\n"},
      {"ours/ours.json",
       {},
       "sizesheet: ours/ours.json: expected a folder to write to, got \"ours\", which is none\n"},
      {"ours.json",
       {"--gpu", "h100-sxmm"},
       "sizesheet: no GPU \"h100-sxmm\" in the catalog (did you mean \"h100-sxm\"?)\n"},
      {"ours.json",
       {"--model", "phi-4", "--model", "Phi 4"},
       "model \"Phi 4\" is phi-4\n"
       "sizesheet: ours.json:/models/1/id: expected a model that is used once, got \"phi-4\" "
       "again\n"},
      {"ours.json",
       {"--sheet", "quartely"},
       "sizesheet: --sheet: no sheet \"quartely\" in the catalog (did you mean \"quarterly\"?)\n"},
  };
  for (const Case& one : cases) {
    EXPECT_EQ(init(one.name, one.words), (Outcome{2, "", one.refusal}));
    EXPECT_FALSE(std::filesystem::exists(at(one.name))) << one.name;
  }
}

}  // namespace
}  // namespace sizesheet
