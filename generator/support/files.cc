// SPDX-License-Identifier: Apache-2.0
#include "support/files.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <system_error>

#include "support/error.h"
#include "support/printable.h"

namespace sizesheet {

namespace fs = std::filesystem;

std::string read_file(const fs::path& path, std::size_t most) {
  const auto refuse = [&](int reason) {
    return InputError(shown_path(path) + ": cannot read: " + std::strerror(reason));
  };
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             &std::fclose);
  if (!file) throw refuse(errno);
  std::string bytes;
  std::array<char, 65536> chunk{};
  while (const std::size_t count = std::fread(chunk.data(), 1, chunk.size(), file.get())) {
    if (count > most - bytes.size()) {
      throw InputError(shown_path(path) + ": expected at most " + std::to_string(most) + " bytes");
    }
    bytes.append(chunk.data(), count);
  }
  if (std::ferror(file.get()) != 0) throw refuse(errno);
  return bytes;
}

namespace {

/// Also behind a link; false where a link leads in a circle.
bool is_file(const fs::directory_entry& entry) {
  std::error_code ignored;
  return entry.is_regular_file(ignored);
}

/// A folder, whose files are listed, or what an editor hides beside a file.
bool is_passed_over(const fs::directory_entry& entry) {
  const bool folder = entry.symlink_status().type() == fs::file_type::directory;
  const std::string name = entry.path().filename().string();
  return (folder && !name.ends_with(".json")) || (!folder && name.starts_with('.'));
}

}  // namespace

std::vector<std::string> list_files(const fs::path& directory) {
  std::vector<std::string> paths;
  try {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(directory)) {
      const std::string path = entry.path().lexically_relative(directory).generic_string();
      if (is_file(entry)) {
        paths.push_back(path);
      } else if (!is_passed_over(entry)) {
        throw InputError(shown_path(directory / path) +
                         ": expected a file, got a folder, a pipe, a device, or a link that leads "
                         "to no file");
      }
      if (paths.size() > kMostFiles) {
        throw InputError(shown_path(directory) + ": expected at most " +
                         std::to_string(kMostFiles) + " files");
      }
    }
  } catch (const fs::filesystem_error& error) {
    throw InputError(shown_path(directory) + ": cannot list: " + error.code().message());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::string sha256_hex(const std::string& bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int length = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length, EVP_sha256(), nullptr) != 1) {
    throw std::runtime_error("SHA-256 is not available");
  }
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (unsigned int i = 0; i < length; ++i) {
    text += kDigits[digest[i] >> 4U];
    text += kDigits[digest[i] & 0xFU];
  }
  return text;
}

}  // namespace sizesheet
