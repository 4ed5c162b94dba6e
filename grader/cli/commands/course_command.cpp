// `grader course`: a course as one file, or as a grader that carries it.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "grader/base/human.h"
#include "grader/base/process/search_path.h"
#include "grader/base/text.h"
#include "grader/cli/command.h"
#include "grader/cli/interrupt.h"
#include "grader/cli/print.h"
#include "grader/course/cache.h"
#include "grader/course/course.h"
#include "grader/course/embedded_course.h"
#include "grader/course/pack/carried.h"
#include "grader/diagnostics/messages/cli.h"
#include "grader/diagnostics/messages/score.h"
#include "grader/grading/edition/edition.h"
#include "grader/present/csv.h"
#include "grader/present/layout.h"

namespace cudalabs::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEnding = ".course";

struct Wanted {
  std::string action, first, second, edition, course, key;
  std::vector<std::string> profiles;
  std::string compiler;
};

/// $XDG_CONFIG_HOME or ~/.config; the user's own key lies there. Empty: this user has no home.
fs::path usual_key() {
  const std::string config = environment("XDG_CONFIG_HOME"), home = environment("HOME");
  const fs::path folder = config.starts_with('/') ? fs::path(config)
                          : home.starts_with('/') ? fs::path(home) / ".config"
                                                  : fs::path();
  return folder.empty() ? folder : folder / "cuda-labs" / "course.key";
}

/// Error: others can read the key.
Result<void> check_private(const fs::path& key) {
  std::error_code problem;
  const fs::perms mode = fs::status(key, problem).permissions();
  if (problem || (mode & (fs::perms::group_all | fs::perms::others_all)) == fs::perms::none) return {};
  return Diagnostic{{key.string(), 0, 0}, msg::key_is_open(), msg::close_key(key.string())};
}

/// The key of --key, which must exist; else the user's own, which is made if it is missing.
Result<SigningKey> signing_key(const std::string& named) {
  const fs::path file = named.empty() ? usual_key() : fs::path(named);
  std::error_code ignored;
  if (file.empty()) return error(msg::no_place_for_key(), msg::name_key_file());
  if (!named.empty() || fs::exists(file, ignored)) {
    if (auto is_private = check_private(file); !is_private) return is_private.problem();
    constexpr std::size_t kMaxKey = 4096;
    const auto text = read_file(file, kMaxKey);
    if (!text) return text.problem();
    auto key = SigningKey::read(*text);
    if (!key) return Diagnostic{{file.string(), 0, 0}, key.problem().message, key.problem().hint};
    return key;
  }
  auto key = SigningKey::fresh();
  if (!key) return key;
  if (auto made = make_private_folder(file.parent_path()); !made) return made.problem();
  if (auto put = write_file_atomically(file, key->text()); !put) return put.problem();
  log_progress(msg::key_made(file.string()));
  return key;
}

/// `mode`: what holds solutions is for its owner alone.
Result<void> write_with_mode(const fs::path& file, std::string_view bytes, fs::perms mode) {
  if (auto put = write_file_atomically(file, bytes); !put) return put;
  std::error_code problem;
  fs::permissions(file, mode, problem);
  if (problem) return error(msg::output_folder_not_made(file.string(), problem.message()));
  return {};
}

constexpr fs::perms kOwnFile{0600}, kOwnProgram{0700}, kPublicFile{0644}, kPublicProgram{0755};

/// Error: this program is the students' edition, from which nothing can be packed.
Result<void> check_program() {
  const auto shipped = shipped_courses();
  if (!shipped) return shipped.problem();
  if (shipped->front().for_students) return error(msg::edition_not_exported(), msg::staff_grader_needed());
  return {};
}

/// Opens what was packed, as its users will: better an error here than there.
Result<void> check_pack(const std::string& bytes) {
  const auto pack = read_pack(bytes);
  if (!pack) return pack.problem();
  const auto folder = unpack_course(*pack);
  if (!folder) return folder.problem();
  const auto course = find_course(folder->string());
  if (!course) return course.problem();
  const auto labs = load_all_labs(*course);
  if (!labs) return labs.problem();
  return {};
}

std::string kib(std::size_t bytes) { return fmt::format("{} KiB", (bytes + 1023) / 1024); }

