#include "grader/classroom/intake/file_tree.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <set>

#include "grader/base/named_files.h"
#include "grader/base/text.h"
#include "grader/classroom/intake/archive_reader.h"
#include "grader/classroom/intake/notebook.h"
#include "grader/classroom/intake/service_names.h"
#include "grader/classroom/intake/utf8_name.h"
#include "grader/course/cache.h"
#include "grader/diagnostics/messages/classroom.h"
#include "grader/submission/locate.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMaxArchiveBytes = 1ULL << 30;        // for a class, on disk
constexpr std::uint64_t kMaxInnerArchiveBytes = 64ULL << 20;  // for a student, in memory
constexpr std::uint64_t kMaxTableBytes = 64ULL << 20;
constexpr std::uint64_t kMaxNotebookBytes = 64ULL << 20;  // with the pictures in it
constexpr int kMaxNesting = 2;
/// No submission has longer or deeper paths. The limits prevent a student's file names from exhausting
/// memory, the stacks of later readers or the table of open folders.
constexpr std::size_t kMaxPathBytes = 1024;
constexpr std::ptrdiff_t kMaxPathParts = 64;
/// Of a student who exceeds the limits, at most so many entries are named.
constexpr std::size_t kMaxEntriesOfOne = 1000;

bool ends_with(std::string_view name, std::string_view ending) {
  return name.size() > ending.size() &&
         std::equal(ending.rbegin(), ending.rend(), name.rbegin(),
                    [](char a, char b) { return a == (b >= 'A' && b <= 'Z' ? b - 'A' + 'a' : b); });
}

constexpr std::array<std::string_view, 10> kArchiveEndings = {
    ".tar.gz", ".tar.bz2", ".tar.xz", ".tar.zst", ".zip", ".tar", ".tgz", ".tbz2", ".txz", ".tzst"};

std::string_view without_archive_ending(std::string_view name) {
  for (const std::string_view ending : kArchiveEndings) {
    if (ends_with(name, ending)) return name.substr(0, name.size() - ending.size());
  }
  return name;
}

/// Archives that are only recognized.
bool is_unread_archive(std::string_view name) {
  constexpr std::array<std::string_view, 5> kEndings = {".rar", ".7z", ".gz", ".lzh", ".arj"};
  return !is_archive_name(name) &&
         std::ranges::any_of(kEndings, [&](std::string_view ending) { return ends_with(name, ending); });
}

/// Recognizes an archive that has a source's name.
bool is_packed(std::string_view content) {
  return content.starts_with("PK\3\4") || content.starts_with("\x1f\x8b");
}

std::string_view plain_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

/// Maximum number of bytes to read from a file: a source, a service's table or an archive. 0: only its name
/// matters.
std::uint64_t bytes_of_interest(std::string_view path, int depth) {
  if (plain_name(path) == kGradescopeTable) return kMaxTableBytes;
  if (is_notebook_name(path)) return kMaxNotebookBytes;
  if (ends_with(path, kTableEnding)) return kMaxSourceBytes;
  for (const std::string_view ending : kSourceEndings) {
    if (ends_with(path, ending)) return kMaxSourceBytes;
  }
  if (ends_with(path, ".txt")) return kMaxSourceBytes;  // as mail programs and learning platforms rename it
  return is_archive_name(path) && depth < kMaxNesting ? kMaxInnerArchiveBytes : 0;
}

/// Returns whether editors, version control or operating systems create this folder.
bool is_clutter(std::string_view part) {
  return part == "__MACOSX" || part == ".git" || part == ".svn" || part == ".ipynb_checkpoints";
}

/// Removes "." from a path. Returns nothing for clutter, and for paths that lead out of the tree or are too
/// long; the latter two are counted.
std::optional<std::string> clean_path(std::string_view raw, LeftOut& left_out, std::string_view below = {}) {
  const std::string_view whole = raw;
  const auto leave_out = [&] {
    constexpr std::size_t kMaxNames = 100, kMaxBytes = 60;
    if (left_out.names.size() == kMaxNames) {
      ++left_out.more;
      return std::nullopt;
    }
    std::string name(below);
    name += whole.substr(0, kMaxBytes);
    if (whole.size() > kMaxBytes) name += "...";
    left_out.names.push_back(utf8_name(name));
    return std::nullopt;
  };
  if (raw.size() > kMaxPathBytes) return leave_out();
  std::string clean;
  while (!raw.empty()) {
    const std::string_view part = take_until(raw, '/');
    if (part.empty() || part == ".") continue;
    if (is_clutter(part) || part.starts_with("._")) return std::nullopt;
    if (part == "..") return leave_out();
    if (!clean.empty()) clean += '/';
    clean += part;
  }
  if (clean.empty()) return std::nullopt;
  if (std::ranges::count(clean, '/') >= kMaxPathParts) return leave_out();
  return clean;
}

