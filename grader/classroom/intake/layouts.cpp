#include "grader/classroom/intake/layouts.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <map>
#include <optional>
#include <regex>
#include <set>

#include "grader/base/named_files.h"
#include "grader/base/text.h"
#include "grader/classroom/intake/find_submission.h"
#include "grader/classroom/intake/service_names.h"
#include "grader/classroom/intake/utf8_name.h"

namespace cudalabs {
namespace {

/// One student's part of a tree.
struct Part {
  std::string student, name;
  std::int64_t submitted_at = 0;
  std::vector<TreeFile> files;  ///< paths relative to the student's folder
};

using Parts = std::vector<Part>;

/// A tree inside the folders that wrap it. Downloads often have such a wrapper.
struct Container {
  std::string name;
  std::vector<TreeFile> files;
};

std::string first_part(const std::string& path) { return path.substr(0, path.find('/')); }

/// The files in `folder` ("a/b"), with paths relative to it. `files` are ordered by path. If the folder has a
/// problem, it is included with an empty path.
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

/// Groups files by the first part of their path, in order.
std::map<std::string, std::vector<TreeFile>> by_first_part(std::span<const TreeFile> files) {
  std::map<std::string, std::vector<TreeFile>> parts;
  for (const TreeFile& file : files) parts[first_part(file.path)].push_back(file);
  return parts;
}

/// The single folder that contains all files, if there is one.
std::optional<Container> unwrapped(const Container& outer) {
  if (outer.files.empty()) return std::nullopt;
  const std::string wrapper = first_part(outer.files.front().path);
  const bool all = std::ranges::all_of(
      outer.files, [&](const TreeFile& file) { return file.path.starts_with(wrapper + "/"); });
  // A folder that was too large to read belongs to a student.
  if (!all || (outer.files.front().path == wrapper + "/" && !outer.files.front().problem.empty()))
    return std::nullopt;
  return Container{wrapper, below(outer.files, wrapper)};
}

std::string text_of(const YAML::Node& node) {
  return node.IsDefined() && node.IsScalar() ? node.Scalar() : std::string();
}

/// Gradescope: folders "submission_123", and a table of the submitters. A group has several submitters.
std::optional<Parts> gradescope(const Container& container) {
  const auto table = std::ranges::find(container.files, kGradescopeTable, &TreeFile::path);
  if (table == container.files.end() || !table->problem.empty()) return std::nullopt;
  Parts parts;
  try {
    const YAML::Node root = YAML::Load(table->content);
    if (!root.IsMap()) return std::nullopt;
    for (const auto& entry : root) {
      const std::string folder = text_of(entry.first);
      const YAML::Node submitters = entry.second[":submitters"];
      const std::string created = text_of(entry.second[":created_at"]);
      std::vector<TreeFile> files = below(container.files, folder);
      for (const YAML::Node& one : submitters) {
        const std::string name = text_of(one[":name"]), sid = text_of(one[":sid"]),
                          email = text_of(one[":email"]);
        const std::string id = !sid.empty() ? sid : !email.empty() ? email : folder;
        parts.push_back({id, name.empty() ? id : name, parse_time(created), files});
      }
      if (submitters.size() == 0) parts.push_back({folder, folder, parse_time(created), std::move(files)});
    }
  } catch (const YAML::Exception&) {
    return std::nullopt;
  }
  return parts;
}

/// Reads files or folders whose names identify the student.
std::optional<Parts> named_entries(const Container& container,
                                   std::optional<EntryName> (*read)(std::string_view entry)) {
  std::map<std::string, Part> parts;
  for (const TreeFile& file : container.files) {
    const std::string entry = first_part(file.path);
    const auto told = read(entry);
    if (!told) {
      // A service may put a table or a page beside the students' files, but never a source.
      if (file.path.ends_with(".cu")) return std::nullopt;
      continue;
    }
    Part& part = parts[std::string(told->number)];
    part.student = told->number;
    part.name = told->name;
    TreeFile own = file;
    // An unread folder represents all files of the student, whichever entry it is named after.
    const bool unread = !file.problem.empty() && file.path == entry + "/";
    own.path = unread ? "" : std::string(told->own) + file.path.substr(entry.size());
    while (own.path.starts_with('/')) own.path.erase(0, 1);
    if (!own.path.empty() || !own.problem.empty()) part.files.push_back(std::move(own));
  }
  if (parts.empty()) return std::nullopt;
  Parts all;
  for (auto& [id, part] : parts) all.push_back(std::move(part));
  return all;
}

/// Moodle: folders (or files, if the teacher chose that) "Jo Smith_12345_assignsubmission_file_".
std::optional<Parts> moodle(const Container& container) { return named_entries(container, moodle_entry); }

/// "row_max-1.cu" becomes row_max.cu.
std::string without_count(const std::string& path) {
  for (const std::string_view ending : kSourceEndings) {
    if (!path.ends_with(ending)) continue;
    const std::string_view stem = std::string_view(path).substr(0, path.size() - ending.size());
    const std::size_t last = stem.find_last_not_of("0123456789");
    if (last == std::string_view::npos || stem[last] != '-' || last + 1 == stem.size()) return path;
    return std::string(stem.substr(0, last)).append(ending);
  }
  return path;
}

/// Canvas: files "smithjo_LATE_12345_67890_row_max-1.cu", where 12345 is the student and -1 marks a
/// resubmission.
std::optional<Parts> canvas(const Container& container) {
  auto parts = named_entries(container, canvas_entry);
  if (!parts) return std::nullopt;
  for (Part& part : *parts) {
    for (TreeFile& file : part.files) file.path = without_count(file.path);
  }
  return parts;
}

/// Classroom 50 and its predecessor: clones "course-task-student" in a folder
/// "course-task_submissions_<time>".
std::optional<Parts> classroom(const Container& container) {
  const auto task = class_task(container.name);
  if (!task) return std::nullopt;
  const std::string prefix = *task + "-";
  Parts parts;
  for (auto& [entry, files] : by_first_part(container.files)) {
    if (!entry.starts_with(prefix) || entry.size() == prefix.size()) continue;
    const std::string student = entry.substr(prefix.size());
    parts.push_back({student, student, 0, below(files, entry)});
  }
  if (parts.empty()) return std::nullopt;
  return parts;
}

struct Layout {
  const char* name;
  std::optional<Parts> (*divide)(const Container& container);
};

constexpr Layout kLayouts[] = {
    {"Gradescope", gradescope}, {"Moodle", moodle}, {"Canvas", canvas}, {"Classroom 50", classroom}};

/// Folders of editors, services and systems that are ignored silently, in addition to the tree's clutter.
constexpr std::array<std::string_view, 14> kNobodys = {
    ".github", ".vscode",           ".vs",        ".idea",        ".settings", ".hg",
    ".cache",  ".DS_Store",         ".fseventsd", ".AppleDouble", ".Trashes",  ".TemporaryItems",
    ".clangd", ".ipynb_checkpoints"};

/// "a/.b" for "a/.b/c"; nothing if no part of the path begins with a dot.
std::optional<std::string> hidden_start(const std::string& path) {
  const std::size_t dot = path.starts_with('.') ? 0 : path.find("/.");
  if (dot == std::string::npos) return std::nullopt;
  return path.substr(0, path.find('/', dot + 1));
}

/// Folders and files with any names: entries beside submissions are students too. `left_out`: the hidden
/// ones.
Parts plain(const Lab& lab, std::span<const std::string> slugs, const Container& container,
            std::set<std::string>& left_out) {
  std::set<std::string> holders;  // folders that contain students' folders or files; "" is the container
  std::set<std::string> hidden, taken;
  for (const std::string& root : submission_roots(lab, slugs, container.files)) {
    if (const auto start = hidden_start(root)) {
      hidden.insert(*start);
      continue;
    }
    const std::size_t slash = root.rfind('/');
    holders.insert(slash == std::string::npos ? "" : root.substr(0, slash));
  }
  if (holders.empty()) holders.insert("");
  // A holder inside another holder belongs to one student, such as an unpacked archive in a student's folder.
  std::erase_if(holders, [&](const std::string& holder) { return lies_below_one(holder, holders); });
  Parts parts;
  for (const std::string& holder : holders) {
    const std::vector<TreeFile> files = holder.empty() ? container.files : below(container.files, holder);
    for (auto& [entry, own] : by_first_part(files)) {
      const bool file = own.size() == 1 && own.front().path == entry;
      if (file && !entry.ends_with(".cu") && own.front().problem.empty()) continue;
      const std::string whole = holder.empty() ? entry : holder + "/" + entry;
      if (entry.starts_with('.')) {
        hidden.insert(whole);
        continue;
      }
      taken.insert(whole);
      // A file is named after its student. An archive entry may exist beside its unpacked folder.
      const std::string student = file ? entry.substr(0, entry.find('.')) : entry;
      parts.push_back({student, student, 0, file ? own : below(own, entry)});
    }
  }
  // Hidden files inside a student's folder belong to that student.
  for (const std::string& path : hidden) {
    if (lies_below_one(path, taken) || std::ranges::count(kNobodys, path.substr(path.rfind('/') + 1)) > 0)
      continue;
    left_out.insert(utf8_name(path));
  }
  return parts;
}

HandIn hand_in(const Lab& lab, std::span<const std::string> slugs, const FileTree& tree, Part part) {
  HandIn handed;
  handed.student = utf8_name(part.student);
  handed.name = utf8_name(part.name);
  handed.submitted_at = part.submitted_at;
  FoundSubmission found = find_submission(lab, slugs, part.files);
  handed.place = utf8_name(found.path.empty() ? tree.place : fmt::format("{}: {}", tree.place, found.place));
  handed.submission = std::move(found.submission);
  handed.submission.file = found.path;
  handed.note = std::move(found.note);
  handed.problem = std::move(found.problem);
  return handed;
}

}  // namespace

ClassSources hand_ins_of(const Lab& lab, std::span<const std::string> slugs, const FileTree& tree) {
  ClassSources all;
  const auto take = [&](const char* layout, Parts parts) {
    all.layout = layout;
    for (Part& part : parts) all.hand_ins.push_back(hand_in(lab, slugs, tree, std::move(part)));
    return all;
  };
  std::optional<Container> container = Container{tree.name, tree.files};
  const auto roots = submission_roots(lab, slugs, tree.files);
  if (tree.single_file || std::ranges::find(roots, "") != roots.end())
    return take("one submission", {{tree.name, tree.name, 0, tree.files}});
  for (int depth = 0; container && depth < 3; ++depth) {
    for (const Layout& layout : kLayouts) {
      if (auto parts = layout.divide(*container)) return take(layout.name, std::move(*parts));
    }
    auto inner = unwrapped(*container);
    // A folder that is itself a submission belongs to a student and is not a wrapper.
    if (inner && std::ranges::count(submission_roots(lab, slugs, inner->files), "") > 0) break;
    if (!inner) break;
    container = std::move(inner);
  }
  std::set<std::string> left_out;
  Parts parts = plain(lab, slugs, *container, left_out);
  all.left_out.assign(left_out.begin(), left_out.end());
  return take("folders", std::move(parts));
}

std::int64_t parse_time(std::string_view text) {
  static const std::regex pattern(
      R"(\s*(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?)?\s*(Z|UTC|([+-])(\d\d):?(\d\d))?\s*)");
  std::cmatch match;
  if (text.size() > 64 || !std::regex_match(text.data(), text.data() + text.size(), match, pattern)) return 0;
  const auto number = [&](std::size_t group) { return match[group].matched ? std::stoi(match[group]) : 0; };
  std::tm parts{};
  parts.tm_year = number(1) - 1900;
  parts.tm_mon = number(2) - 1;
  parts.tm_mday = number(3);
  parts.tm_hour = number(4);
  parts.tm_min = number(5);
  parts.tm_sec = number(6);
  const std::tm written = parts;
  const std::int64_t local = ::timegm(&parts);  // it normalizes the 31st of February to the 3rd of March
  if (parts.tm_mon != written.tm_mon || parts.tm_mday != written.tm_mday ||
      parts.tm_hour != written.tm_hour || parts.tm_min != written.tm_min || parts.tm_sec != written.tm_sec ||
      number(9) > 14 || number(10) > 59)
    return 0;
  const std::int64_t offset = (number(9) * 60 + number(10)) * 60;
  return local - (match[8] == "-" ? -offset : offset);
}

}  // namespace cudalabs
