// SPDX-License-Identifier: Apache-2.0
#include "cli/json_lines.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include <chrono>
#include <ext/stdio_filebuf.h>
#include <future>
#include <sstream>
#include <streambuf>
#include <thread>
#include <utility>

#include "calculator/request_line.h"
#include "cli/program.h"
#include "cli/run.h"
#include "support/error.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/refusal.h"

namespace sizesheet {
namespace {

/// Doubles `n`; refuses odd numbers.
Json doubled(const Json& request, std::int64_t line_number) {
  const std::int64_t n = request.at("n");
  if (n % 2 != 0) throw InputError("n: odd on line " + std::to_string(line_number));
  return {{"n", 2 * n}};
}

Outcome answers(const std::string& lines, int jobs = 1) {
  std::istringstream in(lines);
  std::ostringstream out;
  const int code = for_each_json_line(in, out, jobs, doubled);
  return {code, out.str(), ""};
}

std::string refused_as(const std::string& id, const std::string& error) {
  return Json{{"error", error}, {"id", id.empty() ? Json() : Json(id)}, {"ok", false}}.dump() +
         "\n";
}

TEST(JsonLines, AreAnsweredInOrderUnderTheirIds) {
  const std::string a = "{\"id\":\"a\",\"n\":4,\"ok\":true}\n";
  const std::string b = "{\"id\":\"b\",\"n\":8,\"ok\":true}\n";
  const std::string asked_a = "{\"id\":\"a\",\"n\":2}";
  const std::string asked_b = "{\"id\":\"b\",\"n\":4}";
  EXPECT_EQ(answers(asked_a + "\n\n  \t\r\n" + asked_b + "\r\n"), (Outcome{0, a + b, ""}));
  EXPECT_EQ(answers(asked_a), (Outcome{0, a, ""})) << "a last line needs no newline";
  EXPECT_EQ(answers(""), (Outcome{0, "", ""}));
  EXPECT_EQ(answers("{\"id\":7,\"n\":2}").out, "{\"id\":null,\"n\":4,\"ok\":true}\n");
  EXPECT_EQ(answers("\n{\"id\":\"a\",\"n\":3}\n" + asked_b + "\n"),
            (Outcome{1, refused_as("a", "n: odd on line 2") + b, ""}));
}

TEST(JsonLines, ThatAreNoRequestsAreRefusedAtTheirPlace) {
  std::string many = "{\"id\":\"a\",\"x\":[0";
  for (int i = 3; i < 20000; ++i) many += ",0";
  struct Case {
    std::string line;
    std::string id;
    std::string error;
  };
  const Case cases[] = {
      {"{\"n\":2" + std::string(std::size_t{2} << 20U, ' ') + "}", "",
       "line 1: expected at most 1048576 bytes"},
      {many + ",0]}", "a", "line 1: column 40011: more than 20000 values in one document"},
      {R"({"x":{"id":"b"},"n":1,"n":2})", "", "line 1: column 25: duplicate key \"n\""},
      {R"({"id":"a","n":2,"n":4})", "a", "line 1: column 19: duplicate key \"n\""},
      {"\n\n[1,2]", "", "line 3: expected an object, got [1,2]"},
      {"null", "", "line 1: expected an object, got null"},
      {R"({"id":"a","n":NaN})", "a", "n: expected a number, got NaN"},
      {R"({"id":"NaN","n":-Infinity})", "NaN", "n: expected a number, got -Infinity"},
  };
  for (const Case& one : cases) {
    EXPECT_EQ(
        answers(one.line + "\n{\"n\":4}\n"),
        (Outcome{1, refused_as(one.id, one.error) + "{\"id\":null,\"n\":8,\"ok\":true}\n", ""}));
  }
  const std::string text = answers("{\"id\":\"a\",}").out;
  EXPECT_EQ(text.find("{\"error\":\"line 1: column 11: "), 0U) << text;
  EXPECT_NE(text.find("\"id\":null,\"ok\":false}\n"), std::string::npos) << text;
}

TEST(JsonLines, TheNumberOfJobsChangesNothing) {
  std::string lines;
  for (int i = 0; i < 1000; ++i) {
    lines += "{\"id\":\"" + std::to_string(i) + "\",\"n\":" + std::to_string(i) + "}\n";
    if (i % 7 == 0) lines += "\n";
    if (i % 31 == 0) lines += "oops\n";
  }
  EXPECT_EQ(answers(lines, 4), answers(lines, 1));
}

/// A command in a thread of its own, its stdin and stdout pipes as a program that asks has them.
class Conversation {
 public:
  explicit Conversation(const std::vector<std::string>& command) {
    EXPECT_EQ(pipe(ask_), 0);
    EXPECT_EQ(pipe(tell_), 0);
    thread_ = std::jthread([this, command] {
      __gnu_cxx::stdio_filebuf<char> in_bytes(ask_[0], std::ios::in);
      __gnu_cxx::stdio_filebuf<char> out_bytes(tell_[1], std::ios::out);
      std::istream in(&in_bytes);
      std::ostream out(&out_bytes);
      std::ostringstream err;
      run(command, in, out, err);
    });
  }
  Conversation(const Conversation&) = delete;
  Conversation& operator=(const Conversation&) = delete;
  ~Conversation() {
    close(ask_[1]);
    thread_.join();
    close(tell_[0]);
  }

