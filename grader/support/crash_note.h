#pragma once
// Words for a crash in code that is not ours but runs in our process: a course's oracle is a library that the
// grader loads, and without this a null pointer there would end the grader without a word.

#include <string>

namespace cudalabs {

/// While it lives, a fatal signal in its thread writes "grader: TEXT (SIGNAL)" and `hint` to stderr and ends
/// the process with status 3 ("could not grade"). One a thread at a time.
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
