// SPDX-License-Identifier: Apache-2.0
#include "catalog/model_names.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "catalog/catalog.h"
#include "catalog/files/entry.h"
#include "catalog/files/spelling.h"
#include "catalog/models/model.h"
#include "catalog/models/model_alias.h"
#include "catalog/names.h"
#include "support/error.h"
#include "support/json.h"
#include "support/named.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr const char* kWhat = "model";

// ---- What the words of a name say beside the model.

/// Says how a model was tuned or in which 16 bits it is stored; its layers are the same.
bool is_neutral(const std::string& word) {
  static constexpr auto kNeutral = std::to_array<std::string_view>(
      {"instruct", "it", "chat", "base", "hf", "pt", "thinking", "sft", "dpo", "rl", "rlvr", "zero",
       "1m", "preview", "deduped", "bf16", "fp16", "dequantized", "latest"});
  return contains(kNeutral, word);
}

/// Two digits as a number; -1 for other texts.
int two_digits(std::string_view text) { return parsed<int>(text).value_or(-1); }

/// "2507" (year and month) or "0528" (month and day).
bool is_date(const std::string& word) {
  if (word.size() != 4 || !std::ranges::all_of(word, is_digit)) return false;
  const int first = two_digits(std::string_view(word).substr(0, 2));
  const int second = two_digits(std::string_view(word).substr(2));
  const bool year = first >= 23 && first <= 39 && second >= 1 && second <= 12;
  return year || (first >= 1 && first <= 12 && second >= 1 && second <= 31);
}

constexpr const char* kNf4 = "NF4";

/// Formats that training starts from, by the word that says them.
constexpr std::array<std::pair<const char*, const char*>, 5> kTrainable{
    {{"nf4", kNf4}, {"fp8", "FP8"}, {"nvfp4", "NVFP4"}, {"fp4", "NVFP4"}, {"mxfp4", "MXFP4"}}};

/// Formats that nothing here trains from.
bool is_other_format(const std::string& word) {
  static constexpr auto kFormats = std::to_array<std::string_view>(
      {"awq",  "gptq", "aqlm",     "hqq",    "exl2", "exl3",      "eetq",   "int4",  "int8",
       "8bit", "4bit", "3bit",     "6bit",   "2bit", "w4a16",     "w8a8",   "w8a16", "quantized",
       "mlx",  "onnx", "openvino", "marlin", "quip", "autoround", "torchao"});
  return contains(kFormats, word);
}

/// "gguf", and the words of its kinds: q4, q8_0, iq3.
bool is_gguf(const std::string& word) {
  if (word == "gguf" || word == "ggml") return true;
  const std::string_view kind = word.starts_with("iq") ? std::string_view(word).substr(1) : word;
  return kind.size() >= 2 && kind[0] == 'q' && kind[1] >= '2' && kind[1] <= '8' &&
         (kind.size() == 2 || kind[2] == '_');
}

/// What more a word of a format says: how it was made, of how large groups.
bool is_of_format(const std::string& word) {
  static constexpr auto kDetails = std::to_array<std::string_view>(
      {"dynamic", "block", "kv", "static", "tensor", "channel", "sym", "asym", "mixed", "bf16"});
  return contains(kDetails, word) || is_other_format(word) ||
         (word.size() > 3 && is_digit(word[0]) && word.ends_with("bit")) || word == "1x16" ||
         word == "2x8" || (word.starts_with('g') && parsed<int>(word.substr(1))) ||
         (word.ends_with('g') && parsed<int>(word.substr(0, word.size() - 1)));
}

/// A name as it is compared, and what it says of the weights.
struct ReadName {
  std::string plain;    ///< without neutral words and formats
  std::string base;     ///< the same, spelled
  std::string stored;   ///< of kTrainable
  std::string refused;  ///< the format that nothing trains from, as it was written
};

class NameReader {
 public:
  explicit NameReader(std::string_view name) : words_(name_words(name)) {}

