#include "grader/classroom/intake/find_submission.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "grader/base/named_files.h"
#include "grader/classroom/intake/utf8_name.h"
#include "grader/diagnostics/messages/classroom.h"

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

/// Returns whether the file is in the folder of another variant, which may have a file of the same name.
bool is_of_another(const Lab& lab, std::span<const std::string> slugs, const std::string& path) {
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
    return std::optional(file->content);
  };
  auto named = named_files(source.content, candidates, read);
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

FoundSubmission find_submission(const Lab& lab, std::span<const std::string> slugs,
                                std::span<const TreeFile> files) {
  FoundSubmission found;
  std::vector<const TreeFile*> named, sources;
  for (const TreeFile& file : files) {
    if (!file.path.ends_with(".cu") && !file.path.ends_with(".CU")) {
      // A file that could not be opened may have been the submission.
      if (!file.problem.empty() && found.problem.empty())
        found.problem = file.path.empty() ? msg::submission_unusable(file.problem)
                                          : msg::file_unusable(utf8_name(file.path), file.problem);
      continue;
    }
    if (is_of_another(lab, slugs, file.path)) continue;
    sources.push_back(&file);
    if (is_tail(file.path, lab.file)) named.push_back(&file);
  }
  // Of several files with the lab's name, takes the one nearest to the student's folder, and none if several
  // are equally near.
  std::map<const TreeFile*, std::size_t> depths;
  for (const TreeFile* file : named) depths[file] = depth_of(root_of(lab, file->path));
  const auto depth = [&](const TreeFile* file) { return depths.at(file); };
  std::ranges::stable_sort(named, {}, depth);
  const TreeFile* taken = nullptr;
  if (!named.empty()) {
    const bool unequal = std::ranges::any_of(named, [&](const TreeFile* f) {
      return depth(f) == depth(named.front()) && f->content != named.front()->content;
    });
    if (unequal) {
      const ListedPaths paths(named);
      found.problem = msg::several_files_of_a_name(lab.file, paths.text, paths.more);
      return found;
    }
    taken = named.front();
  } else if (sources.size() == 1) {
    taken = sources.front();
    found.note = msg::only_file_taken(utf8_name(taken->path), lab.file);
  } else if (!sources.empty()) {
    const ListedPaths paths(sources);
    found.problem = msg::which_file_is_it(lab.file, paths.text, paths.more);
    return found;
  } else {
    if (found.problem.empty())
      found.problem = files.empty() ? msg::nothing_handed_in() : msg::file_not_handed_in(lab.file);
    return found;
  }
  found.problem.clear();
  if (!taken->problem.empty()) {
    found.problem = msg::file_unusable(utf8_name(taken->path), taken->problem);
    return found;
  }
  auto headers = headers_of(*taken, files);
  if (!headers) {
    found.problem = headers.problem().message;
    return found;
  }
  found.note.add(replaced_note(*taken, *headers, files));
  found.path = taken->path;
  found.place = taken->place;
  found.submission.source = {source_name(lab, fs::path(taken->path).filename().string()), taken->content};
  found.submission.headers = std::move(*headers);
  return found;
}

}  // namespace cudalabs
