#include "grader/classroom/intake/find_submission.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "grader/base/named_files.h"
#include "grader/classroom/intake/likeness.h"
#include "grader/classroom/intake/utf8_name.h"
#include "grader/course/cache.h"
#include "grader/diagnostics/messages/classroom.h"
#include "grader/diagnostics/messages/run.h"
#include "grader/submission/source_encoding.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxBeside = 1000;  // every accepted text is searched for each of them

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash);
}

std::size_t depth_of(const std::string& folder) {
  return folder.empty() ? 0 : static_cast<std::size_t>(std::ranges::count(folder, '/')) + 1;
}

bool is_tail(std::string_view path, std::string_view tail) {
  return path == tail ||
         (path.size() > tail.size() && path.ends_with(tail) && path[path.size() - tail.size() - 1] == '/');
}

/// `path` without its end `tail`: "" or a folder.
std::string without_tail(const std::string& path, const std::string& tail) {
  return path.size() == tail.size() ? "" : path.substr(0, path.size() - tail.size() - 1);
}

/// Returns whether the file is in the folder of another variant, which may have a file of the same name, or
/// is the course's own solution.
bool is_of_another(const Lab& lab, std::span<const std::string> slugs, const std::string& path) {
  if (is_tail(folder_of(path), "reference/" + lab.slug)) return true;
  return std::ranges::any_of(
      slugs, [&](const std::string& slug) { return slug != lab.slug && is_tail(folder_of(path), slug); });
}

/// Possible paths of the lab's file in a student's folder: as in a course's repository, or alone.
std::vector<std::string> places(const Lab& lab) {
  return {"student_templates/" + lab.slug + "/" + lab.file, lab.slug + "/" + lab.file,
          lab.variant + "/" + lab.file, lab.file};
}

/// The student's folder, for a file at its usual place.
std::string root_of(const Lab& lab, const std::string& path) {
  for (const std::string& place : places(lab)) {
    if (is_tail(path, place)) return without_tail(path, place);
  }
  return path;
}

/// The files beside a source that it includes.
Result<std::vector<SourceFile>> headers_of(const TreeFile& source, std::span<const TreeFile> files) {
  std::vector<fs::path> candidates;
  for (const TreeFile& file : files) {
    if (folder_of(file.path) == folder_of(source.path) && file.path != source.path &&
        has_source_ending(file.path) && file.problem.empty() &&
        is_plain_name(fs::path(file.path).filename().string()))
      candidates.emplace_back(file.path);
  }
  if (candidates.size() > kMaxBeside)
    return error(msg::too_many_files_beside(utf8_name(source.path), kMaxBeside));
  std::size_t count = 0;
  std::uint64_t total = 0;
  const auto read = [&](const fs::path& path) -> Result<std::optional<std::string>> {
    const auto file = std::ranges::find(files, path.string(), &TreeFile::path);
    total += file->content.size();
    if (++count > kMaxHeaders || total > kMaxHeaderBytesTotal) {
      return error(msg::too_much_included(utf8_name(source.path), kMaxHeaders, kMaxHeaderBytesTotal >> 20));
    }
    std::string content = file->content;
    make_utf8(content);
    return std::optional(std::move(content));
  };
  std::string text = source.content;
  make_utf8(text);
  auto named = named_files(text, candidates, read);
  if (!named) return named.problem();
  std::vector<SourceFile> headers;
  for (NamedFile& header : *named)
    headers.push_back({header.path.filename().string(), std::move(header.content)});
  std::ranges::sort(headers, {}, &SourceFile::name);
  return headers;
}

/// The first paths of a list, and how many more there are.
struct ListedPaths {
  explicit ListedPaths(const std::vector<const TreeFile*>& files) {
    constexpr std::size_t kMost = 5;
    for (std::size_t i = 0; i < files.size() && i < kMost; ++i)
      text += (i == 0 ? "" : ", ") + utf8_name(files[i]->path);
    more = files.size() > kMost ? files.size() - kMost : 0;
  }
  std::string text;
  std::size_t more = 0;
};

