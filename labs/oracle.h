#pragma once
// What a lab's oracle.cpp implements. The grader compiles it with the host's C++ compiler, loads it and calls
// it with the inputs of each test case; it is trusted code and never meets a submission.
//
//   extern "C" void oracle(const OracleCall* call);      the right answer
//   extern "C" void baseline(const OracleCall* call);    the course's plain single-thread C program, timed
//   extern "C" const char* usual_mistake(const OracleCall* call, int which);   (optional) well-known wrong answers
//
// `oracle` computes in double, or in 64-bit integers where the output's elements are integers, and sets every
// number of `expected`: before, they may hold anything. For `usual_mistake` they are 0.
// `usual_mistake` fills `expected` with what a submission with mistake number `which` (0, 1, ...) returns,
// and returns the mistake in words, to follow "this is ": "the minimum of each row instead of its maximum".
// Words with {} have text_of() for what stands there, so that a language translates them once.
// It returns nullptr when there is no such number, and "" for one that this case has no room for: a mistake
// that would leave no element at all answers 0, as many others do. Grading asks it only about answers that
// are already known to be wrong; check-labs calls all three for every case.

#include <cstdint>

/// One output, element by element in row-major order.
struct OracleExpected {
  std::int64_t count;      ///< number of elements
  double* values;          ///< for float and double outputs, else nullptr
  std::int64_t* integers;  ///< for int and long long outputs, else nullptr
  /// Only for the tolerance `sum_of_products`, else nullptr: for each element the sum of the absolute values
  /// of the terms, and the number of roundings in the longest chain that leads to it (a sum of n products:
  /// n).
  double* magnitudes;
  double* roundings;
};

/// What stands for a {} of a text: a word of the course, such as "row", or the number where `word` is null.
struct OraclePlace {
  const char* word;  ///< outlives the call
  std::int64_t number;
};
constexpr int kMaxOraclePlaces = 6;
struct OraclePlaces {
  int count;
  OraclePlace all[kMaxOraclePlaces];
};

struct OracleCall {
  const void* const* inputs;       ///< the input parameters in the order of the contract
  const std::int64_t* sizes;       ///< the size parameters in the order of the contract
  const OracleExpected* expected;  ///< the output parameters in the order of the contract; for `oracle`
  void* const* results;            ///< the same, in their own element type; for `baseline`
  OraclePlaces* places;            ///< of the text that `usual_mistake` returns
};

inline OraclePlace oracle_place(const char* word) { return {word, 0}; }
inline OraclePlace oracle_place(std::int64_t number) { return {nullptr, number}; }

/// For `usual_mistake` to return: `text`, in which these stand for its {}.
/// text_of(call, "the {} of the first {} elements only", "sum", 128)
template <class... Places>
const char* text_of(const OracleCall* call, const char* text, Places... places) {
  static_assert(sizeof...(places) <= kMaxOraclePlaces);
  *call->places = {sizeof...(places), {oracle_place(places)...}};
  return text;
}
