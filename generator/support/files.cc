// SPDX-License-Identifier: Apache-2.0
#include "support/files.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <system_error>

#include "support/durable.h"
#include "support/error.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/text.h"

namespace sizesheet {

namespace fs = std::filesystem;

namespace {

std::string kind_of(const fs::file_status& status) {
  static const std::map<fs::file_type, std::string> kKinds = {
      {fs::file_type::symlink, "symbolic link"}, {fs::file_type::fifo, "pipe"},
      {fs::file_type::socket, "socket"},         {fs::file_type::block, "device"},
      {fs::file_type::character, "device"},      {fs::file_type::directory, "folder"},
  };
  const auto kind = kKinds.find(status.type());
  return kind != kKinds.end() ? kind->second : "file of an unknown kind";
}

}  // namespace

std::string read_file(const fs::path& path, std::size_t most) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"),
                                                             &std::fclose);
  if (!file) throw file_failure(path, "cannot read", errno);
  std::string bytes;
  std::array<char, 65536> chunk;  // not zeroed: a catalog has hundreds of small files
  while (const std::size_t count = std::fread(chunk.data(), 1, chunk.size(), file.get())) {
    if (count > most - bytes.size()) {
      throw InputError(shown_path(path) + ": expected at most " + std::to_string(most) + " bytes");
    }
    bytes.append(chunk.data(), count);
  }
  if (std::ferror(file.get()) != 0) throw file_failure(path, "cannot read", errno);
  return bytes;
}

fs::path file_beside(const fs::path& file, const std::string& named) {
  const auto refuse = [&](const std::string& got) {
    throw InputError("expected a file in the folder of " + shown_path(file) + ", got " + got);
  };
  const fs::path relative = fs::path(named).lexically_normal();
  const bool inside =
      relative.is_relative() && relative.has_filename() && *relative.begin() != "..";
  if (!inside) refuse(in_quotes(named));
  const fs::path path = (file.parent_path() / relative).lexically_normal();
  std::error_code none;
  const fs::path outer =
      fs::canonical(file.has_parent_path() ? file.parent_path() : fs::path("."), none);
  // weakly_canonical leaves a bare name as it is where no such file exists.
  std::error_code failed;
  const fs::path target = fs::weakly_canonical(fs::absolute(path, none), failed);
  if (failed) throw file_failure(path, "cannot read", failed.value());
  if (std::mismatch(outer.begin(), outer.end(), target.begin(), target.end()).first !=
      outer.end()) {
    refuse(in_quotes(named) + ", a link that leads out of it");
  }
  const fs::file_status status = fs::status(path, none);
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    throw InputError(shown_path(path) + ": expected a file, got a " + kind_of(status));
  }
  return path;
}

std::vector<std::string> list_files(const fs::path& directory) {
  std::vector<std::string> paths;
  try {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(directory)) {
      const std::string path = entry.path().lexically_relative(directory).generic_string();
      const std::string name = entry.path().filename().string();
      // Passed over are a folder, whose files are listed, and what an editor hides beside a file.
      const bool folder = entry.symlink_status().type() == fs::file_type::directory;
      const bool passed_over = folder ? !name.ends_with(".json") : name.starts_with('.');
      std::error_code ignored;
      if (entry.is_regular_file(ignored)) {  // also behind a link, but for one in a circle
        paths.push_back(path);
      } else if (!passed_over) {
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
  std::ranges::sort(paths);
  return paths;
}

std::string sha256_hex(const std::string& bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int length = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length, EVP_sha256(), nullptr) != 1) {
    throw std::runtime_error("SHA-256 is not available");
  }
  return fmt::format("{:02x}", fmt::join(digest.begin(), digest.begin() + length, ""));
}

namespace {

constexpr int kManifestSchema = 1;

[[noreturn]] void refuse(const std::string& file, const std::string& pointer,
                         const std::string& expected, const Json* got) {
  throw InputError(to_text(
      {file, pointer, "expected " + expected + ", got " + (got ? shown(*got) : "nothing")}));
}

}  // namespace

bool is_kept(std::string_view name) { return contains(kKeptNames, name); }

Manifest manifest_of(const FileSet& files) {
  Manifest manifest;
  for (const auto& [name, bytes] : files) manifest[name] = sha256_hex(bytes);
  return manifest;
}

std::string manifest_text(const Manifest& manifest) {
  Json hashes = Json::object();
  for (const auto& [name, hash] : manifest) hashes[name] = hash;
  return Json{{"schema_version", kManifestSchema}, {"files", hashes}}.dump(2) + "\n";
}

Manifest parse_manifest(const std::string& text, const std::string& file) {
  const Json json = parse_json(text, file);
  const auto member = [&](const char* key) {
    return json.is_object() && json.contains(key) ? &json.at(key) : nullptr;
  };
  const Json* version = member("schema_version");
  if (version == nullptr || *version != kManifestSchema) {
    refuse(file, "/schema_version", std::to_string(kManifestSchema), version);
  }
  const Json* files = member("files");
  if (files == nullptr || !files->is_object()) {
    refuse(file, "/files", "the files of an edition with their SHA-256", files);
  }
  Manifest manifest;
  for (const auto& [name, hash] : files->items()) {
    const std::string digits = hash.is_string() ? hash.get<std::string>() : "";
    constexpr std::size_t kDigits = 64;
    const bool sha256 = digits.size() == kDigits &&
                        digits.find_first_not_of("0123456789abcdef") == std::string::npos;
    if (!sha256) refuse(file, "/files/" + pointer_token(name), "64 hex digits", &hash);
    manifest[name] = digits;
  }
  return manifest;
}

FolderContent folder_content(const fs::path& directory) {
  FolderContent content;
  try {
    const fs::file_status found = fs::status(directory);
    if (!fs::is_directory(found)) {
      throw InputError(shown_path(directory) + ": expected the folder of an edition, got " +
                       (fs::exists(found) ? "a file" : "nothing"));
    }
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(directory)) {
      const std::string name = entry.path().lexically_relative(directory).generic_string();
      const fs::file_status status = entry.symlink_status();
      if (fs::is_regular_file(status)) {
        content.files.push_back(name);
      } else if (fs::is_directory(status)) {
        content.folders.push_back(name);
      } else {
        content.odd[name] = kind_of(status);
      }
    }
  } catch (const fs::filesystem_error& error) {
    throw InputError(shown_path(directory) + ": cannot list: " + error.code().message());
  }
  std::ranges::sort(content.files);
  std::ranges::sort(content.folders);
  return content;
}

}  // namespace sizesheet
