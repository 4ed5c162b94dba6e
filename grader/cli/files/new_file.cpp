#include "grader/cli/files/new_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "grader/diagnostics/messages/cli.h"

namespace cudalabs::cli {

Result<bool> create_file(const std::filesystem::path& file, const std::string& content) {
  std::FILE* stream = std::fopen(file.c_str(), "wbx");
  if (stream == nullptr) {
    if (errno == EEXIST) return false;
    return error(msg::file_not_writable_why(file.string(), std::strerror(errno)));
  }
  const bool written = std::fwrite(content.data(), 1, content.size(), stream) == content.size();
  if (std::fclose(stream) != 0 || !written) return error(msg::write_incomplete(file.string()));
  return true;
}

}  // namespace cudalabs::cli
