#pragma once
// Times and counts of the grader's steps, for `--stats`. Off by default: a step then costs one load.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// The steps whose times `--stats` shows, in the order of its table. A step that runs during another one
// counts in both.
#define CUDALABS_METRICS(X)                    \
  X(name, "words for the table")               \
  X(Intake, "read what was handed in")         \
  X(LoadLab, "read the lab")                   \
  X(FindCompilers, "find the compilers")       \
  X(Build, "build the submission")             \
  X(Compiler, "run a compiler or linker")      \
  X(Oracle, "build or load the oracle")        \
  X(StartDevice, "start a device process")     \
  X(StartProgram, "start a program")           \
  X(MakeCase, "make a case's data")            \
  X(RunCase, "run a case")                     \
  X(Call, "call an entry")                     \
  X(Program, "run the program")                \
  X(Request, "requests to the device process") \
  X(Compare, "compare results")                \
  X(Reference, "run the reference")            \
  X(Measure, "measure on the GPU")             \
  X(Score, "score")                            \
  X(Grade, "grade a submission")               \
  X(Report, "write results")                   \
  X(Command, "the whole command")

namespace cudalabs::logging {

enum class Metric : std::uint8_t {
#define CUDALABS_NAME(name, words) name,
  CUDALABS_METRICS(CUDALABS_NAME)
#undef CUDALABS_NAME
};

/// A row of the table.
struct MetricRow {
  std::string_view words;
  std::uint64_t count = 0;
  std::chrono::nanoseconds total{0};
};

namespace detail {
extern std::atomic<bool> measures;
void add(Metric metric, std::uint64_t count, std::chrono::nanoseconds time);
}  // namespace detail

/// Steps are measured from now on.
void start_stats();
inline bool measures() { return detail::measures.load(std::memory_order_relaxed); }

/// The metrics that have been counted, in the table's order.
std::vector<MetricRow> metric_rows();

/// What was counted since the last call, as text, for add_stats() in another process. Empty: nothing.
std::string take_stats();
/// Adds what another process counted. Text in another form is ignored.
void add_stats(std::string_view text);

/// Counts a step, and its time from here to the end of the scope.
class Timed {
 public:
  explicit Timed(Metric metric) : metric_(metric), on_(measures()) {
    if (on_) start_ = std::chrono::steady_clock::now();
  }
  ~Timed() {
    if (on_) detail::add(metric_, 1, std::chrono::steady_clock::now() - start_);
  }
  Timed(const Timed&) = delete;
  Timed& operator=(const Timed&) = delete;

 private:
  Metric metric_;
  bool on_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace cudalabs::logging
