// SPDX-License-Identifier: Apache-2.0
// What single words and groups of words of a command line name: a model, a method, a card.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "catalog/model_names.h"
#include "catalog/names.h"

namespace sizesheet {

struct Catalog;
struct UsualNames;

inline constexpr std::size_t kMostNameWords = 6;  ///< "RTX PRO 6000 Blackwell Server Edition"

/// "8xh100", "8×H100", "h100x8", "h100:8": the card and how many; 0 where no count is said.
std::pair<std::string, std::int64_t> parts_of_cards(const std::string& word);

bool is_count_word(const std::string& word);  ///< digits alone

/// The words from a place on as one text.
std::string joined_words(const std::vector<std::string>& words, std::size_t from,
                         std::size_t count);

class WordMeanings {
 public:
  /// `catalog` and `usual` must outlive it.
  WordMeanings(const Catalog& catalog, const UsualNames& usual, SizeRows sizes);

  /// The card of that name; the name itself where it fits several, which the option refuses by
  /// name; nullopt where it fits none.
  std::optional<std::string> gpu_in(const std::string& name) const;

  /// The longest name of a card from a place on, whose first word is `first`: its words, 0 where
  /// none is one.
  std::size_t card_at(const std::vector<std::string>& words, std::size_t from,
                      const std::string& first) const;

  bool is_provider(const std::string& name) const;  ///< who has a price
  bool is_machine(const std::string& name) const;   ///< of a cloud: "p5.48xlarge"
  bool is_model(const std::string& name) const;     ///< also where several fit
  bool is_method(const std::string& name) const;    ///< also where several fit

  /// "lora r32", "lora-r32": a method whose rank the catalog lacks.
  bool is_ranked(const std::string& name) const;

  bool is_stack(const std::string& name) const;  ///< "unsloth"

  const Catalog& catalog() const { return catalog_; }
  const UsualNames& usual() const { return usual_; }
  const ModelNames& models() const { return models_; }
  const std::vector<CalledEntry>& methods() const { return methods_; }
  const std::vector<CalledEntry>& gpus() const { return gpus_; }

 private:
  const Catalog& catalog_;
  const UsualNames& usual_;
  ModelNames models_;
  std::vector<CalledEntry> methods_, gpus_, providers_;
};

}  // namespace sizesheet
