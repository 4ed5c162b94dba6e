#pragma once
// Cases that several gradings with one seed have in common, made once: in a lab with large cases their inputs
// and what is expected of them take longer than to grade a small mistake.

#include <cstddef>
#include <list>
#include <memory>
#include <string>

#include "grader/check/inputs.h"

namespace cudalabs {

/// Not thread-safe.
class CaseStore {
 public:
  /// Keeps at most so many bytes of cases, those that were asked for last; 0: none.
  explicit CaseStore(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  /// As make_case(). Of one lab and its oracle: `test` may be another with the same index.
  std::shared_ptr<const CaseData> make(const Lab& lab, const Oracle& oracle, const TestCase& test,
                                       const CaseKey& key);

  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  struct Kept {
    std::string name;  ///< of the test case
    CaseKey key;
    std::shared_ptr<const CaseData> data;
  };
  std::size_t most_bytes_, bytes_ = 0;
  std::list<Kept> kept_;  ///< asked for last in front
};

}  // namespace cudalabs
