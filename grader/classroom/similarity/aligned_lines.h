#pragma once
// Sets two sources side by side, line by line, for a person who compares them. A pure function of the texts.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cudalabs {

enum class LineMatch : std::uint8_t {
  None,       ///< only this file has the line
  HandedOut,  ///< the stub or the contract has it, so it says nothing
  Equal,      ///< equal except for blanks
  Renamed,    ///< equal except for blanks, comments, names and numbers
  Moved,      ///< Equal or Renamed, but elsewhere in the other file
};

struct AlignedLine {
  std::string text;
  LineMatch match = LineMatch::None;
  std::size_t other = 0;  ///< the line of the other file, from 1; 0: none
};

/// A line of each file; 0: none stands there.
struct AlignedRow {
  std::size_t left = 0, right = 0;
};

struct AlignedSources {
  std::vector<AlignedLine> left, right;
  std::vector<AlignedRow> rows;  ///< holds each line of both files once, in their order
};

/// Longer files are cut there: nobody reads them side by side.
inline constexpr std::size_t kMaxAlignedLines = 3000;

AlignedSources align(std::string_view left, std::string_view right,
                     std::span<const std::string_view> handed_out);

/// Groups of equal texts of at least two members, by their places in `texts`. Blanks do not count.
std::vector<std::vector<std::size_t>> equal_texts(std::span<const std::string_view> texts);

}  // namespace cudalabs
