// SPDX-License-Identifier: Apache-2.0
// How long the catalog takes, every fact of it checked; and the quarterly sheet: its rows, all of
// it as a value, then each writer.
#include <benchmark/benchmark.h>

#include "bench/counters.h"
#include "catalog/catalog.h"
#include "render/html/html_writer.h"
#include "render/html/templates/templates.h"
#include "render/pdf/lay_out.h"
#include "render/pdf/page/page_layout.h"
#include "render/table/csv.h"
#include "render/xlsx/sheets.h"
#include "sheet/assemble/build_sheet.h"
#include "sheet/assemble/load_spec.h"
#include "sheet/sheet.h"
#include "sheet/sheet_json.h"
#include "sheet/spec.h"
#include "support/files.h"
#include "support/project_catalog.h"

namespace sizesheet {
namespace {

SheetSpec quarterly_asked() {
  return load_sheet_spec("quarterly", SIZESHEET_SOURCE_DIR "/catalog", project_catalog());
}

Sheet quarterly(int jobs) {
  return build_sheet(project_catalog(), quarterly_asked(), {"bench", ""}, jobs,
                     [](std::size_t, std::size_t) {});
}

void load_catalog_whole(benchmark::State& state) {
  for (auto step : state) {
    benchmark::DoNotOptimize(load_sound_catalog(SIZESHEET_SOURCE_DIR "/catalog"));
  }
}

void sweep_quarterly(benchmark::State& state) {
  const SheetSpec spec = quarterly_asked();
  std::size_t rows = 0;
  for (auto step : state) {
    rows = 0;
    sweep(
        project_catalog(), spec, static_cast<int>(state.range(0)),
        [&](Row&& row) { rows += row.key().empty() ? 0 : 1; }, [](std::size_t, std::size_t) {});
  }
  state.counters["cells"] = static_cast<double>(rows);
  state.counters["cells_each_s"] = each_second(rows);
}

void build_quarterly(benchmark::State& state) {
  for (auto step : state) benchmark::DoNotOptimize(quarterly(static_cast<int>(state.range(0))));
}

/// Times what makes something of the quarterly sheet.
template <typename Draw>
void draw_with(benchmark::State& state, const Draw& draw) {
  static const Sheet kSheet = quarterly(1);
  for (auto step : state) {
    FileSet files;
    draw(kSheet, files);
    benchmark::DoNotOptimize(files);
  }
}

void write_json(benchmark::State& state) {
  draw_with(state, [](const Sheet& sheet, FileSet& files) { files["json"] = to_json_text(sheet); });
}
void write_csv(benchmark::State& state) { draw_with(state, write_tables); }
void site(benchmark::State& state) {
  draw_with(state, [](const Sheet& sheet, FileSet& files) {
    write_site(sheet, builtin_templates(), 1, files);
  });
}
void write_pdf(benchmark::State& state) {
  draw_with(state, [](const Sheet& sheet, FileSet& files) {
    files["pdf"] = pdf_handout(sheet, Paper::kA4);
  });
}
void write_xlsx(benchmark::State& state) {
  draw_with(state, [](const Sheet& sheet, FileSet& files) {
    files["xlsx"] = xlsx_workbook(sheet, false);
  });
}

BENCHMARK(load_catalog_whole)->Unit(benchmark::kMillisecond);
BENCHMARK(sweep_quarterly)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(build_quarterly)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(write_json)->Unit(benchmark::kMillisecond);
BENCHMARK(write_csv)->Unit(benchmark::kMillisecond);
BENCHMARK(site)->Name("write_site")->Unit(benchmark::kMillisecond);
BENCHMARK(write_pdf)->Unit(benchmark::kMillisecond);
BENCHMARK(write_xlsx)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace sizesheet
