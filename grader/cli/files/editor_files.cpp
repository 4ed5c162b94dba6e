#include "grader/cli/files/editor_files.h"

#include <fmt/format.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "grader/base/process/search_path.h"
#include "grader/course/embedded_course.h"
#include "grader/diagnostics/messages/course.h"
#include "grader/toolchain/options/clang_flags.h"
#include "grader/toolchain/options/cuda_compiler.h"

namespace cudalabs::cli {
namespace {

namespace fs = std::filesystem;
using EditorJson = nlohmann::ordered_json;

/// A CMake argument that means these bytes; a path holds no "]==]".
std::string cmake_word(const std::string& text) { return "[==[" + text + "]==]"; }

std::string compile_flags(const fs::path& headers) {
  std::string text;
  for (const std::string& flag : editor_flags(headers.string())) text += flag + "\n";
  return text;
}

/// The submission is a library, because the grader has its own main.
std::string cmake_lists(const Lab& lab, const std::string& course) {
  return fmt::format(
      R"(# Compiles {file}, so that an IDE knows it and shows its errors.
# The target `grade` runs the grader on this folder.
cmake_minimum_required(VERSION 3.18...3.25)
set(GRADER {grader} CACHE STRING "The grader")
# Without the CUDA Toolkit the grader takes nvcc's place.
find_program(NVCC nvcc PATHS /usr/local/cuda/bin)
if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{{CUDACXX}})
  if(NOT NVCC)
    execute_process(COMMAND ${{GRADER}} nvcc --toolkit RESULT_VARIABLE failed OUTPUT_VARIABLE toolkit OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(failed)
      message(FATAL_ERROR "${{GRADER}} does not work: name it with -DGRADER=...")
    endif()
    set(NVCC ${{toolkit}}/bin/nvcc)
  endif()
  set(CMAKE_CUDA_COMPILER ${{NVCC}})
endif()
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 80)
endif()
project({entry} LANGUAGES CXX CUDA)

add_library({entry} STATIC {file})
# As the grader compiles it.
target_compile_options({entry} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:{standard} --expt-relaxed-constexpr --extended-lambda>)

add_custom_target(grade COMMAND ${{GRADER}} {lab} {variant} --submission ${{CMAKE_CURRENT_SOURCE_DIR}}{course} USES_TERMINAL)
)",
      fmt::arg("file", lab.file), fmt::arg("entry", lab.entry), fmt::arg("lab", lab.lab),
      fmt::arg("variant", lab.variant), fmt::arg("standard", kSubmissionStandard),
      fmt::arg("grader", cmake_word(own_command())),
      fmt::arg("course", course.empty() ? std::string() : " --course " + cmake_word(course)));
}

/// Finds the lines that `grader run` and --problems write.
EditorJson problem_matchers() {
  const EditorJson common = {{"owner", "grader"},
                             {"source", "grader"},
                             {"fileLocation", {"relative", "${workspaceFolder}"}},
                             {"severity", "error"}};
  EditorJson problems = common, faults = common;
  problems["pattern"] = {{"regexp", R"(^(\S.*?):(\d+):(?:(\d+):)? (error|warning|note): (.*)$)"},
                         {"file", 1},
                         {"line", 2},
                         {"column", 3},
                         {"severity", 4},
                         {"message", 5}};
  faults["pattern"] = {
      {"regexp", R"(^grader: (\S.*?):(\d+): (.*)$)"}, {"file", 1}, {"line", 2}, {"message", 3}};
  return EditorJson::array({problems, faults});
}

EditorJson vscode_task(const std::string& label, std::vector<std::string> arguments,
                       const std::string& course) {
  if (!course.empty()) arguments.insert(arguments.end(), {"--course", course});
  return {{"label", label}, {"type", "process"}, {"command", own_command()}, {"args", std::move(arguments)}};
}

std::string vscode_tasks(const Lab& lab, const std::string& course) {
  EditorJson grade = vscode_task("grade", {lab.lab, lab.variant, "--problems", "/dev/stderr"}, course);
  grade["group"] = {{"kind", "test"}, {"isDefault", true}};
  grade["problemMatcher"] = problem_matchers();
  EditorJson watch = vscode_task("grade at each save", {"watch", lab.lab, lab.variant}, course);
  watch["isBackground"] = true;
  watch["problemMatcher"] = EditorJson::array();
  EditorJson explain = vscode_task("cost of each line", {"explain", lab.lab, lab.variant}, course);
  explain["problemMatcher"] = EditorJson::array();
  EditorJson run =
      vscode_task("run this program and check it", {"run", "${relativeFile}", "--check", "all"}, {});
  run["group"] = {{"kind", "build"}, {"isDefault", true}};
  run["problemMatcher"] = problem_matchers();
  const EditorJson document = {{"version", "2.0.0"},
                               {"tasks", EditorJson::array({grade, watch, explain, run})}};
  return document.dump(2) + "\n";
}

/// clangd prefers a compile_commands.json, where nvcc's flags would stand. With Microsoft's engine on, each
/// error would be shown twice.
std::string vscode_settings() {
  const EditorJson document = {{"C_Cpp.intelliSenseEngine", "disabled"},
                               {"clangd.arguments", {"--header-insertion=never"}},
                               {"cmake.configureOnOpen", false},
                               {"cmake.exportCompileCommandsFile", false}};
  return document.dump(2) + "\n";
}

std::string vscode_extensions() {
  const EditorJson document = {
      {"recommendations", EditorJson::array({"llvm-vs-code-extensions.vscode-clangd"})}};
  return document.dump(2) + "\n";
}

}  // namespace

std::string own_command() {
  std::error_code ignored;
  const fs::path self = fs::read_symlink("/proc/self/exe", ignored);
  const fs::path found = first_program(search_path(), "grader");
  return !found.empty() && fs::equivalent(found, self, ignored) ? "grader" : self.string();
}

Result<fs::path> link_to_headers() {
  const auto folder = cuda_headers_folder();
  if (!folder) return folder.problem();
  const fs::path link = folder->parent_path() / "headers", target = folder->filename();
  std::error_code problem;
  if (fs::read_symlink(link, problem) == target) return link;
  const fs::path fresh = fmt::format("{}.{}", link.string(), ::getpid());
  fs::remove(fresh, problem);
  fs::create_directory_symlink(target, fresh, problem);
  if (!problem) fs::rename(fresh, link, problem);
  if (!problem) return link;
  std::error_code ignored;
  fs::remove(fresh, ignored);
  return error(msg::not_put_at(link.string(), problem.message()));
}

Result<std::vector<NewFile>> editor_files(const Lab& lab, const std::string& course) {
  const auto headers = link_to_headers();
  if (!headers) return headers.problem();
  const std::string from = course.empty() ? "" : fs::absolute(course).string();
  return std::vector<NewFile>{{"compile_flags.txt", compile_flags(*headers)},
                              {"CMakeLists.txt", cmake_lists(lab, from)},
                              {".vscode/tasks.json", vscode_tasks(lab, from)},
                              {".vscode/settings.json", vscode_settings()},
                              {".vscode/extensions.json", vscode_extensions()}};
}

}  // namespace cudalabs::cli