/// Amounts of data taken from a tree or unpacked from its archives.
struct Amounts {
  std::uint64_t kept = 0;      ///< bytes of texts and paths
  std::size_t files = 0;       ///< kept, also folders
  std::uint64_t unpacked = 0;  ///< bytes unpacked from archives, including discarded ones
  std::size_t entries = 0;     ///< entries of archives, including discarded ones
};

constexpr Amounts kMaxOfClass{kMaxTreeBytes, kMaxTreeFiles, kMaxUnpackedBytes, 10 * kMaxTreeFiles};
/// The limits for an inner archive together with the archives in it. It takes seconds at most and cannot use
/// up the limits of others.
constexpr Amounts kMaxOfOne{kMaxInnerTreeBytes, kMaxInnerTreeFiles, kMaxInnerUnpackedBytes, kMaxTreeFiles};
/// Once the inner archives have reached this size in total, the limits of further ones shrink to an eighth.
/// Otherwise many archives just below the limit could take hours.
constexpr std::uint64_t kGenerous = 8ULL << 30;

/// The nested folders that wrap everything relevant in a tree. The contents of the innermost one belong to
/// the students.
class Wrappers {
 public:
  /// Maximum number of wrappers, as many as the layouts examine (layouts.cpp).
  static constexpr std::size_t kMax = 3;

  /// `path`: a clean path; a folder's ends in '/'.
  void see(std::string_view path) {
    for (std::size_t level = 0; level < most_; ++level) {
      const std::size_t slash = path.find('/');
      if (slash == std::string_view::npos) {  // a student's file, or a roster beside the students' folder
        if (bytes_of_interest(path, 0) > 0 && !ends_with(path, kTableEnding) && !ends_with(path, ".txt"))
          end_at(level);
        return;
      }
      const std::string_view folder = path.substr(0, slash);
      if (folder.starts_with('.')) return;
      if (level == names_.size()) names_.emplace_back(folder);
      if (names_[level] != folder) return end_at(level);
      path.remove_prefix(slash + 1);
      if (path.empty()) return;
    }
  }
  /// "all/lab3/", or "".
  [[nodiscard]] std::string path() const {
    std::string path;
    for (const std::string& name : names_) path += name + "/";
    return path;
  }

 private:
  void end_at(std::size_t level) {
    most_ = level;
    names_.resize(std::min(names_.size(), level));
  }
  std::vector<std::string> names_;
  std::size_t most_ = kMax;
};

/// The files of a tree during reading, and the remaining limits.
class Gathering {
 public:
  FileTree tree;

  explicit Gathering(TreeOf of = TreeOf::Class)
      : most_of_class_(of == TreeOf::Class ? kMaxOfClass : kMaxOfOne) {}
  /// Starts a second reading of a class that exceeds the limits. Each student in `wrappers` gets a share,
  /// with the limits of an inner archive. A student who exceeds it appears only as a name with a problem.
  static Gathering in_shares(std::string wrappers) {
    Gathering all;
    all.wrappers_ = std::move(wrappers);
    // The entry that exceeds the limits may be the last one of a student who is then left out, so the class
    // gets one student's limits in addition.
    all.most_of_class_.kept += kMaxOfOne.kept;
    all.most_of_class_.files += kMaxOfOne.files;
    return all;
  }
  /// Returns whether the class exceeds the limits. It may then be read in shares.
  [[nodiscard]] bool full() const { return full_; }
  /// Returns whether the path belongs to a student who exceeded the share.
  [[nodiscard]] bool is_left_out(std::string_view path) const {
    const auto share = shares_.find(share_of(path));
    return share != shares_.end() && share->second.left_out &&
           share->second.paths.contains(path_in_tree(path));
  }
  /// Returns whether the path is inside a student's folder and is not the folder itself.
  [[nodiscard]] bool lies_in_a_students(std::string_view path) const {
    return wrappers_ && path.starts_with(*wrappers_) && path.find('/', wrappers_->size()) < path.size();
  }

