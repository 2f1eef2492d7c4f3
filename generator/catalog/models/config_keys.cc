// SPDX-License-Identifier: Apache-2.0
#include "catalog/models/config_keys.h"

#include <algorithm>
#include <map>
#include <set>

#include "catalog/files/spelling.h"
#include "catalog/models/architecture.h"
#include "catalog/models/families.h"
#include "catalog/models/model_entry.h"
#include "catalog/models/silent_keys.h"
#include "support/json.h"
#include "support/json_parse.h"
#include "support/text.h"

namespace sizesheet {
namespace {

const std::vector<ToldKey> kTold = {
    {{"attention_dropout", "attn_pdrop", "attn_dropout", "attention_probs_dropout_prob",
      "attention_dropout_prob"},
     {0},
     "drops attention's weights; what that keeps is not sized"},
    {{
         "dropout",
         "hidden_dropout",
         "hidden_dropout_prob",
         "resid_pdrop",
         "residual_dropout",
         "resid_dropout",
         "embd_pdrop",
         "emb_pdrop",
         "embedding_dropout",
         "embed_dropout",
         "activation_dropout",
         "ffn_dropout",
         "ffn_dropout_prob",
     },
     {0},
     "drops values in the blocks; the masks are not sized"},
    {{"attn_logit_softcapping"},
     {0},
     "caps attention's scores, for which some frameworks leave their fused kernel; that is not "
     "sized unless kernels.attention is \"eager\""},
    {{"logits_scaling", "logit_scale"},
     {1, "inv_sqrt_d_model"},
     "scales the logits; the tensor that it makes of them is not sized"},
    {{"residual_in_fp32", "fp32_residual_connection", "norm_in_fp32"},
     {false},
     "keeps the residual stream in fp32, which is sized in 16 bits"},
    {{
         "num_channels",
         "in_channels",
     },
     {3},
     "has images of another number of channels than 3, which is what is sized"},
    {{"use_bidirectional_attention"},
     {false, "vision"},
     "lets a token attend to later ones, which is sized as a causal mask"},
    {{"multimodal_projector_bias", "patch_merge_bias"}, {true}, "leaves out biases that are sized"},
    {{"projector_bias"}, {false}, "adds biases that are not sized"},
    {{"understand_projector_stride"}, {2}, "merges other patches than are sized"},
    {{"chunk_size_feed_forward"}, {0}, "runs an MLP in parts, which is sized whole"},
};

bool is_silent(const std::string& key, bool in_tower) {
  const auto among = [&](const std::vector<SilentKeys>& lists) {
    return std::ranges::any_of(lists,
                               [&](const SilentKeys& list) { return contains(list.keys, key); });
  };
  return among(silent_keys()) || (in_tower && among(silent_keys_of_towers()));
}

/// Says nothing: null, an empty text, or an empty list or object.
bool says_nothing(const Json& value) {
  const bool is_blank = value.is_string() && value.get_ref<const std::string&>().empty();
  return value.is_null() || (value.is_structured() && value.empty()) || is_blank;
}

bool is_usual(const ToldKey& told, const Json& value) {
  return says_nothing(value) || contains(told.usual, value);
}

/// One letter more, less or other, or two that changed places; capitals and separators aside.
bool is_slip(const std::string& written, const std::string& meant) {
  constexpr std::size_t kShortest = 6;
  std::string a = squeezed(written);
  std::string b = squeezed(meant);
  if (a.size() < kShortest || b.size() < kShortest) return false;
  if (a.size() > b.size()) std::swap(a, b);
  const auto [left, right] = std::ranges::mismatch(a, b);
  const std::string rest(left, a.end());
  const std::string other(right, b.end());
  if (a.size() + 1 == b.size()) return other.substr(1) == rest;
  if (a.size() != b.size()) return false;
  if (rest.empty() || rest.substr(1) == other.substr(1)) return true;
  return rest.size() > 1 && rest[0] == other[1] && rest[1] == other[0] &&
         rest.substr(2) == other.substr(2);
}

bool is_of_a_family(const std::string& key) {
  return std::ranges::any_of(families(), [&](const Family& family) {
    const auto is_key = [&](const auto& one) { return one.key == key; };
    const auto is_name = [&](const auto& one) { return one.second == key; };
    return family.names.contains(key) || family.numbers.contains(key) ||
           std::ranges::any_of(family.names, is_name) ||
           std::ranges::any_of(family.flags, is_key) || std::ranges::any_of(family.fixed, is_key);
  });
}

/// Keys that are read nowhere, sorted out.
class UnreadKeys {
 public:
  /// `elsewhere`: of what is told in another way.
  UnreadKeys(ObjectReader& whole, const KeyLog& log, const std::set<std::string>& elsewhere)
      : whole_(whole), base_(whole.pointer("")), log_(log), elsewhere_(elsewhere) {}

  void look() { look(whole_.whole(), base_); }

