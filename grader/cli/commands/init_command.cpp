#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "grader/cli/command.h"
#include "grader/cli/files/new_file.h"
#include "grader/cli/print.h"
#include "grader/course/cache.h"
#include "grader/diagnostics/messages/cli.h"

namespace cudalabs::cli {
namespace {

constexpr std::size_t kMaxTemplateBytes = 1 << 20;

/// `course`: the folder of --course, or "" for the default course. The file is for an IDE: it compiles the
/// submission with plain nvcc, as a library, because the grader has its own main.
std::string cmake_lists(const Lab& lab, const std::string& course) {
  return fmt::format(
      R"(# Compiles {file} with plain nvcc, so that an IDE knows it and shows its errors.
# The target `grade` runs the grader on this folder.
cmake_minimum_required(VERSION 3.18)
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 80)
endif()
project({entry} LANGUAGES CXX CUDA)

add_library({entry} STATIC {file})
# As the grader compiles it.
target_compile_options({entry} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-std=c++20 --expt-relaxed-constexpr --extended-lambda>)

add_custom_target(grade COMMAND grader {lab} {variant} --submission ${{CMAKE_CURRENT_SOURCE_DIR}}{course} USES_TERMINAL)
)",
      fmt::arg("file", lab.file), fmt::arg("entry", lab.entry), fmt::arg("lab", lab.lab),
      fmt::arg("variant", lab.variant),
      fmt::arg("course", course.empty()
                             ? std::string()
                             : " --course [==[" + std::filesystem::absolute(course).string() + "]==]"));
}

Result<std::vector<NewFile>> files_of(const Lab& lab, const std::string& course) {
  std::vector<NewFile> files;
  std::vector<std::filesystem::path> course_files = handouts_of(lab);
  course_files.insert(course_files.begin(), {lab.stub, lab.contract});
  for (const std::filesystem::path& from : course_files) {
    auto content = read_file(from, kMaxTemplateBytes);
    if (!content) return content.problem();
    files.push_back({from.filename().string(), std::move(*content)});
  }
  files.push_back({"CMakeLists.txt", cmake_lists(lab, course)});
  return files;
}

}  // namespace

int init_command(const Arguments& arguments) {
  std::string lab_name, variant, folder_name, course_folder;
  CommandLine line(
      "grader init", "grader init LAB VARIANT [DIR] [OPTIONS]",
      "Creates a folder to work in: the stub to fill in, the contract, the handout, and a CMakeLists.txt for "
      "an IDE.\n"
      "Existing files are kept as they are.");
  line.positional("LAB", lab_name, "The lab, for example lab3");
  line.positional("VARIANT", variant, "Its variant, for example variant4");
  line.positional("DIR", folder_name, "The folder to create [./LAB/VARIANT]");
  line.footer("Example:\n  grader init lab3 variant4\n");
  add_course_option(line, course_folder);
  if (auto status = line.parse(arguments)) return *status;
  if (lab_name.empty() || variant.empty()) {
    return report_error(
        error(msg::init_needs_lab(), {msg::for_example("grader init lab3 variant4"), msg::list_shows_them()}),
        kUsage);
  }
  auto course = find_course(course_folder, lab_name);
  if (!course) return report_error(course.problem(), kUsage);
  auto lab = load_lab(*course, lab_name, variant);
  if (!lab) return report_error(lab.problem(), kUsage);
  auto files = files_of(*lab, course_folder);
  if (!files) return report_error(files.problem(), kCouldNotGrade);

  const std::filesystem::path folder = folder_name.empty() ? std::filesystem::path(lab->lab) / lab->variant
                                                           : std::filesystem::path(folder_name);
  std::error_code problem;
  std::filesystem::create_directories(folder, problem);
  if (problem) {
    return report_error(error(msg::output_folder_not_made(folder.string(), problem.message())), kUsage);
  }
  // Prefers the handout in the reader's language, if the lab has it: handout.ru.md.
  std::string handout = lab->handout.filename().string();
  const std::string own = lab->handout.stem().string() + "." + spoken_language() + ".md";
  if (std::ranges::any_of(*files, [&](const NewFile& file) { return file.name == own; })) handout = own;
  for (const NewFile& file : *files) {
    const auto created = create_file(folder / file.name, file.content);
    if (!created) return report_error(created.problem(), kUsage);
    print_out("{} {}\n", *created ? tr("made") : tr("kept"), (folder / file.name).string());
  }
  print_out("\nRead {}, fill in {}, then grade it:\n  grader {} {}{}{}\n", (folder / handout).string(),
            (folder / lab->file).string(), lab->lab, lab->variant,
            folder_name.empty() ? std::string() : " --submission " + folder.string(),
            course_folder.empty() ? std::string() : " --course " + course_folder);
  return kPassed;
}

}  // namespace cudalabs::cli
