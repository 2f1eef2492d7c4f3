// SPDX-License-Identifier: Apache-2.0
// YAML as events of yaml-cpp, which has no limit on what aliases write out: here every value knows
// how much it comes to and how deep it is before anything is copied.
#include "config/text/yaml_tree.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <memory>
#include <sstream>
#include <utility>

#include "config/text/config_tree.h"
#include "config/text/yaml_values.h"
#include "support/error.h"
#include "support/json.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr int kMostOpenBrackets = 1000;  ///< yaml-cpp looks ahead over all of them
constexpr const char* kMerge = "<<";
constexpr std::string_view kCoreTags = "tag:yaml.org,2002:";

struct YamlNode;
using YamlPart = std::shared_ptr<const YamlNode>;

struct YamlMember {
  std::string key;
  YamlPart value;
  int line = 0;  ///< of the key
};

struct YamlNode {
  enum class Kind { kScalar, kList, kMapping };
  Kind kind = Kind::kScalar;
  Json value;  ///< of a scalar
  std::vector<YamlPart> items;
  std::vector<YamlMember> members;
  int line = 0;
  std::size_t values = 1;  ///< with all below it, aliases written out
  int depth = 1;
};

/// A list or a mapping that is still open.
struct OpenNode {
  YamlNode node;
  YAML::anchor_t anchor = 0;
  std::string key;  ///< that waits for its value
  int key_line = 0;
  bool has_key = false;
  std::map<std::string, int> key_lines;
};

/// Builds the tree as the events come.
class YamlBuilder : public YAML::EventHandler {
 public:
  explicit YamlBuilder(ConfigTree& tree) : tree_(tree) {}

  const YamlPart& root() const { return root_; }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ > 1) refuse(mark, "expected one document, got another one behind ---");
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    add(mark, anchor, scalar(mark, nullptr));
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto found = anchors_.find(anchor);
    if (found == anchors_.end()) refuse(mark, "an alias refers to a value that contains it");
    add(mark, 0, found->second);
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    add(mark, anchor, scalar(mark, tagged(mark, tag, value)));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value /*style*/) override {
    open(mark, tag, anchor, YamlNode::Kind::kList);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value /*style*/) override {
    open(mark, tag, anchor, YamlNode::Kind::kMapping);
  }
  void OnMapEnd() override {
    merge(open_.back().node);
    close();
  }

 private:
  [[noreturn]] void refuse(const YAML::Mark& mark, const std::string& words) const {
    throw InputError(tree_.file + ":" + std::to_string(mark.line + 1) + ": " + words);
  }

  static YamlNode scalar(const YAML::Mark& mark, Json value) {
    YamlNode node;
    node.value = std::move(value);
    node.line = mark.line + 1;
    return node;
  }

  /// The value under its tag: "?" is none, "!" that of a text in quotes.
  Json tagged(const YAML::Mark& mark, const std::string& tag, const std::string& value) const {
    if (tag == "?" || tag.empty()) return plain_yaml_value(value);
    if (tag == "!") return value;
    const std::string kind = known_tag(mark, tag);
    return kind == "str" ? Json(value) : plain_yaml_value(value);
  }

  /// The word behind a tag of YAML itself. Another one makes a program's object or reads a file.
  std::string known_tag(const YAML::Mark& mark, const std::string& tag) const {
    static const std::vector<std::string> kKnown = {"str",  "int", "float", "bool",
                                                    "null", "map", "seq"};
    const std::string word =
        starts_with(tag, kCoreTags) ? tag.substr(kCoreTags.size()) : std::string();
    if (contains(kKnown, word)) return word;
    refuse(mark, "the tag " + in_quotes(tag) +
                     ": no file, variable or object behind a tag is read; write the value itself");
  }

  void open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
            YamlNode::Kind kind) {
    if (tag != "?" && tag != "!" && !tag.empty()) known_tag(mark, tag);
    if (open_.size() >= static_cast<std::size_t>(kMostConfigDepth)) refuse_depth(mark.line + 1);
    open_.emplace_back();
    open_.back().node.kind = kind;
    open_.back().node.line = mark.line + 1;
    open_.back().anchor = anchor;
  }

  void close() {
    OpenNode done = std::move(open_.back());
    open_.pop_back();
    YAML::Mark mark;
    mark.line = done.node.line - 1;
    add(mark, done.anchor, std::make_shared<const YamlNode>(std::move(done.node)));
  }

  void add(const YAML::Mark& mark, YAML::anchor_t anchor, YamlNode node) {
    add(mark, anchor, std::make_shared<const YamlNode>(std::move(node)));
  }

  void add(const YAML::Mark& mark, YAML::anchor_t anchor, const YamlPart& part) {
    if (anchor != 0) anchors_[anchor] = part;
    if (open_.empty()) {
      root_ = part;
      return;
    }
    OpenNode& parent = open_.back();
    if (parent.node.kind == YamlNode::Kind::kList) {
      parent.node.items.push_back(part);
    } else if (!parent.has_key) {
      take_key(mark, *part, parent);
      return;
    } else {
      put(part, parent);
    }
    grow(parent.node, *part);
  }

  void take_key(const YAML::Mark& mark, const YamlNode& part, OpenNode& parent) const {
    if (part.kind != YamlNode::Kind::kScalar) refuse(mark, "expected a word as a key, got a list");
    parent.key = part.value.is_string() ? part.value.get<std::string>() : part.value.dump();
    parent.key_line = mark.line + 1;
    parent.has_key = true;
  }

  /// A key that is said twice has its last value, as PyYAML has it.
  void put(const YamlPart& part, OpenNode& parent) {
    parent.has_key = false;
    auto& members = parent.node.members;
    const auto before = parent.key_lines.find(parent.key);
    if (before != parent.key_lines.end() && parent.key != kMerge) {
      tree_.remarks.push_back(tree_.file + ":" + std::to_string(parent.key_line) + ": " +
                              plain_text(parent.key) + " is also said in line " +
                              std::to_string(before->second) + "; the last one counts");
      std::erase_if(members, [&](const auto& one) { return one.key == parent.key; });
    }
    parent.key_lines[parent.key] = parent.key_line;
    members.push_back({parent.key, part, parent.key_line});
  }

  void grow(YamlNode& parent, const YamlNode& part) const {
    parent.values += part.values;
    parent.depth = std::max(parent.depth, part.depth + 1);
    if (parent.depth > kMostConfigDepth) refuse_depth(parent.line);
    if (parent.values <= kMostConfigValues) return;
    throw InputError(tree_.file + ":" + std::to_string(parent.line) + ": expected at most " +
                     format_integer(kMostConfigValues) + " values with aliases written out");
  }

  [[noreturn]] void refuse_depth(int line) const {
    throw InputError(tree_.file + ":" + std::to_string(line) + ": expected at most " +
                     std::to_string(kMostConfigDepth) + " mappings and lists in one another");
  }

  /// Keys of `<<` count where the mapping has none of that name. Of several `<<` the last counts,
  /// of a list the first, as PyYAML has it.
  void merge(YamlNode& node) const {
    std::vector<YamlPart> merged;
    for (auto member = node.members.rbegin(); member != node.members.rend(); ++member) {
      const YamlPart& part = member->value;
      if (member->key != kMerge) continue;
      if (part->kind == YamlNode::Kind::kList) {
        merged.insert(merged.end(), part->items.begin(), part->items.end());
      } else {
        merged.push_back(part);
      }
    }
    if (merged.empty()) return;
    std::erase_if(node.members, [](const auto& one) { return one.key == kMerge; });
    for (const YamlPart& from : merged) {
      for (const auto& member : from->members) {
        const bool known = std::ranges::any_of(
            node.members, [&](const auto& one) { return one.key == member.key; });
        if (!known) node.members.push_back(member);
      }
    }
  }

  ConfigTree& tree_;
  int documents_ = 0;
  std::vector<OpenNode> open_;
  std::map<YAML::anchor_t, YamlPart> anchors_;
  YamlPart root_;
};

