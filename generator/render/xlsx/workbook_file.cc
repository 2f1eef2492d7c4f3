// SPDX-License-Identifier: Apache-2.0
#include "render/xlsx/workbook_file.h"

#include <cstdlib>
#include <system_error>

#include "support/dates.h"
#include "support/error.h"
#include "support/files.h"

namespace sizesheet::xlsx {
namespace {

constexpr std::int64_t kSecondsPerDay = 86400;

/// libxlsxwriter collects in files what it writes.
std::filesystem::path collecting_folder(std::optional<Workshop>& workshop) {
  const auto refusal = [](const std::string& why) {
    return InputError("sheet.xlsx: no folder for temporary files (TMPDIR): " + why);
  };
  std::error_code error;
  const std::filesystem::path parent = std::filesystem::temp_directory_path(error);
  if (error) throw refusal(error.message());
  try {
    return workshop.emplace(parent).folder();
  } catch (const InputError& fault) {
    throw refusal(fault.what());
  }
}

lxw_workbook* open_book(const std::filesystem::path& path, const std::filesystem::path& folder) {
  std::string temporary = folder.string();
  lxw_workbook_options options = {};
  options.tmpdir = temporary.data();
  lxw_workbook* book = workbook_new_opt(path.c_str(), &options);
  if (book == nullptr) throw InputError("sheet.xlsx: no memory for the workbook");
  return book;
}

/// Dates of making come from the sheet's day: libxlsxwriter would else take the clock's.
void set_properties(lxw_workbook* book, const SheetMeta& meta) {
  std::string title = meta.title + " " + meta.edition;
  std::string author = "sizesheet " + meta.tool_version;
  std::string comments = "Catalog " + meta.catalog_hash + ", as of " + meta.as_of;
  lxw_doc_properties properties = {};
  properties.title = title.data();
  properties.author = author.data();
  properties.comments = comments.data();
  properties.created = static_cast<time_t>(day_number(meta.as_of).value_or(0) * kSecondsPerDay);
  if (properties.created == 0) properties.created = 1;  // 0 would mean now
  require(workbook_set_properties(book, &properties), "properties");
}

}  // namespace

void require(lxw_error result, const std::string& what) {
  if (result == LXW_NO_ERROR) return;
  throw InputError("sheet.xlsx: " + what + ": " + lxw_strerror(result));
}

WorkbookFile::WorkbookFile(const SheetMeta& meta)
    : folder_(collecting_folder(workshop_)),
      path_(folder_ / "sheet.xlsx"),
      book_(open_book(path_, folder_)),
      styles_(book_) {
  set_properties(book_, meta);
}

WorkbookFile::~WorkbookFile() {
  if (book_ != nullptr) lxw_workbook_free(book_);
}

lxw_worksheet* WorkbookFile::add_sheet(const std::string& name) {
  lxw_worksheet* sheet = workbook_add_worksheet(book_, name.c_str());
  if (sheet == nullptr) throw InputError("sheet.xlsx: cannot add a sheet named \"" + name + "\"");
  return sheet;
}

void WorkbookFile::define_name(const std::string& name, const std::string& cells) {
  require(workbook_define_name(book_, name.c_str(), ("=" + cells).c_str()), "name " + name);
}

std::string WorkbookFile::bytes() {
  lxw_workbook* book = book_;
  book_ = nullptr;  // closing frees it, also when it fails
  require(workbook_close(book), "cannot be written");
  return read_file(path_);
}

}  // namespace sizesheet::xlsx
