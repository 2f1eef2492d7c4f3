// SPDX-License-Identifier: Apache-2.0
#include "render/pdf/drawing/document.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <new>
#include <stdexcept>
#include <system_error>

#include "render/pdf/fonts/faces.h"
#include "render/pdf/fonts/room.h"
#include "render/pdf/fonts/ttf.h"
#include "render/pdf/page/page_layout.h"
#include "support/error.h"
#include "support/text.h"

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

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

/// Bytes with a path: libharu 2.3 loads fonts from files only. Nothing is written to a disk, so
/// nothing can be left behind.
class MemoryFile {
 public:
  /// Throws std::system_error when the system has no room.
  explicit MemoryFile(const std::string& bytes) {
    if (descriptor_ < 0) fail("a font in memory cannot be made");
    try {
      write_all(bytes);
    } catch (...) {
      ::close(descriptor_);
      throw;
    }
  }
  ~MemoryFile() { ::close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  /// Can be opened by this process while the object lives.
  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  void write_all(const std::string& bytes) const {
    for (std::size_t done = 0; done < bytes.size();) {
      const ssize_t count = ::write(descriptor_, bytes.data() + done, bytes.size() - done);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) fail("a font in memory cannot be written");
      done += static_cast<std::size_t>(count);
    }
  }

  int descriptor_ = ::memfd_create("font", MFD_CLOEXEC);
};

constexpr double kCurve = 0.5523;  // of the radius: control points of a quarter circle

HPDF_REAL channel(Color color, unsigned shift) {
  return static_cast<HPDF_REAL>((color.rgb >> shift) & 0xFFU) / 255.0F;
}

/// One page with the origin at the top left. Graphics state is never nested: every mark sets what
/// it needs, and dashes are switched off again.
class Canvas {
 public:
  Canvas(const Document& document, HPDF_Page page, double height)
      : document_(document), page_(page), height_(height) {}

  void draw(const Box& box) {
    set_paint(box.paint);
    if (box.radius > 0) {
      rounded(box);
    } else {
      HPDF_Page_Rectangle(page_, x(box.area.x), y(box.area.y + box.area.height),
                          length(box.area.width), length(box.area.height));
    }
    finish(box.paint);
  }

  void draw(const Path& path) {
    if (path.points.size() < 2) return;
    set_paint(path.paint);
    if (!path.dash.empty()) {
      HPDF_Page_SetDash(page_, path.dash.data(), static_cast<HPDF_UINT>(path.dash.size()), 0);
    }
    HPDF_Page_MoveTo(page_, x(path.points[0].x), y(path.points[0].y));
    for (std::size_t i = 1; i < path.points.size(); ++i) {
      HPDF_Page_LineTo(page_, x(path.points[i].x), y(path.points[i].y));
    }
    if (path.closed) HPDF_Page_ClosePath(page_);
    finish(path.paint);
    if (!path.dash.empty()) HPDF_Page_SetDash(page_, nullptr, 0, 0);
  }

  void draw(const Disc& disc) {
    const Paint ring{Color{0xffffff}, disc.ink, disc.stroke_width};
    const Paint full{disc.ink, disc.ink, disc.stroke_width};
    const Paint& paint = disc.fill == DiscFill::kFull ? full : ring;
    set_paint(paint);
    HPDF_Page_Circle(page_, x(disc.center.x), y(disc.center.y), length(disc.radius));
    finish(paint);
    if (disc.fill != DiscFill::kLeftHalf) return;
    const Paint half{disc.ink, {}, 0};
    set_paint(half);
    left_half(disc);
    finish(half);
  }

  void draw(const TextRun& run) {
    set_fill(run.style.color);
    HPDF_Page_BeginText(page_);
    HPDF_Page_SetFontAndSize(page_, document_.font(run.style.face), length(run.style.size));
    HPDF_Page_TextOut(page_, x(run.start.x), y(run.start.y), run.text.c_str());
    HPDF_Page_EndText(page_);
  }

