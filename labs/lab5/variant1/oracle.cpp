// lab5 variant1, sum of ints: what is right, what it costs on one CPU thread, and what is often wrong.
#include <algorithm>

#include "reductions.h"

namespace {

using reductions::Answer;
using Vector = reductions::Line<int>;

Vector all(const OracleCall* call) { return {static_cast<const int*>(call->inputs[0]), call->sizes[0]}; }

/// What is left of a sum that is kept in an int.
long double wrapped(long double sum) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(static_cast<std::int64_t>(sum)));
}

}  // namespace

extern "C" void oracle(const OracleCall* call) { reductions::store(call, 0, reductions::sum(all(call))); }

extern "C" void baseline(const OracleCall* call) {
  const Vector x = all(call);
  long long sum = 0;
  for (std::int64_t i = 0; i < x.count; ++i) sum += x.begin[i];
  *static_cast<long long*>(call->results[0]) = sum;
}

extern "C" const char* usual_mistake(const OracleCall* call, int which) {
  const Vector vector = all(call);
  const auto store = [call](const Answer& answer) { reductions::store(call, 0, answer); };
  switch (which) {
    case 0: {
      Answer twice = reductions::sum(vector);
      twice.value *= 2;
      twice.magnitude *= 2;
      store(twice);
      return "twice the sum: every element is added twice";
    }
    case 1: {
      reductions::Sum absolute;
      for (std::int64_t i = 0; i < vector.count; ++i)
        absolute.add(std::fabs(static_cast<long double>(vector[i])));
      store(absolute.answer());
      return "the sum of the absolute values";
    }
    case 2: store({reductions::best(vector, std::greater<>())}); return "the maximum instead of the sum";
    case 3:
      store({wrapped(reductions::sum(vector).value)});
      return "the sum modulo 2^32: it overflowed an int; add up in long long";
    case 4:
    case 5:
    case 6:
    case 7: {
      const std::int64_t block = std::int64_t{128} << (which - 4);
      Answer total;
      for (std::int64_t i = 0; i < vector.count; i += block) {
        const Vector part{vector.begin + i, std::min(block, vector.count - i)};
        total.value += wrapped(reductions::sum(part).value);
      }
      store(total);
      return "the sum of blocks whose own sums overflowed an int: add up in long long within a block, too";
    }
    default:
      return reductions::vector_mistake(call, which - 8, vector, "sum",
                                        [](Vector part) { return reductions::sum(part); });
  }
}
