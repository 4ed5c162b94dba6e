#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <utility>

#include "grader/base/text.h"
#include "grader/cli/command.h"
#include "grader/cli/files/new_file.h"
#include "grader/cli/lab_checks/copied_lab.h"
#include "grader/cli/print.h"
#include "grader/course/cache.h"
#include "grader/course/course.h"
#include "grader/course/lab_files.h"
#include "grader/course/yaml_reader.h"
#include "grader/diagnostics/messages/cli.h"
#include "grader/diagnostics/messages/course.h"

namespace cudalabs::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxSkeletonBytes = 1 << 20;

/// The files of configs/skeleton, or of a shape in it, and their destinations. Words between @ signs are
/// replaced in both. A skeleton need not have all of them.
constexpr std::array<std::pair<const char*, const char*>, 8> kFiles{{
    {"variant.yaml", "configs/labs/@SLUG@.yaml"},
    {"contract.cuh", "labs/@SLUG@/contract.cuh"},
    {"oracle.cpp", "labs/@SLUG@/oracle.cpp"},
    {"handout.md", "labs/@SLUG@/handout.md"},
    {"handout.ru.md", "labs/@SLUG@/handout.ru.md"},
    {"planted.yaml", "labs/@SLUG@/planted.yaml"},
    {"stub.cu", "student_templates/@SLUG@/@ENTRY@.cu"},
    {"reference.cu", "reference/@SLUG@/@ENTRY@.cu"},
}};

struct Names {
  std::string lab, variant, entry;
};

std::string filled(std::string text, const Names& names) {
  const std::array<std::pair<std::string, std::string>, 4> words{{{"@LAB@", names.lab},
                                                                  {"@VARIANT@", names.variant},
                                                                  {"@SLUG@", names.lab + "/" + names.variant},
                                                                  {"@ENTRY@", names.entry}}};
  for (const auto& [from, to] : words) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
      text.replace(at, from.size(), to);
  }
  return text;
}

/// Names become folders, and the entry becomes a C++ function.
std::optional<Diagnostic> bad_name(const std::string& what, const std::string& name) {
  const auto fits = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
  if (name[0] >= 'a' && name[0] <= 'z' && name.size() <= 40 && std::ranges::all_of(name, fits)) return {};
  return error(msg::not_a_name(name.substr(0, 60), what), msg::rule_of_names());
}

/// The skeletons that hold a whole lab of some shape.
std::vector<std::string> shapes_of(const fs::path& skeletons) {
  std::vector<std::string> shapes;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(skeletons, ignored))
    if (entry.is_directory(ignored)) shapes.push_back(entry.path().filename().string());
  std::ranges::sort(shapes);
  return shapes;
}

/// Labs of the shipped courses that are known by their shape, too.
constexpr std::array<std::pair<const char*, const char*>, 3> kLabsOfShape{
    {{"product", "lab4/variant1"}, {"reduction", "lab5/variant1"}, {"stencil", "stencil/heat"}}};

/// The files of the new lab, from a skeleton; `like`: its shape, or empty.
Result<std::vector<NewFile>> files_from(const Course& course, const std::string& like, const Names& names) {
  const fs::path skeletons = course.file("configs/skeleton");
  std::vector<std::string> shapes = shapes_of(skeletons);
  if (!like.empty() && std::ranges::find(shapes, like) == shapes.end()) {
    for (const auto& [shape, lab] : kLabsOfShape) shapes.emplace_back(shape);
    return error(msg::unknown_choice("shape", like, suggestion(like, shapes)),
                 msg::shape_or_lab(listed(shapes)));
  }
  std::vector<NewFile> files;
  for (const auto& [from, to] : kFiles) {
    const fs::path path = skeletons / like / from;
    std::error_code ignored;
    if (!fs::exists(path, ignored)) continue;
    auto content = read_file(path, kMaxSkeletonBytes);
    if (!content) return content.problem();
    files.push_back({filled(to, names), filled(std::move(*content), names)});
  }
  return files;
}

/// The course whose variant is copied: the new lab's own, else a shipped one. Courses may have labs of one
/// name, so the first one that has the variant; if none has it, the first one that has the lab.
Result<Course> course_to_copy_from(const Course& own, const std::string& lab, const std::string& variant) {
  auto courses = shipped_courses();
  if (!courses) return courses.problem();
  courses->insert(courses->begin(), own);
  const auto has_lab = [&](const Course& course) { return offers(course, lab); };
  auto found = std::ranges::find_if(*courses, [&](const Course& course) {
    return static_cast<bool>(check_variant_exists(course, lab, variant));
  });
  if (found == courses->end()) found = std::ranges::find_if(*courses, has_lab);
  return found == courses->end() ? find_course({}, lab) : Result<Course>(std::move(*found));
}

/// The files of the new lab, from another one; `like`: "LAB/VARIANT". Headers that the old one shares with
/// others of its lab are copied, too.
Result<std::vector<NewFile>> files_of_copy(const Course& course, const std::string& like,
                                           const Names& names) {
  const std::size_t slash = like.find('/');
  const std::string old_lab = like.substr(0, slash), old_variant = like.substr(slash + 1);
  const auto from = course_to_copy_from(course, old_lab, old_variant);
  if (!from) return from.problem();
  const auto lab = load_lab(*from, old_lab, old_variant);
  if (!lab) return lab.problem();
  const CopiedNames copied{*lab, names.lab, names.variant, names.entry};
  std::vector<NewFile> files;
  for (const fs::path& path : files_to_copy(*lab)) {
    auto content = read_file(path, kMaxSkeletonBytes);
    if (!content) return content.problem();
    files.push_back({copied.place(path.lexically_relative(from->root)), copied.text(std::move(*content))});
  }
  return files;
}

