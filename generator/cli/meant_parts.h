// SPDX-License-Identifier: Apache-2.0
// What the words of a line say, before a command is chosen for it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "support/json.h"
#include "support/text.h"

namespace sizesheet {

/// More of one thing nobody has; products of three such counts are exact.
inline constexpr std::int64_t kMostCounted = 1'000'000;

struct SaidCards {
  std::string name;
  std::string count;  ///< "" where it is not said
};

/// A family and a size where no model is named: "llama", "34B"; one of them may be "".
struct SaidModel {
  std::string family;
  std::string size;

  std::string words() const { return family + (family.empty() || size.empty() ? "" : " ") + size; }
};

struct MeantParts {
  std::vector<std::string> models, methods;  ///< as they were said, or the id that is near
  std::vector<SaidCards> cards;
  std::map<std::string, std::string> options;  ///< by our names
  std::vector<std::string> providers;          ///< all that are named
  std::vector<std::string> stacks;             ///< all that are named
  Json request = Json::object();               ///< keys of a request, which `explain` takes
  std::vector<std::string> requested;          ///< the same as it was said: "--optim adafactor"
  Json cost_request = Json::object();          ///< the same of a question to `cost`
  std::vector<std::string> cost_requested;     ///< "--electricity 0.2"
  std::string steps;                           ///< optimizer steps; "" where they are not said
  std::string file;                            ///< the answer goes to it, or ""
  std::string use_share;                       ///< "60%" of a month's hours, or ""
  std::vector<std::string> run_counts;         ///< "10 runs … and 3 runs": all that are said
  std::vector<std::string> job_counts;         ///< "5x" before a model
  std::string said_changes;                    ///< "history", "changed"
  double period = 0;                           ///< of runs, per month: 1/3 of "next quarter"
  std::string said_period;                     ///< "next quarter"
  std::vector<std::string> shards;             ///< "zero2", "zero3": all that are named
  std::vector<std::string> bare_limits;        ///< "budget" without an amount
  std::string life_years;                      ///< of an owned machine; "" where it is not said
  std::map<std::string, std::vector<std::string>> lists;  ///< several values of one option
  std::vector<std::string> flags;                         ///< --json, --explain
  std::vector<std::string> kept;       ///< --catalog and the like, with their values
  std::string intent;                  ///< the command that a verb names, or ""
  std::string list;                    ///< what is listed, or ""
  std::string unknown_model;           ///< "Qwen/Qwen2.5-VL-7B", which no entry has
  bool writes = false;                 ///< a training config is asked for
  bool owns = false;                   ///< "buy", "tco": of a machine of one's own
  bool saves = false;                  ///< "save", "export": an answer for a file
  bool csv = false;                    ///< a table is asked for
  bool says_ask = false;               ///< the line begins with `ask`
  bool shows = false;                  ///< a verb asks to show something
  bool asks_what_fits = false;         ///< "what can I train", "the biggest model"
  bool asks_price = false;             ///< "cheapest", "per hour"
  bool asks_cheapest = false;          ///< "cheapest": of all that can be rented
  bool asks_fewest = false;            ///< "fewest GPUs"
  std::vector<SaidModel> near_models;  ///< what names none exactly
  std::vector<std::string> left_out;   ///< what says nothing to us
  std::vector<std::string> notes;      ///< what was taken for what

  bool has(const std::string& option) const { return options.contains(option); }
  bool compares() const { return intent == "compare" || intent == "sweep"; }

  void note(const std::string& words) {
    if (!contains(notes, words)) notes.push_back(words);
  }
};

}  // namespace sizesheet
