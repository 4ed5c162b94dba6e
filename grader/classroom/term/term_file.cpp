#include "grader/classroom/term/term_file.h"

#include <algorithm>

#include "grader/base/text.h"
#include "grader/course/yaml_reader.h"
#include "grader/diagnostics/messages/classroom.h"
#include "grader/diagnostics/messages/course.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;
using Problem = std::optional<Diagnostic>;

constexpr double kMaxWeight = 1e6;

void read_class(const YamlNode& node, const fs::path& folder, Term& term, Problem& problem) {
  term.class_at = node.where;
  if (node.kind != YamlNode::Kind::Mapping) {
    term.class_file = folder / as_text(node, "'class'", problem);
    return;
  }
  static const std::vector<std::string> keys = {"file", "student", "name", "ids"};
  const YamlFields fields(node, "'class'", keys, problem);
  const YamlNode& file = fields.need("file");
  term.class_at = file.where;
  term.class_file = folder / as_text(file, "'file'", problem);
  if (fields.maybe("student")) term.columns.student = fields.text("student");
  if (fields.maybe("name")) term.columns.name = fields.text("name");
  if (const YamlNode* ids = fields.maybe("ids"))
    for (const YamlNode& item : as_list(*ids, "'ids'", problem))
      term.columns.ids.push_back(as_text(item, "'ids'", problem));
}

std::optional<bool> read_attempt(const YamlFields& fields, Problem& problem) {
  static const std::vector<std::string> choices = {"last", "best"};
  const YamlNode* node = fields.maybe("attempt");
  if (node == nullptr) return std::nullopt;
  return as_choice(*node, "attempt", choices, problem) == 1;
}

std::vector<std::string> variants_of(const TermLab& lab) {
  std::vector<std::string> names;
  for (const TermFolder& folder : lab.folders) names.push_back(folder.variant);
  return names;
}

/// Reports a variant that has no folder.
void check_variant(const TermLab& lab, const std::string& variant, const Location& where, Problem& problem) {
  const std::vector<std::string> known = variants_of(lab);
  if (std::ranges::find(known, variant) == known.end())
    report(problem, where, msg::variant_without_folder(lab.lab, variant, suggestion(variant, known)),
           msg::possible_choices(listed(known)));
}

void read_assigned(const YamlNode& node, TermLab& lab, Problem& problem) {
  lab.assigned_at = node.where;
  if (node.kind != YamlNode::Kind::Mapping) {
    const std::string word = as_text(node, "'assigned'", problem);
    lab.assignment = word == "by_id"     ? Assignment::ById
                     : word == "by_list" ? Assignment::ByList
                                         : Assignment::Column;
    lab.column = word;
    return;
  }
  lab.assignment = Assignment::Named;
  std::map<std::string, int> lines;
  for (const auto& [variant, students] : node.fields) {
    check_variant(lab, variant.scalar, variant.where, problem);
    for (const YamlNode& item : as_list(students, "'" + variant.scalar + "'", problem)) {
      const std::string student = as_text(item, "a student", problem);
      const auto [first, is_new] = lines.emplace(student, item.where.line);
      if (!is_new)
        report(problem, item.where, msg::student_listed_twice(student),
               msg::first_given_on_line(first->second));
      lab.named[student] = variant.scalar;
      lab.named_at[student] = item.where;
    }
  }
}

TermLab read_lab(const YamlNode& node, const fs::path& folder, Problem& problem) {
  static const std::vector<std::string> keys = {"lab",      "title",      "weight", "attempt", "variants",
                                                "assigned", "never_drop", "canvas", "moodle"};
  const YamlFields fields(node, "a lab", keys, problem);
  TermLab lab;
  lab.where = node.where;
  lab.lab = lab.title = fields.text("lab");
  if (fields.maybe("title")) lab.title = fields.text("title");
  if (fields.maybe("weight")) lab.weight = fields.number("weight", 0, kMaxWeight);
  lab.best = read_attempt(fields, problem);
  if (const YamlNode* never = fields.maybe("never_drop"))
    lab.can_be_dropped = !as_truth(*never, "never_drop", problem);
  if (fields.maybe("canvas")) lab.canvas = fields.text("canvas");
  if (fields.maybe("moodle")) lab.moodle = fields.text("moodle");
  const YamlNode& variants = fields.need("variants");
  if (variants.kind != YamlNode::Kind::Mapping)
    report(problem, variants.where, msg::not_a_mapping("'variants'", variants.found()),
           msg::variants_name_folders());
  else if (variants.fields.empty())
    report(problem, variants.where, msg::no_variant_named(), msg::variants_name_folders());
  for (const auto& [name, path] : variants.fields)
    lab.folders.push_back(
        {name.scalar, folder / as_text(path, "'" + name.scalar + "'", problem), name.where});
  if (const YamlNode* assigned = fields.maybe("assigned")) read_assigned(*assigned, lab, problem);
  return lab;
}

/// The same text for each way to name a folder.
std::string whole(const fs::path& folder) {
  std::error_code ignored;
  const fs::path path = fs::weakly_canonical(folder / "", ignored);
  return (path.empty() ? folder : path).string();
}

