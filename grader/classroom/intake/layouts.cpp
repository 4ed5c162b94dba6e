#include "grader/classroom/intake/layouts.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "grader/base/named_files.h"
#include "grader/base/text.h"
#include "grader/classroom/intake/find_submission.h"
#include "grader/classroom/intake/likeness.h"
#include "grader/classroom/intake/notebook.h"
#include "grader/classroom/intake/plain_layout.h"
#include "grader/classroom/intake/service_names.h"
#include "grader/classroom/intake/utf8_name.h"
#include "grader/classroom/intake/worksheet.h"
#include "grader/diagnostics/messages/classroom.h"

namespace cudalabs {
namespace {

constexpr int kMaxWrappers = 3;

/// A tree inside the folders that wrap it. Downloads often have such a wrapper.
struct Container {
  std::string name;
  std::vector<TreeFile> files;
};

/// Groups files by the first part of their path, in order.
std::map<std::string, std::vector<TreeFile>> by_first_part(std::span<const TreeFile> files) {
  std::map<std::string, std::vector<TreeFile>> parts;
  for (const TreeFile& file : files) parts[first_part(file.path)].push_back(file);
  return parts;
}

/// The single folder that contains all submissions, if there is one. Tables beside it are left over.
std::optional<Container> unwrapped(const Lab& lab, const Container& outer, Leftovers& left) {
  std::string wrapper;
  std::vector<const TreeFile*> beside;
  for (const TreeFile& file : outer.files) {
    const std::string name = first_part(file.path);
    if (name == wrapper && name != file.path) continue;
    if (name.starts_with('.')) continue;  // students_of() reports it, if it is left over
    if (name == file.path && is_beside(lab, file)) {
      beside.push_back(&file);
      continue;
    }
    // A folder that was too large to read belongs to a student.
    if (!wrapper.empty() || name == file.path || is_notebook_name(name) ||
        (file.path == name + "/" && !file.problem.empty()))
      return std::nullopt;
    wrapper = name;
  }
  if (wrapper.empty()) return std::nullopt;
  Container inner{wrapper, below(outer.files, wrapper)};
  for (const TreeFile& file : outer.files)
    if (file.path.starts_with('.')) inner.files.push_back(file);
  std::ranges::stable_sort(inner.files, {}, &TreeFile::path);
  for (const TreeFile* file : beside) left.add_beside(*file, "");
  return inner;
}

std::string text_of(const YAML::Node& node) {
  return node.IsDefined() && node.IsScalar() ? node.Scalar() : std::string();
}

HandInTime time_of(const std::string& text) {
  const auto time = parse_time(text);
  return time ? HandInTime{time->at, !time->offset} : HandInTime();
}

/// Of several submissions of one student only the latest counts.
void add_latest(Parts& parts, PathPart part) {
  const auto before = std::ranges::find(parts, part.student, &PathPart::student);
  if (before == parts.end()) return parts.push_back(std::move(part));
  const int count = before->submissions + 1;
  if (part.time.at >= before->time.at) *before = std::move(part);
  before->submissions = count;
}

/// Gradescope: folders "submission_123", and a table of the submitters. A group has several submitters.
std::optional<Parts> gradescope(const Lab& /*lab*/, Container& container) {
  const auto table = std::ranges::find(container.files, kGradescopeTable, &TreeFile::path);
  if (table == container.files.end() || !table->problem.empty()) return std::nullopt;
  Parts parts;
  std::set<std::string> known = {std::string(kGradescopeTable)};
  try {
    const YAML::Node root = YAML::Load(table->content);
    if (!root.IsMap()) return std::nullopt;
    for (const auto& entry : root) {
      const std::string folder = text_of(entry.first);
      if (!entry.second.IsMap()) continue;
      const YAML::Node submitters = entry.second[":submitters"];
      const HandInTime time = time_of(text_of(entry.second[":created_at"]));
      std::vector<TreeFile> files = below(container.files, folder);
      known.insert(folder);
      for (const YAML::Node& one : submitters) {
        if (!one.IsMap()) continue;
        const std::string name = text_of(one[":name"]), sid = text_of(one[":sid"]),
                          email = text_of(one[":email"]);
        const std::string id = !sid.empty()     ? sid
                               : !email.empty() ? email
                               : !name.empty()  ? name + " (" + folder + ")"
                                                : folder;
        add_latest(parts, {id, name.empty() ? id : name, time, files});
      }
      if (submitters.size() == 0) add_latest(parts, {folder, folder, time, std::move(files)});
    }
  } catch (const YAML::Exception&) {
    return std::nullopt;
  }
  // A submission that the table does not have is somebody's, too.
  std::erase_if(container.files, [&](const TreeFile& file) { return known.contains(first_part(file.path)); });
  return parts;
}

/// The beginning of an entry's name, as a service made it, for each entry of a container.
using NamedEntries = std::map<std::string, EntryName>;

/// Reads the entries whose names identify students. Nothing: less than half of those that may be a
/// student's do.
NamedEntries entries_named(const Lab& lab, const Container& container,
                           std::optional<EntryName> (*read)(std::string_view entry)) {
  NamedEntries named;
  std::set<std::string> others;
  for (const TreeFile& file : container.files) {
    const std::string entry = first_part(file.path);
    if (named.contains(entry)) continue;
    if (const auto told = read(entry))
      named.emplace(entry, *told);
    else if (!entry.starts_with('.') && !(entry == file.path && is_beside(lab, file)))
      others.insert(entry);
  }
  if (others.size() > named.size()) named.clear();
  return named;
}

/// Takes the named entries out of a container.
std::optional<Parts> parts_of(const NamedEntries& named, Container& container) {
  if (named.empty()) return std::nullopt;
  std::map<std::string, PathPart> parts;
  std::vector<TreeFile> rest;
  for (TreeFile& file : container.files) {
    const std::string entry = first_part(file.path);
    const auto told = named.find(entry);
    if (told == named.end()) {
      rest.push_back(std::move(file));
      continue;
    }
    const EntryName& name = told->second;
    PathPart& part = parts[name.number];
    part.student = name.number;
    part.name = name.name;
    part.time.late = part.time.late.value_or(false) || name.late;
    TreeFile own = file;
    // An unread folder represents all files of the student, whichever entry it is named after.
    const bool unread = !file.problem.empty() && file.path == entry + "/";
    own.path = unread ? "" : name.own + file.path.substr(entry.size());
    while (own.path.starts_with('/')) own.path.erase(0, 1);
    if (!own.path.empty() || !own.problem.empty()) part.files.push_back(std::move(own));
  }
  container.files = std::move(rest);
  Parts all;
  for (auto& [id, part] : parts) all.push_back(std::move(part));
  return all;
}

/// Moodle: folders (or files, if the teacher chose that) "Jo Smith_12345_assignsubmission_file_".
std::optional<Parts> moodle(const Lab& lab, Container& container) {
  auto parts = parts_of(entries_named(lab, container, moodle_entry), container);
  if (!parts) return parts;
  for (PathPart& part : *parts) part.time.late.reset();  // Moodle's names do not say it
  return parts;
}

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

/// Other folders may have names of that form: "2_16_1_29" of a team. In Canvas's, a student's number has one
/// name, each file its own number, and numbers are long or stand before a name like the lab's file.
bool are_of_canvas(const Lab& lab, const NamedEntries& named) {
  std::map<std::string, std::string> names;
  std::set<std::string> files;
  std::size_t convincing = 0;
  for (const auto& [entry, told] : named) {
    if (told.number.starts_with('0') || told.file_number.starts_with('0')) return false;
    if (names.emplace(told.number, told.name).first->second != told.name) return false;
    files.insert(told.file_number);
    const bool long_numbers = told.number.size() + told.file_number.size() >= 6;
    if (long_numbers || told.late || likeness(lab, without_count(told.own)) <= NameLikeness::Resembling)
      ++convincing;
  }
  return 2 * convincing >= named.size() && 2 * files.size() >= named.size();
}

/// Canvas: files "smithjo_LATE_12345_67890_row_max-1.cu", where 12345 is the student and -1 marks a
/// resubmission.
std::optional<Parts> canvas(const Lab& lab, Container& container) {
  const NamedEntries named = entries_named(lab, container, canvas_entry);
  if (!are_of_canvas(lab, named)) return std::nullopt;
  auto parts = parts_of(named, container);
  if (!parts) return std::nullopt;
  for (PathPart& part : *parts) {
    for (TreeFile& file : part.files) file.path = without_count(file.path);
  }
  return parts;
}

/// Classroom 50 and its predecessor: clones "course-task-student" in a folder
/// "course-task_submissions_<time>".
std::optional<Parts> classroom(const Lab& /*lab*/, Container& container) {
  const auto task = class_task(container.name);
  if (!task) return std::nullopt;
  const std::string prefix = *task + "-";
  Parts parts;
  for (auto& [entry, files] : by_first_part(container.files)) {
    if (!entry.starts_with(prefix) || entry.size() == prefix.size()) continue;
    const std::string student = entry.substr(prefix.size());
    parts.push_back({student, student, {}, below(files, entry)});
  }
  if (parts.empty()) return std::nullopt;
  // The clone of the template is nobody's.
  std::erase_if(container.files, [&](const TreeFile& file) {
    const std::string entry = first_part(file.path);
    return entry == *task || (entry.starts_with(prefix) && entry.size() > prefix.size());
  });
  return parts;
}

struct Layout {
  const char* name;
  /// Takes what it assigns out of the container.
  std::optional<Parts> (*divide)(const Lab& lab, Container& container);
};

constexpr Layout kLayouts[] = {
    {"Gradescope", gradescope}, {"Moodle", moodle}, {"Canvas", canvas}, {"Classroom 50", classroom}};

struct Divided {
  const char* layout;
  Parts parts;
};

/// Takes the students of a service's layout out of a container.
std::optional<Divided> by_service(const Lab& lab, Container& container) {
  for (const Layout& layout : kLayouts) {
    if (auto parts = layout.divide(lab, container)) return Divided{layout.name, std::move(*parts)};
  }
  return std::nullopt;
}

HandIn hand_in(const Lab& lab, std::span<const std::string> slugs, const FileTree& tree, PathPart part) {
  HandIn handed;
  handed.student = utf8_name(part.student);
  handed.name = utf8_name(part.name);
  handed.time = part.time;
  FoundSubmission found = find_submission(lab, slugs, part.files);
  handed.place = utf8_name(found.path.empty() ? tree.place : fmt::format("{}: {}", tree.place, found.place));
  handed.submission = std::move(found.submission);
  handed.submission.file = found.path;
  handed.note = std::move(found.note);
  if (part.submissions > 1) handed.note.add(msg::latest_of_several(part.submissions));
  handed.problem = std::move(found.problem);
  handed.problem.add(std::move(found.hint));
  return handed;
}

/// Returns whether the tree is one student's. A class may have the stub beside its students.
bool is_one_submission(const Lab& lab, std::span<const std::string> slugs, const FileTree& tree) {
  if (tree.single_file) return true;
  if (!is_submission(lab, slugs, tree.files)) return false;
  std::set<std::string> others;
  for (const TreeFile& file : tree.files) {
    const std::string folder = first_part(file.path);
    const bool of_course =
        std::ranges::any_of(slugs, [&](const std::string& slug) { return slug.starts_with(folder + "/"); });
    if (folder != file.path && !folder.starts_with('.') && !of_course && !is_part_of_work(lab, folder) &&
        likeness(lab, file.path) == NameLikeness::Exact)
      others.insert(folder);
  }
  return others.size() < 2;
}

/// Tells students apart whose names a person or another system may take for one.
void note_alike(std::vector<HandIn>& hand_ins) {
  std::map<std::string, std::set<std::string>> alike;
  for (const HandIn& one : hand_ins) alike[folded_id(one.student)].insert(one.student);
  for (HandIn& one : hand_ins) {
    for (const std::string& other : alike[folded_id(one.student)])
      if (other != one.student) one.note.add(msg::student_alike(other));
  }
}

}  // namespace

ClassSources hand_ins_of(const Lab& lab, std::span<const std::string> slugs, const FileTree& tree) {
  ClassSources all;
  Leftovers left;
  const auto take = [&](const char* layout, Parts parts) {
    all.layout = layout;
    for (PathPart& part : parts) all.hand_ins.push_back(hand_in(lab, slugs, tree, std::move(part)));
    note_alike(all.hand_ins);
    for (const std::string& table : left.tables) (void)add_times(all.hand_ins, table);
    all.left_out.assign(left.hidden.begin(), left.hidden.end());
    all.beside.assign(left.beside.begin(), left.beside.end());
    return all;
  };
  Container container{tree.name, tree.files};
  auto divided = tree.single_file ? std::nullopt : by_service(lab, container);
  if (!divided && is_one_submission(lab, slugs, tree))
    return take("one submission", {{tree.name, tree.name, {}, tree.files}});
  std::string student = tree.name;  // of a single one whose folder has the name of a part
  for (int depth = 0; !divided && depth < kMaxWrappers; ++depth) {
    auto inner = unwrapped(lab, container, left);
    if (!inner) break;
    divided = by_service(lab, *inner);
    // A folder that is itself a submission belongs to a student and is not a wrapper.
    if (!divided && is_submission(lab, slugs, inner->files)) break;
    container = std::move(*inner);
    if (!is_part_of_work(lab, container.name)) student = container.name;
  }
  if (divided) {
    all.of_service = true;
    for (PathPart& part : students_of(lab, slugs, container.files, left))
      add_latest(divided->parts, std::move(part));
    return take(divided->layout, std::move(divided->parts));
  }
  Parts parts = students_of(lab, slugs, container.files, left);
  if (parts.size() == 1 && is_part_of_work(lab, parts.front().name))
    parts.front().student = parts.front().name = student;
  return take("folders", std::move(parts));
}

std::size_t add_times(std::vector<HandIn>& hand_ins, std::string_view worksheet) {
  const auto times = times_of_worksheet(worksheet);
  std::size_t count = 0;
  for (HandIn& one : hand_ins) {
    const auto time = times.find(one.student);
    if (time == times.end()) continue;
    one.time = time->second;
    ++count;
  }
  return count;
}

}  // namespace cudalabs
