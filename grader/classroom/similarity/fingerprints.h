#pragma once
// Hashes of a submission that ignore names, order and spelling. Two submissions share many of them only if
// one was derived from the other, or both from a third. docs/copies.md explains what they cover.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/result.h"

namespace cudalabs {

/// A set of hashes: sorted, without duplicates, at most kMaxPrints of them.
using PrintSet = std::vector<std::uint64_t>;

inline constexpr std::size_t kMaxPrints = 4096;
inline constexpr std::size_t kMaxPtxBytes = std::size_t{16} << 20;  ///< longer texts have no code prints

/// Only fingerprints that were made with the same compiler can be compared.
struct Fingerprints {
  PrintSet code;  ///< of the PTX; empty if it does not compile or has no kernel
  PrintSet text;  ///< of the source, for submissions that do not compile

  bool operator==(const Fingerprints&) const = default;
};

/// Fingerprints of each instruction with those that feed it, four levels deep. They ignore the names of
/// registers, labels, functions and variables, the value and width of integers, and the order of functions
/// and of independent statements. Invalid PTX, or more than kMaxPtxBytes of it, has none.
PrintSet code_prints(std::string_view ptx);

/// Fingerprints of the tokens of C++ sources, by winnowing (Schleimer, Wilkerson and Aiken, 2003). All names
/// are the same token; comments and #include are ignored. Accepts any bytes.
PrintSet text_prints(std::span<const std::string_view> sources);

/// Sorts and removes duplicates. If there are too many, keeps the smallest hashes, which are the same ones in
/// every submission.
void keep_fewest(PrintSet& prints);

/// One line of text, at most 129 KiB, for the journal.
std::string to_line(const Fingerprints& prints);
/// Errors: the line was not written by to_line().
Result<Fingerprints> prints_of_line(std::string_view line);

}  // namespace cudalabs
