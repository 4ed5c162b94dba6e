#include "grader/support/result.h"

namespace cudalabs {

std::string Diagnostic::text() const {
  std::string out;
  if (!where.file.empty()) {
    out += where.file;
    if (where.line > 0) out += ":" + std::to_string(where.line);
    if (where.line > 0 && where.column > 0) out += ":" + std::to_string(where.column);
    out += ": ";
  }
  out += message;
  if (!hint.empty()) out += "\n  hint: " + hint;
  return out;
}

Diagnostic error(std::string message, std::string hint) {
  return Diagnostic{{}, std::move(message), std::move(hint)};
}

}  // namespace cudalabs
