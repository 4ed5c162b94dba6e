#include "grader/grading/edition/edition.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "grader/course/cache.h"
#include "grader/course/course.h"
#include "grader/course/lab_files.h"
#include "grader/course/yaml_reader.h"
#include "grader/diagnostics/messages/score.h"
#include "grader/grading/cases/compiled_oracle.h"

namespace cudalabs {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kMaxFile = std::size_t{16} << 20;

/// Collects files under the paths that they have in the pack. Of two of one path the first stays.
class Files {
 public:
  Result<void> add(const fs::path& from, const fs::path& as) {
    auto bytes = read_file(from, kMaxFile);
    if (!bytes) return bytes.problem();
    add_bytes(as, std::move(*bytes));
    return {};
  }

  void add_bytes(const fs::path& as, std::string bytes) {
    if (paths_.insert(as.generic_string()).second) files_.push_back({as.generic_string(), std::move(bytes)});
  }

  /// Everything below a folder, without what editors and version control leave there.
  Result<void> add_tree(const fs::path& folder, const fs::path& as) {
    std::error_code failure;
    fs::recursive_directory_iterator it(folder, failure), end;
    for (; !failure && it != end; it.increment(failure)) {
      const std::string name = it->path().filename().string();
      if (name.starts_with(".") || name.ends_with("~")) {
        it.disable_recursion_pending();
        continue;
      }
      std::error_code ignored;
      if (!it->is_regular_file(ignored)) continue;
      if (auto added = add(it->path(), as / it->path().lexically_relative(folder)); !added) return added;
    }
    return {};
  }

  std::vector<PackedFile> take() && { return std::move(files_); }

 private:
  std::vector<PackedFile> files_;
  std::set<std::string> paths_;
};

/// Where the k-th course stands in the pack.
fs::path place_of(const std::vector<Course>& courses, std::size_t k) {
  return k == 0 ? fs::path() : fs::path("courses") / courses[k].name;
}

/// What any course uses of the shipped one: device profiles, rules, headers of oracles, and translations,
/// also those of the courses beside it.
Result<void> add_home(const Course& course, bool for_students, Files& files) {
  if (course.home.empty()) return {};
  if (auto added = files.add_tree(course.home / "configs" / "devices", "configs/devices"); !added)
    return added;
  if (auto added = files.add(course.home / "configs" / "grading.yaml", "configs/grading.yaml"); !added)
    return added;
  if (auto added = files.add_tree(course.home / "languages", "courses/basics/languages"); !added)
    return added;
  std::error_code failure;
  for (fs::directory_iterator it(course.home / "courses", failure), end; !failure && it != end;
       it.increment(failure)) {
    const fs::path languages = fs::path("courses") / it->path().filename() / "languages";
    if (auto added = files.add_tree(it->path() / "languages", languages); !added) return added;
  }
  if (for_students) return {};
  for (const fs::path& header : files_in(course.home / "labs", ".h"))
    if (auto added = files.add(header, fs::path("labs") / header.filename()); !added) return added;
  return {};
}

/// course.yaml, with a name if there was none, and the edition.
Result<std::string> description(const Course& course, std::string edition) {
  YamlNode root;
  root.kind = YamlNode::Kind::Mapping;
  std::error_code ignored;
  if (const fs::path file = course.root / "course.yaml"; fs::exists(file, ignored)) {
    auto read = read_yaml(file, file.string());
    if (!read) return read.problem();
    root = std::move(*read);
  }
  const auto scalar = [](std::string text) {
    YamlNode node;
    node.kind = YamlNode::Kind::Scalar;
    node.scalar = std::move(text);
    return node;
  };
  std::erase_if(root.fields, [](const YamlField& field) { return field.key.scalar == "edition"; });
  for (const char* key : {"name", "title"})
    if (root.find(key) == nullptr) root.fields.push_back({scalar(key), scalar(course.name)});
  root.fields.push_back({scalar("edition"), scalar(std::move(edition))});
  return written(root);
}

/// The lab's YAML without its hidden cases, of which it tells how many there are.
Result<std::string> public_yaml(const Lab& lab) {
  auto root = read_yaml(lab.config_file, lab.config_file.string());
  if (!root) return root.problem();
  const auto hidden = std::ranges::count_if(lab.cases, [](const TestCase& test) { return test.hidden(); });
  if (hidden == 0) return written(*root);
  if (static_cast<std::size_t>(hidden) == lab.cases.size())
    return error(msg::all_cases_hidden(lab.slug), msg::give_public_case());
  for (YamlField& field : root->fields) {
    if (field.key.scalar != "cases") continue;
    std::erase_if(field.value.items, [](const YamlNode& test) {
      const YamlNode* const flag = test.find("hidden");
      std::optional<Diagnostic> ignored;
      return flag != nullptr && as_truth(*flag, "hidden", ignored);
    });
  }
  YamlNode key, count;
  key.kind = count.kind = YamlNode::Kind::Scalar;
  key.scalar = "hidden_elsewhere";
  count.scalar = std::to_string(hidden);
  root->fields.push_back({std::move(key), std::move(count)});
  return written(*root);
}

/// The reference's figures for one compiler and one profile.
Result<void> add_figures(const Course& course, const Lab& lab, const Export& wanted, CompilerChoice compiler,
                         const std::string& profile_name, const fs::path& folder, Files& files) {
  auto profile = load_device_profile(course, profile_name);
  if (!profile) return profile.problem();
  BenchOptions options;
  options.profile = *profile;
  options.compiler = compiler;
  options.cancel = wanted.cancel;
  auto context = GradingContext::open(course, lab.lab, lab.variant, options);
  if (!context) return context.problem();
  const auto name = (*context)->compiler();
  if (!name) return name.problem();
  std::vector<std::optional<ReferenceFigures>> versions(lab.versions.size());
  for (std::size_t v = 0; v < lab.versions.size(); ++v) {
    if (lab.versions[v].speed_points <= 0) continue;
    auto reference = (*context)->reference(v, wanted.progress);
    if (!reference) return reference.problem();
    versions[v] = std::move(reference->figures);
  }
  files.add_bytes(folder / "figures" / figures_file(*profile, name->name),
                  write_figures(std::move(versions), *profile));
  return {};
}

Result<void> add_lab(const Course& course, const Lab& lab, const Export& wanted, const fs::path& place,
                     Files& files) {
  const fs::path own = fs::path(lab.lab) / lab.variant, folder = place / "labs" / own;
  auto yaml = public_yaml(lab);
  if (!yaml) return yaml.problem();
  files.add_bytes(place / "configs" / "labs" / lab.lab / (lab.variant + ".yaml"), std::move(*yaml));
  if (auto added = files.add(lab.contract, folder / "contract.cuh"); !added) return added;
  for (const fs::path& handout : handouts_of(lab))
    if (auto added = files.add(handout, folder / handout.filename()); !added) return added;
  if (auto added = files.add(lab.stub, place / "student_templates" / own / lab.file); !added) return added;
  for (const TestCase& test : lab.cases) {
    for (const CaseFile& file : test.files) {
      if (test.hidden()) continue;
      if (auto added = files.add(lab.oracle.parent_path() / file.name, folder / file.name); !added)
        return added;
    }
  }
  const auto cache = cache_folder();
  if (!cache) return cache.problem();
  auto oracle = oracle_to_hand_out(lab, *cache / "oracles");
  if (!oracle) return oracle.problem();
  files.add_bytes(folder / "oracle.so", std::move(*oracle));
  for (const CompilerChoice compiler : wanted.compilers)
    for (const std::string& profile : wanted.profiles)
      if (auto added = add_figures(course, lab, wanted, compiler, profile, folder, files); !added)
        return added;
  return {};
}

}  // namespace

