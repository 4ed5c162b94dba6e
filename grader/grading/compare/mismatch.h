#pragma once
// How an output differs from the expected one, and what its values show.

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "grader/base/message.h"

namespace cudalabs {

/// count 0: there is none.
struct Mismatch {
  std::string output;  ///< name of the parameter, "out"
  /// index of the first wrong element, outermost dimension first; {} for an output of one element
  std::vector<std::int64_t> index;
  std::vector<std::int64_t> extents;  ///< of the output, in the same order
  /// as a person reads them, with enough digits to tell them apart; got is empty if it was never written
  std::string expected, got;
  /// representable numbers between expected and got; 0 where it has no meaning (integers, NaN, never written)
  double ulps = 0;
  std::uint64_t count = 0, total = 0;  ///< wrong elements and all elements of this output
  std::uint64_t never_written = 0;     ///< of the wrong ones: still hold what was there before the call
  bool in_place = false;               ///< what was there before is an input, not poison
  bool untouched = false;              ///< the whole output is as before the call
  /// "every 33rd row", "the last 8 columns", "all of them"; no message if no pattern was seen
  Message pattern;
  Message guess;                  ///< what the values themselves show; no message if nothing is certain
  bool usual = false;             ///< the guess is one of the lab's usual mistakes
  std::vector<Message> fitting;   ///< usual mistakes that give this answer, also where several do
  std::set<int> fitting_numbers;  ///< their numbers, Oracle::Mistake
  /// The one number that all elements are what is expected times, and how far it may be off, as a part of it;
  /// 0: there is none.
  double factor = 0, factor_error = 0;
  Messages statements;  ///< what is wrong, how much of it, and the guess

  [[nodiscard]] bool none_written() const { return count > 0 && never_written == count; }
  /// A value was written to the output.
  [[nodiscard]] bool stored() const { return !untouched && never_written < total; }
};

}  // namespace cudalabs
