#pragma once
// Files of /proc, read with as little work as they are read often.

#include <dirent.h>

#include <charconv>
#include <memory>
#include <string>
#include <string_view>

namespace cudalabs {

/// All of it; empty if it cannot be read.
std::string proc_text(const std::string& path);

/// The threads of a process, one after the other; none if there is no such process.
class ProcTasks {
 public:
  explicit ProcTasks(int pid);
  /// The number of the next one; 0: there are no more.
  int next();
  /// A file of the one that next() has told, as "children"; empty if it is gone.
  [[nodiscard]] std::string text(const char* file) const;

 private:
  struct Close {
    void operator()(DIR* folder) const { ::closedir(folder); }
  };
  std::unique_ptr<DIR, Close> folder_;
  std::string name_;  ///< of its folder in folder_
};

/// Takes the next number off the front of `text`, and the blanks before it. False: there is none.
template <class Number>
bool take_number(std::string_view& text, Number& number) {
  const std::size_t begin = text.find_first_not_of(" \n\t");
  if (begin == std::string_view::npos) return false;
  const auto [end, problem] = std::from_chars(text.data() + begin, text.data() + text.size(), number);
  if (problem != std::errc()) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

}  // namespace cudalabs
