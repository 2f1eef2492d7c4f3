// SPDX-License-Identifier: Apache-2.0
// What commands are made of: arguments read, questions as lines of JSON, files of an edition,
// texts.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <istream>
#include <map>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "calculator/estimates.h"
#include "calculator/request_line.h"
#include "catalog/catalog.h"
#include "catalog/models/model_names.h"
#include "catalog/names.h"
#include "cli/commands.h"
#include "cli/value_options.h"
#include "evidence/accuracy.h"
#include "render/html/templates/templates.h"
#include "sheet/build/rows.h"
#include "sheet/changes.h"
#include "sheet/diff/edition.h"
#include "sheet/sheet.h"
#include "sizing/estimate.h"
#include "sizing/search/remarks.h"
#include "support/files.h"
#include "support/json.h"
#include "support/object_text.h"
#include "support/text.h"

namespace sizesheet {

/// Files of docs/ that commands quote, generated into the program by the build.
const std::map<std::string, std::string>& embedded_documents();

/// The day a command takes for today: `option` (--as-of), else SOURCE_DATE_EPOCH, else `fallback`,
/// the sheet's own day. Anything that is no day throws InputError.
std::string as_of_day(const std::string& option, const std::string& fallback);

/// The specification of the sheet that is asked for, of the day that is. Throws InputError.
SheetSpec sheet_asked_for(const CommonOptions& options, const Catalog& catalog);

/// Throws InputError where the sheet that is named is none: for commands that may never read it.
void refuse_unknown_sheet(const CommonOptions& options);

/// --request: keys of a question beside those that options say, which `said` names with the option
/// of each. Throws InputError for what is no object, and for such a key.
using KeysOfOptions = std::initializer_list<std::pair<const char*, const char*>>;
Json request_keys(const std::string& text, KeysOfOptions said);

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

/// A figure as `format` has it, or the sign of absence.
template <typename T, typename Format>
std::string or_absent(const std::optional<T>& value, const Format& format) {
  return value ? format(*value) : std::string(kAbsent);
}

/// --threshold of the diff command: each word is one or more of usd=1%, hours=2%, memory=0.1 (or
/// 0.1GiB), comma separated; what is not named stays as it is. Throws InputError naming option,
/// value, what was expected, near miss.
ChangeThresholds read_thresholds(const std::vector<std::string>& words);

// ---- Every file of an edition from its Sheet: what `build` publishes and `verify` expects.

/// The templates of the pages, and how an edition names them: "" for the built-in ones, else the
/// SHA-256 (64 hex digits) over names and texts of the whole set.
struct EditionTemplates {
  TemplateSet set;
  std::string id;
};

/// `directory` overrides built-in templates; "" takes them as they are. Throws InputError.
EditionTemplates edition_templates(const std::string& directory);

/// All writers run into memory, the manifest left out, beside the calculator's engine and facts
/// where there are some. What could not be printed as it is goes to `warn`, one sentence each.
/// Throws InputError for what cannot be drawn.
FileSet edition_files(const Sheet& sheet, const EditionTemplates& templates,
                      const std::function<void(const std::string&)>& warn, int jobs = 1,
                      FileSet calculator = {});

/// "" when equal; for text "line 3, column 14: expected "…", got "…"", columns in characters; else
/// "byte 1,234: expected 0x41, got 0x42" or "… got the end", counted from 1.
std::string first_difference(const std::string& expected, const std::string& got);

/// Answers every non-blank line of `in` on `out`. The exit code: 0 when every answer is ok, 1 when
/// one is not. Lines are answered as they come, all that wait at once on `jobs` threads; an answer
/// is written as soon as it and all before it are there. Throws InputError when `out` cannot be
/// written.
int for_each_json_line(std::istream& in, std::ostream& out, int jobs,
                       const JsonLineHandler& handler);

/// What these options say of the facts and rules of estimates. Throws InputError for a day that is
/// none.
EstimateRules estimate_rules(const CommonOptions& options);

/// As aligned text. With `held_out_only` the totals of the held-out sources, else those of all,
/// tuned and held out.
void print_accuracy(const Accuracy& accuracy, bool held_out_only, std::ostream& out);

/// Writes what a merge made of a catalog's file, if it changes it and that is wanted; says so.
void write_merged(const std::filesystem::path& file, bool changes, const std::string& text,
                  bool wanted, std::ostream& err);

// ---- What imported prices change in the catalog's file of their provider. No row is ever lost: a
// new price of an offer stands beside the older ones.

struct MergePlan {
  std::filesystem::path file;      ///< of the provider, in the last layer of the catalog
  std::vector<std::string> lines;  ///< one an imported row, in words
  std::map<std::string, std::int64_t>
      counts;             ///< added, changed, again, unchanged, older, conflict
  std::int64_t kept = 0;  ///< rows of the file that no imported row is about
  bool changes = false;   ///< false: the file is as it would be
  std::string text;       ///< the file after the merge
};

/// `prices` are of one provider, each key once.
MergePlan plan_merge(const std::string& provider, const std::vector<Price>& prices,
                     const Catalog& catalog, const CatalogLayers& layers);

}  // namespace sizesheet
