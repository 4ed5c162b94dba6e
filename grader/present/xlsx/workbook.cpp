#include "grader/present/xlsx/workbook.h"

#include <dlfcn.h>
#include <unistd.h>
#include <xlsxwriter.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "grader/base/human.h"
#include "grader/base/text.h"
#include "grader/diagnostics/messages/present.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;

// A cell of a workbook holds 32,767 characters.
constexpr std::size_t kMaxCellBytes = 32000;
constexpr double kMaxWidth = 60;

#define CUDALABS_XLSX_FUNCTIONS(DO) \
  DO(workbook_new);                 \
  DO(workbook_close);               \
  DO(workbook_add_worksheet);       \
  DO(workbook_add_format);          \
  DO(format_set_bold);              \
  DO(worksheet_write_string);       \
  DO(worksheet_write_number);       \
  DO(worksheet_set_column);         \
  DO(worksheet_freeze_panes);       \
  DO(worksheet_autofilter);         \
  DO(lxw_strerror)

/// The functions of libxlsxwriter that are used here.
struct Library {
#define DECLARE(name) decltype(&::name) name = nullptr
  CUDALABS_XLSX_FUNCTIONS(DECLARE);
#undef DECLARE
};

#ifdef CUDALABS_XLSX_ARCHIVE
Result<Library> library() {
  Library all;
#define TAKE(name) all.name = &::name
  CUDALABS_XLSX_FUNCTIONS(TAKE);
#undef TAKE
  return all;
}
#else
constexpr const char* kSharedLibrary = "libxlsxwriter.so." LXW_SOVERSION;
constexpr const char* kPackage = "libxlsxwriter" LXW_SOVERSION;

Result<Library> library() {
  void* const handle = ::dlopen(kSharedLibrary, RTLD_NOW | RTLD_LOCAL);  // stays loaded
  if (handle == nullptr)
    return error(msg::no_xlsx_library(kSharedLibrary), msg::install_xlsx_library(kPackage));
  Library all;
#define TAKE(name)                                                         \
  all.name = reinterpret_cast<decltype(all.name)>(::dlsym(handle, #name)); \
  if (all.name == nullptr)                                                 \
    return error(msg::no_xlsx_library(kSharedLibrary), msg::install_xlsx_library(kPackage));
  CUDALABS_XLSX_FUNCTIONS(TAKE);
#undef TAKE
  return all;
}
#endif

std::string cell_text(const std::string& text) {
  std::string shown = harmless_text(text);
  if (shown.size() <= kMaxCellBytes) return shown;
  shown.resize(kMaxCellBytes);
  while (first_invalid_utf8(shown)) shown.pop_back();
  return shown + "...";
}

double width_of(const Sheet& sheet, std::size_t column) {
  std::size_t longest = sheet.header[column].size();
  for (const auto& row : sheet.rows)
    if (column < row.size() && !row[column].number) longest = std::max(longest, row[column].text.size());
  return std::min(kMaxWidth, static_cast<double>(longest) + 2);
}

/// Returns the first error, or LXW_NO_ERROR.
lxw_error write_sheet(const Library& lib, lxw_workbook* book, lxw_format* bold, const Sheet& sheet) {
  lxw_worksheet* const page = lib.workbook_add_worksheet(book, sheet.name.c_str());
  if (page == nullptr) return LXW_ERROR_PARAMETER_VALIDATION;
  lxw_error first = LXW_NO_ERROR;
  const auto note = [&first](lxw_error status) {
    if (first == LXW_NO_ERROR) first = status;
  };
  for (std::size_t c = 0; c < sheet.header.size(); ++c) {
    const auto column = static_cast<lxw_col_t>(c);
    note(lib.worksheet_set_column(page, column, column, width_of(sheet, c), nullptr));
    note(lib.worksheet_write_string(page, 0, column, cell_text(sheet.header[c]).c_str(), bold));
  }
  for (std::size_t r = 0; r < sheet.rows.size(); ++r) {
    const auto row = static_cast<lxw_row_t>(r + 1);
    for (std::size_t c = 0; c < sheet.rows[r].size(); ++c) {
      const SheetCell& cell = sheet.rows[r][c];
      const auto column = static_cast<lxw_col_t>(c);
      if (cell.number)
        note(lib.worksheet_write_number(page, row, column, *cell.number, nullptr));
      else if (!cell.text.empty())
        note(lib.worksheet_write_string(page, row, column, cell_text(cell.text).c_str(), nullptr));
    }
  }
  lib.worksheet_freeze_panes(page, 1, 0);
  if (!sheet.header.empty() && !sheet.rows.empty())
    note(lib.worksheet_autofilter(page, 0, 0, static_cast<lxw_row_t>(sheet.rows.size()),
                                  static_cast<lxw_col_t>(sheet.header.size() - 1)));
  return first;
}

}  // namespace

CsvTable csv_table(const Sheet& sheet) {
  CsvTable table;
  for (const std::string& name : sheet.header) table.header.push_back(harmless_cell(name));
  for (const auto& row : sheet.rows) {
    CsvRow& cells = table.rows.emplace_back();
    for (const SheetCell& cell : row)
      cells.push_back(cell.number ? human_points(*cell.number) : harmless_cell(cell.text));
  }
  return table;
}

Result<void> write_workbook(const fs::path& file, const std::vector<Sheet>& sheets) {
  const auto lib = library();
  if (!lib) return lib.problem();
  const fs::path other = file.string() + "." + std::to_string(::getpid());
  const auto refused = [&](const std::string& why) {
    std::error_code ignored;
    fs::remove(other, ignored);
    return Diagnostic{{file.string(), 0, 0}, msg::workbook_not_written(why), {}};
  };
  lxw_workbook* const book = lib->workbook_new(other.c_str());
  if (book == nullptr) return refused(std::strerror(ENOMEM));
  lxw_format* const bold = lib->workbook_add_format(book);
  if (bold != nullptr) lib->format_set_bold(bold);
  lxw_error status = LXW_NO_ERROR;
  for (const Sheet& sheet : sheets) {
    const lxw_error one = write_sheet(*lib, book, bold, sheet);
    if (status == LXW_NO_ERROR) status = one;
  }
  const lxw_error closed = lib->workbook_close(book);
  if (status == LXW_NO_ERROR) status = closed;
  if (status != LXW_NO_ERROR) return refused(lib->lxw_strerror(status));
  std::error_code problem;
  fs::rename(other, file, problem);
  if (problem) return refused(problem.message());
  return {};
}

}  // namespace cudalabs
