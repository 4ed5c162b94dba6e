#pragma once
// Memory for code made at run time: written, then sealed, never both.

#include <cstddef>
#include <span>

namespace cudalabs::sim {

class CodePages {
 public:
  CodePages() = default;
  /// Bytes that may be written. On error data() is null.
  explicit CodePages(std::size_t bytes);
  ~CodePages();
  CodePages(CodePages&& other) noexcept;
  CodePages& operator=(CodePages&& other) noexcept;

  [[nodiscard]] std::byte* data() const { return data_; }
  /// From here on the bytes may be executed and no longer written. False: the system forbids it.
  [[nodiscard]] bool seal();

 private:
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace cudalabs::sim
