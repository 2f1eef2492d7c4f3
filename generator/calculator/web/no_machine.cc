// SPDX-License-Identifier: Apache-2.0
// What a page has in the place of files and threads: no file, and one after the other. Facts and
// rules are those of an edition, which looked at them when it was built.
#include <stdexcept>

#include "sheet/build/checks.h"
#include "sheet/logo.h"
#include "support/error.h"
#include "support/files.h"
#include "support/parallel.h"
#include "support/text.h"

namespace sizesheet {

std::string read_file(const std::filesystem::path& path, std::size_t /*most*/) {
  throw InputError(shown_path(path) + ": a page reads no files");
}

std::vector<std::string> list_files(const std::filesystem::path& directory) {
  throw InputError(shown_path(directory) + ": a page lists no folders");
}

std::string sha256_hex(const std::string& /*bytes*/) {
  throw std::logic_error("a page hashes nothing");
}

void for_each_index(std::size_t count, int /*jobs*/, const std::function<void(std::size_t)>& work) {
  for (std::size_t i = 0; i < count; ++i) work(i);
}

std::string read_logo(const std::filesystem::path& file) { return read_file(file); }

void check_rates(const SpecOwnership& /*own*/, const Purchase& /*purchase*/,
                 const std::string& /*rates_file*/, const std::string& /*rates_pointer*/,
                 Faults& /*faults*/) {}

void check_requests(const SheetSpec& /*spec*/, const Catalog& /*catalog*/,
                    const std::string& /*file*/, Faults& /*faults*/) {}

}  // namespace sizesheet
