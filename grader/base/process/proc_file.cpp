#include "grader/base/process/proc_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "grader/base/fd.h"

namespace cudalabs {
namespace {

std::string text_of(const UniqueFd& file) {
  std::string text;
  std::array<char, 4096> part;
  while (file) {
    const ssize_t got = ::read(file.get(), part.data(), part.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    text.append(part.data(), static_cast<std::size_t>(got));
  }
  return text;
}

}  // namespace

std::string proc_text(const std::string& path) {
  return text_of(UniqueFd(::open(path.c_str(), O_RDONLY | O_CLOEXEC)));
}

ProcTasks::ProcTasks(int pid) : folder_(::opendir(("/proc/" + std::to_string(pid) + "/task").c_str())) {}

int ProcTasks::next() {
  while (folder_) {
    const dirent* const entry = ::readdir(folder_.get());
    if (entry == nullptr) break;
    name_ = entry->d_name;
    std::string_view digits = name_;
    if (int task = 0; take_number(digits, task)) return task;  // "." and ".." are not numbers
  }
  return 0;
}

std::string ProcTasks::text(const char* file) const {
  const std::string path = name_ + "/" + file;
  return text_of(UniqueFd(::openat(::dirfd(folder_.get()), path.c_str(), O_RDONLY | O_CLOEXEC)));
}

}  // namespace cudalabs
