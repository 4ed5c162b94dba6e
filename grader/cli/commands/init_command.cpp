#include <algorithm>
#include <filesystem>
#include <iterator>

#include "grader/cli/command.h"
#include "grader/cli/files/editor_files.h"
#include "grader/cli/print.h"
#include "grader/course/cache.h"
#include "grader/diagnostics/messages/cli.h"

namespace cudalabs::cli {
namespace {

constexpr std::size_t kMaxTemplateBytes = 1 << 20;

Result<std::vector<NewFile>> files_of(const Lab& lab, const std::string& course) {
  std::vector<NewFile> files;
  std::vector<std::filesystem::path> course_files = handouts_of(lab);
  course_files.insert(course_files.begin(), {lab.stub, lab.contract});
  for (const std::filesystem::path& from : course_files) {
    auto content = read_file(from, kMaxTemplateBytes);
    if (!content) return content.problem();
    files.push_back({from.filename().string(), std::move(*content)});
  }
  auto more = editor_files(lab, course);
  if (!more) return more.problem();
  std::ranges::move(*more, std::back_inserter(files));
  return files;
}

}  // namespace

int init_command(const Arguments& arguments) {
  std::string lab_name, variant, folder_name, course_folder;
  CommandLine line(
      "grader init", "grader init LAB VARIANT [DIR] [OPTIONS]",
      "Creates a folder to work in: the stub to fill in, the contract, the handout, and files for editors\n"
      "(.vscode/, compile_flags.txt for clangd, CMakeLists.txt).\n"
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
    std::filesystem::create_directories((folder / file.name).parent_path(),
                                        problem);  // else the file says why
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
