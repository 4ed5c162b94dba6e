#include "grader/present/csv.h"

#include <fmt/format.h>

#include <algorithm>

#include "grader/base/text.h"
#include "grader/diagnostics/messages/present.h"

namespace cudalabs {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

void write_cell(std::string& text, const std::string& cell) {
  if (cell.find_first_of(",\"\r\n") == std::string::npos) {
    text += cell;
    return;
  }
  text += '"';
  for (const char c : cell) text += c == '"' ? "\"\"" : std::string(1, c);
  text += '"';
}

void write_row(std::string& text, const CsvRow& row) {
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (i > 0) text += ',';
    write_cell(text, row[i]);
  }
  text += "\r\n";
}

}  // namespace

int CsvTable::column(std::string_view name) const {
  const auto found = std::ranges::find(header, name);
  return found == header.end() ? -1 : static_cast<int>(found - header.begin());
}

Result<CsvTable> parse_csv(std::string_view text, const std::string& shown, char separator) {
  CsvTable table;
  if (text.starts_with(kByteOrderMark)) {
    table.byte_order_mark = true;
    text.remove_prefix(kByteOrderMark.size());
  }
  std::vector<CsvRow> rows;
  CsvRow row;
  std::string cell;
  bool quoted = false, began = false;
  int line = 1, quote_line = 0, row_line = 1;
  const auto end_row = [&] {
    row.push_back(std::move(cell));
    cell.clear();
    if (row.size() > 1 || !row.front().empty()) {
      rows.push_back(std::move(row));
      table.lines.push_back(row_line);
    }
    row.clear();
    row_line = line;
    began = false;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') ++line;
    if (quoted) {
      if (c != '"')
        cell += c;
      else if (i + 1 < text.size() && text[i + 1] == '"')
        cell += text[++i];
      else
        quoted = false;
    } else if (c == '"' && !began) {
      quoted = began = true;
      quote_line = line;
    } else if (c == separator) {
      row.push_back(std::move(cell));
      cell.clear();
      began = false;
    } else if (c == '\n') {
      end_row();
    } else if (c != '\r') {
      cell += c;
      began = true;
    }
  }
  if (quoted) return Diagnostic{{shown, quote_line, 0}, msg::csv_quote_not_closed(), {}};
  if (!cell.empty() || !row.empty()) end_row();
  if (rows.empty()) return Diagnostic{{shown, 0, 0}, msg::csv_without_table(), {}};
  table.header = std::move(rows.front());
  table.lines.erase(table.lines.begin());
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (rows[i].size() > table.header.size()) {
      return Diagnostic{{shown, table.lines[i - 1], 0},
                        msg::csv_row_too_long(i + 1, rows[i].size(), table.header.size()),
                        {}};
    }
    rows[i].resize(table.header.size());
    table.rows.push_back(std::move(rows[i]));
  }
  return table;
}

std::string csv_text(const CsvTable& table) {
  std::string text = table.byte_order_mark ? std::string(kByteOrderMark) : std::string();
  write_row(text, table.header);
  for (const CsvRow& row : table.rows) write_row(text, row);
  return text;
}

std::string one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    if (c == ' ' && line.ends_with(' ')) continue;
    if (c == '\n') line += ';';
    line += c == '\n' ? ' ' : c;
  }
  return line;
}

std::string harmless_text(const std::string& text) {
  std::string shown = text;
  for (char& c : shown) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  }
  return steady_json(shown);
}

std::string harmless_cell(const std::string& text) {
  const std::string shown = harmless_text(text);
  const bool formula =
      !shown.empty() && std::string_view("=+-@").find(shown.front()) != std::string_view::npos;
  return formula ? "'" + shown : shown;
}

}  // namespace cudalabs
