// SPDX-License-Identifier: Apache-2.0
// The sheet of a question of one model, which `ask` answers and `explain` takes one row of.
#pragma once

#include <string>

namespace sizesheet {

class TakenNames;
struct Catalog;
struct QuestionOptions;
struct SheetSpec;

/// The rules of `sheet`, asked of the model, the method and the card of `options`, whose words and
/// names become ids. Throws InputError, naming `command`, where no model is named.
SheetSpec asked_spec(QuestionOptions& options, const std::string& command, Catalog& catalog,
                     SheetSpec sheet, TakenNames& taken);

}  // namespace sizesheet
