#include "grader/grading/cases/case_store.h"

#include <fmt/format.h>

#include <algorithm>

#include "grader/base/log/log.h"
#include "grader/base/log/stats.h"

namespace cudalabs {
namespace {

std::size_t bytes_of(const CaseData& data) {
  std::size_t bytes = 0;
  for (const auto& input : data.inputs) bytes += input.size();
  for (const auto& output : data.initial_outputs) bytes += output.size();
  for (const Expected& e : data.expected) {
    bytes += e.integers.size() * sizeof(e.integers[0]) +
             (e.values.size() + e.magnitudes.size() + e.roundings.size()) * sizeof(e.values[0]);
  }
  return bytes;
}

}  // namespace

std::shared_ptr<const CaseData> CaseStore::make(const Lab& lab, const Oracle& oracle, const TestCase& test,
                                                const CaseKey& key) {
  const logging::Timed timed(logging::Metric::MakeCase);
  std::string name = test.name();
  if (auto data = find(name, key)) return data;
  auto data = std::make_shared<const CaseData>(make_case(lab, oracle, test, key));
  const std::size_t bytes = bytes_of(*data);
  logging::debug(logging::Stage::Compare,
                 [&] { return fmt::format("made case {}: {} bytes", test.shown_name(), bytes); });
  if (bytes > most_bytes_) return data;
  const std::lock_guard lock(mutex_);
  kept_.push_front({std::move(name), key, data});
  for (bytes_ += bytes; bytes_ > most_bytes_; kept_.pop_back()) bytes_ -= bytes_of(*kept_.back().data);
  return data;
}

std::shared_ptr<const CaseData> CaseStore::find(const std::string& name, const CaseKey& key) {
  const std::lock_guard lock(mutex_);
  const auto found =
      std::ranges::find_if(kept_, [&](const Kept& k) { return k.key == key && k.name == name; });
  if (found == kept_.end()) return nullptr;
  kept_.splice(kept_.begin(), kept_, found);
  return kept_.front().data;
}

}  // namespace cudalabs
