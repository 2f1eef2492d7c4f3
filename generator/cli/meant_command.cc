// SPDX-License-Identifier: Apache-2.0
#include "cli/meant_command.h"

#include <algorithm>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "cli/cloud_machines.h"
#include "cli/examples.h"
#include "cli/meant_kinds.h"
#include "cli/meant_stacks.h"
#include "cli/near_lines.h"
#include "cli/near_models.h"
#include "cli/question_table.h"
#include "cli/said_figures.h"
#include "cli/settled_parts.h"
#include "cli/word_meanings.h"
#include "support/error.h"
#include "support/json.h"
#include "support/text.h"
#include "support/values.h"

namespace sizesheet {
namespace {

constexpr const char* kExampleModel = "llama-3.1-8b";
constexpr const char* kShard = "layout.shard";

void add_words(std::vector<std::string>& words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
}

bool takes_option(const std::string& option, std::string_view command) {
  const QuestionWord* word = question_word(option);
  return word != nullptr &&
         std::ranges::any_of(word->commands, [&](std::string_view one) { return one == command; });
}

/// "--examples 60k" of an option without a meaning in a command.
std::string said_option(const std::string& name, const std::string& value) {
  return name + " " + value;
}

class LineWriter {
 public:
  LineWriter(MeantParts parts, const WordMeanings& means)
      : parts_(std::move(parts)), means_(means) {}

  std::optional<MeantLine> line() && {
    settle_parts(parts_, means_);
    if (!parts_.life_years.empty()) parts_.options.emplace("--life", parts_.life_years);
    if (contains({"build", "record"}, parts_.intent)) return std::nullopt;  // an example says more
    const bool names_any = !parts_.cards.empty() || !parts_.models.empty();
    if (parts_.intent == "changes" && !names_any) return changes();
    if (!parts_.said_changes.empty()) parts_.left_out.push_back(parts_.said_changes);
    if (compares_prices(parts_) || asks_rate(parts_, means_)) parts_.list = "prices";
    if (chooses_list()) return listed();
    if (has_several_jobs(parts_)) return plan_line(parts_);
    settle_models(parts_, means_);
    note_two_runs(parts_);
    const bool many =
        parts_.models.size() > 1 || parts_.methods.size() > 1 || parts_.cards.size() > 1;
    if (parts_.intent == "help" && helps()) return help();
    const bool unknown = parts_.models.empty() && !parts_.unknown_model.empty();
    if (unknown && parts_.intent != "cost" && !take_model_of_size(parts_, means_)) {
      return std::nullopt;
    }
    const bool usual_methods = std::ranges::all_of(parts_.methods, [](const std::string& one) {
      return contains({"full", "lora", "qlora"}, small_letters(one));
    });
    if (parts_.models.size() == 1 && parts_.methods.size() > 1 && parts_.cards.empty() &&
        usual_methods && !parts_.csv && parts_.file.empty()) {
      note("without a method the answer has full fine-tuning, LoRA and QLoRA");
      parts_.methods.clear();
      return asked();
    }
    // "reserved vs on demand for 8 A100" is about no run.
    const bool about_tier = has("--tier") && parts_.models.empty() && parts_.methods.empty() &&
                            parts_.cards.size() == 1 && parts_.intent == "compare";
    if (about_tier) return owned();
    if (asks_of_file(parts_)) return asked_of_file();
    const bool ways = parts_.shards.size() > 1 && parts_.models.size() == 1 &&
                      parts_.methods.size() == 1 && parts_.cards.size() == 1 &&
                      !parts_.cards.front().count.empty();
    if (ways) {
      set_dotted(parts_.request, kShard, parts_.shards.front());
      return asked();
    }
    const bool crosses = many || parts_.csv || parts_.intent == "compare";
    // "diff 2025-01 2025-06": what is compared is not ours.
    const bool nothing = parts_.models.empty() && parts_.methods.empty() && parts_.cards.empty();
    const bool others = nothing && !parts_.left_out.empty() && parts_.options.empty();
    if (parts_.intent == "compare" && others) return std::nullopt;
    if (crosses && (!parts_.models.empty() || compares())) return crossed();
    if (!parts_.models.empty()) return asked();
    return without_model();
  }

 private:
  bool has(const std::string& option) const { return parts_.has(option); }

  bool compares() const { return parts_.compares(); }

  /// Options that say how long a run is, or what it may cost.
  bool says_run() const {
    return std::ranges::any_of(parts_.options,
                               [](const auto& one) { return takes_option(one.first, "ask"); });
  }

