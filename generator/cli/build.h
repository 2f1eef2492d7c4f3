// SPDX-License-Identifier: Apache-2.0
// `sizesheet build`: catalog and sheet spec in, one whole edition out.
#pragma once

#include <ostream>
#include <string>

#include "support/parallel.h"

namespace sizesheet {

struct BuildOptions {
  std::string sheet = "quarterly";
  std::string catalog = "catalog";
  std::string templates;  ///< "" uses the built-in ones
  std::string out = "output";
  std::string paper = "a4";
  std::string as_of;  ///< "" falls back to SOURCE_DATE_EPOCH, then to the spec
  std::string base_url;
  std::string baseline;  ///< sheet.json of an earlier edition, or its folder; "" compares nothing
  int jobs = default_jobs();
};

/// 0; on any error the old edition stays whole and InputError is thrown. Progress goes to `err`, on
/// a terminal only.
int run_build(const BuildOptions& options, std::ostream& err);

}  // namespace sizesheet
