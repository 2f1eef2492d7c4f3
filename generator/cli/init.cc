// SPDX-License-Identifier: Apache-2.0
#include "cli/init.h"

#include <algorithm>
#include <memory>
#include <span>
#include <utility>

#include "catalog/catalog.h"
#include "catalog/files/entry.h"
#include "catalog/files/loader.h"
#include "catalog/model_names.h"
#include "catalog/models/model.h"
#include "catalog/names.h"
#include "cli/command_parts.h"
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/question_table.h"
#include "cli/taken_names.h"
#include "sheet/assemble/load_spec.h"
#include "sheet/spec.h"
#include "sizing/model/parameters.h"
#include "support/durable.h"
#include "support/error.h"
#include "support/json.h"
#include "support/object_text.h"
#include "support/text.h"

namespace sizesheet {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kWidth = 100;

struct InitOptions : CommonOptions {
  fs::path file = "ours.json";
  std::vector<std::string> models, gpus;  ///< as people call them; empty: those of the sheet
  bool over_others = false;               ///< the catalog was named
  bool json = false;
};

// ---- What the document says.

/// A row of a table in the document of the sheet's specification.
struct SheetKey {
  std::string path;     ///< "models[].size"
  std::string words;    ///< what it says, and in brackets what holds where it is left out
  std::string section;  ///< what heads the first key of a section; else ""
};

/// Markdown as a comment has it: links without their targets, code in quotes.
std::string plain_words(std::string_view markdown) {
  std::string words;
  for (std::size_t i = 0; i < markdown.size(); ++i) {
    const bool target = markdown.substr(i).starts_with("](");
    if (target) i = markdown.find(')', i);
    if (target || markdown[i] == '[') continue;
    words += markdown[i] == '`' ? '"' : markdown[i];
  }
  const std::size_t first = words.find_first_not_of(' ');
  return first == words.npos ? "" : words.substr(first, words.find_last_not_of(' ') + 1 - first);
}

std::vector<SheetKey> sheet_keys() {
  std::vector<SheetKey> keys;
  std::string section;
  for (const std::string& line : split(embedded_documents().at("sheet.md"), '\n')) {
    if (line.starts_with("## ")) section = "---- " + line.substr(3) + ".";
    const bool sentence = !line.empty() && is_capital(line.front());
    if (sentence && !section.empty()) section += " " + plain_words(line);
    if (!line.starts_with("| `")) continue;
    const std::vector<std::string> cells = split(line, '|');
    const std::string fallback = plain_words(cells.at(2));
    keys.push_back({cells[1].substr(2, cells[1].rfind('`') - 2),
                    plain_words(cells.at(3)) + (fallback.empty() ? "" : " (" + fallback + ")"),
                    std::exchange(section, "")});
  }
  return keys;
}

// ---- The specification as people read it.

void put_comment(const std::string& indent, const std::string& words, std::string& text) {
  std::string line = indent + "//";
  for (const std::string& word : split(words, ' ')) {
    if (line.size() + 1 + word.size() > kWidth) {
      text += std::exchange(line, indent + "//") + '\n';
    }
    line += ' ' + word;
  }
  text += line + '\n';
}

/// On one line where it has room behind what is `taken` of it, else a line for each part.
std::string laid_out(const Json& value, const std::string& indent, std::size_t taken) {
  if (!value.is_structured()) return json_text(value);
  const std::string inner = indent + "  ";
  std::vector<std::string> parts;
  for (const auto& [key, part] : value.items()) {
    const std::string name = value.is_object() ? json_text(key) + ": " : "";
    parts.push_back(name + laid_out(part, inner, inner.size() + name.size()));
  }
  const std::string open = value.is_object() ? "{" : "[";
  const std::string close = value.is_object() ? "}" : "]";
  const std::string line = open + join(parts, ", ") + close;
  if (line.find('\n') == line.npos && taken + line.size() < kWidth) return line;
  return open + "\n" + inner + join(parts, ",\n" + inner) + "\n" + indent + close;
}

using SheetKeys = std::span<const SheetKey>;

void put_members(SheetKeys keys, std::size_t from, const Json& object, const std::string& indent,
                 std::string& text);

/// A member under what its rows in the document say; where there is none, that alone.
void put_member(SheetKeys rows, std::size_t from, const std::string& name, const Json* value,
                const std::string& indent, std::string& text) {
  const std::size_t own = rows.front().path.size() == from + name.size() ? 1 : 0;
  const bool nested = value != nullptr && value->is_object() && rows.size() > own;
  for (const SheetKey& key : nested ? rows.first(own) : rows) {
    const std::string rest = key.path.substr(from);
    const bool itself = value != nullptr && rest == name;
    put_comment(indent, (itself ? "" : json_text(rest) + ": ") + key.words, text);
  }
  if (value == nullptr) return;
  const std::string start = indent + json_text(name) + ": ";
  text += start;
  if (!nested) {
    text += laid_out(*value, indent, start.size());
    return;
  }
  text += "{\n";
  put_members(rows.subspan(own), from + name.size() + 1, *value, indent + "  ", text);
  text += indent + "}";
}

/// The members of `object` in the order of the document. `from` is where their names begin in the
/// paths of `keys`.
void put_members(SheetKeys keys, std::size_t from, const Json& object, const std::string& indent,
                 std::string& text) {
  const auto name_of_key = [from](const SheetKey& key) {
    return key.path.substr(from, key.path.find_first_of(".[", from) - from);
  };
  std::size_t left = object.size();
  while (!keys.empty()) {
    const std::string name = name_of_key(keys.front());
    const auto other = std::ranges::find_if_not(
        keys, [&](const SheetKey& key) { return name_of_key(key) == name; });
    const SheetKeys rows = keys.first(static_cast<std::size_t>(other - keys.begin()));
    keys = keys.subspan(rows.size());
    if (from == 0 && !rows.front().section.empty()) {
      text += '\n';
      put_comment(indent, rows.front().section, text);
    }
    const auto member = object.find(name);
    put_member(rows, from, name, member != object.end() ? &*member : nullptr, indent, text);
    if (member != object.end()) text += --left > 0 ? ",\n" : "\n";
  }
}

// ---- The command.

std::string next_command(const InitOptions& options, const fs::path& file) {
  std::string command = "sizesheet build --sheet " + shown_path(file) + " --out pages";
  if (!options.over_others) return command;
  for (const fs::path& folder : options.catalog.folders()) {
    command += " --catalog " + shown_path(folder);
  }
  return command;
}

/// The id of the sheet that a file of this name is.
std::string id_for(const fs::path& file) {
  const std::string stem = file.stem().string();
  if (file.extension() == ".json" && is_id(stem)) return stem;
  std::string id;
  for (const char letter : stem) {
    const bool fine = is_letter_or_digit(letter) || letter == '.' || letter == '-';
    id += is_capital(letter) ? static_cast<char>(letter - 'A' + 'a') : fine ? letter : '-';
  }
  throw InputError(shown_path(file) +
                   ": expected a name of small letters, digits, dots and dashes that ends in "
                   ".json, got " +
                   in_quotes(file.filename().string()) +
                   (is_id(id) ? " (did you mean " + in_quotes(id + ".json") + "?)" : ""));
}

/// "8B", as the matrix calls a model of this size.
std::string size_label(const Model& model) {
  const double billions = static_cast<double>(count_parameters(model.architecture).total()) / 1e9;
  return format_number(billions, billions < 1 ? 1 : 0) + "B";
}

/// Of the plan what is of models and GPUs that the sheet has.
void keep_plan(Json& sheet) {
  if (!sheet.contains("plan")) return;
  Json& plan = sheet["plan"];
  const auto keep = [&](const char* list, const char* key, const auto& is_there) {
    if (!plan.contains(list)) return;
    Json kept = Json::array();
    for (const Json& one : plan.at(list)) {
      if (is_there(one.at(key))) kept.push_back(one);
    }
    plan[list] = std::move(kept);
  };
  keep("runs", "model", [&](const Json& id) {
    return std::ranges::any_of(sheet.at("models"),
                               [&](const Json& model) { return model.at("id") == id; });
  });
  keep("contracts", "gpu", [&](const Json& id) {
    return std::ranges::find(sheet.at("gpus"), id) != sheet.at("gpus").end();
  });
  for (const char* of_machines : {"machines", "lead_months_of"}) plan.erase(of_machines);
  if (plan.at("runs").empty()) sheet.erase("plan");
}

/// The models that are named, instead of those of the other sheet.
void put_models(InitOptions& options, const Catalog& catalog, TakenNames& taken, Json& sheet) {
  sheet["models"] = Json::array();
  for (std::string& model : options.models) {
    const ModelTaken known_as = take_model(model, catalog, options, taken);
    if (!known_as.stored.empty()) {
      taken.tell(in_quotes(known_as.asked) + " stores its weights in " + known_as.stored +
                 "; a sheet sizes those of " + known_as.id + " in 16 bits");
    }
    const Model& known = catalog.models.at(model);
    sheet["models"].push_back({{"id", model}, {"size", size_label(known)}, {"note", known.title}});
  }
  sheet["highlight_model"] = options.models.front();
  if (sheet.contains("handout")) sheet["handout"].erase("models");
  keep_plan(sheet);
}

/// The sheet under another id, of other models and GPUs where some are named. `err` hears what
/// their names were taken for.
Json sheet_of_ones_own(InitOptions options, std::ostream& err) {
  const Catalog catalog = load_sound_catalog(options.catalog);
  const SheetSpec spec = load_sheet_spec(options.sheet, options.catalog, catalog);
  Json sheet = spec.raw;
  sheet["id"] = id_for(options.file);
  // Files beside the other one.
  if (sheet.contains("handout")) sheet["handout"].erase("logo");
  if (!starts_with(sheet.value("labels", ""), std::string(kBuiltInCatalog) + "/")) {
    sheet.erase("labels");
  }
  TakenNames taken(err);
  for (std::string& gpu : options.gpus) {
    take_name(gpu, "GPU", called_gpus(catalog), taken, spec.gpus);
  }
  if (!options.gpus.empty()) {
    sheet["gpus"] = options.gpus;
    if (sheet.contains("handout")) sheet["handout"].erase("gpus");
    keep_plan(sheet);
  }
  if (!options.models.empty()) put_models(options, catalog, taken, sheet);
  Faults faults;  // a model or a GPU named twice, a GPU of unknown memory
  const std::string file = shown_path(options.file);
  const SheetSpec made = read_sheet_spec(ObjectReader(sheet, file, "", faults), catalog);
  refuse_unknown_memory(made, catalog, file, faults);
  faults.refuse();
  return sheet;
}

int run_init(const InitOptions& options, const Streams& streams) {
  std::ostream& err = streams.err;
  const Json sheet = sheet_of_ones_own(options, err);
  std::string text;
  put_comment("",
              "A sheet's specification. The comment above a key says what it is, with its default "
              "in brackets. A key in a comment alone is left out here.",
              text);
  put_comment("", next_command(options, options.file.filename()), text);
  text += "{";
  put_members(sheet_keys(), 0, sheet, "  ", text);
  text += "}\n";
  const std::string name = shown_path(options.file);
  const fs::path above = options.file.parent_path();
  const fs::path folder = above.empty() ? "." : above;
  std::error_code none;
  if (!fs::is_directory(folder, none)) {
    throw InputError(name + ": expected a folder to write to, got " +
                     in_quotes(folder.generic_string()) + ", which is none");
  }
  const FolderLock lock(folder);
  if (fs::symlink_status(options.file, none).type() != fs::file_type::not_found) {
    throw InputError(name +
                     ": expected a name that nothing has yet, got one that is there; init "
                     "overwrites nothing");
  }
  replace_file(options.file, text);
  if (options.json) {
    streams.out << json_text(Json{{"file", options.file.string()},
                                  {"next", next_command(options, options.file)},
                                  {"sheet", options.sheet}})
                << '\n';
  }
  err << "written: " << name << ", as " << options.sheet << " is; change it, then run\n  "
      << next_command(options, options.file) << '\n';
  return 0;
}

}  // namespace

void add_init(CLI::App& app, const Streams& streams, Command& chosen) {
  auto options = std::make_shared<InitOptions>();
  CLI::App* command =
      app.add_subcommand("init", "Write your own specification of a sheet, with comments, to edit");
  command->add_option("file", options->file, "The file to write; nothing is overwritten")
      ->capture_default_str();
  add_texts(*command, "--model", options->models, "A model of it, again for each; left out: all");
  add_texts(*command, "--gpu", options->gpus, "A GPU of it, likewise");
  command
      ->add_option("--sheet", options->sheet,
                   "Id of the sheet in the catalog, or the file, that "
                   "it begins as")
      ->capture_default_str();
  add_catalog(*command, options->catalog);
  command->add_flag("--json", options->json, "Say what was written, as JSON");
  set_run(*command, chosen, [options, command, &streams] {
    options->over_others = command->count("--catalog") > 0;
    return run_init(*options, streams);
  });
}

}  // namespace sizesheet
