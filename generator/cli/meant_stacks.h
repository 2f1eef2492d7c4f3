// SPDX-License-Identifier: Apache-2.0
// Frameworks that a line names, and the wish for a config of one.
#pragma once

#include <string>

namespace sizesheet {

class WordMeanings;
struct LineReading;
struct MeantParts;

/// The stack that people mean: "hf-trl" of "trl" and "fsdp"; the name itself where it is one; ""
/// where it names none.
std::string stack_meant(const std::string& name, const WordMeanings& means);

/// "axolotl", "trl": takes the word where it names a stack.
bool take_stack(LineReading& line);

/// Whether a line asks for a training config, and not for a run with one: "write axolotl config for
/// …", "… yaml".
bool wishes_config(const LineReading& line);

/// A word of that wish: "write", "config", "axolotl.yaml".
bool take_wish(LineReading& line);

/// "axolotl.yaml", "axolotl": what a form or a file of an answer names where a config is meant.
bool is_config_wish(const std::string& value, const WordMeanings& means);

/// A file that a config is to be written to; `--write` names a folder.
void put_config_file(const std::string& file, const WordMeanings& means, MeantParts& parts);

/// `--write` where the framework that is meant has configs that can be written; else it is told why
/// not.
void settle_wish(const WordMeanings& means, MeantParts& parts);

}  // namespace sizesheet
