#pragma once
// What may stand next in a command line of the grader, for a shell's completion.

#include <string>
#include <vector>

namespace cudalabs::cli {

struct Candidate {
  std::string word, about;
};

struct Candidates {
  std::vector<Candidate> words;
  bool files = false;  ///< files of the current folder, too
};

/// `words`: those after `grader`; the last one, maybe empty, is to be completed. Candidates begin with it.
/// bash passes the "=" of "--option=VALUE" as a word of its own; the candidates are then values only.
Candidates candidates_for(std::vector<std::string> words);

}  // namespace cudalabs::cli
