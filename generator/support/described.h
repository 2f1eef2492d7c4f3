// SPDX-License-Identifier: Apache-2.0
// Structs that name their members in one line (BOOST_DESCRIBE_STRUCT, right behind the struct), and
// the bridge from there to visitors: what writes and what reads JSON walks the same names.
#pragma once

#include <boost/describe.hpp>
#include <boost/mp11/algorithm.hpp>
#include <string_view>
#include <type_traits>

namespace sizesheet {

/// A member that has another name in JSON. A struct lists those in a static `kKeys`.
struct Key {
  const char* member;
  const char* key;
};

/// The key of member `name` of a T: its entry in T::kKeys where there is one, else its name.
template <typename T>
constexpr const char* key_of(const char* name) {
  if constexpr (requires { T::kKeys; }) {
    for (const Key& other : T::kKeys) {
      if (std::string_view(other.member) == name) return other.key;
    }
  }
  return name;
}

/// Calls the visitor with the key and the value of every described member, those of a base first.
/// The members of a part that says `kLiesFlat` stand beside the others, not in an object of their
/// own.
template <typename V, typename T,
          typename Members = boost::describe::describe_members<
              std::remove_const_t<T>, boost::describe::mod_public | boost::describe::mod_inherited>>
void fields(V& visitor, T& value) {
  boost::mp11::mp_for_each<Members>([&](auto member) {
    auto& part = value.*member.pointer;
    if constexpr (requires { std::remove_cvref_t<decltype(part)>::kLiesFlat; }) {
      fields(visitor, part);
    } else {
      visitor(key_of<T>(member.name), part);
    }
  });
}

/// Calls `visit` with every two described members of `a` and `b` that have one name.
template <typename A, typename B, typename Visit>
void for_each_named(const A& a, B& b, const Visit& visit) {
  using boost::describe::describe_members;
  constexpr auto kAll = boost::describe::mod_public | boost::describe::mod_inherited;
  boost::mp11::mp_for_each<describe_members<A, kAll>>([&](auto one) {
    boost::mp11::mp_for_each<describe_members<std::remove_const_t<B>, kAll>>([&](auto other) {
      constexpr std::string_view kName = decltype(one)::name;
      if constexpr (kName == decltype(other)::name) visit(a.*one.pointer, b.*other.pointer);
    });
  });
}

/// Gives the members of `to` the values of the described members of `from` that have their names.
template <typename From, typename To>
void copy_named(const From& from, To& to) {
  for_each_named(from, to, [](const auto& value, auto& member) { member = value; });
}

}  // namespace sizesheet
