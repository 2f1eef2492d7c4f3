// SPDX-License-Identifier: Apache-2.0
#include "cli/cost.h"

#include <algorithm>
#include <iomanip>
#include <set>
#include <tuple>

#include "catalog/catalog.h"
#include "catalog/facts/gpu.h"
#include "catalog/files/loader.h"
#include "catalog/names.h"
#include "catalog/prices/purchase.h"
#include "cli/area_names.h"
#include "cli/cloud_machines.h"
#include "cli/commands.h"
#include "cli/common_options.h"
#include "cli/json_lines.h"
#include "cli/question_options.h"
#include "cli/question_table.h"
#include "cli/question_words.h"
#include "cli/sheet_choice.h"
#include "cli/taken_names.h"
#include "cli/tier_names.h"
#include "cli/value_options.h"
#include "cost/ownership.h"
#include "cost/ownership_answer.h"
#include "cost/rent.h"
#include "render/formats.h"
#include "render/phrases.h"
#include "sheet/fields.h"
#include "sheet/money.h"
#include "sheet/money_words.h"
#include "sheet/rows/picked_rent.h"
#include "sheet/rows/price_row.h"
#include "sheet/rows/size_row.h"
#include "sheet/spec.h"
#include "sheet/spec_ownership.h"
#include "sizing/answer/estimate.h"
#include "support/error.h"
#include "support/json.h"
#include "support/money.h"
#include "support/object_text.h"
#include "support/text.h"
#include "support/values.h"

