// SPDX-License-Identifier: Apache-2.0
#include "cli/near_models.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "catalog/catalog.h"
#include "sizing/model/parameters.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr const char* kUsualSize = "8b";

/// "qwen" of "qwen2.5-7b".
std::string family_of(const std::string& id) {
  return id.substr(0, id.find_first_of("0123456789-."));
}

/// 34e9 of "34B"; 0 of what is no size.
double parameters_of(const std::string& word) {
  const std::string letters = small_letters(word);
  if (letters.size() < 2 || !is_digit(letters.front())) return 0;
  const double unit = letters.back() == 'b' ? 1e9 : letters.back() == 'm' ? 1e6 : 0;
  const std::string number = letters.substr(0, letters.size() - 1);
  return number.find_first_not_of("0123456789.") == number.npos
             ? parsed<double>(number).value_or(0) * unit
             : 0;
}

/// Rows of the sheet by their sizes, which are models of no family.
bool is_size_row(const std::string& id) { return id.starts_with("size-"); }

/// How far apart two numbers of parameters are.
double distance(const Model& model, double wanted) {
  const auto total = static_cast<double>(count_parameters(model.architecture).total());
  return std::abs(std::log(total / wanted));
}

/// Of ids that say as much the newest is the last.
bool is_plainer(const std::string& id, const std::string& than) {
  const auto dashes = std::ranges::count(id, '-');
  const auto others = std::ranges::count(than, '-');
  return dashes <= others;
}

}  // namespace

bool is_model_family(const Catalog& catalog, const std::string& word) {
  const std::string letters = small_letters(word);
  if (letters.size() < 3 || contains({"size", "step"}, letters)) return false;
  return std::ranges::any_of(catalog.models,
                             [&](const auto& entry) { return family_of(entry.first) == letters; });
}

bool is_model_size(const std::string& word) { return parameters_of(word) > 0; }

std::string size_in_name(const std::string& name) {
  const std::size_t slash = name.find('/');
  const std::string own = slash == name.npos ? name : name.substr(slash + 1);
  const std::vector<std::string> parts = split(small_letters(own), '-');
  if (parts.size() < 2) return "";  // "34b" alone is a size, and no name
  const auto found = std::ranges::find_if(parts, is_model_size);
  return found == parts.end() ? "" : *found;
}

std::optional<NearModel> model_of_size(const Catalog& catalog, const std::string& size) {
  const double wanted = parameters_of(size);
  if (wanted <= 0) return std::nullopt;
  std::string nearest;
  double least = 0;
  for (const auto& [id, model] : catalog.models) {
    const ComponentCounts count = count_parameters(model.architecture);
    if (is_size_row(id) || count.active() != count.total()) continue;
    const double apart = distance(model, wanted);
    if (nearest.empty() || apart < least || (apart == least && is_plainer(id, nearest))) {
      std::tie(nearest, least) = std::tuple(id, apart);
    }
  }
  if (nearest.empty()) return std::nullopt;
  return NearModel{nearest, size + " is taken as " + nearest + ", the nearest size of the catalog"};
}

std::optional<NearModel> model_of_family(const Catalog& catalog, const std::string& family,
                                         const std::string& size) {
  const std::string letters = small_letters(family);
  const std::string wanted = small_letters(size.empty() ? kUsualSize : size);
  std::string found;
  double least = 0;
  for (const auto& [id, model] : catalog.models) {
    if (family_of(id) != letters) continue;
    if (!size.empty() && !contains(split(id, '-'), wanted)) continue;
    const double apart = size.empty() ? distance(model, parameters_of(wanted)) : 0;
    const bool nearer = apart < least - 0.05;
    const bool as_near = apart < least + 0.05;
    if (found.empty() || nearer || (as_near && is_plainer(id, found))) {
      std::tie(found, least) = std::tuple(id, apart);
    }
  }
  if (found.empty()) return std::nullopt;
  const std::string said = family + (size.empty() ? "" : " " + size);
  return NearModel{found, said + " is taken as " + found + "; sizesheet models " + letters +
                              " lists the others"};
}

}  // namespace sizesheet
