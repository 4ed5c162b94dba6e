#pragma once
// The semantics of an instruction of the executable form, decoded from its handler, and the slots that it
// reads and writes.

#include <cstdint>

#include "grader/sim/ops/arithmetic.h"
#include "grader/sim/ops/memory/memory_ops.h"

namespace cudalabs::sim {

struct Known {
  enum class Kind : std::uint8_t {
    Arithmetic,
    Load,
    Store,
    Warp,   ///< operates across lanes or on predicates
    Other,  ///< may read any slot
  };
  Kind kind = Kind::Other;
  Arith op{};
  MemorySpace space{};  ///< Load, Store
  Element element{};
  bool wide = false;  ///< 64-bit addresses
};

/// Handlers that the compiler has merged, because they have the same code, do the same; either name may be
/// returned.
Known known(const Inst& inst);

/// Calls read(slot) and write(slot) for the slots that the instruction reads, and those that it overwrites in
/// all executing lanes. False: it may read any slot.
template <class Read, class Write>
bool effects(const Program& program, std::uint32_t at, Read read, Write write) {
  const Inst& i = program.code[at];
  const auto reads = [&](std::uint32_t slot) {
    if (slot != kNone) read(slot);
  };
  const auto writes = [&](std::uint32_t slot) {
    if (slot == kNone) return;
    if (i.guard == kNone) write(slot);
  };
  reads(i.guard);
  switch (i.flow) {
    case Flow::Exit: return true;
    case Flow::Branch: return true;
    case Flow::BranchTable: reads(i.a); return true;
    case Flow::Barrier:
      for (const std::uint32_t slot : {i.a, i.b, i.c, i.d}) reads(slot);
      return true;
    case Flow::Plain:
    case Flow::Checked: break;
    default: return false;
  }
  const Known k = known(i);
  switch (k.kind) {
    case Known::Kind::Arithmetic:
      for (const std::uint32_t slot : {i.a, i.b, i.c}) reads(slot);
      if (k.op == Arith::Insert32 || k.op == Arith::Insert64) reads(i.extra);
      writes(i.d);
      return true;
    case Known::Kind::Load:
    case Known::Kind::Store: {
      reads(i.a);
      const auto& selected = program.selected_loads;
      if (!selected.empty() && program.source[at] < selected.size()) reads(selected[program.source[at]].slot);
      const auto datum = [&](std::uint32_t slot) {
        if (k.kind == Known::Kind::Load)
          writes(slot);
        else
          reads(slot);
      };
      if (i.count == 1)
        datum(i.d);
      else
        for (const std::uint32_t slot : program.extras[i.extra]) datum(slot);
      return true;
    }
    case Known::Kind::Warp:
      for (const std::uint32_t slot : {i.a, i.b, i.c, i.d, i.extra}) reads(slot);
      if (i.extra < program.extras.size())
        for (const std::uint32_t slot : program.extras[i.extra]) reads(slot);
      return true;
    case Known::Kind::Other: return false;
  }
  return false;
}

}  // namespace cudalabs::sim
