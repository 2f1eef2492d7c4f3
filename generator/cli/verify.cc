// SPDX-License-Identifier: Apache-2.0
#include "cli/verify.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <memory>
#include <new>
#include <system_error>

#include "calculator/page_facts.h"
#include "cli/commands.h"
#include "cli/edition_files.h"
#include "render/html/templates/templates.h"
#include "render/writers.h"
#include "sheet/diff/own_inputs.h"
#include "sheet/sheet.h"
#include "sheet/sheet_json.h"
#include "support/error.h"
#include "support/files.h"
#include "support/object_text.h"
#include "support/parallel.h"
#include "support/text.h"

namespace sizesheet {
namespace {

const std::string kSheetName = "sheet.json";

/// What is wrong, by file.
using Findings = std::map<std::string, std::vector<std::string>>;

/// An edition as it stands: its manifest, and the bytes of the files that the manifest lists.
struct Published {
  std::string folder;
  Manifest manifest;
  FileSet files;
};

Published read_published(const std::string& folder, const FolderContent& content) {
  const std::filesystem::path path = std::filesystem::path(folder) / kManifestName;
  const std::string name(kManifestName);
  if (!std::binary_search(content.files.begin(), content.files.end(), name)) {
    const auto odd = content.odd.find(name);
    throw InputError(shown_path(path) + ": expected the manifest of an edition, got " +
                     (odd == content.odd.end() ? "nothing" : "a " + odd->second) +
                     "; `sizesheet build` writes one with every edition");
  }
  const std::string text = read_file(path, kMostManifestBytes);
  Published edition{folder, parse_manifest(text, shown_path(path)), {}};
  if (manifest_text(edition.manifest) != text) edition.files[name] = text;
  for (const std::string& file : content.files) {
    if (edition.manifest.contains(file))
      edition.files[file] = read_file(std::filesystem::path(folder) / file);
  }
  return edition;
}

void find_strangers(const FolderContent& content, const Manifest& manifest, Findings& findings) {
  for (const std::string& name : content.files) {
    const bool known = manifest.contains(name) || name == kManifestName || is_kept(name);
    if (!known) findings[name].emplace_back("extra: the manifest does not list it");
  }
  for (const std::string& name : content.folders) {
    const auto first = manifest.lower_bound(name + "/");
    if (first != manifest.end() && first->first.starts_with(name + "/")) continue;
    findings[name].emplace_back("extra: no file of the edition is in it");
  }
  for (const auto& [name, kind] : content.odd) {
    findings[name].push_back("is a " + kind + "; an edition holds files only");
  }
}

/// The folder against the manifest.
Findings manifest_findings(const FolderContent& content, const Published& edition) {
  Findings findings;
  find_strangers(content, edition.manifest, findings);
  const auto manifest = edition.files.find(std::string(kManifestName));
  if (manifest != edition.files.end()) {
    findings[manifest->first].push_back(
        first_difference(manifest_text(edition.manifest), manifest->second));
  }
  for (const auto& [name, listed] : edition.manifest) {
    const auto file = edition.files.find(name);
    if (file == edition.files.end()) {
      if (!content.odd.contains(name)) findings[name].emplace_back("missing");
    } else if (const std::string hash = sha256_hex(file->second); hash != listed) {
      findings[name].push_back("the manifest lists SHA-256 " + listed + ", got " + hash);
    }
  }
  if (!edition.manifest.contains(kSheetName)) {
    findings[kSheetName].emplace_back("missing: the manifest does not list it");
  }
  return findings;
}

void check_templates(const Sheet& sheet, const EditionTemplates& templates,
                     const std::string& file) {
  if (sheet.meta.templates == templates.id) return;
  const auto words = [](const std::string& id) {
    return id.empty() ? std::string("the built-in ones") : "those with SHA-256 " + id;
  };
  throw InputError(file + ":/meta/templates: the edition was written with other templates than " +
                   "are given: expected " + words(sheet.meta.templates) + ", got " +
                   words(templates.id) + "; name the folder that `build` had with --templates");
}

/// The engine and the facts of the calculator, where the edition has both.
FileSet calculator_of(const Published& edition) {
  FileSet calculator;
  for (const char* name : {kCalculatorEngine, kCalculatorFacts}) {
    const auto there = edition.files.find(name);
    if (there != edition.files.end()) calculator.insert(*there);
  }
  if (calculator.size() == 1) calculator.clear();  // then what is there is extra
  return calculator;
}

/// What the program writes from the edition's own sheet.json.
FileSet expected_files(const Published& edition, const Sheet& sheet, const std::string& file,
                       const std::string& templates_folder) {
  const EditionTemplates templates = edition_templates(templates_folder);
  check_templates(sheet, templates, file);
  const auto quiet = [](const std::string&) {};
  try {
    return edition_files(sheet, templates, quiet, default_jobs(), calculator_of(edition));
  } catch (const std::bad_alloc&) {  // the machine's fault, not the sheet's
    throw;
  } catch (const std::system_error&) {
    throw;
  } catch (const std::exception& error) {  // parts that contradict each other, whatever they are
    throw InputError(file + ": cannot be drawn: " + error.what());
  }
}

/// The files against what they should be.
void find_differences(const Published& edition, const FileSet& expected, Findings& findings) {
  for (const auto& [name, bytes] : expected) {
    const auto file = edition.files.find(name);
    if (!edition.manifest.contains(name)) {
      findings[name].emplace_back("missing: sheet.json gives it, the manifest does not list it");
    } else if (file != edition.files.end() && file->second != bytes) {
      findings[name].push_back(first_difference(bytes, file->second));
    }
  }
  for (const auto& [name, bytes] : edition.files) {
    const bool listed = edition.manifest.contains(name);
    if (listed && !expected.contains(name)) {
      findings[name].emplace_back("extra: sheet.json gives no such file");
    }
  }
}

/// What the files say against each other's facts: sheet.json against its own inputs, and the
/// calculator's facts against those.
void find_other_facts(const Published& edition, const Sheet& sheet, const std::string& file,
                      Findings& findings) {
  for (std::string& words : differences_from_inputs(sheet, file, default_jobs())) {
    findings[kSheetName].push_back(std::move(words));
  }
  const FileSet calculator = calculator_of(edition);
  const auto facts = calculator.find(kCalculatorFacts);
  if (facts == calculator.end()) return;
  try {
    for (std::string& words : differences_from_sheet(facts->second, facts->first, sheet)) {
      findings[facts->first].push_back(std::move(words));
    }
  } catch (const InputError& error) {  // its text is no facts at all
    findings[facts->first].emplace_back(error.what());
  }
}

/// Adds what differs from what sheet.json gives; where that cannot be worked out but the answer is
/// known to be no, says so instead.
void compare(const Published& edition, const std::string& templates, Findings& findings) {
  if (findings.contains(kSheetName)) {
    findings[kSheetName].emplace_back("not whole, so no file was compared with what it gives");
    return;
  }
  try {
    const std::string file = shown_path(std::filesystem::path(edition.folder) / kSheetName);
    const Sheet sheet = read_sheet(edition.files.at(kSheetName), file, tool_version());
    find_differences(edition, expected_files(edition, sheet, file, templates), findings);
    find_other_facts(edition, sheet, file, findings);
  } catch (const InputError& error) {
    if (findings.empty()) throw;
    findings[kSheetName].push_back("no file was compared with what it gives: " +
                                   std::string(error.what()));
  }
}

/// What nothing here can say anything about.
struct Unchecked {
  std::optional<std::string> engine;  ///< SHA-256 of the calculator's
  std::vector<std::string> parts;     ///< keys of sheet.json that are not worked out again
};

Unchecked unchecked(const Published& edition) {
  Unchecked all{std::nullopt, parts_beside_inputs()};
  const FileSet calculator = calculator_of(edition);
  const auto engine = calculator.find(kCalculatorEngine);
  if (engine != calculator.end()) all.engine = sha256_hex(engine->second);
  return all;
}

/// "" is what is left out.
struct VerifyOptions {
  std::string folder;
  std::string templates;
  bool json = false;
};

/// What each file is at fault for, as a program reads it.
Json findings_json(const VerifyOptions& options, const Published& edition,
                   const Findings& findings) {
  Json faults = Json::array();
  for (const auto& [name, words] : findings) {
    for (const std::string& word : words) faults.push_back({{"file", name}, {"why", word}});
  }
  const Unchecked open = unchecked(edition);
  Json not_checked = Json::array();
  if (open.engine) {
    not_checked.push_back({{"file", kCalculatorEngine}, {"sha256", *open.engine}});
    not_checked.push_back({{"file", kCalculatorFacts}, {"facts", "that this sheet does not use"}});
  }
  for (const std::string& part : open.parts) {
    not_checked.push_back({{"file", kSheetName}, {"key", part}});
  }
  return {{"folder", options.folder},
          {"whole", findings.empty()},
          {"files", edition.manifest.size()},
          {"faults", std::move(faults)},
          {"not_checked", std::move(not_checked)}};
}

/// The lines behind a good answer: how far it goes.
void say_unchecked(const Published& edition, std::ostream& out) {
  const Unchecked open = unchecked(edition);
  out << "Not checked against inputs: " << joined_words(open.parts) << " of " << kSheetName << '\n';
  if (!open.engine) return;
  out << "Not checked: " << kCalculatorEngine << ", SHA-256 " << *open.engine
      << "; compare it with the one of your own `make calculator`\n"
      << "Not checked: prices and other facts in " << kCalculatorFacts
      << " that this sheet does not use\n";
}

/// 1 and a line for each file and why where it is not whole. Reads only; throws InputError where
/// the answer cannot be known: no edition there, an unreadable sheet.json, another version.
int run_verify(const VerifyOptions& options, std::ostream& out) {
  const FolderContent content = folder_content(options.folder);
  const Published edition = read_published(options.folder, content);
  Findings findings = manifest_findings(content, edition);
  compare(edition, options.templates, findings);
  if (options.json) {
    out << json_text(findings_json(options, edition, findings)) << '\n';
    return findings.empty() ? 0 : 1;
  }
  for (const auto& [name, words] : findings) {
    for (const std::string& word : words) out << plain_text(name) << ": " << word << '\n';
  }
  const std::string files = format_integer(std::ssize(edition.manifest));
  if (findings.empty()) {
    const bool all = calculator_of(edition).empty();
    out << shown_path(options.folder) << ": whole: " << files << " files, "
        << (all ? "each" : "all but the calculator's engine") << " as sizesheet " << tool_version()
        << " writes " << (all ? "it" : "them") << " from sheet.json\n";
    say_unchecked(edition, out);
    return 0;
  }
  out << shown_path(options.folder) << ": not whole: " << findings.size()
      << (findings.size() == 1 ? " name" : " names") << " at fault, " << files << " files listed\n";
  return 1;
}

}  // namespace

void add_verify(CLI::App& app, const Streams& streams, Command& chosen) {
  auto options = std::make_shared<VerifyOptions>();
  CLI::App* command = app.add_subcommand(
      "verify", "Say whether an edition is whole and what its own sheet.json gives");
  command->footer("Exit codes: 0 whole and equal; 1 not, file by file; 2 could not tell.");
  command->add_option("folder", options->folder, "Folder of the edition; nothing is written to it")
      ->required();
  command->add_option("--templates", options->templates,
                      "Folder that overrode built-in templates when it was built");
  command->add_flag("--json", options->json, "The answer as JSON");
  set_run(*command, chosen, [options, &streams] { return run_verify(*options, streams.out); });
}

}  // namespace sizesheet
