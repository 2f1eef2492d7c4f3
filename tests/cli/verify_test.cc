// SPDX-License-Identifier: Apache-2.0
// `sizesheet verify`: whole editions, and every way in which one is not.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <sstream>

#include "calculator/page_facts.h"
#include "catalog/files/loader.h"
#include "cli/commands.h"
#include "cli/edition_files.h"
#include "cli/program.h"
#include "cli/small_sheet.h"
#include "render/writers.h"
#include "sheet/quarterly.h"
#include "sheet/sheet.h"
#include "sheet/sheet_json.h"
#include "support/durable.h"
#include "support/files.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/temp_dir.h"
#include "support/text.h"

namespace sizesheet {
namespace {

namespace fs = std::filesystem;

Outcome verify(const std::string& folder, const std::string& templates = "") {
  std::vector<std::string> arguments{"verify", folder};
  if (!templates.empty()) arguments.insert(arguments.end(), {"--templates", templates});
  return program(arguments);
}

FileSet drawn_files(const Sheet& sheet, const EditionTemplates& templates = edition_templates("")) {
  return edition_files(sheet, templates, [](const std::string&) {});
}

class Verify : public testing::Test {
 protected:
  void SetUp() override { publish_edition(out, small_files()); }

  void write(const std::string& name, const std::string& bytes) const {
    dir.write("out/" + name, bytes);
  }
  /// Writes a file and its hash into the manifest.
  void write_mended(const std::string& name, const std::string& bytes) const {
    write(name, bytes);
    Manifest manifest = manifest_of(small_files());
    manifest[name] = sha256_hex(bytes);
    write("manifest.json", manifest_text(manifest));
  }
  std::string not_whole(const std::string& lines, int names = 1) const {
    return lines + out.string() + ": not whole: " + std::to_string(names) +
           (names == 1 ? " name" : " names") + " at fault, " + count + " files listed\n";
  }
  Outcome is_not_whole(const std::string& lines, int names = 1) const {
    return {1, not_whole(lines, names), ""};
  }
  Outcome cannot_tell(const std::string& words) const {
    return {2, "", "sizesheet: " + out.string() + "/" + words + "\n"};
  }

