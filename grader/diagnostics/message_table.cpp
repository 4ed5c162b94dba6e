#include "grader/diagnostics/message_table.h"

#include <algorithm>
#include <vector>

#include "grader/diagnostics/rows.h"

namespace cudalabs {
namespace msg {
#define MESSAGE CUDALABS_MESSAGE
#include "grader/diagnostics/messages.def"
#undef MESSAGE
}  // namespace msg

namespace {

#define MESSAGE(id, kind, parameters, english) &msg::id,
constexpr const MessageRow* kRows[] = {
    &kVerbatim,
    &kCourseText,
    &kFewBytes,
#include "grader/diagnostics/messages.def"
};
#undef MESSAGE

}  // namespace

std::span<const MessageRow* const> all_rows() { return kRows; }

const MessageRow* find_row(std::string_view id) {
  static const std::vector<const MessageRow*> sorted = [] {
    std::vector<const MessageRow*> rows(std::begin(kRows), std::end(kRows));
    std::ranges::sort(rows, {}, [](const MessageRow* row) { return std::string_view(row->id); });
    return rows;
  }();
  const auto found = std::ranges::lower_bound(
      sorted, id, {}, [](const MessageRow* row) { return std::string_view(row->id); });
  return found != sorted.end() && (*found)->id == id ? *found : nullptr;
}

}  // namespace cudalabs
