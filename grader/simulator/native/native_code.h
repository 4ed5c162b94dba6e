#pragma once
// A program's hot stretches as machine code of this machine. The interpreter (run/block.cpp) remains the
// reference: it runs whatever is cold, divided or rare, and what it does not know the machine code leaves to
// the interpreter's own handlers.
//
// Of a stretch the values of slots live in vector registers; at its end those that are still wanted are back
// in the frame, so that either engine can go on. A load or store whose shape is as before is done in place;
// else its handler does it.

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

#include "grader/simulator/native/code_pages.h"
#include "grader/simulator/native/liveness.h"
#include "grader/simulator/ops/exec.h"

namespace cudalabs::sim {

struct AccessGroup;
enum class VectorWidth : std::uint8_t;  // places.h

/// Some lanes of a warp.
struct SomeLanes {
  std::uint32_t mask = 0, others = 0;
  std::uint32_t first = 0;
  std::uint32_t off = 0;         ///< how many are
  std::uint64_t of_partial = 0;  ///< where in PartialShapes the one for so many lanes lies, in bytes
  static SomeLanes of(std::uint32_t mask) {
    const auto count = static_cast<unsigned>(std::popcount(mask));
    return {mask, ~mask, static_cast<std::uint32_t>(std::countr_zero(mask)), kLanes - count,
            (std::bit_width(count) - 1) * sizeof(PartialShape)};
  }
};

/// What machine code needs to know of who runs it. It finds the members by their offsets.
struct NativeContext {
  const void* block = nullptr;  ///< for which it was filled in; null: for none
  Exec* exec = nullptr;
  const Program* program = nullptr;
  std::byte* frame = nullptr;
  Shape* shapes = nullptr;
  std::byte *global = nullptr, *shared = nullptr;
  // Of the Tally:
  std::uint64_t *runs = nullptr, *executed = nullptr, *idle_lanes = nullptr, *idle_runs = nullptr,
                *divided = nullptr;
  std::uint64_t* clock = nullptr;
  UntoldLoads* untold = nullptr;
  const std::byte* params = nullptr;
  void* const* entries = nullptr;  ///< by instruction, for those lanes that run
  std::int64_t quantum = 0, slice = 0;
  std::uint64_t spare = 0;  ///< of the machine code
  std::uint32_t canonical_nan = 0x7FFFFFFFu;
  bool keeps_untold = false;
  SomeLanes lanes;  ///< that run, where some of a warp do
  /// Of machine code that some lanes of a warp have entered: these, where others of it stand (run/block.h),
  /// and the slice that they have when they meet again after a branch; 0: the interpreter must choose then.
  SomeLanes entered;
  std::uint32_t limit = 0;
  std::int64_t slice_after_sides = 0;
  const std::unique_ptr<PartialShapes>* partial_shapes = nullptr;  ///< by instruction
  /// Of the groups of the running stretch: the base of the leader, and whether all of
  /// the group are as they were.
  std::array<std::uint64_t, 8> group_base;
  std::array<bool, 8> group_holds;
};

class NativeCode {
 public:
  /// Times that a stretch was interpreted before it is translated.
  static constexpr std::uint32_t kHot = 400;

  /// Null where this machine or the program's size does not allow it. Where the system does not, nothing is
  /// ever translated.
  static std::unique_ptr<NativeCode> make(const Program& program);
  ~NativeCode();

  /// True if what begins at `pc` is translated for those lanes.
  [[nodiscard]] bool has(std::uint32_t pc, Lanes lanes) const {
    const Entry* const of = entries(lanes).load(std::memory_order_acquire);
    return of != nullptr && of[pc].load(std::memory_order_acquire) != leave_;
  }
  /// Runs from `pc` on by a full warp, or by the lanes of the context's mask up to its limit. Returns where
  /// the interpreter must go on; Exec::fault may be set, or the context's quantum used up.
  std::uint32_t run(NativeContext& context, std::uint32_t pc, Lanes lanes) const;
  /// Translates for those lanes the stretch at `pc` and those that are nearly as hot. `heat`: by
  /// instruction. Any worker may ask.
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
  std::vector<Entry> kept_entries_;  ///< where the next two point
  /// By instruction; null until something is to be translated: most programs are small, and never hot.
  std::atomic<Entry*> of_all_ = nullptr, of_some_ = nullptr;
  std::vector<CodePages> pages_;
  std::vector<Stretch> stretches_;
  std::optional<Liveness> liveness_;
  std::vector<std::unique_ptr<AccessGroup>> groups_;  ///< that the machine code names
  void* leave_ = nullptr;
  std::uint32_t (*enter_)(NativeContext*, void*) = nullptr;
};

/// The machine code of a module's programs, made when it is first asked for.
class NativeModule {
 public:
  /// Null where there can be none.
  NativeCode* of(const Program& program);

 private:
  std::mutex mutex_;
  std::unordered_map<const Program*, std::unique_ptr<NativeCode>> codes_;
};

}  // namespace cudalabs::sim
