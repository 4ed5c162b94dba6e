#pragma once
// What is left of a submission when names, order and spelling are taken away: numbers of which two
// submissions share many only if one was made of the other, or both of a third. docs/copies.md
// says what they stand for.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grader/support/result.h"

namespace cudalabs {

/// A set of numbers: sorted, each once, at most kMostPrints of them.
using PrintSet = std::vector<std::uint64_t>;

inline constexpr std::size_t kMostPrints = 4096;
inline constexpr std::size_t kMostPtxBytes = std::size_t{16} << 20;  ///< longer texts have no prints of code

/// Only those by one compiler can be compared.
struct Fingerprints {
  PrintSet code;  ///< of the PTX; empty for what does not compile, or has no kernel
  PrintSet text;  ///< of the source, for what does not compile

  bool operator==(const Fingerprints&) const = default;
};

/// Of each instruction with those that feed it, four deep: registers, labels, functions and variables have no
/// names, whole numbers no value and no width; neither the order of functions nor that of independent
/// statements counts. Text that is no PTX, or more of it than kMostPtxBytes, has none.
PrintSet code_prints(std::string_view ptx);

/// Of the tokens of C++ sources, winnowed (Schleimer, Wilkerson and Aiken, 2003): names are one token,
/// comments and #include are none. Any bytes will do.
PrintSet text_prints(std::span<const std::string_view> sources);

/// Makes a set of them. Of too many, those that are the smallest numbers stay: the same
/// ones in every submission.
void keep_fewest(PrintSet& prints);

/// One line of text, at most 129 KiB: what a journal keeps.
std::string to_line(const Fingerprints& prints);
/// Errors: it is not a line that to_line() wrote.
Result<Fingerprints> prints_of_line(std::string_view line);

}  // namespace cudalabs
