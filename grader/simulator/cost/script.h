#pragma once
// A traced block in the order of its machine code: what the walk executes.

#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "grader/simulator/cost/machine_code.h"
#include "grader/simulator/cost/trace.h"

namespace cudalabs::sim {

/// By function: its code.
using CodeOf = std::vector<std::pair<const Program*, const MachineCode*>>;

/// An op of one of the functions.
struct PlacedOp {
  const MachineOp* op = nullptr;
  const std::uint32_t* registers = nullptr;  ///< first those read, then those written
  std::uint32_t base = 0;                    ///< of the function's registers among the warp's
  std::uint32_t line = 0;                    ///< of machine code
};

/// There are hundreds of thousands of them.
struct ScriptOp {
  std::uint32_t placed = 0;  ///< index into Scripts::placed
  std::uint32_t access = TracedStep::kNoAccess;
};

struct Script {
  const TracedBlock* block = nullptr;  ///< null: nobody asked for it
  std::vector<std::vector<ScriptOp>> warps;
  std::size_t ops = 0;       ///< of all warps
  std::uint64_t slots = 0;   ///< the same as LaunchResult::issue counts them
  std::uint64_t issued = 0;  ///< machine instructions, as the walk issues them
};

class Scripts {
 public:
  Scripts(const std::vector<TracedBlock>& traces, const CodeOf& code);

  /// Of the trace with that number: made when it is first asked for.
  const Script& of(std::size_t trace);

  std::vector<PlacedOp> placed;
  std::uint32_t registers = 0;
  std::uint32_t lines = 0;  ///< of machine code

 private:
  struct Entry {
    const MachineCode* machine = nullptr;
    std::uint32_t first = 0;  ///< of placed
  };

  void add_warp(Script& script, const std::vector<TracedStep>& steps);
  /// Some of the code's ops, with what the steps of these turns met.
  static void add_ops(std::uint64_t& issued, std::vector<ScriptOp>& ops, const Entry& entry,
                      std::uint32_t first, std::uint32_t end,
                      std::span<const std::span<const TracedStep>> turns);

  const std::vector<TracedBlock>& traces_;
  std::vector<Script> list_;  ///< by trace
  std::unordered_map<const Program*, Entry> entries_;
};

}  // namespace cudalabs::sim
