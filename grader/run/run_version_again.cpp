// What is asked once more of a version that has been run: why answers are wrong, and what they are made of.
#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <set>
#include <string>
#include <utility>

#include "grader/run/followed_case.h"
#include "grader/run/run_version.h"

namespace cudalabs {
namespace {

/// By one measure of size, how many cases with elements are smaller than case `wrong`; 0 if one of them is
/// wrong, or of more than half its size.
template <class Size>
std::size_t smaller_right(std::size_t wrong, const std::vector<CaseEvidence>& cases, Size size) {
  std::size_t right = 0, larger = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (!cases[i].has_output) continue;
    // Where rounding hides it, or data happen to, a larger one may be right.
    constexpr std::size_t kAccidents = 2;
    larger += size(i) > size(wrong) && cases[i].verdict == Verdict::Accepted ? 1 : 0;
    if (larger > kAccidents) return 0;
    if (size(i) >= size(wrong)) continue;
    if (cases[i].verdict != Verdict::Accepted || size(i) * 2 > size(wrong)) return 0;
    ++right;
  }
  return right;
}

/// "all 17 smaller cases are right", "all 20 cases where cols is smaller are right": by the measure that
/// parts most right ones from this one; empty: none parts enough.
std::string all_smaller_right(const Lab& lab, std::size_t wrong, const std::vector<CaseEvidence>& cases) {
  constexpr std::size_t kEnough = 4;  // that are right by no accident
  const auto test = [&](std::size_t i) -> const TestCase& {
    return i < lab.cases.size() ? lab.cases[i] : lab.timed;
  };
  std::size_t most = smaller_right(wrong, cases, [&](std::size_t i) { return bytes_of(lab, test(i)); });
  std::string words = fmt::format("all {} smaller cases are right", most);
  for (const std::size_t p : parameters_with(lab, ParameterRole::Size)) {
    const std::string& name = lab.parameters[p].name;
    const std::size_t right = smaller_right(wrong, cases, [&](std::size_t i) { return test(i).size(name); });
    if (right <= most) continue;
    most = right;
    words = fmt::format("all {} cases where {} is smaller are right", right, name);
  }
  return most >= kEnough ? words : "";
}

}  // namespace

Result<void> VersionRunner::explain_by_the_others(const std::vector<std::size_t>& order,
                                                  std::vector<CaseEvidence>& cases) {
  std::vector<std::size_t> wrong;  // from small to large
  std::size_t explained = 0;
  for (const std::size_t index : order) {
    const CaseEvidence& test = cases[index];
    if (test.verdict == Verdict::Accepted || test.verdict == Verdict::NotGraded) continue;
    if (test.verdict != Verdict::WrongAnswer) return {};
    if (test.reason != CaseEvidence::Reason::None)
      ++explained;
    else
      wrong.push_back(index);
  }
  if (wrong.size() <= explained) return {};
  CaseEvidence& smallest = cases[wrong[0]];
  if (wrong[0] != order[0]) {
    auto alone = run_case(wrong[0], call_timeout(context_.lab), CallMode::Plain);
    end_session();
    if (!alone) return alone.problem();
    if (alone->verdict == Verdict::Accepted) {
      smallest.message += "; where it is the program's first call, the answer is right";
      smallest.advice =
          "Something is kept from the calls before: look for static and global variables, and for constant "
          "memory or arrays that are set in the first call only.";
      smallest.reason = CaseEvidence::Reason::Seen;
      return {};
    }
  }
  if (auto seen = explain_by_origins(wrong, cases); !seen || *seen)
    return seen ? Result<void>() : Result<void>(seen.problem());
  if (const std::string right = all_smaller_right(context_.lab, wrong[0], cases); !right.empty()) {
    smallest.message += "; " + right;
    smallest.reason = CaseEvidence::Reason::Guessed;
    if (smallest.left_out) return {};  // the advice for these says more
    smallest.advice =
        "Look at what only many elements meet: the second round of a loop, more blocks or partial results "
        "than "
        "the next step takes, a fixed number of threads or of elements, an index that overflows an int.";
  }
  return {};
}

Result<bool> VersionRunner::explain_by_origins(const std::vector<std::size_t>& wrong,
                                               std::vector<CaseEvidence>& cases) {
  constexpr std::size_t kShows = 256;  // bytes: where elements are left out of fewer, no pattern is seen
  const auto can_be_followed = [&](std::size_t index) {
    return index != context_.lab.cases.size() && is_small(context_.lab, test_case(index));
  };
  const auto shows = [&](std::size_t index) {
    return can_be_followed(index) && bytes_of(context_.lab, test_case(index)) >= kShows;
  };
  auto chosen = std::ranges::find_if(wrong, shows);
  if (chosen == wrong.end()) chosen = std::ranges::find_if(wrong, can_be_followed);
  if (chosen == wrong.end() || !followed_ || *chosen == *followed_) return false;
  const std::optional<std::size_t> usual = std::exchange(followed_, *chosen);
  auto again = run_case(*chosen, call_timeout(context_.lab), CallMode::Plain);
  followed_ = usual;
  end_session();
  if (!again) return again.problem();
  if (again->verdict != Verdict::WrongAnswer || again->reason != CaseEvidence::Reason::Seen) return false;
  CaseEvidence& test = cases[*chosen];
  test.message = std::move(again->message);
  test.advice = std::move(again->advice);
  test.where = std::move(again->where);
  test.reason = CaseEvidence::Reason::Seen;
  return true;
}

