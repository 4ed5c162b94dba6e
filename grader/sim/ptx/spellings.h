#pragma once
// Maps spellings to enumerators, and misspellings to the nearest spelling.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "grader/sim/ptx/ir.h"

namespace cudalabs::ptx {

/// The longest instruction name at the beginning of `words` ("cp", "async", "ca", ...).
struct Mnemonic {
  Op op{};
  std::size_t words = 0;  ///< number of words in the name; 0: there is no such instruction
};
Mnemonic find_mnemonic(std::span<const std::string_view> words);

/// A dotted word after the mnemonic. A qualified space such as .shared::cta is a space and a modifier.
struct Suffix {
  Type type = Type::None;
  Space space = Space::Generic;
  std::optional<Mod> mod;
};
std::optional<Suffix> find_suffix(std::string_view word);

std::optional<Type> find_type(std::string_view word);
std::optional<Special> find_special(std::string_view name);  ///< "%tid.x"

std::string nearest_mnemonic(std::string_view word);  ///< "" if nothing is similar
std::string nearest_suffix(std::string_view word);

}  // namespace cudalabs::ptx