  void draw(const Picture& picture) {
    const HPDF_Image image = document_.picture(picture);
    HPDF_Page_DrawImage(page_, image, x(picture.area.x), y(picture.area.y + picture.area.height),
                        length(picture.area.width), length(picture.area.height));
  }

  void draw(const Link& link) {
    const HPDF_Rect area{x(link.area.x), y(link.area.y + link.area.height),
                         x(link.area.x + link.area.width), y(link.area.y)};
    const HPDF_Annotation note = HPDF_Page_CreateURILinkAnnot(page_, area, link.url.c_str());
    if (note) HPDF_LinkAnnot_SetBorderStyle(note, 0, 0, 0);
  }

 private:
  /// Hundredths of a point are finer than any printer.
  static HPDF_REAL length(double points) {
    return static_cast<HPDF_REAL>(std::round(points * 100) / 100);
  }
  static HPDF_REAL x(double points) { return length(points); }
  HPDF_REAL y(double points) const { return length(height_ - points); }

  void set_fill(Color color) {
    HPDF_Page_SetRGBFill(page_, channel(color, 16), channel(color, 8), channel(color, 0));
  }

  void set_paint(const Paint& paint) {
    if (paint.fill) set_fill(*paint.fill);
    if (!paint.stroke) return;
    HPDF_Page_SetRGBStroke(page_, channel(*paint.stroke, 16), channel(*paint.stroke, 8),
                           channel(*paint.stroke, 0));
    HPDF_Page_SetLineWidth(page_, length(paint.stroke_width));
  }

  void finish(const Paint& paint) {
    if (paint.fill && paint.stroke) {
      HPDF_Page_FillStroke(page_);
    } else if (paint.fill) {
      HPDF_Page_Fill(page_);
    } else if (paint.stroke) {
      HPDF_Page_Stroke(page_);
    } else {
      HPDF_Page_EndPath(page_);
    }
  }

  void curve(Point c1, Point c2, Point to) {
    HPDF_Page_CurveTo(page_, x(c1.x), y(c1.y), x(c2.x), y(c2.y), x(to.x), y(to.y));
  }

  void rounded(const Box& box) {
    const double r = box.radius;
    const double k = r * (1 - kCurve);
    const double x0 = box.area.x;
    const double y0 = box.area.y;
    const double x1 = x0 + box.area.width;
    const double y1 = y0 + box.area.height;
    HPDF_Page_MoveTo(page_, x(x0 + r), y(y0));
    HPDF_Page_LineTo(page_, x(x1 - r), y(y0));
    curve({x1 - k, y0}, {x1, y0 + k}, {x1, y0 + r});
    HPDF_Page_LineTo(page_, x(x1), y(y1 - r));
    curve({x1, y1 - k}, {x1 - k, y1}, {x1 - r, y1});
    HPDF_Page_LineTo(page_, x(x0 + r), y(y1));
    curve({x0 + k, y1}, {x0, y1 - k}, {x0, y1 - r});
    HPDF_Page_LineTo(page_, x(x0), y(y0 + r));
    curve({x0, y0 + k}, {x0 + k, y0}, {x0 + r, y0});
    HPDF_Page_ClosePath(page_);
  }

  void left_half(const Disc& disc) {
    const double r = disc.radius;
    const double k = r * kCurve;
    const Point c = disc.center;
    HPDF_Page_MoveTo(page_, x(c.x), y(c.y - r));
    curve({c.x - k, c.y - r}, {c.x - r, c.y - k}, {c.x - r, c.y});
    curve({c.x - r, c.y + k}, {c.x - k, c.y + r}, {c.x, c.y + r});
    HPDF_Page_ClosePath(page_);
  }

  const Document& document_;
  HPDF_Page page_;
  double height_;
};

}  // namespace

