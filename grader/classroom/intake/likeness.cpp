#include "grader/classroom/intake/likeness.h"

#include <algorithm>
#include <array>
#include <vector>

#include "grader/base/named_files.h"
#include "grader/base/text.h"
#include "grader/submission/source_text.h"

namespace cudalabs {
namespace {

bool is_decimal(char c) { return c >= '0' && c <= '9'; }
bool is_latin(char c) { return c >= 'a' && c <= 'z'; }

std::string lower(std::string_view text) {
  std::string all(text);
  for (char& c : all) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return all;
}

/// "row", "max", "v2" for "row max-v2".
std::vector<std::string> name_words(std::string_view stem) {
  std::vector<std::string> words(1);
  for (const char c : stem) {
    if (is_latin(c) || is_decimal(c))
      words.back() += c;
    else if (!words.back().empty())
      words.emplace_back();
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

/// Returns whether some neighbouring words, written together, are `name`: "row_max", "RowMax", "my row max
/// 2". A number that follows may belong to the last word: "rowmax2".
bool has_name(const std::vector<std::string>& words, const std::string& name) {
  for (std::size_t first = 0; first < words.size(); ++first) {
    std::string together;
    for (std::size_t last = first; last < words.size() && together.size() < name.size(); ++last)
      together += words[last];
    if (together.starts_with(name) &&
        std::all_of(together.begin() + static_cast<std::ptrdiff_t>(name.size()), together.end(), is_decimal))
      return true;
  }
  return false;
}

bool cut(std::string& name, std::string_view ending) {
  if (name.size() <= ending.size() || !name.ends_with(ending)) return false;
  name.resize(name.size() - ending.size());
  return true;
}

}  // namespace

NameLikeness likeness(const Lab& lab, std::string_view path) {
  const std::string_view plain = path.substr(path.rfind('/') + 1);
  if (plain == lab.file) return NameLikeness::Exact;
  std::string stem = lower(plain);
  const bool text = cut(stem, ".txt");
  if (cut(stem, ".cu")) {
    std::string own = lower(lab.file);
    (void)cut(own, ".cu");
    std::string together;
    for (const std::string& word : name_words(own)) together += word;
    return has_name(name_words(stem), together) ? NameLikeness::Resembling : NameLikeness::Cuda;
  }
  return text || has_source_ending(stem) ? NameLikeness::Text : NameLikeness::None;
}

std::size_t entries_defined(const Lab& lab, const std::string& text) {
  const std::string code = code_of(text);
  const auto defines = [&code](const Version& version) {
    bool found = false;
    each_word(code, version.entry, [&](std::size_t at, int) {
      const std::size_t open = behind_blanks(code, at + version.entry.size());
      if (found || open >= code.size() || code[open] != '(') return;
      const std::size_t after = behind_blanks(code, behind_bracket(code, open, ')'));
      found = after < code.size() && code[after] == '{';
    });
    return found;
  };
  return static_cast<std::size_t>(std::ranges::count_if(lab.versions, defines));
}

bool is_part_of_work(const Lab& lab, std::string_view folder) {
  constexpr std::array<std::string_view, 33> kParts = {"src",      "source",     "sources",
                                                       "code",     "cuda",       "gpu",
                                                       "project",  "solution",   "solutions",
                                                       "work",     "hw",         "homework",
                                                       "lab",      "task",       "assignment",
                                                       "exercise", "submission", "answer",
                                                       "main",     "app",        "build",
                                                       "old",      "new",        "final",
                                                       "copy",     "backup",     "variant",
                                                       "version",  "v",          "part",
                                                       "try",      "attempt",    "student_templates"};
  std::string name = lower(folder);
  if (name == lower(lab.lab) || name == lower(lab.variant)) return true;
  const std::size_t end = name.find_last_not_of("0123456789_- ()");
  name.resize(end == std::string::npos ? 0 : end + 1);
  return std::ranges::find(kParts, name) != kParts.end();
}

}  // namespace cudalabs
