// SPDX-License-Identifier: Apache-2.0
#include "config/text/command_tree.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "config/text/config_tree.h"
#include "config/text/shell_words.h"
#include "config/text/yaml_tree.h"
#include "config/text/yaml_values.h"
#include "support/error.h"
#include "support/json.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// Words that start a run and take one more word: what they do.
bool takes_verb(const std::string& word) {
  static const std::vector<std::string> kPrograms = {
      "swift", "megatron", "trl", "tune", "axolotl", "llamafactory-cli", "automodel"};
  return contains(kPrograms, word);
}

bool is_config_name(const std::string& word) {
  return word.ends_with(".yaml") || word.ends_with(".yml");
}

/// "openrlhf.cli.train_dpo": a module by its path, as `deepspeed --module` starts it.
bool is_module(const std::string& word) {
  const bool path = std::ranges::count(word, '.') >= 2 && !is_digit(word.front());
  return path && std::ranges::all_of(
                     word, [](char c) { return is_letter_or_digit(c) || c == '_' || c == '.'; });
}

bool is_script(const std::string& word) {
  return word.ends_with(".py") || word.ends_with("train.sh") || word == "recipe" || is_module(word);
}

/// `a.b=value`, `+a.b=value`: an override as Hydra and OmegaConf take it.
bool is_override(const std::string& word) {
  const std::size_t begin = word.find_first_not_of('+');
  const std::size_t equals = word.find('=');
  if (begin == std::string::npos || equals == std::string::npos || equals <= begin) return false;
  const std::string name = word.substr(begin, equals - begin);
  const char first = name.front();
  const bool letter = first == '_' || (is_letter_or_digit(first) && !is_digit(first));
  return letter && std::ranges::all_of(name, [](char c) {
           return is_letter_or_digit(c) || c == '_' || c == '.' || c == '/';
         });
}

bool is_option(const CommandWord& word) {
  const std::string& text = word.text;
  return text.size() > 1 && text.front() == '-' && !is_digit(text[1]) && text[1] != '.';
}

/// Reads the words of one command into a tree.
class CommandReader {
 public:
  CommandReader(std::vector<CommandWord> words, ConfigTree& tree)
      : words_(std::move(words)), tree_(tree) {}

  void read() {
    while (at_ < words_.size()) {
      const CommandWord& word = words_[at_];
      if (word.text == "--") {
        restart();
      } else if (is_option(word)) {
        read_option();
      } else if (is_override(word.text)) {
        read_override();
      } else {
        read_word();
      }
    }
    tree_.keys["_command"] = join(program_, " ");
    if (!given_.empty()) tree_.keys["_words"] = given_;
  }

 private:
  /// What stands before a lone `--` starts another machine's command.
  void restart() {
    Json outer = Json::object();
    for (const auto& [key, value] : tree_.keys.items()) {
      if (key == "env" || key == "outer") continue;
      if (key == "launch" && value.is_object()) outer.merge_patch(value);
      if (key != "launch") outer[key] = value;
    }
    for (const auto& [key, value] : outer.items()) tree_.keys.erase(key);
    tree_.keys.erase("launch");
    if (!outer.empty()) tree_.keys["outer"] = std::move(outer);
    program_.clear();
    given_.clear();
    started_ = false;
    ++at_;
  }

  void read_word() {
    const std::string& word = words_[at_++].text;
    if (!started_) {
      if (program_.empty()) {
        if (const auto set = assignment(word)) {
          return put("env." + set->first, word_value(set->second), words_[at_ - 1].line);
        }
      }
      program_.push_back(word);
      if (word == "&&") program_.clear();
      if (is_script(word) || tune_) started_ = true;
      const bool verb = takes_verb(word) && at_ < words_.size() && !is_option(words_[at_]);
      if (!verb) return;
      program_.push_back(words_[at_++].text);
      started_ = word != "tune";
      tune_ = word == "tune";
    } else if (is_config_name(word)) {
      take_base(word, words_[at_ - 1].line);
    } else {
      given_.push_back(word);
    }
  }

