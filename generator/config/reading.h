// SPDX-License-Identifier: Apache-2.0
// A training config read into the keys of a request: what it says, what the framework takes where
// it is silent, and what is not modelled, each by the config's own key.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "catalog/configs/config_format.h"
#include "config/text/config_tree.h"
#include "support/json.h"

namespace sizesheet {

/// Steps after which a run ends, among what waits for the number of GPUs.
inline constexpr const char* kLimitedSteps = "workload.steps";

/// Steps after which an epoch ends, likewise.
inline constexpr const char* kStepsOfEpoch = "workload.steps_of_epoch";

/// One sentence about a key, with the place where it is said.
struct ConfigRemark {
  std::string place;  ///< "train.yaml:12"
  std::string key;    ///< as the file writes it; "" or "_name" where no key of the file is meant
  std::string words;

  /// "train.yaml:12: load_in_4bit: …"
  std::string text() const {
    const bool named = !key.empty() && key.front() != '_';
    return place + ": " + (named ? key + ": " : "") + words;
  }
};

/// A key of the request, the key of the file that it comes from and whether the file says it.
struct ConfigUse {
  std::string key;    ///< of the file; "" where a rule says it
  std::string place;  ///< "" where the framework's default holds
  bool by_default = false;
};

struct ConfigReading {
  std::string format;                     ///< id
  std::string title;                      ///< "axolotl 0.18.0"
  std::string file;                       ///< that has the run, whichever was given first
  std::string stack;                      ///< whose practice lies under the request, or ""
  std::string model;                      ///< as the file writes it; "" where it names none
  Json request = Json::object();          ///< nested, keys of estimate; without the model
  std::map<std::string, ConfigUse> uses;  ///< dotted key of the request -> its origin
  Json waiting = Json::object();  ///< dotted keys that wait for examples, mean length or GPUs
  std::vector<ConfigRemark> told;
  std::vector<ConfigRemark> refused;
  std::vector<ConfigRemark> asked;  ///< what must be said beside the file

  /// Throws InputError with a line for each refusal, if there is one.
  void refuse() const;
};

/// What is said beside the files.
struct ConfigGiven {
  Json facts = Json::object();  ///< "gpus", "mean_length" …, as conditions name them behind '@'
  std::string command;          ///< "trl dpo": what starts the run, where the file does not say it
  /// Facts of a model by the name that the file has for it: hidden_size, family, routed, vision;
  /// an empty object where it is not known.
  std::function<Json(const std::string& model)> model_facts;
};

using ConfigFormats = std::map<std::string, ConfigFormat>;

/// The id of the format that these keys are of, "" where they are of none.
std::string recognised_format(const Json& keys, const ConfigFormats& formats);

/// The keys that would have told a format, for a message.
std::string recognised_by(const ConfigFormats& formats);

/// Reads the files of one run: the first has the run, the others what it names (a ZeRO file, a
/// launch). `format` is an id, or "" to recognise it. Throws InputError where no format is
/// recognised, and where two files are of the same kind.
ConfigReading read_config(std::vector<ConfigTree> files, const ConfigFormats& formats,
                          const std::string& format, const ConfigGiven& given);

}  // namespace sizesheet
