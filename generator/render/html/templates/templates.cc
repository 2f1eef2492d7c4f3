// SPDX-License-Identifier: Apache-2.0
#include "render/html/templates/templates.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <set>
#include <system_error>

#include "render/phrases.h"
#include "render/svg/svg.h"
#include "support/files.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr std::size_t kDeepest = 100;  // the renderer calls itself for each level

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
      const char kind = tag.empty() ? ' ' : tag.front();
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
    const std::string id = tag.substr(bar + 1, tag.find_last_not_of("} ") - bar);
    if (format_of(id) == nullptr) {
      refuse(name, "no format named '" + id + "'" + did_you_mean(id, format_ids()));
    }
  }

  void follow(const std::string& name) {
    const auto found = templates_.find(name);
    if (found == templates_.end() || sound_.contains(name)) return;
    if (contains(path_, name)) {
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

std::string bytes_of_hex(const std::string& hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  }
  return bytes;
}

}  // namespace

TemplateSet builtin_templates() { return embedded_templates(); }

TemplateSet load_templates(const std::filesystem::path& directory) {
  std::error_code error;
  if (!std::filesystem::is_directory(directory, error)) {
    throw InputError(shown_path(directory) + ": not a directory of templates");
  }
  TemplateSet templates = builtin_templates();
  std::vector<std::string> known;
  for (const auto& [name, text] : templates) {
    known.push_back(name);
    if (!std::filesystem::is_directory(directory / name, error)) continue;
    throw InputError(shown_path(directory / name) + ": expected a template, got a folder");
  }
  for (const std::string& name : list_files(directory)) {
    const auto found = templates.find(name);
    if (found == templates.end()) {
      throw InputError(shown_path(directory / name) + ": no page uses a template of this name" +
                       did_you_mean(name, known));
    }
    constexpr std::size_t kMostTemplate = std::size_t{1} << 20U;  // the largest of ours has 40,000
    found->second = read_file(directory / name, kMostTemplate);
    if (is_utf8(found->second)) continue;
    throw InputError(shown_path(directory / name) + ": expected UTF-8 text");
  }
  check_templates(templates, shown_path(directory));
  return templates;
}

std::vector<std::string> tags_of(const std::string& text) {
  std::vector<std::string> tags;
  for (std::size_t at = text.find("{{"); at != text.npos; at = text.find("{{", at)) {
    at += 2;
    tags.push_back(kainjow::mustache::trim(text.substr(at, text.find("}}", at) - at)));
  }
  return tags;
}

std::string partial_of(const std::string& tag) {
  return tag.starts_with('>') ? kainjow::mustache::trim(tag.substr(1)) + kTemplateSuffix : "";
}

void check_templates(const TemplateSet& templates, const std::string& directory) {
  Checker(templates, directory).check();
}

std::string policy_hash(const std::string& text) {
  const std::string bytes = bytes_of_hex(sha256_hex(text));
  std::array<unsigned char, 64> base64{};  // of 32 bytes, 44 characters
  EVP_EncodeBlock(base64.data(), reinterpret_cast<const unsigned char*>(bytes.data()),
                  static_cast<int>(bytes.size()));
  return "'sha256-" + std::string(reinterpret_cast<const char*>(base64.data())) + "'";
}

std::string standalone_document(const std::string& title, const std::string& body,
                                const TemplateSet& templates) {
  const std::string& style = templates.at("style.css");
  const std::string& script = templates.at("table.js");
  const std::string policy = "default-src 'none'; style-src " + policy_hash(style) +
                             "; script-src " + policy_hash(script) + "; img-src data:";
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"" +
         policy + "\">\n<meta name=\"color-scheme\" content=\"light dark\">\n<title>" +
         escape_xml(title) + "</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>" + style +
         "</style>\n</head>\n<body>\n" + body + "<script>" + script +
         "</script>\n</body>\n</html>\n";
}

}  // namespace sizesheet
