#include "grader/grading/compare/pattern.h"

#include <algorithm>
#include <optional>

#include "grader/diagnostics/messages/run.h"

namespace cudalabs {
namespace {

std::string range(std::int64_t first, std::int64_t last) {
  return std::to_string(first) + ".." + std::to_string(last);
}

/// The constant distance between neighbours, if there is one and it is not 1.
std::optional<std::int64_t> stride_of(std::span<const std::int64_t> indices) {
  if (indices.size() < 3 || indices[1] - indices[0] < 2) return std::nullopt;
  const std::int64_t step = indices[1] - indices[0];
  for (std::size_t k = 2; k < indices.size(); ++k) {
    if (indices[k] - indices[k - 1] != step) return std::nullopt;
  }
  return step;
}

/// "every 32nd row" when the stride runs through the whole extent.
Message describe_stride(std::span<const std::int64_t> indices, std::int64_t extent, const std::string& unit,
                        bool but) {
  const auto step = stride_of(indices);
  if (!step) return {};
  if (indices.back() + *step < extent || indices.front() >= *step)
    return msg::places_every_within(but, unit, *step, indices.front(), indices.back());
  return indices.front() == *step - 1 ? msg::places_every(but, unit, *step)
                                      : msg::places_every_from(but, unit, *step, indices.front());
}

/// "rows 24..31 of every 32": the same run in every group of a power of two.
Message describe_groups(std::span<const std::int64_t> indices, std::int64_t extent, const std::string& unit) {
  for (std::int64_t group = 4; group * 2 <= extent; group *= 2) {
    std::vector<bool> member(static_cast<std::size_t>(group));
    for (const std::int64_t i : indices) member[static_cast<std::size_t>(i % group)] = true;
    const auto begin = std::ranges::find(member, true), end = std::find(begin, member.end(), false);
    if (std::find(end, member.end(), true) != member.end()) continue;  // not one run
    const auto first = begin - member.begin(), last = end - member.begin() - 1;
    if (last - first + 1 == group) continue;
    std::int64_t members = 0;
    for (std::int64_t k = first; k <= last; ++k) members += (extent - k + group - 1) / group;
    if (members != static_cast<std::int64_t>(indices.size())) continue;
    return msg::places_of_groups(unit, range(first, last), group);
  }
  return {};
}

std::vector<std::int64_t> complement(std::span<const std::int64_t> indices, std::int64_t extent) {
  std::vector<std::int64_t> rest;
  auto next = indices.begin();
  for (std::int64_t i = 0; i < extent; ++i) {
    if (next != indices.end() && *next == i) {
      ++next;
    } else {
      rest.push_back(i);
    }
  }
  return rest;
}

bool contiguous(std::span<const std::int64_t> indices) {
  return indices.back() - indices.front() + 1 == static_cast<std::int64_t>(indices.size());
}

Message describe_run(std::span<const std::int64_t> indices, std::int64_t extent, const std::string& unit,
                     bool but) {
  const std::int64_t first = indices.front(), last = indices.back(), count = last - first + 1;
  if (count == 1) {
    if (first + 1 == extent) return msg::places_last(but, unit);
    return first == 0 ? msg::places_first(but, unit) : msg::places_one(but, unit, first);
  }
  const std::string run = range(first, last);
  if (last + 1 == extent) return msg::places_last_ones(but, unit, count, run);
  return first == 0 ? msg::places_first_ones(but, unit, count, run) : msg::places_range(but, unit, run);
}

/// A set of places that is "these rows" x "these columns", or the whole outside of such a set, or is about
/// the diagonal. `rows` and `columns` are the indices of each wrong place.
Message describe_plane(std::span<const std::size_t> wrong, std::int64_t rows, std::int64_t columns,
                       const std::string& row, const std::string& column) {
  std::vector<std::int64_t> in_row(static_cast<std::size_t>(rows)),
      in_column(static_cast<std::size_t>(columns));
  std::int64_t on_diagonal = 0, below = 0;
  for (const std::size_t place : wrong) {
    const auto r = static_cast<std::int64_t>(place) / columns, c = static_cast<std::int64_t>(place) % columns;
    ++in_row[static_cast<std::size_t>(r)];
    ++in_column[static_cast<std::size_t>(c)];
    on_diagonal += r == c;
    below += r > c;
  }
  const auto indices = [](const std::vector<std::int64_t>& counts, auto&& pick) {
    std::vector<std::int64_t> chosen;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      if (pick(counts[i])) chosen.push_back(static_cast<std::int64_t>(i));
    }
    return chosen;
  };
  const auto some = [](std::int64_t count) { return count > 0; };
  const auto count = static_cast<std::int64_t>(wrong.size());
  const auto bad_rows = indices(in_row, some), bad_columns = indices(in_column, some);
  const auto row_count = static_cast<std::int64_t>(bad_rows.size()),
             column_count = static_cast<std::int64_t>(bad_columns.size());

