#include "grader/grading/compare/rehearsal.h"

#include <algorithm>
#include <utility>

#include "grader/diagnostics/messages/course.h"
#include "grader/grading/cases/element.h"
#include "grader/grading/cases/inputs.h"
#include "grader/grading/cases/random.h"
#include "grader/grading/compare/checked.h"
#include "grader/grading/compare/compare.h"

namespace cudalabs {
namespace {

/// Returns whether the comparison takes this answer for a right one. Its outputs may have free elements.
bool is_right(const Lab& lab, const TestCase& test, const CaseData& data,
              const std::vector<Expected>& answer) {
  const std::vector<std::size_t> outputs = parameters_with(lab, ParameterRole::Output);
  for (std::size_t i = 0; i < answer.size(); ++i) {
    if (compare_output(lab, test, data, i, as_written(answer[i], lab.parameters[outputs[i]].type)))
      return false;
  }
  return true;
}

/// Names the first case that the CPU program answers wrongly; empty if there is none.
Message wrong_baseline(const Lab& lab, const Oracle& oracle, const TestCase& test, const CaseData& data,
                       std::uint64_t seed) {
  std::vector<std::vector<std::byte>> results;
  oracle.baseline(lab, test, data.inputs, results);
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (const auto wrong = compare_output(lab, test, data, i, results[i]))
      return msg::baseline_disagrees(lab.oracle.filename().string(), test.name(), std::to_string(seed),
                                     wrong->statements);
  }
  const std::vector<std::span<const std::byte>> outputs(results.begin(), results.end());
  if (const auto wrong = check_outputs(lab, test, data, outputs))
    return msg::baseline_disagrees(lab.oracle.filename().string(), test.name(), std::to_string(seed),
                                   wrong->statements);
  return {};
}

/// Checks whether the comparison detects kernels that lose elements. Such a kernel is simulated by the oracle
/// on changed inputs.
class LostElements {
 public:
  LostElements(const Lab& lab, const Oracle& oracle, const TestCase& test, CaseData data, std::uint64_t seed)
      : lab_(lab), oracle_(oracle), test_(test), data_(std::move(data)), seed_(seed) {
    data_.oracle.reset();  // the name of the mistake is not needed
  }

  /// Describes an error that is not detected; empty if all are detected.
  Message find_unseen() {
    if (!has_output_elements(lab_, test_)) return {};
    const auto inputs = parameters_with(lab_, ParameterRole::Input);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const Parameter& parameter = lab_.parameters[inputs[i]];
      if (!parameter.is_array()) continue;
      const Message unseen =
          with_type(parameter.type, [&]<class T>(T) { return unseen_in<T>(i, parameter); });
      if (!unseen.empty()) return msg::loss_goes_unseen(test_.name(), std::to_string(seed_), unseen);
    }
    return {};
  }

 private:
  template <class T>
  Message unseen_in(std::size_t input, const Parameter& parameter) {
    const std::vector<std::byte> right = data_.inputs[input];
    std::vector<std::byte>& changed = data_.inputs[input];
    const std::size_t count = right.size() / sizeof(T);
    const auto shape = extents(parameter, test_);
    const auto name = [&](std::size_t place) {
      return parameter.name + index_text(parameter, index_of(place, shape));
    };
    const auto value = [&](std::size_t place) { return load_element<T>(right, place); };
    const auto seen = [&](std::size_t place, T instead) {
      store_element(changed, place, instead);
      const bool wrong = is_wrong();
      store_element(changed, place, value(place));
      return wrong;
    };
    const Random random(mix_key({seed_, input}));
    const std::size_t stride = stride_along(parameter, test_, lab_.sums ? lab_.sums->over : "");
    if (count == 0) return {};
    for (const std::size_t place :
         {std::size_t{0}, count - 1, std::size_t{random.below(0, count)}, std::size_t{random.below(1, count)},
          std::size_t{random.below(2, count)}}) {
      if (!seen(place, T{})) return msg::element_left_out(name(place));
    }
    for (const std::size_t place : {count - 1, std::size_t{random.below(3, count)}}) {
      if (!seen(place, static_cast<T>(value(place) + value(place))))
        return msg::element_taken_twice(name(place));
      const std::size_t other = place >= stride ? place - stride : place + stride;
      if (other < count && !seen(place, value(other)))
        return msg::element_taken_instead(name(other), name(place));
    }
    constexpr std::size_t kOneIn = 20;
    if (count < kOneIn) return {};
    for (std::size_t place = random.below(4, kOneIn); place < count; place += kOneIn)
      store_element(changed, place, T{});
    const bool wrong = is_wrong();
    changed = right;
    return wrong ? Message() : msg::every_nth_left_out(kOneIn, parameter.name);
  }

  /// Returns whether the comparison rejects the answer for the inputs as they are now.
  [[nodiscard]] bool is_wrong() const {
    return !is_right(lab_, test_, data_, oracle_.expected(lab_, test_, data_.inputs));
  }

  const Lab& lab_;
  const Oracle& oracle_;
  const TestCase& test_;
  CaseData data_;
  std::uint64_t seed_;
};

}  // namespace

Rehearsal rehearse(const Lab& lab, const Oracle& oracle, std::uint64_t seed) {
  std::vector<TestCase> cases = lab.cases;
  cases.push_back(lab.timed);
  Message unset, baseline, lost, unsteady;
  std::vector<std::pair<Message, bool>> differs;  // a mistake, and whether any case shows it
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const CaseKey key{seed, lab.case_number(i), 0, 0};
    CaseData data = make_case(lab, oracle, cases[i], key);
    if (oracle.has_generator() && unsteady.empty() && make_inputs(lab, oracle, cases[i], key) != data.inputs)
      unsteady = msg::generator_is_unsteady(lab.oracle.filename().string(), cases[i].name());
    if (unset.empty()) {
      if (const char* const name = oracle.unset_array(lab, cases[i], data.inputs))
        unset = msg::oracle_leaves_unset(lab.oracle.filename().string(), name, cases[i].name(),
                                         std::to_string(seed));
    }
    if (baseline.empty()) baseline = wrong_baseline(lab, oracle, cases[i], data, seed);
    data.oracle.reset();  // nobody asks which mistake a mistake is
    oracle.each_usual_mistake(lab, cases[i], data.inputs, std::nullopt, [&](const Oracle::Mistake& mistake) {
      auto known = std::ranges::find(differs, mistake.words, &std::pair<Message, bool>::first);
      if (known == differs.end()) known = differs.insert(known, {mistake.words, false});
      known->second = known->second || !is_right(lab, cases[i], data, mistake.answer);
    });
    // Of a sparse matrix or a graph, any element may have no part in a result.
    const bool dense = !oracle.has_generator();
    const bool adds_up = lab.sums || (dense && lab.tolerance.kind == ToleranceKind::SumOfProducts);
    if (adds_up && i == lab.cases.size())
      lost = LostElements(lab, oracle, cases[i], data, seed).find_unseen();
  }
  Rehearsal result{{unsteady, unset, baseline, lost}, {}};
  for (const auto& [mistake, found] : differs) {
    if (!found)
      result.problems.add(msg::right_answer_called_mistake(lab.oracle.filename().string(), mistake));
    result.mistakes.add(mistake);
  }
  return result;
}

}  // namespace cudalabs
