#include "grader/present/causes.h"

#include <algorithm>
#include <utility>

#include "grader/diagnostics/language.h"
#include "grader/diagnostics/messages/present.h"
#include "grader/diagnostics/messages/run.h"
#include "grader/diagnostics/messages/score.h"
#include "grader/diagnostics/messages/sim.h"
#include "grader/present/losses.h"

namespace cudalabs {
namespace {

/// What a checker saw, if that explains the failure.
const Message* seen_of(const CaseFailure& failure) {
  if (failure.message.empty() || !failure.message[0].is(msg::seen_by_checker)) return nullptr;
  const auto* const finding = std::get_if<Messages>(&failure.message[0].arguments()[0]);
  return finding == nullptr || finding->empty() ? nullptr : &(*finding)[0];
}

/// Equal for failures of one cause. The values and the number of wrong elements differ from case to case.
std::string key_of(const CaseFailure& failure) {
  if (const Message* const seen = seen_of(failure))
    return std::string(seen->id()) + " " + std::string(failure.advice.empty() ? "" : failure.advice[0].id());
  std::string key;
  for (const Message& message : failure.message) {
    if (message.is(msg::element_wrong) || message.is(msg::how_many_wrong)) continue;
    if (message.is(msg::never_written) || message.is(msg::all_never_written) || message.is(msg::none_changed))
      return failure.message.contains(msg::stored_elsewhere) ? "stored elsewhere" : "unwritten";
    const bool by_words = message.is(msg::usual_mistake) || message.is(kVerbatim);
    key += (by_words ? packed(message) : std::string(message.id())) + " ";
  }
  return key;
}

/// The rows of a text without their numbers.
void add_ids(std::string& key, const Messages& messages) {
  for (const Message& message : messages) {
    key += (message.is(kVerbatim) ? packed(message) : std::string(message.id())) + " ";
    for (const Argument& argument : message.arguments())
      if (const auto* const inner = std::get_if<Messages>(&argument)) add_ids(key, *inner);
  }
}

/// Equal for the same loss in two gradings.
std::string key_of(const LostPoints& lost, const CaseFailure* failure) {
  if (failure != nullptr) return "case " + key_of(*failure);
  std::string key = lost.part + " ";
  if (lost.part == "everything") {  // it has no numbers that change: another error is another cause
    for (const Message& message : lost.reason) key += packed(message) + " ";
    return key;
  }
  add_ids(key, lost.reason);
  return key;
}

/// What to mend first: calls that fail, then faults, what checkers saw, formulas that are known, values.
/// A version that is not there yet comes behind those that are.
enum class Rank { All, Call, Fault, Race, Unset, Known, Values, Missing, Structure, Speed };

Rank rank_of(const LostPoints& lost, const CaseFailure* failure) {
  if (lost.part == "speed") return Rank::Speed;
  if (lost.part.starts_with("structure")) return Rank::Structure;
  if (failure == nullptr || failure->message.empty()) return Rank::All;
  const Message& first = failure->message[0];
  if (first.is(msg::call_failed) || first.is(msg::call_failed_and)) return Rank::Call;
  if (const Message* const seen = seen_of(*failure)) {
    const bool unset = seen->is(msg::unwritten_shared_read) || seen->is(msg::unwritten_output_read);
    return unset ? Rank::Unset : Rank::Race;
  }
  if (failure->verdict != Verdict::WrongAnswer) return Rank::Fault;
  return failure->message.contains(msg::usual_mistake) ? Rank::Known : Rank::Values;
}

const CaseFailure* failure_of(const VersionResult& version, const LostPoints& lost) {
  const auto& failures = version.correctness.failures;
  if (lost.part != "correctness" || failures.empty() || !lost.reason.contains(msg::cases_failed))
    return nullptr;
  const auto found = std::ranges::find(failures, lost.case_name, &CaseFailure::case_name);
  return found == failures.end() ? &failures.front() : &*found;
}

class Causes {
 public:
  std::vector<Cause> of(const std::vector<VersionResult>& versions) {
    for (const VersionResult& version : versions) {
      if (version.verdict == Verdict::Pending) continue;
      for (const LostPoints& lost : version.lost) add(version, lost);
    }
    for (Cause& cause : causes_) complete(cause);
    std::ranges::stable_sort(causes_, {}, [](const Cause& cause) {
      const bool missing = cause.shares.front().version->verdict == Verdict::Missing;
      return missing ? Rank::Missing : rank_of(*cause.lost, cause.failure);
    });
    return std::move(causes_);
  }

