// SPDX-License-Identifier: Apache-2.0
#include "support/durable.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <system_error>

namespace sizesheet {
namespace {

namespace fs = std::filesystem;

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

const fs::path& replaceable(const fs::path& path) {
  const fs::file_status status = fs::symlink_status(path);
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    throw InputError(path.generic_string() + ": is there and is no regular file");
  }
  return path;
}

}  // namespace

InputError file_failure(const fs::path& path, const std::string& what, int reason) {
  return InputError(path.generic_string() + ": " + what + ": " + std::strerror(reason));
}

Descriptor::Descriptor(const fs::path& path, int flags)
    : path_(path), number_(open(path.c_str(), flags, 0666)) {
  if (number_ < 0) throw file_failure(path_, "cannot open", errno);
}

Descriptor::~Descriptor() { close(number_); }

void Descriptor::write_all(std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t count = write(number_, bytes.data(), bytes.size());
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

void sync_directory(const fs::path& path) { Descriptor(path, O_RDONLY | O_DIRECTORY).sync(); }

Workshop::Workshop(const fs::path& parent) {
  std::string name = (parent / ".sizesheet-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw file_failure(parent, "cannot write here", errno);
  path_ = name;
}

Workshop::~Workshop() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

WholeFile::WholeFile(const fs::path& path)
    : path_(replaceable(path)),
      workshop_(folder_of(path)),
      file_(workshop_.path() / "file", O_WRONLY | O_CREAT | O_EXCL) {}

void WholeFile::publish() const {
  file_.sync();
  const fs::path fresh = workshop_.path() / "file";
  if (fs::exists(path_)) fs::permissions(fresh, fs::status(path_).permissions());
  if (std::rename(fresh.c_str(), path_.c_str()) != 0) {
    throw file_failure(path_, "cannot replace", errno);
  }
  sync_directory(folder_of(path_));
}

}  // namespace sizesheet
