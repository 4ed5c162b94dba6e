#include "grader/cli/new_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace cudalabs::cli {

Result<bool> create_file(const std::filesystem::path& file, const std::string& content) {
  std::FILE* stream = std::fopen(file.c_str(), "wbx");
  if (stream == nullptr) {
    if (errno == EEXIST) return false;
    return error(fmt::format("{} cannot be written: {}", file.string(), std::strerror(errno)));
  }
  const bool written = std::fwrite(content.data(), 1, content.size(), stream) == content.size();
  if (std::fclose(stream) != 0 || !written)
    return error(fmt::format("{} could not be written completely", file.string()));
  return true;
}

}  // namespace cudalabs::cli
