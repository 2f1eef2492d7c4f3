// SPDX-License-Identifier: Apache-2.0
// What fine-tuning services ask for a run, beside what renting and owning cost. No pick is ever a
// service.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "support/described.h"
#include "support/money.h"

namespace sizesheet {

/// An offer of a service for a model and a method of the sheet.
struct SheetService {
  std::string model;
  std::string method;
  std::string provider;
  std::string title;        ///< of the provider, for people
  std::string trains;       ///< what the service calls the method: "LoRA"
  bool by_name = false;     ///< it names the model; false: it has a rate for the model's size
  std::int64_t tokens = 0;  ///< of the run
  MicroUsd usd_per_run;     ///< the rate for these tokens, at least the minimum
  MicroUsd usd_per_million_tokens;
  std::optional<MicroUsd> minimum_usd;  ///< absent: none is stated
  bool minimum_applies = false;         ///< the run costs the minimum
  std::string billed;                   ///< see kServiceBills
  std::string weights;                  ///< whether they can be downloaded: yes | no | unknown
  std::string basis;                    ///< of the rate: source | part-assumption | assumption
  std::string as_of;
  std::string source;
  std::string note;
  std::string key;  ///< provider/models or size/method/as_of
};
BOOST_DESCRIBE_STRUCT(SheetService, (),
                      (model, method, provider, title, trains, by_name, tokens, usd_per_run,
                       usd_per_million_tokens, minimum_usd, minimum_applies, billed, weights, basis,
                       as_of, source, note, key))

/// The cheapest of them for a row's model and method.
struct RowService {
  std::string provider;
  std::string key;
  MicroUsd usd_per_run;

  static constexpr bool kMayLack = true;
  bool operator==(const RowService&) const = default;
};
BOOST_DESCRIBE_STRUCT(RowService, (), (provider, key, usd_per_run))

}  // namespace sizesheet
