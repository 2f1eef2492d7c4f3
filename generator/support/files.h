// SPDX-License-Identifier: Apache-2.0
// Files in and editions out. An edition is published whole or not at all.
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace sizesheet {

inline constexpr std::size_t kMostBytes = std::size_t{512} << 20U;  ///< of a file that is read
inline constexpr std::size_t kMostCatalogBytes = std::size_t{16} << 20U;  ///< of one of a catalog

/// Whole content of a file of at most `most` bytes. Throws InputError naming the path and the
/// system's reason, or the limit.
std::string read_file(const std::filesystem::path& path, std::size_t most = kMostBytes);

/// The path of a file that `file` names, relative to the folder of `file`. Throws InputError for a
/// name that leads out of this folder, links followed, and for a pipe, a device or a folder. A
/// missing file is no fault here: its reader tells of it.
std::filesystem::path file_beside(const std::filesystem::path& file, const std::string& named);

inline constexpr std::size_t kMostCatalogTotal = std::size_t{64} << 20U;  ///< of all of them
inline constexpr std::size_t kMostFiles = 10000;  ///< of a folder that is listed

/// Every regular file under `directory`, as paths relative to it with '/', sorted. Throws
/// InputError for a pipe, a device or a link that leads to no file, unless its name begins with
/// '.', and for more than kMostFiles files.
std::vector<std::string> list_files(const std::filesystem::path& directory);

/// Lower-case hexadecimal SHA-256.
std::string sha256_hex(const std::string& bytes);

/// The files of an edition: relative path -> bytes.
using FileSet = std::map<std::string, std::string>;

// ---- The folder of an edition and its manifest: which files it should hold, and what stands
// there.

inline constexpr std::string_view kManifestName = "manifest.json";
inline constexpr std::size_t kMostManifestBytes = std::size_t{64} << 20U;

/// Files of the static host that may stand beside an edition.
inline constexpr std::array<std::string_view, 2> kKeptNames = {"CNAME", ".nojekyll"};
bool is_kept(std::string_view name);

/// Relative path -> lower-case hexadecimal SHA-256.
using Manifest = std::map<std::string, std::string>;

Manifest manifest_of(const FileSet& files);

/// The text of manifest.json.
std::string manifest_text(const Manifest& manifest);

/// The inverse. Throws InputError `file:/pointer: expected …, got …` for what is no manifest.
Manifest parse_manifest(const std::string& text, const std::string& file);

/// What stands under a directory. No link is followed, and nothing but regular files is opened.
struct FolderContent {
  std::vector<std::string> files;          ///< regular files, relative paths, sorted
  std::vector<std::string> folders;        ///< likewise
  std::map<std::string, std::string> odd;  ///< relative path -> "symbolic link", "pipe" …
};

/// Throws InputError where `directory` is no directory or cannot be listed.
FolderContent folder_content(const std::filesystem::path& directory);

}  // namespace sizesheet