int pack(const Wanted& wanted) {
  if (wanted.first.empty() || wanted.second.empty())
    return report_error(
        error(msg::course_pack_needs(), msg::for_example("grader course pack my_course my_course.course")),
        kUsage);
  if (auto can = check_program(); !can) return report_error(can.problem(), kUsage);
  if (!wanted.second.ends_with(kEnding))
    return report_error(error(msg::pack_name_ending(wanted.second)), kUsage);
  const auto course = find_course(wanted.first);
  if (!course) return report_error(course.problem(), kUsage);
  // What no command could use is not packed.
  const auto labs = load_all_labs(*course);
  if (!labs) return report_error(labs.problem(), kUsage);
  const auto key = signing_key(wanted.key);
  if (!key) return report_error(key.problem(), kUsage);
  auto files = staff_files({*course});
  if (!files) return report_error(files.problem(), kUsage);
  const std::size_t count = files->size();
  const std::string bytes = write_pack(std::move(*files), *key);
  if (auto whole = check_pack(bytes); !whole) return report_error(whole.problem(), kUsage);
  if (auto put = write_with_mode(wanted.second, bytes, kOwnFile); !put)
    return report_error(put.problem(), kUsage);
  print_out("{}: {} {}, {} files, {}, signed by {}\n", wanted.second, labs->size(),
            labs->size() == 1 ? "variant" : "variants", count, kib(bytes.size()), signer_of(*key));
  print_out("It holds the solutions: it is for staff and for graders. Use it as `--course {}`.\n",
            wanted.second);
  return kPassed;
}

/// The compilers of --compiler, else all that are here.
Result<std::vector<CompilerChoice>> compilers(const std::string& named) {
  if (!named.empty()) {
    auto choice = chosen_compiler(named);
    if (!choice) return choice.problem();
    return std::vector{*choice};
  }
  std::vector<CompilerChoice> found;
  for (const CompilerChoice choice : {CompilerChoice::Nvcc, CompilerChoice::Clang})
    if (find_build_tools(choice)) found.push_back(choice);
  if (found.empty()) return error(msg::no_compiler_for_figures());
  return found;
}

constexpr const char* kStudentsReadMe = R"(# The grader of your course

`grader` is one file: copy it to a folder of your PATH, or start it as `./grader`.

    grader list                  shows the labs
    grader init {lab} {variant}      makes a folder with the stub, the contract and the handout
    grader {lab} {variant}           grades it

It needs Linux on x86-64 and {compiler}, and no GPU.
)";

constexpr const char* kRussianReadMe = R"(
# Grader вашего курса

`grader` – это один файл: скопируйте его в папку из PATH или запускайте как `./grader`.

    grader list                  показывает задания
    grader init {lab} {variant}      создаёт папку с заготовкой, контрактом и заданием
    grader {lab} {variant}           проверяет решение

Нужны Linux на x86-64 и {compiler}; видеокарта не нужна.
)";

constexpr const char* kStaffReadMe = R"(# The grader of your course, for its staff

`grader` holds the course with its solutions. Never hand it out: `grader course export --for students FOLDER`
makes the edition for students.
)";

std::string read_me(const Wanted& wanted, const Course& course,
                    const std::vector<CompilerChoice>& compilers) {
  if (wanted.edition == "staff") return kStaffReadMe;
  const auto labs = lab_names(course);
  const std::string lab = labs.empty() ? "LAB" : labs.front();
  const auto variants = variant_names(course, lab);
  std::string compiler;
  for (const CompilerChoice choice : compilers)
    compiler +=
        (compiler.empty() ? "" : ", ") + std::string(choice == CompilerChoice::Nvcc ? "nvcc" : "clang");
  const bool russian = std::ranges::find(course.languages, "ru") != course.languages.end();
  return fmt::format(
      fmt::runtime(std::string(kStudentsReadMe) + (russian ? kRussianReadMe : "")), fmt::arg("lab", lab),
      fmt::arg("variant", variants.empty() ? "VARIANT" : variants.front()), fmt::arg("compiler", compiler));
}

Result<std::vector<PackedFile>> exported_files(const Wanted& wanted, const std::vector<Course>& courses,
                                               const std::vector<CompilerChoice>& compilers) {
  if (wanted.edition == "staff") return staff_files(courses);
  Export request;
  request.compilers = compilers;
  request.profiles = wanted.profiles;
  if (request.profiles.empty())
    request.profiles.push_back(courses[0].device_profile.empty() ? std::string(kDefaultProfile)
                                                                 : courses[0].device_profile);
  if (request.profiles == std::vector<std::string>{"all"})
    request.profiles = device_profile_names(courses[0]);
  const Interrupt interrupt;
  request.cancel = interrupt.flag();
  request.progress = log_progress;
  return students_files(courses, request);
}

