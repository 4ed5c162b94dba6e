#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <optional>

#include "grader/base/parse_number.h"
#include "grader/base/text.h"
#include "grader/course/cache.h"
#include "grader/course/course.h"
#include "grader/course/embedded_course.h"
#include "grader/course/lab.h"
#include "grader/course/pack/carried.h"
#include "grader/course/read_points.h"
#include "grader/course/yaml_reader.h"
#include "grader/diagnostics/language.h"
#include "grader/diagnostics/messages/course.h"

namespace cudalabs {
namespace fs = std::filesystem;
namespace {

// Any text that a person typed, on one line and short.
std::string shown(std::string_view word) {
  std::string text;
  for (const char c : word.substr(0, 60)) text += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
  return text + (word.size() > 60 ? "..." : "");
}

bool is_course(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_regular_file(folder / "course.yaml", ignored) ||
         fs::is_regular_file(folder / "configs" / "grading.yaml", ignored);
}

std::vector<std::string> read_words(const YamlNode& node, const std::string& what,
                                    std::optional<Diagnostic>& problem) {
  std::vector<std::string> words;
  for (const YamlNode& item : as_list(node, what, problem)) words.push_back(as_text(item, what, problem));
  return words;
}

/// The labs of course.yaml, which must have files.
void read_labs(const YamlNode& node, Course& course, std::optional<Diagnostic>& problem) {
  const auto known = lab_names(course);
  NamedNodes seen;
  for (const YamlNode& item : as_list(node, "'labs'", problem)) {
    const std::string name = as_text(item, "'labs'", problem);
    if (std::ranges::find(known, name) == known.end())
      report(problem, item.where, msg::course_lab_missing(shown(name), suggestion(name, known)));
    if (const YamlNode* first = find_same(seen, name))
      report(problem, item.where, msg::stands_twice("lab", shown(name)),
             msg::first_given_on_line(first->where.line));
    seen.emplace_back(name, &item);
    course.labs.push_back(name);
  }
}

/// fresh, by_student or a number.
void read_seed(const YamlNode& node, Course& course, std::optional<Diagnostic>& problem) {
  const std::string word = as_text(node, "'seed'", problem);
  const auto number = node.quoted ? std::nullopt : parse_number<std::uint64_t>(word);
  if (number) {
    course.seed_policy = SeedPolicy::Fixed;
    course.fixed_seed = *number;
  } else if (word == "by_student") {
    course.seed_policy = SeedPolicy::ByStudent;
  } else if (word != "fresh") {
    report(problem, node.where, msg::no_seed_policy(node.found()), msg::possible_seed_policies());
  }
}

/// Reads what course.yaml says, if there is one.
Result<Course> described(Course course) {
  course.name = course.root.filename().string();
  const fs::path file = course.root / "course.yaml";
  std::error_code ignored;
  if (!fs::exists(file, ignored)) return course;
  const auto root = read_yaml(file, file.string());
  if (!root) return root.problem();
  static const std::vector<std::string> keys = {"name", "title", "languages", "labs", "policies", "edition"};
  static const std::vector<std::string> policies = {"compiler", "device_profile", "seed", "staff_only"};
  static const std::vector<std::string> editions = {"staff", "students"};
  static const std::vector<std::string> compilers = {"auto", "nvcc", "clang"};
  std::optional<Diagnostic> problem;
  const YamlFields fields(*root, "a course", keys, problem);
  course.name = as_identifier(fields.need("name"), "'name'", problem);
  course.titles = read_titles(fields.need("title"), problem);
  if (const YamlNode* languages = fields.maybe("languages"))
    course.languages = read_words(*languages, "'languages'", problem);
  if (const YamlNode* labs = fields.maybe("labs")) read_labs(*labs, course, problem);
  if (const YamlNode* node = fields.maybe("policies")) {
    const YamlFields policy(*node, "'policies'", policies, problem);
    if (const YamlNode* compiler = policy.maybe("compiler"))
      course.compiler = compilers[as_choice(*compiler, "compiler", compilers, problem)];
    if (const YamlNode* seed = policy.maybe("seed")) read_seed(*seed, course, problem);
    if (policy.maybe("device_profile")) course.device_profile = policy.text("device_profile");
    if (const YamlNode* only = policy.maybe("staff_only"))
      course.staff_only = as_truth(*only, "staff_only", problem);
  }
  if (const YamlNode* edition = fields.maybe("edition"))
    course.for_students = as_choice(*edition, "edition", editions, problem) == 1;
  if (problem) return *problem;
  return course;
}

/// A course in a file. It has all that it needs: it is its own home.
Result<Course> packed_course(const fs::path& file) {
  constexpr std::size_t kMaxPack = std::size_t{256} << 20;
  const auto in_file = [&](Diagnostic problem) {
    if (problem.where.file.empty()) problem.where = {file.string(), 0, 0};
    return problem;
  };
  const auto bytes = read_file(file, kMaxPack);
  if (!bytes) return bytes.problem();
  const auto pack = read_pack(*bytes);
  if (!pack) return in_file(pack.problem());
  const char* const signer = std::getenv("CUDA_LABS_COURSE_SIGNER");
  const std::string wanted = signer == nullptr ? "" : signer;
  if (!wanted.empty() && wanted != pack->signer)
    return in_file(error(msg::pack_of_another_signer(pack->signer, wanted), msg::take_course_of_signer()));
  const auto folder = unpack_course(*pack);
  if (!folder) return folder.problem();
  Course course{*folder, true, *folder};
  course.signer = pack->signer;
  return course;
}

fs::path running_binary() {
  std::error_code ignored;
  return fs::read_symlink("/proc/self/exe", ignored);
}

/// The names in a folder: of its folders, or without their extension of the files that have this one.
std::vector<std::string> entries(const fs::path& folder, std::string_view extension) {
  std::vector<std::string> names;
  std::error_code failure;
  for (fs::directory_iterator it(folder, failure), end; !failure && it != end; it.increment(failure)) {
    std::error_code ignored;
    const fs::path& path = it->path();
    if (extension.empty() ? it->is_directory(ignored)
                          : path.extension() == extension && it->is_regular_file(ignored))
      names.push_back(extension.empty() ? path.filename() : path.stem());
  }
  std::ranges::sort(names, natural_less);
  return names;
}

/// languages/LANGUAGE.po of a course.
Result<TextsByLanguage> read_texts(const fs::path& root) {
  constexpr std::size_t kMaxBytes = 4 << 20;
  TextsByLanguage texts;
  for (const std::string& language : entries(root / "languages", ".po")) {
    const fs::path file = root / "languages" / (language + ".po");
    const auto po = read_file(file, kMaxBytes);
    if (!po) return po.problem();
    auto read = InterfaceTexts::read(*po, language, file.string());
    if (!read) return read.problem();
    texts.emplace(language, std::move(*read));
  }
  return texts;
}

/// The shipped course, not described yet. What was put behind the program goes before any folder.
Result<Course> shipped_course() {
  const auto carried = carried_pack();
  if (!carried) return carried.problem();
  for (fs::path folder = running_binary().parent_path(); folder.has_relative_path();
       folder = folder.parent_path()) {
    if (!*carried && is_course(folder)) return Course{folder, false, folder};
  }
  auto unpacked = unpack_own_course();
  if (!unpacked) return unpacked.problem();
  return Course{*unpacked, true, *unpacked};
}

/// `name`: a folder, or the name of a course that the shipped one carries.
Result<Course> named_course(const std::string& name, const char* named_by) {
  const auto home = shipped_course();
  if (!home) return home.problem();
  const bool carried = name.find('/') == std::string::npos && name != "." && name != ".." &&
                       is_course(home->root / "courses" / name);
  const fs::path folder = carried ? home->root / "courses" / name : fs::path(name);
  std::error_code ignored;
  if (fs::is_regular_file(folder, ignored)) {
    auto course = packed_course(folder);
    return course ? described(std::move(*course)) : course;
  }
  if (!is_course(folder)) return error(msg::no_course(name, named_by), msg::what_a_course_is());
  const fs::path whole = fs::canonical(folder, ignored);
  return described({whole.empty() ? folder : whole, carried && home->unpacked, home->root});
}

/// Sets the texts of the course, and behind them those of all courses that the shipped one carries: a lab may
/// be a copy of theirs, or share their headers.
Result<Course> opened(Course course) {
  std::vector<fs::path> roots = roots_of(course);
  for (const std::string& name : entries(course.home / "courses", {}))
    roots.push_back(course.home / "courses" / name);
  std::vector<TextsByLanguage> texts;
  for (auto root = roots.begin(); root != roots.end(); ++root) {
    if (std::find(roots.begin(), root, *root) != root) continue;
    auto read = read_texts(*root);
    if (!read) return read.problem();
    texts.push_back(std::move(*read));
  }
  set_course_texts(std::move(texts));
  return course;
}

}  // namespace

std::vector<fs::path> roots_of(const Course& course) {
  std::vector<fs::path> roots{course.root};
  if (!course.home.empty() && course.home != course.root) roots.push_back(course.home);
  return roots;
}

bool offers(const Course& course, std::string_view lab) {
  const auto labs = lab_names(course);
  return std::ranges::find(labs, lab) != labs.end();
}

fs::path Course::file(const fs::path& relative) const {
  std::error_code ignored;
  return home.empty() || fs::exists(root / relative, ignored) ? root / relative : home / relative;
}

Result<std::vector<Course>> shipped_courses() {
  auto home = shipped_course();
  if (!home) return home.problem();
  std::vector<Course> courses{std::move(*home)};
  for (const std::string& name : entries(courses[0].root / "courses", {})) {
    const fs::path folder = courses[0].root / "courses" / name;
    if (is_course(folder)) courses.push_back({folder, courses[0].unpacked, courses[0].root});
  }
  for (Course& course : courses) {
    auto whole = described(std::move(course));
    if (!whole) return whole.problem();
    course = std::move(*whole);
  }
  return courses;
}

namespace {

/// Courses as find_courses() finds them, before their texts are set.
Result<std::vector<Course>> listed_courses(const std::string& override) {
  const char* variable = std::getenv("CUDA_LABS_COURSE");
  if (override.empty() && (!variable || !*variable)) return shipped_courses();
  auto course =
      override.empty() ? named_course(variable, "CUDA_LABS_COURSE") : named_course(override, "--course");
  if (!course) return course.problem();
  return std::vector{std::move(*course)};
}

}  // namespace

Result<std::vector<Course>> find_courses(const std::string& override) {
  auto courses = listed_courses(override);
  if (!courses) return courses;
  if (auto first = opened(courses->front()); !first) return first.problem();
  return courses;
}

Result<Course> find_course(const std::string& override, std::string_view lab) {
  auto courses = listed_courses(override);
  if (!courses) return courses.problem();
  if (lab.empty()) return opened(std::move(courses->front()));
  std::vector<std::string> labs;
  for (Course& course : *courses) {
    if (offers(course, lab)) return opened(std::move(course));
    std::ranges::move(lab_names(course), std::back_inserter(labs));
  }
  return error(msg::no_lab(shown(lab), suggestion(lab, labs)), msg::the_labs(listed(labs)));
}

std::vector<fs::path> handouts_of(const Lab& lab) {
  std::vector<fs::path> found;
  std::error_code failure;
  for (fs::directory_iterator it(lab.handout.parent_path(), failure), end; !failure && it != end;
       it.increment(failure)) {
    const std::string name = it->path().filename().string();
    if (name.starts_with("handout.") && name.ends_with(".md")) found.push_back(it->path());
  }
  std::ranges::sort(found);
  return found;
}

std::vector<std::string> yaml_names(const fs::path& folder) { return entries(folder, ".yaml"); }

std::vector<std::string> lab_names(const Course& course) {
  return course.labs.empty() ? entries(course.root / "configs" / "labs", {}) : course.labs;
}

std::vector<std::string> variant_names(const Course& course, std::string_view lab) {
  return yaml_names(course.root / "configs" / "labs" / lab);
}

Result<void> check_variant_exists(const Course& course, std::string_view lab, std::string_view variant) {
  // The names come from the command line: look them up in the listing, never put them into a path unchecked.
  const auto labs = lab_names(course);
  if (std::ranges::find(labs, lab) == labs.end()) {
    return error(msg::no_lab(shown(lab), suggestion(lab, labs)), msg::the_labs(listed(labs)));
  }
  const auto variants = variant_names(course, lab);
  if (std::ranges::find(variants, variant) == variants.end()) {
    return error(msg::no_variant(lab, shown(variant), suggestion(variant, variants)),
                 msg::the_variants(listed(variants)));
  }
  return {};
}

Result<std::vector<Lab>> load_all_labs(const Course& course) {
  std::vector<Lab> labs;
  for (const std::string& lab : lab_names(course)) {
    for (const std::string& variant : variant_names(course, lab)) {
      auto loaded = load_lab(course, lab, variant);
      if (!loaded) return loaded.problem();
      labs.push_back(std::move(*loaded));
    }
  }
  return labs;
}

}  // namespace cudalabs
