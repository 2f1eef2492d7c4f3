// SPDX-License-Identifier: Apache-2.0
// A sheet of the project's catalog that is small enough to be drawn hundreds of times.
#pragma once

#include "sheet/sheet.h"
#include "support/files.h"
#include "support/json.h"

namespace sizesheet {

/// The prices of a provider that has one, of eight of a GPU type.
Json price_file(const std::string& provider, const std::string& gpu, const std::string& as_of);

/// What the sheet asks for, as a file of its own would say it.
Json small_json();

/// One model, two methods, two GPU types of which one has no price, all kinds of pages: with
/// changes since an edition whose prices were others, a base URL, letter paper. Made by this
/// version.
const Sheet& small_sheet();

/// All its files, by the built-in templates.
const FileSet& small_files();

}  // namespace sizesheet