int export_edition(const Wanted& wanted) {
  if (wanted.edition.empty() || wanted.first.empty())
    return report_error(
        error(msg::course_export_needs(), msg::for_example("grader course export --for students handed_out")),
        kUsage);
  if (wanted.edition != "students" && wanted.edition != "staff")
    return report_error(error(msg::unknown_edition(wanted.edition)), kUsage);
  if (auto can = check_program(); !can) return report_error(can.problem(), kUsage);
  const fs::path folder = wanted.first;
  std::error_code problem;
  for (const char* name : {"grader", "README.md"})
    if (fs::exists(fs::symlink_status(folder / name, problem)))
      return report_error(error(msg::export_exists((folder / name).string()), msg::name_another_folder()),
                          kUsage);
  const auto courses = find_courses(wanted.course);
  if (!courses) return report_error(courses.problem(), kUsage);
  const auto key = signing_key(wanted.key);
  if (!key) return report_error(key.problem(), kUsage);
  const auto used = compilers(wanted.compiler);
  if (!used && wanted.edition == "students") return report_error(used.problem(), kUsage);
  const std::vector<CompilerChoice> all = used ? *used : std::vector<CompilerChoice>();
  auto files = exported_files(wanted, *courses, all);
  if (!files) return report_error(files.problem(), kUsage);
  const std::size_t count = files->size();
  std::vector<std::string_view> without;
  for (const EmbeddedFile& file : embedded_course())
    if (is_of_course(file)) without.push_back(file.bytes);
  const std::string bytes = write_pack(std::move(*files), *key);
  if (auto whole = check_pack(bytes); !whole) return report_error(whole.problem(), kUsage);
  const auto program = program_carrying(bytes, without);
  if (!program) return report_error(program.problem(), kCouldNotGrade);
  fs::create_directories(folder, problem);
  if (problem)
    return report_error(error(msg::output_folder_not_made(folder.string(), problem.message())), kUsage);
  const bool is_public = wanted.edition == "students";
  if (auto put = write_with_mode(folder / "README.md", read_me(wanted, courses->front(), all), kPublicFile);
      !put)
    return report_error(put.problem(), kUsage);
  if (auto put = write_with_mode(folder / "grader", *program, is_public ? kPublicProgram : kOwnProgram); !put)
    return report_error(put.problem(), kUsage);
  print_out("{}: the edition for {}, {} files, {}, signed by {}\n", (folder / "grader").string(),
            wanted.edition, count, kib(program->size()), signer_of(*key));
  return kPassed;
}

/// Whoever made the file may have put anything into its texts.
std::string shown(const std::string& text) { return printable(one_line(text)); }

int show(const Wanted& wanted) {
  const auto course = find_course(wanted.first);
  if (!course) return report_error(course.problem(), kUsage);
  const auto labs = load_all_labs(*course);
  if (!labs) return report_error(labs.problem(), kUsage);
  print_out("{} ({}), {}\n", shown(title_of(course->titles)), course->name,
            course->for_students ? "for students" : "for staff: it holds the solutions");
  print_out("signed by {}\n", course->signer.empty() ? "nobody" : course->signer);
  for (const Lab& lab : *labs)
    print_out("{} {}   {} ({} points)\n", lab.lab, lab.variant, shown(translated_word(lab.title)),
              human_points(lab.max_points()));
  return kPassed;
}

}  // namespace

int course_command(const Arguments& arguments) {
  Wanted wanted;
  CommandLine line(
      "grader course",
      "grader course pack DIR OUT.course [OPTIONS]\n"
      "       grader course export --for students FOLDER [OPTIONS]\n"
      "       grader course show FILE.course",
      "Makes one file of a course, which --course takes; or a grader that carries it, for students\n"
      "(without solutions, sources of oracles, planted bugs and hidden cases) or for staff.");
  line.positional("ACTION", wanted.action, "pack, export or show");
  line.positional("FROM", wanted.first, "pack: the folder; export: the folder to write; show: the file");
  line.positional("OUT", wanted.second, "pack: the file to write, OUT.course");
  line.option("--for", "WHOM", wanted.edition, "export: students or staff");
  line.repeated(
      "--device-profile", "NAME", wanted.profiles,
      "export: the cards whose times students can have estimated; may be repeated; all [the course's]");
  add_compiler_option(line, wanted.compiler);
  line.option("--key", "FILE", wanted.key, "The key that signs [your own; made at the first time]");
  line.choices("ACTION", {"pack", "export", "show"});
  line.choices("--for", {"students", "staff"});
  line.footer(
      "Examples:\n  grader course pack my_course my_course.course\n"
      "  grader course export --for students handed_out\n"
      "  grader course export --for staff for_services --course my_course\n");
  add_course_option(line, wanted.course);
  if (auto status = line.parse(arguments)) return *status;
  static const std::vector<std::string> actions{"pack", "export", "show"};
  if (wanted.action == "pack") return pack(wanted);
  if (wanted.action == "export") return export_edition(wanted);
  if (wanted.action == "show") return show(wanted);
  if (wanted.action.empty()) return report_error(error(msg::course_needs_action()), kUsage);
  return report_error(error(msg::unknown_course_action(wanted.action, suggestion(wanted.action, actions))),
                      kUsage);
}

}  // namespace cudalabs::cli
