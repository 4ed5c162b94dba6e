#pragma once
// What a lab's oracle.cpp implements. The grader compiles it with the host's C++ compiler, loads it and calls
// it with the inputs of each test case; it is trusted code and never meets a submission.
//
//   extern "C" void oracle(const OracleCall* call);      the right answer
//   extern "C" void baseline(const OracleCall* call);    the course's plain single-thread C program, timed
//   extern "C" const char* usual_mistake(const OracleCall* call, int which);   (optional) well-known wrong answers
//   extern "C" void make_inputs(const OracleInputs* call);                     (optional) the inputs of a case
//   extern "C" const char* check(const OracleCall* call, OracleFinding* found);
//                                                        (for the tolerance `checked`) judges the outputs itself
//
// `make_inputs` finds inputs drawn from the case's distribution, and changes those that need another form: a
// graph, sorted keys, an image. All that it does must follow from what it is given; OracleRandom is for that.
// `check` gets the outputs of a call in `results`, which it only reads, and returns nullptr if they are right.
// Otherwise it returns what is wrong with them, in words as `usual_mistake` does ("two neighbours have one
// colour"), and may say where.
// `oracle` computes in double, or in 64-bit integers where the output's elements are integers, and sets every
// number of `expected` that counts: before, they may hold anything. For `usual_mistake` they are 0.
// `usual_mistake` fills `expected` with what a submission with mistake number `which` (0, 1, ...) returns,
// and returns the mistake in words, to follow "this is ": "the minimum of each row instead of its maximum".
// Words with {} have text_of() for what stands there, so that a language translates them once.
// It returns nullptr when there is no such number, and "" for one that this case has no room for: a mistake
// that would leave no element at all answers 0, as many others do. Grading asks it only about answers that
// are already known to be wrong; check-labs calls all three for every case.

#include <cstdint>

/// One output, element by element in row-major order; the numbers of a vector, such as float4, follow each
/// other. Both pointers are null for an output of the tolerance `checked`.
struct OracleExpected {
  std::int64_t count;      ///< number of numbers
  double* values;          ///< for outputs of floating-point numbers, else nullptr
  std::int64_t* integers;  ///< for outputs of integers, else nullptr
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
  /// the parameters that are inputs in the order of the contract: `input`, `inout` (what it holds before the
  /// call) and `scalar` (one number)
  const void* const* inputs;
  const std::int64_t* sizes;       ///< the size parameters in the order of the contract
  const OracleExpected* expected;  ///< the parameters `output` and `inout` in that order; for `oracle`
  void* const* results;            ///< the same, in their own type; for `baseline`, and to be read by `check`
  OraclePlaces* places;            ///< of the text that `usual_mistake` returns
};

/// What `check` may say about the place of the mistake.
struct OracleFinding {
  int output;            ///< number among the outputs; -1: the mistake has no place
  std::int64_t element;  ///< number in that output, in row-major order
  double wrong;          ///< the share of its elements that is wrong, from 0 to 1; 0: not known
};

/// For `make_inputs`.
struct OracleInputs {
  void* const* inputs;         ///< arrays in the order of the contract, to be changed; a scalar is only read
  const std::int64_t* counts;  ///< of numbers, of each input
  const std::int64_t* sizes;   ///< the size parameters in the order of the contract
  const char* distribution;    ///< of the case: "uniform"
  std::uint64_t seed;          ///< another one for each case and each repetition
};

/// Random numbers that follow from a seed, the same on every machine.
class OracleRandom {
 public:
  explicit OracleRandom(std::uint64_t seed) : state_(seed) {}
  std::uint64_t bits() {
    state_ += 0x9e3779b97f4a7c15u;
    std::uint64_t x = state_;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
  }
  /// In [0, count).
  std::int64_t below(std::int64_t count) {
    return static_cast<std::int64_t>(bits() % static_cast<std::uint64_t>(count));
  }
  /// In [low, high).
  double uniform(double low, double high) {
    return low + (high - low) * (static_cast<double>(bits() >> 11) * 0x1p-53);
  }

 private:
  std::uint64_t state_;
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
