// SPDX-License-Identifier: Apache-2.0
// What owning costs a month, whether it beats a rent, and the question of it as JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cost/cost_line.h"
#include "support/described.h"
#include "support/error.h"
#include "support/money.h"
#include "support/named.h"

namespace sizesheet {

enum class CapitalMethod {
  kRecoveryFactor,  ///< a level yearly payment: the capital recovery factor
  kStraightLine,    ///< interest on the average balance
  kNone,            ///< no charge: the cost of capital only discounts the present value
};

inline constexpr NameTable<CapitalMethod, 3> kCapitalMethods{
    {{CapitalMethod::kRecoveryFactor, "recovery-factor"},
     {CapitalMethod::kStraightLine, "straight-line"},
     {CapitalMethod::kNone, "none"}}};

constexpr const auto& table_of(CapitalMethod /*of*/) { return kCapitalMethods; }

/// A rent-or-buy question. Shares are of 1; a year is twelve months of `hours_per_month`.
struct OwnershipTerms {
  std::int64_t gpus = 1;           ///< requested: own and rent divide by these
  std::int64_t gpus_per_node = 8;  ///< whole nodes are bought
  MicroUsd capex_usd_per_node;
  double cabling_share = 0;   ///< of the nodes' price: cabling, racks, installation; bought
  double residual_share = 0;  ///< of the purchase, at the end of life
  /// What is left falls by 10^-x a year; takes the place of a residual share.
  std::optional<double> value_decay_oom_per_year;
  double life_years = 5;
  double cost_of_capital = 0;  ///< a year
  double node_kw = 0;          ///< at full load, before PUE
  double idle_power_share = 0;
  double pue = 1;
  MicroUsd usd_per_kwh;
  MicroUsd colo_usd_per_kw_month;
  double support_share_per_year = 0;  ///< of the purchase
  MicroUsd staff_usd_per_year;        ///< whatever the number of nodes
  double staff_fte_per_node = 0;
  MicroUsd usd_per_fte_year;
  double least_fte_per_node = 0;      ///< people are paid for at least these, see staff_floor_usd
  double least_fte_per_site = 0;      ///< the same, whatever the number of nodes
  bool support_covers_staff = false;  ///< then support is what the floor is for
  MicroUsd network_usd_per_gpu;       ///< part of the purchase, for each requested GPU
  MicroUsd licence_usd_per_gpu_year;  ///< for each requested GPU
  double utilisation = 1;             ///< used hours / all hours
  std::optional<MicroUsd> rent_usd_per_gpu_hour;
  CapitalMethod capital_method = CapitalMethod::kRecoveryFactor;
  double hours_per_month = 730;
  std::optional<double> hours_per_run;  ///< of one run on these GPUs
};
BOOST_DESCRIBE_STRUCT(OwnershipTerms, (),
                      (gpus, gpus_per_node, capex_usd_per_node, cabling_share, residual_share,
                       value_decay_oom_per_year, life_years, cost_of_capital, node_kw,
                       idle_power_share, pue, usd_per_kwh, colo_usd_per_kw_month,
                       support_share_per_year, staff_usd_per_year, staff_fte_per_node,
                       usd_per_fte_year, least_fte_per_node, least_fte_per_site,
                       support_covers_staff, network_usd_per_gpu, licence_usd_per_gpu_year,
                       utilisation, rent_usd_per_gpu_hour, capital_method, hours_per_month,
                       hours_per_run))

/// The share of a purchase that is left after `years` when its value falls by 10^-x a year.
double value_left(double decay_oom_per_year, double years);

/// Dollars per month at the planned utilisation, each rounded once.
struct OwnershipParts {
  MicroUsd depreciation;
  MicroUsd capital;
  MicroUsd colo;
  MicroUsd support;
  MicroUsd energy;
  MicroUsd staff;
  MicroUsd network;  ///< 0: the network is bought, so it stands in depreciation and capital
  MicroUsd licence;

  /// Name and amount, in the order of printing.
  std::vector<std::pair<std::string, MicroUsd>> named() const;
  MicroUsd total() const;
};
BOOST_DESCRIBE_STRUCT(OwnershipParts, (),
                      (depreciation, capital, colo, support, energy, staff, network, licence))

/// What owning comes to. The machine's names and the run stay empty where the question names none.
struct OwnLine {
  std::string node;  ///< id of the machine that is bought
  std::string node_title;
  std::int64_t nodes = 0;
  std::int64_t gpus_bought = 0;
  std::int64_t unused_gpus = 0;  ///< bought beyond the need
  MicroUsd capex_usd;            ///< nodes, cabling and network
  MicroUsd residual_usd;         ///< what the purchase is worth at the end of life
  OwnershipParts parts;
  MicroUsd own_usd_per_month;     ///< sum of the parts
  MicroUsd own_usd_per_gpu_hour;  ///< per requested GPU and used hour
  std::optional<MicroUsd> own_usd_per_run;
  MicroUsd fixed_usd_per_month;     ///< at utilisation 0
  MicroUsd full_use_usd_per_month;  ///< at utilisation 1
  MicroUsd unused_usd_per_month;    ///< the unused GPUs' share of own_usd_per_month

  // Against the rent; absent without one.
  std::optional<MicroUsd> rent_usd_per_month;
  std::optional<double> break_even_utilisation;  ///< absent also when owning never catches up
  std::optional<double> break_even_hours_per_month;
  std::optional<double> break_even_runs_per_month;  ///< those hours over the hours of a run
  std::optional<std::int64_t> payback_month;        ///< capital charge counted; absent beyond life
  std::optional<std::int64_t> payback_month_cash;   ///< capital charge left out
  std::optional<double> payback_years_cash;         ///< purchase over a year's cash saved
  std::optional<MicroUsd> savings_usd_over_life;
  std::optional<MicroUsd> npv_usd;
  std::optional<std::string> advice;  ///< "buy" | "rent"
  bool close = false;                 ///< own within 10 % of the rent

  static constexpr Key kKeys[] = {{"parts", "parts_usd_per_month"}};
};
BOOST_DESCRIBE_STRUCT(OwnLine, (),
                      (node, node_title, nodes, gpus_bought, unused_gpus, unused_usd_per_month,
                       capex_usd, parts, own_usd_per_month, own_usd_per_gpu_hour, own_usd_per_run,
                       fixed_usd_per_month, full_use_usd_per_month, break_even_utilisation,
                       break_even_hours_per_month, break_even_runs_per_month, payback_month,
                       payback_month_cash, savings_usd_over_life, npv_usd, advice, close))

/// "buy" when owning is cheaper, else "rent": the machine-readable `advice` at planned hours.
/// Printed words come from `rent_or_own`, and `close` beside it from `is_close`.
std::string advice(MicroUsd own, MicroUsd rent);

/// Records every term that is out of range at `pointer`/key, naming `file`.
void check_terms(const OwnershipTerms& terms, const std::string& file, const std::string& pointer,
                 Faults& faults);

/// Throws InputError when a term is out of range, std::overflow_error when an amount is.
OwnLine cost_of_owning(const OwnershipTerms& terms);

}  // namespace sizesheet
