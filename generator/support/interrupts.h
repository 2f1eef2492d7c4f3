// SPDX-License-Identifier: Apache-2.0
// An end from outside (interrupt, request to end, hang-up) that waits until nothing is half-done.
#pragma once

#include <signal.h>

namespace sizesheet {

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

}  // namespace sizesheet
