#pragma once
// Caches cases that several gradings with the same seed share. In a lab with large cases, making the inputs
// and the expected outputs takes longer than grading a small mistake.

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <string>

#include "grader/grading/cases/inputs.h"

namespace cudalabs {

/// Thread-safe.
class CaseStore {
 public:
  /// Keeps the most recently used cases, up to this many bytes; 0 keeps none.
  explicit CaseStore(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  /// Like make_case(). All calls use one lab and its oracle, but `test` may differ for the same index.
  std::shared_ptr<const CaseData> make(const Lab& lab, const Oracle& oracle, const TestCase& test,
                                       const CaseKey& key);

  [[nodiscard]] std::size_t bytes() const {
    const std::lock_guard lock(mutex_);
    return bytes_;
  }

 private:
  /// Null: it is not kept.
  std::shared_ptr<const CaseData> find(const std::string& name, const CaseKey& key);

  struct Kept {
    std::string name;  ///< of the test case
    CaseKey key;
    std::shared_ptr<const CaseData> data;
  };
  mutable std::mutex mutex_;
  std::size_t most_bytes_, bytes_ = 0;
  std::list<Kept> kept_;  ///< most recently used first
};

}  // namespace cudalabs