  std::vector<std::string> remarks() const {
    std::vector<std::string> all = told_;
    if (!unknown_.empty()) {
      all.push_back("config.json: " + join(unknown_, ", ") +
                    (unknown_.size() == 1 ? " is not known here; what it changes"
                                          : " are not known here; what they change") +
                    " is not in the figures");
    }
    return all;
  }

 private:
  void look(const Json& object, const std::string& pointer) {
    for (const auto& [key, value] : object.items()) {
      const std::string place = pointer + "/" + pointer_token(key);
      if (says_nothing(value) || elsewhere_.contains(place)) continue;
      if (!log_.read.contains(place)) {
        tell(key, value, pointer);
      } else if (value.is_object() && reads_within(place)) {
        look(value, place);
      }
    }
  }

  bool reads_within(const std::string& place) const {
    const auto next = log_.asked.lower_bound(place + "/");
    return next != log_.asked.end() && next->starts_with(place + "/");
  }

  void tell(const std::string& key, const Json& value, const std::string& pointer) {
    if (is_silent(key, pointer.find("/vision_config") != std::string::npos)) return;
    for (const ToldKey& told : told_keys()) {
      if (!contains(told.keys, key)) continue;
      if (is_usual(told, value)) return;
      told_.push_back("config.json: " + dotted(pointer, key) + " " + shown(value) + " " +
                      told.words);
      return;
    }
    if (const std::string near = meant(key, pointer); !near.empty()) {
      whole_.fault_below(pointer.substr(base_.size()) + "/" + pointer_token(key),
                         "unknown key (did you mean " + in_quotes(near) + "?)");
    } else {
      unknown_.push_back(in_quotes(dotted(pointer, key)));
    }
  }

  /// "text_config.foo" of "/text_config" and "foo".
  std::string dotted(const std::string& pointer, const std::string& key) const {
    std::string text = pointer.substr(base_.size());
    std::ranges::replace(text, '/', '.');
    return (text.empty() ? "" : text.substr(1) + ".") + key;
  }

  /// The key that is read here and differs by a slip; "" where there is none, and where the key is
  /// one that other families have.
  std::string meant(const std::string& key, const std::string& pointer) const {
    if (is_of_a_family(key)) return "";
    const std::string within = pointer + "/";
    for (auto at = log_.asked.lower_bound(within); at != log_.asked.end(); ++at) {
      if (!at->starts_with(within)) break;
      const std::string read = at->substr(within.size());
      if (read.find('/') == std::string::npos && is_slip(key, read)) return read;
    }
    return "";
  }

  ObjectReader& whole_;
  std::string base_;  ///< pointer of the config in its document
  const KeyLog& log_;
  const std::set<std::string>& elsewhere_;
  std::vector<std::string> told_;
  std::vector<std::string> unknown_;
};

/// Keys of any family whose value makes the model another one.
void refuse_parts(ObjectReader& reader) {
  static const std::vector<FixedKey> kParts = {
      {"per_layer_config", {nullptr, Json::object()}, "layers with sizes of their own are"},
      {"pruned_heads", {nullptr, Json::object()}, "heads that are cut out are"},
      {"quantization_bit", {nullptr, 0}, "a base of ChatGLM's own quantisation is"}};
  for (const FixedKey& part : kParts) {
    const Json& value = reader.raw(part.key);
    if (contains(part.allowed, value)) continue;
    reader.fault(part.key, "expected no such key, got " + shown(value) + ": " + part.otherwise +
                               " not modelled");
  }
  for (const char* key : {"torch_dtype", "dtype"}) {
    reader.one_of_or(key,
                     {"bfloat16", "float16", "float32", "auto", "torch.bfloat16", "torch.float16",
                      "torch.float32"},
                     "");
  }
}

}  // namespace

const std::vector<ToldKey>& told_keys() { return kTold; }

Architecture read_config(ObjectReader& reader) { return read_config(reader, Uncounted::kTold); }

Architecture read_config(ObjectReader& reader, Uncounted uncounted) {
  KeyLog log;
  reader.write_down(&log);
  Architecture model = read_architecture(reader);
  refuse_parts(reader);
  reader.write_down(nullptr);
  if (!reader.whole().is_object() || !reader.sound("")) return model;
  std::set<std::string> elsewhere;
  std::string last;  // two keys may tell of one part
  for (const UncountedPart& part : uncounted_parts(reader.whole(), model)) {
    elsewhere.insert(reader.pointer("") + part.pointer);
    if (uncounted == Uncounted::kLeft || part.what == last) continue;
    last = part.what;
    model.remarks.push_back("config.json: " + part.what +
                            (part.what.starts_with("a") ? " is" : " are") + " not sized (" +
                            part.pointer.substr(part.pointer.rfind('/') + 1) + ")");
  }
  UnreadKeys unread(reader, log, elsewhere);
  unread.look();
  for (std::string& remark : unread.remarks()) model.remarks.push_back(std::move(remark));
  return model;
}

}  // namespace sizesheet
