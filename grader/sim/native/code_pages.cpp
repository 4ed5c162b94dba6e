#include "grader/sim/native/code_pages.h"

#include <sys/mman.h>
#include <unistd.h>

#include <utility>

namespace cudalabs::sim {

CodePages::CodePages(std::size_t bytes) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  bytes_ = (bytes + page - 1) / page * page;
  void* const at = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at != MAP_FAILED) data_ = static_cast<std::byte*>(at);
}

CodePages::~CodePages() {
  if (data_ != nullptr) ::munmap(data_, bytes_);
}

CodePages::CodePages(CodePages&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

CodePages& CodePages::operator=(CodePages&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

bool CodePages::seal() { return ::mprotect(data_, bytes_, PROT_READ | PROT_EXEC) == 0; }

}  // namespace cudalabs::sim
