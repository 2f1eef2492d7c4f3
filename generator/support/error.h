// SPDX-License-Identifier: Apache-2.0
// What can go wrong through a user's doing, and how it is told: always with the place, the
// offending value, what was expected and, where one exists, the name the user probably meant.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace sizesheet {

/// Something the user can mend: usage, unreadable or invalid input, a full disk. Ends in exit
/// code 2.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// One fault in a JSON document. `pointer` is an RFC 6901 JSON pointer ("" is the whole document).
struct Fault {
  std::string file;
  std::string pointer;
  std::string message;  ///< "expected …, got … (did you mean …?)"

  bool operator==(const Fault&) const = default;
};

/// `file:/pointer: message`, the form of catalog faults.
std::string to_text(const Fault& fault);

/// `layout.ep: message`, the form of faults in a request line.
std::string to_request_text(const Fault& fault);

/// Every fault found so far; loading goes on after the first.
class Faults {
 public:
  void add(std::string file, std::string pointer, std::string message);
  bool empty() const { return all_.empty(); }
  const std::vector<Fault>& all() const { return all_; }
  /// Throws InputError with a line for each fault, if there is one.
  void refuse() const;
  /// All as faults of a request line, "; " between them.
  std::string request_text() const;

 private:
  std::vector<Fault> all_;
};

/// ` (did you mean "x" or "y"?)` for what of `known` may be meant by `name`, or "". Letters may be
/// misspelt, numbers may not: h200 is no b200 and llama-3-8b no llama-3.1-8b. Meant is
/// - what differs in case and separators only; else
/// - what is spelled most alike, with the same numbers and the same one or two letters glued before
///   each (the h of h200), and besides what has every word and number of `name` and says more: h200
///   is h200-sxm; else
/// - what begins with `name`, or has all that it says up to its last number: a100-80gb is
///   a100-80-pcie or a100-80-sxm.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& known);

}  // namespace sizesheet
