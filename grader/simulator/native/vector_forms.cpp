#ifdef CUDALABS_MACHINE_CODE
#include "grader/simulator/native/vector_forms.h"

#include "grader/simulator/native/avx2_forms.h"
#include "grader/simulator/native/avx512_forms.h"

namespace cudalabs::sim {

std::unique_ptr<VectorForms> VectorForms::of(VectorWidth width, asmjit::x86::Assembler& a,
                                             RegisterCache& cache) {
  if (width == VectorWidth::Avx512) return std::make_unique<Avx512Forms>(a, cache);
  return std::make_unique<Avx2Forms>(a, cache);
}

}  // namespace cudalabs::sim

#endif  // CUDALABS_MACHINE_CODE
