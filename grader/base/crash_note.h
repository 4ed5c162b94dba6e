#pragma once
// A message for code that is not ours but runs in our process, when it crashes or does not end. A course's
// oracle is a library that the grader loads; without this, a null pointer there would end the grader
// silently, and an endless loop would stop it.

#include <cstdint>
#include <string>

namespace cudalabs {

/// What such code may take.
struct CallLimits {
  double seconds = 0;       ///< of the processor; without it four times as long, and 20 more
  std::uint64_t bytes = 0;  ///< by which the process may grow
  std::string text, hint;   ///< "the oracle of lab3/variant4, in oracle() for n=3,"
  std::string library;      ///< the path of the code, whose line is told if it has line numbers
  std::string source;  ///< the name of its main file, "oracle.cpp": of inlined code this file's line is told
};

/// During its lifetime, a fatal signal in its thread writes "grader: TEXT (SIGNAL)" and `hint` to stderr and
/// ends the process with status 3 ("could not grade"). So does a thread that exceeds the limits or calls
/// exit(). At most one per thread at a time.
class CrashNote {
 public:
  CrashNote(std::string text, std::string hint, CallLimits limits);
  ~CrashNote();
  CrashNote(const CrashNote&) = delete;
  CrashNote& operator=(const CrashNote&) = delete;

 private:
  std::string text_, hint_;
  CallLimits limits_;
};

/// Ends the process as a crash does: for what such code turns out to have done.
[[noreturn]] void end_by_fault(const std::string& text, const std::string& hint);

}  // namespace cudalabs
