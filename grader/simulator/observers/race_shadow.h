#pragma once
// Who last touched each place of memory: marks by 4-byte word, or by byte where narrower accesses were seen.

#include <cstdint>
#include <memory>

#include "grader/simulator/program/observer.h"

namespace cudalabs::sim {

/// An access by lanes of one warp that nothing orders among themselves. Stamps are times on a clock that
/// ticks at everything that orders accesses, and at every store; 0: there was none.
struct Mark {
  std::uint32_t stamp = 0;
  std::uint32_t block = 0;
  std::uint32_t site = 0;
  std::uint8_t warp = 0;
  std::uint8_t low = 0, high = 0;  ///< two of the lanes; the same if it was one
  AccessKind kind{};               ///< an instruction alone does not say: cp.async reads and writes
};

/// The last write, and the warps of that block that have written this value.
struct WriteMark {
  Mark mark;
  std::uint32_t warps = 0;
};

/// The first access by a warp and the first by another:
/// enough to know whether a third conflicts with somebody.
struct MarkPair {
  Mark first, second;
};

/// The last atomic that changed what was there, and the last that threw it away.
struct AtomicOrder {
  Mark added, overwritten;
};

/// The marks of a stretch of memory. Each kind takes memory only where there is such an access.
class Area {
 public:
  Area() = default;
  explicit Area(std::uint32_t bytes) : cells_((bytes + 3) / 4) {}

  /// log2 of the bytes of a cell: 2, later perhaps 0.
  [[nodiscard]] std::uint32_t shift() const { return shift_; }
  /// From words to bytes; what is known of a word holds for each of its bytes.
  void split() {
    split(writes);
    split(reads);
    split(atomics);
    split(order);
    split(seen);
    cells_ *= 4;
    shift_ = 0;
  }
  template <class T>
  T* make(std::unique_ptr<T[]>& plane) {
    if (!plane) plane = std::make_unique<T[]>(cells_);
    return plane.get();
  }

  std::unique_ptr<WriteMark[]> writes;
  std::unique_ptr<MarkPair[]> reads;
  std::unique_ptr<MarkPair[]> atomics;
  /// Who was the last to see it, if nobody has changed it since: by an atomic or a strong load.
  std::unique_ptr<Mark[]> seen;
  std::unique_ptr<AtomicOrder[]> order;  ///< only where a kernel has atomics that throw away

 private:
  template <class T>
  void split(std::unique_ptr<T[]>& plane) {
    if (!plane) return;
    auto wide = std::make_unique<T[]>(std::size_t{cells_} * 4);
    for (std::size_t i = 0; i < std::size_t{cells_} * 4; ++i) wide[i] = plane[i / 4];
    plane = std::move(wide);
  }
  std::uint32_t cells_ = 0, shift_ = 2;
};

}  // namespace cudalabs::sim