  TempDir dir;
  fs::path out = dir.path() / "out";
  std::string count = std::to_string(small_files().size());
};

/// What stands behind every good answer.
const std::string kNotChecked =
    "Not checked against inputs: accuracy, advice, changes, frameworks, guide_differences, guides "
    "and worksheets of sheet.json\n";

TEST_F(Verify, AWholeEditionIsWhole) {
  const std::string words = out.string() + ": whole: " + count + " files, each as sizesheet " +
                            tool_version() + " writes it from sheet.json\n" + kNotChecked;
  EXPECT_EQ(verify(out.string()), (Outcome{0, words, ""}));
  write("CNAME", "sheet.example\n");
  write(".nojekyll", "");
  EXPECT_EQ(verify(out.string()), (Outcome{0, words, ""}));
}

/// The first word of every line but the last, each once.
std::string names_in(const std::string& report) {
  std::istringstream lines(report);
  std::string names;
  std::string last;
  for (std::string line; std::getline(lines, line);) {
    const std::string name = line.substr(0, line.find(": "));
    if (name != last && line.find(": not whole: ") == std::string::npos) names += name + "\n";
    last = name;
  }
  return names;
}

/// The files of the small edition with a calculator: an engine, and the facts of its own catalog.
FileSet with_calculator(const std::string& engine, const std::string& facts) {
  return edition_files(small_sheet(), edition_templates(""), [](const std::string&) {}, 1,
                       {{kCalculatorEngine, engine}, {kCalculatorFacts, facts}});
}

std::string facts_of_the_small_sheet() {
  return page_facts_script(CatalogLayers(SIZESHEET_SOURCE_DIR "/catalog"), spec_of(small_json()));
}

TEST_F(Verify, TheEngineOfACalculatorIsNotCheckedAndItsHashIsTold) {
  const FileSet all = with_calculator("engine", facts_of_the_small_sheet());
  publish_edition(out, all);
  const std::string files = std::to_string(all.size());
  EXPECT_EQ(verify(out.string()),
            (Outcome{0,
                     out.string() + ": whole: " + files +
                         " files, all but the calculator's engine as sizesheet " + tool_version() +
                         " writes them from sheet.json\n" + kNotChecked +
                         "Not checked: calculator-engine.js, SHA-256 " + sha256_hex("engine") +
                         "; compare it with the one of your own `make calculator`\n"
                         "Not checked: prices and other facts in calculator-facts.js that this "
                         "sheet does not use\n",
                     ""}));
  const Json told = parse_json(program({"verify", out.string(), "--json"}).out, "stdout");
  EXPECT_EQ(told.at("not_checked").front(),
            (Json{{"file", "calculator-engine.js"}, {"sha256", sha256_hex("engine")}}));
  EXPECT_EQ(told.at("not_checked").back(), (Json{{"file", "sheet.json"}, {"key", "worksheets"}}));
}

TEST_F(Verify, FactsOfACalculatorAreThoseOfTheSheet) {
  std::string facts = facts_of_the_small_sheet();
  const std::string price = "\\\"usd_per_instance_hour\\\": ";
  const std::size_t row = facts.find(R"(\"gpu\": \"h100-sxm\")", facts.find(R"("prices/)"));
  const std::size_t at = facts.find(price, row);
  ASSERT_NE(at, std::string::npos);
  facts.insert(at + price.size(), "1");  // ten dollars and more on the first digit
  publish_edition(out, with_calculator("engine", facts));
  const Outcome changed = verify(out.string());
  EXPECT_EQ(changed.code, 1);
  EXPECT_TRUE(changed.out.starts_with("calculator-facts.js: /inputs/prices/")) << changed.out;
  const FileSet all = with_calculator("engine", "alert(1)");
  publish_edition(out, all);
  EXPECT_EQ(verify(out.string()), (Outcome{1,
                                           "calculator-facts.js: expected one statement, "
                                           "globalThis.sizesheetFacts = {…};, got other text\n" +
                                               out.string() + ": not whole: 1 name at fault, " +
                                               std::to_string(all.size()) + " files listed\n",
                                           ""}));
}

/// A stranger may draw every page from figures that the inputs do not give.
TEST_F(Verify, FiguresAreThoseOfTheInputs) {
  Sheet sheet = small_sheet();
  Json& price = sheet.inputs.at("prices").at(0);
  price["usd_per_instance_hour"] = price.at("usd_per_instance_hour").get<double>() + 1;
  publish_edition(out, drawn_files(sheet));
  const Outcome inputs = verify(out.string());
  EXPECT_EQ(inputs.code, 1);
  EXPECT_EQ(names_in(inputs.out), "sheet.json\n");
  EXPECT_NE(inputs.out.find("/usd_per_instance_hour: expected "), std::string::npos) << inputs.out;
  sheet = small_sheet();
  for (Row& row : sheet.rows) row.memory.device += 1LL << 30;
  publish_edition(out, drawn_files(sheet));
  const std::string device = std::to_string(small_sheet().rows.front().memory.device);
  const std::string line = "sheet.json: /rows/0/memory/device: expected " + device +
                           " by its inputs, got " +
                           std::to_string(sheet.rows.front().memory.device) + "\n";
  EXPECT_NE(verify(out.string()).out.find(line), std::string::npos) << verify(out.string()).out;
}

/// A stranger's edition, its hashes mended, with a picture that the library of the PDF reads badly.
TEST_F(Verify, APictureOfAStrangerIsDecodedOrRefusedWithItsPlace) {
  Json sheet = parse_json(small_files().at("sheet.json"), "sheet.json");
  const auto verified = [&](const std::string& logo) {
    sheet["options"]["logo"] = logo;
    write_mended("sheet.json", sheet.dump());
    return verify(out.string());
  };
  const Outcome drawn = verified(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAFoEvQfAAAADUlEQVR4nGNgZGJmAQAAGQAL51pGpAAAAABJRU5ErkJg"
      "gg==");
  EXPECT_EQ(drawn.code, 1);
  EXPECT_NE(drawn.out.find("sheet.pdf: "), std::string::npos) << drawn.out;
  EXPECT_EQ(verified("iVBORw0KGgo="),
            cannot_tell("sheet.json:/options/logo: expected a PNG file of at most 4096 by 4096 "
                        "pixels, got read beyond end of data"));
  EXPECT_EQ(verified("===="),
            cannot_tell("sheet.json:/options/logo: expected base64, got other characters"));
}

TEST_F(Verify, TheCommittedEditionIsWhole) {
  const std::string folder = SIZESHEET_SOURCE_DIR "/output";
  const Outcome outcome = verify(folder);
  if (read_file("/etc/os-release").find("VERSION_ID=\"12\"") != std::string::npos) {
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    return;
  }
  // Libraries of another Debian write other bytes, which say the same: tests/build/committed.sh.
  for (const std::string& line : split(outcome.out, '\n')) {
    if (line.empty() || line.starts_with(folder)) continue;
    EXPECT_TRUE(line.starts_with("sheet.xlsx: byte ") || line.starts_with("sheet.pdf: byte "))
        << line;
  }
}

TEST_F(Verify, NothingIsWritten) {
  const auto before = fs::last_write_time(out / "index.html");
  write("index.html", "changed");
  fs::last_write_time(out / "index.html", before);
  const FolderContent content = folder_content(dir.path());
  EXPECT_EQ(verify(out.string()).code, 1);
  EXPECT_EQ(folder_content(dir.path()).files, content.files);
  EXPECT_EQ(fs::last_write_time(out / "index.html"), before);
  EXPECT_EQ(read_file(out / "index.html"), "changed");
}

/// All at once, and apart the file that the others follow from.
TEST_F(Verify, AFlippedByteIsNamedInWhateverFile) {
  const auto flipped = [](std::string bytes) {
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
    return bytes;
  };
  for (const bool sheet : {false, true}) {
    int names = 0;
    for (const auto& [name, bytes] : small_files()) {
      const bool flips = (name == "sheet.json") == sheet;
      names += flips ? 1 : 0;
      write(name, flips ? flipped(bytes) : bytes);
    }
    const Outcome outcome = verify(out.string());
    EXPECT_EQ(outcome.code, 1);
    EXPECT_EQ(outcome.err, "");
    EXPECT_TRUE(outcome.out.ends_with(not_whole("", names))) << outcome.out;
    for (const auto& [name, bytes] : small_files()) {
      if ((name == "sheet.json") != sheet) continue;
      const std::string hash = name + ": the manifest lists SHA-256 " + sha256_hex(bytes) +
                               ", got " + sha256_hex(flipped(bytes)) + "\n";
      EXPECT_NE(("\n" + outcome.out).find("\n" + hash + name + ": "), std::string::npos) << name;
    }
  }
}

TEST_F(Verify, AFlippedDigitOfTheManifestNamesTheFile) {
  std::string manifest = manifest_text(manifest_of(small_files()));
  const std::string hash = sha256_hex(small_files().at("index.html"));
  const std::string other = (hash[0] == '0' ? "1" : "0") + hash.substr(1);
  manifest.replace(manifest.find(hash), hash.size(), other);
  write("manifest.json", manifest);
  EXPECT_EQ(verify(out.string()), is_not_whole("index.html: the manifest lists SHA-256 " + other +
                                               ", got " + hash + "\n"));
}

TEST_F(Verify, SaysWhereAFileParts) {
  std::string page = small_files().at("glossary.html");
  page.replace(page.find("<html lang=\"en\">"), 16, "<html lang=\"de\">");
  write_mended("glossary.html", page);
  EXPECT_EQ(
      verify(out.string()),
      is_not_whole("glossary.html: line 2, column 13: expected \"<html lang=\\\"en\\\">\", got "
                   "\"<html lang=\\\"de\\\">\"\n"));
}

TEST_F(Verify, MissingAndExtraFilesAreNamed) {
  fs::remove(out / "style.css");
  write("thesis.txt", "mine");
  write("notes/CNAME", "only the one at the top is the host's");
  EXPECT_EQ(verify(out.string()), is_not_whole("notes: extra: no file of the edition is in it\n"
                                               "notes/CNAME: extra: the manifest does not list it\n"
                                               "style.css: missing\n"
                                               "thesis.txt: extra: the manifest does not list it\n",
                                               4));
}

TEST_F(Verify, FilesThatSheetJsonDoesNotGive) {
  write_mended("thesis.txt", "mine");
  const Outcome outcome = verify(out.string());
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.out.substr(0, outcome.out.find('\n')),
            "thesis.txt: extra: sheet.json gives no such file");
  fs::remove(out / "thesis.txt");
  fs::remove(out / "own.html");
  Manifest manifest = manifest_of(small_files());
  manifest.erase("own.html");
  write("manifest.json", manifest_text(manifest));
  EXPECT_EQ(verify(out.string()).out.substr(0, outcome.out.find('\n') + 12),
            "own.html: missing: sheet.json gives it, the manifest does no");
}

TEST_F(Verify, LinksAndPipesAreNeverOpened) {
  fs::remove(out / "index.html");
  fs::create_symlink("/dev/zero", out / "index.html");
  fs::create_directory_symlink("/", out / "root");
  ASSERT_EQ(mkfifo((out / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(verify(out.string()),
            is_not_whole("index.html: is a symbolic link; an edition holds files only\n"
                         "pipe: is a pipe; an edition holds files only\n"
                         "root: is a symbolic link; an edition holds files only\n",
                         3));
}

TEST_F(Verify, ATruncatedSheetIsNamedAndNothingComparedWithIt) {
  const std::string& whole = small_files().at("sheet.json");
  const std::string half = whole.substr(0, whole.size() / 2);
  write("sheet.json", half);
  EXPECT_EQ(verify(out.string()),
            is_not_whole("sheet.json: the manifest lists SHA-256 " + sha256_hex(whole) + ", got " +
                         sha256_hex(half) + "\n" +
                         "sheet.json: not whole, so no file was compared with what it gives\n"));
  write_mended("sheet.json", "{\n \"meta\": ");
  EXPECT_EQ(verify(out.string()), cannot_tell("sheet.json:2:10: not JSON near '\"meta\": '"));
}

TEST_F(Verify, AChangedFigureIsNamedByTheFilesThatShowIt) {
  Sheet sheet = small_sheet();
  sheet.prices.front().usd_per_gpu_hour.value += 1'000'000;
  write_mended("sheet.json", to_json_text(sheet));
  EXPECT_EQ(names_in(verify(out.string()).out),
            "prices.csv\nprices.html\nsheet.json\nsheet.xlsx\n");
  sheet = small_sheet();
  sheet.rows.front().memory.device += 1LL << 30;
  write_mended("sheet.json", to_json_text(sheet));
  EXPECT_EQ(names_in(verify(out.string()).out),
            "gpus/h100-sxm.html\nmodels/"
            "llama-3.1-8b.html\nrows.html\nsheet.csv\nsheet.json\nsheet.xlsx\n");
}

TEST_F(Verify, AKeyThatFollowsFromOthersIsCheckedToo) {
  std::string text = small_files().at("sheet.json");
  const std::size_t key = text.rfind("\"key\":\"llama-3.1-8b/");
  ASSERT_NE(key, std::string::npos);
  text.replace(key, 20, "\"key\":\"llama-3.1-9b");
  write_mended("sheet.json", text);
  const Outcome outcome = verify(out.string());
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(names_in(outcome.out), "sheet.json\n");
}

TEST_F(Verify, AnotherVersionsEditionCannotBeTold) {
  Sheet sheet = small_sheet();
  sheet.meta.tool_version = "0.0.1";
  publish_edition(out, drawn_files(sheet));
  EXPECT_EQ(verify(out.string()),
            cannot_tell("sheet.json:/meta/tool_version: expected \"" + tool_version() +
                        "\", got \"0.0.1\"; use sizesheet 0.0.1, or build the edition again"));
  write("extra", "");
  EXPECT_EQ(verify(out.string()),
            is_not_whole("extra: extra: the manifest does not list it\n"
                         "sheet.json: no file was compared with what it gives: " +
                             out.string() + "/sheet.json:/meta/tool_version: expected \"" +
                             tool_version() +
                             "\", got \"0.0.1\"; use sizesheet 0.0.1, or build the edition again\n",
                         2));
}

TEST_F(Verify, TemplatesOfOnesOwnMustBeGiven) {
  dir.write("templates/style.css", "body { color: black }");
  const EditionTemplates templates = edition_templates((dir.path() / "templates").string());
  Sheet sheet = small_sheet();
  sheet.meta.templates = templates.id;
  publish_edition(out, drawn_files(sheet, templates));
  EXPECT_EQ(verify(out.string(), (dir.path() / "templates").string()).code, 0);
  EXPECT_EQ(verify(out.string()),
            cannot_tell("sheet.json:/meta/templates: the edition was written with other templates "
                        "than are given: expected those with SHA-256 " +
                        templates.id +
                        ", got the built-in ones; name the folder that `build` had with "
                        "--templates"));
}

TEST_F(Verify, WhatIsNoEditionCannotBeTold) {
  const std::string plain = dir.path().string();
  EXPECT_EQ(verify(plain + "/nothing"),
            (Outcome{2, "",
                     "sizesheet: " + plain +
                         "/nothing: expected the folder of an edition, got nothing\n"}));
  EXPECT_EQ(verify(plain), (Outcome{2, "",
                                    "sizesheet: " + plain +
                                        "/manifest.json: expected the manifest of an "
                                        "edition, got nothing; `sizesheet build` writes "
                                        "one with every edition\n"}));
  write("manifest.json", "{}");
  EXPECT_EQ(verify(out.string()),
            cannot_tell("manifest.json:/schema_version: expected 1, got nothing"));
}

}  // namespace
}  // namespace sizesheet
