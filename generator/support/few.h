// SPDX-License-Identifier: Apache-2.0
// A short list with room for a known number of members, which asks for no memory of its own.
#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <stdexcept>

namespace sizesheet {

template <typename T, std::size_t kMost>
class Few {
 public:
  Few() = default;
  Few(std::initializer_list<T> members) {
    for (const T& member : members) push_back(member);
  }

  /// Throws std::length_error beyond kMost.
  void push_back(const T& member) {
    if (count_ == kMost) throw std::length_error("too many members for a short list");
    members_[count_++] = member;
  }

  std::size_t size() const { return count_; }
  bool empty() const { return count_ == 0; }
  const T& operator[](std::size_t index) const { return members_[index]; }
  T* begin() { return members_.data(); }
  T* end() { return members_.data() + count_; }
  const T* begin() const { return members_.data(); }
  const T* end() const { return members_.data() + count_; }

 private:
  std::array<T, kMost> members_;
  std::size_t count_ = 0;
};

}  // namespace sizesheet