  void say(const std::string& text) const {
    EXPECT_EQ(write(ask_[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }

  /// The next answer's id; "nothing" when none comes.
  std::string heard() {
    constexpr int kPatienceMs = 20000;
    while (heard_.find('\n') == std::string::npos) {
      pollfd ready{tell_[0], POLLIN, 0};
      if (poll(&ready, 1, kPatienceMs) != 1) return "nothing";
      char bytes[4096];
      const ssize_t count = read(tell_[0], bytes, sizeof(bytes));
      if (count <= 0) return "the end";
      heard_.append(bytes, static_cast<std::size_t>(count));
    }
    const std::size_t end = heard_.find('\n');
    const Json answer = parse_json(heard_.substr(0, end), "answer");
    heard_.erase(0, end + 1);
    return answer.at("id");
  }

 private:
  int ask_[2] = {-1, -1};
  int tell_[2] = {-1, -1};
  std::string heard_;
  std::jthread thread_;
};

TEST(JsonLines, WhoWaitsForAnAnswerBeforeTheNextLineGetsIt) {
  const std::vector<std::vector<std::string>> commands = {
      {"estimate", "--catalog", kCatalog, "--jobs", "2"}, {"cost"}};
  for (const std::vector<std::string>& command : commands) {
    Conversation talk(command);
    for (const std::string id : {"a", "b", "c"}) {
      talk.say("{\"id\":\"" + id + "\"}\n");
      ASSERT_EQ(talk.heard(), id) << command.front();
    }
    // What begins a line does not hold up those before it.
    talk.say("{\"id\":\"d\"}\n{\"id\":\"e\"}\n{\"id\"");
    ASSERT_EQ(talk.heard(), "d") << command.front();
    ASSERT_EQ(talk.heard(), "e") << command.front();
    talk.say(":\"f\"}\n");
    ASSERT_EQ(talk.heard(), "f") << command.front();
  }
}

TEST(JsonLines, AnAnswerDoesNotWaitForALaterLine) {
  std::istringstream in("{\"id\":\"a\",\"n\":2}\n{\"id\":\"b\",\"n\":4}\n");
  std::promise<void> written;
  class Told : public std::stringbuf {
   public:
    explicit Told(std::promise<void>& promise) : promise_(promise) {}
    int sync() override {
      if (!std::exchange(told_, true)) promise_.set_value();
      return 0;
    }

   private:
    std::promise<void>& promise_;
    bool told_ = false;
  } bytes(written);
  std::ostream out(&bytes);
  std::future<void> first = written.get_future();
  const JsonLineHandler slow = [&](const Json& request, std::int64_t line) {
    const bool waits = line == 2;
    if (waits && first.wait_for(std::chrono::seconds(20)) != std::future_status::ready) {
      throw InputError("the first answer is not written");
    }
    return doubled(request, line);
  };
  EXPECT_EQ(for_each_json_line(in, out, 2, slow), 0);
  EXPECT_EQ(bytes.str(),
            "{\"id\":\"a\",\"n\":4,\"ok\":true}\n{\"id\":\"b\",\"n\":8,\"ok\":true}\n");
}

/// Two hundred lines, each made when it is read, and always another one there.
class Many : public std::streambuf {
 public:
  int read = 0;

 private:
  int_type underflow() override {
    constexpr int kLines = 200;
    if (read == kLines) return traits_type::eof();
    line_ = "{\"n\":" + std::to_string(2 * ++read) + "}\n";
    setg(line_.data(), line_.data(), line_.data() + line_.size());
    return traits_type::to_int_type(line_.front());
  }
  std::streamsize showmanyc() override { return 1; }

  std::string line_;
};

TEST(JsonLines, ALineIsAnsweredBeforeThoseBehindItAreRead) {
  Many lines;
  std::istream in(&lines);
  std::ostringstream out;
  const JsonLineHandler handler = [&](const Json& request, std::int64_t line) {
    EXPECT_EQ(lines.read, line);
    return doubled(request, line);
  };
  EXPECT_EQ(for_each_json_line(in, out, 1, handler), 0);
  EXPECT_EQ(lines.read, 200);
}

TEST(JsonLines, AnOutputThatFailsIsToldAtOnce) {
  std::istringstream in("{\"id\":\"a\",\"n\":2}\n");
  std::ostringstream out;
  out.setstate(std::ios::badbit);
  EXPECT_EQ(refusal_of([&] { for_each_json_line(in, out, 1, doubled); }),
            "the answers cannot be written to the output");
}

TEST(NonNumbers, FindsThemOutsideStringsOnly) {
  EXPECT_FALSE(find_non_number("{\"a\":\"NaN \\\" NaN\"}"));
  EXPECT_FALSE(find_non_number(""));
  EXPECT_FALSE(find_non_number("\"open \\"));
  const auto found = find_non_number("{\"a\":1,\"b\": [Infinity, NaN]}");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->key, "b");
  EXPECT_EQ(found->token, "Infinity");
  EXPECT_EQ(found->mended, "{\"a\":1,\"b\": [null, null]}");
}

}  // namespace
}  // namespace sizesheet
