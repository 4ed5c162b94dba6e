#include "grader/support/named_files.h"

#include <set>
#include <utility>

namespace cudalabs {

Result<std::vector<NamedFile>> named_files(const std::string& source,
                                           const std::vector<std::filesystem::path>& files,
                                           const FileReader& read) {
  std::vector<NamedFile> found;
  std::set<std::string> met;
  std::vector<std::string> unread = {source};
  while (!unread.empty()) {
    const std::string text = std::move(unread.back());
    unread.pop_back();
    for (const auto& file : files) {
      const std::string name = file.filename().string();
      if (text.find(name) == std::string::npos || !met.insert(name).second) continue;
      auto content = read(file);
      if (!content) return content.problem();
      if (!*content) continue;
      unread.push_back(**content);
      found.push_back({file, std::move(**content)});
    }
  }
  return found;
}

}  // namespace cudalabs
