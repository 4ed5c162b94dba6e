#pragma once
// Small labs made by hand, without YAML and without a compiled oracle.

#include <cstring>
#include <string>
#include <vector>

#include "grader/course/lab.h"
#include "grader/grading/cases/inputs.h"
#include "grader/grading/cases/poison.h"
#include "grader/grading/compare/compare.h"

namespace cudalabs {

inline Parameter parameter(const std::string& name, ParameterRole role, ElementType type,
                           std::vector<std::string> shape = {}) {
  Parameter made;
  made.name = name;
  made.role = role;
  made.type = type;
  made.shape = std::move(shape);
  return made;
}

/// A lab with one output `out` of the given shape; the sizes are bound by `test`.
struct SmallLab {
  Lab lab;
  TestCase test;
  CaseData data;

  SmallLab(ElementType type, std::vector<std::pair<std::string, std::int64_t>> sizes,
           const std::vector<double>& expected, ToleranceKind kind = ToleranceKind::Exact, double ulps = 0) {
    test.sizes = sizes;
    std::vector<std::string> shape;
    for (const auto& [name, value] : sizes) shape.push_back(name);
    lab.parameters.push_back(parameter("out", ParameterRole::Output, type, shape));
    for (const auto& [name, value] : sizes) {
      lab.parameters.push_back(parameter(name, ParameterRole::Size, ElementType::Int32));
    }
    lab.tolerance = {kind, ulps};
    Expected answer;
    if (is_integer(type)) {
      answer.integers.assign(expected.begin(), expected.end());
    } else {
      answer.values.assign(expected.begin(), expected.end());
    }
    data.expected.push_back(std::move(answer));
    data.initial_outputs.emplace_back(element_count(lab.parameters[0], test) * size_of(type));
    fill_poison(data.initial_outputs[0], type, 7);
  }

  template <class T>
  [[nodiscard]] std::optional<Mismatch> compare(const std::vector<T>& got) const {
    return compare_output(lab, test, data, 0, std::as_bytes(std::span(got)));
  }
  template <class T>
  [[nodiscard]] std::string sentence(const std::vector<T>& got) const {
    const auto mismatch = compare(got);
    return mismatch ? mismatch->statements.english() : "accepted";
  }

  /// What the output holds before the call, as elements.
  template <class T>
  [[nodiscard]] std::vector<T> poison() const {
    std::vector<T> elements(data.initial_outputs[0].size() / sizeof(T));
    std::memcpy(elements.data(), data.initial_outputs[0].data(), data.initial_outputs[0].size());
    return elements;
  }
};

}  // namespace cudalabs