  ReadName read() {
    const bool of_publisher = words_.size() > 1 && contains({"meta", "nvidia"}, words_.front());
    at_ = of_publisher ? 1 : 0;
    if (at_ < words_.size()) kept_.push_back(words_[at_++]);  // no name is only such words
    while (at_ < words_.size()) take(words_[at_]);
    read_.plain = join(kept_, "-");
    read_.base = spelled(read_.plain);
    return std::move(read_);
  }

 private:
  bool next_is(std::initializer_list<std::string_view> words) const {
    return at_ + 1 < words_.size() && contains(words, words_[at_ + 1]);
  }

  void skip_format() {
    ++at_;
    while (at_ < words_.size() && is_of_format(words_[at_])) ++at_;
  }

  void take(const std::string& word) {
    const auto* format =
        std::ranges::find(kTrainable, word, [](const auto& one) { return one.first; });
    if (word == "bnb" && next_is({"4bit", "nf4"})) {
      read_.stored = kNf4;
      ++at_;
      return skip_format();
    }
    if (contains({"quantized", "mlx"}, word) && at_ + 1 < words_.size() &&
        is_other_format(words_[at_ + 1])) {
      ++at_;  // the next word says how
      return;
    }
    if (word == "bnb" || is_other_format(word)) {
      if (read_.refused.empty()) read_.refused = word == "bnb" ? "bitsandbytes" : word;
      return skip_format();
    }
    if (is_gguf(word)) {
      read_.refused = "gguf";
      at_ = words_.size();
      return;
    }
    if (format != kTrainable.end()) {
      read_.stored = format->second;
      return skip_format();
    }
    const bool length = kept_.front().starts_with("phi") && contains({"4k", "128k"}, word);
    const bool of_format = word == "unsloth" && next_is({"bnb"});
    if (!is_neutral(word) && !is_date(word) && !length && !of_format) kept_.push_back(word);
    ++at_;
  }

  std::vector<std::string> words_;
  std::vector<std::string> kept_;
  std::size_t at_ = 0;
  ReadName read_;
};

// ---- Names with an owner, and addresses of hubs.

struct HubName {
  std::string owner;  ///< "" where none is said
  std::string name;
};

/// An address of a model without what leads to it and without what follows the name.
std::string without_address(const std::string& asked) {
  std::string rest = asked;
  for (const char* scheme : {"https://", "http://"}) {
    if (small_letters(rest).starts_with(scheme)) rest = rest.substr(std::string(scheme).size());
  }
  if (small_letters(rest).starts_with("www.")) rest = rest.substr(4);
  for (const auto& [host, parts] : {std::pair<std::string, std::size_t>{"huggingface.co/", 2},
                                    {"hf.co/", 2},
                                    {"modelscope.cn/models/", 2},
                                    {"ollama.com/library/", 1}}) {
    if (!small_letters(rest).starts_with(host)) continue;
    rest = rest.substr(host.size());
    std::vector<std::string> path = split(rest.substr(0, rest.find_first_of("?#")), '/');
    if (path.size() < parts) return asked;
    path.resize(parts);
    return join(path, "/");
  }
  return asked;
}

/// Whether every point parts two numbers or follows a letter ("XS.2"): where a digit is left out
/// on one side, the number is not known.
bool has_whole_numbers(std::string_view name) {
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] != '.') continue;
    const bool between = i > 0 && i + 1 < name.size() && is_letter_or_digit(name[i - 1]) &&
                         is_letter_or_digit(name[i + 1]);
    if (!between || (is_digit(name[i - 1]) && !is_digit(name[i + 1]))) return false;
  }
  return true;
}

/// nullopt for what is no name: a path, signs that no name has.
std::optional<HubName> hub_name(const std::string& asked) {
  const std::string text = without_address(asked);
  const std::size_t slash = text.find('/');
  HubName name{slash == text.npos ? "" : small_letters(text.substr(0, slash)),
               text.substr(slash == text.npos ? 0 : slash + 1)};
  const bool sound = is_plain_name(name.owner) && is_plain_name(name.name) &&
                     !spelled(name.name).empty() && has_whole_numbers(name.name) &&
                     (slash == text.npos || (!name.owner.empty() && name.owner.front() != '.'));
  return sound ? std::optional(name) : std::nullopt;
}

