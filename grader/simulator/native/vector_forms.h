#pragma once
// What a warp's instructions are in the vector registers of one instruction set.

#include <asmjit/x86.h>

#include <cstdint>
#include <memory>

#include "grader/simulator/native/register_cache.h"
#include "grader/simulator/ops/arithmetic.h"

namespace cudalabs::sim {

/// A load or store that is done in place: the address of lane 0 is in rax and was looked at.
struct InPlace {
  std::uint32_t at = 0;
  Shape::Pattern pattern{};
  bool is_shared = false, is_store = false;
  bool eight_bytes = false;  ///< an element; else four
};

class VectorForms {
 public:
  /// The forms of that width, whose values lie in `cache`. Both outlive them.
  static std::unique_ptr<VectorForms> of(VectorWidth width, asmjit::x86::Assembler& a, RegisterCache& cache);
  virtual ~VectorForms() = default;

  /// False: it is none of those that have a form here, and nothing was emitted that the handler would not do.
  virtual bool arithmetic(const Inst& i, Arith op) = 0;
  /// The slot's value in all lanes is what stands in memory.
  virtual void broadcast(std::uint32_t slot, bool eight_bytes, const asmjit::x86::Mem& from) = 0;

  /// Whether the access has a form here, whose pattern is the expected one.
  [[nodiscard]] virtual bool moves(const InPlace& access) const = 0;
  /// Where the addresses are, or the data that are to be stored; none: as RegisterCache::use().
  virtual std::optional<RegisterCache::Entry> source(std::uint32_t slot, bool eight_bytes) = 0;
  /// Where the data go that are loaded.
  virtual RegisterCache::Entry destination(std::uint32_t slot, const InPlace& access) = 0;
  /// The address of lane 0 to rax, or to eax where it has four bytes.
  virtual void first_lane(const RegisterCache::Entry& address, bool wide) = 0;
  /// Leads to `unlike` where lanes are not as far from lane 0 as the shape of the access says.
  virtual void compare_distances(const RegisterCache::Entry& address, bool wide, const InPlace& access,
                                 const asmjit::Label& unlike) = 0;
  virtual void move(const RegisterCache::Entry& data, const InPlace& access) = 0;
};

}  // namespace cudalabs::sim
