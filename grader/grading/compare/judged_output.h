#pragma once
// An output of one case, seen as numbers of its own type beside the numbers of the answer: which elements
// count, where they may stand, and which are right.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "grader/grading/cases/element.h"
#include "grader/grading/cases/inputs.h"
#include "grader/grading/compare/arrangement.h"
#include "grader/grading/compare/numbers.h"

namespace cudalabs {

template <class T>
class JudgedOutput {
 public:
  using Value = ValueOf<T>;

  /// `answers`: the expected contents of all outputs.
  JudgedOutput(const Lab& lab, const TestCase& test, const CaseData& data, std::size_t output_index,
               std::span<const std::byte> got, const std::vector<Expected>& answers)
      : lab_(lab),
        outputs_(parameters_with(lab, ParameterRole::Output)),
        parameter_(lab.parameters[outputs_[output_index]]),
        tolerance_(lab.tolerance_of(parameter_)),
        test_(test),
        data_(data),
        output_index_(output_index),
        answers_(answers),
        expected_(answers[output_index]),
        initial_(data.initial_outputs[output_index]),
        got_(got),
        is_poisoned_(parameter_.role == ParameterRole::Output),
        extents_(extents(parameter_, test)) {
    if (!parameter_.length.empty()) extents_[0] = counted_length(lab, test, parameter_, answers);
    for (const std::int64_t extent : extents_) total_ *= static_cast<std::size_t>(extent);
    if (parameter_.order != Order::Fixed && total_ > 0) arrange();
  }

  /// The elements that must be written, where `got` is what an array in place holds before the call.
  [[nodiscard]] std::size_t count_unwritten() const {
    return tolerance_.kind == ToleranceKind::Checked ? total_ : wrong_places(total_).size();
  }
  [[nodiscard]] bool is_wrong() const { return !wrong_places(0).empty(); }

 protected:
  /// The place in the output of an element of the answer.
  [[nodiscard]] std::size_t place(std::size_t i) const { return source_.empty() ? i : source_[i]; }

  [[nodiscard]] T stored(std::size_t i) const { return load_element<T>(got_, place(i)); }
  [[nodiscard]] Value got(std::size_t i) const { return static_cast<Value>(stored(i)); }
  /// Returns whether the element still holds what was there before the call.
  [[nodiscard]] bool unwritten(std::size_t i) const {
    const auto bytes = [at = place(i)](std::span<const std::byte> all) {
      return all.subspan(at * sizeof(T), sizeof(T));
    };
    return std::ranges::equal(bytes(got_), bytes(initial_));
  }
  /// The number of type T that is nearest to the expected one.
  [[nodiscard]] T nearest(std::size_t i) const {
    if constexpr (kIsFloat<T>) {
      return static_cast<T>(expected_.values[i]);
    } else {
      return static_cast<T>(expected_.integers[i]);
    }
  }
  [[nodiscard]] Value right(std::size_t i) const { return static_cast<Value>(nearest(i)); }
  [[nodiscard]] double ulps_between(std::size_t i) const {
    return Numbers<T>::ulps_between(stored(i), nearest(i));
  }

