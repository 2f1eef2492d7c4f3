// SPDX-License-Identifier: Apache-2.0
#include "config/reading.h"

#include <algorithm>
#include <set>
#include <utility>

#include "config/laid_out.h"
#include "config/reader.h"
#include "config/text/yaml_values.h"
#include "support/error.h"
#include "support/text.h"

namespace sizesheet {
namespace {

std::vector<const ConfigFormat*> in_order(const ConfigFormats& formats) {
  std::vector<const ConfigFormat*> all;
  for (const auto& [id, format] : formats) {
    if (format.order > 0) all.push_back(&format);
  }
  std::ranges::stable_sort(all, {}, &ConfigFormat::order);
  return all;
}

const ConfigFormat& format_of(const ConfigTree& tree, const ConfigFormats& formats,
                              const std::string& asked) {
  std::vector<std::string> known;
  for (const ConfigFormat* one : in_order(formats)) {
    if (one->id == asked) return *one;
    known.push_back(one->id);
  }
  if (!asked.empty()) {
    throw InputError("--framework: expected one of " + join(known, ", ") + ", got " +
                     in_quotes(asked) + did_you_mean(asked, known));
  }
  const std::string id = recognised_format(tree.keys, formats);
  if (!id.empty()) return formats.at(id);
  if (tree.keys.contains("_command")) {
    throw InputError(tree.file + ": the command " + shown(tree.keys.at("_command")) +
                     " and its options are of no known framework; --framework names one of " +
                     join(known, ", "));
  }
  throw InputError(tree.file +
                   ": no format of training configs is recognised; each has keys of its own: " +
                   recognised_by(formats) + ". --framework names one of " + join(known, ", "));
}

/// Puts the keys of a second file where the first would have them, and the places of its lines.
void mount(ConfigTree file, const std::string& place, ConfigTree& tree,
           std::map<std::string, std::string>& files) {
  if (tree.keys.contains(place) && tree.keys.at(place).is_object() && place != "launch") {
    throw InputError(file.file + ": " + tree.file + " has " + place +
                     " itself, or another file is of it");
  }
  Json merged = std::move(file.keys);
  if (tree.keys.contains(place) && tree.keys.at(place).is_object()) {
    merged.merge_patch(tree.keys.at(place));  // options of the command count
  }
  tree.keys[place] = std::move(merged);
  for (const auto& [path, line] : file.lines) {
    const std::string whole = place + "." + path;
    if (tree.lines.emplace(whole, line).second) tree.other_files[whole] = file.file;
  }
  files[place] = file.file;
}

std::string name_in_path(const std::string& path) {
  const std::size_t last = path.find_last_of("/\\");
  return last == std::string::npos ? path : path.substr(last + 1);
}

/// The file that the command reads: by its name, else the only one that is no launch and no ZeRO
/// file. Throws InputError where it is not given.
std::size_t base_of(std::size_t command, const std::vector<ConfigTree>& files,
                    const ConfigFormats& formats) {
  const std::string& base = files[command].base;
  std::vector<std::size_t> others;
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (i == command) continue;
    if (name_in_path(files[i].file) == name_in_path(base)) return i;
    const std::string id = recognised_format(files[i].keys, formats);
    if (id.empty() || formats.at(id).mount.empty()) others.push_back(i);
  }
  if (others.size() == 1) return others.front();
  throw InputError(files[command].file + ":" + std::to_string(files[command].base_line) +
                   ": the command reads " + in_quotes(base) + ": add it with another --config");
}

/// Lays the options of a command over the config that it reads, and puts both in the place of the
/// first file.
void join_base(std::vector<ConfigTree>& files, const ConfigFormats& formats) {
  const auto found = std::ranges::find_if(files, [](const auto& one) { return !one.base.empty(); });
  if (found == files.end()) return;
  const auto command = static_cast<std::size_t>(found - files.begin());
  const std::size_t base = base_of(command, files, formats);
  ConfigTree joined = std::move(files[base]);
  const ConfigTree over = std::move(files[command]);
  joined.keys.merge_patch(over.keys);
  for (const auto& [path, line] : over.lines) {
    joined.lines[path] = line;
    joined.other_files[path] = over.file;
  }
  joined.remarks.insert(joined.remarks.end(), over.remarks.begin(), over.remarks.end());
  files.erase(files.begin() + static_cast<std::ptrdiff_t>(std::max(command, base)));
  files.erase(files.begin() + static_cast<std::ptrdiff_t>(std::min(command, base)));
  files.insert(files.begin(), std::move(joined));
}

/// A key of a second file is written as that file writes it; where no line is known, its place is
/// that file.
void put_file(const std::map<std::string, std::string>& files, const std::string& first,
              std::string& key, std::string& place) {
  const auto found = files.find(key.substr(0, key.find('.')));
  if (found == files.end() || key == found->first) return;
  key = key.substr(found->first.size() + 1);
  if (place == first) place = found->second;
}

}  // namespace

