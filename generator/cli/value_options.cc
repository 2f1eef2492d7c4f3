// SPDX-License-Identifier: Apache-2.0
#include "cli/value_options.h"

#include "support/error.h"
#include "support/json.h"
#include "support/values.h"

namespace sizesheet {

double value_in(const std::string& option, const std::string& text, const ValueKind& kind,
                Bounds<double> bounds) {
  const ReadValue read = read_value(text, kind, bounds);
  if (!read.value) throw InputError(option + ": " + read.fault);
  return *read.value;
}

CLI::Option* add_value_option(CLI::App& command, const std::string& name, const ValueKind& kind,
                              Bounds<double> bounds, const std::string& words,
                              const std::function<void(double)>& put) {
  return command
      .add_option_function<std::string>(
          name,
          [place = name.substr(0, name.find(',')), &kind, bounds, put](const std::string& text) {
            put(value_in(place, text, kind, bounds));
          },
          words)
      ->type_name(kind.id);
}

CLI::Option* add_day(CLI::App& command, const std::string& name, std::string& day,
                     const std::string& words) {
  return command
      .add_option_function<std::string>(
          name,
          [name, &day](const std::string& text) {
            const std::string fault = why_no_day(text);
            if (!fault.empty()) throw InputError(name + ": " + fault);
            day = text;
          },
          words)
      ->type_name("DAY");
}

}  // namespace sizesheet