  /// Adds a file. An archive is opened as a folder of its name. `depth`: number of enclosing archives.
  Result<void> take(TreeFile file, const std::string& where, int depth);

  /// Checks the limits before more of the archive `where` is unpacked.
  Result<void> unpack(const std::string& where, int depth, std::uint64_t bytes, std::size_t entries) {
    Amounts& spent = depth == 0 ? class_ : one_;
    const Amounts& most = depth == 0 ? most_of_class_ : most_of_one_;
    spent.unpacked += bytes;
    spent.entries += entries;
    if (depth > 0) unpacked_within_ += bytes;
    if (spent.unpacked > most.unpacked) return unpacks_to_more(where, most.unpacked);
    if (spent.entries > most.entries) return error(msg::too_many_files_in(where, most.entries));
    return {};
  }

 private:
  struct Share {
    Amounts spent;
    std::set<std::string> paths;  ///< folder paths of the entries
    Messages problem;
    bool left_out = false;
  };
  Amounts class_, one_, most_of_class_, most_of_one_ = kMaxOfOne;
  bool full_ = false;
  std::optional<std::string> wrappers_;  ///< for a class that is read in shares
  std::map<std::string, Share, std::less<>> shares_;
  std::uint64_t unpacked_within_ = 0;

  static Result<void> keep(const std::string& where, std::uint64_t bytes, Amounts& spent,
                           const Amounts& most) {
    spent.kept += bytes;
    ++spent.files;
    return fits(where, spent, most);
  }
  static Result<void> fits(const std::string& where, const Amounts& spent, const Amounts& most) {
    if (spent.files > most.files)
      return error(msg::too_many_files_in(where, most.files), msg::hand_over_submissions_alone());
    if (spent.kept > most.kept)
      return error(msg::too_many_source_bytes_in(where, most.kept >> 20), msg::hand_over_submissions_alone());
    return {};
  }
  Result<void> open(TreeFile& file, const std::string& where, int depth);
  Result<void> open_notebook(TreeFile& file, const std::string& where, int depth);
  Result<void> take_one(TreeFile file, const std::string& where, int depth);

  /// The student's key: "alice/" for "all/alice/row_max.cu" and "all/alice.zip"; "4711" if a service's name
  /// contains the student's number, since a student may have several entries. "" for other files, and without
  /// shares.
  [[nodiscard]] std::string share_of(std::string_view path) const {
    if (!wrappers_ || !path.starts_with(*wrappers_)) return {};
    path.remove_prefix(wrappers_->size());
    const std::string_view entry = path.substr(0, path.find('/'));
    auto told = moodle_entry(entry);
    if (!told) told = canvas_entry(entry);
    if (told) return told->number;
    if (entry.size() < path.size()) return std::string(entry) + "/";
    return is_archive_name(entry) ? std::string(without_archive_ending(entry)) + "/" : std::string();
  }
  /// The path in the tree that represents all files of a student.
  [[nodiscard]] std::string path_in_tree(std::string_view path) const {
    const std::size_t end = path.find('/', wrappers_->size());
    return std::string(end < path.size() ? path.substr(0, end) : without_archive_ending(path)) + "/";
  }
  void leave_out(const std::string& name, Share& share, Message problem);
};

/// Counts everything unpacked from the archive `where`, at depth `depth`, in `all`.
ArchiveReader counted_in(Gathering& all, const std::string& where, int depth) {
  return {where, kMaxUnpackedBytes, [&all, where, depth](std::uint64_t bytes, std::size_t entries) {
            return all.unpack(where, depth, bytes, entries);
          }};
}

