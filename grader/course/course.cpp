#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "grader/base/text.h"
#include "grader/course/course.h"
#include "grader/course/embedded_course.h"
#include "grader/course/lab.h"
#include "grader/diagnostics/messages/course.h"

namespace cudalabs {
namespace fs = std::filesystem;
namespace {

bool is_course(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_regular_file(folder / "configs" / "grading.yaml", ignored);
}

Result<Course> named_course(const fs::path& folder, const std::string& named_by) {
  if (!is_course(folder)) {
    return error(msg::no_course(folder.string(), named_by), msg::what_a_course_is());
  }
  std::error_code ignored;
  const fs::path whole = fs::canonical(folder, ignored);
  return Course{whole.empty() ? folder : whole};
}

fs::path running_binary() {
  std::error_code ignored;
  return fs::read_symlink("/proc/self/exe", ignored);
}

// Any text that a person typed, on one line and short.
std::string shown(std::string_view word) {
  std::string text;
  for (const char c : word.substr(0, 60)) text += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
  return text + (word.size() > 60 ? "..." : "");
}

std::vector<std::string> entries(const fs::path& folder, bool folders) {
  std::vector<std::string> names;
  std::error_code failure;
  for (fs::directory_iterator it(folder, failure), end; !failure && it != end; it.increment(failure)) {
    std::error_code ignored;
    const fs::path& path = it->path();
    if (folders && it->is_directory(ignored)) names.push_back(path.filename());
    if (!folders && path.extension() == ".yaml" && it->is_regular_file(ignored)) names.push_back(path.stem());
  }
  std::ranges::sort(names, natural_less);
  return names;
}

}  // namespace

Result<Course> find_course(const fs::path& override) {
  if (!override.empty()) return named_course(override, "--course");
  if (const char* named = std::getenv("CUDA_LABS_COURSE"); named && *named) {
    return named_course(named, "CUDA_LABS_COURSE");
  }
  for (fs::path folder = running_binary().parent_path(); folder.has_relative_path();
       folder = folder.parent_path()) {
    if (is_course(folder)) return Course{folder};
  }
  auto unpacked = unpack_embedded_course();
  if (!unpacked) return unpacked.problem();
  return Course{*unpacked, true};
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

std::vector<std::string> yaml_names(const fs::path& folder) { return entries(folder, false); }

std::vector<std::string> lab_names(const Course& course) {
  return entries(course.root / "configs" / "labs", true);
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
