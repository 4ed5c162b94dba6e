// lab5 variant3, sum of doubles: what is right, what it costs on one CPU thread, and what is often wrong.
#include "reductions.h"

namespace {

using reductions::Answer;
using Vector = reductions::Line<double>;

Vector all(const OracleCall* call) { return {static_cast<const double*>(call->inputs[0]), call->sizes[0]}; }

/// One rounding more than the additions have: our own value is rounded to double, too.
Answer rounded_sum(Vector vector) {
  Answer answer = reductions::sum(vector);
  ++answer.roundings;
  return answer;
}

}  // namespace

extern "C" void oracle(const OracleCall* call) { reductions::store(call, 0, rounded_sum(all(call))); }

extern "C" void baseline(const OracleCall* call) {
  const Vector x = all(call);
  double sum = 0;
  for (std::int64_t i = 0; i < x.count; ++i) sum += x.begin[i];
  *static_cast<double*>(call->results[0]) = sum;
}

extern "C" const char* usual_mistake(const OracleCall* call, int which) {
  const Vector vector = all(call);
  const auto store = [call](const Answer& answer) { reductions::store(call, 0, answer); };
  switch (which) {
    case 0: {
      Answer twice = rounded_sum(vector);
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
    default: return reductions::vector_mistake(call, which - 3, vector, "sum", rounded_sum);
  }
}
