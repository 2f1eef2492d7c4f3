// SPDX-License-Identifier: Apache-2.0
#include "render/html/standalone.h"

#include <cstdint>

#include "render/svg/svg_text.h"
#include "support/files.h"

namespace sizesheet {

namespace {

std::string bytes_of_hex(const std::string& hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  }
  return bytes;
}

std::string base64(const std::string& bytes) {
  static const char* const kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group =
          (group << 8U) | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      const bool pad = i + k > bytes.size();
      out += pad ? '=' : kDigits[(group >> (18U - 6U * k)) & 63U];
    }
  }
  return out;
}

}  // namespace

std::string policy_hash(const std::string& text) {
  return "'sha256-" + base64(bytes_of_hex(sha256_hex(text))) + "'";
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