  /// The config that the command reads; of several the last.
  void take_base(const std::string& name, int line) {
    tree_.base = name;
    tree_.base_line = line;
  }

  void read_override() {
    const CommandWord& word = words_[at_];
    if (program_.empty() && assignment(word.text)) return read_word();
    ++at_;
    const std::size_t begin = word.text.find_first_not_of('+');
    const std::size_t equals = word.text.find('=');
    put(word.text.substr(begin, equals - begin), word_value(word.text.substr(equals + 1)),
        word.line);
  }

  void read_option() {
    const CommandWord word = words_[at_++];
    const std::size_t begin = word.text.find_first_not_of('-');
    if (begin == std::string::npos) return;  // dashes alone name nothing
    std::string name = word.text.substr(begin);
    const std::size_t equals = name.find('=');
    if (name == "m" || name == "module") return read_module();
    if (equals != std::string::npos) {
      const std::string value = name.substr(equals + 1);
      return put_option(name.substr(0, equals), word_value(value), word.line);
    }
    Json values = Json::array();
    while (at_ < words_.size() && takes_value(values.size())) {
      values.push_back(word_value(words_[at_++].text));
    }
    put_option(name,
               values.empty()       ? Json(true)
               : values.size() == 1 ? values.front()
                                    : values,
               word.line);
  }

  /// What starts a run takes one value an option, a run itself as many as there are.
  bool takes_value(std::size_t before) const {
    const CommandWord& next = words_[at_];
    if (is_option(next) || next.text == "--") return false;
    if (started_) return !is_override(next.text);
    return before == 0 && !is_script(next.text) && !takes_verb(next.text);
  }

  void read_module() {
    program_.emplace_back("-m");
    if (at_ < words_.size()) program_.push_back(words_[at_++].text);
    started_ = true;
  }

  void put_option(std::string name, const Json& value, int line) {
    std::ranges::replace(name, '-', '_');
    const bool names_config = started_ && (name == "config" || name == "c") && value.is_string();
    if (names_config && is_config_name(value.get<std::string>())) {
      return take_base(value.get<std::string>(), line);
    }
    put(started_ ? name : "launch." + name, value, line);
  }

  Json word_value(const std::string& text) {
    const bool flow = !text.empty() && (text.front() == '[' || text.front() == '{');
    if (!flow) return plain_yaml_value(text);
    try {
      return yaml_tree("value: " + text, tree_.file).keys.at("value");
    } catch (const InputError&) {
      return text;
    }
  }

  void put(const std::string& path, const Json& value, int line) {
    if (path.empty() || path.front() == '.' || path.back() == '.' ||
        path.find("..") != std::string::npos || std::ranges::count(path, '.') >= kMostConfigDepth) {
      throw InputError(tree_.file + ":" + std::to_string(line) +
                       ": expected the name of a key, got " + in_quotes(path));
    }
    for (std::size_t dot = path.find('.'); dot != std::string::npos;
         dot = path.find('.', dot + 1)) {
      const Json* above = at_path(tree_.keys, path.substr(0, dot));
      if (above == nullptr || above->is_null() || above->is_object()) continue;
      throw InputError(tree_.file + ":" + std::to_string(line) + ": " + plain_text(path) + ": " +
                       plain_text(path.substr(0, dot)) + " is " + shown(*above) + " already");
    }
    set_dotted(tree_.keys, path, value);
    tree_.lines[path] = line;
  }

  std::vector<CommandWord> words_;
  ConfigTree& tree_;
  std::size_t at_ = 0;
  std::vector<std::string> program_;
  std::vector<std::string> given_;  ///< words behind the program that belong to no option
  bool started_ = false;            ///< what comes is the run's, no longer of what starts it
  bool tune_ = false;  ///< `tune run` has its recipe behind the options of what starts it
};

