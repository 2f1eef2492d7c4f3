/* SPDX-License-Identifier: Apache-2.0
 * Loaded before the C library, it counts the calls by which a program writes, makes, renames or
 * removes, and lets one of them go wrong. FAULT_AT     which call, from 1; 0 or absent: none FAULT
 * kill | ENOSPC | EIO | EINTR | short FAULT_ONCE   set: only that call fails FAULT_COUNT  file that
 * gets the number of calls when the program ends by itself kill ends the program with SIGKILL
 * before the call. short cuts a write in half; other calls go through. EINTR happens once; the
 * others at every call from FAULT_AT on, as with a full or broken disk, unless FAULT_ONCE is set.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static atomic_long calls;

static void* real(const char* name) { return dlsym(RTLD_NEXT, name); }

static const char* fault(void) {
  const char* text = getenv("FAULT");
  return text == NULL ? "" : text;
}

static long fault_at(void) {
  const char* text = getenv("FAULT_AT");
  return text == NULL ? 0 : atol(text);
}

/* Counts a call; true when it must fail, with errno set. */
static int fails(void) {
  const long at = fault_at();
  const long now = atomic_fetch_add(&calls, 1) + 1;
  const int once = getenv("FAULT_ONCE") != NULL;
  if (at == 0 || now < at || (once && now > at)) return 0;
  if (strcmp(fault(), "kill") == 0) raise(SIGKILL);
  if (strcmp(fault(), "EINTR") == 0 && now == at) {
    errno = EINTR;
    return 1;
  }
  if (strcmp(fault(), "ENOSPC") == 0)
    errno = ENOSPC;
  else if (strcmp(fault(), "EIO") == 0)
    errno = EIO;
  else
    return 0;
  return 1;
}

static int writes(int flags) { return (flags & (O_WRONLY | O_RDWR | O_CREAT)) != 0; }

__attribute__((destructor)) static void tell(void) {
  const char* path = getenv("FAULT_COUNT");
  if (path == NULL) return;
  char text[32];
  const int length = snprintf(text, sizeof text, "%ld\n", (long)calls);
  const int file =
      ((int (*)(const char*, int, ...))real("open"))(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (file >= 0 &&
      ((ssize_t(*)(int, const void*, size_t))real("write"))(file, text, (size_t)length) < 0)
    abort();
}

#define OPEN(name)                                                           \
  int name(const char* path, int flags, ...) {                               \
    va_list more;                                                            \
    va_start(more, flags);                                                   \
    const mode_t mode = va_arg(more, mode_t);                                \
    va_end(more);                                                            \
    if (writes(flags) && fails()) return -1;                                 \
    return ((int (*)(const char*, int, ...))real(#name))(path, flags, mode); \
  }
OPEN(open)
OPEN(open64)

#define STREAM(name)                                                         \
  FILE* name(const char* path, const char* mode) {                           \
    if (strpbrk(mode, "wa+") != NULL && fails()) return NULL;                \
    return ((FILE * (*)(const char*, const char*)) real(#name))(path, mode); \
  }
STREAM(fopen)
STREAM(fopen64)

ssize_t write(int file, const void* bytes, size_t length) {
  if (file > STDERR_FILENO) {
    if (fails()) return -1;
    const int cut = fault_at() > 0 && calls >= fault_at() && strcmp(fault(), "short") == 0;
    if (cut && length > 1) length /= 2;
  }
  return ((ssize_t(*)(int, const void*, size_t))real("write"))(file, bytes, length);
}

/* One in sixteen counts: the workbook's parts are written in two thousand of them. */
size_t fwrite(const void* bytes, size_t size, size_t count, FILE* stream) {
  static atomic_long writes_of_streams;
  const int counted =
      stream != stdout && stream != stderr && atomic_fetch_add(&writes_of_streams, 1) % 16 == 0;
  if (counted && fails()) return 0;
  return ((size_t(*)(const void*, size_t, size_t, FILE*))real("fwrite"))(bytes, size, count,
                                                                         stream);
}

#define PLAIN(result, name, parameters, arguments)       \
  result name parameters {                               \
    if (fails()) return (result)-1;                      \
    return ((result(*) parameters)real(#name))arguments; \
  }
PLAIN(int, fsync, (int file), (file))
PLAIN(int, mkdir, (const char* path, mode_t mode), (path, mode))
PLAIN(int, rename, (const char* from, const char* to), (from, to))
PLAIN(int, renameat2, (int a, const char* from, int b, const char* to, unsigned int flags),
      (a, from, b, to, flags))
PLAIN(int, unlink, (const char* path), (path))
PLAIN(int, unlinkat, (int directory, const char* path, int flags), (directory, path, flags))
PLAIN(int, rmdir, (const char* path), (path))
PLAIN(int, remove, (const char* path), (path))
PLAIN(int, chmod, (const char* path, mode_t mode), (path, mode))
PLAIN(int, fchmodat, (int directory, const char* path, mode_t mode, int flags),
      (directory, path, mode, flags))

char* mkdtemp(char* name) {
  if (fails()) return NULL;
  return ((char* (*)(char*))real("mkdtemp"))(name);
}

int mkstemp(char* name) {
  if (fails()) return -1;
  return ((int (*)(char*))real("mkstemp"))(name);
}
