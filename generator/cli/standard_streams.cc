// SPDX-License-Identifier: Apache-2.0
#include "cli/standard_streams.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <csignal>
#include <initializer_list>
#include <iostream>

namespace sizesheet {

void secure_standard_streams() {
  for (const int number : {SIGPIPE, SIGXFSZ}) std::signal(number, SIG_IGN);
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(number, F_GETFD) >= 0) continue;
    // Opened the wrong way round, so that reading or writing fails and is told.
    ::open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

bool reader_is_gone(const std::ostream& out) {
  pollfd stdout_of_ours{STDOUT_FILENO, 0, 0};
  return &out == &std::cout && poll(&stdout_of_ours, 1, 0) == 1 &&
         (stdout_of_ours.revents & (POLLERR | POLLHUP)) != 0;
}

}  // namespace sizesheet
