// SPDX-License-Identifier: Apache-2.0
#include "render/html/templates_check.h"

#include <algorithm>
#include <kainjow/mustache.hpp>
#include <set>
#include <string_view>
#include <vector>

#include "render/formats.h"
#include "support/error.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr std::size_t kDeepest = 100;  // the renderer calls itself for each level

/// The file that a tag such as "> head " takes in; "" for any other tag.
std::string partial_of(const std::string& tag) {
  const std::size_t mark = tag.find_first_not_of(" \t\r\n");
  if (mark == std::string::npos || tag[mark] != '>') return "";
  const std::size_t first = tag.find_first_not_of(" \t\r\n", mark + 1);
  if (first == std::string::npos) return "";
  const std::size_t last = tag.find_last_not_of(" \t\r\n");
  return tag.substr(first, last + 1 - first) + kTemplateSuffix;
}

class Checker {
 public:
  Checker(const TemplateSet& templates, const std::string& directory)
      : templates_(templates), directory_(directory) {}

  void check() {
    for (const auto& [name, text] : templates_) {
      if (!name.ends_with(kTemplateSuffix)) continue;
      check_tags(name, tags_of(text));
      const kainjow::mustache::mustache parsed(text);
      if (!parsed.is_valid()) refuse(name, parsed.error_message());
    }
    for (const auto& [name, text] : templates_) follow(name);
  }

 private:
  [[noreturn]] void refuse(const std::string& name, const std::string& words) const {
    throw InputError(directory_ + "/" + name + ": " + words);
  }

  void check_tags(const std::string& name, const std::vector<std::string>& tags) const {
    std::size_t depth = 0;
    for (const std::string& tag : tags) {
      const std::size_t mark = tag.find_first_not_of(" \t\r\n");
      const char kind = mark == std::string::npos ? ' ' : tag[mark];
      if (kind == '=') refuse(name, "expected the delimiters {{ and }} throughout, got others");
      if (kind == '#' || kind == '^') ++depth;
      if (kind == '/' && depth > 0) --depth;
      check_format(name, tag);
      if (depth > kDeepest) {
        refuse(name, "expected at most " + std::to_string(kDeepest) + " sections in each other");
      }
    }
  }

  void check_format(const std::string& name, const std::string& tag) const {
    const std::size_t bar = tag.find('|');
    if (bar == std::string::npos) return;
    const std::string id = tag.substr(bar + 1, tag.find_last_not_of("} \t\r\n") - bar);
    if (format_of(id) == nullptr) {
      refuse(name, "no format named '" + id + "'" + did_you_mean(id, format_ids()));
    }
  }

  void follow(const std::string& name) {
    const auto found = templates_.find(name);
    if (found == templates_.end() || sound_.contains(name)) return;
    if (std::find(path_.begin(), path_.end(), name) != path_.end()) {
      refuse(name, "takes itself in: " + join(path_, " > ") + " > " + name);
    }
    path_.push_back(name);
    for (const std::string& tag : tags_of(found->second)) {
      const std::string partial = partial_of(tag);
      if (!partial.empty()) follow(partial);
    }
    path_.pop_back();
    sound_.insert(name);
  }

  const TemplateSet& templates_;
  const std::string& directory_;
  std::vector<std::string> path_;
  std::set<std::string> sound_;
};

}  // namespace

std::vector<std::string> tags_of(std::string_view text) {
  std::vector<std::string> tags;
  for (std::size_t at = text.find("{{"); at != std::string_view::npos; at = text.find("{{", at)) {
    at += 2;
    const std::size_t end = text.find("}}", at);
    tags.emplace_back(text.substr(at, end == std::string_view::npos ? end : end - at));
  }
  return tags;
}

void check_templates(const TemplateSet& templates, const std::string& directory) {
  Checker(templates, directory).check();
}

}  // namespace sizesheet
