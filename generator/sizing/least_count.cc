// SPDX-License-Identifier: Apache-2.0
#include "sizing/least_count.h"

#include <algorithm>
#include <cmath>
#include <queue>
#include <vector>

namespace sizesheet {
namespace {

/// A split of the model on the next count where it may hold.
struct Prospect {
  std::int64_t gpus = 0;
  std::size_t alternative = 0;
  std::size_t split = 0;
  std::optional<Shard> shard;  ///< absent: every way of sharding is still to be tried

  bool operator<(const Prospect& other) const { return gpus > other.gpus; }  // the least on top
};

class LeastCount {
 public:
  LeastCount(const Question& question, LayoutSearch& search, const Sought& sought)
      : search_(search),
        sought_(sought),
        alternatives_(question.alternatives.size()),
        most_(refuses_several(question) ? 1 : sought.to) {}

  std::optional<std::int64_t> find() {
    add_all();
    while (!waiting_.empty()) {
      const Prospect next = waiting_.top();
      waiting_.pop();
      if (!next.shard) {
        add_shards(next);
      } else if (holds(next)) {
        return next.gpus;
      }
    }
    return std::nullopt;
  }

 private:
  void add_all() {
    for (std::size_t split = 0; split < search_.splits().size(); ++split) {
      const std::int64_t ranks = search_.splits()[split].ranks();
      const std::int64_t dp = std::max<std::int64_t>(1, (sought_.from + ranks - 1) / ranks);
      for (std::size_t alternative = 0; alternative <= alternatives_; ++alternative) {
        add({0, alternative, split, std::nullopt}, dp);
      }
    }
  }

  Place place_of(const Prospect& prospect) const {
    const std::int64_t ranks = search_.splits()[prospect.split].ranks();
    Place place = search_.place(prospect.alternative, prospect.split, prospect.gpus / ranks);
    if (prospect.shard) place.layout.shard = *prospect.shard;
    return place;
  }

  bool is_asked(std::int64_t gpus) const {
    const auto& counts = sought_.rentable;
    return counts.empty() || std::binary_search(counts.begin(), counts.end(), gpus);
  }

  /// Puts it in the queue at the first dp from `dp` on that is asked about and the rules allow.
  void add(Prospect prospect, std::int64_t dp) {
    const std::int64_t ranks = search_.splits()[prospect.split].ranks();
    for (prospect.gpus = dp * ranks; prospect.gpus <= most_; prospect.gpus += ranks) {
      if (!is_asked(prospect.gpus)) continue;
      if (search_.allows(place_of(prospect).layout)) return waiting_.push(prospect);
    }
  }

  /// One rank alone goes by settings of its own, so that what it takes says nothing of several.
  void add_shards(Prospect prospect) {
    const Layout layout = place_of(prospect).layout;
    if (layout.replicas() == 1) add(prospect, 2);
    for (const Shard shard : search_.shards(layout)) {
      prospect.shard = shard;
      waiting_.push(prospect);
    }
  }

  /// Whether it holds; where not, it waits for the next count on which it may.
  bool holds(const Prospect& prospect) {
    const Place place = place_of(prospect);
    const auto growth = search_.growth(place, sought_.room);
    if (growth == 1.0 && search_.stays_within(place, sought_.room)) return true;
    if (!growth || place.layout.replicas() == 1) return false;
    // A little less than the factor, which is one of floating point.
    const double grown = std::ceil(static_cast<double>(place.layout.dp) * *growth * (1 - 1e-9));
    if (grown > static_cast<double>(most_)) return false;
    add(prospect, std::max(place.layout.dp + 1, static_cast<std::int64_t>(grown)));
    return false;
  }

  LayoutSearch& search_;
  Sought sought_;
  std::size_t alternatives_;
  std::int64_t most_;
  std::priority_queue<Prospect> waiting_;
};

}  // namespace

std::optional<std::int64_t> least_count(const Question& question, LayoutSearch& search,
                                        const Sought& sought) {
  return LeastCount(question, search, sought).find();
}

}  // namespace sizesheet
