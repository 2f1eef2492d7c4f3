// SPDX-License-Identifier: Apache-2.0
// The folder of an edition and its manifest: which files it should hold, and what stands there.
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "support/files.h"

namespace sizesheet {

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
