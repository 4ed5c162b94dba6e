#pragma once
// A message for a crash in code that is not ours but runs in our process. A course's oracle is a library that
// the grader loads; without this, a null pointer there would end the grader silently.

#include <string>

namespace cudalabs {

/// During its lifetime, a fatal signal in its thread writes "grader: TEXT (SIGNAL)" and `hint` to stderr and
/// ends the process with status 3 ("could not grade"). At most one per thread at a time.
class CrashNote {
 public:
  CrashNote(std::string text, std::string hint);
  ~CrashNote();
  CrashNote(const CrashNote&) = delete;
  CrashNote& operator=(const CrashNote&) = delete;

 private:
  std::string text_, hint_;
};

}  // namespace cudalabs