/// "7b", "0.5b", "270m": a size and nothing else.
bool is_bare_size(const std::string& word) {
  return word.size() > 1 && is_digit(word.front()) && (word.back() == 'b' || word.back() == 'm') &&
         std::ranges::all_of(word.substr(0, word.size() - 1),
                             [](char letter) { return is_digit(letter) || letter == '.'; });
}

std::string capitals(std::string text) {
  for (char& letter : text) {
    if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
  }
  return text;
}

void refuse_format(const std::string& asked, const std::string& id, const std::string& format) {
  if (format.empty()) return;
  const std::string begin = std::string(kWhat) + " " + in_quotes(asked) + ": ";
  if (format == "gguf") {
    throw InputError(begin + "a GGUF file is no checkpoint to train from; say " + id +
                     " for its 16-bit weights");
  }
  const bool named = contains({"awq", "gptq", "aqlm", "hqq", "int4", "int8"}, format);
  throw InputError(begin + "its weights are stored in " +
                   (named ? capitals(format) : "a format (" + format + ")") +
                   ", which no method here trains from; say " + id +
                   " for its 16-bit weights, or a QLoRA method of it for 4-bit ones");
}

std::string kind_of_method(const Json& method) {
  if (!method.is_object()) return "";
  const auto kind = method.find("kind");
  return kind != method.end() && kind->is_string() ? kind->get<std::string>() : "";
}

}  // namespace

std::string stored_refusal(const ModelTaken& taken, const Json& method) {
  if (taken.stored != kNf4 || kind_of_method(method) != "full") return "";
  return std::string(kWhat) + " " + in_quotes(taken.asked) + ": its weights are stored in " +
         taken.stored + ", which full fine-tuning cannot train; say " + taken.id +
         " for its 16-bit weights, or a QLoRA method";
}

std::string stored_words(const ModelTaken& taken, const Json& method) {
  if (taken.stored.empty()) return "";
  const std::string begin = in_quotes(taken.asked) + " stores its weights in " + taken.stored;
  const std::string kind = kind_of_method(method);
  const bool nf4 = taken.stored == kNf4;
  const bool on_nf4 =
      kind == "qlora" || (method.is_object() && method.value("base", Json()) == "nf4");
  if (nf4 && on_nf4) return begin + ", as this answer has them";
  if (nf4) {
    return begin + ": LoRA on them is QLoRA (method qlora); this answer has the base in 16 bits";
  }
  if (method.is_object() && method.value("base", Json()) == small_letters(taken.stored)) {
    return begin + ", as this answer has them";
  }
  return begin + (on_nf4 ? "; this answer has them in NF4, quantised again"
                         : "; this answer has them dequantised to 16 bits");
}

ModelNames::ModelNames(const Catalog& catalog, SizeRows sizes)
    : catalog_(catalog), sizes_(std::move(sizes)) {}

const std::vector<ModelNames::KnownName>& ModelNames::known_names() const {
  std::call_once(gathered_, [this] { gather(); });
  return known_;
}

void ModelNames::gather() const {
  for (const auto& [id, model] : catalog_.models) {
    const std::size_t slash = model.repository.find('/');
    const std::string owner = slash == std::string::npos ? "" : model.repository.substr(0, slash);
    add_name(model, id, owner, nullptr);
    add_name(model, model.title, owner, nullptr);
    if (!owner.empty()) add_name(model, model.repository.substr(slash + 1), owner, nullptr);
  }
  for (const ModelAlias& alias : catalog_.model_aliases.aliases) {
    for (const std::string& name : alias.names) {
      const std::size_t slash = name.find('/');
      add_name(catalog_.model(alias.model), name.substr(slash + 1), name.substr(0, slash), &alias);
    }
  }
}