  void note(const std::string& words) { parts_.note(words); }

  /// A list, and what a machine costs, are of one seller.
  void leave_out_sellers() {
    if (parts_.providers.size() < 2) return;
    parts_.options["--provider"] = parts_.providers.front();
    add_words(parts_.left_out, {parts_.providers.begin() + 1, parts_.providers.end()});
    note("cost takes one provider, or all of them");
  }

  // ---- Options.

  /// The options that the command takes; the others are left out.
  void add_options(std::string_view command, MeantLine& line) {
    for (const auto& [name, value] : parts_.options) {
      if (takes_option(name, command)) {
        add_words(line.words, {name, value});
      } else {
        line.left_out.push_back(said_option(name, value));
      }
    }
    add_request(command, line);
    add_words(line.words, parts_.kept);
    std::vector<std::string> flags = parts_.flags;
    if (parts_.intent == "explain" && command == "ask") flags.emplace_back("--explain");
    for (const std::string& flag : flags) {
      const bool known = flag == "--json" || command == "ask";
      if (known && !contains(line.words, flag)) line.words.push_back(flag);
    }
    finish(line);
  }

  void finish(MeantLine& line) const {
    if (parts_.writes && !has("--write") && !contains(parts_.left_out, "config")) {
      line.left_out.emplace_back("config");
      line.notes.emplace_back("--write cfg writes the config of one model and one method");
    }
    add_words(line.left_out, parts_.left_out);
    add_words(line.notes, parts_.notes);
  }

  void add_request(std::string_view command, MeantLine& line) {
    if (!parts_.cost_request.empty()) {
      const std::string text = parts_.cost_request.dump();
      if (command == "cost") {
        add_words(line.words, {"--request", text});
      } else {
        add_words(line.left_out, parts_.cost_requested);
        std::vector<std::string> costed = {"cost"};
        SaidCards cards = parts_.cards.empty() ? SaidCards{kExampleCard, "8"} : parts_.cards[0];
        if (cards.count.empty() && has("--gpus")) cards.count = parts_.options["--gpus"];
        add_cards(cards, costed);
        add_words(costed, {"--request", text});
        note("cost takes it: " + shell_line(costed));
      }
    }
    if (parts_.request.empty()) return;
    const std::string text = parts_.request.dump();
    if (command == "explain") {
      note_shards(line.words, 1);
      add_words(line.words, {"--request", text});
      return;
    }
    add_words(line.left_out, parts_.requested);
    if (parts_.models.empty() || parts_.methods.empty()) {
      note("explain takes it, with a count of GPUs: --request '" + text + "'");
      return;
    }
    const SaidCards cards = parts_.cards.empty() ? SaidCards{kExampleCard, "8"} : parts_.cards[0];
    std::vector<std::string> explained = {"explain", parts_.models[0], parts_.methods[0]};
    add_cards(SaidCards{cards.name, cards.count.empty() ? "8" : cards.count}, explained);
    if (parts_.shards.size() > 1) return note_shards(explained, 0);
    add_words(explained, {"--request", text});
    note("explain takes it: " + shell_line(explained));
  }

  /// A question to `explain` for each way to shard from the one at a place on.
  void note_shards(const std::vector<std::string>& words, std::size_t from) {
    for (std::size_t i = from; i < parts_.shards.size(); ++i) {
      Json request = parts_.request;
      set_dotted(request, kShard, parts_.shards[i]);
      std::vector<std::string> explained = words;
      add_words(explained, {"--request", request.dump()});
      note(parts_.shards[i] + ": " + shell_line(explained));
    }
  }

  static void add_cards(const SaidCards& cards, std::vector<std::string>& words) {
    if (cards.name.find(' ') == cards.name.npos) {
      words.push_back(cards.count.empty() ? cards.name : cards.count + "x" + cards.name);
    } else {
      add_words(words, {"--gpu", cards.name});
      if (!cards.count.empty()) add_words(words, {"--gpus", cards.count});
    }
  }

  // ---- Questions about one model.

