// SPDX-License-Identifier: Apache-2.0
// The picture of who hands a sheet out: read from its file, and out of an edition.
#include <openssl/evp.h>
#include <png.h>

#include <algorithm>
#include <vector>

#include "sheet/sheet.h"
#include "support/error.h"
#include "support/files.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// Decodes it whole: libharu reads pictures without minding their faults.
Logo checked(std::string bytes, const std::string& where) {
  const std::string expected = where + ": expected a PNG file of at most " +
                               std::to_string(kMostLogoPixels) + " by " +
                               std::to_string(kMostLogoPixels) + " pixels, got ";
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  if (png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()) == 0) {
    throw InputError(expected + image.message);
  }
  if (image.width > kMostLogoPixels || image.height > kMostLogoPixels) {
    const std::string size = std::to_string(image.width) + " by " + std::to_string(image.height);
    png_image_free(&image);
    throw InputError(expected + size);
  }
  image.format = PNG_FORMAT_RGBA;
  std::vector<unsigned char> pixels(PNG_IMAGE_SIZE(image));
  const auto width = static_cast<int>(image.width);
  const auto height = static_cast<int>(image.height);
  if (png_image_finish_read(&image, nullptr, pixels.data(), 0, nullptr) == 0) {
    throw InputError(expected + image.message);
  }
  return {std::move(bytes), width, height};
}

}  // namespace

std::string read_logo(const std::filesystem::path& file) {
  const Logo logo = checked(read_file(file, kMostLogoBytes), shown_path(file));
  std::vector<unsigned char> text(4 * (logo.png.size() / 3 + 1) + 1);
  const int size =
      EVP_EncodeBlock(text.data(), reinterpret_cast<const unsigned char*>(logo.png.data()),
                      static_cast<int>(logo.png.size()));
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
  if (size < 0) throw InputError(where + ": expected base64, got other characters");
  // OpenSSL counts the bytes of the padding, too.
  const auto padding = static_cast<int>(std::ranges::count(base64, '='));
  return checked({bytes.begin(), bytes.begin() + (size - padding)}, where);
}

}  // namespace sizesheet
