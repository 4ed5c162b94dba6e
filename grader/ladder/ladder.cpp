#include "grader/ladder/ladder.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "grader/base/text.h"
#include "grader/course/course.h"
#include "grader/course/device_profile.h"
#include "grader/course/yaml_reader.h"
#include "grader/diagnostics/messages/course.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;
using Problem = std::optional<Diagnostic>;
using Keys = std::vector<std::string>;

constexpr std::int64_t kMaxSize = INT32_MAX;

constexpr std::array kTypes{ElementType::Float32, ElementType::Float64, ElementType::Int32};

const std::vector<YamlNode>& list_of(const YamlNode& node, std::string_view what, Problem& problem) {
  if (node.kind != YamlNode::Kind::Sequence || node.items.empty())
    report(problem, node.where, msg::not_a_list_of_some(what, node.found()));
  return node.items;
}

ElementType read_type(const YamlNode& node, Problem& problem) {
  const std::string word = as_text(node, "a type", problem);
  std::vector<std::string> names;
  for (const ElementType type : kTypes) {
    if (spelling(type) == word) return type;
    names.emplace_back(spelling(type));
  }
  report(problem, node.where, msg::unknown_choice("type", word, suggestion(word, names)),
         msg::ladder_types(listed(names)));
  return kTypes[0];
}

std::vector<ElementType> read_types(const YamlNode& node, Problem& problem) {
  std::vector<ElementType> types;
  for (const YamlNode& item : list_of(node, "'types'", problem)) types.push_back(read_type(item, problem));
  return types;
}

std::int64_t read_size(const YamlNode& node, const std::string& key, Problem& problem) {
  return as_integer(node, "'" + key + "'", 1, kMaxSize, problem);
}

LadderWork read_work(const YamlNode& node, Problem& problem) {
  static const Keys keys{"flops", "elements", "power"};
  const YamlFields fields(node, "'work'", keys, problem);
  LadderWork work;
  work.flops = fields.maybe("flops") != nullptr;
  if (work.flops == (fields.maybe("elements") != nullptr))
    report(problem, node.where, msg::ladder_work(), msg::ladder_work_example());
  else
    work.factor = fields.number(work.flops ? "flops" : "elements", 1, 1000);
  work.power = static_cast<int>(as_integer(fields.need("power"), "'power'", 1, 3, problem));
  return work;
}

/// Common data of a ladder's rungs.
struct Common {
  fs::path folder;
  std::vector<ElementType> types;
  std::int64_t check_size = 0;
};

fs::path read_program(const YamlNode& node, const std::string& key, const Common& common, Problem& problem) {
  const std::string name = as_text(node, "'" + key + "'", problem);
  const fs::path file = common.folder / name;
  std::error_code ignored;
  if (!problem && !fs::is_regular_file(file, ignored))
    report(problem, node.where, msg::ladder_file_missing(file.string()));
  return file;
}

LadderRung read_rung(const YamlNode& node, const Common& common, Problem& problem) {
  static const Keys keys{"name", "file", "idea", "twin", "types", "check_size"};
  const YamlFields fields(node, "a rung", keys, problem);
  LadderRung rung;
  rung.name = fields.text("name");
  rung.file = read_program(fields.need("file"), "file", common, problem);
  rung.idea = fields.text("idea");
  rung.types = common.types;
  rung.check_size = common.check_size;
  if (const YamlNode* twin = fields.maybe("twin")) rung.twin = read_program(*twin, "twin", common, problem);
  if (const YamlNode* types = fields.maybe("types")) rung.types = read_types(*types, problem);
  if (const YamlNode* size = fields.maybe("check_size"))
    rung.check_size = read_size(*size, "check_size", problem);
  return rung;
}

void read_figures(const YamlNode& node, const Keys& rungs, PublishedFigures& published, Problem& problem) {
  if (node.kind != YamlNode::Kind::Mapping)
    report(problem, node.where, msg::not_a_mapping_of_figures(node.found()));
  for (const auto& [rung, values] : node.fields) {
    if (std::ranges::find(rungs, rung.scalar) == rungs.end())
      report(problem, rung.where, msg::no_rung(rung.scalar, suggestion(rung.scalar, rungs)),
             msg::the_rungs(listed(rungs)));
    auto& row = published.figures.emplace_back(rung.scalar, std::vector<std::optional<double>>()).second;
    for (const YamlNode& value : list_of(values, "the figures of a rung", problem)) {
      if (value.kind == YamlNode::Kind::Null)
        row.emplace_back();
      else
        row.emplace_back(as_number(value, "a figure", 0, 1e9, problem));
    }
    if (row.size() > published.units.size())
      report(problem, values.where, msg::too_many_figures(published.units.size()));
  }
}

