// @LAB@ @VARIANT@: the right answer, its time on one CPU thread, and usual mistakes. oracle.h describes what each
// function gets.
#include "oracle.h"

extern "C" void oracle(const OracleCall* call) {
  const auto* x = static_cast<const float*>(call->inputs[0]);
  const OracleExpected& y = call->expected[0];
  for (std::int64_t i = 0; i < y.count; ++i) {
    y.values[i] = x[i];  // TODO: the right answer, in double
  }
}

// The course's plain C program: what speedups are measured against.
extern "C" void baseline(const OracleCall* call) {
  const auto* x = static_cast<const float*>(call->inputs[0]);
  auto* y = static_cast<float*>(call->results[0]);
  for (std::int64_t i = 0; i < call->sizes[0]; ++i) {
    y[i] = x[i];  // TODO: the same as a student would write it for the CPU
  }
}

// What a submission with a well-known mistake returns; the words go after "this is ".
extern "C" const char* usual_mistake(const OracleCall* call, int which) {
  (void)call;
  switch (which) {
    // TODO: one case a mistake: fill call->expected[0].values and return its name.
    default: return nullptr;
  }
}
