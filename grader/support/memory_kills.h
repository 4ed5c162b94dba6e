#pragma once
// Whether the kernel ended processes because memory ran out. A submission that asks for too much is stopped
// by its own limits long before; where the kernel had to choose somebody, the machine, or the container
// that we are in, has less than these limits promise.

#include <cstdint>

namespace cudalabs {

/// From when it is made on.
class MemoryKills {
 public:
  MemoryKills() : before_(so_far()) {}

  /// Any process of this machine: not of ours alone. False where the kernel does not count them.
  [[nodiscard]] bool any() const { return so_far() > before_; }

 private:
  static std::uint64_t so_far();

  std::uint64_t before_;
};

}  // namespace cudalabs
