// SPDX-License-Identifier: Apache-2.0
// What the commands `estimate` and `cost` and every other are told: lines on the standard input,
// each of which gets one line of answer; and words, one a line, in a folder with an edition and no
// catalog: every command ends with one of its codes and says what was wrong in readable lines.
#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>

#include "catalog/catalog.h"
#include "cli/json_lines.h"
#include "cli/run.h"
#include "cost/ownership_answer.h"
#include "fuzz/target.h"
#include "render/sample_sheet.h"
#include "sheet/sheet_json.h"
#include "sizing/answer/estimate.h"
#include "sizing/request/question.h"
#include "support/json.h"
#include "support/object_text.h"
#include "support/project_catalog.h"
#include "support/temp_dir.h"
#include "support/text.h"

namespace sizesheet::fuzz {
namespace {

/// The working directory, for as long as this lives.
class Within {
 public:
  explicit Within(const std::filesystem::path& folder) : before_(std::filesystem::current_path()) {
    std::filesystem::current_path(folder);
  }
  Within(const Within&) = delete;
  Within& operator=(const Within&) = delete;
  ~Within() { std::filesystem::current_path(before_); }

 private:
  std::filesystem::path before_;
};

const TempDir& folder() {
  static const TempDir kFolder;
  kFolder.write("sheet.json", json_text(to_json(tiny_sheet())));
  kFolder.write("config.json", R"({"model_type": "llama", "hidden_size": 64})");
  kFolder.write("prices.csv", "gpu,usd_per_instance_hour\n");
  return kFolder;
}

std::set<std::filesystem::path> files_of(const std::filesystem::path& in) {
  using Walk = std::filesystem::recursive_directory_iterator;
  std::set<std::filesystem::path> files;
  for (const auto& entry : Walk(in)) files.insert(entry.path());
  return files;
}

/// Nothing outside the folder is named.
bool stays_inside(const std::string& word) {
  return word.find('/') == std::string::npos && word.find("..") == std::string::npos;
}

}  // namespace

void command_line(std::string_view bytes) {
  const std::vector<std::string> words = split(bytes, '\n');
  for (const std::string& word : words) {
    if (!stays_inside(word) || word.find('\0') != std::string::npos) return;
  }
  const Within scratch(folder().path());
  const std::set<std::filesystem::path> before = files_of(folder().path());
  std::istringstream in("{}\n");
  std::ostringstream out;
  std::ostringstream err;
  const int code = run(words, in, out, err);
  expect(code != 2 || files_of(folder().path()) == before, "a refused line writes nothing");
  expect(code == 0 || code == 1 || code == 2, "the code is 0, 1 or 2");
  expect(code != 2 || !err.str().empty(), "what could not be done is told");
  expect(err.str().find("internal error") == std::string::npos, err.str());
  expect(plain_lines(err.str()) == err.str(),
         "what is told can be read: " + plain_lines(err.str()));
}

namespace {

Json sized(const Json& request, std::int64_t /*line_number*/) {
  const Catalog& catalog = project_catalog();
  return to_json(whole_answer(read_whole_question(request, catalog, catalog.engine.current)));
}

Json costed(const Json& request, std::int64_t /*line_number*/) {
  return answer_cost_request(request);
}

/// An answer is an object; where it is one to the question its bytes are counts.
void check_answer(const std::string& line) {
  const Json answer = Json::parse(line);
  if (!answer.at("ok").get<bool>()) {
    const std::string error = answer.at("error");
    // An error may quote the line, whatever that says.
    expect(!error.starts_with("internal error"), error);
    return;
  }
  if (answer.contains("memory") && answer["memory"].contains("device")) {
    expect(answer["memory"]["device"] >= 0, "bytes are not negative");
  }
}

}  // namespace

void request_lines(std::string_view bytes) {
  const bool costs = bytes.starts_with("cost\n");
  std::istringstream in{std::string(costs ? bytes.substr(5) : bytes)};
  std::ostringstream out;
  for_each_json_line(in, out, 1, costs ? costed : sized);
  std::istringstream answers(out.str());
  std::string line;
  while (std::getline(answers, line)) check_answer(line);
}

}  // namespace sizesheet::fuzz
