// SPDX-License-Identifier: Apache-2.0
#include "cli/build.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "cli/as_of.h"
#include "cli/check.h"
#include "cli/edition_files.h"
#include "cli/run.h"
#include "sheet/build_sheet.h"
#include "sheet/check_facts.h"
#include "sheet/diff/diff.h"
#include "support/address.h"
#include "support/files.h"

namespace sizesheet {
namespace {

std::string checked_base_url(const std::string& url) {
  if (url.empty() || is_address(url)) return url;
  throw InputError("--base-url: expected https://…, got " + shown(url));
}

void refuse_unsound_facts(const Catalog& catalog, const std::string& directory) {
  Faults faults;
  check_facts(catalog, directory, faults);
  faults.refuse();
}

/// One line that is overwritten, on a terminal only.
Progress progress_line(std::ostream& err) {
  if (isatty(STDERR_FILENO) == 0) return [](std::size_t, std::size_t) {};
  return [&err](std::size_t done, std::size_t all) {
    err << "\rsized " << done << " of " << all << " cells" << (done == all ? "\n" : "")
        << std::flush;
  };
}

/// The edition to compare with; read before the sheet is worked out, so that a fault in it shows at
/// once.
std::optional<Edition> baseline_of(const BuildOptions& options) {
  if (options.baseline.empty()) return std::nullopt;
  const std::filesystem::path path = options.baseline;
  std::error_code none;
  return read_edition(std::filesystem::is_directory(path, none) ? path / "sheet.json" : path);
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

}  // namespace

int run_build(const BuildOptions& options, std::ostream& err) {
  refuse_nested(options.out, options.catalog, "the catalog");
  refuse_nested(options.out, options.templates, "the templates");
  const Catalog catalog = load_sound_catalog(options.catalog);
  refuse_unsound_facts(catalog, options.catalog);
  SheetSpec spec = load_sheet_spec(options.sheet, options.catalog, catalog);
  spec.as_of = as_of_day(options.as_of, spec.as_of);
  const EditionTemplates templates = edition_templates(options.templates);
  const EditionLabels labels{tool_version(), checked_base_url(options.base_url), options.paper,
                             templates.id};
  const std::optional<Edition> baseline = baseline_of(options);
  warn_of_prices(catalog, spec.as_of, err);
  Sheet sheet = build_sheet(catalog, spec, labels, options.jobs, progress_line(err));
  for (const std::string& stale : sheet.options.price_rules.stale) {
    err << "warning: " << stale << '\n';
  }
  if (baseline) {
    DiffOptions diff;
    diff.jobs = options.jobs;
    sheet.changes = diff_editions(*baseline, edition_of(sheet, "sheet.json"), diff);
  }
  const auto warn = [&err](const std::string& words) { err << words << '\n'; };
  publish_edition(options.out, edition_files(sheet, templates, warn));
  return 0;
}

}  // namespace sizesheet
