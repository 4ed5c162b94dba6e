#include "grader/base/named_files.h"

#include <algorithm>
#include <set>
#include <utility>

namespace cudalabs {
namespace {

/// True iff `text` contains `name` as an #include names it: in quotes or brackets, perhaps with folders
/// before it.
bool names(const std::string& text, const std::string& name) {
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if (at == 0 || end == text.size()) continue;
    const char before = text[at - 1], after = text[end];
    if ((before == '"' || before == '<' || before == '/') && (after == '"' || after == '>')) return true;
  }
  return false;
}

}  // namespace

bool has_source_ending(std::string_view path) {
  return std::ranges::any_of(kSourceEndings, [&](std::string_view ending) { return path.ends_with(ending); });
}

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
      if (!names(text, name) || !met.insert(name).second) continue;
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