/// The note for the teacher about files that an archive contains more than once.
Message replaced_note(const TreeFile& source, const std::vector<SourceFile>& headers,
                      std::span<const TreeFile> files) {
  std::vector<const TreeFile*> replaced;
  for (const TreeFile& file : files) {
    const bool beside = folder_of(file.path) == folder_of(source.path) &&
                        std::ranges::find(headers, fs::path(file.path).filename().string(),
                                          &SourceFile::name) != headers.end();
    if (file.replaced && (file.path == source.path || beside)) replaced.push_back(&file);
  }
  const ListedPaths paths(replaced);
  return replaced.empty() ? Message() : msg::packed_more_than_once(paths.text, paths.more);
}

/// A file that may be the submission.
struct Candidate {
  const TreeFile* file = nullptr;
  NameLikeness likeness = NameLikeness::None;
  std::size_t depth = 0;  ///< of the student's folder, if this is the lab's file
  std::string text;       ///< as UTF-8
  bool was_utf16 = false;
  std::size_t entries = 0;
  bool is_stub = false;
};
using Candidates = std::vector<Candidate>;

/// The path with the lab's own name in place of the file's.
std::string renamed(const Lab& lab, const std::string& path) {
  const std::string folder = folder_of(path);
  return folder.empty() ? lab.file : folder + "/" + lab.file;
}

/// The text of the stub; empty if there is none.
std::string stub_of(const Lab& lab) {
  auto text = read_file(lab.stub, kMaxSourceBytes);
  return text ? std::move(*text) : std::string();
}

Candidates candidates_among(const Lab& lab, std::span<const std::string> slugs,
                            std::span<const TreeFile> files) {
  const std::string stub = stub_of(lab);
  Candidates all;
  for (const TreeFile& file : files) {
    const NameLikeness like = likeness(lab, file.path);
    if (file.path.ends_with('/') || like == NameLikeness::None || is_of_another(lab, slugs, file.path))
      continue;
    Candidate one{&file, like, depth_of(root_of(lab, renamed(lab, file.path))), file.content};
    one.was_utf16 = make_utf8(one.text);
    one.entries = entries_defined(lab, one.text);
    one.is_stub = !stub.empty() && one.text == stub;
    if (like != NameLikeness::Text || one.entries > 0) all.push_back(std::move(one));
  }
  return all;
}

/// Keeps the candidates with the least `key`.
template <class Key>
void keep_least(Candidates& all, Key key) {
  if (all.empty()) return;
  auto least = std::invoke(key, all.front());
  for (const Candidate& one : all) least = std::min(least, std::invoke(key, one));
  std::erase_if(all, [&](const Candidate& one) { return std::invoke(key, one) != least; });
}

/// The candidates that are equally good; several only if their texts differ.
Candidates best_of(Candidates all) {
  const auto fewer_entries = [](const Candidate& one) { return -static_cast<std::ptrdiff_t>(one.entries); };
  const bool stub_yields = std::ranges::any_of(all, [](const Candidate& one) {
    return !one.is_stub && one.entries > 0 && one.likeness <= NameLikeness::Cuda;
  });
  if (stub_yields) std::erase_if(all, std::mem_fn(&Candidate::is_stub));
  if (std::ranges::count(all, NameLikeness::Exact, &Candidate::likeness) > 0) {
    keep_least(all, &Candidate::likeness);
    keep_least(all, &Candidate::depth);
  } else {
    const bool cuda =
        std::ranges::any_of(all, [](const Candidate& one) { return one.likeness <= NameLikeness::Cuda; });
    if (cuda) std::erase_if(all, [](const Candidate& one) { return one.likeness > NameLikeness::Cuda; });
  }
  const auto differ = [&] {
    return std::ranges::any_of(all, [&](const Candidate& one) { return one.text != all.front().text; });
  };
  if (!differ() && !all.empty() && all.front().likeness <= NameLikeness::Resembling) return {all.front()};
  if (all.size() > 1) keep_least(all, fewer_entries);
  keep_least(all, &Candidate::likeness);
  if (!all.empty() && (all.front().entries > 0 || all.front().likeness <= NameLikeness::Resembling)) {
    keep_least(all, &Candidate::depth);
    if (!differ()) all.resize(1);
  }
  return all;
}

