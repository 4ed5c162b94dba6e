#include "grader/course/cache.h"

#include <fcntl.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <optional>

#include "grader/base/bulk_hash.h"
#include "grader/base/hash.h"
#include "grader/base/paths.h"
#include "grader/diagnostics/messages/course.h"

namespace cudalabs {
namespace fs = std::filesystem;
namespace {

/// `what`: make_folder, look_at, read, write or rename (the row `file_refused`).
Diagnostic failed(const char* what, const fs::path& path) {
  const int why = errno;
  Diagnostic problem =
      error(msg::file_refused(what, path.string(), std::strerror(why)), room_hint(why, path));
  problem.is_infrastructure_error = is_infrastructure_error(why);
  return problem;
}

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int get() const { return fd_; }

 private:
  int fd_;
};

std::optional<fs::path> home_cache() {
  if (const char* xdg = std::getenv("XDG_CACHE_HOME"); xdg && xdg[0] == '/') return fs::path(xdg);
  if (const char* home = std::getenv("HOME"); home && home[0] == '/') return fs::path(home) / ".cache";
  if (const passwd* entry = ::getpwuid(::geteuid()); entry && entry->pw_dir && entry->pw_dir[0] == '/') {
    return fs::path(entry->pw_dir) / ".cache";
  }
  return std::nullopt;
}

fs::path fallback_cache() { return "/tmp/cuda-labs-" + std::to_string(::geteuid()); }

// A cache folder on a full or read-only disk, or one in whose parent we may not write, is not usable.
bool writable(const fs::path& folder) { return ::access(folder.c_str(), W_OK | X_OK) == 0; }

}  // namespace

Message room_hint(int error_number, const fs::path& path) {
  if (error_number != ENOSPC && error_number != EDQUOT) return {};
  std::vector<fs::path> places{fallback_cache()};
  if (const auto home = home_cache()) places.push_back(*home / "cuda-labs");
  for (const fs::path& folder : places)
    if (is_below(path, folder)) return msg::no_room_left(folder.string());
  return {};
}

