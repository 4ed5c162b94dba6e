#include "tests/harness/workplace.h"

#include "tests/harness/process.h"

namespace cudalabs::test {
namespace {

namespace fs = std::filesystem;

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

}  // namespace

void copy_course(const fs::path& to) {
  for (const char* folder : {"configs", "labs", "student_templates", "reference"})
    fs::copy(fs::path(CUDALABS_SOURCE) / folder, to / folder, fs::copy_options::recursive);
}

Workplace::Workplace() : root_(fs::path(CUDALABS_BIN).parent_path()) {
  fs::create_directory(work());
  fs::create_directory(course());
  copy_course(course());
}

std::string Workplace::grader(const std::string& arguments, const std::string& language) const {
  const Ended ended = run({.words = shell("'" CUDALABS_BIN "/grader' " + arguments),
                           .folder = work(),
                           .environment = {{"CUDA_LABS_COURSE", course().string()},
                                           {"LC_ALL", "C.UTF-8"},
                                           {"LANGUAGE", language}},
                           .together = true});
  std::string text = ended.out;
  replace_all(text, course().string(), "COURSE");
  replace_all(text, work().string(), "WORK");
  return "$ " + (language.empty() ? "" : "LANGUAGE=" + language + " ") + "grader " + arguments + "\n" + text +
         "[exit status " + std::to_string(ended.status) + "]\n";
}

}  // namespace cudalabs::test
