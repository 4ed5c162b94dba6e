#pragma once
// Detects that the kernel killed processes because memory ran out. A submission that asks for too much is
// stopped by its own limits long before. If the kernel had to kill, then the machine, or our container, has
// less memory than these limits promise.

#include <cstdint>

namespace cudalabs {

/// Counts kills from its construction on.
class MemoryKills {
 public:
  MemoryKills() : before_(so_far()) {}

  /// True if any process of this machine was killed, not only ours. False if the kernel does not count kills.
  [[nodiscard]] bool any() const { return so_far() > before_; }

 private:
  static std::uint64_t so_far();

  std::uint64_t before_;
};

}  // namespace cudalabs