  if (count == row_count * column_count) {
    const Message in_rows = describe_indices(bad_rows, rows, row),
                  in_columns = describe_indices(bad_columns, columns, column);
    if (column_count == columns) return in_rows;
    if (row_count == rows) return in_columns;
    return in_rows.empty() || in_columns.empty() ? Message()
                                                 : msg::places_columns_of_rows(in_columns, in_rows);
  }
  if (rows == columns) {
    if (on_diagonal == count && count == rows) return msg::places_diagonal(false);
    if (on_diagonal == 0 && count == rows * rows - rows) return msg::places_diagonal(true);
    if (below == count && count == rows * (rows - 1) / 2) return msg::places_below_diagonal();
    if (below == 0 && on_diagonal == 0 && count == rows * (rows - 1) / 2) return msg::places_above_diagonal();
  }
  // Whole rows together with whole columns, such as the tiles at the right and lower edge.
  const auto full_rows = indices(in_row, [&](std::int64_t n) { return n == columns; });
  const auto full_columns = indices(in_column, [&](std::int64_t n) { return n == rows; });
  const auto r = static_cast<std::int64_t>(full_rows.size()),
             c = static_cast<std::int64_t>(full_columns.size());
  if (r > 0 && c > 0 && count == r * columns + c * rows - r * c) {
    const Message in_rows = describe_indices(full_rows, rows, row),
                  in_columns = describe_indices(full_columns, columns, column);
    if (!in_rows.empty() && !in_columns.empty()) return msg::places_rows_and_columns(in_rows, in_columns);
  }
  return {};
}

}  // namespace

std::string unit_name(const std::string& size, std::size_t dimension, std::size_t dimensions) {
  // A transpose has as many rows as its input has columns.
  if (dimensions == 2 && (size == "cols" || size == "columns" || size == "rows"))
    return dimension == 0 ? "row" : "column";
  if (size == "cols" || size == "columns") return "column";
  if (size.size() > 2 && size.ends_with('s')) return size.substr(0, size.size() - 1);
  if (dimensions == 2) return dimension == 0 ? "row" : "column";
  return "element";
}

std::vector<std::string> units_of(const Parameter& parameter) {
  std::vector<std::string> units;
  for (std::size_t d = 0; d < parameter.shape.size(); ++d)
    units.push_back(unit_name(parameter.shape[d], d, parameter.shape.size()));
  if (parameter.components > 1) units.emplace_back("component");
  return units;
}

Message describe_indices(std::span<const std::int64_t> wrong, std::int64_t extent, const std::string& unit) {
  const auto count = static_cast<std::int64_t>(wrong.size());
  if (count == extent) return msg::places_all(unit);
  if (contiguous(wrong)) return describe_run(wrong, extent, unit, false);
  if (auto every = describe_stride(wrong, extent, unit, false); !every.empty()) return every;
  if (auto groups = describe_groups(wrong, extent, unit); !groups.empty()) return groups;
  const auto right = complement(wrong, extent);
  if (right.size() <= wrong.size()) {
    if (contiguous(right)) return describe_run(right, extent, unit, true);
    if (auto every = describe_stride(right, extent, unit, true); !every.empty()) return every;
  }
  if (count <= 4) {
    std::string list;
    for (const std::int64_t index : wrong.first(wrong.size() - 1))
      list += (list.empty() ? "" : ", ") + std::to_string(index);
    return msg::places_list(unit, list, wrong.back());
  }
  const bool in_a_part = wrong.back() - wrong.front() + 1 <= extent / 2;
  return in_a_part ? msg::places_some(unit, range(wrong.front(), wrong.back())) : Message();
}

Message describe_places(std::span<const std::size_t> wrong, std::span<const std::int64_t> extents,
                        std::span<const std::string> units) {
  std::int64_t total = 1;
  for (const std::int64_t extent : extents) total *= extent;
  if (static_cast<std::int64_t>(wrong.size()) == total) return total == 1 ? Message() : msg::places_whole();
  if (extents.size() == 1) {
    const std::vector<std::int64_t> indices(wrong.begin(), wrong.end());
    return describe_indices(indices, extents[0], units[0]);
  }
  // With more than two dimensions: the innermost against all others.
  return describe_plane(wrong, total / extents.back(), extents.back(),
                        extents.size() == 2 ? units[0] : "line", units.back());
}

}  // namespace cudalabs