  MeantLine asked() {
    const bool cards = !parts_.cards.empty();
    if (parts_.asks_price && !cards && parts_.methods.size() == 1) {
      if (parts_.asks_cheapest && compare_takes_all()) return cheapest();
      note(shell_line({"compare", parts_.models.front(), parts_.methods.front(), "--gpu", "all"}) +
           " lists every GPU type, the lowest cost first");
    }
    if (parts_.asks_fewest && !cards && parts_.methods.size() == 1) {
      note("the answer is the lowest cost; " +
           shell_line({"compare", parts_.models.front(), parts_.methods.front(), "--gpu", "all"}) +
           " shows how many GPUs of each type a run needs");
    }
    // Keys of a request choose `explain`, which takes them; it needs to know how many cards.
    const bool counted = parts_.cards.size() == 1 && parts_.methods.size() == 1 &&
                         (!parts_.cards.front().count.empty() || has("--gpus"));
    // Where memory goes on one GPU needs no card.
    const bool bare = !cards && parts_.intent == "explain" && parts_.methods.size() == 1 &&
                      (!parts_.requested.empty() || has("--vram"));
    if (bare && has("--vram")) {
      note("the total is for one GPU: compare it with " + parts_.options["--vram"]);
      parts_.options.erase("--vram");
    }
    if (bare && !has("--gpus")) parts_.options["--gpus"] = "1";
    const bool explains =
        bare || (cards && (parts_.intent == "explain" || (!parts_.requested.empty() && counted)));
    const bool requested = explains && !parts_.requested.empty();
    const bool fits =
        has("--vram") || (cards && (parts_.intent == "fits" || parts_.asks_what_fits));
    const std::string command = explains ? "explain" : fits ? "fits" : "ask";
    if (parts_.writes && command == "ask" && parts_.methods.size() == 1) {
      settle_wish(means_, parts_);
    }
    if (has("--hours") && parts_.intent == "cost") {
      note("--hours are the hours per month that an owned machine is used");
      if (parts_.cards.size() == 1) note_use_of_cards();
    }
    MeantLine line;
    if (command != "ask" || parts_.says_ask) line.words.push_back(command);
    line.words.push_back(parts_.models.front());
    add_words(line.words, parts_.methods);
    for (const SaidCards& one : parts_.cards) {
      const bool as_said = !one.count.empty() || has("--gpus") || command != "explain" || requested;
      add_cards(as_said ? one : SaidCards{one.name, "1"}, line.words);
    }
    add_options(command, line);
    return line;
  }

  /// What so many hours of the cards cost, whatever runs on them.
  void note_use_of_cards() {
    std::vector<std::string> costed = {"cost"};
    add_cards(parts_.cards.front(), costed);
    add_words(costed, {"--hours", parts_.options["--hours"]});
    note("what these hours of the cards cost: " + shell_line(costed));
  }

  /// A file says how a run is made; `fits` and `compare` read none.
  MeantLine asked_of_file() {
    if (contains({"fits", "compare"}, parts_.intent)) parts_.intent.clear();
    parts_.asks_what_fits = false;
    note_other_cards(parts_);
    if (parts_.cards.size() > 1) parts_.cards.resize(1);
    return asked();
  }

  /// The help of `diff`, which compares two editions.
  static MeantLine changes() { return {{"help", "diff"}, {}, {std::string(kChangesNote)}}; }

  bool compare_takes_all() const {
    return std::ranges::all_of(parts_.options,
                               [](const auto& one) { return takes_option(one.first, "compare"); });
  }

  /// Every GPU type, the lowest cost first.
  MeantLine cheapest() {
    parts_.options["--gpu"] = "all";
    return compared();
  }

  /// A row for each model, method and card: a file of all figures where one is asked for, else a
  /// table to read.
  MeantLine crossed() {
    if (parts_.models.empty()) {
      parts_.models.emplace_back(kExampleModel);
      note(std::string(kExampleModel) + " is an example: no model was named");
    }
    for (auto* list : {&parts_.models, &parts_.methods}) *list = each_once(*list);
    return parts_.csv || !parts_.file.empty() || parts_.intent == "sweep" ? swept() : compared();
  }

  /// Runs of full fine-tuning and of adapters are compared at the same tokens.
  void add_equal_tokens(MeantLine& line) {
    const bool full = contains(parts_.methods, "full");
    if (!full || parts_.methods.size() < 2 || has("--tokens") || has("--examples")) return;
    add_words(line.words, {"--tokens", "50M"});
    note("50M tokens are an example: by default a full run has 500M, and one of adapters 50M");
  }

