// SPDX-License-Identifier: Apache-2.0
// Publishing an edition: everything is written and synced beside the target, then both directories
// change places in one step of the file system.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <system_error>

#include "support/durable.h"
#include "support/edition_folder.h"
#include "support/error.h"
#include "support/files.h"
#include "support/printable.h"

namespace sizesheet {
namespace {

namespace fs = std::filesystem;

/// An absolute path with a last name, so that a sibling of it can be made.
fs::path resolved(const fs::path& directory) {
  fs::path path = fs::absolute(directory).lexically_normal();
  if (!path.has_filename()) path = path.parent_path();
  if (!path.has_filename()) {
    throw InputError(shown_path(directory) + ": expected a directory that can be replaced");
  }
  return path;
}

/// True when the directory exists. Refuses whatever else stands in its place.
bool exists_as_directory(const fs::path& path, const fs::path& shown_as) {
  const fs::file_status status = fs::symlink_status(path);
  if (!fs::exists(status)) return false;
  if (fs::is_symlink(status)) {
    throw InputError(shown_path(shown_as) + ": is a symbolic link; name the directory itself");
  }
  if (!fs::is_directory(status)) throw InputError(shown_path(shown_as) + ": is not a directory");
  return true;
}

/// Why a directory is never replaced, whatever it holds; "" nothing.
std::string why_kept(const fs::path& target) {
  std::error_code none;
  const fs::path here = fs::current_path(none);  // "" where somebody has removed it
  const fs::path folder = fs::canonical(target);
  const bool inside =
      std::mismatch(folder.begin(), folder.end(), here.begin(), here.end()).first == folder.end();
  if (inside) return "the working directory is there";
  const char* home = std::getenv("HOME");
  if (home != nullptr && fs::equivalent(target, home, none)) return "it is a home directory";
  if (fs::exists(fs::symlink_status(target / ".git"))) return "it holds a repository (.git)";
  return "";
}

Manifest manifest_in(const fs::path& directory) {
  const fs::path path = directory / kManifestName;
  if (!fs::exists(fs::symlink_status(path))) return {};
  if (!fs::is_regular_file(fs::symlink_status(path))) {
    throw InputError(shown_path(path) + ": is not the manifest of an edition");
  }
  return parse_manifest(read_file(path, kMostManifestBytes), shown_path(path));
}

/// The first file in path order that is not as an edition of ours left it, and what is wrong.
std::optional<std::pair<std::string, std::string>> foreign_file(const fs::path& directory) {
  const Manifest manifest = manifest_in(directory);
  const FolderContent content = folder_content(directory);
  std::map<std::string, std::string> strangers;
  const std::string unknown = "is not part of an edition";
  for (const auto& [name, kind] : content.odd) strangers[name] = unknown;
  for (const std::string& name : content.files) {
    if (is_kept(name) || (name == kManifestName && !manifest.empty())) continue;
    const auto listed = manifest.find(name);
    if (listed == manifest.end()) {
      strangers[name] = unknown;
    } else if (sha256_hex(read_file(directory / name)) != listed->second) {
      strangers[name] = "has changed since the edition was written";
    }
  }
  if (strangers.empty()) return std::nullopt;
  return *strangers.begin();
}

void refuse_foreign_files(const fs::path& directory, const fs::path& shown_as) {
  if (const auto found = foreign_file(directory)) {
    throw InputError(shown_path(shown_as / found->first) + ": " + found->second +
                     ", so the directory is not replaced");
  }
}

void write_file(const fs::path& path, std::string_view bytes) {
  const Descriptor file(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW);
  file.write_all(bytes);
  file.sync();
}

void check_name(const std::string& name) {
  const fs::path path(name);
  const bool inside = path.is_relative() && path == path.lexically_normal() &&
                      path.has_filename() && *path.begin() != "..";
  if (!inside || name == kManifestName) {
    throw std::invalid_argument("publish_edition: \"" + name + "\" cannot be a file of an edition");
  }
}

void write_edition(const fs::path& directory, const FileSet& files) {
  std::set<fs::path> directories{directory};
  for (const auto& [name, bytes] : files) {
    check_name(name);
    const fs::path path = directory / name;
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    if (error) throw file_failure(path.parent_path(), "cannot create", error.value());
    for (fs::path up = path.parent_path(); up != directory; up = up.parent_path()) {
      directories.insert(up);
    }
    write_file(path, bytes);
  }
  write_file(directory / kManifestName, manifest_text(manifest_of(files)));
  for (const fs::path& each : directories) sync_directory(each);
}

/// Takes over CNAME and .nojekyll, and the permissions of the directory, from the edition before.
void inherit(const fs::path& old, const fs::path& fresh, const FileSet& files) {
  for (const std::string_view name : kKeptNames) {
    const bool ours = files.contains(std::string(name));
    if (!ours && fs::exists(old / name)) write_file(fresh / name, read_file(old / name));
  }
  fs::permissions(fresh, fs::status(old).permissions());
  sync_directory(fresh);
}

void exchange(const fs::path& fresh, const fs::path& target, bool replaces) {
  const unsigned int flags = replaces ? RENAME_EXCHANGE : RENAME_NOREPLACE;
  if (renameat2(AT_FDCWD, fresh.c_str(), AT_FDCWD, target.c_str(), flags) != 0) {
    throw file_failure(target, replaces ? "cannot replace" : "cannot create", errno);
  }
}

void publish(const fs::path& directory, const FileSet& files) {
  const fs::path target = resolved(directory);
  const bool replaces = exists_as_directory(target, directory);
  std::optional<Descriptor> old;  // holds the lock until the end
  if (replaces) {
    old.emplace(target, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    if (!old->lock()) {
      throw InputError(shown_path(directory) + ": another build is replacing this edition");
    }
    if (const std::string reason = why_kept(target); !reason.empty()) {
      throw InputError(shown_path(directory) + ": is not replaced by an edition: " + reason);
    }
    refuse_foreign_files(target, directory);
  }
  fs::create_directories(target.parent_path());
  const Workshop workshop(target.parent_path());
  const fs::path fresh = workshop.folder();
  write_edition(fresh, files);
  if (replaces) inherit(target, fresh, files);
  exchange(fresh, target, replaces);
  if (replaces) {
    try {  // a file that came while we wrote must not be lost with the old edition
      refuse_foreign_files(fresh, directory);
    } catch (...) {
      exchange(fresh, target, true);
      throw;
    }
  }
  sync_directory(target.parent_path());
}

}  // namespace

void publish_edition(const fs::path& directory, const FileSet& files) {
  try {
    publish(directory, files);
  } catch (const fs::filesystem_error& error) {
    throw InputError(shown_path(directory) + ": cannot publish: " + error.code().message());
  }
}

void replace_file(const fs::path& path, const std::string& bytes) {
  const WholeFile file(path);
  file.append(bytes);
  file.publish();
}

}  // namespace sizesheet
