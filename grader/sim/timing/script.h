#pragma once
// A traced block in the order of its machine code, as the timing model executes it.

#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "grader/sim/timing/schedule/machine_code.h"
#include "grader/sim/timing/trace.h"

namespace cudalabs::sim {

/// The machine code of each function.
using CodeOf = std::vector<std::pair<const Program*, const MachineCode*>>;

/// An op, with its function.
struct PlacedOp {
  const MachineOp* op = nullptr;
  const std::uint32_t* registers = nullptr;  ///< first the registers read, then those written
  std::uint32_t base = 0;                    ///< first of the function's registers among the warp's
  std::uint32_t line = 0;                    ///< line of machine code
};

/// Kept small: there are hundreds of thousands of them.
struct ScriptOp {
  std::uint32_t placed = 0;  ///< index into Scripts::placed
  std::uint32_t access = TracedStep::kNoAccess;
};

struct Script {
  const TracedBlock* block = nullptr;  ///< null: not requested yet
  std::vector<std::vector<ScriptOp>> warps;
  std::size_t ops = 0;       ///< of all warps
  std::uint64_t slots = 0;   ///< the same as LaunchResult::issue counts them
  std::uint64_t issued = 0;  ///< machine instructions issued by the timing model
};

class Scripts {
 public:
  Scripts(const std::vector<TracedBlock>& traces, const CodeOf& code);

  /// The script of trace number `trace`, created on first use.
  const Script& of(std::size_t trace);

  /// visit(program, its first op, number of its ops) for each function.
  template <class Visit>
  void each_function(const Visit& visit) const {
    for (const auto& [program, entry] : entries_) visit(*program, entry.first, entry.machine->ops.size());
  }

  std::vector<PlacedOp> placed;
  std::uint32_t registers = 0;
  std::uint32_t lines = 0;  ///< of machine code

 private:
  struct Entry {
    const MachineCode* machine = nullptr;
    std::uint32_t first = 0;  ///< of placed
  };

  void add_warp(Script& script, const std::vector<TracedStep>& steps);
  /// Adds some of the code's ops, with the accesses of these turns' steps.
  static void add_ops(std::uint64_t& issued, std::vector<ScriptOp>& ops, const Entry& entry,
                      std::uint32_t first, std::uint32_t end,
                      std::span<const std::span<const TracedStep>> turns);

  const std::vector<TracedBlock>& traces_;
  std::vector<Script> list_;  ///< by trace
  std::unordered_map<const Program*, Entry> entries_;
};

}  // namespace cudalabs::sim
