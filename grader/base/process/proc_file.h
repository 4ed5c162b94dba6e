#pragma once
// Reads files of /proc cheaply, because they are read often.

#include <dirent.h>

#include <memory>
#include <string>
#include <string_view>

#include "grader/base/parse_number.h"

namespace cudalabs {

/// The whole file; empty if it cannot be read.
std::string proc_text(const std::string& path);

/// Enumerates the threads of a process; none if there is no such process.
class ProcTasks {
 public:
  explicit ProcTasks(int pid);
  /// The next thread's number; 0: there are no more.
  int next();
  /// A file of the thread that next() returned last, such as "children"; empty if the thread is gone.
  [[nodiscard]] std::string text(const char* file) const;

 private:
  struct Close {
    void operator()(DIR* folder) const { ::closedir(folder); }
  };
  std::unique_ptr<DIR, Close> folder_;
  std::string name_;  ///< of the thread's folder in folder_
};

/// Removes blanks and a number from the front of `text`. False: there is no number.
template <class Number>
bool take_number(std::string_view& text, Number& number) {
  const std::size_t begin = text.find_first_not_of(" \n\t");
  if (begin == std::string_view::npos) return false;
  std::string_view rest = text.substr(begin);
  const auto taken = take_leading_number<Number>(rest);
  if (!taken) return false;
  number = *taken;
  text = rest;
  return true;
}

}  // namespace cudalabs