std::string recognised_format(const Json& keys, const ConfigFormats& formats) {
  ConfigTree tree;
  tree.keys = keys;
  const LaidOutFormat nothing;
  const ConfigGiven given;
  ConfigReader reader(tree, nothing, given);
  for (const ConfigFormat* format : in_order(formats)) {
    for (const Json& condition : format->recognise) {
      if (reader.holds(condition)) return format->id;
    }
  }
  return "";
}

std::string recognised_by(const ConfigFormats& formats) {
  std::vector<std::string> all;
  for (const ConfigFormat* format : in_order(formats)) {
    std::vector<std::string> keys;
    for (const auto& [name, test] : format->recognise.front().items()) {
      const bool absent = test.is_object() && test.value("said", true) == false;
      if (!absent && name.front() != '_') keys.push_back(name);
    }
    if (!keys.empty()) all.push_back(format->title + ": " + join(keys, " and "));
  }
  return join(all, "; ");
}

void ConfigReading::refuse() const {
  if (refused.empty()) return;
  throw InputError(join(each_of(refused, &ConfigRemark::text), "\n"));
}

ConfigReading read_config(std::vector<ConfigTree> files, const ConfigFormats& formats,
                          const std::string& format, const ConfigGiven& given) {
  join_base(files, formats);
  // The run is the file whose format is mounted nowhere; a launch or a ZeRO file may come first.
  for (std::size_t i = 1; i < files.size(); ++i) {
    const std::string first = recognised_format(files.front().keys, formats);
    if (first.empty() || formats.at(first).mount.empty()) break;
    std::rotate(files.begin(), files.begin() + 1, files.end());
  }
  ConfigTree& tree = files.front();
  std::map<std::string, std::string> places;
  std::vector<std::string> remarks = tree.remarks;
  for (std::size_t i = 1; i < files.size(); ++i) {
    const std::string id = recognised_format(files[i].keys, formats);
    const std::string place = id.empty() ? "" : formats.at(id).mount;
    if (place.empty()) {
      throw InputError(
          files[i].file +
          ": expected a launch file of accelerate, a DeepSpeed file or an FSDP file beside " +
          tree.file + (id.empty() ? "" : ", got one of " + formats.at(id).title));
    }
    remarks.insert(remarks.end(), files[i].remarks.begin(), files[i].remarks.end());
    mount(std::move(files[i]), place, tree, places);
  }
  if (!given.command.empty()) tree.keys["_command"] = given.command;
  resolve_references(tree.keys);
  const ConfigFormat& known = format_of(tree, formats, format);
  LaidOutFormat all = laid_out(known.id, formats, tree.keys);
  all.title = known.title + (known.version.empty() ? "" : " " + known.version);
  ConfigReader reader(tree, all, given);
  reader.read(known.unknown_refused);
  ConfigReading reading = reader.reading();
  reading.format = known.id;
  reading.file = tree.file;
  reading.title = all.title;
  if (reading.stack.empty()) reading.stack = known.stack;
  for (auto* list : {&reading.told, &reading.refused, &reading.asked}) {
    for (ConfigRemark& remark : *list) put_file(places, tree.file, remark.key, remark.place);
  }
  for (auto& [key, use] : reading.uses) put_file(places, tree.file, use.key, use.place);
  for (const std::string& words : remarks) {
    const std::size_t end = words.find(": ");
    reading.told.push_back({words.substr(0, end), "", words.substr(end + 2)});
  }
  return reading;
}

}  // namespace sizesheet