void ModelNames::add_name(const Model& model, const std::string& name, const std::string& owner,
                          const ModelAlias* alias) const {
  const ReadName read = NameReader(name).read();
  if (!read.base.empty()) {
    known_.push_back({&model, alias, small_letters(owner), read.base, read.plain});
  }
}

/// Whether what `owner` publishes under that name is the model of `known`.
bool ModelNames::is_owner(const std::string& owner, const KnownName& known, bool quantised) const {
  if (owner.empty() || owner == known.owner) return true;
  return std::ranges::any_of(catalog_.model_aliases.mirrors, [&](const ModelMirror& mirror) {
    if (small_letters(mirror.owner) != owner || (mirror.quantised && !quantised)) return false;
    return mirror.of.empty() || std::ranges::any_of(mirror.of, [&](const std::string& of) {
             return small_letters(of) == known.owner;
           });
  });
}

/// The row of the sheet that a bare size means. Throws InputError where it has two.
std::optional<ModelTaken> ModelNames::sized_row(const std::string& asked) const {
  const std::string size = spelled(asked);
  if (!is_bare_size(size)) return std::nullopt;
  std::vector<std::string> ids;
  for (const SizeRow& row : sizes_()) {
    const bool same = spelled(row.size) == size && catalog_.models.contains(row.id);
    if (same && !contains(ids, row.id)) ids.push_back(row.id);
  }
  if (ids.size() > 1) throw InputError(several_fit(kWhat, asked, ids));
  if (ids.empty()) return std::nullopt;
  return ModelTaken{ids.front(), asked,
                    std::string(kWhat) + " " + in_quotes(asked) + " is " + ids.front() +
                        ", the row of this size in the sheet",
                    ""};
}

std::optional<ModelTaken> ModelNames::meant(const std::string& asked) const {
  if (catalog_.models.contains(asked)) return ModelTaken{asked, asked, "", ""};
  const std::optional<HubName> hub = hub_name(asked);
  if (!hub) return std::nullopt;
  if (hub->owner.empty()) {
    if (auto row = sized_row(hub->name)) return row;
  }
  const ReadName read = NameReader(hub->name).read();
  const bool quantised = !read.stored.empty() || !read.refused.empty();
  std::map<std::string, const KnownName*> found;  // of an entry, first a name of its own
  for (const KnownName& known : known_names()) {
    if (spells(known.base, read.base) && is_owner(hub->owner, known, quantised)) {
      found.try_emplace(known.model->id, &known);
    }
  }
  const bool own =
      std::ranges::any_of(found, [](const auto& one) { return one.second->alias == nullptr; });
  if (own) std::erase_if(found, [](const auto& one) { return one.second->alias != nullptr; });
  if (found.size() > 1) throw InputError(several_fit(kWhat, asked, keys_of(found)));
  if (!own && hub->owner.empty()) refuse_several(asked, read.plain);
  if (found.empty()) return std::nullopt;
  const auto& [id, known] = *found.begin();
  refuse_format(asked, id, read.refused);
  std::string words = std::string(kWhat) + " " + in_quotes(asked);
  if (known->alias == nullptr) {
    words += " is " + id;
  } else {
    words += " is sized as " + id + facts_of(known->alias->basis).words;
    if (!known->alias->note.empty()) words += "; " + known->alias->note;
  }
  return ModelTaken{id, asked, words, read.stored};
}

/// Throws InputError where a name without an owner says a part of the names of several entries.
void ModelNames::refuse_several(const std::string& asked, const std::string& plain) const {
  std::set<std::string> ids;
  for (const KnownName& known : known_names()) {
    if (known.alias == nullptr && has_words_of(known.plain, plain)) ids.insert(known.model->id);
  }
  if (ids.size() > 1) throw InputError(several_fit(kWhat, asked, {ids.begin(), ids.end()}));
}

ModelTaken ModelNames::resolved(const std::string& asked) const {
  if (auto taken = meant(asked)) return *taken;
  throw InputError(not_in_catalog(kWhat, asked, keys_of(catalog_.models)));
}

}  // namespace sizesheet
