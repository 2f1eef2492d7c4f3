// SPDX-License-Identifier: Apache-2.0
// The entries of one folder of a catalog by id, which may be read one by one.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "support/text.h"

namespace sizesheet {

/// A map of entries. Those that wait are read when they are first asked for, so a program that
/// needs one model does not pay for all. Several threads may ask at once.
template <typename T>
class Entries {
 public:
  using Map = std::map<std::string, T>;
  using Read = std::function<T(const std::string& id)>;

  Entries() = default;
  Entries(Map all) : read_(std::move(all)) {}  // NOLINT(google-explicit-constructor): they are one
  /// Each of `waiting` is read by `reader`, once.
  Entries(const std::vector<std::string>& waiting, Read reader)
      : waiting_(waiting.begin(), waiting.end()), reader_(std::move(reader)) {}

  Entries(const Entries& other) { take(other); }
  Entries(Entries&& other) noexcept { take(std::move(other)); }
  Entries& operator=(const Entries& other) {
    if (this != &other) take(other);
    return *this;
  }
  Entries& operator=(Entries&& other) noexcept {
    take(std::move(other));
    return *this;
  }
  ~Entries() = default;

  bool contains(const std::string& id) const {
    const std::lock_guard lock(mutex_);
    return read_.contains(id) || waiting_.contains(id);
  }
  std::size_t size() const {
    const std::lock_guard lock(mutex_);
    return read_.size() + waiting_.size();
  }
  std::vector<std::string> ids() const {
    const std::lock_guard lock(mutex_);
    std::set<std::string> all = waiting_;
    for (const auto& [id, entry] : read_) all.insert(id);
    return {all.begin(), all.end()};
  }

  typename Map::const_iterator find(const std::string& id) const {
    const std::lock_guard lock(mutex_);
    if (waiting_.contains(id)) read(id);
    return read_.find(id);
  }
  typename Map::const_iterator end() const { return read_.end(); }
  typename Map::const_iterator begin() const { return all().begin(); }
  const T& at(const std::string& id) const {
    find(id);
    return read_.at(id);
  }
  /// Every entry, with what waits read now.
  const Map& all() const {
    const std::lock_guard lock(mutex_);
    while (!waiting_.empty()) read(std::string(*waiting_.begin()));
    return read_;
  }

  /// The same to change. No other thread may ask meanwhile.
  Map& all() {
    std::as_const(*this).all();
    return read_;
  }
  T& at(const std::string& id) {
    find(id);
    return read_.at(id);
  }
  T& operator[](const std::string& id) {
    find(id);
    return read_[id];
  }

 private:
  void read(const std::string& id) const {
    read_.emplace(id, reader_(id));
    waiting_.erase(id);
  }

  void take(const Entries& other) {
    const std::scoped_lock lock(other.mutex_);
    read_ = other.read_;
    waiting_ = other.waiting_;
    reader_ = other.reader_;
  }
  void take(Entries&& other) noexcept {
    read_ = std::move(other.read_);
    waiting_ = std::move(other.waiting_);
    reader_ = std::move(other.reader_);
  }

  mutable std::mutex mutex_;
  mutable Map read_;
  mutable std::set<std::string> waiting_;  ///< ids that are not read yet
  Read reader_;
};

template <typename T>
std::vector<std::string> keys_of(const Entries<T>& entries) {
  return entries.ids();
}

}  // namespace sizesheet
