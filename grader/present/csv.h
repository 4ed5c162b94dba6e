#pragma once
// CSV tables in the format of learning platforms (RFC 4180, UTF-8).

#include <string>
#include <string_view>
#include <vector>

#include "grader/base/result.h"

namespace cudalabs {

using CsvRow = std::vector<std::string>;

struct CsvTable {
  CsvRow header;
  std::vector<CsvRow> rows;  ///< each as long as the header
  std::vector<int> lines{};  ///< of a text that was parsed: where each row begins
  bool byte_order_mark = false;

  /// The column of this name; -1 if there is none.
  [[nodiscard]] int column(std::string_view name) const;
};

/// `shown` names the text in messages. Errors: an open quote, a row longer than the header, no header.
Result<CsvTable> parse_csv(std::string_view text, const std::string& shown, char separator = ',');
std::string csv_text(const CsvTable& table);

/// Joins the lines of a text, for a cell or a line of a log.
std::string one_line(std::string_view text);

/// Escapes text that a student may have chosen: no spreadsheet takes it for a formula, no terminal for a
/// command, and direction marks become "\u202e", so that it cannot look like another text.
std::string harmless_cell(const std::string& text);

/// The same without the mark against formulas: for cells that are marked as text.
std::string harmless_text(const std::string& text);

}  // namespace cudalabs