namespace sizesheet {
namespace {

/// "" is what is left out.
struct CostOptions : CommonOptions {
  std::vector<std::string> words;           ///< "8xh100"
  std::string gpu, provider, region, tier;  ///< as people call them
  std::optional<std::int64_t> gpus;
  std::optional<double> rent, life, usd_per_kwh;
  std::string hours;    ///< as typed: a month of the sheet bounds them
  std::string request;  ///< other keys of a question
  bool json = false;
  bool said = false;  ///< something that only a question of one card needs
};

/// A question as a line of JSON has it, and what of the catalog stands behind it.
struct CostQuestion {
  Json request;
  std::string gpu;  ///< its id
  std::string node_title;
  std::string price;  ///< what the machine's price is, and its day; "" where the words state one
  std::string as_of;
  std::string tier;  ///< in words
  std::optional<RentQuote> rent;
};

std::string listed_names(const std::set<std::string>& names) {
  return join({names.begin(), names.end()}, ", ");
}

/// The price of the tier that the sheet would pick, of the provider that is named or of any.
std::optional<RentQuote> quote_of(const Catalog& catalog, const SheetSpec& spec, const Gpu& gpu,
                                  std::int64_t gpus, const CostOptions& asked) {
  const std::string& provider = asked.provider;
  const CurrentPrices prices(catalog.prices, policy_of(spec, asked.tier), catalog.price_age);
  std::set<std::string> others;
  const auto best = picked_rent(prices, gpu, gpus, spec.pick_rules, [&](const RentQuote& quote) {
    others.insert(quote.price->provider);
    return provider.empty() || quote.price->provider == provider;
  });
  if (provider.empty() || best) return best;
  throw InputError("--provider: expected one with a price of " + std::to_string(gpus) + " " +
                   gpu.id + " that counts on " + spec.as_of + ", got " + in_quotes(provider) +
                   (others.empty() ? "; nobody has one" : "; these have: " + listed_names(others)));
}

/// The first that holds so many and has no quote.
const PurchaseNode* unquoted_node(const Purchase& purchase, const std::string& gpu,
                                  std::int64_t gpus) {
  const auto found = std::ranges::find_if(purchase.nodes, [&](const PurchaseNode& one) {
    return one.gpu == gpu && !one.quoted && (gpus <= one.gpus || one.multi_node);
  });
  return found == purchase.nodes.end() ? nullptr : &*found;
}

/// The machines with the lowest price for so many; for one GPU where no number is said. One without
/// a quote is taken only where the price is `stated`.
const PurchaseNode& node_for(const Purchase& purchase, const std::string& gpu,
                             const std::optional<std::int64_t>& gpus, bool stated) {
  const PurchaseNode* node = cheapest_nodes(purchase, gpu, gpus.value_or(1));
  if (node != nullptr) return *node;
  if (const PurchaseNode* unquoted = unquoted_node(purchase, gpu, gpus.value_or(1))) {
    if (stated) return *unquoted;
    throw InputError("--gpu: expected a type with a machine that is quoted, got " + in_quotes(gpu) +
                     "; there is no quote of " + unquoted->title +
                     ": say its price as capex_usd_per_node in --request");
  }
  std::set<std::string> sold;
  std::int64_t most = 0;
  for (const PurchaseNode& one : purchase.nodes) {
    sold.insert(one.gpu);
    if (one.gpu == gpu) most = std::max(most, one.gpus);
  }
  if (most == 0) {
    throw InputError("--gpu: expected a type that machines are sold of, got " + in_quotes(gpu) +
                     "; these are: " + listed_names(sold));
  }
  throw InputError("--gpus: expected at most " + std::to_string(most) + " " + gpu +
                   ", since no network joins their machines, got " +
                   std::to_string(gpus.value_or(1)));
}

/// What the words say in the place of the sheet's planned hours and of the catalog's prices.
void put_use_and_rent(const CostOptions& asked, const Catalog& catalog, const SheetSpec& spec,
                      OwnershipTerms& terms, CostQuestion& question) {
  const double month = terms.hours_per_month;
  if (!asked.hours.empty()) {
    const double hours = value_in("--hours", asked.hours, hours_kind(), {0.01, month});
    terms.utilisation = hours / month;
  }
  if (asked.rent) {
    terms.rent_usd_per_gpu_hour = rounded_usd(*asked.rent);
    return;
  }
  question.rent = quote_of(catalog, spec, catalog.gpu(asked.gpu), terms.gpus, asked);
  if (question.rent) {
    terms.rent_usd_per_gpu_hour = scaled(question.rent->usd_per_hour, 1, terms.gpus);
  }
}

/// The life and the electricity that options say. Throws InputError for what the other keys say
/// too.
void put_rates(const CostOptions& asked, const Json& given, OwnershipTerms& terms) {
  for (const auto& [key, option, said] :
       {std::tuple{"life_years", "--life", asked.life.has_value()},
        {"usd_per_kwh", "--electricity", asked.usd_per_kwh.has_value()}}) {
    if (!said || !given.contains(key)) continue;
    throw InputError(std::string("--request: ") + key + " is said twice, " + option +
                     " says it too");
  }
  if (asked.life) terms.life_years = *asked.life;
  if (asked.usd_per_kwh) terms.usd_per_kwh = rounded_usd(*asked.usd_per_kwh);
}

/// "8xh100" without the names of options. Throws InputError for what is no card.
void take_cards(CostOptions& asked, const Catalog& catalog, const SheetSpec& spec) {
  QuestionOptions words;
  words.words = asked.words;
  words.gpu = asked.gpu;
  words.gpus = asked.gpus;
  take_words(words, catalog, {spec.methods, spec.gpus}, "cost");
  const bool more = !words.model.empty() || !words.config.empty() || !words.method.empty() ||
                    words.tokens || words.deadline || words.budget;
  if (more) {
    throw InputError(
        "cost: expected cards alone, such as 8xh100; what a run of a model costs, ask says");
  }
  asked.gpu = words.gpu;
  asked.gpus = words.gpus;
}

CostQuestion question_of(CostOptions asked, const Catalog& catalog, TakenNames& taken) {
  SheetSpec spec = sheet_asked_for(asked, catalog);
  take_cards(asked, catalog, spec);
  take_region(asked.region, catalog, taken);
  put_region(asked.region, spec.price_rules);
  asked.tier = asked.tier.empty() ? kOnDemand.key : tier_key(asked.tier);
  take_machine(asked.gpu, asked.gpus, asked.provider, catalog, taken);
  take_counted_card(asked.gpu, asked.gpus, catalog, spec.gpus);
  take_name(asked.gpu, "GPU", called_gpus(catalog), taken, spec.gpus);
  take_name(asked.provider, "provider", called_providers(catalog), taken);
  // In the place of the catalog's rates.
  const Json given = request_keys(asked.request, {{"gpus", "--gpus"},
                                                  {"rent_usd_per_gpu_hour", "--rent"},
                                                  {"utilisation", "--hours"},
                                                  {"hours_per_month", "--hours"}});
  const bool stated = given.contains("capex_usd_per_node");
  const PurchaseNode& node = node_for(catalog.purchase, asked.gpu, asked.gpus, stated);
  const std::int64_t gpus = asked.gpus.value_or(node.gpus);
  OwnershipTerms terms = typical_terms(
      ownership_inputs(catalog.purchase, spec.ownership, node, gpus > node.gpus), node, gpus);
  CostQuestion question{{}, asked.gpu, node.title, "", spec.as_of, price_tier(asked.tier).words,
                        {}};
  if (!stated) question.price = price_words(node.price_kind, node.usd.date);
  put_use_and_rent(asked, catalog, spec, terms, question);
  put_rates(asked, given, terms);
  question.request = written(terms);
  question.request["id"] = std::to_string(gpus) + " " + asked.gpu;
  question.request.update(given);
  return question;
}

std::string dollars_of(const Json& object, const std::string& path) {
  return "$" + words_at(object, path);
}

void print_rent(const CostQuestion& question, const Json& answer, std::ostream& out) {
  const Json& asked = question.request;
  if (asked.at("rent_usd_per_gpu_hour").is_null()) {
    out << "  rent  unknown: no price " << question.tier << " counts on " << question.as_of << '\n';
    return;
  }
  out << "  rent  " << dollars_of(answer, "rent_usd_per_month|whole") << " per month, "
      << dollars_of(asked, "rent_usd_per_gpu_hour|hourly") << " per GPU-hour";
  if (question.rent) {
    const RentQuote& rent = *question.rent;
    const std::int64_t paid = rent.instances * rent.price->gpus;
    out << ": " << rent.price->provider << ", " << rent.price->as_of;
    std::vector<std::string> why;
    if (paid > asked.at("gpus")) why.push_back("bills " + std::to_string(paid) + " GPUs");
    if (rent.usd_per_hour != rent.list_usd_per_hour) {
      why.push_back("seen at $" + hourly_usd(scaled(rent.list_usd_per_hour, 1, asked.at("gpus"))) +
                    ", raised for its age");
    }
    if (!why.empty()) out << "\n        " << join(why, "; ");
  }
  out << "\n        the same GPUs rented by the hour; for one job, ask may find cheaper ones\n";
}

void print_own(const CostQuestion& question, const Json& answer, std::ostream& out) {
  out << "  own   " << dollars_of(answer, "own_usd_per_month|whole") << " per month, "
      << dollars_of(answer, "own_usd_per_gpu_hour|hourly") << " per GPU-hour of use\n        "
      << words_at(answer, "nodes|count") << " × " << question.node_title << ", "
      << dollars_of(answer, "capex_usd|whole")
      << (question.price.empty() ? "" : " (" + question.price + ")") << '\n';
  for (const auto& [part, usd] : answer.at("parts").items()) {
    if (usd == 0) continue;
    out << std::right << std::setw(18) << dollars_of(usd, ".|whole") << "  " << part << '\n';
  }
}

/// From when owning pays; where hours are stated, the word for them.
void print_comparison(const Json& answer, bool stated, std::ostream& out) {
  if (answer.at("advice").is_null()) return;
  const double saved = answer.at("savings_usd_over_life");
  const bool never = answer.at("break_even_hours_per_month").is_null();
  const bool close = answer.at("close") == true;
  out << "  even  "
      << (never ? "owning is never cheaper"
                : "owning is cheaper from " + words_at(answer, "break_even_hours_per_month|n0") +
                      " h of use per month")
      << (answer.at("payback_month").is_null()
              ? (saved > 0 ? "; paid back only by resale" : "; not paid back in its life")
              : ", paid back in " + words_at(answer, "payback_month|month"))
      << "\n  "
      << (!stated ? "life"
          : close ? "close"
                  : answer.at("advice").get<std::string>())
      << "  over its life owning "
      << (saved < 0 ? "costs $" + whole_usd(rounded_usd(-saved)) + " more"
                    : "saves $" + whole_usd(rounded_usd(saved)))
      << (stated && close ? "; the two are within 10 %" : "") << '\n';
}

/// At most 20 lines of 80 columns.
void print_cost(const CostQuestion& question, const Json& answer, bool stated,
                const std::vector<std::string>& taken, std::ostream& out) {
  const Json& asked = question.request;
  const double month = asked.at("hours_per_month");
  out << words_at(asked, "gpus|count") << " × " << question.gpu << ", used "
      << format_number(asked.at("utilisation").get<double>() * month, 0) << " of "
      << format_number(month, 0) << " h per month; rates and prices of " << question.as_of << '\n';
  for (const std::string& sentence : taken) out << "  " << sentence << '\n';
  print_rent(question, answer, out);
  print_own(question, answer, out);
  print_comparison(answer, stated, out);
}

int answer_cost(const CostOptions& options, const Streams& streams) {
  if (options.gpu.empty() && options.words.empty()) {
    if (!options.said) return run_cost(streams.in, streams.out);
    throw InputError("cost: expected cards, such as 8xh100 or --gpu h100, beside its options");
  }
  const Catalog catalog = load_sound_catalog(options.catalog, {CatalogPart::kMoney});
  TakenNames taken(streams.err);
  const CostQuestion question = question_of(options, catalog, taken);
  Json answer = answer_cost_request(question.request);
  if (options.json) {
    answer.update(
        {{"id", question.request.at("id")}, {"ok", true}, {"question", question.request}});
    put_ids("", question.gpu, "", answer);
    answer["warnings"] = taken.sentences();
    streams.out << json_text(answer) << '\n';
  } else {
    print_cost(question, answer, !options.hours.empty(), taken.sentences_in(streams.out),
               streams.out);
  }
  return 0;
}

}  // namespace

int run_cost(std::istream& in, std::ostream& out) {
  return for_each_json_line(in, out, 1, [](const Json& request, std::int64_t /*line_number*/) {
    return answer_cost_request(request);
  });
}

void add_cost(CLI::App& app, const Streams& streams, Command& chosen) {
  const auto& [command, options] =
      add_command(app, streams, chosen, "cost",
                  "Say from when owning pays: one GPU type, or JSON lines on stdin", answer_cost);
  command.add_option("words", options.words, "The cards: 8xh100, h100");
  add_text(command, "--gpu", options.gpu,
           "4090, H100, an id …; without cards, questions are read from stdin");
  add_number(command, "--gpus", options.gpus, "How many; those of a machine if left out",
             kGpusAtMost);
  CLI::Option* provider = add_text(command, "--provider", options.provider,
                                   "The seller; the one that the sheet would pick if left out");
  add_text(command, "--region", options.region);
  add_text(command, "--tier", options.tier, "spot, 1 year …; on demand if left out");
  CostOptions& asked = options;  // a lambda cannot take what is bound to a name
  add_number(command, "--rent", [&asked](double value) { asked.rent = value; })->excludes(provider);
  command
      .add_option(all_names("--hours"), options.hours,
                  "Hours of use in a month; the sheet's plan if left out")
      ->type_name(hours_kind().id);
  add_number(command, "--life", options.life);
  add_number(command, "--electricity", options.usd_per_kwh);
  command.add_option("--request", options.request,
                     "Other keys of a question: {\"pue\": 1.2, \"cost_of_capital\": 0.08}");
  add_sheet(command, options, "Sheet whose rates and rules hold");
  add_catalog(command, options.catalog);
  for (CLI::Option* option : command.get_options()) {
    if (option->get_positional() || option == command.get_help_ptr()) continue;
    option->each([&asked](const std::string&) { asked.said = true; });
  }
  command.add_flag("--json", options.json, "The answer as JSON, with the question");
}

}  // namespace sizesheet
