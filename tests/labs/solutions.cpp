#include "tests/labs/solutions.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace e2e {
namespace fs = std::filesystem;

std::vector<Mutant> read_mutants(const fs::path& tests_labs, const std::string& lab) {
  std::vector<Mutant> mutants;
  std::map<std::string, int> numbers;
  std::size_t entry = 0;
  for (const auto& node : YAML::LoadFile(tests_labs / "mutants.yaml")) {
    const auto slugs = node["labs"].as<std::vector<std::string>>();
    const std::string& once = slugs.at(entry++ % slugs.size());  // labs take turns
    for (const auto& slug : slugs) {
      using Texts = std::map<std::string, std::string>;
      Mutant mutant{slug, ++numbers[slug], {}, node["fails"].as<Texts>(), {}, slug != once};
      mutant.first = mutant.fails;
      for (const auto& [version, text] : node["first"].as<Texts>(Texts())) mutant.first[version] = text;
      for (const auto& edit : node["edits"])
        mutant.edits.emplace_back(edit[0].as<std::string>(), edit[1].as<std::string>());
      if (slug.starts_with(lab + "/")) mutants.push_back(std::move(mutant));
    }
  }
  std::ranges::stable_sort(mutants, {}, &Mutant::slug);  // Gradings keeps the cases of one variant
  return mutants;
}

fs::path only_source(const fs::path& folder) {
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".cu") return entry.path();
  throw std::runtime_error("no .cu file in " + folder.string());
}

std::string reference_source(const fs::path& reference, const std::string& slug) {
  std::string text = text_of(only_source(reference / slug));
  for (const auto& entry : fs::directory_iterator((reference / slug).parent_path())) {
    const std::string include = "#include \"" + entry.path().filename().string() + "\"\n";
    const std::size_t at = text.find(include);
    if (entry.path().extension() != ".cuh" || at == std::string::npos) continue;
    std::string shared = text_of(entry.path());
    const std::string once = "#pragma once\n";
    if (shared.starts_with(once)) shared.erase(0, once.size());
    text.replace(at, include.size(), shared);
  }
  return text;
}

std::string edited(std::string text, const Mutant& mutant) {
  for (const auto& [from, to] : mutant.edits) {
    const std::size_t at = text.find(from);
    if (at == std::string::npos || text.find(from, at + 1) != std::string::npos)
      throw std::runtime_error(mutant.slug + ": must stand exactly once in the reference: " + from);
    text.replace(at, from.size(), to);
  }
  return text;
}

std::vector<Alternative> read_alternatives(const fs::path& tests_labs, const std::string& lab) {
  std::vector<Alternative> found;
  const fs::path folder = tests_labs / "right" / lab;
  const auto add = [&found](const std::string& slug, const fs::path& from, const std::string& before) {
    for (const auto& file : fs::directory_iterator(from)) {
      if (file.path().extension() == ".cu")
        found.push_back({slug, file.path().stem().string(), before + text_of(file.path())});
    }
  };
  for (const auto& variant : fs::directory_iterator(folder)) {
    if (variant.path().filename() == "shapes") continue;
    const std::string slug = lab + "/" + variant.path().filename().string();
    add(slug, variant.path(), "");
    if (const fs::path operation = variant.path() / "operation.cuh"; fs::exists(operation))
      add(slug, folder / "shapes", text_of(operation));
  }
  std::ranges::sort(found, {}, [](const Alternative& a) { return a.slug + " " + a.name; });
  return found;
}

std::string text_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw std::runtime_error("cannot read " + file.string());
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

bool chosen(const std::string& slug) {
  const char* only = std::getenv("LABS_ONLY");
  return only == nullptr || slug == only || slug.starts_with(std::string(only) + "/");
}

}  // namespace e2e
