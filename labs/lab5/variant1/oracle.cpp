// lab5 variant1, sum of ints: what is right, what it costs on one CPU thread, and what is often wrong.
#include <algorithm>

#include "sum_of_vector.h"

namespace {

using reductions::Answer;
using Element = int;
using Vector = reductions::Line<Element>;

Answer sum(Vector vector) { return reductions::sum(vector); }

/// What is left of a sum that is kept in an int.
long double wrapped(Vector vector) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(static_cast<std::int64_t>(sum(vector).value)));
}

}  // namespace

extern "C" void oracle(const OracleCall* call) { sum_of_vector::oracle<Element>(call, sum); }
extern "C" void baseline(const OracleCall* call) { sum_of_vector::baseline<Element, long long>(call); }
extern "C" const char* usual_mistake(const OracleCall* call, int which) {
  const auto vector = sum_of_vector::all<Element>(call);
  switch (which) {
    case 0:
      reductions::store(call, 0, {wrapped(vector)});
      return "the sum modulo 2^32: it overflowed an int; add up in long long";
    case 1:
    case 2:
    case 3:
    case 4: {
      const std::int64_t block = std::int64_t{128} << (which - 1);
      if (vector.count <= block) return "";  // one block: the sum itself overflowed
      Answer total;
      for (std::int64_t i = 0; i < vector.count; i += block)
        total.value += wrapped({vector.begin + i, std::min(block, vector.count - i)});
      reductions::store(call, 0, total);
      return "the sum of blocks whose own sums overflowed an int: add up in long long within a block, too";
    }
    default: return sum_of_vector::mistake<Element>(call, which - 5, sum);
  }
}
