// SPDX-License-Identifier: Apache-2.0
// Words of a command line, one a line, in a folder with an edition and no catalog: every command
// ends with one of its codes and says what was wrong in lines that can be read.
#include <filesystem>
#include <sstream>

#include "cli/commands.h"
#include "fuzz/target.h"
#include "render/sample_sheet.h"
#include "sheet/sheet_json.h"
#include "support/temp_dir.h"
#include "support/text.h"

namespace sizesheet::fuzz {
namespace {

namespace fs = std::filesystem;

/// The working directory, for as long as this lives.
class Within {
 public:
  explicit Within(const fs::path& folder) : before_(fs::current_path()) {
    fs::current_path(folder);
  }
  Within(const Within&) = delete;
  Within& operator=(const Within&) = delete;
  ~Within() { fs::current_path(before_); }

 private:
  fs::path before_;
};

const TempDir& folder() {
  static const TempDir kFolder;
  kFolder.write("sheet.json", json_text(to_json(tiny_sheet())));
  kFolder.write("config.json", R"({"model_type": "llama", "hidden_size": 64})");
  kFolder.write("prices.csv", "gpu,usd_per_instance_hour\n");
  return kFolder;
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
  std::istringstream in("{}\n");
  std::ostringstream out;
  std::ostringstream err;
  const int code = run(words, in, out, err);
  expect(code == 0 || code == 1 || code == 2, "the code is 0, 1 or 2");
  expect(code != 2 || !err.str().empty(), "what could not be done is told");
  expect(err.str().find("internal error") == std::string::npos, err.str());
  expect(plain_lines(err.str()) == err.str(),
         "what is told can be read: " + plain_lines(err.str()));
}

}  // namespace sizesheet::fuzz