Result<void> make_private_folder(const fs::path& folder) {
  // Creates missing parents (~/.cache on a new account) as private folders, too; leaves existing ones as they
  // are.
  fs::path prefix;
  for (const fs::path& part : folder) {
    prefix /= part;
    if (::mkdir(prefix.c_str(), 0700) == 0 || errno == EEXIST) continue;
    struct stat existing {};
    if (::stat(prefix.c_str(), &existing) == 0) continue;
    return failed("make_folder", prefix);
  }
  struct stat info {};
  if (::lstat(folder.c_str(), &info) != 0) return failed("look_at", folder);
  if (!S_ISDIR(info.st_mode)) return error(msg::not_a_folder(folder.string()), msg::remove_and_try_again());
  if (info.st_uid != ::geteuid()) {
    return error(msg::folder_of_another_user(folder.string()), msg::take_folder_of_your_own());
  }
  if ((info.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    return error(msg::folder_writable_by_others(folder.string()), msg::make_folder_private(folder.string()));
  }
  return {};
}

Result<fs::path> cache_folder() {
  if (const auto home = home_cache()) {
    const fs::path folder = *home / "cuda-labs";
    const auto made = make_private_folder(folder);
    if (made && writable(folder)) return folder;
    // Stop if the folder exists and is not safe: to look elsewhere would hide the problem.
    std::error_code unreadable;  // a home that we may not enter cannot contain it
    if (!made && fs::exists(fs::symlink_status(folder, unreadable))) return made.problem();
  }
  const fs::path folder = fallback_cache();
  if (const auto made = make_private_folder(folder); !made) return made.problem();
  return folder;
}

namespace {

/// False: errno says why.
bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace

Result<void> write_file_atomically(const fs::path& file, std::string_view bytes) {
  // A pipe or a terminal, such as /dev/stdout, is written to directly: after a rename its reader would wait
  // for ever.
  struct stat info {};
  if (::stat(file.c_str(), &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)) {
    const Descriptor out(::open(file.c_str(), O_WRONLY | O_CLOEXEC));
    if (out.get() < 0 || !write_all(out.get(), bytes)) return failed("write", file);
    return {};
  }
  std::string temporary = file.string() + ".XXXXXX";
  const Descriptor out(::mkostemp(temporary.data(), O_CLOEXEC));
  if (out.get() < 0) return failed("write", file);
  const auto give_up = [&](const char* what) {
    const Diagnostic problem = failed(what, file);
    ::unlink(temporary.c_str());
    return problem;
  };
  if (!write_all(out.get(), bytes)) return give_up("write");
  if (::rename(temporary.c_str(), file.c_str()) != 0) return give_up("rename");
  return {};
}

Result<std::string> read_file(const fs::path& file, std::size_t max_bytes) {
  // Opening a FIFO would wait for a writer. With O_NONBLOCK the check below refuses it.
  const Descriptor in(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (in.get() < 0) return failed("read", file);
  struct stat info {};
  if (::fstat(in.get(), &info) != 0) return failed("read", file);
  if (!S_ISREG(info.st_mode)) return error(msg::not_a_regular_file(file.string()));
  std::string text;
  char chunk[65536];
  for (;;) {
    const ssize_t count = ::read(in.get(), chunk, sizeof chunk);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return failed("read", file);
    if (count == 0) return text;
    text.append(chunk, static_cast<std::size_t>(count));
    if (text.size() > max_bytes) {
      return error(msg::file_over_limit(file.string(), max_bytes));
    }
  }
}

namespace {

/// A lock would not show whether the writer is alive: a compiler creates its file anew. No writer takes this
/// long.
constexpr std::chrono::seconds kUnfinished{std::chrono::hours(1)};

bool is_unfinished_name(std::string_view name) {
  constexpr std::size_t kEnding = 7;
  if (name.size() <= kEnding || name[name.size() - kEnding] != '.') return false;
  name.remove_prefix(name.size() - kEnding + 1);
  return std::ranges::all_of(name, [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  });
}

std::string hex_digits(std::uint64_t number) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text(16, '0');
  for (std::size_t k = 16; k-- > 0; number >>= 4) text[k] = kDigits[number & 15u];
  return text;
}

}  // namespace

std::string damage_digest(std::string_view bytes) {
  BulkHash hash;
  hash.add(bytes);
  return hex_digits(hash.value());
}

Result<std::string> damage_digest_of(const fs::path& file) {
  const Descriptor in(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (in.get() < 0) return failed("read", file);
  BulkHash hash;
  std::string chunk(std::size_t{256} << 10, '\0');
  for (;;) {
    const ssize_t count = ::read(in.get(), chunk.data(), chunk.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return failed("read", file);
    if (count == 0) return hex_digits(hash.value());
    hash.add({chunk.data(), static_cast<std::size_t>(count)});
  }
}

std::string sealed(std::string_view bytes) {
  std::string text(bytes);
  return text.append("\n").append(damage_digest(bytes)).append("\n");
}

std::optional<std::string> unsealed(std::string bytes) {
  constexpr std::size_t kSeal = 18;
  if (bytes.size() < kSeal) return std::nullopt;
  const std::string seal = bytes.substr(bytes.size() - kSeal);
  bytes.resize(bytes.size() - kSeal);
  if (seal != "\n" + damage_digest(bytes) + "\n") return std::nullopt;
  return bytes;
}

std::string content_key(std::span<const std::string> parts) {
  Fnv1a made;
  for (const std::string& part : parts) {
    made.add_number(part.size());  // separates the parts
    made.add_bytes(part);
  }
  return hex_digits(made.value());
}

void sweep_unfinished(const fs::path& folder) {
  std::error_code problem;
  for (fs::directory_iterator entry(folder, problem), end; !problem && entry != end;
       entry.increment(problem)) {
    struct stat what {};
    if (!is_unfinished_name(entry->path().filename().string()) ||
        ::lstat(entry->path().c_str(), &what) != 0 || !(S_ISREG(what.st_mode) || S_ISDIR(what.st_mode)) ||
        what.st_uid != ::geteuid() || ::time(nullptr) - what.st_mtime < kUnfinished.count()) {
      continue;
    }
    std::error_code ignored;
    fs::remove_all(entry->path(), ignored);
  }
}

std::vector<std::pair<fs::file_time_type, fs::path>> by_age(const fs::path& folder) {
  std::vector<std::pair<fs::file_time_type, fs::path>> entries;
  std::error_code problem;
  for (fs::directory_iterator entry(folder, problem), end; !problem && entry != end;
       entry.increment(problem)) {
    std::error_code gone;
    const auto when = fs::last_write_time(entry->path(), gone);
    if (!gone) entries.emplace_back(when, entry->path());
  }
  std::ranges::sort(entries);
  return entries;
}

}  // namespace cudalabs
