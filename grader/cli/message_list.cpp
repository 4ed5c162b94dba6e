#include "grader/cli/message_list.h"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "grader/base/text.h"
#include "grader/diagnostics/language.h"
#include "grader/diagnostics/message_table.h"

namespace cudalabs::cli {
namespace {

std::string_view kind_name(RowKind kind) {
  constexpr std::array<std::string_view, 5> kNames{"error", "warning", "note", "advice", "phrase"};
  return kNames.at(static_cast<std::size_t>(kind));
}

std::vector<std::string> languages_of(const MessageRow& row) {
  std::vector<std::string> names;
  for (const std::string& name : language_names())
    if (is_worded(row.id, name)) names.push_back(name);
  return names;
}

}  // namespace

std::string message_list(std::string_view pattern) {
  std::string out;
  for (const MessageRow* row : all_rows()) {
    const std::string_view id = row->id, text = row->english;
    if (id.find(pattern) == std::string_view::npos && text.find(pattern) == std::string_view::npos) continue;
    const std::string arguments = row->signature.count == 0 ? "" : fmt::format("; {}", row->parameters);
    out += fmt::format("{} ({}{}; {})\n", id, kind_name(row->kind), arguments, listed(languages_of(*row)));
    for (const std::string& line : split_lines(text)) out += "  " + line + "\n";
  }
  return out;
}

}  // namespace cudalabs::cli
