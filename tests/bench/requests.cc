// SPDX-License-Identifier: Apache-2.0
#include "bench/requests.h"

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <stdexcept>
#include <string>

#include "catalog/catalog.h"
#include "catalog/models/architecture.h"
#include "catalog/models/model.h"
#include "sizing/answer/estimate.h"
#include "sizing/job/job.h"
#include "sizing/model/parameters.h"
#include "sizing/random_request.h"
#include "sizing/request/question.h"
#include "sizing/search/search.h"
#include "support/error.h"
#include "support/json.h"
#include "support/project_catalog.h"

namespace sizesheet {
namespace {

constexpr std::uint64_t kDraw = 20261122;
constexpr std::size_t kMostTries = 100;  // for each request wanted

/// The project's catalog without the models of other shapes.
const Catalog& catalog_of(Shape shape) {
  static std::map<Shape, Catalog> catalogs;
  const auto known = catalogs.find(shape);
  if (known != catalogs.end()) return known->second;
  Catalog catalog = project_catalog();
  std::erase_if(catalog.models.all(), [&](const auto& entry) {
    return shape_of_model(entry.second.architecture) != shape;
  });
  return catalogs.emplace(shape, std::move(catalog)).first->second;
}

/// Draws from what a benchmark may ask beside the keys of RandomRequests.
class Draw {
 public:
  explicit Draw(std::uint64_t start) : engine_(start) {}
  std::int64_t below(std::size_t end) { return static_cast<std::int64_t>(engine_() % end); }
  std::int64_t power_of_two(std::size_t most_doublings) {
    return std::int64_t{1} << static_cast<unsigned>(below(most_doublings + 1));
  }

 private:
  std::mt19937_64 engine_;
};

Json layout_on(std::int64_t gpus, bool experts, Draw& draw) {
  const std::int64_t tp = draw.power_of_two(3);
  const std::int64_t pp = draw.power_of_two(gpus > 8 ? 4 : 3);
  const std::int64_t cp = draw.power_of_two(1);
  static const std::vector<std::string> kShards = {"none", "zero1", "zero2", "zero3"};
  Json layout = {{"dp", std::max<std::int64_t>(1, gpus / (tp * pp * cp))},
                 {"tp", tp},
                 {"pp", pp},
                 {"cp", cp},
                 {"shard", kShards[static_cast<std::size_t>(draw.below(kShards.size()))]}};
  if (experts) layout["ep"] = draw.power_of_two(3);
  return layout;
}

/// Calls `make` until `count` different requests are sound.
template <typename Make>
std::vector<Json> sound_requests(std::size_t count, const Make& make) {
  std::vector<Json> requests;
  std::set<std::string> known;
  for (std::size_t tries = 0; requests.size() < count; ++tries) {
    if (tries > kMostTries * count) throw std::logic_error("too few of the requests are sound");
    Json request = make();
    if (!known.insert(request.dump()).second) continue;
    try {
      search_counts(question_from(request));
    } catch (const InputError&) {
      continue;
    }
    requests.push_back(std::move(request));
  }
  return requests;
}

}  // namespace

Shape shape_of_model(const Architecture& model) {
  const auto any_block = [&](const auto& has) {
    return std::any_of(model.runs.begin(), model.runs.end(),
                       [&](const BlockRun& run) { return has(run.block); });
  };
  if (any_block([](const Block& block) { return block.mamba.has_value(); })) return Shape::kHybrid;
  return any_block([](const Block& block) { return block.moe.has_value(); }) ? Shape::kMoe
                                                                             : Shape::kDense;
}

std::vector<Json> requests_with_layout(Shape shape, std::int64_t gpus, std::size_t count) {
  const Catalog& catalog = catalog_of(shape);
  RandomRequests all(catalog, kDraw);
  Draw draw(kDraw + static_cast<std::uint64_t>(gpus));
  return sound_requests(count, [&] {
    Json request = all.next(true);
    const Model& model = catalog.model(request["model"].get<std::string>());
    request["layout"] = layout_on(gpus, has_experts(model.architecture), draw);
    request["workload"]["tokens"] = 100000000;
    return request;
  });
}

std::vector<Json> requests_to_search(Shape shape, std::size_t count) {
  RandomRequests all(catalog_of(shape), kDraw + 1);
  Draw draw(kDraw + 1);
  return sound_requests(count, [&] {
    Json request = all.next(true);
    if (draw.below(2) == 0) {
      leave_to_stack(request,
                     static_cast<std::size_t>(draw.below(project_catalog().stacks.size())));
    }
    return request;
  });
}

Question question_from(const Json& request) {
  return read_whole_question(request, project_catalog(), project_catalog().engine.current);
}

}  // namespace sizesheet