/// Whether a command may be what starts a run: it has an option or an override.
bool may_start(const std::vector<CommandWord>& words) {
  static const std::vector<std::string> kOthers = {"set",   "export", "cd",   "source", "echo",
                                                   "if",    "fi",     "then", "pip",    "conda",
                                                   "mkdir", "sleep",  "exit", "module", "ulimit"};
  if (words.empty() || contains(kOthers, words.front().text)) return false;
  const auto program = std::ranges::find_if_not(
      words, [](const CommandWord& word) { return assignment(word.text).has_value(); });
  if (program != words.end() && takes_verb(program->text) &&
      std::ranges::any_of(words, is_config_name, &CommandWord::text)) {
    return true;
  }
  return std::ranges::any_of(words, [](const CommandWord& word) {
    return is_option(word) || (is_override(word.text) && !assignment(word.text));
  });
}

constexpr std::size_t kMostScriptBytes = 16 * kMostConfigBytes;

/// The commands of a script that may start a run, with the script's own variables put in.
class ScriptReader {
 public:
  explicit ScriptReader(ConfigTree& tree) : tree_(tree) {}

  void read(std::string_view text) {
    for (std::vector<CommandWord>& words : shell_commands(text, tree_.file)) {
      put_arrays(words);
      put_lists(words);
      for (CommandWord& word : words) put_variables(word);
      if (words.empty() || set_array(words)) continue;
      const bool exports = words.front().text == "export";
      if (exports) {
        words.erase(words.begin());
        for (const CommandWord& word : words) {
          exported_.insert(word.text.substr(0, word.text.find('=')));
        }
      }
      const bool sets = std::ranges::all_of(
          words, [](const CommandWord& word) { return assignment(word.text).has_value(); });
      if (sets) {
        for (const CommandWord& word : words) set_variable(word);
      } else if (may_start(words)) {
        starting_.push_back(std::move(words));
      }
    }
  }

  /// The command with the most words. Says so where another has options, too.
  std::vector<CommandWord> longest() {
    // "--gpus)" of a case is no command; a file of options alone is one.
    const auto only_options = [](const auto& words) { return is_option(words.front()); };
    if (!std::ranges::all_of(starting_, only_options)) std::erase_if(starting_, only_options);
    if (starting_.empty()) return {};
    auto chosen = std::ranges::max_element(starting_, {}, &std::vector<CommandWord>::size);
    std::vector<std::string> others;
    for (const auto& one : starting_) {
      const std::string line = std::to_string(one.front().line);
      if (&one != &*chosen && !contains(others, line)) others.push_back(line);
    }
    if (!others.empty()) {
      tree_.remarks.push_back(tree_.file + ":" + std::to_string(chosen->front().line) +
                              ": this command is read, the longest of the script; not read: " +
                              (others.size() == 1 ? "line " : "lines ") + join(others, ", "));
    }
    return std::move(*chosen);
  }

  void put_environment() {
    if (!not_set_.empty()) {
      tree_.remarks.push_back(tree_.file + ": the script does not set " + join(not_set_, ", ") +
                              ", so options in it are not read");
    }
    if (!by_default_.empty()) {
      tree_.remarks.push_back(
          tree_.file + ": " + join(by_default_, ", ") +
          (by_default_.size() == 1 ? " has the default" : " have the defaults") +
          " of the script; the environment is not read");
    }
    for (const auto& [name, value] : variables_.values()) {
      if (!exported_.contains(name)) {
        if (contains({"PYTORCH_CUDA_ALLOC_CONF", "NPROC_PER_NODE"}, name)) {
          tree_.remarks.push_back(tree_.file + ": " + name +
                                  " is set without export, so the run does not get it");
        }
        continue;
      }
      if (starts_with(value, "[") || starts_with(value, "{")) continue;
      set_dotted(tree_.keys, "env." + name, plain_yaml_value(value));
    }
  }

 private:
  /// "${args[@]}" becomes the words of the array.
  void put_arrays(std::vector<CommandWord>& words) {
    std::vector<CommandWord> all;
    for (CommandWord& word : words) {
      const bool arguments = contains({"$@", "$*"}, word.text);
      const auto name = array_meant(word.text);
      const auto array = name ? arrays_.find(*name) : arrays_.end();
      if (array != arrays_.end()) {
        for (const CommandWord& item : array->second) count(item);
        all.insert(all.end(), array->second.begin(), array->second.end());
      } else if (name || arguments) {
        if (!contains(not_set_, word.text)) not_set_.push_back(word.text);
      } else {
        all.push_back(std::move(word));
      }
      if (all.size() > kMostConfigValues) refuse_words();
    }
    words = std::move(all);
  }

