// SPDX-License-Identifier: Apache-2.0
#include "render/pdf/document.h"

#include <algorithm>
#include <cstdio>
#include <new>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "render/pdf/memory_file.h"
#include "render/pdf/to_unicode.h"
#include "support/dates.h"
#include "support/error.h"

namespace sizesheet::pdf {

namespace {

constexpr const char* kUtf8 = "UTF-8";

HPDF_Date midday(const std::string& date) {
  if (date.size() != 10 || !day_number(date)) {
    throw InputError("as-of date: expected YYYY-MM-DD, got '" + date + "'");
  }
  HPDF_Date made{};
  made.year = std::stoi(date.substr(0, 4));
  made.month = std::stoi(date.substr(5, 2));
  made.day = std::stoi(date.substr(8, 2));
  made.hour = 12;
  made.ind = 'Z';
  return made;
}

void free_document(HPDF_Doc doc) {
  if (doc) HPDF_Free(doc);
}

}  // namespace

Document::Document(const DocumentInfo& info, const EmbeddedFonts& fonts)
    : error_(std::make_unique<FirstError>()),
      doc_(HPDF_New(&Document::on_error, error_.get()), &free_document) {
  if (!doc_) throw std::runtime_error("PDF: libharu could not start");
  HPDF_UseUTFEncodings(doc_.get());
  HPDF_SetCurrentEncoder(doc_.get(), kUtf8);  // first, or titles come out as raw bytes
  HPDF_SetCompressionMode(doc_.get(), HPDF_COMP_ALL);
  describe(info);
  for (const auto& [face, font] : fonts) fonts_[face] = load(font);
}

void Document::on_error(HPDF_STATUS code, HPDF_STATUS detail, void* record) {
  auto* first = static_cast<FirstError*>(record);
  if (first->code == 0) *first = {code, detail};
}

void Document::describe(const DocumentInfo& info) {
  const HPDF_Date date = midday(info.as_of);
  HPDF_SetInfoAttr(doc_.get(), HPDF_INFO_TITLE, info.title.c_str());
  HPDF_SetInfoAttr(doc_.get(), HPDF_INFO_CREATOR, info.creator.c_str());
  HPDF_SetInfoAttr(doc_.get(), HPDF_INFO_SUBJECT, info.subject.c_str());
  HPDF_SetInfoDateAttr(doc_.get(), HPDF_INFO_CREATION_DATE, date);
  HPDF_SetInfoDateAttr(doc_.get(), HPDF_INFO_MOD_DATE, date);
  // Readers aloud need the language; libharu has no call for it.
  HPDF_Dict_Add(doc_->catalog, "Lang", HPDF_String_New(doc_->mmgr, "en", nullptr));
  check("document information");
}

HPDF_Font Document::load(const EmbeddedFont& font) {
  const MemoryFile file(font.bytes);
  const std::string path = file.path();
  const char* name = HPDF_LoadTTFontFromFile(doc_.get(), path.c_str(), HPDF_TRUE);
  check("font " + font.file);
  // A broken font can come without a name and without an error.
  if (!name || *name == '\0') throw std::runtime_error("PDF: font " + font.file + " has no name");
  // libharu returns the first font again for a second one of the same name.
  if (std::find(names_.begin(), names_.end(), name) != names_.end()) {
    throw std::runtime_error("PDF: font " + font.file + " has the name of another font: " + name);
  }
  names_.emplace_back(name);
  const HPDF_Font loaded = HPDF_GetFont(doc_.get(), name, kUtf8);
  check("font " + font.file);
  set_to_unicode(loaded, to_unicode_map(font.characters));
  return loaded;
}

void Document::set_to_unicode(HPDF_Font font, const std::string& map) {
  auto* object = static_cast<HPDF_Dict>(HPDF_Dict_GetItem(font, "ToUnicode", HPDF_OCLASS_DICT));
  const HPDF_Stream stream = HPDF_MemStream_New(font->mmgr, static_cast<HPDF_UINT>(map.size()));
  if (!object || !stream) throw std::runtime_error("PDF: a font has no map to Unicode");
  HPDF_Stream_Free(object->stream);
  object->stream = stream;
  HPDF_Stream_WriteStr(stream, map.c_str());
  check("map to Unicode");
}

HPDF_Page Document::add_page(double width, double height) {
  const HPDF_Page page = HPDF_AddPage(doc_.get());
  HPDF_Page_SetWidth(page, static_cast<HPDF_REAL>(width));
  HPDF_Page_SetHeight(page, static_cast<HPDF_REAL>(height));
  check("page");
  return page;
}

void Document::add_bookmark(HPDF_Page page, const std::string& title, double top) {
  const HPDF_Encoder encoder = HPDF_GetEncoder(doc_.get(), kUtf8);
  const HPDF_Outline entry = HPDF_CreateOutline(doc_.get(), nullptr, title.c_str(), encoder);
  const HPDF_Destination target = HPDF_Page_CreateDestination(page);
  check("outline");
  HPDF_Destination_SetFitH(target, static_cast<HPDF_REAL>(top));
  HPDF_Outline_SetDestination(entry, target);
  check("outline");
}

void Document::check(const std::string& block) const {
  if (error_->code == 0) return;
  if (error_->code == HPDF_FAILD_TO_ALLOC_MEM) throw std::bad_alloc();
  if (error_->code == HPDF_FILE_OPEN_ERROR || error_->code == HPDF_FILE_IO_ERROR) {
    throw std::system_error(static_cast<int>(error_->detail), std::generic_category(),
                            "PDF: " + block);
  }
  char code[32];
  std::snprintf(code, sizeof code, "0x%04lX (%lu)", static_cast<unsigned long>(error_->code),
                static_cast<unsigned long>(error_->detail));
  throw std::runtime_error("PDF: " + block + ": libharu error " + code);
}

std::string Document::bytes() {
  HPDF_SaveToStream(doc_.get());
  check("saving");
  HPDF_ResetStream(doc_.get());
  std::vector<HPDF_BYTE> buffer(HPDF_GetStreamSize(doc_.get()));
  auto size = static_cast<HPDF_UINT32>(buffer.size());
  HPDF_ReadFromStream(doc_.get(), buffer.data(), &size);
  check("saving");
  return {buffer.begin(), buffer.begin() + size};
}

}  // namespace sizesheet::pdf
