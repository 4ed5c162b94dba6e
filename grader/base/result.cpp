#include "grader/base/result.h"

#include <algorithm>
#include <array>
#include <cerrno>

namespace cudalabs {

std::string place_of(const Location& where) {
  std::string out;
  if (!where.file.empty()) {
    out += where.file;
    std::ranges::replace(out, '\n', '?');  // a file name with a line break could imitate a message of ours
    if (where.line > 0) out += ":" + std::to_string(where.line);
    if (where.line > 0 && where.column > 0) out += ":" + std::to_string(where.column);
    out += ": ";
  }
  return out;
}

std::string Diagnostic::text() const {
  return place_of(where) + message.english() + (hint.empty() ? "" : "\n  hint: " + hint.english());
}

bool is_infrastructure_error(int error_number) {
  constexpr std::array kNumbers = {EIO, ENOSPC, EDQUOT, ENOMEM, EMFILE, ENFILE, ESTALE};
  return std::ranges::find(kNumbers, error_number) != kNumbers.end();
}

Diagnostic error(Messages message, Messages hint) {
  return Diagnostic{{}, std::move(message), std::move(hint)};
}

}  // namespace cudalabs
