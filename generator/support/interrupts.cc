// SPDX-License-Identifier: Apache-2.0
#include "support/interrupts.h"

#include <ctime>

namespace sizesheet {

Interrupts::Interrupts() {
  sigemptyset(&awaited_);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction now {};
    sigaction(number, nullptr, &now);
    if (now.sa_handler != SIG_IGN) sigaddset(&awaited_, number);
  }
  pthread_sigmask(SIG_BLOCK, &awaited_, &before_);
}

Interrupts::~Interrupts() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

bool Interrupts::came() const {
  const timespec at_once{};
  return sigtimedwait(&awaited_, nullptr, &at_once) > 0;
}

}  // namespace sizesheet
