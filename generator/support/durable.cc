// SPDX-License-Identifier: Apache-2.0
// Files written whole or not at all, editions published so, and an end from outside that waits.

#include "support/durable.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <map>
#include <mutex>
#include <set>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <vector>

#include "support/error.h"
#include "support/files.h"
#include "support/text.h"

namespace sizesheet {
namespace {

namespace fs = std::filesystem;

const std::string kScratchPrefix = ".sizesheet-";
constexpr std::size_t kRandomLetters = 6;
constexpr std::string_view kScratchFile = "file";
constexpr std::string_view kScratchFolder = "edition";

/// True for a stale temporary directory of ours: same user, unlocked, only our file names in it.
bool is_leftover(const fs::path& folder, const Descriptor& opened) {
  struct stat status {};
  if (stat(folder.c_str(), &status) != 0 || status.st_uid != geteuid() || !opened.lock())
    return false;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const fs::path name = entry.path().filename();
    if (name != kScratchFile && name != kScratchFolder) return false;
  }
  return true;
}

/// Best effort: leftovers that cannot be read or removed stay.
void clear_leftovers(const fs::path& parent) {
  std::error_code end;
  std::vector<fs::path> candidates;
  for (fs::directory_iterator at(parent, end); !end && at != fs::directory_iterator();
       at.increment(end)) {
    const std::string name = at->path().filename().string();
    if (name.starts_with(kScratchPrefix) && name.size() == kScratchPrefix.size() + kRandomLetters)
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

/// The first file in path order that is not as an edition of ours left it, and what is wrong.
std::optional<std::pair<std::string, std::string>> foreign_file(const fs::path& directory) {
  const fs::path path = directory / kManifestName;
  const fs::file_status status = fs::symlink_status(path);
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    throw InputError(shown_path(path) + ": is not the manifest of an edition");
  }
  Manifest manifest;
  if (fs::exists(status)) {
    manifest = parse_manifest(read_file(path, kMostManifestBytes), shown_path(path));
  }
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

void sync_directory(const fs::path& path) { Descriptor(path, O_RDONLY | O_DIRECTORY).sync(); }

/// The same once `what` is in its place: after a fault it stands there, though a crash of the
/// machine may still undo it.
void sync_after(const fs::path& folder, const fs::path& what) {
  try {
    sync_directory(folder);
  } catch (const std::runtime_error& error) {
    throw InputError(std::string(error.what()) + "; " + shown_path(what) +
                     " is new and whole, but may be lost if the machine stops now");
  }
}

void write_edition(const fs::path& directory, const FileSet& files) {
  std::set<fs::path> directories{directory};
  for (const auto& [name, bytes] : files) {
    const fs::path relative(name);
    const bool inside = relative.is_relative() && relative == relative.lexically_normal() &&
                        relative.has_filename() && *relative.begin() != "..";
    if (!inside || name == kManifestName) {
      throw std::invalid_argument("publish_edition: \"" + name +
                                  "\" cannot be a file of an edition");
    }
    const fs::path path = directory / relative;
    make_folders(path.parent_path());
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
  const ScratchFolder scratch(target.parent_path());
  const fs::path fresh = scratch.folder();
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
  sync_after(target.parent_path(), directory);
}

/// The folder, or the nearest above it that is there.
fs::path nearest_there(const fs::path& folder) {
  std::error_code none;
  if (fs::exists(folder, none)) return folder;
  fs::path held = fs::absolute(folder, none);
  while (!fs::exists(held, none) && held.has_relative_path()) held = held.parent_path();
  return held;
}

// ---- Endings from outside.

constexpr int kEnds[] = {SIGINT, SIGTERM, SIGHUP};

/// How many scopes an end has to wait for, and the signal that waits; 0: none.
struct Endings {
  std::mutex mutex;
  std::condition_variable nobody_writes;
  int scopes = 0;
  int waiting = 0;
};

/// Never destroyed: the thread that takes ends outlives `main`.
Endings& ends() {
  static Endings* const kAll = new Endings;
  return *kAll;
}

/// Endings the program by the signal. Tries again where a library has put its own handler there in
/// between.
[[noreturn]] void end_by(int number) {
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, number);
  struct sigaction plain {};
  plain.sa_handler = SIG_DFL;
  for (;;) {
    sigaction(number, &plain, nullptr);
    pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
    raise(number);
  }
}

/// Asks for no memory, so that it takes no heap of its own.
void* take_ends(void* awaited) {
  for (;;) {
    int number = 0;
    if (sigwait(static_cast<const sigset_t*>(awaited), &number) != 0) continue;
    Endings& all = ends();
    std::unique_lock lock(all.mutex);
    all.waiting = number;
    all.nobody_writes.wait(lock, [&all] { return all.scopes == 0; });
    if (all.waiting != 0) end_by(number);  // else `came` told of it
  }
}

/// The ends that were neither ignored when the program started nor are in `blocked`.
sigset_t heard_ends(const sigset_t& blocked) {
  sigset_t heard;
  sigemptyset(&heard);
  for (const int number : kEnds) {
    struct sigaction now {};
    sigaction(number, nullptr, &now);
    if (now.sa_handler != SIG_IGN && sigismember(&blocked, number) == 0) sigaddset(&heard, number);
  }
  return heard;
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

FolderLock::FolderLock(const fs::path& folder)
    : folder_(nearest_there(folder), O_RDONLY | O_DIRECTORY) {
  folder_.await_lock();
}

void make_folders(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw file_failure(folder, "cannot create", error.value());
}

ScratchFolder::ScratchFolder(const fs::path& parent) {
  clear_leftovers(parent);
  while (!make(parent)) {
  }
}

/// False where another process took the new folder for a leftover before it was locked.
bool ScratchFolder::make(const fs::path& parent) {
  std::string name = (parent / (kScratchPrefix + "XXXXXX")).string();
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

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

fs::path ScratchFolder::file() const { return path_ / kScratchFile; }

fs::path ScratchFolder::folder() const {
  const fs::path folder = path_ / kScratchFolder;
  std::error_code error;
  fs::create_directory(folder, error);
  if (error) throw file_failure(path_, "cannot write here", error.value());
  return folder;
}

WholeFile::WholeFile(const fs::path& path)
    : path_(replaceable(path)),
      scratch_(folder_of(path)),
      file_(scratch_.file(), O_WRONLY | O_CREAT | O_EXCL) {}

void WholeFile::publish() const {
  file_.sync();
  const fs::path fresh = scratch_.file();
  std::error_code error;
  const fs::file_status old = fs::status(path_, error);
  if (fs::exists(old)) fs::permissions(fresh, old.permissions(), error);
  if (fs::exists(old) && error) throw file_failure(path_, "cannot keep its mode", error.value());
  if (std::rename(fresh.c_str(), path_.c_str()) != 0) {
    throw file_failure(path_, "cannot replace", errno);
  }
  sync_after(folder_of(path_), path_);
}

// ---- Publishing an edition: everything is written and synced beside the target, then both
// directories change places in one step of the file system.

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

void watch_for_ends() {
  static sigset_t awaited;  // of the thread, for as long as it runs
  sigset_t all;
  sigset_t before;
  sigemptyset(&all);
  for (const int number : kEnds) sigaddset(&all, number);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  awaited = heard_ends(before);
  ends();
  constexpr std::size_t kStack = 128UL * 1024;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStack);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t thread{};
  const bool watched = pthread_create(&thread, &attributes, &take_ends, &awaited) == 0;
  pthread_attr_destroy(&attributes);
  if (!watched) pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Interrupts::Interrupts() {
  sigset_t none;
  sigemptyset(&none);
  awaited_ = heard_ends(none);
  pthread_sigmask(SIG_BLOCK, &awaited_, &before_);
  const std::lock_guard lock(ends().mutex);
  ++ends().scopes;
}

Interrupts::~Interrupts() {
  {
    const std::lock_guard lock(ends().mutex);
    --ends().scopes;
  }
  ends().nobody_writes.notify_all();
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

bool Interrupts::came() const {
  {
    const std::lock_guard lock(ends().mutex);
    if (std::exchange(ends().waiting, 0) != 0) return true;
  }
  const timespec at_once{};
  return sigtimedwait(&awaited_, nullptr, &at_once) > 0;
}

}  // namespace sizesheet
