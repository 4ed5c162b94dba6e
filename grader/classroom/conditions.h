#pragma once
// What the gradings of a class depended on besides the submissions: points are comparable only where
// compiler, card and seeds were the same.

#include <string>
#include <vector>

#include "grader/base/message.h"
#include "grader/classroom/class_record.h"

namespace cudalabs {

/// One condition, with its values and the students (or labs) that have each, the most frequent value first.
struct ConditionValues {
  enum class Kind : std::uint8_t { Compiler, Device, Profile, SeedPolicy, Seed } kind{};
  struct Value {
    std::string text;
    std::vector<std::string> owners;
  };
  std::vector<Value> values;

  void add(const std::string& text, const std::string& owner);
  /// "nvcc 13.0.88: 57/60; clang 14.0.6: 3/60 (4711, 4712, 4713)"; with one value only that.
  [[nodiscard]] std::string text(bool with_owners = true) const;
};

/// The conditions of the gradings that count, by Kind.
std::vector<ConditionValues> conditions_of(const ClassRecord& record);

/// A sentence for each condition that has several values; empty: all results are comparable.
Messages differences_of(const std::vector<ConditionValues>& conditions);

}  // namespace cudalabs