 private:
  void add(const VersionResult& version, const LostPoints& lost) {
    const CaseFailure* const failure = failure_of(version, lost);
    if (lost.reason.contains(msg::judged_with_timed_case)) {
      if (Cause* const cause = cause_of(version)) {
        cause->judged_later = lost.reason[0];
        return charge(*cause, lost);
      }
    }
    auto cause = std::ranges::find_if(causes_, [&](const Cause& known) {
      if (failure == nullptr || known.failure == nullptr)
        return failure == known.failure && known.lost->reason == lost.reason &&
               known.lost->where == lost.where;
      return key_of(*known.failure) == key_of(*failure);
    });
    if (cause == causes_.end()) {
      causes_.push_back({key_of(lost, failure), &lost, failure, {}, {}, {}, 0, {}, {}});
      cause = std::prev(causes_.end());
    }
    if (std::ranges::find(cause->shares, &version, &Cause::Share::version) == cause->shares.end())
      cause->shares.push_back({&version, 0});
    charge(*cause, lost);
    if (!lost.where.file.empty() && std::ranges::find(cause->places, lost.where) == cause->places.end())
      cause->places.push_back(lost.where);
  }

  /// The cause by which the version's cases fail.
  Cause* cause_of(const VersionResult& version) {
    const auto found = std::ranges::find_if(causes_, [&](const Cause& cause) {
      return cause.failure != nullptr &&
             std::ranges::find(cause.shares, &version, &Cause::Share::version) != cause.shares.end();
    });
    return found == causes_.end() ? nullptr : &*found;
  }

  static void charge(Cause& cause, const LostPoints& lost) {
    cause.points += lost.points;
    add_part(cause.parts, lost.part);
  }

  static void complete(Cause& cause) {
    if (cause.failure == nullptr) return;
    const std::string key = key_of(*cause.failure);
    const bool explained = rank_of(*cause.lost, cause.failure) < Rank::Values;
    std::vector<std::string> beside;
    for (Cause::Share& share : cause.shares) {
      for (const CaseFailure& failure : share.version->correctness.failures) {
        const std::string other = key_of(failure);
        // Wrong values that nothing explains follow from the cause.
        if (other == key || (explained && rank_of(*cause.lost, &failure) == Rank::Values)) {
          ++share.failed;
        } else if (std::ranges::find(beside, other) == beside.end()) {
          beside.push_back(other);
          cause.beside.push_back(&failure);
        }
      }
    }
  }

  std::vector<Cause> causes_;
};

}  // namespace

std::string words_of_part(std::string_view part) {
  std::string words(part.substr(0, 100));
  std::ranges::replace(words, '_', ' ');
  const std::size_t dot = words.find('.');
  if (dot == std::string::npos) return translated_word(words);
  return translated_word(words.substr(0, dot)) + ": " + translated_word(words.substr(dot + 1));
}

std::string Cause::part_words() const {
  std::string words;
  for (const std::string& part : parts) words += (words.empty() ? "" : ", ") + words_of_part(part);
  return words;
}

std::string Cause::version_names() const {
  std::string names;
  for (const Share& share : shares) names += (names.empty() ? "" : ", ") + share.version->name;
  return names;
}

Messages Cause::reason() const {
  if (failure == nullptr) return lost->reason;
  Messages reason = failure->message;
  for (std::size_t i = 1; i < lost->reason.size(); ++i) reason.add(lost->reason[i]);
  return reason;
}

Message Cause::summary() const {
  const Messages all = reason();
  for (const Message& message : all)
    if (!message.is(msg::element_wrong) && !message.is(msg::how_many_wrong)) return message;
  return all.empty() ? Message() : all[0];
}

Messages Cause::extent() const {
  Messages all;
  if (failure == nullptr) return all;
  std::vector<std::pair<std::pair<int, int>, std::string>> equal;  // versions by their numbers of cases
  for (const Share& share : shares) {
    const std::pair numbers{share.failed, share.version->correctness.total};
    const auto known = std::ranges::find(equal, numbers, [](const auto& entry) { return entry.first; });
    if (known == equal.end())
      equal.emplace_back(numbers, share.version->name);
    else
      known->second += ", " + share.version->name;
  }
  for (const auto& [numbers, names] : equal)
    all.add(msg::cases_of_cause(numbers.first, numbers.second, shares.size() > 1 ? 1 : 0, names));
  all.add(msg::case_of_cause(failure->case_name));
  return all;
}

std::vector<Cause> causes_of(const std::vector<VersionResult>& versions) { return Causes().of(versions); }

std::vector<Cause> causes_of(const GradeResult& result) { return causes_of(result.versions); }

}  // namespace cudalabs
