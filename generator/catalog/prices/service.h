// SPDX-License-Identifier: Apache-2.0
// What fine-tuning services ask for training: dollars per million tokens, by model or size and by
// method. The service has the GPUs.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "support/error.h"
#include "support/json.h"
#include "support/money.h"

namespace sizesheet {

struct Method;

/// A way of training that services sell.
struct ServiceMethod {
  const char* key;        ///< of a row: "lora_sft"
  const char* title;      ///< behind a provider's name: "LoRA"
  bool adapters;          ///< LoRA on a base of any precision, else every weight
  const char* objective;  ///< of a method (`objective`): "sft", "dpo"; "grpo" of all that generate
};
inline constexpr auto kServiceMethods = std::to_array<ServiceMethod>({
    {"lora_sft", "LoRA", true, "sft"},
    {"full_sft", "full", false, "sft"},
    {"lora_dpo", "LoRA DPO", true, "dpo"},
    {"full_dpo", "full DPO", false, "dpo"},
    {"rl", "LoRA RL", true, "grpo"},
});

/// Of a row that was loaded. Throws std::out_of_range.
const ServiceMethod& service_method(std::string_view key);

/// Whether a method of the catalog is what the service trains. A service chooses the precision of
/// the base by itself, so its LoRA is one for LoRA and for QLoRA.
bool trains(const ServiceMethod& service, const Method& method);

/// Which tokens a service bills. Where it also bills tokens that a run reads and generates, the
/// tokens that train are a part of the bill, and no run is priced by the row.
inline const std::vector<std::string> kServiceBills = {"training", "training and validation",
                                                       "training and generation"};

/// Whether what was trained can be downloaded.
inline const std::vector<std::string> kServiceWeights = {"yes", "no", "unknown"};

/// Models by the parameters they have in all, in billions.
struct ParameterBand {
  double min = 0;                  ///< exclusive
  std::optional<double> max = {};  ///< inclusive; absent: no limit

  bool contains(std::int64_t parameters) const;
  /// "0-16B", "300B-".
  std::string words() const;
};
BOOST_DESCRIBE_STRUCT(ParameterBand, (), (min, max))

/// A rate of a service: for models by name, or for all of a size.
struct Service {
  std::string provider;
  std::string title;                            ///< of the provider, for people
  std::vector<std::string> models;              ///< ids; empty where `total_params_b` says it
  std::optional<ParameterBand> total_params_b;  ///< absent where `models` says it
  std::string method;                           ///< key of one of kServiceMethods
  MicroUsd usd_per_million_tokens;              ///< of every epoch
  std::optional<MicroUsd> minimum_usd;          ///< of a run; absent: none is stated
  std::string billed;                           ///< one of kServiceBills
  std::string weights;                          ///< one of kServiceWeights
  std::string basis = "source";                 ///< one of kBases
  std::string as_of;                            ///< YYYY-MM-DD or YYYY-MM
  std::optional<std::string> valid_from;        ///< YYYY-MM-DD, its first day
  std::optional<std::string> valid_until;       ///< YYYY-MM-DD, its last
  std::string source;
  std::string note;
  std::string file;  ///< of the row, for faults
  std::string pointer;

  /// Tokens that train are the whole bill, but for validation that the run does not have.
  bool prices_runs() const { return billed != kServiceBills.back(); }
  /// provider/models or size/method/as_of
  std::string key() const { return offer_key() + "/" + as_of; }
  /// The key without its day: one offer, whenever it was seen.
  std::string offer_key() const;
};
BOOST_DESCRIBE_STRUCT(Service, (),
                      (provider, title, models, total_params_b, method, usd_per_million_tokens,
                       minimum_usd, billed, weights, basis, as_of, valid_from, valid_until, source,
                       note))

/// A row of the file of `provider`, which people know as `title`.
Service read_service(ObjectReader& reader, const std::string& provider, const std::string& title);

/// The row with its provider, as inputs of an edition have it; `read_service_input` reads it back.
Json service_row(const Service& service);
Service read_service_input(ObjectReader& reader);

/// A fault at the row of a service whose key is among those already `seen`; it is one of them then.
void refuse_repeated(const Service& service, std::set<std::string>& seen, Faults& faults);

}  // namespace sizesheet