Document::Document(const DocumentInfo& info, const EmbeddedFonts& fonts)
    : error_(std::make_unique<FirstError>()),
      doc_(HPDF_New(&Document::on_error, error_.get()), [](HPDF_Doc doc) {
        if (doc) HPDF_Free(doc);
      }) {
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
  put_wide(doc_->info, "Title", info.title);
  put_wide(doc_->info, "Subject", info.subject);
  HPDF_SetInfoDateAttr(doc_.get(), HPDF_INFO_CREATION_DATE, date);
  HPDF_SetInfoDateAttr(doc_.get(), HPDF_INFO_MOD_DATE, date);
  // Readers aloud need the language; libharu has no call for it.
  HPDF_Dict_Add(doc_->catalog, "Lang", HPDF_String_New(doc_->mmgr, "en", nullptr));
  check("document information");
}

void Document::put_wide(HPDF_Dict dict, const char* key, const std::string& text) {
  constexpr char32_t kLastOfTwoBytes = 0xFFFF;
  const std::u32string characters = decode(text);
  const auto is_wide = [](char32_t c) { return c > kLastOfTwoBytes; };
  if (std::ranges::none_of(characters, is_wide)) return;
  std::vector<HPDF_BYTE> bytes;
  const auto put = [&bytes](std::uint32_t unit) {
    bytes.push_back(static_cast<HPDF_BYTE>(unit >> 8U));
    bytes.push_back(static_cast<HPDF_BYTE>(unit & 0xFFU));
  };
  put(0xFEFF);
  for (const char32_t c : characters) {
    const std::uint32_t code = c;
    if (!is_wide(c)) {
      put(code);
      continue;
    }
    put(0xD800 + ((code - 0x10000) >> 10U));
    put(0xDC00 + ((code - 0x10000) & 0x3FFU));
  }
  HPDF_Dict_Add(dict, key,
                HPDF_Binary_New(doc_->mmgr, bytes.data(), static_cast<HPDF_UINT>(bytes.size())));
}

HPDF_Font Document::load(const EmbeddedFont& font) {
  require_room_for_a_font();
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

HPDF_Image Document::picture(const Picture& pixels) const {
  const auto image_of = [&](const std::string& samples, HPDF_ColorSpace space) {
    constexpr HPDF_UINT kBits = 8;
    return HPDF_LoadRawImageFromMem(doc_.get(), reinterpret_cast<const HPDF_BYTE*>(samples.data()),
                                    static_cast<HPDF_UINT>(pixels.width),
                                    static_cast<HPDF_UINT>(pixels.height), space, kBits);
  };
  const HPDF_Image image = image_of(pixels.colors, HPDF_CS_DEVICE_RGB);
  check("picture");
  if (!pixels.alpha.empty()) {
    const HPDF_Image alpha = image_of(pixels.alpha, HPDF_CS_DEVICE_GRAY);
    check("picture");
    HPDF_Image_AddSMask(image, alpha);
  }
  check("picture");
  return image;
}

void Document::add_bookmark(HPDF_Page page, const std::string& title, double top) {
  const HPDF_Encoder encoder = HPDF_GetEncoder(doc_.get(), kUtf8);
  const HPDF_Outline entry = HPDF_CreateOutline(doc_.get(), nullptr, title.c_str(), encoder);
  const HPDF_Destination target = HPDF_Page_CreateDestination(page);
  check("outline");
  put_wide(entry, "Title", title);
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

std::string draw(const PageLayout& layout, const DocumentInfo& info, const Faces& faces) {
  Document document(info, embedded_fonts(faces, used_characters(layout)));
  const HPDF_Page page = document.add_page(layout.width, layout.height);
  Canvas canvas(document, page, layout.height);
  for (const Mark& mark : layout.marks) {
    std::visit([&](const auto& shape) { canvas.draw(shape); }, mark);
  }
  document.check("page");
  for (const Link& link : layout.links) canvas.draw(link);
  document.check("links");
  for (const Bookmark& bookmark : layout.bookmarks) {
    document.add_bookmark(page, bookmark.title, layout.height - bookmark.top);
  }
  return document.bytes();
}

}  // namespace sizesheet::pdf
