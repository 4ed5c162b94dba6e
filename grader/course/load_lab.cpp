// One variant's YAML -> Lab. Every function here reads one part of the file, in the order of the file.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <ranges>

#include "grader/base/log/log.h"
#include "grader/base/log/stats.h"
#include "grader/base/text.h"
#include "grader/course/cache.h"
#include "grader/course/course.h"
#include "grader/course/elements/number_file.h"
#include "grader/course/exact_sums.h"
#include "grader/course/lab.h"
#include "grader/course/lab_files.h"
#include "grader/course/own_words.h"
#include "grader/course/read_parameters.h"
#include "grader/course/read_points.h"
#include "grader/course/yaml_reader.h"
#include "grader/diagnostics/messages/course.h"

namespace cudalabs {
namespace fs = std::filesystem;
namespace {

using Problem = std::optional<Diagnostic>;
using Names = std::vector<std::string>;

constexpr std::size_t kMaxCases = 1000;
constexpr double kMaxBufferBytes = 4.0 * (1 << 30);

template <class Enum>
Names spellings(std::initializer_list<Enum> values) {
  Names names;
  for (const Enum value : values) names.emplace_back(spelling(value));
  return names;
}

constexpr std::initializer_list<Rule> kAllRules = {Rule::SharedMemory,
                                                   Rule::ConstantMemory,
                                                   Rule::Atomics,
                                                   Rule::Thrust,
                                                   Rule::Cub,
                                                   Rule::Cublas,
                                                   Rule::CooperativeLaunch,
                                                   Rule::CooperativeGroups,
                                                   Rule::TensorCores,
                                                   Rule::DynamicParallelism,
                                                   Rule::HostComputation};
constexpr std::initializer_list<Exchange> kAllExchanges = {Exchange::SharedMemory, Exchange::Shuffles};
constexpr std::initializer_list<Distances> kAllDistances = {Distances::Growing, Distances::Shrinking};
constexpr std::initializer_list<Requirement> kAllRequirements = {
    Requirement::UsesSharedMemory, Requirement::BankConflictFree, Requirement::Coalesced,
    Requirement::UsesConstantMemory};
constexpr std::initializer_list<Distribution> kAllDistributions = {
    Distribution::Uniform,  Distribution::Negative,     Distribution::Positive, Distribution::EdgeExtremes,
    Distribution::Dominant, Distribution::Cancellation, Distribution::Constant, Distribution::SmallIntegers,
    Distribution::Outlying, Distribution::ExactSums};

template <class Enum>
Enum as_enum(const YamlNode& node, const std::string& what, std::initializer_list<Enum> values,
             Problem& problem) {
  return values.begin()[as_choice(node, what, spellings(values), problem)];
}

void read_limits(const YamlNode& node, SubmissionLimits& limits, Problem& problem) {
  static const Names keys = {"compile_seconds",   "call_seconds", "submission_seconds",
                             "warp_instructions", "memory_mib",   "output_kib"};
  const YamlFields fields(node, "the limits", keys, problem);
  const auto whole = [&](const char* key, std::int64_t most) -> std::optional<std::uint64_t> {
    const YamlNode* value = fields.maybe(key);
    if (!value) return std::nullopt;
    return static_cast<std::uint64_t>(as_integer(*value, "'" + std::string(key) + "'", 1, most, problem));
  };
  if (fields.maybe("compile_seconds")) limits.compile_seconds = fields.number("compile_seconds", 1, 3600);
  if (fields.maybe("call_seconds")) limits.call_seconds = fields.number("call_seconds", 0.1, 3600);
  if (fields.maybe("submission_seconds"))
    limits.submission_seconds = fields.number("submission_seconds", 1, 86400);
  if (const auto count = whole("warp_instructions", 1'000'000'000'000)) limits.warp_instructions = *count;
  if (const auto mib = whole("memory_mib", 1 << 20)) limits.memory_bytes = *mib << 20;
  if (const auto kib = whole("output_kib", 1 << 20)) limits.output_bytes = *kib << 10;
}

/// configs/grading.yaml: defaults for a variant's missing keys.
struct Defaults {
  SubmissionLimits limits;
  Curve speed_curve;
  std::vector<OwnWords> own_words;
  std::vector<Criterion> criteria;
  Gate gate = Gate::Proportional;
};

/// Reads what a course sets itself; the rest stays as it is.
Result<void> read_defaults(const fs::path& file, Defaults& defaults) {
  const auto root = read_yaml(file, file.string());
  if (!root) return root.problem();
  static const Names keys = {"limits", "speed_curve", "messages", "criteria", "gate"};
  Problem problem;
  const YamlFields fields(*root, "the defaults", keys, problem);
  if (const YamlNode* limits = fields.maybe("limits")) read_limits(*limits, defaults.limits, problem);
  if (const YamlNode* curve = fields.maybe("speed_curve")) defaults.speed_curve = read_curve(*curve, problem);
  if (const YamlNode* words = fields.maybe("messages")) defaults.own_words = read_own_words(*words, problem);
  if (const YamlNode* criteria = fields.maybe("criteria"))
    defaults.criteria = read_criteria(*criteria, {}, problem);
  if (const YamlNode* gate = fields.maybe("gate")) defaults.gate = read_gate(*gate, problem);
  if (defaults.speed_curve.empty())
    report(problem, root->where, msg::key_missing("the defaults", "speed_curve"));
  if (problem) return *problem;
  return {};
}

/// The shipped course's, and over them those of this one.
Result<Defaults> defaults_of(const Course& course) {
  Defaults defaults;
  const std::vector<fs::path> roots = roots_of(course);
  for (const fs::path& root : std::views::reverse(roots)) {
    const fs::path file = root / "configs" / "grading.yaml";
    std::error_code ignored;
    if (root != roots.back() && !fs::exists(file, ignored))
      continue;  // all of them come from the shipped one
    if (auto read = read_defaults(file, defaults); !read) return read.problem();
  }
  return defaults;
}

Sums read_sums(const YamlNode& node, const std::vector<Parameter>& parameters, Problem& problem) {
  static const Names keys = {"over", "factors"};
  const YamlFields fields(node, "'sums'", keys, problem);
  Names sizes;
  for (const Parameter& p : parameters) {
    if (p.role == ParameterRole::Size) sizes.push_back(p.name);
  }
  Sums sums;
  sums.over = as_text(fields.need("over"), "'over'", problem);
  if (std::ranges::find(sizes, sums.over) == sizes.end()) {
    report(problem, fields.need("over").where,
           msg::sums_over_no_size(sums.over, suggestion(sums.over, sizes)));
  }
  if (const YamlNode* factors = fields.maybe("factors"))
    sums.factors = static_cast<int>(as_integer(*factors, "'factors'", 1, 2, problem));
  return sums;
}

std::vector<StructurePoints> read_structure(const YamlNode& node, Problem& problem) {
  static const Names requirements = spellings(kAllRequirements);
  const YamlFields fields(node, "the structure", requirements, problem);
  std::vector<StructurePoints> structure;
  for (const auto& [name, value] : node.fields) {
    const auto it = std::ranges::find(requirements, name.scalar);
    if (it == requirements.end()) continue;  // reported by YamlFields
    StructurePoints item;
    item.requirement = kAllRequirements.begin()[it - requirements.begin()];
    // The requirement decides the meaning and the range of the limit: see StructurePoints.
    const bool coalesced = item.requirement == Requirement::Coalesced;
    const bool shared = item.requirement == Requirement::UsesSharedMemory;
    // a few rows that do not start on a sector are not a bad access pattern
    if (coalesced) item.limit = 1.25;
    if (shared) item.limit = kUsesSharedMemory;
    if (value.kind == YamlNode::Kind::Mapping) {
      static const Names limited_keys = {"points", "limit"};
      static const Names other_keys = {"points"};
      const YamlFields inner(value, "'" + name.scalar + "'", coalesced || shared ? limited_keys : other_keys,
                             problem);
      item.points = inner.number("points", 0, kMaxPoints);
      if (coalesced && inner.maybe("limit")) item.limit = inner.number("limit", 1, 32);
      if (shared && inner.maybe("limit")) item.limit = inner.number("limit", 0, 1000);
    } else {
      item.points = as_number(value, "'" + name.scalar + "'", 0, kMaxPoints, problem);
    }
    structure.push_back(item);
  }
  return structure;
}

Algorithm read_algorithm(const YamlNode& node, Problem& problem) {
  static const Names keys = {"exchange",          "barriers",           "warp_exchanges",
                             "inputs_per_thread", "outputs_per_thread", "distances",
                             "fixed_grid",        "loads_per_factor",   "global_atomics_per_input"};
  const YamlFields fields(node, "the algorithm", keys, problem);
  Algorithm algorithm;
  const auto choose = [&](const std::string& key, const auto& row, const auto& all, auto& chosen) {
    const YamlNode* node = fields.maybe(key);
    if (node == nullptr) return;
    const Names names = spellings(all);
    const std::string name = as_text(*node, "'" + key + "'", problem);
    const auto it = std::ranges::find(names, name);
    if (it != names.end())
      chosen = all.begin()[it - names.begin()];
    else
      report(problem, node->where, row(name, suggestion(name, names)));
  };
  choose("exchange", msg::unknown_exchange, kAllExchanges, algorithm.exchange);
  constexpr double kMax = 1e6;
  const auto number = [&](const char* key) { return fields.maybe(key) ? fields.number(key, 0, kMax) : 0; };
  algorithm.barriers = number("barriers");
  algorithm.warp_exchanges = number("warp_exchanges");
  algorithm.inputs_per_thread = number("inputs_per_thread");
  algorithm.outputs_per_thread = number("outputs_per_thread");
  choose("distances", msg::unknown_distances, kAllDistances, algorithm.distances);
  if (const YamlNode* fixed = fields.maybe("fixed_grid"))
    algorithm.fixed_grid = as_truth(*fixed, "fixed_grid", problem);
  algorithm.loads_per_factor = number("loads_per_factor");
  algorithm.global_atomics_per_input = number("global_atomics_per_input");
  return algorithm;
}

/// "allowed" or "forbidden".
bool as_permission(const YamlNode& node, const std::string& key, Problem& problem) {
  const std::string value = as_text(node, "'" + key + "'", problem);
  if (value != "allowed" && value != "forbidden")
    report(problem, node.where, msg::neither_allowed_nor_forbidden(key));
  return value == "allowed";
}

/// Rules, without repetition.
std::vector<Rule> read_rules(const YamlNode& node, const std::string& key, Problem& problem) {
  static const Names names = spellings(kAllRules);
  std::vector<Rule> rules;
  for (const YamlNode& item : as_list(node, "'" + key + "'", problem)) {
    const std::string name = as_text(item, "an entry of '" + key + "'", problem);
    const auto it = std::ranges::find(names, name);
    if (it == names.end()) {
      report(problem, item.where, msg::unknown_rule(key, name, suggestion(name, names)),
             msg::possible_choices(listed(names)));
      continue;
    }
    const Rule one = kAllRules.begin()[it - names.begin()];
    if (std::ranges::find(rules, one) == rules.end()) rules.push_back(one);
  }
  return rules;
}

Version read_version(const YamlNode& node, const std::string& entry, const Curve& default_curve,
                     Problem& problem) {
  static const Names keys = {"name",
                             "title",
                             "correctness_points",
                             "structure",
                             "algorithm",
                             "outputs_by_copies",
                             "forbids",
                             "requires",
                             "max_launches",
                             "block_size",
                             "max_device_memory",
                             "speed_points",
                             "speed_curve",
                             "speed_thresholds",
                             "bonus",
                             "bonus_points"};
  const YamlFields fields(node, "a version", keys, problem);
  Version version;
  version.name = as_identifier(fields.need("name"), "'name'", problem);
  version.entry = entry + "_" + version.name;
  version.title = fields.text("title");
  version.correctness_points = fields.number("correctness_points", 0, kMaxPoints);
  if (const YamlNode* structure = fields.maybe("structure"))
    version.structure = read_structure(*structure, problem);
  if (const YamlNode* algorithm = fields.maybe("algorithm"))
    version.algorithm = read_algorithm(*algorithm, problem);
  if (const YamlNode* copies = fields.maybe("outputs_by_copies"))
    version.outputs_by_copies = as_permission(*copies, "outputs_by_copies", problem);
  if (const YamlNode* rules = fields.maybe("forbids"))
    version.forbids = read_rules(*rules, "forbids", problem);
  if (const YamlNode* rules = fields.maybe("requires"))
    version.needs = read_rules(*rules, "requires", problem);
  // The grader has no cuBLAS: what calls it does not build.
  if (std::ranges::find(version.needs, Rule::Cublas) != version.needs.end())
    report(problem, fields.maybe("requires")->where, msg::cublas_cannot_be_required());
  if (std::ranges::find(version.needs, Rule::HostComputation) != version.needs.end())
    report(problem, fields.maybe("requires")->where, msg::host_computation_required());
  if (const YamlNode* most = fields.maybe("max_launches"))
    version.max_launches = as_integer(*most, "'max_launches'", 1, 1'000'000, problem);
  if (const YamlNode* size = fields.maybe("block_size"))
    version.block_size = as_integer(*size, "'block_size'", 1, 1024, problem);
  if (const YamlNode* most = fields.maybe("max_device_memory"))
    version.max_device_memory =
        static_cast<std::uint64_t>(as_integer(*most, "'max_device_memory'", 1, 1 << 20, problem)) << 20;
  read_speed(fields, default_curve, version, problem);
  if (fields.maybe("bonus_points")) version.bonus_points = fields.number("bonus_points", 0, kMaxPoints);
  if (const YamlNode* bonus = fields.maybe("bonus")) version.bonus = as_truth(*bonus, "bonus", problem);
  return version;
}

std::vector<Version> read_versions(const YamlNode& node, const std::string& entry, const Curve& default_curve,
                                   Problem& problem) {
  std::vector<Version> versions;
  NamedNodes seen;
  for (const YamlNode& item : as_list(node, "'versions'", problem)) {
    versions.push_back(read_version(item, entry, default_curve, problem));
    const std::string& name = versions.back().name;
    if (const YamlNode* first = find_same(seen, name)) {
      report(problem, item.where, msg::stands_twice("version", name),
             msg::first_given_on_line(first->where.line));
    }
    seen.emplace_back(name, &item);
  }
  if (versions.empty()) report(problem, node.where, msg::list_empty("versions", "version"));
  return versions;
}

/// A value, or a list of them.
std::span<const YamlNode> one_or_more(const YamlNode& node) {
  return node.kind == YamlNode::Kind::Sequence ? std::span(node.items) : std::span(&node, 1);
}

/// Returns whether a type has room for numbers that are far larger than all others, of both signs.
bool is_wide(ElementType type) {
  constexpr double kWide = 0x1p30;
  const ElementRange range = full_range(type);
  return range.high > kWide && range.low < -kWide;
}

/// The values of the scalars in the cases of a group: what the parameter fixes or the group lists, else a
/// number that the seed chooses.
void bind_scalars(const YamlFields& fields, const Lab& lab, std::vector<TestCase>& cases, Problem& problem) {
  for (const Parameter& p : lab.parameters) {
    if (p.role != ParameterRole::Scalar) continue;
    const YamlNode* const given = fields.maybe(p.name);
    if (given == nullptr) {
      for (TestCase& test : cases) test.scalars.push_back({p.name, p.value.value_or(p.high), !p.value});
      continue;
    }
    std::vector<TestCase> longer;
    for (const TestCase& so_far : cases) {
      for (const YamlNode& value : one_or_more(*given)) {
        if (longer.size() > kMaxCases) break;
        longer.push_back(so_far);
        longer.back().scalars.push_back({p.name, as_scalar(value, p, problem), false});
      }
    }
    cases = std::move(longer);
  }
}

/// The numbers of a file as an input's.
void bind_file(const YamlNode& node, const Parameter& input, const fs::path& folder, TestCase& test,
               Problem& problem) {
  constexpr std::size_t kMaxFileBytes = 16 << 20;
  const std::string name = as_text(node, "'" + input.name + "'", problem);
  const fs::path path(name);
  if (path.is_absolute() || std::ranges::find(path, "..") != path.end())
    report(problem, node.where, msg::case_file_elsewhere(name));
  if (problem) return;
  std::vector<std::int64_t> shape;
  for (const std::string& extent : input.shape) shape.push_back(test.extent(extent));
  const auto bytes = read_file(folder / path, kMaxFileBytes);
  if (!bytes) return report(problem, node.where, bytes.problem().message, bytes.problem().hint);
  auto numbers = numbers_of_file(*bytes, name, input.contract_type(), shape);
  if (!numbers) return report(problem, node.where, numbers.problem().message, numbers.problem().hint);
  test.files.push_back({input.name, name, std::make_shared<const std::vector<double>>(std::move(*numbers))});
}

void check_case(const TestCase& test, const Lab& lab, const Location& where, Problem& problem) {
  for (const Parameter& p : lab.parameters) {
    if (!p.is_array()) continue;
    auto bytes = static_cast<double>(p.element_bytes());
    for (const std::string& entry : p.shape) bytes *= static_cast<double>(test.extent(entry));
    if (bytes > kMaxBufferBytes) {
      report(problem, where, msg::case_array_too_large(p.name, test.name()));
    }
    if (!p.acts_as(ParameterRole::Input)) continue;
    const bool needs_negative =
        test.distribution == Distribution::Negative || test.distribution == Distribution::Cancellation;
    if (needs_negative && p.low >= 0)
      report(problem, where, msg::no_negative_range(spelling(test.distribution), p.name));
    if (test.distribution == Distribution::Positive && p.high <= 0)
      report(problem, where, msg::no_positive_range(p.name));
    const bool needs_wide =
        test.distribution == Distribution::Dominant || test.distribution == Distribution::Outlying;
    if (needs_wide && !is_wide(p.type))
      report(problem, where,
             msg::type_too_narrow(spelling(test.distribution), p.name, spelling(p.contract_type())));
  }
  if (test.distribution != Distribution::ExactSums) return;
  if (const auto plan = plan_exact_sums(lab, test); !plan)
    report(problem, where, plan.problem().message, plan.problem().hint);
}

std::string as_criterion(const YamlNode& node, const std::vector<Criterion>& known, Problem& problem) {
  Names names;
  for (const Criterion& criterion : known) {
    if (criterion.name != kSafe) names.push_back(criterion.name);
  }
  std::string name = as_text(node, "'criterion'", problem);
  if (name == kSafe)
    report(problem, node.where, msg::safe_has_no_cases());
  else if (std::ranges::find(names, name) == names.end())
    report(problem, node.where, msg::unknown_choice("criterion", name, suggestion(name, names)),
           msg::possible_choices(listed(names)));
  return name;
}

/// One entry of `cases`: every combination of the sizes and distributions that it lists.
std::vector<TestCase> read_case_group(const YamlNode& node, const std::string& what, const Lab& lab,
                                      Problem& problem) {
  Names keys;
  for (const Parameter& p : lab.parameters) {
    if (!p.is_array() || p.acts_as(ParameterRole::Input)) keys.push_back(p.name);
  }
  keys.insert(keys.end(), {"distribution", "criterion", "hidden"});
  const YamlFields fields(node, what, keys, problem);
  if (problem) return {};

  std::vector<TestCase> cases(1);
  for (const Parameter& p : lab.parameters) {
    if (p.role != ParameterRole::Size) continue;
    const std::int64_t most =
        p.type == ElementType::Int32 ? std::numeric_limits<std::int32_t>::max() : std::int64_t{1} << 40;
    std::vector<TestCase> longer;
    for (const TestCase& so_far : cases) {
      for (const YamlNode& value : one_or_more(fields.need(p.name))) {
        if (longer.size() > kMaxCases) break;
        const auto [low, high] = as_range(value, "'" + p.name + "'", 0, most, problem);
        longer.push_back(so_far);
        longer.back().sizes.emplace_back(p.name, high);
        longer.back().least.push_back(low);
      }
    }
    cases = std::move(longer);
  }
  bind_scalars(fields, lab, cases, problem);
  if (const YamlNode* distribution = fields.maybe("distribution")) {
    std::vector<TestCase> longer;
    for (const TestCase& so_far : cases) {
      for (const YamlNode& value : one_or_more(*distribution)) {
        if (longer.size() > kMaxCases) break;
        longer.push_back(so_far);
        longer.back().distribution = as_enum(value, "distribution", kAllDistributions, problem);
      }
    }
    cases = std::move(longer);
  }
  if (const YamlNode* name = fields.maybe("criterion")) {
    const std::string criterion = as_criterion(*name, lab.criteria, problem);
    for (TestCase& test : cases) test.criterion = criterion;
  }
  if (const YamlNode* hidden = fields.maybe("hidden"); hidden && as_truth(*hidden, "hidden", problem)) {
    for (TestCase& test : cases) test.alias = "hidden";  // name_hidden() numbers them
  }
  if (problem) return {};
  if (cases.empty()) report(problem, node.where, msg::case_lists_nothing(what));
  for (const Parameter& p : lab.parameters) {
    if (const YamlNode* file = p.is_array() ? fields.maybe(p.name) : nullptr) {
      for (TestCase& test : cases) bind_file(*file, p, lab.oracle.parent_path(), test, problem);
    }
  }
  for (TestCase& test : cases) {
    check_case(test, lab, node.where, problem);
    const bool drawn =
        !std::ranges::equal(test.sizes, test.least, {}, &std::pair<std::string, std::int64_t>::second);
    if (!drawn) test.least.clear();
    if (drawn && test.distribution == Distribution::ExactSums)
      report(problem, node.where, msg::exact_sums_drawn());
  }
  return cases;
}

/// Names the hidden cases in the order of the lab.
void name_hidden(std::vector<TestCase>& cases) {
  int number = 0;
  for (TestCase& test : cases) {
    if (!test.hidden()) continue;
    test.alias = fmt::format("hidden {}", ++number);
    if (!test.criterion.empty()) test.alias += " (" + test.criterion + ")";
  }
}

/// The number of hidden cases that stand here in the course's own lab; 0: this is a case.
std::int64_t hidden_here(const YamlNode& group, Problem& problem) {
  static const Names keys = {"elsewhere"};
  if (group.kind != YamlNode::Kind::Mapping || group.find("elsewhere") == nullptr) return 0;
  const YamlFields fields(group, "hidden cases", keys, problem);
  return as_integer(fields.need("elsewhere"), "'elsewhere'", 1, kMaxCases, problem);
}

/// `elsewhere`: gets the number of cases that the students' edition lacks.
std::vector<TestCase> read_cases(const YamlNode& node, const Lab& lab, std::int64_t& elsewhere,
                                 Problem& problem) {
  std::vector<TestCase> cases;
  for (const YamlNode& group : as_list(node, "'cases'", problem)) {
    if (const std::int64_t hidden = hidden_here(group, problem); hidden > 0) {
      elsewhere += hidden;
      continue;
    }
    auto more = read_case_group(group, "a case", lab, problem);
    for (std::size_t k = 0; elsewhere > 0 && k < more.size(); ++k)
      more[k].number = static_cast<std::uint32_t>(cases.size() + k + static_cast<std::size_t>(elsewhere));
    cases.insert(cases.end(), more.begin(), more.end());
    if (cases.size() > kMaxCases) {
      report(problem, group.where, msg::too_many_cases(kMaxCases));
      return cases;
    }
  }
  if (cases.empty()) report(problem, node.where, msg::list_empty("cases", "case"));
  name_hidden(cases);
  return cases;
}

TestCase read_timed(const YamlNode& node, const Lab& lab, Problem& problem) {
  const auto cases = read_case_group(node, "the timed case", lab, problem);
  if (cases.size() != 1) {
    report(problem, node.where, msg::timed_not_one_case(cases.size()));
    return {};
  }
  if (!cases[0].least.empty()) report(problem, node.where, msg::timed_drawn());
  if (!cases[0].files.empty()) report(problem, node.where, msg::timed_from_file());
  if (cases[0].hidden()) report(problem, node.find("hidden")->where, msg::timed_hidden());
  return cases[0];
}

void need_file(const fs::path& file, const std::string& what, const Location& where, Problem& problem) {
  std::error_code ignored;
  if (fs::is_regular_file(file, ignored)) return;
  report(problem, where, msg::lab_file_missing(what, file.string()));
}

}  // namespace

Result<Lab> load_lab(const Course& course, std::string_view lab_name, std::string_view variant_name) {
  const logging::Timed timed(logging::Metric::LoadLab);
  if (const auto found = check_variant_exists(course, lab_name, variant_name); !found) return found.problem();
  const auto defaults = defaults_of(course);
  if (!defaults) return defaults.problem();

  Lab lab;
  lab.lab = lab_name;
  lab.variant = variant_name;
  lab.slug = lab.lab + "/" + lab.variant;
  lab.config_file = course.root / "configs" / "labs" / lab.lab / (lab.variant + ".yaml");
  const auto root = read_yaml(lab.config_file, lab.config_file.string());
  if (!root) return root.problem();

  static const Names keys = {"title",    "entry",  "file",        "parameters", "tolerance", "sums",
                             "versions", "cases",  "timed",       "limits",     "messages",  "criteria",
                             "gate",     "manual", "leaderboard", "devices"};
  Problem problem;
  const YamlFields fields(*root, "a lab", keys, problem);
  lab.title = fields.text("title");
  lab.entry = as_cpp_name(fields.need("entry"), "'entry'", problem);
  lab.file = fields.text("file");
  if (lab.file.find('/') != std::string::npos || !lab.file.ends_with(".cu")) {
    report(problem, fields.need("file").where, msg::lab_file_not_cu(lab.file));
  }
  set_lab_paths(course, lab);
  lab.parameters = read_parameters(fields.need("parameters"), problem);
  lab.tolerance = read_tolerance(fields.need("tolerance"), problem);
  check_outputs(lab, fields.need("parameters"), fields.need("tolerance"), problem);
  if (const YamlNode* sums = fields.maybe("sums")) lab.sums = read_sums(*sums, lab.parameters, problem);
  lab.versions = read_versions(fields.need("versions"), lab.entry, defaults->speed_curve, problem);
  lab.limits = defaults->limits;
  if (const YamlNode* limits = fields.maybe("limits")) read_limits(*limits, lab.limits, problem);
  lab.own_words = defaults->own_words;
  if (const YamlNode* words = fields.maybe("messages"))
    std::ranges::move(read_own_words(*words, problem), std::back_inserter(lab.own_words));
  lab.gate = defaults->gate;
  if (const YamlNode* gate = fields.maybe("gate")) lab.gate = read_gate(*gate, problem);
  constexpr std::int64_t kMaxDevices = 8;  // fewer than the simulator has: each has memory of its own
  if (const YamlNode* devices = fields.maybe("devices"))
    lab.devices = static_cast<int>(as_integer(*devices, "'devices'", 1, kMaxDevices, problem));
  for (Version& version : lab.versions) version.devices = lab.devices;
  lab.criteria = defaults->criteria;
  if (const YamlNode* criteria = fields.maybe("criteria"))
    lab.criteria = read_criteria(*criteria, std::move(lab.criteria), problem);
  if (const YamlNode* manual = fields.maybe("manual")) lab.manual = read_manual(*manual, problem);
  if (const YamlNode* ranks = fields.maybe("leaderboard"))
    lab.leaderboard = read_leaderboard(*ranks, problem);
  // Cases can only be checked against valid parameters.
  if (!problem) lab.cases = read_cases(fields.need("cases"), lab, lab.hidden_elsewhere, problem);
  if (!problem) lab.timed = read_timed(fields.need("timed"), lab, problem);
  if (lab.hidden_elsewhere > 0)
    lab.timed.number =
        static_cast<std::uint32_t>(lab.cases.size() + static_cast<std::size_t>(lab.hidden_elsewhere));
  if (!problem) lab.criteria = criteria_in_use(lab, lab.criteria, fields.need("cases").where, problem);
  if (!problem && lab.points_by_grader() <= 0)
    report(problem, fields.need("versions").where, msg::no_points());

  need_file(lab.contract, "the contract", root->where, problem);
  need_file(lab.oracle, "the oracle", root->where, problem);
  need_file(lab.handout, "the handout", root->where, problem);
  if (!problem) {
    need_file(lab.stub, "the stub", fields.need("file").where, problem);
    if (!course.for_students)
      need_file(lab.reference, "the reference solution", fields.need("file").where, problem);
  }
  if (problem) return *problem;
  logging::info(logging::Stage::Course, [&] {
    return fmt::format("read {}: {} versions, {} cases and the timed one", lab.config_file.string(),
                       lab.versions.size(), lab.cases.size());
  });
  return lab;
}

}  // namespace cudalabs
