// SPDX-License-Identifier: Apache-2.0
// Runs that somebody counts: "12 lora runs next quarter", "5x llama-3.1-8b".
#pragma once

namespace sizesheet {

struct LineReading;

/// "12 lora runs", "5x llama-3.1-8b": takes the words where they count runs.
bool take_jobs(LineReading& line);

/// "next quarter", "quarterly": the time that runs are counted in.
bool take_period(LineReading& line);

}  // namespace sizesheet
