#pragma once
// Finds groups of similar submissions in a class. A pure function of the fingerprints.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "grader/classroom/similarity/fingerprints.h"

namespace cudalabs {

struct CopyEntry {
  std::string id;  ///< unique; one for each student
  Fingerprints prints;
};

struct CopyOptions {
  double threshold = 0.5;  ///< minimum share of a pair; above 0, at most 1
};

enum class ComparedBy : std::uint8_t {
  Code,  ///< both compile
  Text,  ///< at least one does not compile
};

/// Two similar submissions. The members are indices into the given entries.
struct CopyPair {
  std::size_t first = 0, second = 0;  ///< ids in order: id of first < id of second
  /// common fingerprints relative to the mean of both; handed-out and widespread ones do not count
  double share = 0;
  double of_first = 0, of_second = 0;  ///< common fingerprints relative to each submission
  std::size_t common = 0;              ///< fingerprints
  ComparedBy by = ComparedBy::Code;
};

/// Submissions that pairs connect, directly or through others.
struct CopyGroup {
  std::vector<std::size_t> members;  ///< ordered by id
  double share = 0;                  ///< of its strongest pair
  std::vector<CopyPair> pairs;       ///< strongest first; at most kMaxPairsOfGroup
  std::size_t pairs_left_out = 0;
};
inline constexpr std::size_t kMaxPairsOfGroup = 100;

struct CopyGroups {
  std::vector<CopyGroup> groups;  ///< strongest first
  /// entries with too few fingerprints of their own, ordered by id: an untouched stub, or a lab with one
  /// natural solution
  std::vector<std::size_t> not_compared;
};

/// An entry is not compared if it has fewer fingerprints than this after removing handed-out and widespread
/// ones.
inline constexpr std::size_t kFewestPrints = 12;
/// In a class of at least this size, fingerprints that more than half of the class has are no evidence.
inline constexpr std::size_t kSmallestClass = 8;

/// `handed_out`: fingerprints of the stub and of other files that all students were given. The order of
/// `entries` does not matter. Takes linear time except for fingerprints that many share: a thousand entries
/// take well under a second.
CopyGroups groups_of(std::span<const CopyEntry> entries, const Fingerprints& handed_out,
                     const CopyOptions& options = {});

/// An entry that has much in common with one file, such as the reference solution.
struct Likeness {
  std::size_t entry = 0;
  double share = 0;  ///< as CopyPair::share
};

/// The entries at or above the threshold, the strongest first. What most of a class has counts here: they may
/// all have copied that one file.
std::vector<Likeness> entries_like(const Fingerprints& one, std::span<const CopyEntry> entries,
                                   const Fingerprints& handed_out, const CopyOptions& options = {});

}  // namespace cudalabs