PublishedFigures read_published(const YamlNode& node, const Keys& profiles, const Keys& rungs,
                                Problem& problem) {
  static const Keys keys{"profile", "source", "card", "type", "size", "units", "figures"};
  const YamlFields fields(node, "a published table", keys, problem);
  PublishedFigures published;
  published.profile = fields.text("profile");
  if (!problem && std::ranges::find(profiles, published.profile) == profiles.end())
    report(problem, fields.need("profile").where,
           msg::no_profile(published.profile, suggestion(published.profile, profiles)),
           msg::the_profiles(listed(profiles)));
  published.source = fields.text("source");
  published.card = fields.text("card");
  published.type = read_type(fields.need("type"), problem);
  if (const YamlNode* size = fields.maybe("size")) published.size = read_size(*size, "size", problem);
  for (const YamlNode& unit : list_of(fields.need("units"), "'units'", problem))
    published.units.push_back(as_text(unit, "a unit", problem));
  read_figures(fields.need("figures"), rungs, published, problem);
  return published;
}

std::vector<fs::path> headers_below(const fs::path& folder) {
  std::vector<fs::path> headers;
  std::error_code failure;
  for (fs::recursive_directory_iterator it(folder, failure), end; !failure && it != end;
       it.increment(failure)) {
    const fs::path extension = it->path().extension();
    if (extension == ".cuh" || extension == ".h") headers.push_back(it->path());
  }
  std::ranges::sort(headers);
  return headers;
}

}  // namespace

double LadderWork::rate(std::int64_t size, ElementType type, double nanoseconds) const {
  if (!(nanoseconds > 0)) return 0;
  const double amount = factor * std::pow(static_cast<double>(size), power);
  return (flops ? amount : amount * static_cast<double>(size_of(type))) / nanoseconds;
}

std::optional<double> PublishedFigures::figure(std::string_view rung, std::size_t unit) const {
  for (const auto& [name, row] : figures) {
    if (name == rung) return unit < row.size() ? row[unit] : std::nullopt;
  }
  return std::nullopt;
}

std::vector<std::string> ladder_names(const Course& course) {
  return yaml_names(course.root / "configs" / "ladders");
}

Result<Ladder> load_ladder(const Course& course, std::string_view name) {
  const auto names = ladder_names(course);
  if (std::ranges::find(names, name) == names.end()) {
    return error(msg::no_ladder(name.substr(0, 60), suggestion(name, names)),
                 names.empty() ? msg::no_ladders_at_all() : msg::the_ladders(listed(names)));
  }
  const fs::path file = course.root / "configs" / "ladders" / (std::string(name) + ".yaml");
  const auto root = read_yaml(file, file.string());
  if (!root) return root.problem();

  static const Keys keys{"title",      "folder", "types", "size",  "card_size", "size_step",
                         "check_size", "work",   "cpu",   "rungs", "published"};
  Problem problem;
  const YamlFields fields(*root, "a ladder", keys, problem);
  Ladder ladder;
  ladder.name = name;
  ladder.title = fields.text("title");
  ladder.types = read_types(fields.need("types"), problem);
  if (const YamlNode* step = fields.maybe("size_step"))
    ladder.size_step = read_size(*step, "size_step", problem);
  const auto read_multiple = [&](const std::string& key) {
    const YamlNode& node = fields.need(key);
    const std::int64_t size = read_size(node, key, problem);
    if (ladder.size_step > 0 && size % ladder.size_step != 0)
      report(problem, node.where, msg::not_a_multiple_of_step(key));
    return size;
  };
  ladder.size = read_multiple("size");
  ladder.card_size = read_multiple("card_size");
  ladder.work = read_work(fields.need("work"), problem);
  const Common common{course.root / "reference" / fields.text("folder"), ladder.types,
                      read_size(fields.need("check_size"), "check_size", problem)};
  Keys rungs;
  if (const YamlNode* cpu = fields.maybe("cpu")) {
    ladder.cpu = read_rung(*cpu, common, problem);
    rungs.push_back(ladder.cpu->name);
  }
  for (const YamlNode& node : list_of(fields.need("rungs"), "'rungs'", problem)) {
    LadderRung rung = read_rung(node, common, problem);
    if (std::ranges::find(rungs, rung.name) != rungs.end())
      report(problem, node.where, msg::rungs_of_one_name(rung.name));
    rungs.push_back(rung.name);
    ladder.rungs.push_back(std::move(rung));
  }
  if (const YamlNode* published = fields.maybe("published")) {
    const auto profiles = device_profile_names(course);
    for (const YamlNode& node : list_of(*published, "'published'", problem))
      ladder.published.push_back(read_published(node, profiles, rungs, problem));
  }
  ladder.headers = headers_below(course.root / "reference");
  if (problem) return *problem;
  return ladder;
}

}  // namespace cudalabs