std::vector<const TreeFile*> files_of(const Candidates& all) {
  std::vector<const TreeFile*> files;
  for (const Candidate& one : all) files.push_back(one.file);
  return files;
}

/// Why there is no submission, if there is no candidate.
void explain_nothing(const Lab& lab, std::span<const TreeFile> files, FoundSubmission& found) {
  std::vector<const TreeFile*> listed_files;
  for (const TreeFile& file : files) {
    // A file that could not be opened may have been the submission.
    if (!file.problem.empty() && found.problem.empty())
      found.problem = file.path.empty() ? msg::submission_unusable(file.problem)
                                        : msg::file_unusable(utf8_name(file.path), file.problem);
    if (!file.path.empty() && !file.path.ends_with('/')) listed_files.push_back(&file);
  }
  if (!found.problem.empty()) return;
  const ListedPaths paths(listed_files);
  found.problem = listed_files.empty() ? msg::nothing_handed_in()
                                       : msg::file_not_handed_in(lab.file, paths.text, paths.more);
  if (!listed_files.empty()) found.hint = msg::hand_in_file(lab.file);
}

/// How a file that is not the lab's by its name was chosen.
Messages note_on(const Lab& lab, const Candidate& taken, const Candidates& all) {
  Messages note;
  const auto more_cuda =
      std::ranges::count_if(all, [](const Candidate& one) { return one.likeness <= NameLikeness::Cuda; });
  if (taken.likeness != NameLikeness::Exact) {
    const std::string why = taken.likeness == NameLikeness::Cuda && more_cuda == 1 ? "only"
                            : taken.likeness == NameLikeness::Resembling           ? "name"
                                                                                   : "functions";
    note.add(msg::file_used_as(utf8_name(taken.file->path), lab.file, why));
  }
  std::vector<const TreeFile*> others;
  for (const Candidate& one : all) {
    const bool rival = one.likeness <= NameLikeness::Resembling && one.text != taken.text && one.entries > 0;
    if (rival && !one.is_stub) others.push_back(one.file);
    if (one.is_stub && one.likeness == NameLikeness::Exact && !taken.is_stub)
      note.add(msg::unchanged_stub(utf8_name(one.file->path)));
  }
  if (!others.empty()) {
    const ListedPaths paths(others);
    note.add(msg::others_not_graded(paths.text, paths.more));
  }
  if (taken.was_utf16) note.add(msg::read_as_utf8(utf8_name(taken.file->path)));
  return note;
}

}  // namespace

std::vector<std::string> submission_roots(const Lab& lab, std::span<const std::string> slugs,
                                          std::span<const TreeFile> files) {
  std::vector<std::string> roots;
  for (const TreeFile& file : files) {
    if (is_tail(file.path, lab.file) && !is_of_another(lab, slugs, file.path))
      roots.push_back(root_of(lab, file.path));
  }
  std::ranges::sort(roots);
  roots.erase(std::unique(roots.begin(), roots.end()), roots.end());
  std::set<std::string> outer;  // in order, so that outer folders precede inner ones
  for (const std::string& root : roots) {
    if (!lies_below_one(root, outer)) outer.insert(root);
  }
  return {outer.begin(), outer.end()};
}

bool lies_below_one(const std::string& path, const std::set<std::string>& folders) {
  if (path.empty()) return false;
  if (folders.contains("")) return true;
  for (std::size_t slash = path.find('/'); slash != std::string::npos; slash = path.find('/', slash + 1)) {
    if (folders.contains(path.substr(0, slash))) return true;
  }
  return false;
}

bool is_submission(const Lab& lab, std::span<const std::string> slugs, std::span<const TreeFile> files) {
  const auto at_place = [&](const TreeFile& file) {
    return !is_of_another(lab, slugs, file.path) && root_of(lab, renamed(lab, file.path)).empty();
  };
  std::size_t candidates = 0, resembling = 0;
  for (const TreeFile& file : files) {
    const NameLikeness like = likeness(lab, file.path);
    if (like > NameLikeness::Cuda) continue;
    ++candidates;
    if (like == NameLikeness::Cuda || !at_place(file)) continue;
    if (like == NameLikeness::Exact) return true;
    ++resembling;
  }
  return candidates == 1 && resembling == 1;
}

