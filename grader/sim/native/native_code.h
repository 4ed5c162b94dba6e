#pragma once
// The hot stretches of a program, translated to machine code. The interpreter (interpreter/block.cpp) remains
// the reference: it runs cold, divergent and rare code, and for unknown instructions the machine code calls
// the interpreter's handlers.
//
// Within a stretch, the values of slots are in vector registers; at its end the live ones are back in the
// frame, so that either engine can continue. A load or store with an unchanged shape is executed inline,
// otherwise by its handler.

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include "grader/sim/native/code_pages.h"
#include "grader/sim/native/liveness.h"
#include "grader/sim/ops/exec.h"

namespace cudalabs::sim {

struct AccessGroup;
enum class VectorWidth : std::uint8_t;  // places.h

/// A set of lanes of a warp.
struct SomeLanes {
  std::uint32_t mask = 0, others = 0;
  std::uint32_t first = 0;
  std::uint32_t off = 0;         ///< number of inactive lanes
  std::uint64_t of_partial = 0;  ///< offset in PartialShapes of the entry for this number of lanes, in bytes
  static SomeLanes of(std::uint32_t mask) {
    const auto count = static_cast<unsigned>(std::popcount(mask));
    return {mask, ~mask, static_cast<std::uint32_t>(std::countr_zero(mask)), kLanes - count,
            (std::bit_width(count) - 1) * sizeof(PartialShape)};
  }
};

/// The executor's state that machine code uses. It accesses the members by their offsets.
struct NativeContext {
  const void* block = nullptr;  ///< the block that it was filled for; null: none
  Exec* exec = nullptr;
  const Program* program = nullptr;
  std::byte* frame = nullptr;
  Shape* shapes = nullptr;
  std::byte *global = nullptr, *shared = nullptr;
  // Members of the Tally:
  std::uint64_t *runs = nullptr, *executed = nullptr, *idle_lanes = nullptr, *idle_runs = nullptr,
                *divided = nullptr;
  std::uint64_t* clock = nullptr;
  UnflushedLoads* unflushed = nullptr;
  const std::byte* params = nullptr;
  void* const* entries = nullptr;  ///< by instruction, for the running lanes
  std::int64_t quantum = 0, slice = 0;
  std::uint64_t spare = 0;  ///< scratch space of the machine code
  std::uint32_t canonical_nan = 0x7FFFFFFFu;
  bool keeps_unflushed = false;
  SomeLanes lanes;  ///< the running ones, if only some lanes of a warp run
  /// For machine code that some lanes of a warp have entered: these lanes, the pc of the others
  /// (interpreter/block.h), and the slice after their reconvergence behind a branch; 0: the interpreter must
  /// choose then.
  SomeLanes entered;
  std::uint32_t limit = 0;
  std::int64_t slice_after_sides = 0;
  const std::unique_ptr<PartialShapes>* partial_shapes = nullptr;  ///< by instruction
  /// For the groups of the running stretch: the base of the leader, and whether the whole group keeps its
  /// shapes.
  std::array<std::uint64_t, 8> group_base;
  std::array<bool, 8> group_holds;
};

class NativeCode {
 public:
  /// Number of interpreted executions before a stretch is translated.
  static constexpr std::uint32_t kHot = 400;

  /// Null if this machine or the program's size does not allow machine code. If the system does not allow it,
  /// nothing is ever translated.
  static std::unique_ptr<NativeCode> make(const Program& program);
  ~NativeCode();

  /// True if the code at `pc` is translated for those lanes.
  [[nodiscard]] bool has(std::uint32_t pc, Lanes lanes) const {
    const Entry* const of = entries(lanes).load(std::memory_order_acquire);
    return of != nullptr && of[pc].load(std::memory_order_acquire) != leave_;
  }
  /// Runs from `pc` with a full warp, or with the lanes of the context's mask up to its limit. Returns where
  /// the interpreter must continue; Exec::fault may be set, or the context's quantum used up.
  std::uint32_t run(NativeContext& context, std::uint32_t pc, Lanes lanes) const;
  /// Translates the stretch at `pc` and those that are nearly as hot, for those lanes. `heat`: by
  /// instruction. Thread-safe.
  void translate(std::uint32_t pc, Lanes lanes, const std::vector<std::uint32_t>& heat,
                 const std::vector<Shape>& shapes);

 private:
  struct Ways;
  explicit NativeCode(const Program& program);

  const Program& program_;
  VectorWidth vectors_{};
  std::mutex mutex_;
  using Entry = std::atomic<void*>;
  [[nodiscard]] const std::atomic<Entry*>& entries(Lanes lanes) const {
    return lanes == Lanes::All ? of_all_ : of_some_;
  }
  [[nodiscard]] bool begin();
  std::vector<Entry> kept_entries_;  ///< storage for the next two
  /// By instruction; null until the first translation: most programs are small, and never hot.
  std::atomic<Entry*> of_all_ = nullptr, of_some_ = nullptr;
  std::vector<CodePages> pages_;
  std::vector<Stretch> stretches_;
  std::optional<Liveness> liveness_;
  std::vector<std::unique_ptr<AccessGroup>> groups_;  ///< referenced by the machine code
  void* leave_ = nullptr;
  std::uint32_t (*enter_)(NativeContext*, void*) = nullptr;
};

/// The machine code of a module's programs, created on first use.
class NativeModule {
 public:
  /// Null if machine code is not possible.
  NativeCode* of(const Program& program);

 private:
  std::mutex mutex_;
  std::unordered_map<const Program*, std::unique_ptr<NativeCode>> codes_;
};

}  // namespace cudalabs::sim
