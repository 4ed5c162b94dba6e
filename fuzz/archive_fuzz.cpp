// Archives of services and students: the files of any archive form one tree of bounded size. The input is the
// archive.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "grader/classroom/intake/file_tree.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto tree = cudalabs::unpack({reinterpret_cast<const char*>(data), size}, "class.zip");
  if (!tree) return 0;
  if (tree->files.size() > cudalabs::kMaxTreeFiles) __builtin_trap();
  std::uint64_t bytes = 0;
  for (const cudalabs::TreeFile& file : tree->files) {
    bytes += file.content.size();
    const std::string_view path = file.path;
    if (path.empty() || path.front() == '/') __builtin_trap();
    if (("/" + file.path + "/").find("/../") != std::string::npos) __builtin_trap();
    if (!file.problem.empty() && !file.content.empty()) __builtin_trap();
  }
  if (bytes > cudalabs::kMaxTreeBytes) __builtin_trap();
  return 0;
}
