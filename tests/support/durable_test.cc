// SPDX-License-Identifier: Apache-2.0
// Scratch folders beside the files they are for: gone at the end, whoever ended them.

#include "support/durable.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <set>
#include <vector>

#include "support/temp_dir.h"

namespace sizesheet {
namespace {

namespace fs = std::filesystem;

std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    names.insert(entry.path().filename().string());
  }
  return names;
}

TEST(ScratchFolder, is_gone_at_the_end_with_all_it_holds) {
  const TempDir dir;
  {
    const ScratchFolder scratch(dir.path());
    Descriptor(scratch.file(), O_WRONLY | O_CREAT).write_all("x");
    fs::create_directories(scratch.folder() / "models");
    EXPECT_EQ(names_in(dir.path()).size(), 1U);
  }
  EXPECT_EQ(names_in(dir.path()), std::set<std::string>{});
}

TEST(ScratchFolder, clears_what_a_dead_process_left_and_nothing_else) {
  const TempDir dir;
  dir.write(".sizesheet-dead01/file", "half of a fi");
  dir.write(".sizesheet-dead02/edition/index.html", "<!doctype");
  fs::create_directory(dir.path() / ".sizesheet-dead03");
  dir.write(".sizesheet-backup/notes.txt", "mine");
  dir.write(".sizesheet-old/file", "mine");
  dir.write(".sizesheet-file00", "mine");
  dir.write("elsewhere/file", "mine");
  fs::create_symlink("elsewhere", dir.path() / ".sizesheet-link00");
  const ScratchFolder alive(dir.path());
  { const ScratchFolder other(dir.path()); }
  EXPECT_TRUE(fs::is_directory(alive.folder()));
  std::set<std::string> left = names_in(dir.path());
  left.erase(alive.file().parent_path().filename().string());
  EXPECT_EQ(left, (std::set<std::string>{".sizesheet-backup", ".sizesheet-file00",
                                         ".sizesheet-link00", ".sizesheet-old", "elsewhere"}));
  EXPECT_EQ(names_in(dir.path() / "elsewhere"), std::set<std::string>{"file"});
}

/// Whether another process takes it for a leftover before it is locked is a matter of microseconds.
TEST(ScratchFolder, many_processes_have_one_each_in_a_folder) {
  const TempDir dir;
  std::vector<pid_t> children;
  for (int i = 0; i < 8; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      try {
        for (int turn = 0; turn < 200; ++turn) {
          const ScratchFolder scratch(dir.path());
          Descriptor(scratch.file(), O_WRONLY | O_CREAT | O_EXCL).write_all("x");
        }
        _exit(0);
      } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        _exit(1);
      }
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  EXPECT_EQ(names_in(dir.path()), std::set<std::string>{});
}

TEST(ScratchFolder, an_interrupt_waits_for_its_end) {
  const TempDir dir;
  const auto interrupted = [&] {
    const ScratchFolder scratch(dir.path());
    raise(SIGTERM);
    Descriptor(scratch.file(), O_WRONLY | O_CREAT).write_all("x");
    std::fputs("went on", stderr);
  };
  EXPECT_EXIT(interrupted(), testing::KilledBySignal(SIGTERM), "went on");
  EXPECT_EQ(names_in(dir.path()), std::set<std::string>{});
}

/// As `main` does; then what a library may do.
void watch_beside_a_handler() {
  watch_for_ends();
  std::signal(SIGINT, [](int) { static_cast<void>(!::write(STDERR_FILENO, "swallowed", 9)); });
}

constexpr unsigned kLong = 20;          // seconds: longer than any end takes
constexpr useconds_t kShort = 200'000;  // microseconds

TEST(Ends, take_effect_whatever_handler_a_library_installs) {
  const auto interrupted = [] {
    watch_beside_a_handler();
    kill(getpid(), SIGINT);
    sleep(kLong);
    _exit(0);
  };
  EXPECT_EXIT(interrupted(), testing::KilledBySignal(SIGINT), "^$");
}

TEST(Ends, wait_for_the_end_of_a_scope) {
  const auto interrupted = [] {
    watch_beside_a_handler();
    {
      const Interrupts scope;
      const Interrupts inner;
      kill(getpid(), SIGINT);
      usleep(kShort);
      std::fputs("went on", stderr);
    }
    sleep(kLong);
    _exit(0);
  };
  EXPECT_EXIT(interrupted(), testing::KilledBySignal(SIGINT), "^went on$");
}

TEST(Ends, that_are_asked_for_have_no_other_effect) {
  const auto asked = [] {
    watch_beside_a_handler();
    {
      const Interrupts scope;
      kill(getpid(), SIGTERM);
      while (!scope.came()) usleep(1000);
    }
    usleep(kShort);
    _exit(2);
  };
  EXPECT_EXIT(asked(), testing::ExitedWithCode(2), "^$");
}

TEST(Ends, that_were_ignored_stay_ignored) {
  const auto ignored = [] {
    std::signal(SIGHUP, SIG_IGN);
    watch_for_ends();
    kill(getpid(), SIGHUP);
    usleep(kShort);
    _exit(3);
  };
  EXPECT_EXIT(ignored(), testing::ExitedWithCode(3), "^$");
}

}  // namespace
}  // namespace sizesheet
