#include "tests/e2e/manifest.h"

#include <yaml-cpp/yaml.h>

#include <map>
#include <set>
#include <stdexcept>

namespace e2e {
namespace fs = std::filesystem;
namespace {

std::vector<std::string> words(const YAML::Node& node) {
  if (!node) return {};
  if (node.IsScalar()) return {node.as<std::string>()};
  return node.as<std::vector<std::string>>();
}

std::vector<std::string> three(const YAML::Node& node, const std::string& name) {
  std::vector<std::string> found = words(node);
  if (found.size() == 1) found.resize(3, found[0]);
  if (found.size() != 3) throw std::runtime_error(name + ": one word, or one for each of the three versions");
  return found;
}

Points points_of(const std::string& word, const std::string& name) {
  static const std::map<std::string, Points> spellings = {{"none", Points::None},
                                                          {"less", Points::Less},
                                                          {"correct", Points::Correct},
                                                          {"flawed", Points::Flawed},
                                                          {"all", Points::All}};
  const auto found = spellings.find(word);
  if (found == spellings.end()) throw std::runtime_error(name + ": unknown points '" + word + "'");
  return found->second;
}

/// An entry with what is said of these places in place of what is said of all. `node` is left as it is.
YAML::Node entry_in(const std::vector<std::string>& places, const std::string& name, const YAML::Node& node) {
  static const std::set<std::string> known = {"verdicts", "points",   "loses",       "says", "hides", "with",
                                              "stopped",  "landlock", "limits only", "gpu",  "clang", "line"};
  YAML::Node entry;
  const auto take = [&](const YAML::Node& from) {
    for (const auto& part : from) {
      const auto key = part.first.as<std::string>();
      if (!known.contains(key)) throw std::runtime_error(name + ": unknown key '" + key + "'");
      entry[key] = part.second;
    }
  };
  take(node);
  for (const std::string& place : places)
    if (node[place]) take(node[place]);
  return entry;
}

Expected read_entry(const fs::path& folder, const std::string& name, const YAML::Node& node) {
  Expected expected;
  expected.name = name;
  expected.source = folder / (name + ".cu");
  if (!fs::exists(expected.source)) throw std::runtime_error(expected.source.string() + " does not exist");
  expected.verdicts = three(node["verdicts"], name);
  if (node["points"]) {
    for (const std::string& word : three(node["points"], name))
      expected.points.push_back(points_of(word, name));
  } else {
    for (const std::string& verdict : expected.verdicts)
      expected.points.push_back(verdict == "accepted" ? Points::Correct : Points::Less);
  }
  expected.loses = words(node["loses"]);
  expected.says = words(node["says"]);
  expected.hides = words(node["hides"]);
  for (const std::string& file : words(node["with"])) expected.with.push_back(folder / file);
  if (node["line"]) expected.line = node["line"].as<int>();
  expected.stopped = !node["stopped"] || node["stopped"].as<bool>();
  return expected;
}

}  // namespace

std::vector<Expected> read_manifest(const fs::path& folder, const std::vector<std::string>& places) {
  std::vector<Expected> table;
  std::set<std::string> named;
  for (const auto& entry : YAML::LoadFile(folder / "expected.yaml")) {
    const auto name = entry.first.as<std::string>();
    named.insert(name);
    table.push_back(read_entry(folder, name, entry_in(places, name, entry.second)));
  }
  for (const auto& file : fs::directory_iterator(folder))
    if (file.path().extension() == ".cu" && !named.contains(file.path().stem()))
      throw std::runtime_error(file.path().string() + " is not in expected.yaml");
  return table;
}

}  // namespace e2e
