#include "grader/grading/edition/edition.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "grader/base/text.h"
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

/// Collects files under the paths that they have in the pack. Of two of one path the first stays. A link that
/// leads out of its course is an error: what it leads to would be handed out.
class Files {
 public:
  explicit Files(const std::vector<Course>& courses) {
    for (const Course& course : courses)
      for (const fs::path& root : roots_of(course)) {
        std::error_code ignored;
        roots_.push_back(fs::canonical(root, ignored));
      }
  }

  Result<void> add(const fs::path& from, const fs::path& as) {
    if (auto inside = check(from); !inside) return inside;
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
      if (it->is_directory(ignored)) continue;
      if (auto added = add(it->path(), as / it->path().lexically_relative(folder)); !added) return added;
    }
    return {};
  }

  std::vector<PackedFile> take() && { return std::move(files_); }

 private:
  [[nodiscard]] Result<void> check(const fs::path& file) const {
    std::error_code problem;
    const fs::path real = fs::canonical(file, problem);
    const bool inside = !problem && std::ranges::any_of(roots_, [&](const fs::path& root) {
      return std::ranges::mismatch(root, real).in1 == root.end();
    });
    if (inside) return {};
    return Diagnostic{{file.string(), 0, 0}, msg::leads_out_of_course(), msg::copy_what_it_leads_to()};
  }

  std::vector<fs::path> roots_;
  std::vector<PackedFile> files_;
  std::set<std::string> paths_;
};

/// Where the k-th course stands in the pack.
fs::path place_of(const std::vector<Course>& courses, std::size_t k) {
  return k == 0 ? fs::path() : fs::path("courses") / courses[k].name;
}