  /// A variable with several words becomes them where it is a word of its own, as a shell has it.
  void put_lists(std::vector<CommandWord>& words) {
    std::vector<CommandWord> all;
    for (CommandWord& word : words) {
      const std::string name = word.quoted ? "" : variable_meant(word.text);
      const auto value = variables_.values().find(name);
      const bool several = value != variables_.values().end() &&
                           value->second.find_first_of(" \t\n") != std::string::npos;
      if (!several) {
        all.push_back(std::move(word));
        continue;
      }
      for (const std::vector<CommandWord>& line : shell_commands(value->second, tree_.file)) {
        for (const CommandWord& one : line) all.push_back({one.text, word.line, one.quoted});
      }
      if (all.size() > kMostConfigValues) refuse_words();
    }
    words = std::move(all);
  }

  /// Whether the words set an array: "name=(" and its items.
  bool set_array(const std::vector<CommandWord>& words) {
    std::string name = words.front().text;
    if (!name.ends_with("=(")) return false;
    const bool adds = name.ends_with("+=(");
    name.resize(name.size() - (adds ? 3 : 2));
    std::vector<CommandWord>& array = arrays_[name];
    if (!adds) array.clear();
    array.insert(array.end(), words.begin() + 1, words.end());
    if (array.size() > kMostConfigValues) refuse_words();
    return true;
  }

  [[noreturn]] void refuse_words() const {
    throw InputError(tree_.file + ": expected at most " + format_integer(kMostConfigValues) +
                     " words");
  }

  /// Variables that double one another are bounded: a script of a few lines could fill the memory.
  void count(const CommandWord& word) {
    bytes_ += word.text.size();
    if (bytes_ <= kMostScriptBytes) return;
    throw InputError(tree_.file + ": expected at most " + format_integer(kMostScriptBytes) +
                     " bytes with the variables of the script put in");
  }

  void put_variables(CommandWord& word) {
    std::vector<std::string> defaults;
    word.text = variables_.put_in(word.text, defaults);
    count(word);
    for (const std::string& name : defaults) {
      const std::string shown_name = is_digit(name.front()) ? "$" + name : name;
      if (!contains(by_default_, shown_name)) by_default_.push_back(shown_name);
    }
  }

  void set_variable(const CommandWord& word) {
    const auto [name, value] = *assignment(word.text);
    const bool several = value.find(' ') != std::string::npos;  // options, of which some are known
    if (several || !is_unresolved(value)) variables_.set(name, value);
  }

  ConfigTree& tree_;
  ShellVariables variables_;
  std::map<std::string, std::vector<CommandWord>> arrays_;
  std::set<std::string> exported_;       ///< variables that the run gets
  std::size_t bytes_ = 0;                ///< of all words so far
  std::vector<std::string> not_set_;     ///< arrays and arguments that are left out
  std::vector<std::string> by_default_;  ///< variables whose default in the script was put in
  std::vector<std::vector<CommandWord>> starting_;
};

}  // namespace

ConfigTree command_tree(std::string_view text, const std::string& file) {
  ConfigTree tree;
  tree.file = file;
  refuse_other_text(text, file);
  ScriptReader script(tree);
  script.read(text);
  std::vector<CommandWord> chosen = script.longest();
  if (chosen.size() < 2) {
    throw InputError(file + ": expected a config in YAML or JSON, or a command with its options");
  }
  if (chosen.size() > kMostConfigValues) {
    throw InputError(file + ": expected at most " + format_integer(kMostConfigValues) + " words");
  }
  script.put_environment();
  CommandReader(std::move(chosen), tree).read();
  return tree;
}

}  // namespace sizesheet
