// SPDX-License-Identifier: Apache-2.0
// An end from outside (interrupt, request to end, hang-up) that waits until nothing is half-done.
#pragma once

#include <signal.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "support/error.h"
#include "support/files.h"

namespace sizesheet {

/// From here on a thread of its own takes those signals, and ends the program as the system would.
/// No handler that a library installs can swallow one, since every other thread blocks them. `main`
/// calls it before any other thread starts. A signal that was ignored or blocked when the program
/// started stays so. Where the machine gives no thread, nothing changes.
void watch_for_ends();

/// In its scope those signals wait, in this thread and in those it starts: until they are asked
/// for, or else until the scope ends, where they take effect. One that the program was started to
/// ignore stays ignored.
class Interrupts {
 public:
  Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;
  ~Interrupts();

  /// Takes one that came: it has no other effect then.
  bool came() const;

 private:
  sigset_t awaited_{};
  sigset_t before_{};
};

// ---- What writing files whole or not at all rests on: descriptors that close themselves, private
// folders beside the target, and the disk asked to keep what it took. Everything here throws
// InputError naming the path and the system's reason.

/// "path: what: the system's words for `reason`".
InputError file_failure(const std::filesystem::path& path, const std::string& what, int reason);

/// An open file or directory, closed at the end of its scope.
class Descriptor {
 public:
  Descriptor(const std::filesystem::path& path, int flags);
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor();

  void write_all(std::string_view bytes) const;
  void sync() const;
  /// False when another process holds it. Ends with the descriptor.
  bool lock() const;
  /// Waits until no other process holds it.
  void await_lock() const;

 private:
  std::filesystem::path path_;
  int number_;
};

/// A folder that processes of ours change one at a time, so that each reads what the one before it
/// wrote: waits for its turn, which ends with the scope. For a folder that is not there yet, the
/// nearest one above it is taken.
class FolderLock {
 public:
  explicit FolderLock(const std::filesystem::path& folder);

 private:
  Descriptor folder_;
};

/// Makes the folder and those above it, where they are missing.
void make_folders(const std::filesystem::path& folder);

/// A private directory beside the target, removed with all it holds at the end of its scope, which
/// an interrupt waits for. What a process that was killed left of its own there is removed first.
class ScratchFolder {
 public:
  explicit ScratchFolder(const std::filesystem::path& parent);
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder();

  /// Where the only file of the folder goes.
  std::filesystem::path file() const;
  /// Its only folder, which is there.
  std::filesystem::path folder() const;

 private:
  bool make(const std::filesystem::path& parent);

  Interrupts interrupts_;
  std::filesystem::path path_;
  std::optional<Descriptor> alive_;  ///< locked, so that nobody takes it for a leftover
};

/// A file that grows out of sight and takes its place in one step, or leaves nothing.
class WholeFile {
 public:
  /// Refuses a target that is there and no regular file.
  explicit WholeFile(const std::filesystem::path& path);

  void append(std::string_view bytes) const { file_.write_all(bytes); }
  void publish() const;

 private:
  std::filesystem::path path_;
  ScratchFolder scratch_;
  Descriptor file_;
};

/// Replaces `directory` by `files` plus a manifest.json of their SHA-256, in one atomic exchange.
/// Refuses (InputError) a directory that holds files no manifest of ours lists, except CNAME and
/// .nojekyll, which are kept. On any failure the old directory is untouched.
void publish_edition(const std::filesystem::path& directory, const FileSet& files);

/// Writes a file of the catalog anew, or for the first time, in one step: whole or not at all.
/// Throws InputError naming the path and the system's reason.
void replace_file(const std::filesystem::path& path, const std::string& bytes);

}  // namespace sizesheet
