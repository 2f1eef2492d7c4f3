// SPDX-License-Identifier: Apache-2.0
#include "support/cases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "support/formula_evaluator.h"
#include "support/project_catalog.h"
#include "support/refusal.h"

namespace sizesheet {
namespace {

using CaseFigures = std::map<std::string, double>;

void add_figures(const Json& json, const std::string& name, CaseFigures& figures) {
  if (json.is_number()) figures[name] = json.get<double>();
  if (!json.is_structured()) return;
  for (const auto& [key, value] : json.items()) {
    add_figures(value, name.empty() ? key : name + "." + key, figures);
  }
}

CaseFigures figures_in(const Json& facts) {
  CaseFigures figures;
  add_figures(facts, "", figures);
  for (const Constant& constant : project_catalog().engine.constants) {
    figures["constants." + constant.id] = constant.current;
  }
  return figures;
}

Json changed_by(Json request, const Json& patch) {
  request.merge_patch(patch);
  return request;
}

/// What a case's own request gives, and under the name of each other one what that gives.
Json all_facts(const Json& base, const Json& row, const FactsOf& facts_of) {
  const Json others = row.value("given", Json::object());
  const bool own = row.contains("with") || others.empty();
  Json facts = own ? facts_of(changed_by(base, row.value("with", Json::object()))) : Json::object();
  for (const auto& [name, patch] : others.items()) {
    facts[name] = facts_of(changed_by(base, patch));
  }
  return facts;
}

double value_of(const Json& expression, const CaseFigures& figures) {
  return evaluate_expression(expression.get<std::string>(), figures);
}

void expect_equal(const Json& row, const CaseFigures& figures) {
  const Json pairs = row.value("equal", Json::array());
  for (const Json& pair : pairs) {
    const double got = value_of(pair.at(0), figures);
    const double wanted = value_of(pair.at(1), figures);
    if (pair.size() == 2) {
      EXPECT_DOUBLE_EQ(got, wanted) << pair;
    } else {
      EXPECT_NEAR(got, wanted, value_of(pair.at(2), figures)) << pair;
    }
  }
  const Json deviations = row.value("deviates", Json::object());
  for (const auto& [example, expression] : deviations.items()) {
    const Json deviation = oracle("engine_deviations.json").at("worked").at(example);
    const double ours = value_of(expression, figures);
    EXPECT_NEAR(ours, deviation.at("engine").get<double>(), 1e-9 * ours) << example;
    EXPECT_NE(deviation.at("engine"), deviation.at("reference")) << example;
  }
}

void expect_order(const Json& row, const CaseFigures& figures) {
  for (const bool strict : {true, false}) {
    const Json chains = row.value(strict ? "rising" : "not_falling", Json::array());
    for (const Json& chain : chains) {
      for (std::size_t i = 1; i < chain.size(); ++i) {
        const double before = value_of(chain[i - 1], figures);
        const double after = value_of(chain[i], figures);
        EXPECT_TRUE(before < after || (!strict && before == after))
            << chain[i - 1] << " is " << before << ", " << chain[i] << " is " << after;
      }
    }
  }
}

void expect_words(const Json& row, const Json& facts) {
  const Json said = row.value("said", Json::object());
  for (const auto& [place, value] : said.items()) {
    EXPECT_EQ(facts.at(Json::json_pointer(place)), value) << place;
  }
  const Json unsaid = row.value("unsaid", Json::array());
  for (const std::string place : unsaid) {
    EXPECT_FALSE(facts.contains(Json::json_pointer(place))) << place;
  }
  const Json told = row.value("told", Json::array());
  for (const Json& line : told) {
    EXPECT_EQ(std::ranges::count(facts.at("warnings"), line), 1) << facts.at("warnings");
  }
  const Json untold = row.value("untold", Json::array());
  for (const std::string beginning : untold) {
    for (const std::string line : facts.at("warnings")) {
      EXPECT_FALSE(line.starts_with(beginning)) << line;
    }
  }
}

void expect_sweep(const Json& base, const Json& row, const FactsOf& facts_of) {
  const Json::json_pointer place(row.at("sweep").at(0).get<std::string>());
  CaseFigures before;
  for (const Json& value : row.at("sweep").at(1)) {
    Json request = changed_by(base, row.value("with", Json::object()));
    request[place] = value;
    const CaseFigures figures = figures_in(facts_of(request));
    const Json never_fall = row.value("never_fall", Json::array());
    for (const std::string name : never_fall) {
      EXPECT_TRUE(before.empty() || before.at(name) <= figures.at(name)) << name << " " << value;
    }
    const Json never_rise = row.value("never_rise", Json::array());
    for (const std::string name : never_rise) {
      EXPECT_TRUE(before.empty() || before.at(name) >= figures.at(name)) << name << " " << value;
    }
    before = figures;
  }
}

/// A key that nothing reads would be a check that is never made.
void expect_checks(const Json& row) {
  static const std::set<std::string> kAsked = {"case", "on", "with", "given", "sweep"};
  static const std::set<std::string> kOfSweeps = {"never_fall", "never_rise"};
  static const std::set<std::string> kOfOthers = {"equal", "deviates", "rising", "not_falling",
                                                  "said",  "unsaid",   "told",   "untold"};
  const auto& known = row.contains("sweep") ? kOfSweeps : kOfOthers;
  std::size_t checks = 0;
  for (const auto& [key, value] : row.items()) {
    if (kAsked.contains(key)) continue;
    EXPECT_TRUE(known.contains(key)) << key;
    checks += value.size();
  }
  EXPECT_GT(checks, 0U) << "nothing is checked";
}

void expect_case(const Json& base, const Json& row, const FactsOf& facts_of) {
  expect_checks(row);
  if (row.contains("sweep")) return expect_sweep(base, row, facts_of);
  const Json facts = all_facts(base, row, facts_of);
  const CaseFigures figures = figures_in(facts);
  expect_equal(row, figures);
  expect_order(row, figures);
  expect_words(row, facts);
}

}  // namespace

void expect_cases(const Json& file, const FactsOf& facts_of) {
  for (const Json& row : file.at("cases")) {
    SCOPED_TRACE(row.at("case").get<std::string>());
    try {
      expect_case(file.at("bases").at(row.at("on").get<std::string>()), row, facts_of);
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
  }
}

void expect_refused(const Json& file, const FactsOf& facts_of) {
  for (const Json& row : file.at("refused")) {
    const Json request = changed_by(file.at("bases").at(row.at(0).get<std::string>()), row.at(1));
    EXPECT_EQ(refusal_of([&] { facts_of(request); }), row.at(2).get<std::string>()) << request;
  }
}

}  // namespace sizesheet
