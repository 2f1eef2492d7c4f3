// SPDX-License-Identifier: Apache-2.0
#include "catalog/prices/accelerator_names.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "catalog/files/entry.h"
#include "catalog/files/spelling.h"
#include "support/error.h"
#include "support/json.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// Words of a name that no two cards of the catalog differ by.
constexpr const char* kNeutralParts[] = {
    "nvidia", "amd",    "geforce",   "tesla",   "gpu",         "instinct", "bare",
    "metal",  "server", "baremetal", "edition", "workstation", "blackwell"};

/// "80g", "80gb", "80gib"; nullopt for what is no memory.
std::optional<double> memory_of(const std::string& part) {
  for (const std::string_view unit : {"gib", "gb", "g"}) {
    if (!part.ends_with(unit)) continue;
    const auto amount = parsed<double>(std::string_view(part).substr(0, part.size() - unit.size()));
    if (amount && *amount >= 1) return amount;
  }
  return std::nullopt;
}

/// "sxm" of "sxm5"; "" for what is no form.
std::string form_of(const std::string& part) {
  const std::size_t digits = part.find_last_not_of("0123456789");
  if (digits != std::string::npos && part.substr(0, digits + 1) == "sxm") return "sxm";
  return part == "pcie" || part == "nvl" ? part : "";
}

/// The form that a machine's name says: "sxm" of "gpu_1x_a100_SXM4". A DGX and an HGX have
/// SXM; bridges ("NVLink") are no form.
std::string form_of_machine(const std::string& instance) {
  for (const std::string& part : bare_words(instance)) {
    if (part == "dgx" || part == "hgx") return "sxm";
    if (const std::string form = form_of(part); !form.empty()) return form;
  }
  return "";
}

/// What may end a stem without a separator: "H100NVL", "H100SXM5", "RTXPRO6000Blackwell".
void cut_endings(AcceleratorSpelling& spelling) {
  for (const std::string ending :
       {"blackwell", "baremetal", "pcie", "nvl", "sxm", "sxm4", "sxm5"}) {
    const std::string& stem = spelling.stem;
    if (stem.size() <= ending.size() || !stem.ends_with(ending)) continue;
    if (spelling.form.empty()) spelling.form = form_of(ending);
    spelling.stem.resize(stem.size() - ending.size());
  }
}

/// What the id of a card says of its form: "pcie" of "a100-80-pcie"; "" where it says nothing.
std::string form_of_card(const std::string& gpu) {
  const std::size_t dash = gpu.rfind('-');
  return form_of(dash == std::string::npos ? gpu : gpu.substr(dash + 1));
}

/// Drivers and feeds call a card of 80 GB anything from 79 to 81, one of 288 even 262.
bool has_memory(const AcceleratorNames& names, const std::string& gpu, double memory_gb) {
  constexpr double kSlack = 0.12;
  const auto known = names.memory_gb.find(gpu);
  if (known == names.memory_gb.end()) return true;
  return memory_gb >= known->second * (1 - kSlack) && memory_gb <= known->second * (1 + kSlack);
}

/// The memory that a machine's name says behind the GPU's: "a100-80gb.sxm.8x".
std::optional<double> memory_in_instance(const std::string& instance, const std::string& stem) {
  constexpr std::size_t kNear = 2;  // parts: the form may be between
  const std::vector<std::string> parts = bare_words(instance);
  const auto place = std::ranges::find(parts, stem);
  if (place == parts.end()) return std::nullopt;
  for (auto part = std::next(place);
       part != parts.end() && std::distance(place, part) <= std::ptrdiff_t{kNear}; ++part) {
    if (const auto memory = memory_of(*part)) return memory;
  }
  return std::nullopt;
}

class GpuResolver {
 public:
  GpuResolver(const AcceleratorNames& names, const DescribedGpu& described)
      : names_(names), described_(described), spelling_(spelling_of(described.name)) {
    gather();
  }

