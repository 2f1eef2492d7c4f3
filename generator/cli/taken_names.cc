// SPDX-License-Identifier: Apache-2.0
#include "cli/taken_names.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <new>
#include <system_error>

#include "catalog/catalog.h"
#include "catalog/facts/method.h"
#include "catalog/model_names.h"
#include "catalog/names.h"
#include "cli/common_options.h"
#include "sheet/spec.h"
#include "sizing/answer/estimate.h"
#include "support/error.h"
#include "support/json.h"
#include "support/text.h"

namespace sizesheet {

void TakenNames::tell(const std::string& sentence) {
  if (contains(sentences_, sentence)) return;
  sentences_.push_back(sentence);
  err_ << sentence << '\n';
}

std::vector<std::string> TakenNames::sentences_in(const std::ostream& out) const {
  const bool shown_above = &out == &std::cout && &err_ == &std::cerr &&
                           isatty(STDOUT_FILENO) != 0 && isatty(STDERR_FILENO) != 0;
  return shown_above ? std::vector<std::string>{} : sentences_;
}

void take_name(std::string& name, const std::string& what, const std::vector<CalledEntry>& all,
               TakenNames& taken, const std::vector<std::string>& usual) {
  if (name.empty()) return;
  const std::string id = resolved(what, name, all, usual);
  if (id != name) taken.tell(what + ' ' + in_quotes(name) + " is " + id);
  name = id;
}

ModelTaken take_model(std::string& name, const Catalog& catalog, const CommonOptions& options,
                      TakenNames& taken) {
  const ModelNames names(catalog, [&] { return sheet_sizes(options.sheet, options.catalog); });
  ModelTaken model = names.resolved(name);
  if (!model.words.empty()) taken.tell(model.words);
  name = model.id;
  return model;
}

void put_ids(const std::string& model, const std::string& gpu, const std::string& method,
             Json& answer) {
  for (const auto& [key, id] :
       {std::pair("model_id", &model), {"gpu_id", &gpu}, {"method_id", &method}}) {
    answer[key] = id->empty() ? Json() : Json(*id);
  }
}

std::vector<std::string> methods_for(const ModelTaken& model,
                                     const std::vector<std::string>& methods,
                                     const Catalog& catalog, TakenNames& taken) {
  std::vector<std::string> fine;
  std::string refusal;
  for (const std::string& id : methods) {
    const Method& method = catalog.method(id);
    const std::string why = stored_refusal(model, method.request);
    if (why.empty()) {
      fine.push_back(id);
      continue;
    }
    if (refusal.empty()) refusal = why;
    if (methods.size() > 1) taken.tell(id + " is left out: " + why);
  }
  if (fine.empty() && !refusal.empty()) throw InputError(refusal);
  for (const std::string& id : fine) {
    const std::string words = stored_words(model, catalog.method(id).request);
    if (!words.empty()) taken.tell((fine.size() > 1 ? id + ": " : "") + words);
  }
  return fine;
}

}  // namespace sizesheet
