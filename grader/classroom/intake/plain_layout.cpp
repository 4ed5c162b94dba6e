#include "grader/classroom/intake/plain_layout.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "grader/classroom/intake/find_submission.h"
#include "grader/classroom/intake/likeness.h"
#include "grader/classroom/intake/notebook.h"
#include "grader/classroom/intake/utf8_name.h"

namespace cudalabs {
namespace {

constexpr int kMaxSections = 3;  // folders around each other

/// Folders and files of editors, services and systems, which are left out silently, in addition to the tree's
/// clutter.
constexpr std::array<std::string_view, 15> kNobodys = {
    ".github",         ".vscode",      ".vs",
    ".idea",           ".settings",    ".hg",
    ".gitignore",      ".cache",       ".DS_Store",
    ".fseventsd",      ".AppleDouble", ".Trashes",
    ".TemporaryItems", ".clangd",      ".ipynb_checkpoints"};

/// What stands at one level of a tree: the students' names or folders around them.
struct Entry {
  std::vector<TreeFile> files;    ///< with the entry's own name in the path, if it is a file
  std::set<std::string> folders;  ///< visible ones in it, with a candidate
  bool direct = false;            ///< a candidate is in it, and in none of these folders
  bool is_folder = false;
};
using Entries = std::map<std::string, Entry>;  // by the student's name

/// Adds the file of a folder; `path` is relative to it.
void add(const Lab& lab, Entry& entry, TreeFile file) {
  entry.is_folder = true;
  const std::size_t slash = file.path.find('/');
  const std::string inner = file.path.substr(0, slash);
  // A notebook's cells are in it as in a folder.
  const bool deep = slash != std::string::npos && !is_notebook_name(inner);
  if (is_candidate(lab, file.path)) {
    if (deep && !inner.starts_with('.') && !is_part_of_work(lab, inner))
      entry.folders.insert(inner);
    else
      entry.direct = true;
  }
  entry.files.push_back(std::move(file));
}

/// "alice" for the folder alice, and for alice.cu, alice.zip and alice.pdf beside it.
Entries entries_of(const Lab& lab, std::span<const TreeFile> files, const std::string& holder,
                   Leftovers& left) {
  Entries entries;
  std::map<std::string, std::vector<const TreeFile*>> beside;
  for (const TreeFile& file : files) {
    const std::string name = first_part(file.path);
    const bool is_file = name == file.path;
    if (name.starts_with('.')) {
      if (std::ranges::count(kNobodys, name) == 0) left.hidden.insert(utf8_name(holder + name));
      continue;
    }
    const bool in_notebook = !is_file && is_notebook_name(name);
    if (is_file && is_beside(lab, file)) {
      beside[without_source_ending(name)].push_back(&file);
      continue;
    }
    Entry& entry = entries[is_file || in_notebook ? without_source_ending(name) : name];
    TreeFile own = file;
    if (!is_file && !in_notebook) {
      own.path.erase(0, name.size() + 1);
      if (own.path.empty() && own.problem.empty()) {
        entry.is_folder = true;
        continue;
      }
      add(lab, entry, std::move(own));
    } else {
      entry.direct |= is_candidate(lab, own.path);
      entry.files.push_back(std::move(own));
    }
  }
  // A table or text of a student's name is the student's.
  for (auto& [stem, several] : beside) {
    const auto student = entries.find(stem);
    for (const TreeFile* file : several) {
      if (student != entries.end())
        student->second.files.push_back(*file);
      else
        left.add_beside(*file, holder);
    }
  }
  return entries;
}

/// Returns whether the entries are folders around students: no submission is directly in one of them, and
/// they hold more names than they are. Names that repeat, such as "src", are parts of one student's work.
bool are_sections(const Lab& lab, std::span<const std::string> slugs, const Entries& entries) {
  std::set<std::string> names;
  std::size_t sections = 0;
  for (const auto& [name, entry] : entries) {
    if (entry.direct || is_submission(lab, slugs, entry.files)) return false;
    if (entry.folders.empty()) continue;
    ++sections;
    names.insert(entry.folders.begin(), entry.folders.end());
  }
  return names.size() > sections;
}

void add_students(const Lab& lab, std::span<const std::string> slugs, std::span<const TreeFile> files,
                  const std::string& holder, int depth, Leftovers& left, Parts& parts) {
  Entries entries = entries_of(lab, files, holder, left);
  const bool sections = depth < kMaxSections && are_sections(lab, slugs, entries);
  for (auto& [name, entry] : entries) {
    const auto lies_deeper = [](const TreeFile& file) { return file.path.find('/') != std::string::npos; };
    const bool opened =
        sections &&
        std::ranges::all_of(
            entry.files, [&](const TreeFile& file) { return lies_deeper(file) || is_beside(lab, file); }) &&
        std::ranges::any_of(entry.files, lies_deeper);
    if (opened)
      add_students(lab, slugs, entry.files, holder + name + "/", depth + 1, left, parts);
    else
      parts.push_back({holder + name, name, {}, std::move(entry.files)});
  }
}

/// Students have their own names as ids where that is unique, and otherwise the path to them.
void shorten_ids(Parts& parts) {
  std::map<std::string, int> uses;
  for (const PathPart& part : parts) ++uses[part.name];
  for (PathPart& part : parts) {
    if (uses[part.name] == 1) part.student = part.name;
    part.name = part.student;
  }
}

}  // namespace

void Leftovers::add_beside(const TreeFile& file, const std::string& holder) {
  beside.insert(utf8_name(holder + file.path));
  if (file.path.ends_with(kTableEnding)) tables.push_back(file.content);
}

std::string first_part(const std::string& path) { return path.substr(0, path.find('/')); }

std::vector<TreeFile> below(std::span<const TreeFile> files, const std::string& folder) {
  const std::string start = folder + "/";
  std::vector<TreeFile> found;
  for (auto file = std::ranges::lower_bound(files, start, {}, &TreeFile::path);
       file != files.end() && file->path.starts_with(start); ++file) {
    if (file->path.size() == start.size() && file->problem.empty()) continue;
    found.push_back(*file);
    found.back().path.erase(0, folder.size() + 1);
  }
  return found;
}

bool is_beside(const Lab& lab, const TreeFile& file) {
  if (is_candidate(lab, file.path) || !file.problem.empty()) return false;
  constexpr std::array<std::string_view, 18> kEndings = {
      ".csv", ".tsv", ".xlsx", ".xls", ".ods", ".yml", ".yaml", ".json", ".xml",
      ".md",  ".htm", ".html", ".log", ".url", ".lnk", ".sh",   ".ini",  ".sqlite"};
  constexpr std::array<std::string_view, 9> kNames = {"makefile", "license", "readme",   "notes", "roster",
                                                      "students", "names",   "contract", "thumbs"};
  std::string name = file.path.substr(file.path.rfind('/') + 1);
  for (char& c : name) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  const std::size_t dot = std::min(name.rfind('.'), name.size());
  return std::ranges::find(kEndings, name.substr(dot)) != kEndings.end() ||
         std::ranges::find(kNames, name.substr(0, dot)) != kNames.end();
}

Parts students_of(const Lab& lab, std::span<const std::string> slugs, std::span<const TreeFile> files,
                  Leftovers& left) {
  Parts parts;
  add_students(lab, slugs, files, "", 0, left, parts);
  shorten_ids(parts);
  return parts;
}

}  // namespace cudalabs