  ResolvedGpu resolved() {
    if (entries_.empty()) return refused("");
    std::vector<std::string> fitting = of_form_and_name();
    if (fitting.empty()) {
      return refused(in_quotes(described_.name) + " is none of " + join(cards_, ", "));
    }
    const std::vector<std::string> named = fitting;
    std::vector<double> memory = described_.memory_gb;
    if (memory.empty()) {
      if (const auto told = memory_in_instance(described_.instance, spelling_.stem)) {
        memory.push_back(*told);
      }
    }
    if (!memory.empty()) fitting = of_memory(fitting, memory);
    if (fitting.empty()) return refused(contradiction(named, memory));
    const std::string machine = form_of_machine(described_.instance);
    if (!spelling_.form.empty() && !machine.empty() && machine != spelling_.form) {
      return refused(in_quotes(described_.name) + " and the machine " +
                     in_quotes(described_.instance) + " contradict each other");
    }
    return chosen(fitting);
  }

 private:
  static ResolvedGpu refused(const std::string& why) { return {"", "", why}; }

  /// The entry of exactly this name, then all that mean a card of the same stem.
  void gather() {
    if (const AcceleratorName* exact = names_.find(described_.name)) entries_.push_back(exact);
    exact_ = !entries_.empty();
    for (const AcceleratorName& entry : names_.accelerators) {
      const bool known = exact_ && &entry == entries_.front();
      if (!known && spelling_of(entry.name).stem == spelling_.stem) entries_.push_back(&entry);
    }
    for (const AcceleratorName* entry : entries_) {
      add_card(entry->gpu);
      for (const AcceleratorSign& sign : entry->signs) add_card(sign.gpu);
    }
  }

  void add_card(const std::string& gpu) {
    if (!contains(cards_, gpu)) cards_.push_back(gpu);
  }

  std::vector<std::string> of_form_and_name() const {
    std::vector<std::string> fitting = cards_;
    std::erase_if(fitting, [&](const std::string& gpu) {
      const std::string form = form_of_card(gpu);
      if (!spelling_.form.empty() && !form.empty() && form != spelling_.form) return true;
      return spelling_.memory_gb && !has_memory(names_, gpu, *spelling_.memory_gb);
    });
    return fitting;
  }

  std::vector<std::string> of_memory(std::vector<std::string> cards,
                                     const std::vector<double>& readings) const {
    std::erase_if(cards, [&](const std::string& gpu) {
      return std::ranges::none_of(readings,
                                  [&](double memory) { return has_memory(names_, gpu, memory); });
    });
    return cards;
  }

  std::string contradiction(const std::vector<std::string>& cards,
                            const std::vector<double>& memory) const {
    std::vector<std::string> have;
    for (const std::string& gpu : cards) {
      have.push_back(gpu + " has " + shortest(names_.memory_gb.at(gpu)) + " GB");
    }
    return in_quotes(described_.name) + " and a memory of " +
           shortest(std::round(10 * memory.front()) / 10) +
           " GB per GPU contradict each other: " + join(have, ", ");
  }

  bool of_one_memory(const std::vector<std::string>& cards) const {
    return std::ranges::all_of(cards, [&](const std::string& gpu) {
      const auto first = names_.memory_gb.find(cards.front());
      return first == names_.memory_gb.end() || has_memory(names_, gpu, first->second);
    });
  }

  const AcceleratorSign* sign_for(const AcceleratorName& entry,
                                  const std::vector<std::string>& fitting) const {
    const std::string text = small_letters(described_.instance + " " + described_.words);
    const auto seen = std::ranges::find_if(entry.signs, [&](const AcceleratorSign& sign) {
      if (!contains(fitting, sign.gpu)) return false;
      return sign.text.empty() ? sign.provider == described_.provider
                               : text.find(sign.text) != std::string::npos;
    });
    return seen == entry.signs.end() ? nullptr : &*seen;
  }

  ResolvedGpu chosen(const std::vector<std::string>& fitting) const {
    if (fitting.size() == 1) return {fitting.front(), "", ""};
    const bool ambiguous = described_.memory_gb.size() > 1 || !exact_;
    if (ambiguous && !of_one_memory(fitting)) {
      return refused(in_quotes(described_.name) + " may be " + join(fitting, " or ") +
                     ": expected the memory of a GPU beside it");
    }
    for (const AcceleratorName* entry : entries_) {
      if (const AcceleratorSign* sign = sign_for(*entry, fitting)) return {sign->gpu, "", ""};
      if (!contains(fitting, entry->gpu)) continue;
      const bool told = exact_ && entry->unclear.empty();
      return {entry->gpu, told ? "" : words_for(*entry, fitting), ""};
    }
    return {fitting.front(), join(fitting, " or "), ""};
  }

