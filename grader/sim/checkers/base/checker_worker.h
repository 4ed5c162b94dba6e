#pragma once
// Code that all launch checkers share: their position, names of instructions and memory, and examples for
// each pair of instructions. The examples become findings when the launch ends.

#include <array>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "grader/sim/checkers/base/checker_observer.h"
#include "grader/sim/executable/program.h"
#include "grader/sim/memory/global_memory.h"

namespace cudalabs::sim {

class CheckerWorker : public WorkerObserver {
 public:
  explicit CheckerWorker(const LaunchInfo& launch) : launch_(launch) {}

  /// The properties of an instruction, which has a small number as its key.
  struct Site {
    const Program* program = nullptr;
    std::uint32_t instruction = 0;
    bool cas = false;           ///< compares and swaps
    bool checks_guess = false;  ///< compares and swaps, or only changes the value monotonically
    bool exchange = false;      ///< an atomic that ignores the old value
    bool overwrites = false;    ///< an atomic that discards the old value
    bool adds = false;          ///< an atomic that changes the value
    bool asks = false;          ///< an atomic whose thread uses the returned value
    bool strong = false;        ///< as ptx::is_strong
    bool ordered = false;       ///< as ptx::is_ordered
    bool looks = false;         ///< strong, except loads whose value controls nothing: it may be polling
    bool takes = false;         ///< `looks`, and computes results from the value
    bool meets_fence = false;   ///< an atomic that may follow a fence, or that waits for others
    bool read_only = false;     ///< a load that requires its memory to stay unchanged during the launch
    bool passes_l1 = false;     ///< strong, or a load that bypasses L1
    bool acquire = false;       ///< a load that needs no fence behind it
    bool release = false;       ///< as ptx::is_fence
    bool within_block = false;  ///< as ptx::is_within_block
    bool guess = false;         ///< a read of a word that the thread later changes with `checks_guess`
    std::optional<bool> only_decides;  ///< set on first use
    /// The bytes of a lane's load that the program uses, one bit each. A compiler uses one load for the three
    /// coordinates of a float4.
    std::uint32_t used = ~0u;
  };

 protected:
  static constexpr std::uint32_t kNoSite = 0xFFFFFFFFu;

  std::uint32_t site(const Program* program, std::uint32_t instruction) {
    if (program != program_) [[unlikely]]
      enter(program);
    return first_site_ + instruction;
  }

  /// Does any instruction so far discard a value that others may have added to?
  bool overwrites_ = false;
  /// Does any load so far discard some of its bytes?
  bool partly_used_ = false;

  /// Does a lane use all of these bytes of its load? any_used(): does it use at least one?
  [[nodiscard]] static bool all_used(const Site& s, std::uint32_t width) {
    return width >= 32 ? s.used == ~0u : (~s.used & ((1u << width) - 1)) == 0;
  }
  [[nodiscard]] static bool any_used(const Site& s, std::uint32_t from, std::uint32_t bytes) {
    return (s.used >> from & (bytes >= 32 ? ~0u : (1u << bytes) - 1)) != 0;
  }

  /// Does this load's value only affect control flow, and no result?
  [[nodiscard]] bool only_decides(std::uint32_t site);

  /// The lanes that use what they load.
  [[nodiscard]] static std::uint32_t kept_lanes(const WarpAccess& a) {
    const bool all = a.kind != AccessKind::Load || a.program->selected_loads.empty() || a.frame == nullptr;
    return all ? a.mask : chosen_lanes(a);
  }

  [[nodiscard]] FindingSide side(std::uint32_t site, Message what, std::uint64_t block,
                                 std::uint32_t thread) const;
  /// "element 33 of `tile` (shared memory)", in elements of the instruction's type.
  [[nodiscard]] Message name_shared(std::uint32_t site, std::uint32_t offset, std::uint32_t width) const;
  /// "element 5 of parameter 1 (the 4000-byte allocation)".
  [[nodiscard]] Message name_global(std::uint32_t site, std::uint64_t address, std::uint32_t width) const;
  [[nodiscard]] const ptx::Instruction& instruction(std::uint32_t site) const {
    const Site& s = sites_[site];
    return s.program->function->body[s.program->source[s.instruction]];
  }

  const LaunchInfo launch_;
  std::vector<Site> sites_;

 private:
  void enter(const Program* program);
  [[nodiscard]] static std::uint32_t chosen_lanes(const WarpAccess& a);

  std::unordered_map<const Program*, std::uint32_t> first_of_;
  const Program* program_ = nullptr;
  std::uint32_t first_site_ = 0;
};

/// How often something occurred, and its example with the lowest block and thread.
template <class Example>
struct Seen {
  std::uint64_t count = 0;
  std::uint64_t block = 0;
  std::uint32_t thread = 0;
  Example example{};

  /// Would an example of this block and thread be kept?
  [[nodiscard]] bool wants(std::uint64_t b, std::uint32_t t) const {
    return count == 0 || std::tie(b, t) < std::tie(block, thread);
  }
  void add(std::uint64_t b, std::uint32_t t, const Example& e) {
    const bool wanted = wants(b, t);
    ++count;
    if (wanted) {
      block = b;
      thread = t;
      example = e;
    }
  }
};

}  // namespace cudalabs::sim