Result<void> take_archive(Gathering& all, ArchiveReader& reader, const std::string& where,
                          const std::string& below, int depth) {
  using Kind = ArchiveEntry::Kind;
  for (;;) {
    const auto next = reader.next();
    if (!next) return next.problem();
    if (!*next) return {};
    const ArchiveEntry& entry = **next;
    const auto path = clean_path(entry.path, all.tree.left_out, below);
    const bool wanted = path && !(depth == 0 && all.is_left_out(*path)) &&
                        (entry.kind != Kind::Other || bytes_of_interest(*path, depth) > 0);
    const std::uint64_t limit = wanted && entry.kind == Kind::File ? bytes_of_interest(*path, depth) : 0;
    if (limit == 0) {
      if (auto passed = reader.pass_over(); !passed) return passed;
    }
    if (!wanted) continue;
    TreeFile file{below + *path + (entry.kind == Kind::Folder ? "/" : ""), {}, entry.modified, {}};
    if (entry.kind == Kind::Other) file.problem = msg::entry_not_a_file();
    if (limit > 0) {
      if (auto content = reader.read(limit))
        file.content = std::move(*content);
      else if (reader.refused())
        return *reader.refused();
      else
        file.problem = content.problem().message;
    }
    if (auto taken = all.take(std::move(file), where, depth); !taken) return taken;
  }
}

Result<void> Gathering::open(TreeFile& file, const std::string& where, int depth) {
  const std::string below = std::string(without_archive_ending(file.path)) + "/";
  const std::string inside = where + ": " + file.path;
  ArchiveReader inner = counted_in(*this, inside, depth + 1);
  if (auto opened = inner.open(file.content); !opened) return opened;
  return take_archive(*this, inner, inside, below, depth + 1);
}

Result<void> Gathering::open_notebook(TreeFile& file, const std::string& where, int depth) {
  auto sources = sources_of_notebook(file.content);
  if (!sources) return error(msg::no_notebook());
  if (sources->empty()) return error(msg::notebook_without_source());
  for (NotebookSource& source : *sources) {
    TreeFile cell{file.path + "/" + source.name, std::move(source.content), file.modified, {}};
    if (cell.content.size() > kMaxSourceBytes) {
      cell.content.clear();
      cell.problem = msg::entry_too_large(kMaxSourceBytes >> 10);
    }
    if (auto taken = take_one(std::move(cell), where, depth + 1); !taken) return taken;
  }
  return {};
}

Result<void> Gathering::take(TreeFile file, const std::string& where, int depth) {
  if (depth > 0 || !wrappers_) return take_one(std::move(file), where, depth);
  const std::string name = share_of(file.path);
  if (!name.empty()) {
    Share& share = shares_[name];
    const bool is_new = share.paths.insert(path_in_tree(file.path)).second;
    if (share.left_out) {
      // A name of a service may be a coincidence, so each entry keeps its row.
      if (is_new && share.paths.size() <= kMaxEntriesOfOne)
        tree.files.push_back({path_in_tree(file.path), {}, 0, share.problem});
      return {};
    }
    const Amounts before = class_;
    if (auto taken = take_one(std::move(file), where, depth); !taken) return taken;
    share.spent.files += class_.files - before.files;
    share.spent.kept += class_.kept - before.kept;
    if (share.spent.files > kMaxOfOne.files)
      leave_out(name, share, msg::student_too_many_files(kMaxOfOne.files));
    else if (share.spent.kept > kMaxOfOne.kept)
      leave_out(name, share, msg::student_too_many_source_bytes(kMaxOfOne.kept >> 20));
  } else if (auto taken = take_one(std::move(file), where, depth); !taken) {
    return taken;
  }
  return fits(where, class_, kMaxOfClass);
}

void Gathering::leave_out(const std::string& name, Share& share, Message problem) {
  std::erase_if(tree.files, [&](const TreeFile& file) { return share_of(file.path) == name; });
  class_.files -= share.spent.files;
  class_.kept -= share.spent.kept;
  share.left_out = true;
  share.problem = std::move(problem);
  for (const std::string& path : share.paths) tree.files.push_back({path, {}, 0, share.problem});
}