  /// Calls use(accepts), where accepts(value, i) says whether the tolerance allows `value` for element i of
  /// the answer. Every comparison is written so that NaN fails it.
  template <class Use>
  [[nodiscard]] auto by_tolerance(const Use& use) const {
    const double bound = tolerance_.bound;
    if constexpr (!kIsFloat<T>) {
      const std::int64_t* const right = expected_.integers.data();
      if (tolerance_.kind == ToleranceKind::Absolute || tolerance_.kind == ToleranceKind::Relative)
        return use([right, bound, part = tolerance_.kind == ToleranceKind::Relative](Value value,
                                                                                     std::size_t i) {
          const auto reference = static_cast<double>(static_cast<T>(right[i]));
          return std::abs(static_cast<double>(value) - reference) <= bound * (part ? std::abs(reference) : 1);
        });
      return use(
          [right](Value value, std::size_t i) { return static_cast<std::int64_t>(value) == right[i]; });
    } else {
      const double* const right = expected_.values.data();
      // No order of additions rounds these data. Whatever the bound is, a difference is a mistake.
      const bool exact = test_.distribution == Distribution::ExactSums;
      const auto equals = [right](Value value, std::size_t i) {
        return value == static_cast<Value>(static_cast<T>(right[i]));
      };
      switch (exact ? ToleranceKind::Exact : tolerance_.kind) {
        case ToleranceKind::SumOfProducts:
          return use([right, magnitudes = expected_.magnitudes.data(),
                      roundings = expected_.roundings.data()](Value value, std::size_t i) {
            return Numbers<T>::within_sum_bound(std::abs(static_cast<double>(value) - right[i]),
                                                magnitudes[i], roundings[i]);
          });
        case ToleranceKind::Ulps:
          return use([right, bound](Value value, std::size_t i) {
            return std::abs(static_cast<double>(value) - right[i]) <= bound * Numbers<T>::spacing(right[i]);
          });
        // An infinity is right if it is expected.
        case ToleranceKind::Absolute:
          return use([right, bound, equals](Value value, std::size_t i) {
            return std::abs(static_cast<double>(value) - right[i]) <= bound || equals(value, i);
          });
        case ToleranceKind::Relative:
          return use([right, bound, equals](Value value, std::size_t i) {
            return std::abs(static_cast<double>(value) - right[i]) <= bound * std::abs(right[i]) ||
                   equals(value, i);
          });
        case ToleranceKind::Exact:
        case ToleranceKind::Checked: break;
      }
      return use(equals);
    }
  }
  [[nodiscard]] bool accepted(Value value, std::size_t i) const {
    return by_tolerance([&](const auto& accepts) { return accepts(value, i); });
  }
  /// The places of the wrong elements, in order. If there are more than `enough`, the list stops a little
  /// above that number.
  [[nodiscard]] std::vector<std::size_t> wrong_places(std::size_t enough) const {
    return by_tolerance([&](const auto& accepts) {
      // Nearly always everything is right. This finds that out without a branch for each element.
      constexpr std::size_t kTogether = 256;
      std::vector<std::size_t> wrong;
      const auto scan = [&](const auto& value_at) {
        for (std::size_t begin = 0; begin < total_ && wrong.size() <= enough; begin += kTogether) {
          const std::size_t end = begin + std::min(kTogether, total_ - begin);
          unsigned bad = 0;
          for (std::size_t i = begin; i < end; ++i) bad |= accepts(value_at(i), i) ? 0U : 1U;
          for (std::size_t i = begin; bad != 0 && i < end; ++i)
            if (!accepts(value_at(i), i)) wrong.push_back(i);
        }
      };
      if (source_.empty())
        scan([this](std::size_t i) { return static_cast<Value>(load_element<T>(got_, i)); });
      else
        scan([this](std::size_t i) { return got(i); });
      return wrong;
    });
  }

  const Lab& lab_;
  std::vector<std::size_t> outputs_;  ///< the parameters that are outputs
  const Parameter& parameter_;
  const Tolerance& tolerance_;
  const TestCase& test_;
  const CaseData& data_;
  std::size_t output_index_;
  const std::vector<Expected>& answers_;
  const Expected& expected_;
  std::span<const std::byte> initial_, got_;
  bool is_poisoned_;                   ///< else the initial contents are an input
  std::vector<std::int64_t> extents_;  ///< of the elements that count
  std::size_t total_ = 1;
  /// Where the output has each element of the answer; empty: at its own place.
  std::vector<std::size_t> source_;

 private:
  /// Finds the elements that may change places.
  void arrange() {
    std::vector<Run> runs{{0, total_}};
    if (parameter_.order == Order::SortedBy) runs = runs_of_keys();
    source_ = arranged(
        runs, [this](std::size_t i) { return static_cast<Value>(load_element<T>(got_, i)); },
        [this](std::size_t i) { return right(i); },
        [this](Value value, std::size_t i) { return accepted(value, i); });
  }
  /// Runs of equal keys in the answer.
  [[nodiscard]] std::vector<Run> runs_of_keys() const {
    std::vector<Run> runs;
    const auto split = [&](const auto& key) {
      for (std::size_t i = 0; i < total_; ++i) {
        if (i == 0 || key(i) != key(i - 1)) runs.emplace_back(i, i);
        runs.back().second = i + 1;
      }
    };
    for (std::size_t k = 0; k < outputs_.size(); ++k) {
      if (lab_.parameters[outputs_[k]].name != parameter_.keys) continue;
      const Expected& keys = answers_[k];
      keys.integers.empty() ? split([&](std::size_t i) { return keys.values[i]; })
                            : split([&](std::size_t i) { return keys.integers[i]; });
      return runs;
    }
    const std::vector<std::size_t> inputs = parameters_with(lab_, ParameterRole::Input);
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      if (lab_.parameters[inputs[k]].name != parameter_.keys) continue;
      with_type(lab_.parameters[inputs[k]].type, [&]<class K>(K) {
        const std::size_t count = data_.inputs[k].size() / sizeof(K);
        split([&](std::size_t i) {
          const auto at = static_cast<std::size_t>(expected_.integers[i]);
          return at < count ? static_cast<ValueOf<K>>(load_element<K>(data_.inputs[k], at)) : ValueOf<K>{};
        });
      });
    }
    return runs;
  }
};

}  // namespace cudalabs
