// SPDX-License-Identifier: Apache-2.0
// `build` and `verify`: an edition written whole, and held against what its own sheet makes.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <memory>
#include <new>
#include <system_error>

#include "calculator/page_facts.h"
#include "cli/command_parts.h"
#include "render/writers.h"
#include "sheet/build/build_sheet.h"
#include "sheet/diff/edition.h"
#include "sheet/sheet_json.h"
#include "sheet/shown.h"
#include "sheet/spec.h"
#include "support/error.h"
#include "support/parallel.h"

namespace sizesheet {
namespace {

/// "" is what is left out.
struct BuildOptions : CommonOptions {
  std::string templates;
  std::string out = "output";
  std::string paper = "a4";
  std::string base_url;
  std::string baseline;
  std::string calculator;
};

/// One line that is overwritten, on a terminal only.
Progress progress_line(std::ostream& err) {
  if (isatty(STDERR_FILENO) == 0) return [](std::size_t, std::size_t) {};
  return [&err](std::size_t done, std::size_t all) {
    err << "\rsized " << done << " of " << all << " cells" << (done == all ? "\n" : "")
        << std::flush;
  };
}

/// An edition among the facts would be one of them at the next build.
void refuse_nested(const std::string& out, const std::string& folder, const std::string& what) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::path inner = fs::weakly_canonical(fs::absolute(out, ignored), ignored);
  const fs::path outer = fs::weakly_canonical(fs::absolute(folder, ignored), ignored);
  if (folder.empty() || inner.empty() || outer.empty()) return;
  const auto [end, unused] = std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end());
  if (end != outer.end()) return;
  throw InputError("--out: expected a folder outside " + what + ", got " + shown(out));
}

/// What `make calculator` built, and what it is to calculate with. None without the option.
FileSet calculator_files(const BuildOptions& options, const SheetSpec& spec) {
  if (options.calculator.empty()) return {};
  const std::string engine = read_file(options.calculator);
  if (engine.find("globalThis.sizesheetCalculator") == std::string::npos) {
    throw InputError("--calculator: expected the script that `make calculator` builds, got " +
                     shown(options.calculator));
  }
  return {{kCalculatorEngine, engine},
          {kCalculatorFacts, page_facts_script(options.catalog, spec)}};
}

/// On any error the old edition stays whole. Progress goes to `err`, on a terminal only.
int run_build(const BuildOptions& options, std::ostream& err) {
  for (const std::filesystem::path& folder : options.catalog.folders()) {
    if (folder != kBuiltInCatalog) refuse_nested(options.out, folder.string(), "the catalog");
  }
  refuse_nested(options.out, options.templates, "the templates");
  const Catalog catalog = load_sound_catalog(options.catalog);
  Faults faults;
  check_facts(catalog, options.catalog, faults);
  faults.refuse();
  SheetSpec spec = load_sheet_spec(options.sheet, options.catalog, catalog);
  spec.as_of = as_of_day(options.as_of, spec.as_of);
  const EditionTemplates templates = edition_templates(options.templates);
  if (!options.base_url.empty() && !is_address(options.base_url)) {
    throw InputError("--base-url: expected https://…, got " + shown(options.base_url));
  }
  const EditionLabels labels{tool_version(), options.base_url, options.paper, templates.id};
  std::optional<Edition> baseline;  // read before the sheet, so that a fault in it shows at once
  if (!options.baseline.empty()) {
    const std::filesystem::path path = options.baseline;
    std::error_code none;
    baseline = read_edition(std::filesystem::is_directory(path, none) ? path / "sheet.json" : path);
  }
  FileSet calculator = calculator_files(options, spec);
  print_warnings(odd_prices(catalog, spec.as_of), err);
  Sheet sheet = build_sheet(catalog, spec, labels, options.jobs, progress_line(err));
  for (const std::string& stale : sheet.options.price_rules.stale) {
    err << "warning: " << stale << '\n';
  }
  if (baseline) {
    sheet.changes = diff_editions(*baseline, edition_of(sheet, "sheet.json"), {}, options.jobs);
  }
  const auto warn = [&err](const std::string& words) { err << words << '\n'; };
  publish_edition(options.out,
                  edition_files(sheet, templates, warn, options.jobs, std::move(calculator)));
  return 0;
}

