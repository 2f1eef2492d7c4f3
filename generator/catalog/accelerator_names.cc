// SPDX-License-Identifier: Apache-2.0
#include "catalog/accelerator_names.h"

#include <algorithm>

#include "catalog/entry.h"

namespace sizesheet {
namespace {

std::string lower(std::string text) {
  for (char& letter : text) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return text;
}

AcceleratorSign read_sign(ObjectReader& reader, const std::vector<std::string>& gpus) {
  AcceleratorSign sign;
  sign.provider = reader.text_or("provider", "");
  sign.text = reader.text_or("text", "");
  sign.gpu = read_id(reader, "gpu");
  check_reference(reader, "gpu", "GPU", gpus);
  if (sign.provider.empty() == sign.text.empty()) {
    reader.fault("", "expected either a provider or a text");
  }
  if (sign.text != lower(sign.text)) {
    reader.fault("text", "expected lower case, got " + shown(sign.text));
  }
  reader.done();
  return sign;
}

AcceleratorName read_name(ObjectReader& reader, const std::vector<std::string>& gpus) {
  AcceleratorName name;
  name.name = read_filled_text(reader, "name");
  name.gpu = read_id(reader, "gpu");
  check_reference(reader, "gpu", "GPU", gpus);
  name.unclear = read_note(reader, "unclear");
  if (reader.has("when")) {
    for (ObjectReader& sign : read_rows(reader, "when")) {
      name.signs.push_back(read_sign(sign, gpus));
    }
  }
  reader.done();
  return name;
}

std::map<std::string, std::string> read_texts(ObjectReader reader) {
  std::map<std::string, std::string> texts;
  for (const std::string& key : reader.keys()) texts[key] = read_filled_text(reader, key);
  reader.done();
  return texts;
}

}  // namespace

const AcceleratorName* AcceleratorNames::find(const std::string& name) const {
  const auto found = std::find_if(accelerators.begin(), accelerators.end(),
                                  [&](const AcceleratorName& each) { return each.name == name; });
  return found == accelerators.end() ? nullptr : &*found;
}

std::vector<std::string> AcceleratorNames::known() const {
  std::vector<std::string> names = not_in_catalog;
  for (const AcceleratorName& each : accelerators) names.push_back(each.name);
  return names;
}

ResolvedGpu resolve(const AcceleratorName& name, const std::string& provider,
                    const std::string& described) {
  const std::string text = lower(described);
  for (const AcceleratorSign& sign : name.signs) {
    const bool seen =
        sign.text.empty() ? sign.provider == provider : text.find(sign.text) != std::string::npos;
    if (seen) return {sign.gpu, false};
  }
  return {name.gpu, !name.unclear.empty()};
}

AcceleratorNames read_accelerator_names(ObjectReader reader, const std::vector<std::string>& gpus) {
  AcceleratorNames names;
  read_source(reader);
  read_date(reader, "date");
  names.providers = read_texts(reader.object("providers"));
  names.offers = read_texts(reader.object("offers"));
  std::vector<ObjectReader> rows = read_rows(reader, "accelerators");
  check_unique(rows, "name", "a name");
  for (ObjectReader& row : rows) names.accelerators.push_back(read_name(row, gpus));
  names.not_in_catalog = reader.texts("not_in_catalog");
  names.priced_without_gpus = reader.texts("priced_without_gpus");
  for (const std::string& name : names.not_in_catalog) {
    if (names.find(name) == nullptr) continue;
    reader.fault("not_in_catalog", "expected names without a GPU, got " + shown(name));
  }
  reader.done();
  return names;
}

}  // namespace sizesheet
