// SPDX-License-Identifier: Apache-2.0
#include "catalog/prices/service.h"

#include <algorithm>
#include <stdexcept>

#include "catalog/facts/method.h"
#include "catalog/files/entry.h"
#include "catalog/files/loader.h"
#include "support/error.h"
#include "support/json.h"
#include "support/money.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr MicroUsd kHighestServiceRate{1'000'000'000};  // a thousand dollars a million tokens
constexpr MicroUsd kHighestServiceMinimum{1'000'000'000'000};  // a million dollars per run
constexpr double kMostParametersB = 100'000;
constexpr double kBillion = 1e9;

MicroUsd read_service_rate(ObjectReader& reader) {
  const char* key = "usd_per_million_tokens";
  if (reader.raw(key) == 0) reader.fault(key, "expected a rate above 0, got 0");
  const MicroUsd rate = reader.usd(key);
  if (rate > kHighestServiceRate) reader.mismatch(key, "a rate of at most 1,000 a million tokens");
  return rate;
}

/// No minimum is a row without the key.
std::optional<MicroUsd> read_service_minimum(ObjectReader& reader) {
  const char* key = "minimum_usd";
  if (reader.raw(key) == 0) {
    reader.fault(key, "expected a minimum above 0 or no such key, got 0");
  }
  const std::optional<MicroUsd> minimum = reader.optional_usd(key);
  if (minimum > kHighestServiceMinimum)
    reader.mismatch(key, "a minimum of at most 1,000,000 dollars");
  return minimum;
}

ParameterBand read_parameter_band(ObjectReader band) {
  ParameterBand size;
  size.min = band.number("min", {0, kMostParametersB});
  size.max = band.optional_number("max", {0, kMostParametersB});
  if (size.max && band.sound("min") && band.sound("max") && *size.max <= size.min) {
    band.mismatch("max", "more than min, " + shortest(size.min));
  }
  band.done();
  return size;
}

/// Which models the rate is for: by name or by size, not both.
void read_service_models(ObjectReader& reader, Service& service) {
  const bool named = reader.has("models");
  if (named == reader.has("total_params_b")) {
    reader.fault(named ? "total_params_b" : "models",
                 named ? "expected no such key beside models"
                       : "expected models or total_params_b, got nothing");
  }
  if (named) {
    service.models = reader.texts("models");
    std::vector<std::string> once = service.models;
    std::ranges::sort(once);
    const bool repeats = std::adjacent_find(once.begin(), once.end()) != once.end();
    if (reader.sound("models") && (once.empty() || repeats)) {
      reader.mismatch("models", "one id or more, each once");
    }
  }
  if (reader.has("total_params_b")) {
    service.total_params_b = read_parameter_band(reader.object("total_params_b"));
  }
}

/// What a method of the catalog trains for, as kServiceMethods has it.
std::string trained_for(const Method& method) {
  if (!method.grpo.is_null()) return "grpo";
  if (method.objective.is_null()) return "sft";
  const std::string* kind = at_dotted(method.objective, "kind").get_ptr<const std::string*>();
  return kind != nullptr ? *kind : "";
}

}  // namespace

const ServiceMethod& service_method(std::string_view key) {
  const auto found = std::ranges::find(kServiceMethods, key, &ServiceMethod::key);
  if (found != kServiceMethods.end()) return *found;
  throw std::out_of_range("no such method of a service: " + std::string(key));
}

bool trains(const ServiceMethod& service, const Method& method) {
  const auto kind = value_of(kMethodKinds, method.request.at("kind").get<std::string>());
  const MethodKind plain = kind ? facts_of(*kind).plain : MethodKind::kDora;
  return plain == (service.adapters ? MethodKind::kLora : MethodKind::kFull) &&
         trained_for(method) == service.objective;
}

bool ParameterBand::contains(std::int64_t parameters) const {
  const auto count = static_cast<double>(parameters);
  return count > min * kBillion && (!max || count <= *max * kBillion);
}

std::string ParameterBand::words() const {
  return max ? shortest(min) + "-" + shortest(*max) + "B" : shortest(min) + "B-";
}

std::string Service::offer_key() const {
  const std::string of = total_params_b ? total_params_b->words() : join(models, "+");
  return join({provider, of, method}, "/");
}

Service read_service(ObjectReader& reader, const std::string& provider, const std::string& title) {
  Service service;
  service.provider = provider;
  service.title = title;
  read_service_models(reader, service);
  service.method = reader.one_of("method", each_of(kServiceMethods, &ServiceMethod::key));
  service.usd_per_million_tokens = read_service_rate(reader);
  service.minimum_usd = read_service_minimum(reader);
  service.billed = reader.one_of("billed", kServiceBills);
  service.weights = reader.one_of("weights", kServiceWeights);
  service.basis = reader.one_of_or("basis", kBases, service.basis);
  service.as_of = read_date(reader, "as_of");
  read_validity(reader, service.valid_from, service.valid_until);
  service.source = read_source(reader);
  service.note = read_note(reader);
  service.file = reader.file();
  service.pointer = reader.pointer("");
  reader.done();
  return service;
}

Json service_row(const Service& service) {
  Json row = as_json(service);
  if (service.models.empty()) row.erase("models");
  if (service.note.empty()) row.erase("note");
  if (service.basis == Service().basis) row.erase("basis");
  for (const char* key : {"total_params_b", "minimum_usd", "valid_from", "valid_until"}) {
    if (row.at(key).is_null()) row.erase(key);
  }
  if (service.total_params_b && !service.total_params_b->max) row["total_params_b"].erase("max");
  return row;
}

Service read_service_input(ObjectReader& reader) {
  const std::string provider = read_filled_text(reader, "provider");
  const std::string title = read_filled_text(reader, "title");
  return read_service(reader, provider, title);
}

void refuse_repeated(const Service& service, std::set<std::string>& seen, Faults& faults) {
  if (seen.insert(service.key()).second) return;
  faults.add(service.file, service.pointer,
             "expected every service key once, got " + in_quotes(service.key()) + " again");
}

}  // namespace sizesheet
