// SPDX-License-Identifier: Apache-2.0
#include "sheet/framework_requests.h"

namespace sizesheet {
namespace {

Json laid_over(const FrameworkSet& set, std::initializer_list<const Json*> parts) {
  Json request = {{"model", set.model}, {"gpu", set.gpu}};
  for (const Json* part : parts) request.merge_patch(*part);
  return request;
}

/// Requests with the place of their own keys in the file.
struct Placed {
  std::string place;
  Json request;
};

std::string at(const std::string& list, std::size_t index) {
  return "/" + list + "/" + std::to_string(index);
}

void add_table(const FrameworkSet& set, const RequestTable& table, const std::string& list,
               std::vector<Placed>& all) {
  for (std::size_t i = 0; i < table.sets.size(); ++i) {
    all.push_back({at(list, i), request_for(set, table, table.sets[i])});
  }
}

std::vector<Placed> requests_of(const FrameworkSet& set) {
  std::vector<Placed> all;
  for (std::size_t i = 0; i < set.questions.size(); ++i) {
    all.push_back({at("questions", i), request_for(set, set.questions[i])});
  }
  for (const RequestSet& variant : set.sequences.sets) {
    for (std::size_t i = 0; i < set.sequences.rows.size(); ++i) {
      all.push_back({at("sequences/rows", i), request_for(set, variant, set.sequences.rows[i], 1)});
    }
  }
  for (std::size_t i = 0; i < set.modes.size(); ++i) {
    for (const std::int64_t rank : set.ranks) {
      all.push_back({at("adapters/modes", i), request_for(set, set.modes[i], rank)});
    }
  }
  add_table(set, set.layers, "layers/sets", all);
  add_table(set, set.comparison, "comparison/rows", all);
  return all;
}

}  // namespace

Json request_for(const FrameworkSet& set, const FrameworkQuestion& question) {
  return laid_over(set, {&set.framework(question.framework).request, &question.request});
}

Json request_for(const FrameworkSet& set, const RequestSet& variant, const SequenceStep& step,
                 std::int64_t micro_batch) {
  const SequenceTable& table = set.sequences;
  const Json own = {{"workload", {{"seq_len", step.seq_len}, {"micro_batch", micro_batch}}},
                    {"layout", {{"gpus", step.gpus}, {"tp", step.tp}, {"cp", step.cp}}}};
  return laid_over(
      set, {&set.framework(table.framework).request, &table.request, &variant.request, &own});
}

Json request_for(const FrameworkSet& set, const RequestTable& table, const RequestSet& row) {
  return laid_over(set, {&set.framework(table.framework).request, &table.request, &row.request});
}

Json request_for(const FrameworkSet& set, const AdapterMode& mode, std::int64_t rank) {
  const Json own = {{"method", {{"rank", rank}}}, {"layout", {{"gpus", 1}}}};
  Json request = laid_over(set, {&mode.request, &own});
  request.erase("gpu");
  return request;
}

Question understood(const Catalog& catalog, const FrameworkSet& set, const Json& request) {
  Faults faults;
  Question question = read_question(request, catalog, catalog.engine.current, faults);
  if (faults.empty()) return question;
  throw InputError("frameworks/" + set.id + ": " + faults.request_text());
}

void check_frameworks(const Catalog& catalog, const std::string& directory, Faults& faults) {
  for (const auto& [id, set] : catalog.frameworks) {
    for (const Placed& placed : requests_of(set)) {
      Faults found;
      read_question(placed.request, catalog, catalog.engine.current, found);
      for (const Fault& fault : found.all()) {
        faults.add(directory + "/frameworks/" + id + ".json", placed.place,
                   "asks what no request may: " + to_request_text(fault));
      }
    }
  }
}

}  // namespace sizesheet