  MeantLine compared() {
    MeantLine line{{"compare"}, {}, {}};
    add_words(line.words, parts_.models);
    add_words(line.words, parts_.methods);
    std::vector<std::string> said;
    for (const SaidCards& one : parts_.cards) {
      const bool spaced = one.name.find(' ') != one.name.npos;
      const std::string times = one.count + (spaced ? " x " : "x");
      said.push_back(one.count.empty() ? one.name : times + one.name);
    }
    add_words(line.words, each_once(said));
    add_equal_tokens(line);
    add_options("compare", line);
    return line;
  }

  MeantLine swept() {
    MeantLine line{{"sweep", "--models", join(parts_.models, ",")}, {}, {}};
    if (!parts_.methods.empty()) add_words(line.words, {"--methods", join(parts_.methods, ",")});
    std::vector<std::string> names, counts;
    for (const SaidCards& one : parts_.cards) {
      if (!contains(names, one.name)) names.push_back(one.name);
      if (!one.count.empty() && !contains(counts, one.count)) counts.push_back(one.count);
    }
    if (names.empty() && parts_.asks_cheapest) names.emplace_back("all");
    if (!names.empty()) add_words(line.words, {"--gpu", join(names, ",")});
    if (counts.size() == 1 && !has("--gpus")) parts_.options["--gpus"] = counts.front();
    if (counts.size() > 1) {
      for (const std::string& one : counts) line.left_out.push_back(one + " x");
    }
    if (!has("--seq")) add_words(line.words, {"--seq", "4k"});
    add_equal_tokens(line);
    add_options("sweep", line);
    return line;
  }

  // ---- Without a model.

  std::optional<MeantLine> without_model() {
    const bool cards = !parts_.cards.empty();
    const bool of_owner = has("--hours") || has("--life") || has("--electricity");
    if (parts_.intent == "cost" || (cards && of_owner && parts_.methods.empty())) return owned();
    if (cards && (parts_.asks_price || parts_.intent == "providers") && parts_.methods.empty()) {
      parts_.list = parts_.intent == "providers" ? "providers" : "prices";
      return listed();
    }
    if (cards && parts_.intent == "explain" && parts_.methods.empty()) return help();
    if (cards || has("--vram")) return fitting();
    if (!parts_.methods.empty() && !says_run() &&
        (parts_.shows || parts_.intent == "explain" || parts_.intent == "help")) {
      return help();
    }
    if (parts_.asks_what_fits && (says_run() || !parts_.methods.empty())) return fitting();
    if (!parts_.providers.empty() && parts_.methods.empty() && !has("--budget") &&
        !has("--tokens") && !has("--deadline")) {
      parts_.list = "prices";
      return listed();
    }
    if (parts_.methods.empty() && !says_run()) return std::nullopt;
    parts_.models.emplace_back(kExampleModel);
    note(std::string(kExampleModel) + " is an example: no model was named");
    return asked();
  }

  void take_example_card() {
    parts_.cards.push_back(example_cards(parts_, means_));
    note(parts_.cards.back().name + " is an example: no GPU was named");
  }

  /// "72h" of machines that run nothing named are hours of use.
  void settle_use_of_cards() {
    const auto deadline = parts_.options.find("--deadline");
    if (deadline == parts_.options.end() || has("--hours")) return;
    constexpr double kMonth = 730;
    const auto hours = read_value(deadline->second, hours_kind()).value;
    if (!hours || *hours > kMonth) return;
    parts_.options["--hours"] = deadline->second;
    note(deadline->second + " is read as the hours of use per month");
    parts_.options.erase("--deadline");
  }

  MeantLine owned() {
    leave_out_sellers();
    settle_use_of_cards();
    if (parts_.cards.empty()) take_example_card();
    settle_price(parts_);
    MeantLine line{{"cost"}, {}, {}};
    add_words(line.left_out, parts_.methods);
    add_cards(parts_.cards.front(), line.words);
    for (std::size_t i = 1; i < parts_.cards.size(); ++i) {
      line.left_out.push_back(parts_.cards[i].name);
    }
    add_options("cost", line);
    return line;
  }

  MeantLine fitting() {
    if (parts_.cards.empty() && !has("--vram")) take_example_card();
    MeantLine line{{"fits"}, {}, {}};
    add_words(line.words, parts_.methods);
    for (const SaidCards& cards : parts_.cards) add_cards(cards, line.words);
    add_options("fits", line);
    return line;
  }

  // ---- Lists and help.

