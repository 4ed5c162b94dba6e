#pragma once
// Who has much in common with whom, in a class. A pure function of the fingerprints.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "grader/copies/fingerprints.h"

namespace cudalabs {

struct CopyEntry {
  std::string id;  ///< one a student; told apart by nothing else
  Fingerprints prints;
};

struct CopyOptions {
  double threshold = 0.5;  ///< the share from which two are a pair; above 0, at most 1
};

enum class ComparedBy : std::uint8_t {
  Code,  ///< both compile
  Text,  ///< one of them does not
};

/// Two that have much in common. Members are numbers into the entries as they were given.
struct CopyPair {
  std::size_t first = 0, second = 0;  ///< ids in order: id of first < id of second
  /// what both have, of what the two have on average; what is handed out, and what most have, counts nowhere
  double share = 0;
  double of_first = 0, of_second = 0;  ///< what both have, of what each has
  std::size_t common = 0;              ///< fingerprints
  ComparedBy by = ComparedBy::Code;
};

/// Those that pairs join, directly or through others.
struct CopyGroup {
  std::vector<std::size_t> members;  ///< by their ids
  double share = 0;                  ///< of its strongest pair
  std::vector<CopyPair> pairs;       ///< strongest first; at most kMostPairsOfGroup
  std::size_t pairs_left_out = 0;
};
inline constexpr std::size_t kMostPairsOfGroup = 100;

struct CopyGroups {
  std::vector<CopyGroup> groups;  ///< strongest first
  /// too little of their own to tell, by their ids: an untouched stub, or a lab with one natural solution
  std::vector<std::size_t> not_compared;
};

/// An entry with fewer fingerprints than this, once what is handed out and what most have is
/// taken away, is not compared.
inline constexpr std::size_t kFewestPrints = 12;
/// In a class of so many, what more than half of them have is no evidence.
inline constexpr std::size_t kSmallestClass = 8;

/// `handed_out`: of the stub and whatever else everybody was given. The order of `entries` does not matter.
/// Linear in the fingerprints but for those that many share: a thousand entries take well under a second.
CopyGroups groups_of(std::span<const CopyEntry> entries, const Fingerprints& handed_out,
                     const CopyOptions& options = {});

}  // namespace cudalabs