/// What another course uses of the shipped one: device profiles, headers of oracles, and translations, also
/// those of the courses beside it.
Result<void> add_home(const Course& course, bool for_students, Files& files) {
  if (course.home.empty() || course.home == course.root) return {};
  if (auto added = files.add_tree(course.home / "configs" / "devices", "configs/devices"); !added)
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

YamlNode scalar(std::string text) {
  YamlNode node;
  node.kind = YamlNode::Kind::Scalar;
  node.scalar = std::move(text);
  return node;
}

YamlField* field_of(YamlNode& mapping, std::string_view key) {
  const auto found =
      std::ranges::find(mapping.fields, key, [](const YamlField& field) { return field.key.scalar; });
  return found == mapping.fields.end() ? nullptr : &*found;
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
  std::erase_if(root.fields, [](const YamlField& field) { return field.key.scalar == "edition"; });
  for (const char* key : {"name", "title"})
    if (root.find(key) == nullptr) root.fields.push_back({scalar(key), scalar(course.name)});
  root.fields.push_back({scalar("edition"), scalar(std::move(edition))});
  return written(root);
}

using Used = std::set<std::string>;

/// Takes the criteria away that none of these names.
void keep_criteria(YamlNode& root, const Used& used) {
  if (YamlField* const criteria = field_of(root, "criteria"))
    std::erase_if(criteria->value.fields,
                  [&](const YamlField& one) { return !used.contains(one.key.scalar); });
}

/// The rules of a course, with what it takes from the shipped one: whoever gets the pack has only this file.
/// `used`: the criteria to keep; none: all.
Result<std::string> rules_of(const Course& course, const std::optional<Used>& used) {
  YamlNode all;
  all.kind = YamlNode::Kind::Mapping;
  for (const fs::path& root : roots_of(course)) {  // the course's own go before
    const fs::path file = root / "configs" / "grading.yaml";
    std::error_code ignored;
    if (!fs::exists(file, ignored)) continue;
    auto rules = read_yaml(file, file.string());
    if (!rules) return rules.problem();
    for (YamlField& field : rules->fields) {
      YamlField* const mine = field_of(all, field.key.scalar);
      if (mine == nullptr)
        all.fields.push_back(std::move(field));
      else if (field.key.scalar == "limits")  // of which a course may set some
        for (YamlField& limit : field.value.fields)
          if (field_of(mine->value, limit.key.scalar) == nullptr)
            mine->value.fields.push_back(std::move(limit));
    }
  }
  if (used) keep_criteria(all, *used);
  return written(all);
}

/// The number of cases that an entry of `cases` stands for.
std::int64_t cases_of(const YamlNode& group) {
  std::int64_t count = 1;
  for (const YamlField& field : group.fields)
    if (field.value.kind == YamlNode::Kind::Sequence)
      count *= static_cast<std::int64_t>(field.value.items.size());
  return count;
}

/// The lab's YAML without its hidden cases, of which it tells how many stand where: the inputs of the others
/// follow from their places.
Result<std::string> public_yaml(const Lab& lab, const Used& used) {
  auto root = read_yaml(lab.config_file, lab.config_file.string());
  if (!root) return root.problem();
  const auto hidden = std::ranges::count_if(lab.cases, [](const TestCase& test) { return test.hidden(); });
  if (hidden == 0) return written(*root);
  if (static_cast<std::size_t>(hidden) == lab.cases.size())
    return error(msg::all_cases_hidden(lab.slug), msg::give_public_case());
  for (YamlNode& test : field_of(*root, "cases")->value.items) {
    const YamlNode* const flag = test.find("hidden");
    std::optional<Diagnostic> ignored;
    if (flag == nullptr || !as_truth(*flag, "hidden", ignored)) continue;
    const std::int64_t count = cases_of(test);
    test.fields.clear();
    test.fields.push_back({scalar("elsewhere"), scalar(std::to_string(count))});
  }
  keep_criteria(*root, used);
  const bool has_bonus = std::ranges::any_of(
      lab.criteria, [&](const Criterion& one) { return one.bonus && used.contains(one.name); });
  if (!has_bonus)
    for (YamlNode& version : field_of(*root, "versions")->value.items)
      std::erase_if(version.fields,
                    [](const YamlField& field) { return field.key.scalar == "bonus_points"; });
  return written(*root);
}

/// The criteria that public cases test, and those without cases.
Used public_criteria(const Lab& lab) {
  Used used{std::string(kSafe), lab.timed.criterion};
  for (const TestCase& test : lab.cases)
    if (!test.hidden()) used.insert(test.criterion);
  return used;
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
  GivenFigures versions(lab.versions.size());
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
  auto yaml = public_yaml(lab, public_criteria(lab));
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
  Files files(courses);
  for (std::size_t k = 0; k < courses.size(); ++k) {
    const Course& course = courses[k];
    const fs::path place = place_of(courses, k);
    auto text = description(course, "staff");
    if (!text) return text.problem();
    files.add_bytes(place / "course.yaml", std::move(*text));
    auto rules = rules_of(course, std::nullopt);
    if (!rules) return rules.problem();
    files.add_bytes(place / "configs" / "grading.yaml", std::move(*rules));
    for (const char* folder : {"configs", "labs", "reference", "student_templates", "languages"})
      if (auto added = files.add_tree(course.root / folder, place / folder); !added) return added.problem();
  }
  if (auto added = add_home(courses[0], false, files); !added) return added.problem();
  return std::move(files).take();
}

namespace {

/// Device profiles, without their comments.
Result<void> add_profiles(const fs::path& folder, const fs::path& as, Files& files) {
  for (const fs::path& file : files_in(folder, ".yaml")) {
    const auto profile = read_yaml(file, file.string());
    if (!profile) return profile.problem();
    files.add_bytes(as / file.filename(), written(*profile));
  }
  return {};
}

/// Translations, without their comments.
Result<void> add_languages(const fs::path& folder, const fs::path& as, Files& files) {
  for (const fs::path& file : files_in(folder, ".po")) {
    const auto po = read_file(file, kMaxFile);
    if (!po) return po.problem();
    std::string rows;
    for (const std::string& line : split_lines(*po))
      if (!line.starts_with('#')) rows += line + "\n";
    files.add_bytes(as / file.filename(), std::move(rows));
  }
  return {};
}

Result<void> add_students_course(const Course& course, const Export& wanted, const fs::path& place,
                                 Files& files) {
  if (course.for_students) return error(msg::edition_not_exported(), msg::staff_grader_needed());
  auto text = description(course, "students");
  if (!text) return text.problem();
  files.add_bytes(place / "course.yaml", std::move(*text));
  if (auto added = add_profiles(course.root / "configs" / "devices", place / "configs" / "devices", files);
      !added)
    return added;
  if (auto added = add_languages(course.root / "languages", place / "languages", files); !added) return added;
  auto labs = load_all_labs(course);
  if (!labs) return labs.problem();
  Used used;
  for (const Lab& lab : *labs) {
    if (wanted.cancel != nullptr && wanted.cancel->load()) return error(msg::grading_interrupted());
    wanted.progress(msg::exporting_lab(lab.slug));
    used.merge(public_criteria(lab));
    if (auto added = add_lab(course, lab, wanted, place, files); !added) {
      Diagnostic problem = added.problem();
      problem.message = msg::lab_not_exported(lab.slug, problem.message);
      return problem;
    }
  }
  auto rules = rules_of(course, used);
  if (!rules) return rules.problem();
  files.add_bytes(place / "configs" / "grading.yaml", std::move(*rules));
  return {};
}

}  // namespace

Result<std::vector<PackedFile>> students_files(const std::vector<Course>& courses, const Export& wanted) {
  Files files(courses);
  for (std::size_t k = 0; k < courses.size(); ++k)
    if (auto added = add_students_course(courses[k], wanted, place_of(courses, k), files); !added)
      return added.problem();
  if (auto added = add_home(courses[0], true, files); !added) return added.problem();
  return std::move(files).take();
}

}  // namespace cudalabs
