#ifdef CUDALABS_MACHINE_CODE
#include "grader/sim/native/vector_forms.h"

#include "grader/sim/native/avx2_forms.h"
#include "grader/sim/native/avx512_forms.h"

namespace cudalabs::sim {

std::unique_ptr<VectorForms> VectorForms::of(VectorWidth width, asmjit::x86::Assembler& a,
                                             RegisterCache& cache) {
  if (width == VectorWidth::Avx512) return std::make_unique<Avx512Forms>(a, cache);
  return std::make_unique<Avx2Forms>(a, cache);
}

bool VectorForms::arithmetic(const Inst& i, Arith op) {
  const auto parts = [this](std::uint32_t bits) { return parts_of(width_, bits); };
  const auto here = [this](Id avx512, Id avx2) { return width_ == VectorWidth::Avx512 ? avx512 : avx2; };
  const auto exists = [](Id id) { return id != Id::kIdNone; };
  Id id = Id::kIdNone;
  switch (op) {
// clang-format off
#define SAME(name, bits, avx512, avx2) \
  case Arith::name: return exists(id = here(Id::kId##avx512, Id::kId##avx2)) && same(i, parts(bits), id, false);
#define FLOAT(name, both) case Arith::name: return same(i, parts(32), Id::kId##both, true);
#define COPY(name, bits) case Arith::name: return one(i, parts(bits), here(Id::kIdVmovdqa64, Id::kIdVmovdqa));
#define ONE(name, bits, avx512, avx2) \
  case Arith::name: return exists(id = here(Id::kId##avx512, Id::kId##avx2)) && one(i, parts(bits), id);
#define FUSED(name, bits, both) case Arith::name: return fused(i, parts(bits), Id::kId##both);
#define PRODUCT(name, bits, avx512, avx2, add) \
  case Arith::name: \
    return exists(id = here(Id::kId##avx512, Id::kId##avx2)) && product(i, parts(bits), id, Id::kId##add);
#define WIDE(name, multiply) case Arith::name: return wide(i, Id::kId##multiply, false);
#define WIDE_SUM(name, multiply) case Arith::name: return wide(i, Id::kId##multiply, true);
#define COMPARE(name, bits, avx512, code) case Arith::name: return compare(i, parts(bits), Id::kId##avx512, code);
    // clang-format on
#include "grader/sim/native/forms.def"
#undef SAME
#undef FLOAT
#undef COPY
#undef ONE
#undef FUSED
#undef PRODUCT
#undef WIDE
#undef WIDE_SUM
#undef COMPARE
    case Arith::MinF32: return extreme(i, false);
    case Arith::MaxF32: return extreme(i, true);
    case Arith::U32toU64: return extend(i, Id::kIdVpmovzxdq);
    case Arith::S32toS64: return extend(i, Id::kIdVpmovsxdq);
    case Arith::U64toU32: return narrow(i);
    case Arith::Shl64: return shift64(i, Id::kIdVpsllvq);
    case Arith::ShrU64: return shift64(i, Id::kIdVpsrlvq);
    case Arith::ShrS64: return exists(id = here(Id::kIdVpsravq, Id::kIdNone)) && shift64(i, id);
    case Arith::Select32: return select(i, parts(32));
    case Arith::Select64: return select(i, parts(64));
    case Arith::Lop3: return lop3(i);
    default: return false;
  }
}

}  // namespace cudalabs::sim

#endif  // CUDALABS_MACHINE_CODE