Json json_of(const YamlNode& node, const std::string& path, ConfigTree& tree) {
  if (node.kind == YamlNode::Kind::kScalar) return node.value;
  if (node.kind == YamlNode::Kind::kList) {
    Json list = Json::array();
    for (const YamlPart& item : node.items) list.push_back(json_of(*item, path + "[]", tree));
    return list;
  }
  Json object = Json::object();
  for (const auto& [key, part, line] : node.members) {
    const std::string place = path.empty() ? key : path + "." + key;
    tree.lines.emplace(place, line);
    object[key] = json_of(*part, place, tree);
  }
  return object;
}

/// yaml-cpp keeps every bracket that is open in mind before it says anything of the first.
void refuse_open_brackets(std::string_view text, const std::string& file) {
  int open = 0;
  int line = 1;
  for (const char letter : text) {
    if (letter == '\n') ++line;
    if (letter == '[' || letter == '{') ++open;
    if ((letter == ']' || letter == '}') && open > 0) --open;
    if (open <= kMostOpenBrackets) continue;
    throw InputError(file + ":" + std::to_string(line) + ": expected at most " +
                     std::to_string(kMostOpenBrackets) + " open brackets");
  }
}

}  // namespace

ConfigTree yaml_tree(std::string_view text, const std::string& file) {
  ConfigTree tree;
  tree.file = file;
  refuse_other_text(text, file);
  refuse_open_brackets(text, file);
  YamlBuilder builder(tree);
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(builder))
      throw InputError(file + ": expected keys, got nothing");
    parser.HandleNextDocument(builder);  // refuses another one
  } catch (const YAML::Exception& error) {
    throw InputError(file + ":" + std::to_string(error.mark.line + 1) + ":" +
                     std::to_string(error.mark.column + 1) +
                     ": expected YAML or JSON: " + plain_text(error.msg));
  }
  const YamlPart root = builder.root();
  if (root == nullptr || root->kind != YamlNode::Kind::kMapping) {
    throw InputError(file + ": expected a mapping of keys and values");
  }
  tree.keys = json_of(*root, "", tree);
  return tree;
}

}  // namespace sizesheet
