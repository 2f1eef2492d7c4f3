// SPDX-License-Identifier: Apache-2.0
#include "support/edition_folder.h"

#include <algorithm>
#include <system_error>

#include "support/error.h"
#include "support/json.h"
#include "support/pointer.h"
#include "support/printable.h"

namespace sizesheet {
namespace {

namespace fs = std::filesystem;

constexpr int kManifestSchema = 1;

[[noreturn]] void refuse(const std::string& file, const std::string& pointer,
                         const std::string& expected, const Json* got) {
  throw InputError(to_text(
      {file, pointer, "expected " + expected + ", got " + (got ? shown(*got) : "nothing")}));
}

bool is_sha256(const Json& value) {
  constexpr std::size_t kDigits = 64;
  if (!value.is_string()) return false;
  const std::string& text = value.get_ref<const std::string&>();
  return text.size() == kDigits && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

std::string kind_of(const fs::file_status& status) {
  switch (status.type()) {
    case fs::file_type::symlink:
      return "symbolic link";
    case fs::file_type::fifo:
      return "pipe";
    case fs::file_type::socket:
      return "socket";
    case fs::file_type::block:
    case fs::file_type::character:
      return "device";
    default:
      return "file of an unknown kind";
  }
}

void check_folder(const fs::path& directory) {
  const fs::file_status status = fs::status(directory);
  if (fs::is_directory(status)) return;
  throw InputError(shown_path(directory) + ": expected the folder of an edition, got " +
                   (fs::exists(status) ? "a file" : "nothing"));
}

FolderContent listed(const fs::path& directory) {
  check_folder(directory);
  FolderContent content;
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
  std::sort(content.files.begin(), content.files.end());
  std::sort(content.folders.begin(), content.folders.end());
  return content;
}

}  // namespace

bool is_kept(std::string_view name) {
  return std::find(kKeptNames.begin(), kKeptNames.end(), name) != kKeptNames.end();
}

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
    if (!is_sha256(hash)) refuse(file, "/files/" + pointer_token(name), "64 hex digits", &hash);
    manifest[name] = hash.get<std::string>();
  }
  return manifest;
}

FolderContent folder_content(const fs::path& directory) {
  try {
    return listed(directory);
  } catch (const fs::filesystem_error& error) {
    throw InputError(shown_path(directory) + ": cannot list: " + error.code().message());
  }
}

}  // namespace sizesheet
