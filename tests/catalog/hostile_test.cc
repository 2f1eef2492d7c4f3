// SPDX-License-Identifier: Apache-2.0
// Values that no fact has, one at a time in a sound catalog: each is a fault at its own place.
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "catalog/files/entry.h"
#include "catalog/sample_catalog.h"
#include "support/json.h"

namespace sizesheet {
namespace {

struct Place {
  std::string path;
  std::string pointer;
  std::vector<Json> taken;  ///< of the numbers below; all others are refused
};

const std::vector<Json>& numbers() {
  static const std::vector<Json> all = {-1,
                                        0,
                                        1e308,
                                        1e-308,
                                        5e-324,
                                        -1e308,
                                        (1LL << 53) + 1,
                                        std::numeric_limits<std::int64_t>::max(),
                                        1e12,
                                        1000000000000,
                                        std::numeric_limits<std::uint64_t>::max()};
  return all;
}

TEST(HostileNumbers, are_refused_where_they_stand) {
  const Json tiny = 1e-308;
  const Json least = 5e-324;
  const std::vector<Place> places = {
      {"gpus/h100.json", "/memory_gb", {}},
      {"gpus/h100.json", "/torch_total_gib", {}},
      {"gpus/h100.json", "/bandwidth_gb_per_s", {}},
      {"gpus/h100.json", "/bf16_dense_tflops", {}},
      {"gpus/h100.json", "/tdp_w", {}},
      {"gpus/h100.json", "/gpus_per_node", {}},
      {"gpus/h100.json", "/rentable_counts/0", {}},
      {"models/small.json", "/num_hidden_layers", {}},
      {"models/small.json", "/hidden_size", {}},
      {"models/small.json", "/vocab_size", {}},
      {"models/small.json", "/published/0/value", {1000000000000}},
      {"prices/cloud.json", "/rows/0/usd_per_instance_hour", {}},
      {"prices/cloud.json", "/rows/0/gpus", {}},
      {"purchase/nodes.json", "/nodes/0/usd/typical", {}},
      {"purchase/nodes.json", "/nodes/0/kw/typical", {}},
      {"purchase/cards.json", "/cards/0/usd/typical", {}},
      {"engine.json", "/constants/0/current", {}},
      {"gpus/h100.json", "/speed/matmul_efficiency", {}},
      {"gpus/h100.json", "/speed/bus_gb_per_s", {0}},
      {"intervals.json", "/classes/0/low", {}},
      {"conventions/simple.json", "/constants/weights/value", {0, tiny, least}},
      {"measured/bench.json", "/rows/0/measured/bytes", {1000000000000}},
  };
  for (const Place& place : places) {
    for (const Json& number : numbers()) {
      Documents documents = sample_documents();
      documents.at(place.path)[Json::json_pointer(place.pointer)] = number;
      const bool taken =
          std::find(place.taken.begin(), place.taken.end(), number) != place.taken.end() &&
          number.is_number_float() == (number == tiny || number == least);
      const std::vector<std::string> faults = faults_in(documents);
      EXPECT_EQ(faults.empty(), taken) << place.path << place.pointer << " " << number;
      const std::string parent = place.pointer.substr(0, place.pointer.rfind('/'));
      for (const std::string& fault : faults) {
        EXPECT_TRUE(fault.starts_with(place.path + ":" + parent)) << fault;
      }
    }
  }
}

TEST(HostileIds, are_no_names_of_files) {
  for (const char* id :
       {"",     ".",     "..",         "../x", "a/b", "a\\b", "con", "nul", "aux", "prn", "com1",
        "lpt9", "con.x", "nul.tar.gz", "a.",   "-a",  ".a",   "A",   "a b", "ä",   "a\n"}) {
    EXPECT_FALSE(is_id(id)) << id;
  }
  EXPECT_FALSE(is_id(std::string(101, 'a')));
  for (const char* id : {"a", "0", "a.b-c", "console", "com", "com10", "nullable", "lpt", "a..b"}) {
    EXPECT_TRUE(is_id(id)) << id;
  }
  EXPECT_TRUE(is_id(std::string(100, 'a')));
}

}  // namespace
}  // namespace sizesheet
