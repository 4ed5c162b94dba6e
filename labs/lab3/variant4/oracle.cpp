// lab3 variant4, maximum of each row: what is right, what it costs on one CPU thread,
// and what is often wrong.
#include "extremum.h"

using Better = std::greater<>;

extern "C" void oracle(const OracleCall* call) { reductions::each_row<float>(call, extremum::best<Better>); }
extern "C" void baseline(const OracleCall* call) { extremum::baseline<Better>(call); }
extern "C" const char* usual_mistake(const OracleCall* call, int which) {
  static const extremum::Words words = {
      "maximum",
      "a maximum that starts at 0, or takes in a 0 from the edge of a tile, which is too large where every "
      "element of the "
      "row is negative: "
      "start at the row's first element or at -infinity",
      "the minimum of each row instead of its maximum",
      "the largest absolute value of each row instead of its maximum",
      "a maximum that starts at FLT_MIN, which is the smallest positive float: start at the row's first "
      "element, at "
      "-FLT_MAX or at -infinity"};
  return extremum::mistake<Better>(call, which, words);
}
