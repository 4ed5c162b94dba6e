// lab3 variant6, minimum of each row: what is right, what it costs on one CPU thread,
// and what is often wrong.
#include "extremum.h"

using Better = std::less<>;

extern "C" void oracle(const OracleCall* call) { reductions::each_row<float>(call, extremum::best<Better>); }
extern "C" void baseline(const OracleCall* call) { extremum::baseline<Better>(call); }
extern "C" const char* usual_mistake(const OracleCall* call, int which) {
  static const extremum::Words words = {
      "minimum",
      "a minimum that starts at 0, or takes in a 0 from the edge of a tile, which is too small where every "
      "element of the "
      "row is positive: "
      "start at the row's first element or at +infinity",
      "the maximum of each row instead of its minimum",
      "the smallest absolute value of each row instead of its minimum",
      "a minimum that starts at FLT_MIN, which is the smallest positive float: start at the row's first "
      "element, at "
      "FLT_MAX or at +infinity"};
  return extremum::mistake<Better>(call, which, words);
}