std::vector<std::string> slugs_of(const Course& course) {
  std::vector<std::string> slugs;
  for (const std::string& lab : lab_names(course)) {
    for (const std::string& variant : variant_names(course, lab)) slugs.push_back(lab + "/" + variant);
  }
  return slugs;
}

FoundSubmission find_submission(const Lab& lab, std::span<const std::string> slugs,
                                std::span<const TreeFile> files) {
  FoundSubmission found;
  const Candidates all = candidates_among(lab, slugs, files);
  const Candidates best = best_of(all);
  if (best.empty()) {
    explain_nothing(lab, files, found);
    return found;
  }
  if (best.size() > 1) {
    const ListedPaths paths(files_of(best));
    found.problem = best.front().likeness == NameLikeness::Exact
                        ? msg::several_files_of_a_name(lab.file, paths.text, paths.more)
                        : msg::which_file_is_it(lab.file, paths.text, paths.more);
    found.hint = msg::keep_one_file(lab.file);
    return found;
  }
  const Candidate& taken = best.front();
  if (!taken.file->problem.empty()) {
    found.problem = msg::file_unusable(utf8_name(taken.file->path), taken.file->problem);
    return found;
  }
  auto headers = headers_of(*taken.file, files);
  if (!headers) {
    found.problem = headers.problem().message;
    return found;
  }
  found.note = note_on(lab, taken, all);
  found.note.add(replaced_note(*taken.file, *headers, files));
  found.path = taken.file->path;
  found.place = taken.file->place;
  found.submission.source = {source_name(lab, fs::path(found.path).filename().string()), taken.text};
  found.submission.headers = std::move(*headers);
  return found;
}

Result<Submission> search_submission(const Lab& lab, std::span<const std::string> slugs,
                                     const fs::path& given, Messages& note) {
  auto usual = locate_submission(lab, given);
  if (!usual) return usual.problem();
  const fs::path root = given.empty() ? fs::path(".") : given;
  std::error_code ignored;
  if (*usual) {
    if (make_utf8((*usual)->source.content)) note.add(msg::read_as_utf8((*usual)->source.name));
    for (SourceFile& header : (*usual)->headers) make_utf8(header.content);
    const bool alone = !fs::is_directory(root, ignored) || (*usual)->source.content != stub_of(lab);
    if (alone) return std::move(**usual);
  }
  const auto tree = read_tree(root, TreeOf::OneStudent);
  if (!tree && *usual) return std::move(**usual);
  if (!tree) return tree.problem();
  FoundSubmission found = find_submission(lab, slugs, tree->files);
  // In a folder with many things, such as a repository, the only CUDA file may be anything.
  const bool anything = found.problem.empty() && likeness(lab, found.path) > NameLikeness::Resembling &&
                        entries_defined(lab, found.submission.source.content) == 0 &&
                        !root_of(lab, renamed(lab, found.path)).empty();
  if (anything) {
    found = {};
    explain_nothing(lab, tree->files, found);
  }
  if (!found.problem.empty() && *usual) return std::move(**usual);
  if (!found.problem.empty()) {
    if (found.problem.contains(msg::nothing_handed_in)) {
      found.problem = msg::no_submission_found(lab.file, lab.slug);
      found.hint = msg::init_makes_folder(lab.lab, lab.variant);
    }
    found.hint.add(msg::submission_takes(lab.slug, lab.file));
    return Diagnostic{{root.string(), 0, 0}, std::move(found.problem), std::move(found.hint)};
  }
  note = std::move(found.note);
  const bool itself = tree->single_file && root.filename() == found.path;
  if (!itself && !note.contains(msg::file_used_as) && !root_of(lab, found.path).empty())
    note.add(msg::found_elsewhere(utf8_name(found.path), lab.slug + "/" + lab.file));
  found.submission.file = (itself ? root : root / found.path).lexically_normal();
  return std::move(found.submission);
}

}  // namespace cudalabs
