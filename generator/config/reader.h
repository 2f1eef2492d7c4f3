// SPDX-License-Identifier: Apache-2.0
// Reads the keys of one config by its format, then its rules.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "config/laid_out.h"
#include "config/reading.h"
#include "support/json.h"

namespace sizesheet {

class ConfigReader {
 public:
  /// All must outlive the reader.
  ConfigReader(const ConfigTree& tree, const LaidOutFormat& format, const ConfigGiven& given)
      : tree_(tree), format_(format), given_(given) {}

  /// Keys that nothing reads are told, or refused.
  void read(bool unknown_refused);
  /// What was read; without format and title, and the stack only where a rule names one.
  ConfigReading reading() const;

  /// Whether a condition of a rule holds; then whether nothing in it is said by the file.
  std::optional<bool> holds(const Json& condition);

 private:
  /// A value and whether it is only a default.
  struct Found {
    Json value;
    bool by_default = true;
    std::string name;  ///< as the file writes it
  };

  Found found(const std::string& name);
  Found found_in_file(const std::string& name) const;
  Json fact(const std::string& name);
  std::optional<std::pair<double, bool>> worked(const Json& work);
  Found set_value(const Json& value, bool by_default);

  void read_key(const ConfigKey& key);
  void read_rule(const ConfigRule& rule);
  void read_set(const ConfigRule& rule, bool by_default);
  void take_outcome(const ConfigKey& key, const Found& found, const Json& outcome);
  std::optional<Json> converted(const std::string& kind, const Json& value,
                                const std::string& name);
  std::optional<Json> whole(const Json& value, const std::string& name);
  std::optional<Json> names(const Json& value, const std::string& name);
  void put(const std::string& to, const Json& value, const Found& from);
  void put_from_key(const std::string& to, const Json& value, const Found& from);
  void find_unknown(bool refused);
  void wait_for_data();

  ConfigRemark remark(const std::string& name, const std::string& words) const {
    return {config_place(tree_, name), plain_text(name), words};
  }
  void tell(const std::string& name, const std::string& words) {
    told_.insert_or_assign(name, words);
  }
  void refuse(const std::string& name, const std::string& words) { refused_.emplace(name, words); }

  const ConfigTree& tree_;
  const LaidOutFormat& format_;
  const ConfigGiven& given_;
  std::map<std::string, Json> request_;  ///< dotted keys, and those of the rules alone
  std::map<std::string, ConfigUse> uses_;
  std::map<std::string, std::string> told_, refused_, asked_;
  Json waiting_ = Json::object();
  std::optional<Json> model_facts_;
};

}  // namespace sizesheet
