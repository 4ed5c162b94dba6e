#pragma once
// Tables as an .xlsx workbook, written by libxlsxwriter. Where the distribution has no static archive of it,
// it is loaded when it is needed, so that the grader runs on machines without it.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grader/base/result.h"
#include "grader/present/csv.h"

namespace cudalabs {

struct SheetCell {
  std::string text;
  std::optional<double> number;  ///< instead of the text

  SheetCell() = default;
  SheetCell(std::string words) : text(std::move(words)) {}  // NOLINT(google-explicit-constructor)
  SheetCell(const char* words) : text(words) {}             // NOLINT(google-explicit-constructor)
  SheetCell(double value) : number(value) {}                // NOLINT(google-explicit-constructor)
};

/// A sheet of a workbook: its header stays in view, and its columns have filters.
struct Sheet {
  std::string name;
  std::vector<std::string> header;
  std::vector<std::vector<SheetCell>> rows;
};

/// The same as a table for a CSV file: texts are made harmless.
CsvTable csv_table(const Sheet& sheet);

/// Writes the file completely or not at all. Texts never become formulas. Errors: the library is not
/// installed, or the file cannot be written.
Result<void> write_workbook(const std::filesystem::path& file, const std::vector<Sheet>& sheets);

}  // namespace cudalabs