Result<void> Gathering::take_one(TreeFile file, const std::string& where, int depth) {
  const std::uint64_t bytes = file.path.size() + file.content.size();
  if (depth > 0) {
    if (auto enough = keep(where, bytes, one_, most_of_one_); !enough) return enough;
  }
  if (auto enough = keep(where, bytes, class_, most_of_class_); !enough) {
    full_ = true;
    return enough;
  }
  const bool disguised = !is_archive_name(file.path) && is_packed(file.content);
  const bool archive = (disguised || is_archive_name(file.path)) && depth < kMaxNesting;
  const bool notebook = is_notebook_name(file.path);
  if (is_unread_archive(file.path)) file.problem = msg::archive_not_read();
  if ((archive || notebook) && file.problem.empty()) {
    if (depth == 0) {
      one_ = {};
      if (unpacked_within_ > kGenerous) most_of_one_.unpacked = kMaxOfOne.unpacked / 8;
    }
    const std::size_t before = tree.files.size();
    const Amounts kept = class_;
    const auto opened = notebook ? open_notebook(file, where, depth) : open(file, where, depth);
    if (!opened) {
      if (full_) return opened;  // the class's bounds, not this archive's
      file.problem =
          notebook ? Messages(opened.problem().message) : msg::cannot_be_unpacked(opened.problem().message);
      tree.files.resize(before);  // half of an archive is no submission
      class_ = kept;
    }
    for (Amounts* spent : {&class_, &one_}) spent->kept -= std::min(spent->kept, file.content.size());
    file.content.clear();
    file.content.shrink_to_fit();
    if (disguised && opened) return {};  // the files in it stand for it
  }
  tree.files.push_back(std::move(file));
  return {};
}

std::int64_t modified(const fs::path& file) {
  struct stat what {};
  return ::lstat(file.c_str(), &what) == 0 ? static_cast<std::int64_t>(what.st_mtime) : 0;
}

Result<void> take_folder(Gathering& all, const fs::path& folder) {
  std::error_code problem;
  const auto refused = [&] {
    return Diagnostic{{folder.string(), 0, 0}, msg::unreadable_source(problem.message()), {}};
  };
  fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, problem), end;
  if (problem) return refused();
  bool leave = false;
  const auto go_on = [&] { leave ? entry.pop(problem) : void(entry.increment(problem)); };
  for (; entry != end; go_on()) {
    if (problem) return refused();
    std::error_code ignored;
    const fs::file_status status = entry->symlink_status(ignored);
    const auto path =
        clean_path(entry->path().lexically_relative(folder).generic_string(), all.tree.left_out);
    // Skips everything of a student who exceeded the share.
    const bool left_out = path && all.is_left_out(*path);
    leave = left_out && all.lies_in_a_students(*path);
    if (leave) continue;
    if (!path || left_out) entry.disable_recursion_pending();
    if (!path || left_out) continue;
    const std::uint64_t limit = fs::is_directory(status) ? 0 : bytes_of_interest(*path, 0);
    const bool other = !fs::is_regular_file(status) && !fs::is_directory(status);
    if (other && limit == 0) continue;
    TreeFile file{*path + (fs::is_directory(status) ? "/" : ""), {}, modified(entry->path()), {}};
    if (other) {
      file.problem = msg::entry_not_a_file();
    } else if (limit > 0) {
      if (auto content = read_file(entry->path(), limit))
        file.content = std::move(*content);
      else
        file.problem = content.problem().message;
    }
    if (auto taken = all.take(std::move(file), folder.string(), 0); !taken) return taken;
  }
  if (problem) return refused();
  return {};
}

/// Finds the wrappers of a class's folder.
std::string wrappers_in(const fs::path& folder) {
  Wrappers wrappers;
  LeftOut reported_by_reading;
  for (std::size_t level = 0; level < Wrappers::kMax; ++level) {
    const std::string outer = wrappers.path();
    std::error_code problem;
    for (fs::directory_iterator entry(folder / outer, problem), end; !problem && entry != end;
         entry.increment(problem)) {
      std::error_code ignored;
      const auto path = clean_path(outer + entry->path().filename().string(), reported_by_reading);
      if (path) wrappers.see(*path + (fs::is_directory(entry->symlink_status(ignored)) ? "/" : ""));
    }
    if (wrappers.path().size() <= outer.size()) break;
  }
  return wrappers.path();
}

Diagnostic no_archive(const std::string& name, const Diagnostic& why) {
  return error(msg::archive_problem(name, why.message));
}

/// Finds the wrappers of an archive from its names.
Result<std::string> wrappers_in(std::string_view bytes, const std::string& name) {
  Gathering counted;
  ArchiveReader reader = counted_in(counted, name, 0);
  if (auto opened = reader.open(bytes); !opened) return no_archive(name, opened.problem());
  Wrappers wrappers;
  for (;;) {
    const auto next = reader.next();
    if (!next) return next.problem();
    if (!*next) return wrappers.path();
    if (auto passed = reader.pass_over(); !passed) return passed.problem();
    const auto path = clean_path((*next)->path, counted.tree.left_out);
    if (path) wrappers.see(*path + ((*next)->kind == ArchiveEntry::Kind::Folder ? "/" : ""));
  }
}

