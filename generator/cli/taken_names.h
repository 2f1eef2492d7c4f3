// SPDX-License-Identifier: Apache-2.0
// What the names of a question were taken for.
#pragma once

#include <iosfwd>
#include <ostream>
#include <string>
#include <vector>

#include "catalog/names.h"
#include "sizing/answer/estimate.h"
#include "support/json.h"

namespace sizesheet {

struct Catalog;
struct CommonOptions;
struct ModelTaken;

/// What names were taken for: each sentence is told on `err` as it comes, and belongs in the
/// answer.
class TakenNames {
 public:
  explicit TakenNames(std::ostream& err) : err_(err) {}

  void tell(const std::string& sentence);
  const std::vector<std::string>& sentences() const { return sentences_; }
  /// Those that a text on `out` repeats: none where a terminal already shows them above it.
  std::vector<std::string> sentences_in(const std::ostream& out) const;

 private:
  std::ostream& err_;
  std::vector<std::string> sentences_;
};

/// Turns what a user calls an entry into its id; `taken` hears of it where that is another word. ""
/// stays. Throws InputError as `resolved` does.
void take_name(std::string& name, const std::string& what, const std::vector<CalledEntry>& all,
               TakenNames& taken, const std::vector<std::string>& usual = {});

/// The same for a model, by the rules of ModelNames and the sizes of the sheet that is asked for.
ModelTaken take_model(std::string& name, const Catalog& catalog, const CommonOptions& options,
                      TakenNames& taken);

/// The ids that an answer is of, each null where it is "".
void put_ids(const std::string& model, const std::string& gpu, const std::string& method,
             Json& answer);

/// Of `methods` those that can train from the weights of `model` as they are stored; `taken` hears
/// of the others, and of what is sized. Throws InputError where none can.
std::vector<std::string> methods_for(const ModelTaken& model,
                                     const std::vector<std::string>& methods,
                                     const Catalog& catalog, TakenNames& taken);

}  // namespace sizesheet