Result<std::vector<PackedFile>> staff_files(const std::vector<Course>& courses) {
  Files files;
  for (std::size_t k = 0; k < courses.size(); ++k) {
    const Course& course = courses[k];
    auto text = description(course, "staff");
    if (!text) return text.problem();
    files.add_bytes(place_of(courses, k) / "course.yaml", std::move(*text));
    for (const char* folder : {"configs", "labs", "reference", "student_templates", "languages"})
      if (auto added = files.add_tree(course.root / folder, place_of(courses, k) / folder); !added)
        return added.problem();
  }
  if (auto added = add_home(courses[0], false, files); !added) return added.problem();
  return std::move(files).take();
}

Result<std::vector<PackedFile>> students_files(const std::vector<Course>& courses, const Export& wanted) {
  Files files;
  for (std::size_t k = 0; k < courses.size(); ++k) {
    const Course& course = courses[k];
    if (course.for_students) return error(msg::edition_not_exported(), msg::staff_grader_needed());
    const fs::path place = place_of(courses, k);
    auto text = description(course, "students");
    if (!text) return text.problem();
    files.add_bytes(place / "course.yaml", std::move(*text));
    std::error_code ignored;
    if (const fs::path rules = course.root / "configs" / "grading.yaml"; fs::exists(rules, ignored))
      if (auto added = files.add(rules, place / "configs" / "grading.yaml"); !added) return added.problem();
    for (const char* folder : {"configs/devices", "languages"})
      if (auto added = files.add_tree(course.root / folder, place / folder); !added) return added.problem();
    auto labs = load_all_labs(course);
    if (!labs) return labs.problem();
    for (const Lab& lab : *labs) {
      if (wanted.cancel != nullptr && wanted.cancel->load()) return error(msg::grading_interrupted());
      wanted.progress(msg::exporting_lab(lab.slug));
      if (auto added = add_lab(course, lab, wanted, place, files); !added) {
        Diagnostic problem = added.problem();
        problem.message = msg::lab_not_exported(lab.slug, problem.message);
        return problem;
      }
    }
  }
  if (auto added = add_home(courses[0], true, files); !added) return added.problem();
  return std::move(files).take();
}

}  // namespace cudalabs
