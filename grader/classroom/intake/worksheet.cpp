#include "grader/classroom/intake/worksheet.h"

#include <cstddef>
#include <optional>

#include "grader/present/csv.h"

namespace cudalabs {
namespace {

/// "4711" of "Participant 4711"; empty if the cell is not a word and a number.
std::string participant(const std::string& cell) {
  const std::size_t start = cell.find_last_not_of("0123456789") + 1;
  return start == 0 || start > 40 ? std::string() : cell.substr(start);
}

}  // namespace

std::map<std::string, HandInTime> times_of_worksheet(std::string_view csv) {
  std::map<std::string, HandInTime> times;
  const auto table = parse_csv(csv, "");
  if (!table) return times;
  // Headers are translated. The time of the hand-in is the first column of times; that of the grade follows.
  std::optional<std::size_t> column;
  for (std::size_t i = 1; i < table->header.size() && !column; ++i) {
    for (const CsvRow& row : table->rows)
      if (parse_spoken_time(row[i]) != 0) column = i;
  }
  if (!column) return times;
  for (const CsvRow& row : table->rows) {
    const std::string number = participant(row.front());
    const std::int64_t at = parse_spoken_time(row[*column]);
    if (!number.empty() && at != 0) times[number] = {at, true};
  }
  return times;
}

}  // namespace cudalabs
