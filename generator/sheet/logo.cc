// SPDX-License-Identifier: Apache-2.0
#include "sheet/logo.h"

#include <openssl/evp.h>
#include <png.h>

#include <array>
#include <csetjmp>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <new>
#include <vector>

#include "support/error.h"
#include "support/files.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr std::size_t kChannels = 4;  // red, green, blue, alpha

/// A file in memory as libpng reads it, how far it has come, and why it stopped.
struct PngSource {
  const std::string& bytes;
  std::size_t read = 0;
  std::array<char, 128> reason = {};
};

void give_bytes(png_structp png, png_bytep to, std::size_t count) {
  auto& source = *static_cast<PngSource*>(png_get_io_ptr(png));
  if (count > source.bytes.size() - source.read) png_error(png, "read beyond end of data");
  std::memcpy(to, source.bytes.data() + source.read, count);
  source.read += count;
}

/// The only way out of libpng, whose frames no exception may pass.
[[noreturn]] void leave(png_structp png, png_const_charp reason) {
  auto& source = *static_cast<PngSource*>(png_get_error_ptr(png));
  std::snprintf(source.reason.data(), source.reason.size(), "%s", reason);
  png_longjmp(png, 1);
}

void ignore(png_structp /*png*/, png_const_charp /*warning*/) {}

/// Reads a picture with libpng's own calls: those that read a whole picture at once mix up the rows
/// of one that is interlaced and has sixteen bits. No gamma and no colour profile is applied.
class PngReader {
 public:
  explicit PngReader(PngSource& source)
      : png_(png_create_read_struct(PNG_LIBPNG_VER_STRING, &source, &leave, &ignore)),
        info_(png_ == nullptr ? nullptr : png_create_info_struct(png_)) {
    if (info_ == nullptr) {
      png_destroy_read_struct(&png_, nullptr, nullptr);
      throw std::bad_alloc();
    }
    png_set_read_fn(png_, &source, &give_bytes);
  }
  PngReader(const PngReader&) = delete;
  PngReader& operator=(const PngReader&) = delete;
  ~PngReader() { png_destroy_read_struct(&png_, &info_, nullptr); }

  /// False where the head of the file is broken. Nothing here has a destructor to be jumped over.
  bool read_head() {
    if (setjmp(png_jmpbuf(png_)) != 0) return false;
    png_set_keep_unknown_chunks(png_, PNG_HANDLE_CHUNK_NEVER, nullptr, 0);
    png_set_benign_errors(png_, 1);
    png_read_info(png_, info_);
    return true;
  }
  std::uint32_t width() const { return png_get_image_width(png_, info_); }
  std::uint32_t height() const { return png_get_image_height(png_, info_); }

  /// Into room for kChannels bytes a pixel. False where the pixels are broken, likewise.
  bool read_pixels(unsigned char* to) {
    if (setjmp(png_jmpbuf(png_)) != 0) return false;
    png_set_expand(png_);
    png_set_scale_16(png_);
    png_set_gray_to_rgb(png_);
    png_set_add_alpha(png_, 0xFF, PNG_FILLER_AFTER);
    const int passes = png_set_interlace_handling(png_);
    png_read_update_info(png_, info_);
    const std::size_t row = png_get_rowbytes(png_, info_);
    if (row != kChannels * width()) png_error(png_, "pixels of an unknown kind");
    for (int pass = 0; pass < passes; ++pass) {
      for (std::size_t y = 0; y < height(); ++y) png_read_row(png_, to + y * row, nullptr);
    }
    return true;
  }

 private:
  png_structp png_;
  png_infop info_;
};

/// The only decoder of pictures: what is drawn is what it gives, so that the same pixels give the
/// same bytes, and no other library reads a user's file.
Logo decoded(const std::string& bytes, const std::string& where) {
  const std::string expected = where + ": expected a PNG file of at most " +
                               std::to_string(kMostLogoPixels) + " by " +
                               std::to_string(kMostLogoPixels) + " pixels, got ";
  if (bytes.empty()) throw InputError(expected + "an empty file");
  PngSource source{bytes};
  PngReader image(source);
  const auto refuse = [&] { throw InputError(expected + source.reason.data()); };
  if (!image.read_head()) refuse();
  constexpr std::uint32_t kMost = kMostLogoPixels;
  if (image.width() > kMost || image.height() > kMost) {
    throw InputError(expected + std::to_string(image.width()) + " by " +
                     std::to_string(image.height()));
  }
  std::vector<unsigned char> pixels(kChannels * image.width() * image.height());
  if (!image.read_pixels(pixels.data())) refuse();
  Logo logo{static_cast<int>(image.width()), static_cast<int>(image.height()), {}, {}};
  constexpr std::size_t kColors = kChannels - 1;
  constexpr unsigned char kOpaque = 255;
  logo.colors.reserve(pixels.size() / kChannels * kColors);
  logo.alpha.reserve(pixels.size() / kChannels);
  bool opaque = true;
  for (auto pixel = pixels.begin(); pixel != pixels.end(); pixel += kChannels) {
    logo.colors.append(pixel, pixel + kColors);
    logo.alpha.append(pixel + kColors, pixel + kChannels);
    opaque = opaque && pixel[kColors] == kOpaque;
  }
  if (opaque) logo.alpha.clear();
  return logo;
}

}  // namespace

std::string read_logo(const std::filesystem::path& file) {
  const std::string png = read_file(file, kMostLogoBytes);
  decoded(png, shown_path(file));
  std::vector<unsigned char> text(4 * (png.size() / 3 + 1) + 1);
  const int size = EVP_EncodeBlock(text.data(), reinterpret_cast<const unsigned char*>(png.data()),
                                   static_cast<int>(png.size()));
  return {text.begin(), text.begin() + size};
}

Logo logo_of(const std::string& base64, const std::string& where) {
  if (base64.size() > 2 * kMostLogoBytes) {
    throw InputError(where + ": expected a picture of at most " + std::to_string(kMostLogoBytes) +
                     " bytes, got more");
  }
  std::vector<unsigned char> bytes(base64.size());
  const int size =
      EVP_DecodeBlock(bytes.data(), reinterpret_cast<const unsigned char*>(base64.data()),
                      static_cast<int>(base64.size()));
  // OpenSSL takes padding anywhere, and counts its bytes, too.
  const std::size_t last = base64.find_last_not_of('=');
  const std::size_t filled = last == std::string::npos ? 0 : last + 1;
  const auto padding = static_cast<int>(base64.size() - filled);
  constexpr int kMostPadding = 2;
  if (size < 0 || padding > kMostPadding || base64.find('=') < filled) {
    throw InputError(where + ": expected base64, got other characters");
  }
  return decoded({bytes.begin(), bytes.begin() + (size - padding)}, where);
}

}  // namespace sizesheet
