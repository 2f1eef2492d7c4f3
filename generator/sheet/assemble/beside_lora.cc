// SPDX-License-Identifier: Apache-2.0
#include "sheet/assemble/beside_lora.h"

#include <algorithm>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "catalog/facts/method.h"
#include "sheet/decision.h"
#include "sheet/money.h"
#include "sheet/money_words.h"
#include "sheet/sheet.h"
#include "sheet/spec.h"
#include "support/json.h"
#include "support/text.h"

namespace sizesheet {
namespace {

/// The method of the sheet that trains the same adapters over a base in 16 bits, or "".
std::string lora_beside(const Catalog& catalog, const SheetSpec& spec, const std::string& method) {
  Json wanted = catalog.method(method).request;
  if (wanted.at("kind") != "qlora") return "";
  wanted["kind"] = "lora";
  for (const char* of_the_base : {"double_quant", "quantize_experts", "kbit_prep"}) {
    wanted.erase(of_the_base);
  }
  const auto same = [&](const std::string& id) { return catalog.method(id).request == wanted; };
  const auto found = std::ranges::find_if(spec.methods, same);
  return found == spec.methods.end() ? "" : *found;
}

std::string set_up(const Sheet& sheet, const std::string& gpu, std::int64_t gpus) {
  return std::to_string(gpus) + " × " + sheet.gpu(gpu).short_name;
}

double seconds_of(const Row& row, const std::string& clock) {
  const auto* found = entry_with(row.clocks, &StepClock::id, clock);
  return found == nullptr ? 0 : found->seconds;
}

/// 2 or 4: trained adapters are stored in 16 or 32 bits. 0 where they are not known.
std::int64_t bytes_of_adapter(const Row& row) {
  if (!row.files || row.parameters_trainable == 0) return 0;
  return row.files->adapter / row.parameters_trainable;
}

std::string bits_words(const Row& row) { return std::to_string(8 * bytes_of_adapter(row)); }

std::string seconds_words(double seconds) {
  return format_number(seconds, seconds < 10 ? 2 : 1) + " s";
}

/// What the two run differently, as far as it moves memory or hours.
std::vector<std::string> differences(const Row& row, const Row& lora) {
  std::vector<std::string> words;
  const auto differ = [&](const std::string& what, const auto& mine, const auto& its) {
    if (mine != its) words.push_back(what + mine + " (LoRA: " + its + ")");
  };
  differ("GPUs ", std::to_string(row.layout.gpus), std::to_string(lora.layout.gpus));
  differ("micro-batch ", std::to_string(row.choices.micro_batch),
         std::to_string(lora.choices.micro_batch));
  differ("recompute ", row.choices.recompute, lora.choices.recompute);
  differ("sharding ", row.layout.shard, lora.layout.shard);
  differ("tensor parallelism ", std::to_string(row.layout.tp), std::to_string(lora.layout.tp));
  differ("pipeline parallelism ", std::to_string(row.layout.pp), std::to_string(lora.layout.pp));
  if (bytes_of_adapter(row) < bytes_of_adapter(lora)) {
    words.push_back("adapters in " + bits_words(row) + " bits (LoRA: " + bits_words(lora) + ")");
    words.push_back("time of adapters per step " + seconds_words(seconds_of(row, "adapters")) +
                    " (LoRA: " + seconds_words(seconds_of(lora, "adapters")) + ")");
  }
  return words;
}

std::string because(const Row& row, const Row& lora) {
  const auto words = differences(row, lora);
  return words.empty() ? "" : ". The set-ups differ: " + join(words, "; ");
}

/// Both with as many decimals as tell them apart: "0.58 h (LoRA: 0.61 h)".
std::string hours_apart(double mine, double its) {
  constexpr int kMostDecimals = 6;
  int decimals = mine < 1 ? 2 : mine < 10 ? 1 : 0;
  while (decimals < kMostDecimals &&
         format_number(mine, decimals) == format_number(its, decimals)) {
    ++decimals;
  }
  return format_number(mine, decimals) + " h (LoRA: " + format_number(its, decimals) + " h)";
}

/// "" where it is as a reader expects.
std::string beside_words(const Row& row, const Row& lora) {
  const bool timed = row.hours_mid && lora.hours_mid;
  const bool quicker = timed && *row.hours_mid < *lora.hours_mid;
  const bool larger = row.memory.device >= lora.memory.device;
  std::vector<std::string> unexpected;
  if (larger) {
    unexpected.push_back("needs " + format_gib(row.memory.device, 1) +
                         " GiB per GPU (LoRA: " + format_gib(lora.memory.device, 1) + ")");
  }
  if (quicker) {
    unexpected.push_back("takes " + hours_apart(*row.hours_mid, *lora.hours_mid));
  }
  if (unexpected.empty()) return "";
  return "QLoRA " + join(unexpected, " and ") + because(row, lora);
}

/// Why the pick of QLoRA costs more than that of LoRA, though less fits more cards.
std::string dearer_words(const Sheet& sheet, const Row& picked, const Row& lora) {
  const RunCandidate& run = *picked.set_up();
  const RunCandidate& other = *lora.set_up();
  std::string words = "; LoRA costs " + usd_words(other.usd.mid) + " on " +
                      set_up(sheet, other.gpu, other.gpus) + ", ";
  if (other.gpu == run.gpu) {
    const double extra = seconds_of(picked, "dequantise");
    return words + "QLoRA " + usd_words(run.usd.mid) + ": dequantising takes " +
           seconds_words(extra) + " of a step" + because(picked, lora);
  }
  const Row* there = sheet.main_row(picked.model, picked.method, other.gpu);
  const RunCandidate* same = there == nullptr ? nullptr : there->set_up();
  if (same == nullptr) return words + "where no QLoRA run fits and has a price";
  return words + "where QLoRA costs " + usd_words(same->usd.mid) + ", at most " +
         usd_words(same->usd.high) +
         (same->measured == run.measured ? "" : ": no QLoRA speed of that card is published");
}

const Row* picked_row(const Sheet& sheet, const std::string& model, const std::string& method) {
  const Pick* pick = sheet.pick(model, method);
  if (pick == nullptr || !pick->rent_key) return nullptr;
  return sheet.find(*pick->rent_key);
}

}  // namespace

void explain_beside_lora(const Catalog& catalog, const SheetSpec& spec, Sheet& sheet) {
  for (const std::string& method : spec.methods) {
    const std::string lora = lora_beside(catalog, spec, method);
    if (lora.empty()) continue;
    for (Row& row : sheet.rows) {
      if (row.method != method || !row.modelled) continue;
      const Row* beside = sheet.find(row.model, lora, row.gpu, row.scenario);
      if (beside != nullptr && beside->modelled) row.beside_lora = beside_words(row, *beside);
    }
    for (Pick& pick : sheet.picks) {
      if (pick.method != method) continue;
      const Row* row = picked_row(sheet, pick.model, method);
      const Row* other = picked_row(sheet, pick.model, lora);
      if (row == nullptr || other == nullptr) continue;
      if (other->set_up()->usd.mid < row->set_up()->usd.mid) {
        pick.why += dearer_words(sheet, *row, *other);
      }
    }
  }
}

}  // namespace sizesheet
