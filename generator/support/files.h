// SPDX-License-Identifier: Apache-2.0
// Files in and editions out. An edition is published whole or not at all.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace sizesheet {

inline constexpr std::size_t kMostBytes = std::size_t{512} << 20U;  ///< of a file that is read
inline constexpr std::size_t kMostCatalogBytes = std::size_t{16} << 20U;  ///< of one of a catalog

/// Whole content of a file of at most `most` bytes. Throws InputError naming the path and the
/// system's reason, or the limit.
std::string read_file(const std::filesystem::path& path, std::size_t most = kMostBytes);

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

/// Replaces `directory` by `files` plus a manifest.json of their SHA-256, in one atomic exchange.
/// Refuses (InputError) a directory that holds files no manifest of ours lists, except CNAME and
/// .nojekyll, which are kept. On any failure the old directory is untouched.
void publish_edition(const std::filesystem::path& directory, const FileSet& files);

/// Writes a file of the catalog anew, or for the first time, in one step: whole or not at all.
/// Throws InputError naming the path and the system's reason.
void replace_file(const std::filesystem::path& path, const std::string& bytes);

}  // namespace sizesheet
