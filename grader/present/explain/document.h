#pragma once
// The contents of `grader explain` before they become text or HTML: sections of kernels, source rows with
// their figures, the bank map, and explanations of the numbers. Sentences are in the language of the reader.

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "grader/present/explain/code.h"
#include "grader/present/explain/figures.h"

namespace cudalabs::explain {

/// The text of a file, or the reason why it is missing.
struct SourceText {
  std::string name;  ///< for people: "row_max.cu"
  std::vector<std::string> lines;
  std::string problem;  ///< a sentence; empty if the text is there
};

/// One explained run: a version of a lab, or a program.
struct Section {
  std::string title;                 ///< "version shared"; empty: the only section
  std::vector<std::string> remarks;  ///< sentences: errors and omissions
  std::vector<KernelFigures> kernels;
};

struct Document {
  std::string title;     ///< "lab3 variant4: Maximum of each row"
  std::string subtitle;  ///< "row_max.cu, rows=1000 cols=1000 uniform, seed 7"
  std::vector<Section> sections;
  std::map<std::string, SourceText> sources;  ///< by the compiler's name of the file
  std::map<std::string, CodeLines> code;      ///< by kernel; empty: it is not shown

  /// The instructions of a line; of several instances of a template those of the first.
  [[nodiscard]] std::vector<std::string> code_at(const KernelFigures& kernel, const std::string& file,
                                                 std::uint32_t line) const;
};

/// The text of a user's file; sets a problem if it is not a readable text file of at most 1 MiB.
SourceText read_source(const std::string& file);

/// The compiler's names of all files in `kernels`.
std::vector<std::string> files_of(const std::vector<KernelFigures>& kernels);

/// One row of annotated source.
struct Row {
  std::uint32_t line = 0;                ///< 0: lines are omitted here
  std::string text;                      ///< printable, tabs expanded, without the common indentation
  const LineFigures* figures = nullptr;  ///< null: nothing on it was executed
};
/// The lines with figures and the lines around them; without a text only the lines with figures.
std::vector<Row> rows_of(const FileFigures& file, const SourceText* source);

/// "row_max_tile_kernel<32>", "scan<...> in 2 instances: <32>, <33>".
std::string kernel_title(const KernelFigures& kernel);
/// "1 launch <<<(32, 1, 1), (32, 8, 1)>>> with 5.0 KiB of shared memory a block", ...
std::vector<std::string> launch_lines(const KernelFigures& kernel);
/// Figures of the whole kernel, one sentence each.
std::vector<std::string> total_lines(const KernelFigures& kernel);

/// The map of one access: the lanes that each bank serves.
struct BankMap {
  std::string heading;  ///< "A load of 4 bytes a lane from `tile`, by warp 0 of block (0, 0, 0)"
  std::vector<std::string> sentences;  ///< their meaning
  std::uint32_t pass = 0;              ///< the lanes of the pass that is shown: the worst one
  std::uint32_t first_word = 0;        ///< the variable's first word, from which words are counted
  sim::BankLoad banks;
};
BankMap bank_map_of(const sim::SharedExample& access);

std::string lane_set(std::uint32_t lanes);            ///< "0-3, 8"
std::string bank_ranges(const sim::BankLoad& banks);  ///< banks that serve no lane: "1-31"; "" if none

// Numbers of the columns.
std::string count_text(std::uint64_t value);         ///< "9,999,999", then "12.3M", "4.56G"
std::string figure_text(double value);               ///< "32", "3.97", "15.5"
std::string with_ideal(double value, double ideal);  ///< "32 (4)"; "32" without an ideal
std::string percent_text(double share);              ///< "37%", "<1%"
std::string_view mark(Heat heat);                    ///< "", "!", "!!", "!!!"

/// One figure of a line; empty if there is nothing to show.
struct Cell {
  std::string text;
  Heat heat = Heat::None;
};
struct Column {
  std::string_view name;
  int priority = 0;  ///< without enough room the highest is left out first; 0: never
};
inline constexpr std::size_t kColumns = 10;
const std::array<Column, kColumns>& columns();
/// In the order of columns(). `total`: of the whole kernel.
std::array<Cell, kColumns> cells_of(const LineFigures& line, const LineFigures& total);
/// The columns that have a figure somewhere in the kernel.
std::array<bool, kColumns> used_columns(const KernelFigures& kernel);
Heat worst_heat(const std::array<Cell, kColumns>& cells);

/// The meaning of each column, in the order of the columns; the last entry explains the marks.
struct Term {
  std::string_view name, meaning;
};
const std::vector<Term>& legend();

}  // namespace cudalabs::explain
