// SPDX-License-Identifier: Apache-2.0
// What a specification brings beside its figures, from anybody: a logo, labels, a currency. Each is
// refused with its place, or a sheet is drawn with it.
#include <optional>

#include "cli/edition_files.h"
#include "fuzz/target.h"
#include "render/html/templates/templates.h"
#include "render/sample_sheet.h"
#include "sheet/logo.h"
#include "sheet/quarterly.h"
#include "sheet/sheet.h"
#include "sheet/spec.h"
#include "sheet/spec_words.h"
#include "support/error.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/project_catalog.h"
#include "support/refusal.h"
#include "support/temp_dir.h"

namespace sizesheet::fuzz {
namespace {

void draw(const Sheet& sheet) {
  const FileSet files = edition_files(
      sheet, edition_templates(""), [](const std::string&) {}, 1);
  expect(files.contains("sheet.pdf"), "a sheet has a page to print");
}

/// The bytes as a file, which a reader takes the path of.
std::filesystem::path file_of(std::string_view bytes) {
  static const TempDir kFolder;
  kFolder.write("file", std::string(bytes));
  return kFolder.path() / "file";
}

}  // namespace

void logo(std::string_view bytes) {
  refusal_of([&] {
    const std::string kept = read_logo(file_of(bytes));
    const Logo picture = logo_of(kept, "logo");
    const auto pixels =
        static_cast<std::size_t>(picture.width) * static_cast<std::size_t>(picture.height);
    expect(picture.colors.size() == 3 * pixels, "every pixel has three bytes");
    expect(picture.alpha.empty() || picture.alpha.size() == pixels, "and one of alpha, or none");
    Sheet sheet = tiny_sheet();
    sheet.options.logo = kept;
    draw(sheet);
  });
}

void labels(std::string_view bytes) {
  refusal_of([&] {
    Faults faults;
    const SheetLabels read =
        read_labels(file_of(bytes), quarterly_spec(), project_catalog(), faults);
    faults.refuse();
    Sheet sheet = tiny_sheet();
    sheet.meta.labels = read;
    draw(sheet);
  });
}

void currency(std::string_view bytes) {
  refusal_of([&] {
    const Json given = {{"currency", parse_json(bytes, "sheet.json")}};
    Faults faults;
    ObjectReader reader(given, "sheet.json", "", faults);
    const std::optional<ShownCurrency> read = read_currency(reader);
    faults.refuse();
    Sheet sheet = tiny_sheet();
    sheet.meta.exchange = read;
    draw(sheet);
  });
}

}  // namespace sizesheet::fuzz
