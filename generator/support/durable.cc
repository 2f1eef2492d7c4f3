// SPDX-License-Identifier: Apache-2.0
#include "support/durable.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <vector>

#include "support/printable.h"

namespace sizesheet {
namespace {

namespace fs = std::filesystem;

const std::string kWorkshopPrefix = ".sizesheet-";
constexpr std::size_t kRandomLetters = 6;
constexpr std::string_view kWorkshopFile = "file";
constexpr std::string_view kWorkshopFolder = "edition";

/// True where the folder is as a workshop of this user looks, and nobody works there.
bool is_leftover(const fs::path& folder, const Descriptor& opened) {
  struct stat status {};
  if (stat(folder.c_str(), &status) != 0 || status.st_uid != geteuid() || !opened.lock())
    return false;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const fs::path name = entry.path().filename();
    if (name != kWorkshopFile && name != kWorkshopFolder) return false;
  }
  return true;
}

/// What cannot be looked at or removed stays: nobody asked for it.
void clear_leftovers(const fs::path& parent) {
  std::error_code end;
  std::vector<fs::path> candidates;
  for (fs::directory_iterator at(parent, end); !end && at != fs::directory_iterator();
       at.increment(end)) {
    const std::string name = at->path().filename().string();
    if (name.starts_with(kWorkshopPrefix) && name.size() == kWorkshopPrefix.size() + kRandomLetters)
      candidates.push_back(at->path());
  }
  for (const fs::path& folder : candidates) {
    try {
      const Descriptor opened(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
      if (is_leftover(folder, opened)) fs::remove_all(folder);
    } catch (const std::runtime_error&) {
      continue;
    }
  }
}

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

const fs::path& replaceable(const fs::path& path) {
  const fs::file_status status = fs::symlink_status(path);
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    throw InputError(shown_path(path) + ": is there and is no regular file");
  }
  return path;
}

}  // namespace

InputError file_failure(const fs::path& path, const std::string& what, int reason) {
  return InputError(shown_path(path) + ": " + what + ": " + std::strerror(reason));
}

Descriptor::Descriptor(const fs::path& path, int flags)
    : path_(path), number_(::open(path.c_str(), flags, 0666)) {
  if (number_ < 0) throw file_failure(path_, "cannot open", errno);
}

Descriptor::~Descriptor() { ::close(number_); }

void Descriptor::write_all(std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t count = ::write(number_, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw file_failure(path_, "cannot write", errno);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

void Descriptor::sync() const {
  if (fsync(number_) != 0) throw file_failure(path_, "cannot write", errno);
}

bool Descriptor::lock() const {
  if (flock(number_, LOCK_EX | LOCK_NB) == 0) return true;
  if (errno != EWOULDBLOCK) throw file_failure(path_, "cannot lock", errno);
  return false;
}

void Descriptor::await_lock() const {
  while (flock(number_, LOCK_EX) != 0) {
    if (errno != EINTR) throw file_failure(path_, "cannot lock", errno);
  }
}

void sync_directory(const fs::path& path) { Descriptor(path, O_RDONLY | O_DIRECTORY).sync(); }

Turn::Turn(const fs::path& folder) : folder_(folder, O_RDONLY | O_DIRECTORY) {
  folder_.await_lock();
}

Workshop::Workshop(const fs::path& parent) {
  clear_leftovers(parent);
  while (!make(parent)) {
  }
}

/// False where another process took the new folder for a leftover before it was locked.
bool Workshop::make(const fs::path& parent) {
  std::string name = (parent / (kWorkshopPrefix + "XXXXXX")).string();
  if (mkdtemp(name.data()) == nullptr) throw file_failure(parent, "cannot write here", errno);
  path_ = name;
  try {
    alive_.emplace(path_, O_RDONLY | O_DIRECTORY);
    std::error_code none;
    return alive_->lock() && fs::exists(path_, none);
  } catch (...) {
    if (rmdir(path_.c_str()) != 0 && errno == ENOENT) return false;
    throw;
  }
}

Workshop::~Workshop() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

fs::path Workshop::file() const { return path_ / kWorkshopFile; }

fs::path Workshop::folder() const {
  const fs::path folder = path_ / kWorkshopFolder;
  std::error_code error;
  fs::create_directory(folder, error);
  if (error) throw file_failure(path_, "cannot write here", error.value());
  return folder;
}

WholeFile::WholeFile(const fs::path& path)
    : path_(replaceable(path)),
      workshop_(folder_of(path)),
      file_(workshop_.file(), O_WRONLY | O_CREAT | O_EXCL) {}

void WholeFile::publish() const {
  file_.sync();
  const fs::path fresh = workshop_.file();
  std::error_code error;
  const fs::file_status old = fs::status(path_, error);
  if (fs::exists(old)) fs::permissions(fresh, old.permissions(), error);
  if (fs::exists(old) && error) throw file_failure(path_, "cannot keep its mode", error.value());
  if (std::rename(fresh.c_str(), path_.c_str()) != 0) {
    throw file_failure(path_, "cannot replace", errno);
  }
  sync_directory(folder_of(path_));
}

}  // namespace sizesheet