/// Reports what stands twice: a title of two columns, or a folder whose points would count twice.
void check_labs(const Term& term, Problem& problem) {
  std::map<std::string, Location> titles, folders;
  const auto once = [&problem](std::map<std::string, Location>& seen, const std::string& key,
                               const char* what, const std::string& name, const Location& where) {
    const auto [first, is_new] = seen.emplace(key, where);
    if (!is_new)
      report(problem, where, msg::stands_twice(what, name), msg::first_given_on_line(first->second.line));
  };
  double weights = 0;
  for (const TermLab& lab : term.labs) {
    once(titles, lab.title, "title", lab.title, lab.where);
    for (const TermFolder& folder : lab.folders)
      once(folders, whole(folder.path), "folder", folder.path.string(), folder.where);
    weights += lab.weight;
  }
  if (!(weights > 0) && !term.labs.empty())
    report(problem, term.labs.front().where, msg::term_without_weight());
}

}  // namespace

Result<Term> parse_term(std::string_view text, const fs::path& folder, const std::string& shown) {
  const auto root = parse_yaml(text, shown);
  if (!root) return root.problem();
  Problem problem;
  static const std::vector<std::string> keys = {"title", "class", "attempt", "drop_lowest", "total", "labs"};
  static const std::vector<std::string> total_keys = {"points", "canvas", "moodle"};
  const YamlFields fields(*root, "the term", keys, problem);
  Term term;
  if (fields.maybe("title")) term.title = fields.text("title");
  read_class(fields.need("class"), folder, term, problem);
  const std::optional<bool> best = read_attempt(fields, problem);
  const YamlNode& labs = fields.need("labs");
  for (const YamlNode& item : as_list(labs, "'labs'", problem)) {
    term.labs.push_back(read_lab(item, folder, problem));
    if (!term.labs.back().best) term.labs.back().best = best;
  }
  if (term.labs.empty()) report(problem, labs.where, msg::term_without_labs());
  if (const YamlNode* drop = fields.maybe("drop_lowest")) {
    // One lab at least must remain.
    const auto most = std::max<std::size_t>(term.labs.size(), 1) - 1;
    term.drop_lowest = static_cast<std::size_t>(
        as_integer(*drop, "'drop_lowest'", 0, static_cast<std::int64_t>(most), problem));
  }
  if (const YamlNode* total = fields.maybe("total")) {
    const YamlFields parts(*total, "'total'", total_keys, problem);
    if (parts.maybe("points")) term.points = parts.number("points", 0.01, kMaxWeight);
    if (parts.maybe("canvas")) term.canvas = parts.text("canvas");
    if (parts.maybe("moodle")) term.moodle = parts.text("moodle");
  }
  check_labs(term, problem);
  if (problem) return *problem;
  return term;
}

namespace {

/// The last number in an id, modulo `count`; none: the id has no digit.
std::optional<std::size_t> id_modulo(std::string_view id, std::size_t count) {
  const std::size_t end = id.find_last_of("0123456789");
  if (end == std::string_view::npos) return std::nullopt;
  std::size_t begin = end;
  while (begin > 0 && id[begin - 1] >= '0' && id[begin - 1] <= '9') --begin;
  std::size_t rest = 0;
  for (const char digit : id.substr(begin, end + 1 - begin))
    rest = (rest * 10 + static_cast<std::size_t>(digit - '0')) % count;
  return rest;
}

using Variants = std::map<std::string, std::string>;

void assign_named(const TermLab& lab, const ClassList& list, Variants& variants, Problem& problem) {
  std::vector<std::string> ids;
  for (const auto& [id, position] : list.by_id) ids.push_back(id);
  for (const auto& [name, variant] : lab.named) {
    const auto found = list.by_id.find(name);
    if (found == list.by_id.end()) {
      report(problem, lab.named_at.at(name), msg::not_on_class_list(name, suggestion(name, ids)),
             msg::class_list_is(list.shown));
      continue;
    }
    const std::string& id = list.students[found->second].id;
    const auto [first, is_new] = variants.emplace(id, variant);
    if (!is_new && first->second != variant)
      report(problem, lab.named_at.at(name), msg::student_listed_twice(id));
  }
}

void assign_by_column(const TermLab& lab, const ClassList& list, Variants& variants, Problem& problem) {
  const auto column = std::ranges::find(list.header, lab.column);
  if (column == list.header.end()) {
    std::vector<std::string> names = list.header;
    names.insert(names.end(), {"by_id", "by_list"});
    report(problem, lab.assigned_at,
           msg::no_assignment_column(lab.column, list.shown, suggestion(lab.column, names)),
           msg::assignment_forms());
    return;
  }
  const auto at = static_cast<std::size_t>(column - list.header.begin());
  for (const ListedStudent& student : list.students) {
    const std::string& variant = student.cells[at];
    if (variant.empty()) continue;
    check_variant(lab, variant, {list.shown, student.line, 0}, problem);
    variants[student.id] = variant;
  }
}

}  // namespace

Result<std::vector<Variants>> assigned_variants(const Term& term, const ClassList& list) {
  Problem problem;
  std::vector<Variants> all;
  for (const TermLab& lab : term.labs) {
    Variants& variants = all.emplace_back();
    if (lab.assignment == Assignment::Named) assign_named(lab, list, variants, problem);
    if (lab.assignment == Assignment::Column) assign_by_column(lab, list, variants, problem);
    if (lab.assignment != Assignment::ById && lab.assignment != Assignment::ByList) continue;
    for (std::size_t i = 0; i < list.students.size(); ++i) {
      const ListedStudent& student = list.students[i];
      const std::size_t count = lab.folders.size();
      const auto index =
          lab.assignment == Assignment::ByList ? std::optional(i % count) : id_modulo(student.id, count);
      if (!index)
        report(problem, {list.shown, student.line, 0}, msg::id_without_number(student.id, lab.lab),
               msg::assignment_forms());
      variants[student.id] = lab.folders[index.value_or(0)].variant;
    }
  }
  if (problem) return *problem;
  return all;
}

}  // namespace cudalabs