/// What editors check the course's configuration by, if the course does not have it.
Result<std::vector<NewFile>> missing_schemas(const Course& course) {
  std::vector<NewFile> files;
  for (const fs::path& schema : files_in(course.file("configs/schema"), ".json")) {
    const fs::path name = fs::path("configs/schema") / schema.filename();
    std::error_code ignored;
    if (fs::exists(course.root / name, ignored)) continue;
    auto content = read_file(schema, kMaxSkeletonBytes);
    if (!content) return content.problem();
    files.push_back({name, std::move(*content)});
  }
  return files;
}

/// The lab that stands for a shape; else `like` itself.
std::string resolved(const std::string& like) {
  for (const auto& [shape, lab] : kLabsOfShape) {
    if (like == shape) return lab;
  }
  return like;
}

}  // namespace

int new_lab_command(const Arguments& arguments) {
  Names names;
  std::string folder, like;
  CommandLine line(
      "grader new-lab", "grader new-lab LAB VARIANT [OPTIONS]",
      "Writes the skeleton of a new variant into the four places of the course. Fill in its TODOs;\n"
      "`grader check-labs LAB VARIANT` then checks that they agree. With --like, starts from a small\n"
      "lab that works.");
  line.positional("LAB", names.lab, "The lab, new or existing, for example lab6");
  line.positional("VARIANT", names.variant, "The new variant, for example variant1");
  line.option("--entry", "NAME", names.entry,
              "The name of the student's functions [solve, or the copied lab's]");
  line.option("--like", "SHAPE", like,
              "Start from a small lab of this shape (docs/adding_a_lab.md), or from any lab: LAB/VARIANT");
  line.footer(
      "Examples:\n  grader new-lab lab6 variant1 --entry smooth\n"
      "  grader new-lab lab7 variant1 --entry keep --like compaction\n"
      "  grader new-lab lab8 variant1 --like lab3/variant4\n");
  add_course_option(line, folder);
  if (auto status = line.parse(arguments)) return *status;
  if (names.lab.empty() || names.variant.empty())
    return report_error(
        error(msg::new_lab_needs_names(), msg::for_example("grader new-lab lab6 variant1 --entry smooth")),
        kUsage);
  like = resolved(like);
  const bool copies = like.find('/') != std::string::npos;
  if (!line.given("--entry") && !copies) names.entry = "solve";
  for (const auto& [what, name] :
       {std::pair("a lab", names.lab), {"a variant", names.variant}, {"an entry", names.entry}}) {
    if (name.empty() && copies && !line.given("--entry")) continue;  // the copied lab's
    if (name.empty())
      return report_error(error(msg::entry_name_empty(), msg::for_example("--entry smooth")), kUsage);
    if (const auto problem = bad_name(what, name)) return report_error(*problem, kUsage);
  }
  if (is_cpp_keyword(names.entry))
    return report_error(error(msg::keyword_as_name("an entry", names.entry)), kUsage);
  const auto commands = command_names();
  if (std::ranges::find(commands, names.lab) != commands.end())
    return report_error(error(msg::name_of_a_command(names.lab)), kUsage);

  const auto course = find_course(folder);
  if (!course) return report_error(course.problem(), kUsage);
  if (course->unpacked)
    return report_error(error(msg::course_is_packed(), msg::name_course_folder()), kUsage);

  auto files = copies ? files_of_copy(*course, like, names) : files_from(*course, like, names);
  if (!files) return report_error(files.problem(), kUsage);
  auto schemas = missing_schemas(*course);
  if (!schemas) return report_error(schemas.problem(), kCouldNotGrade);
  std::ranges::move(*schemas, std::back_inserter(*files));
  for (const NewFile& file : *files) {
    std::error_code ignored;
    if (fs::exists(fs::symlink_status(course->root / file.name, ignored)))
      return report_error(
          error(msg::exists_already((course->root / file.name).string()), msg::choose_another_variant()),
          kUsage);
  }
  for (const NewFile& file : *files) {
    const fs::path path = course->root / file.name;
    std::error_code problem;
    fs::create_directories(path.parent_path(), problem);
    if (problem)
      return report_error(error(msg::output_folder_not_made(path.parent_path().string(), problem.message())),
                          kCouldNotGrade);
    const auto created = create_file(path, file.content);
    if (!created) return report_error(created.problem(), kCouldNotGrade);
    if (!*created) return report_error(error(msg::appeared_meanwhile(path.string())), kCouldNotGrade);
    print_out("made {}\n", path.string());
  }
  print_out(
      "\n{}:\n  grader check-labs {} {}{}\n"
      "docs/adding_a_lab.md explains each step.\n",
      like.empty() ? "Fill in the TODOs of the first five and of the reference, then check it"
                   : "This lab is right. Change it step by step, and check it after each",
      names.lab, names.variant, folder.empty() ? std::string() : " --course " + folder);
  return kPassed;
}

}  // namespace cudalabs::cli
