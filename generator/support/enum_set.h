// SPDX-License-Identifier: Apache-2.0
// A set of values of an enumeration with at most 32 of them, counted from 0.
#pragma once

#include <cstdint>
#include <initializer_list>

namespace sizesheet {

template <typename Enum>
class EnumSet {
 public:
  constexpr EnumSet() = default;
  constexpr EnumSet(std::initializer_list<Enum> members) {
    for (const Enum member : members) insert(member);
  }

  constexpr bool contains(Enum member) const { return (bits_ & bit(member)) != 0; }
  constexpr bool empty() const { return bits_ == 0; }
  /// True when it was not there yet.
  constexpr bool insert(Enum member) {
    const bool added = !contains(member);
    bits_ |= bit(member);
    return added;
  }
  constexpr void erase(Enum member) { bits_ &= ~bit(member); }
  bool operator==(const EnumSet&) const = default;

 private:
  static constexpr std::uint32_t bit(Enum member) {
    return std::uint32_t{1} << static_cast<unsigned>(member);
  }

  std::uint32_t bits_ = 0;
};

}  // namespace sizesheet
