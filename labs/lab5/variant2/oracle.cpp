// lab5 variant2, sum of floats: what is right, what it costs on one CPU thread, and what is often wrong.
#include "reductions.h"

namespace {

using reductions::Answer;
using Vector = reductions::Line<float>;

Vector all(const OracleCall* call) { return {static_cast<const float*>(call->inputs[0]), call->sizes[0]}; }

}  // namespace

extern "C" void oracle(const OracleCall* call) { reductions::store(call, 0, reductions::sum(all(call))); }

extern "C" void baseline(const OracleCall* call) {
  const Vector x = all(call);
  float sum = 0;
  for (std::int64_t i = 0; i < x.count; ++i) sum += x.begin[i];
  *static_cast<float*>(call->results[0]) = sum;
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
    default:
      return reductions::vector_mistake(call, which - 3, vector, "sum",
                                        [](Vector part) { return reductions::sum(part); });
  }
}
