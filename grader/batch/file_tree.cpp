#include "grader/batch/file_tree.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>

#include "grader/config/cache.h"
#include "grader/submission/locate.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMaxArchiveBytes = 1ULL << 30;        // of a class, on disk
constexpr std::uint64_t kMaxInnerArchiveBytes = 64ULL << 20;  // of a student, in memory
constexpr std::uint64_t kMaxTableBytes = 64ULL << 20;
constexpr int kMaxNesting = 2;
/// Longer and deeper paths are nobody's submission; names of a student are not to fill memory, stacks (of
/// whoever reads them) or the table of open folders.
constexpr std::size_t kMaxPathBytes = 1024;
constexpr std::ptrdiff_t kMaxPathParts = 64;

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

std::string_view plain_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

/// How many bytes of a file are read: of sources, tables of services, archives. 0: it is
/// known by its name alone.
std::uint64_t bytes_of_interest(std::string_view path, int depth) {
  if (plain_name(path) == kGradescopeTable) return kMaxTableBytes;
  for (const std::string_view ending : {".cu", ".cuh", ".h", ".hpp"}) {
    if (ends_with(path, ending)) return kMaxSourceBytes;
  }
  return is_archive_name(path) && depth < kMaxNesting ? kMaxInnerArchiveBytes : 0;
}

/// What editors, version control and other systems leave in folders.
bool is_clutter(std::string_view part) { return part == "__MACOSX" || part == ".git" || part == ".svn"; }

/// With '/' alone and without "."; nothing for what is clutter, leads out of the tree or is too long.
std::optional<std::string> clean_path(std::string_view raw) {
  if (raw.size() > kMaxPathBytes) return std::nullopt;
  std::string clean;
  while (!raw.empty()) {
    const std::size_t end = std::min(raw.find_first_of("/\\"), raw.size());
    const std::string_view part = raw.substr(0, end);
    raw.remove_prefix(std::min(end + 1, raw.size()));
    if (part.empty() || part == ".") continue;
    if (part == ".." || is_clutter(part) || part.starts_with("._")) return std::nullopt;
    if (!clean.empty()) clean += '/';
    clean += part;
  }
  if (clean.empty() || std::ranges::count(clean, '/') >= kMaxPathParts) return std::nullopt;
  return clean;
}

/// The files of a tree while it is read, and how much they may still hold.
struct Gathering {
  FileTree tree;

  /// Adds a file; an archive is opened, with its name as its folder.
  Result<void> take(TreeFile file, const std::string& where, int depth);

 private:
  std::uint64_t bytes = 0;
  std::size_t seen = 0;

  Result<void> room(const std::string& where, std::uint64_t more) {
    bytes += more;
    if (++seen > kMaxTreeFiles)
      return error(fmt::format("{} holds more than {} files", where, kMaxTreeFiles),
                   "hand over the folder with the submissions alone");
    if (bytes > kMaxTreeBytes)
      return error(fmt::format("{} holds more than {} MiB of sources", where, kMaxTreeBytes >> 20),
                   "hand over the folder with the submissions alone");
    return {};
  }
};

struct ArchiveCloser {
  void operator()(archive* a) const { archive_read_free(a); }
};
using Archive = std::unique_ptr<archive, ArchiveCloser>;

Archive new_archive() {
  Archive a(archive_read_new());
  archive_read_support_format_zip(a.get());
  archive_read_support_format_tar(a.get());
  archive_read_support_filter_gzip(a.get());
  archive_read_support_filter_bzip2(a.get());
  archive_read_support_filter_xz(a.get());
  archive_read_support_filter_zstd(a.get());
  return a;
}

std::string words_of(archive* a) {
  const char* text = archive_error_string(a);
  return text != nullptr ? text : "it is damaged";
}

/// The bytes of the present entry, at most `limit` of them. A problem instead where it
/// holds more or is broken.
void read_entry(archive* a, std::uint64_t limit, TreeFile& file) {
  char buffer[65536];
  for (;;) {
    const la_ssize_t got = archive_read_data(a, buffer, sizeof buffer);
    if (got == 0) return;
    if (got < 0) file.problem = "cannot be unpacked: " + words_of(a);
    if (got > 0) file.content.append(buffer, static_cast<std::size_t>(got));
    if (file.content.size() > limit) file.problem = fmt::format("has more than {} KiB", limit >> 10);
    if (!file.problem.empty()) {
      file.content.clear();
      return;
    }
  }
}

Result<void> take_archive(Gathering& all, archive* a, const std::string& where, const std::string& below,
                          int depth);

Result<void> Gathering::take(TreeFile file, const std::string& where, int depth) {
  if (auto enough = room(where, file.content.size()); !enough) return enough;
  if (!is_archive_name(file.path) || depth >= kMaxNesting || !file.problem.empty()) {
    tree.files.push_back(std::move(file));
    return {};
  }
  const std::string below = std::string(without_archive_ending(file.path)) + "/";
  const Archive inner = new_archive();
  const std::size_t before = tree.files.size();
  if (archive_read_open_memory(inner.get(), file.content.data(), file.content.size()) != ARCHIVE_OK) {
    file.problem = "cannot be unpacked: " + words_of(inner.get());
  } else if (auto taken = take_archive(*this, inner.get(), where + ": " + file.path, below, depth + 1);
             !taken) {
    file.problem = "cannot be unpacked: " + taken.problem().message;
    tree.files.resize(before);  // half of an archive is no submission
  }
  file.content.clear();
  tree.files.push_back(std::move(file));
  return {};
}