namespace fs = std::filesystem;

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
  const fs::path path = fs::path(folder) / kManifestName;
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
    if (edition.manifest.contains(file)) edition.files[file] = read_file(fs::path(folder) / file);
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

/// What the program writes from the edition's own sheet.json.
FileSet expected_files(const Published& edition, const std::string& templates_folder) {
  const std::string file = shown_path(fs::path(edition.folder) / kSheetName);
  const Sheet sheet = read_sheet(edition.files.at(kSheetName), file, tool_version());
  const EditionTemplates templates = edition_templates(templates_folder);
  check_templates(sheet, templates, file);
  const auto quiet = [](const std::string&) {};
  FileSet calculator;  // no part of the sheet: the manifest alone vouches for it
  for (const char* name : {kCalculatorEngine, kCalculatorFacts}) {
    const auto there = edition.files.find(name);
    if (there != edition.files.end()) calculator.insert(*there);
  }
  if (calculator.size() == 1) calculator.clear();  // then what is there is extra
  try {
    return edition_files(sheet, templates, quiet, default_jobs(), std::move(calculator));
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

/// Adds what differs from what sheet.json gives; where that cannot be worked out but the answer is
/// known to be no, says so instead.
void compare(const Published& edition, const std::string& templates, Findings& findings) {
  if (findings.contains(kSheetName)) {
    findings[kSheetName].emplace_back("not whole, so no file was compared with what it gives");
    return;
  }
  try {
    find_differences(edition, expected_files(edition, templates), findings);
  } catch (const InputError& error) {
    if (findings.empty()) throw;
    findings[kSheetName].push_back("no file was compared with what it gives: " +
                                   std::string(error.what()));
  }
}

/// "" is what is left out.
struct VerifyOptions {
  std::string folder;
  std::string templates;
};

/// 1 and a line for each file and why where it is not whole. Reads only; throws InputError where
/// the answer cannot be known: no edition there, an unreadable sheet.json, another version.
int run_verify(const VerifyOptions& options, std::ostream& out) {
  const FolderContent content = folder_content(options.folder);
  const Published edition = read_published(options.folder, content);
  Findings findings = manifest_findings(content, edition);
  compare(edition, options.templates, findings);
  for (const auto& [name, words] : findings) {
    for (const std::string& word : words) out << plain_text(name) << ": " << word << '\n';
  }
  const std::string files = format_integer(std::ssize(edition.manifest));
  if (findings.empty()) {
    out << shown_path(options.folder) << ": whole: " << files << " files, each as sizesheet "
        << tool_version() << " writes it from sheet.json\n";
    return 0;
  }
  out << shown_path(options.folder) << ": not whole: " << findings.size()
      << (findings.size() == 1 ? " name" : " names") << " at fault, " << files << " files listed\n";
  return 1;
}

/// The rest of the line from a little before `at`, quoted and cut; "the end" after the last line.
std::string excerpt(std::string_view text, std::size_t at) {
  constexpr std::size_t kBefore = 12;
  if (at >= text.size()) return "the end";
  const std::size_t newline = text.rfind('\n', at == 0 ? 0 : at - 1);
  const std::size_t line = at == 0 || newline == std::string_view::npos ? 0 : newline + 1;
  std::size_t from = at - std::min(at - line, kBefore);
  while (from > line && continues_character(text[from])) --from;
  return shown(Json(text.substr(from, text.find('\n', at) - from)));
}

std::string byte_words(const std::string& text, std::size_t at) {
  if (at >= text.size()) return "the end";
  return fmt::format("0x{:02x}", static_cast<unsigned char>(text[at]));
}

/// Of the character that holds the byte at `at`.
std::string place_words(std::string_view text, std::size_t at) {
  const std::string_view before = text.substr(0, at);
  const auto lines = std::count(before.begin(), before.end(), '\n');
  const std::size_t newline = before.rfind('\n');
  const std::string_view line =
      newline == std::string_view::npos ? before : before.substr(newline + 1);
  const auto letters = static_cast<std::int64_t>(width_of(line));
  return "line " + format_integer(lines + 1) + ", column " + format_integer(letters + 1);
}

}  // namespace

void add_build(CLI::App& app, const Streams& streams, Command& chosen) {
  auto options = std::make_shared<BuildOptions>();
  CLI::App* command = app.add_subcommand("build", "Write an edition: pages, PDF, JSON, CSV");
  command->add_option("--sheet", options->sheet, "Id of a sheet in the catalog, or a file")
      ->capture_default_str();
  add_catalog(*command, options->catalog);
  command->add_option("--templates", options->templates,
                      "Folder that overrides built-in templates");
  command->add_option("--out", options->out, "Folder of the edition")->capture_default_str();
  add_choice(*command, "--paper", options->paper, "Paper of the PDF", {"a4", "letter"});
  add_day(*command, "--as-of", options->as_of, "The sheet's day, YYYY-MM-DD");
  command->add_option("--base-url", options->base_url, "Where the pages will stand, https://…");
  command->add_option("--baseline", options->baseline,
                      "Earlier sheet.json, or its edition's folder: adds a page of changes");
  command->add_option("--calculator", options->calculator,
                      "Script that `make calculator` built: the edition's page calculates with it");
  add_jobs(*command, options->jobs);
  set_run(*command, chosen, [options, &streams] { return run_build(*options, streams.err); });
}

EditionTemplates edition_templates(const std::string& directory) {
  if (directory.empty()) return {builtin_templates(), ""};
  EditionTemplates templates{load_templates(directory), ""};
  if (templates.set != builtin_templates()) {
    templates.id = sha256_hex(json_text(Json(templates.set)));
  }
  return templates;
}

FileSet edition_files(const Sheet& sheet, const EditionTemplates& templates,
                      const std::function<void(const std::string&)>& warn, int jobs,
                      FileSet calculator) {
  const bool letter = sheet.meta.paper == "letter";
  const auto tell = [&warn](const std::string& words) { warn("sheet.pdf: " + words); };
  FileSet files = std::move(calculator);
  files["sheet.json"] = to_json_text(sheet);
  write_tables(sheet, files);
  std::optional<Sheet> converted;
  if (sheet.meta.exchange) converted = as_shown(sheet);
  const Sheet& shown = converted ? *converted : sheet;
  write_site(shown, templates.set, jobs, files);
  files["sheet.pdf"] = pdf_handout(shown, letter ? Paper::kLetter : Paper::kA4, tell);
  // Alone: an end from outside waits for its files to be removed in the thread that writes them.
  files["sheet.xlsx"] = xlsx_workbook(shown, letter);
  return files;
}

void add_verify(CLI::App& app, const Streams& streams, Command& chosen) {
  auto options = std::make_shared<VerifyOptions>();
  CLI::App* command = app.add_subcommand(
      "verify", "Say whether an edition is whole and what its own sheet.json gives");
  command->footer("Exit codes: 0 whole and equal; 1 not, file by file; 2 could not tell.");
  command->add_option("folder", options->folder, "Folder of the edition; nothing is written to it")
      ->required();
  command->add_option("--templates", options->templates,
                      "Folder that overrode built-in templates when it was built");
  set_run(*command, chosen, [options, &streams] { return run_verify(*options, streams.out); });
}

std::string first_difference(const std::string& expected, const std::string& got) {
  if (expected == got) return "";
  const auto [there, here] =
      std::mismatch(expected.begin(), expected.end(), got.begin(), got.end());
  auto at = static_cast<std::size_t>(there - expected.begin());
  if (!is_utf8(expected) || !is_utf8(got)) {
    return "byte " + format_integer(static_cast<std::int64_t>(at) + 1) + ": expected " +
           byte_words(expected, at) + ", got " + byte_words(got, at);
  }
  while (at > 0 && at < expected.size() && continues_character(expected[at])) --at;
  return place_words(expected, at) + ": expected " + excerpt(expected, at) + ", got " +
         excerpt(got, at);
}

}  // namespace sizesheet
