// SPDX-License-Identifier: Apache-2.0
#include "render/pdf/memory_file.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace sizesheet::pdf {

namespace {

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

void write_all(int descriptor, const std::string& bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t count = ::write(descriptor, bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) fail("a font in memory cannot be written");
    done += static_cast<std::size_t>(count);
  }
}

}  // namespace

MemoryFile::MemoryFile(const std::string& bytes)
    : descriptor_(::memfd_create("font", MFD_CLOEXEC)) {
  if (descriptor_ < 0) fail("a font in memory cannot be made");
  try {
    write_all(descriptor_, bytes);
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

MemoryFile::~MemoryFile() { ::close(descriptor_); }

std::string MemoryFile::path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

}  // namespace sizesheet::pdf
