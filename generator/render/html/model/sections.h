// SPDX-License-Identifier: Apache-2.0
// The sections of a model's page: the values that its template is drawn with.
#pragma once

#include <string>

#include "sheet/sheet.h"

namespace sizesheet {

// ---- The cards at the top of a model's page: one answer a method.

/// The rent pick with the lowest $/run of all methods; else the first row shown; else nullptr.
const Row* best_row(const Sheet& sheet, const std::string& model);

Json card_list(const Sheet& sheet, const std::string& model, const Row* best);

// ---- What else would do: other GPU types, other counts, other stacks.

/// One block a method: the other GPU types, cheapest run first, and the counts below the answer.
Json choice_list(const Sheet& sheet, const std::string& model, const Row* best);

/// The model's rows of other scenarios beside the same row of the main one.
Json stack_list(const Sheet& sheet, const std::string& model);

/// What each stack of the sheet assumes, in its own words.
Json stack_summaries(const Sheet& sheet);

// ---- What would save memory on a model's picks: levers that could be pulled, levers that are, and
// several together.

/// The levers of the best method open, those of the others folded.
void put_levers(Json& values, const Sheet& sheet, const std::string& model, const Row* best);

// ---- The memory of a model's picks: bars, table, time, phases, and memory against sequence
// length.

void put_memory(Json& values, const Sheet& sheet, const std::string& model, const Row* best);

// ---- Rent or buy on a model's page: the chart and the table by method.

void put_rent_or_buy(Json& values, const Sheet& sheet, const std::string& model, const Row* best);

// ---- Where a model's picks can be rented, why the cheapest hour is not the cheapest run, and what
// a run leaves on disk.

void put_offers(Json& values, const Sheet& sheet, const std::string& model);

// ---- What a model's choices cost: stages of ZeRO, adapters by rank, a run by GPU type. A chart
// each, with its table beside it.

void put_zero_stages(Json& values, const Sheet& sheet, const std::string& model);
void put_adapter_ranks(Json& values, const Sheet& sheet, const std::string& model);
void put_run_costs(Json& values, const Sheet& sheet, const std::string& model);

}  // namespace sizesheet