Result<void> take_bytes(Gathering& all, std::string_view bytes, const std::string& name) {
  ArchiveReader reader = counted_in(all, name, 0);
  if (auto opened = reader.open(bytes); !opened) return no_archive(name, opened.problem());
  return take_archive(all, reader, name, "", 0);
}

void put_in_order(FileTree& tree) {
  for (TreeFile& file : tree.files) file.place = file.path;
  std::ranges::stable_sort(tree.files, {}, &TreeFile::path);
  // An archive may contain a name twice. Unpacking it would leave the later file.
  for (std::size_t i = 1; i < tree.files.size(); ++i) {
    const TreeFile& before = tree.files[i - 1];
    if (tree.files[i].path == before.path)
      tree.files[i].replaced = before.replaced || tree.files[i].content != before.content;
  }
  const auto same = [](const TreeFile& a, const TreeFile& b) { return a.path == b.path; };
  const auto first = std::unique(tree.files.rbegin(), tree.files.rend(), same);
  tree.files.erase(tree.files.begin(), first.base());
}

}  // namespace

std::string without_source_ending(std::string_view name) {
  name = without_archive_ending(name);
  if (ends_with(name, ".txt")) name.remove_suffix(4);
  const std::size_t dot = name.rfind('.');
  return std::string(dot == std::string_view::npos || dot == 0 ? name : name.substr(0, dot));
}

bool is_archive_name(std::string_view name) { return without_archive_ending(name).size() != name.size(); }

Result<FileTree> unpack(std::string_view bytes, const std::string& name, TreeOf of) {
  Gathering all(of);
  auto taken = take_bytes(all, bytes, name);
  if (!taken && all.full() && of == TreeOf::Class) {
    auto wrappers = wrappers_in(bytes, name);
    if (!wrappers) return wrappers.problem();
    all = Gathering::in_shares(std::move(*wrappers));
    taken = take_bytes(all, bytes, name);
  }
  if (!taken) return taken.problem();
  put_in_order(all.tree);
  return std::move(all.tree);
}

Result<FileTree> read_tree(const fs::path& source, TreeOf of) {
  std::error_code problem;
  const fs::file_status status = fs::status(source, problem);
  const auto refused = [&source](Message why, Messages hint = {}) {
    return Diagnostic{{source.string(), 0, 0}, std::move(why), std::move(hint)};
  };
  if (!fs::exists(status)) return refused(msg::no_such_source());
  Gathering all(of);
  // "class/", "." and ".." have no file name.
  fs::path named = fs::absolute(source, problem).lexically_normal();
  if (!named.has_filename()) named = named.parent_path();
  const std::string name = named.filename().string();
  if (fs::is_directory(status)) {
    auto taken = take_folder(all, source);
    if (!taken && all.full() && of == TreeOf::Class) {
      all = Gathering::in_shares(wrappers_in(source));
      taken = take_folder(all, source);
    }
    if (!taken) return taken.problem();
    all.tree.name = name;
  } else if (!fs::is_regular_file(status)) {
    return refused(msg::source_of_no_kind());
  } else if (is_archive_name(name)) {
    auto bytes = read_file(source, kMaxArchiveBytes);
    if (!bytes) return bytes.problem();
    auto tree = unpack(*bytes, source.string(), of);
    if (!tree) {
      const Diagnostic& why = tree.problem();
      return refused(msg::cannot_be_unpacked(why.message),
                     why.hint.empty() ? msg::download_again() : why.hint);
    }
    all.tree = std::move(*tree);
    all.tree.name = without_archive_ending(name);
  } else if (const std::uint64_t limit = bytes_of_interest(name, 0); limit > 0) {
    auto content = read_file(source, limit);
    if (!content) return content.problem();
    all.tree.name = without_source_ending(name);
    all.tree.single_file = true;
    if (auto taken = all.take({name, std::move(*content), modified(source), {}}, source.string(), 0); !taken)
      return taken.problem();
  } else {
    return refused(msg::source_of_unknown_kind(), msg::archive_endings());
  }
  all.tree.place = source.string();
  put_in_order(all.tree);
  return std::move(all.tree);
}

}  // namespace cudalabs
