#pragma once
// Memory for code generated at run time: first writable, then executable, never both.

#include <cstddef>
#include <span>

namespace cudalabs::sim {

class CodePages {
 public:
  CodePages() = default;
  /// Allocates writable bytes. On error data() is null.
  explicit CodePages(std::size_t bytes);
  ~CodePages();
  CodePages(CodePages&& other) noexcept;
  CodePages& operator=(CodePages&& other) noexcept;

  [[nodiscard]] std::byte* data() const { return data_; }
  /// Makes the bytes executable and read-only. False: the system forbids it.
  [[nodiscard]] bool seal();

 private:
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace cudalabs::sim
