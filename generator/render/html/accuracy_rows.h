// SPDX-License-Identifier: Apache-2.0
// The rows of the page of accuracy: one published figure or run each.
#pragma once

#include "sheet/sheet.h"

namespace sizesheet {

Json accuracy_row_values(const Accuracy& accuracy);

/// Fragment of a source on the page.
std::string source_fragment(const std::string& id);

/// "4.5 %" and "−4.5 %" (or "+4.5 %"), and the number behind it for sorting.
void put_share(Json& values, const std::string& name, double share);
void put_signed_share(Json& values, const std::string& name, double share);

}  // namespace sizesheet
