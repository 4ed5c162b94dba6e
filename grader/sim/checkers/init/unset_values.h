#pragma once
// Follows values that nobody has set, from registers and local memory through a thread's computation. A value
// that is computed and then left out is no use of it; compilers compute ahead.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "grader/sim/analysis/dataflow.h"
#include "grader/sim/executable/observer.h"
#include "grader/sim/executable/program.h"

namespace cudalabs::sim {

/// An instruction of a program.
struct CodePlace {
  const Program* program = nullptr;
  std::uint32_t instruction = 0;  ///< index into Program::code
};

class UnsetValues {
 public:
  /// A value that was never set decides a branch or an address, is stored, or is an element of a matrix that
  /// is multiplied: called with the instruction that was the first to compute with it, and the lanes.
  using Report = std::function<void(const CodePlace& place, std::uint32_t warp, std::uint32_t lanes)>;

  UnsetValues(const Program& kernel, Report report);

  /// False if the kernel writes each register before it reads it, and has no local memory.
  [[nodiscard]] bool any() const { return any_; }

  void resume_block(std::uint64_t block) { block_ = &blocks_[block]; }
  void end_block(std::uint64_t block) { blocks_.erase(block); }
  void step(const WarpStep& step);
  void access(const WarpAccess& access);

 private:
  /// The lanes in which a value is unset, and the first instruction that computed with it.
  struct Unset {
    std::uint32_t lanes = 0;
    CodePlace first;
  };
  struct Warp {
    /// By call depth and program: its registers.
    std::map<std::tuple<std::uint32_t, const Program*>, std::vector<Unset>> frames;
    std::vector<Unset> local;  ///< by byte of the kernel's variables; empty if these are too large
  };
  struct Block {
    std::map<std::uint32_t, Warp> warps;
  };
  struct Code {
    explicit Code(const ptx::Function& function);
    Dataflow flow;
    std::vector<std::uint32_t> unset;  ///< registers that may be read before they are written
    std::vector<bool> decides;         ///< by instruction: its result only decides branches
    bool begins_with_label = false;
  };

  const Code& code_of(const Program& program);
  Warp& warp_of(std::uint32_t warp);
  std::vector<Unset>& registers(Warp& warp, std::uint32_t depth, const Program& program);
  [[nodiscard]] Unset result(const ptx::Instruction& in, const std::vector<Unset>& registers) const;
  void use(const Unset& value, std::uint32_t lanes, std::uint32_t warp, const CodePlace& place);
  void load_local(const WarpAccess& a, const ptx::Instruction& in, Warp& warp, std::vector<Unset>& registers);
  void store_local(const WarpAccess& a, const ptx::Instruction& in, Warp& warp,
                   const std::vector<Unset>& registers);

  const Program& kernel_;
  const Report report_;
  bool any_ = false;
  std::map<const Program*, std::unique_ptr<Code>> codes_;
  std::map<std::uint64_t, Block> blocks_;
  Block* block_ = nullptr;
  std::uint32_t depth_ = 0;  ///< of the step whose accesses follow
};

}  // namespace cudalabs::sim
