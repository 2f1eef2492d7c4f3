// SPDX-License-Identifier: Apache-2.0
#include "render/html/templates/templates.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <kainjow/mustache.hpp>
#include <set>
#include <system_error>

#include "render/formats.h"
#include "render/svg/svg.h"
#include "support/error.h"
#include "support/files.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr std::size_t kDeepest = 100;  // the renderer calls itself for each level

/// What is wrong with a template by itself; "" where nothing is.
std::string fault_of(const std::string& text) {
  std::size_t depth = 0;
  for (const std::string& tag : tags_of(text)) {
    const char kind = tag.empty() ? ' ' : tag.front();
    if (kind == '=') return "expected the delimiters {{ and }} throughout, got others";
    if (kind == '#' || kind == '^') ++depth;
    if (kind == '/' && depth > 0) --depth;
    const std::size_t bar = tag.find('|');
    if (bar != std::string::npos) {
      const std::string format = tag.substr(bar + 1, tag.find_last_not_of("} ") - bar);
      if (const std::string fault = format_fault(format); !fault.empty()) return fault;
    }
    if (depth > kDeepest) {
      return "expected at most " + std::to_string(kDeepest) + " sections in each other";
    }
  }
  return kainjow::mustache::mustache(text).error_message();
}

/// "a > b > a", where a template takes itself in by its partials; "" where none on the way from
/// `path` does. Those known to be sound are not followed again.
std::string circle_from(const TemplateSet& templates, std::vector<std::string> path,
                        std::set<std::string>& sound) {
  const std::string name = path.back();
  const auto found = templates.find(name);
  if (found == templates.end() || sound.contains(name)) return "";
  if (std::ranges::count(path, name) > 1) return join(path, " > ");
  for (const std::string& tag : tags_of(found->second)) {
    path.push_back(partial_of(tag));
    const std::string circle = circle_from(templates, path, sound);
    if (!circle.empty()) return circle;
    path.pop_back();
  }
  sound.insert(name);
  return "";
}

}  // namespace

TemplateSet builtin_templates() {
  return {embedded_templates().begin(), embedded_templates().end()};
}

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
  const auto refuse = [&](const std::string& name, const std::string& words) {
    throw InputError(directory + "/" + name + ": " + words);
  };
  for (const auto& [name, text] : templates) {
    if (!name.ends_with(kTemplateSuffix)) continue;
    if (const std::string fault = fault_of(text); !fault.empty()) refuse(name, fault);
  }
  std::set<std::string> sound;
  for (const auto& [name, text] : templates) {
    const std::string circle = circle_from(templates, {name}, sound);
    if (!circle.empty()) refuse(circle.substr(circle.rfind(' ') + 1), "takes itself in: " + circle);
  }
}

std::string policy_hash(const std::string& text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> hash{};
  unsigned int size = 0;
  EVP_Digest(text.data(), text.size(), hash.data(), &size, EVP_sha256(), nullptr);
  std::array<unsigned char, 64> base64{};  // of 32 bytes, 44 characters
  EVP_EncodeBlock(base64.data(), hash.data(), static_cast<int>(size));
  return "'sha256-" + std::string(reinterpret_cast<const char*>(base64.data())) + "'";
}

std::string standalone_document(const std::string& title, const std::string& body,
                                const TemplateSet& templates) {
  const std::string& style = templates.at("style.css");
  const std::string& script = templates.at("table.js");
  const std::string policy = "default-src 'none'; style-src " + policy_hash(style) +
                             "; script-src " + policy_hash(script) +
                             "; img-src data:; base-uri 'none'; form-action 'none'";
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"" +
         policy + "\">\n<meta name=\"color-scheme\" content=\"light dark\">\n<title>" +
         escape_xml(title) + "</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>" + style +
         "</style>\n</head>\n<body>\n" + body + "<script>" + script +
         "</script>\n</body>\n</html>\n";
}

}  // namespace sizesheet
