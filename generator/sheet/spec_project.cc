// SPDX-License-Identifier: Apache-2.0
#include "sheet/spec_project.h"

#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "catalog/prices/project_rates.h"
#include "sheet/spec.h"
#include "support/error.h"
#include "support/json.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr Bounds<double> kGib{0, 1e9};
constexpr std::int64_t kMostTokensRead = 100'000'000'000'000;

/// A rate of the sheet, and what it is for.
struct RateKey {
  const char* key;
  const ProjectRateKind& kind;
  const char* of;  ///< the key without which nothing costs anything at this rate
};

constexpr RateKey kRateKeys[] = {
    {"forward_share", kForwardShare, "evaluation_tokens"},
    {"usd_per_gib_month", kStorageRate, "storage_months"},
    {"usd_per_gib", kEgressRate, "egress_gib"},
    {"usd_per_engineering_hour", kEngineerRate, "engineering_hours"},
};

ProjectFigure figure_of_sheet(const RateKey& rate, const ProjectRate* usual, double value) {
  ProjectFigure figure;
  figure.low = figure.typical = figure.high = value;
  figure.basis = "choice";
  figure.source = "sheet specification";
  figure.id = rate.kind.id;
  figure.title = usual != nullptr ? usual->title : rate.key;
  figure.unit = rate.kind.unit;
  return figure;
}

ProjectFigure figure_of_catalog(const ProjectRate& usual) {
  return {usual.value, usual.id, usual.title, usual.unit};
}

/// The sheet's rate, else the catalog's, where the project has something at it.
void read_project_figure(ObjectReader& reader, const RateKey& rate, bool needed,
                         const Catalog& catalog, ProjectSpec& project) {
  const ProjectRate* usual = catalog.project.find(rate.kind);
  const auto own = reader.optional_number(rate.key, {rate.kind.least, rate.kind.most});
  if (!needed) {
    if (reader.has(rate.key) && reader.sound(rate.of)) {
      reader.fault(rate.key, std::string("expected ") + rate.of + " above 0 beside it");
    }
    return;
  }
  if (own) {
    project.rates.push_back(figure_of_sheet(rate, usual, *own));
  } else if (usual != nullptr) {
    project.rates.push_back(figure_of_catalog(*usual));
  } else if (reader.sound(rate.key)) {
    reader.fault(rate.key, std::string("expected ") + rate.kind.unit +
                               ", since the catalog has no rate " + in_quotes(rate.kind.id));
  }
}

/// Whose pick the project is of: where nothing is said that of the panels, by the first method.
void read_project_pick(ObjectReader& reader, const SheetSpec& spec, ProjectSpec& project) {
  const std::vector<std::string>& methods =
      spec.scenarios.empty() || spec.scenarios.front().methods.empty()
          ? spec.methods
          : spec.scenarios.front().methods;
  project.model =
      reader.one_of_or("model", each_of(spec.models, &SpecModel::id), spec.highlight_model);
  project.method = reader.one_of_or("method", methods, methods.empty() ? "" : methods.front());
}

/// What is stored is stored for some time.
void check_stored(ObjectReader& reader, const ProjectSpec& project) {
  for (const char* key : {"dataset_gib", "checkpoints"}) {
    if (project.storage_months > 0 || !reader.has(key) || !reader.sound(key) ||
        !reader.sound("storage_months")) {
      continue;
    }
    reader.fault(key, "expected storage_months above 0 beside it");
  }
}

}  // namespace

std::optional<ProjectSpec> read_spec_project(std::optional<ObjectReader> given,
                                             const SheetSpec& spec, const Catalog& catalog) {
  if (!given) return std::nullopt;
  ObjectReader& reader = *given;
  ProjectSpec project;
  read_project_pick(reader, spec, project);
  project.runs = reader.number_or("runs", project.runs, {0.001, 1e6});
  project.failed_share = reader.number_or("failed_share", project.failed_share, {0, 0.99});
  project.evaluation_tokens =
      reader.integer_or("evaluation_tokens", project.evaluation_tokens, {0, kMostTokensRead});
  project.storage_months = reader.number_or("storage_months", project.storage_months, {0, 1200});
  project.dataset_gib = reader.number_or("dataset_gib", project.dataset_gib, kGib);
  const std::int64_t usual = project.storage_months > 0 ? 1 : 0;
  project.checkpoints = reader.integer_or("checkpoints", usual, {0, 100000});
  project.egress_gib = reader.number_or("egress_gib", project.egress_gib, kGib);
  project.engineering_hours =
      reader.number_or("engineering_hours", project.engineering_hours, {0, 1e7});
  project.index_column = reader.flag_or("index_column", project.index_column);
  check_stored(reader, project);
  const bool needed[] = {project.evaluation_tokens > 0, project.storage_months > 0,
                         project.egress_gib > 0, project.engineering_hours > 0};
  for (std::size_t i = 0; i < std::size(kRateKeys); ++i) {
    read_project_figure(reader, kRateKeys[i], needed[i], catalog, project);
  }
  reader.done();
  return project;
}

}  // namespace sizesheet
