// SPDX-License-Identifier: Apache-2.0
// Bytes with a path: libharu 2.3 loads fonts from files only. Nothing is written to a disk, so
// nothing can be left behind.
#pragma once

#include <string>

namespace sizesheet::pdf {

class MemoryFile {
 public:
  /// Throws std::system_error when the system has no room.
  explicit MemoryFile(const std::string& bytes);
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  MemoryFile(MemoryFile&&) = delete;
  MemoryFile& operator=(MemoryFile&&) = delete;

  /// Can be opened by this process while the object lives.
  std::string path() const;

 private:
  int descriptor_;
};

}  // namespace sizesheet::pdf
