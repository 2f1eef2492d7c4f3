// SPDX-License-Identifier: Apache-2.0
#include "render/html/gpus_page.h"

#include <algorithm>

#include "render/html/cells.h"
#include "render/html/frame.h"
#include "render/html/worksheet.h"
#include "render/phrases.h"
#include "support/text.h"

namespace sizesheet {

namespace {

void put_known(Json& values, const std::string& name, const std::optional<double>& figure) {
  if (figure && *figure > 0) {
    put(values, name, format_number(*figure, 0), *figure);
  } else {
    put_absent(values, name);
  }
}

std::int64_t picked_rows(const Sheet& sheet, const SheetGpu& gpu) {
  return std::count_if(sheet.picks.begin(), sheet.picks.end(), [&](const Pick& pick) {
    const Row* row = pick.rent_key ? sheet.find(*pick.rent_key) : nullptr;
    return row != nullptr && row->gpu == gpu.id;
  });
}

Json largest_cells(const Sheet& sheet, const SheetGpu& gpu) {
  Json cells = Json::array();
  for (const SheetMethod& method : sheet.methods) {
    const SheetModel* model = largest_on_one(sheet, gpu, method);
    Json cell = {{"largest_known", model != nullptr}};
    if (model != nullptr) {
      put(cell, "largest", model->size, static_cast<double>(model->parameters));
    } else {
      put_absent(cell, "largest");
    }
    cells.push_back(cell);
  }
  return cells;
}

}  // namespace

const SheetModel* largest_on_one(const Sheet& sheet, const SheetGpu& gpu,
                                 const SheetMethod& method) {
  const SheetModel* largest = nullptr;
  for (const SheetModel& model : sheet.models) {
    const Row* row = sheet.find(model.id, method.id, gpu.id, sheet.scenarios.front().id);
    if (row == nullptr || !row->rentable || *row->rentable != 1) continue;
    if (largest == nullptr || model.parameters > largest->parameters) largest = &model;
  }
  return largest;
}

Json gpu_facts_values(const SheetGpu& gpu) {
  Json values = {{"gpu_id", gpu.id},
                 {"gpu_title", gpu.name},
                 {"gpu_name", gpu.short_name},
                 {"gpu_href", "gpus/" + gpu.id + ".html"},
                 {"gpu_vendor", gpu.vendor},
                 {"gpu_link", gpu.interconnect.empty() ? std::string(kAbsent) : gpu.interconnect},
                 {"gpu_shared", gpu.unified_memory},
                 {"gpu_no_bf16", !gpu.bf16}};
  put(values, "gpu_memory", format_number(gpu.memory_gb, 0), gpu.memory_gb);
  put(values, "gpu_usable", format_gib(gpu.capacity_bytes, 1), gib(gpu.capacity_bytes));
  put(values, "gpu_node", format_integer(gpu.gpus_per_node),
      static_cast<double>(gpu.gpus_per_node));
  put_known(values, "gpu_bandwidth", gpu.bandwidth_gb_per_s);
  put_known(values, "gpu_bf16", gpu.bf16_dense_tflops);
  put_known(values, "gpu_fp16", gpu.fp16_dense_tflops);
  put_known(values, "gpu_fp8", gpu.fp8_dense_tflops);
  put_known(values, "gpu_tdp", gpu.tdp_w);
  put_usd(values, "gpu_price", gpu.list_usd_per_gpu_hour, hourly_usd);
  return values;
}

Json gpus_values(const Sheet& sheet) {
  Json values = frame_values(sheet, SitePage::kGpus, "GPUs · " + sheet.meta.title, "");
  values["worksheets"] = worksheet_values(sheet, "gpus");
  Json rows = Json::array();
  for (const SheetGpu& gpu : sheet.gpus) {
    Json row = gpu_facts_values(gpu);
    const std::int64_t picks = picked_rows(sheet, gpu);
    put(row, "gpu_picks", format_integer(picks), static_cast<double>(picks));
    row["largest_cells"] = largest_cells(sheet, gpu);
    rows.push_back(row);
  }
  values["gpu_rows"] = rows;
  values["gpu_count"] = format_integer(static_cast<std::int64_t>(sheet.gpus.size()));
  values["pick_count"] = format_integer(static_cast<std::int64_t>(sheet.picks.size()));
  values["method_columns"] = std::to_string(sheet.methods.size());
  values["method_heads"] = Json::array();
  for (const SheetMethod& method : sheet.methods) {
    values["method_heads"].push_back({{"method_head", method.short_title}});
  }
  return values;
}

}  // namespace sizesheet