void VersionRunner::drop_odd_guesses(std::vector<CaseEvidence>& cases) const {
  constexpr std::int64_t kTells = 3;  // of each size: on smaller cases different mistakes look alike
  std::set<std::string> told;
  std::size_t telling = 0;
  const auto tells = [&](std::size_t i) {
    return cases[i].verdict == Verdict::WrongAnswer &&
           std::ranges::all_of(test_case(i).sizes, [](const auto& size) { return size.second >= kTells; });
  };
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (!tells(i)) continue;
    ++telling;
    if (!cases[i].guess.empty()) told.insert(cases[i].guess);
  }
  if (telling < 2) return;
  for (CaseEvidence& test : cases) {
    if (test.guess.empty() || told.contains(test.guess)) continue;
    if (test.message.ends_with("; " + test.guess))
      test.message.resize(test.message.size() - test.guess.size() - 2);
    test.guess.clear();
    test.reason = CaseEvidence::Reason::None;
    test.advice = kNoReason;
  }
}

bool VersionRunner::in_reverse(std::size_t index) const {
  return index != context_.lab.cases.size() && !is_small(context_.lab, test_case(index));
}

Result<void> VersionRunner::explain_by_order(std::size_t index, CaseEvidence& evidence) {
  if (evidence.verdict != Verdict::WrongAnswer || !in_reverse(index)) return {};
  forward_ = true;
  auto usual = run_case(index, call_timeout(context_.lab), CallMode::Plain);
  forward_ = false;
  end_session();
  if (!usual) return usual.problem();
  if (usual->verdict != Verdict::Accepted) return {};
  evidence.by_order = true;
  evidence.message +=
      "; this is with blocks and warps from the last to the first, taking turns, and other values in memory "
      "that nobody has set; else the answer is right";
  if (evidence.reason == CaseEvidence::Reason::Seen) return {};
  evidence.reason = CaseEvidence::Reason::Seen;
  evidence.advice =
      "No card promises an order: look for a missing __syncthreads() or __threadfence(), for blocks that "
      "read, add to or set what another one must have written first, for a last block that is known by its "
      "number, and for what is read, compared and stored in several steps, where others come between: "
      "atomicCAS() that did not find what it was told has stored nothing, and must be tried again with what "
      "it "
      "found.";
  return {};
}

Result<void> VersionRunner::look_closer(std::vector<CaseEvidence>& cases) {
  const std::size_t timed = context_.lab.cases.size();
  if (cases[timed].verdict != Verdict::Accepted || std::ranges::none_of(cases, &CaseEvidence::unsound))
    return {};
  if (context_.budget && context_.budget->left() < call_timeout(context_.lab)) return {};
  closer_ = true;
  auto again = run_case(timed, call_timeout(context_.lab), CallMode::Sampled);
  closer_ = false;
  end_session();
  if (!again) return again.problem();
  if (!again->unsound) return {};
  again->launches = std::move(cases[timed].launches);
  cases[timed] = std::move(*again);
  return {};
}

Result<void> VersionRunner::follow_another(std::vector<CaseEvidence>& cases) {
  if (!followed_ || cases[*followed_].verdict == Verdict::Accepted) return {};
  for (const std::size_t index : cases_to_follow(context_.lab)) {
    if (cases[index].verdict != Verdict::Accepted) continue;
    if (context_.budget && context_.budget->left() < call_timeout(context_.lab)) return {};
    followed_ = index;
    auto again = run_case(index, call_timeout(context_.lab), CallMode::Watched);
    end_session();
    if (!again) return again.problem();
    if (again->verdict != Verdict::Accepted) continue;
    // That nothing was computed says nothing where there was next to nothing to compute, as of an empty input
    // that alone is right.
    constexpr std::size_t kSays = 1024;
    if (again->origins.elements == 0 && bytes_of(context_.lab, test_case(index)) < kSays) continue;
    cases[index].followed = true;
    cases[index].origins = std::move(again->origins);
    // Nothing else of the case is of that call, but what is held against its origins.
    cases[index].bytes_to_device = again->bytes_to_device;
    cases[index].bytes_to_host = again->bytes_to_host;
    cases[index].argument_bytes = again->argument_bytes;
    cases[index].repeated = again->repeated;
    return {};
  }
  return {};
}

}  // namespace cudalabs