  static std::string words_for(const AcceleratorName& entry,
                               const std::vector<std::string>& fitting) {
    return entry.unclear.empty() ? join(fitting, " or ") : entry.unclear;
  }

  const AcceleratorNames& names_;
  const DescribedGpu& described_;
  AcceleratorSpelling spelling_;
  bool exact_ = false;
  std::vector<const AcceleratorName*> entries_;
  std::vector<std::string> cards_;  ///< all that the name may mean
};

AcceleratorName read_name(ObjectReader& reader, const EntryRules& rules) {
  auto name = read_members<AcceleratorName>(reader, rules);
  if (reader.has("when")) {
    name.signs = read_list(reader, "when", [&](ObjectReader& row) {
      auto sign = read_members<AcceleratorSign>(row, rules);
      if (sign.provider.empty() == sign.text.empty()) {
        row.fault("", "expected either a provider or a text");
      }
      if (sign.text != small_letters(sign.text)) row.mismatch("text", "lower case", sign.text);
      row.done();
      return sign;
    });
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

AcceleratorSpelling spelling_of(const std::string& name) {
  AcceleratorSpelling spelling;
  bool linked = false;
  for (const std::string& part : bare_words(name)) {
    if (std::ranges::find(kNeutralParts, part) != std::end(kNeutralParts)) continue;
    const auto memory = memory_of(part);
    const std::string form = form_of(part);
    if (memory && !spelling.stem.empty()) {
      spelling.memory_gb = memory;
    } else if (!form.empty()) {
      spelling.form = form;
    } else if (part == "nvlink") {
      linked = true;  // bridges between cards whose form is told
    } else {
      spelling.stem += part;
    }
  }
  cut_endings(spelling);
  if (linked && spelling.form.empty()) spelling.stem += "nvlink";
  return spelling;
}

const AcceleratorName* AcceleratorNames::find(const std::string& name) const {
  return entry_with(accelerators, &AcceleratorName::name, name);
}

std::vector<std::string> AcceleratorNames::known() const {
  std::vector<std::string> names = each_of(accelerators, &AcceleratorName::name);
  names.insert(names.begin(), not_in_catalog.begin(), not_in_catalog.end());
  return names;
}

ResolvedGpu resolve(const AcceleratorNames& names, const DescribedGpu& described) {
  const std::string stem = spelling_of(described.name).stem;
  const auto is_it = [&](const std::string& known) {
    return squeezed(known) == squeezed(described.name) || spelling_of(known).stem == stem;
  };
  if (names.find(described.name) == nullptr && std::ranges::any_of(names.not_in_catalog, is_it)) {
    return {"", "", in_quotes(described.name) + " is not in the catalog"};
  }
  const ResolvedGpu resolved = GpuResolver(names, described).resolved();
  if (!resolved.gpu.empty() || !resolved.refusal.empty()) return resolved;
  return {"", "",
          "expected a known name, got " + in_quotes(described.name) +
              did_you_mean(described.name, names.known())};
}

AcceleratorNames read_accelerator_names(ObjectReader reader, const std::vector<std::string>& gpus) {
  AcceleratorNames names;
  read_source(reader);
  read_date(reader, "date");
  names.providers = read_texts(reader.object("providers"));
  names.offers = read_texts(reader.object("offers"));
  const EntryRules rules{.references = {{"gpu", {"GPU", gpus}}},
                         .may_lack = {"provider", "text", "unclear"},
                         .may_be_empty = {"provider", "text"}};
  names.accelerators = read_list(
      reader, "accelerators", [&](ObjectReader& row) { return read_name(row, rules); }, "name",
      "a name");
  names.not_in_catalog = reader.texts("not_in_catalog");
  names.priced_without_gpus = reader.texts("priced_without_gpus");
  for (const std::string& name : names.not_in_catalog) {
    if (names.find(name) == nullptr) continue;
    reader.mismatch("not_in_catalog", "names without a GPU", name);
  }
  reader.done();
  return names;
}

}  // namespace sizesheet
