// SPDX-License-Identifier: Apache-2.0
// A config or a command of a training run, as somebody's repository has it: refused with its line,
// or read within the bounds of a config.
#include <algorithm>

#include "config/config_cases.h"
#include "config/reading.h"
#include "config/text/config_tree.h"
#include "fuzz/target.h"
#include "support/json.h"
#include "support/object_text.h"
#include "support/refusal.h"

namespace sizesheet::fuzz {
namespace {

int depth_of(const Json& value) {
  int deepest = 0;
  if (value.is_structured()) {
    for (const Json& part : value) deepest = std::max(deepest, 1 + depth_of(part));
  }
  return deepest;
}

}  // namespace

void training_config(std::string_view bytes) {
  const auto name_and_text = cut(bytes, "\n");
  const bool script = name_and_text.first == "run.sh";
  refusal_of([&] {
    ConfigTree tree = tree_of_case({{"name", script ? "run.sh" : "train.yaml"}},
                                   std::string(name_and_text.second));
    expect(depth_of(tree.keys) <= kMostConfigDepth + 1, "a config is no deeper than its bound");
    expect(json_text(tree.keys).size() <= 64 * kMostConfigBytes, "aliases are bounded");
    const ConfigGiven given{{{"gpus", 8}, {"mean_length", 1000}}, "", [](const std::string&) {
                              return Json::object();
                            }};
    const ConfigReading reading = read_config({std::move(tree)}, shipped_formats(), "", given);
    for (const ConfigRemark& remark : reading.refused) {
      expect(!remark.words.empty(), "a refusal says why");
    }
  });
}

}  // namespace sizesheet::fuzz
