#include "grader/diagnostics/po_file.h"

#include <optional>

#include "grader/base/text.h"
#include "grader/diagnostics/messages/base.h"

namespace cudalabs {
namespace {

/// What stands between the quotes of a line; nothing if that is no string.
std::optional<std::string> unquoted(std::string_view quoted) {
  if (quoted.size() < 2 || quoted.front() != '"' || quoted.back() != '"') return std::nullopt;
  quoted = quoted.substr(1, quoted.size() - 2);
  std::string text;
  for (std::size_t i = 0; i < quoted.size(); ++i) {
    if (quoted[i] == '"') return std::nullopt;
    if (quoted[i] != '\\') {
      text += quoted[i];
      continue;
    }
    if (++i == quoted.size()) return std::nullopt;
    text += quoted[i] == 'n' ? '\n' : quoted[i];
  }
  return text;
}

}  // namespace

Result<std::vector<PoRow>> read_po(std::string_view po, const std::string& name) {
  std::vector<PoRow> rows;
  int number = 0;
  const auto wrong = [&](Message what) { return Diagnostic{{name, number, 0}, std::move(what), {}}; };
  std::string* reading = nullptr;
  const auto is_complete = [&] {
    return rows.empty() || rows.back().id.empty() || !rows.back().text.empty();
  };
  while (!po.empty()) {
    ++number;
    std::string_view line = take_until(po, '\n');
    if (line.empty() || line.front() == '#') continue;
    if (line.starts_with("msgid ")) {
      if (!is_complete()) return wrong(msg::row_without_translation(rows.back().id));
      rows.push_back({{}, {}, number});
      reading = &rows.back().id;
      line.remove_prefix(6);
    } else if (line.starts_with("msgstr ") && !rows.empty()) {
      reading = &rows.back().text;
      line.remove_prefix(7);
    }
    const auto text = unquoted(line);
    if (!text || reading == nullptr) return wrong(msg::not_a_row_of_texts());
    *reading += *text;
  }
  if (!is_complete()) return wrong(msg::row_without_translation(rows.back().id));
  std::erase_if(rows, [](const PoRow& row) { return row.id.empty(); });
  return rows;
}

}  // namespace cudalabs