  bool chooses_list() {
    const bool named = parts_.models.size() + parts_.cards.size() == 1 && parts_.methods.empty() &&
                       parts_.options.empty() && parts_.intent != "help";
    if (parts_.shows && parts_.list.empty() && named) {
      parts_.list = parts_.models.empty() ? "gpus" : "models";
    }
    const bool searches = !parts_.left_out.empty() && !looks_like_option(parts_.left_out.front());
    const bool nothing = parts_.models.empty() && parts_.cards.empty() && parts_.methods.empty();
    if (parts_.shows && parts_.list.empty() && nothing && parts_.options.empty() &&
        parts_.intent != "help" && (!parts_.near_models.empty() || searches)) {
      parts_.list = "models";
    }
    return !parts_.list.empty();
  }

  /// "qwen2.5-7b" of "Qwen/Qwen2.5-7B"; the name as it is where several fit.
  std::string model_id(const std::string& name) const {
    try {
      return means_.models().resolved(name).id;
    } catch (const InputError&) {
      return name;
    }
  }

  /// Names behind a list choose in it.
  MeantLine listed() {
    if (parts_.list != "prices") leave_out_sellers();
    if (parts_.list == "prices" && parts_.asks_cheapest) {
      parts_.options.emplace("--tier", "on_demand");
    }
    const bool sold = has("--provider") || has("--tier") || has("--region");
    if (parts_.list == "gpus" && sold) parts_.list = "prices";
    MeantLine line{{parts_.list}, {}, {}};
    if (contains({"methods", "stacks"}, parts_.list)) line.words = {"list", parts_.list};
    const bool by_card = contains({"prices", "providers"}, parts_.list);
    for (const SaidCards& cards : parts_.cards) {
      if (by_card) line.words.emplace_back("--gpu");
      line.words.push_back(cards.name);
      if (!cards.count.empty()) line.left_out.push_back(cards.count + " x");
    }
    for (const std::string& name : parts_.models) {
      const std::string id = model_id(name);
      (parts_.list == "models" ? line.words : line.left_out).push_back(id);
      if (parts_.list == "models" && id != name) note(in_quotes(name) + " is sized as " + id);
    }
    for (const SaidModel& said : parts_.near_models) {
      std::vector<std::string>& to = parts_.list == "models" ? line.words : line.left_out;
      for (const std::string& word : {said.family, said.size}) {
        if (!word.empty()) to.push_back(word);
      }
    }
    add_words(parts_.list == "methods" ? line.words : line.left_out, parts_.methods);
    for (const std::string& word : parts_.left_out) {
      const bool searched = contains({"models", "gpus"}, parts_.list) && !looks_like_option(word);
      (searched ? line.words : line.left_out).push_back(word);
    }
    for (const auto& [name, value] : parts_.options) {
      const bool taken = by_card && takes_option(name, "list");
      if (taken) {
        add_words(line.words, {name, value});
      } else {
        line.left_out.push_back(said_option(name, value));
      }
    }
    add_request("list", line);
    add_words(line.words, parts_.kept);
    if (!parts_.flags.empty()) line.words.emplace_back("--json");
    if (parts_.csv) {
      line.left_out.emplace_back("csv");
      note("in a file or a pipe, the columns of a list are separated by tabs; --json gives JSON");
    }
    line.notes = parts_.notes;
    return line;
  }

  bool helps() const {
    return !parts_.methods.empty() || !parts_.cards.empty() || !parts_.models.empty() ||
           !parts_.providers.empty();
  }

  /// The help on one thing that is named.
  MeantLine help() {
    MeantLine line{{"help"}, {}, {}};
    const auto add = [&](const std::string& name) {
      (line.words.size() == 1 ? line.words : line.left_out).push_back(name);
    };
    for (const std::string& one : parts_.methods) add(one);
    for (const SaidCards& one : parts_.cards) add(one.name);
    for (const std::string& one : parts_.models) add(one);
    if (line.words.size() == 1 && has("--provider")) add(parts_.options["--provider"]);
    for (const auto& [name, value] : parts_.options) {
      if (name != "--provider" || line.words.back() != value) {
        line.left_out.push_back(said_option(name, value));
      }
    }
    finish(line);
    return line;
  }

  MeantParts parts_;
  const WordMeanings& means_;
};

}  // namespace

std::optional<MeantLine> line_for(MeantParts parts, const WordMeanings& means) {
  const std::string file = parts.file;
  std::optional<MeantLine> line = LineWriter(std::move(parts), means).line();
  if (line) line->file = file;
  return line;
}

}  // namespace sizesheet