Result<void> take_archive(Gathering& all, archive* a, const std::string& where, const std::string& below,
                          int depth) {
  archive_entry* entry = nullptr;
  std::uint64_t unpacked = 0;
  for (;;) {
    const int status = archive_read_next_header(a, &entry);
    if (status == ARCHIVE_EOF) return {};
    if (status < ARCHIVE_WARN) return error(fmt::format("{}: {}", where, words_of(a)));
    unpacked += static_cast<std::uint64_t>(std::max<la_int64_t>(archive_entry_size(entry), 0));
    if (unpacked > kMaxUnpackedBytes)
      return error(fmt::format("{} unpacks to more than {} GiB", where, kMaxUnpackedBytes >> 30));
    const char* raw = archive_entry_pathname(entry);
    if (raw == nullptr) raw = archive_entry_pathname_utf8(entry);
    const auto path = raw == nullptr ? std::nullopt : clean_path(raw);
    if (!path) continue;
    const bool folder = archive_entry_filetype(entry) == AE_IFDIR;
    if (!folder && archive_entry_filetype(entry) != AE_IFREG) continue;
    TreeFile file;
    file.path = below + *path + (folder ? "/" : "");
    if (archive_entry_mtime_is_set(entry) != 0) file.modified = archive_entry_mtime(entry);
    const std::uint64_t limit = folder ? 0 : bytes_of_interest(*path, depth);
    if (limit > 0) read_entry(a, limit, file);
    if (auto taken = all.take(std::move(file), where, depth); !taken) return taken;
  }
}

std::int64_t modified(const fs::path& file) {
  struct stat what {};
  return ::lstat(file.c_str(), &what) == 0 ? static_cast<std::int64_t>(what.st_mtime) : 0;
}

Result<void> take_folder(Gathering& all, const fs::path& folder) {
  std::error_code problem;
  const auto refused = [&] {
    return Diagnostic{{folder.string(), 0, 0}, "cannot be read: " + problem.message(), {}};
  };
  fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, problem), end;
  if (problem) return refused();
  for (; entry != end; entry.increment(problem)) {
    if (problem) return refused();
    std::error_code ignored;
    const fs::file_status status = entry->symlink_status(ignored);
    const auto path = clean_path(entry->path().lexically_relative(folder).generic_string());
    if (!path) entry.disable_recursion_pending();
    if (!path || !(fs::is_regular_file(status) || fs::is_directory(status))) continue;
    TreeFile file{*path + (fs::is_directory(status) ? "/" : ""), {}, modified(entry->path()), {}};
    const std::uint64_t limit = fs::is_directory(status) ? 0 : bytes_of_interest(*path, 0);
    if (limit > 0) {
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

void put_in_order(FileTree& tree) {
  for (TreeFile& file : tree.files) file.place = file.path;
  std::ranges::stable_sort(tree.files, {}, &TreeFile::path);
  // Tar files may hold a name twice: the later one is the one that unpacking would leave.
  const auto same = [](const TreeFile& a, const TreeFile& b) { return a.path == b.path; };
  const auto first = std::unique(tree.files.rbegin(), tree.files.rend(), same);
  tree.files.erase(tree.files.begin(), first.base());
}

}  // namespace

bool is_archive_name(std::string_view name) { return without_archive_ending(name).size() != name.size(); }

Result<FileTree> unpack(std::string_view bytes, const std::string& name) {
  Gathering all;
  const Archive a = new_archive();
  if (archive_read_open_memory(a.get(), bytes.data(), bytes.size()) != ARCHIVE_OK)
    return error(fmt::format("{}: {}", name, words_of(a.get())));
  if (auto taken = take_archive(all, a.get(), name, "", 0); !taken) return taken.problem();
  put_in_order(all.tree);
  return std::move(all.tree);
}

Result<FileTree> read_tree(const fs::path& source) {
  std::error_code problem;
  const fs::file_status status = fs::status(source, problem);
  const auto refused = [&source](std::string why, std::string hint = {}) {
    return Diagnostic{{source.string(), 0, 0}, std::move(why), std::move(hint)};
  };
  if (!fs::exists(status)) return refused("no such file or folder");
  Gathering all;
  // "class/", "." and ".." have no name of their own.
  fs::path named = fs::absolute(source, problem).lexically_normal();
  if (!named.has_filename()) named = named.parent_path();
  const std::string name = named.filename().string();
  if (fs::is_directory(status)) {
    all.tree.name = name;
    if (auto taken = take_folder(all, source); !taken) return taken.problem();
  } else if (!fs::is_regular_file(status)) {
    return refused("is neither a folder nor a file");
  } else if (is_archive_name(name)) {
    auto bytes = read_file(source, kMaxArchiveBytes);
    if (!bytes) return bytes.problem();
    auto tree = unpack(*bytes, source.string());
    if (!tree) return refused("cannot be unpacked: " + tree.problem().message, "download it again");
    all.tree = std::move(*tree);
    all.tree.name = without_archive_ending(name);
  } else if (source.extension() == ".cu") {
    auto content = read_file(source, kMaxSourceBytes);
    if (!content) return content.problem();
    all.tree.name = source.stem().string();
    all.tree.single_file = true;
    all.tree.files.push_back({name, std::move(*content), modified(source), {}});
  } else {
    return refused("is neither a folder, a .cu file nor an archive",
                   "archives end in .zip, .tar, .tar.gz, .tar.bz2, .tar.xz or .tar.zst");
  }
  all.tree.place = source.string();
  put_in_order(all.tree);
  return std::move(all.tree);
}

}  // namespace cudalabs
