// The labs are fair: solutions of every sensible shape pass (tests/labs/right), and every bug planted in a
// reference is found and named (mutants.yaml). $LABS_ONLY, a lab or lab/variant, leaves the others out.

#include <yaml-cpp/yaml.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/e2e/harness.h"
#include "tests/support/catch.h"

namespace e2e {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

const fs::path kRoot = CUDALABS_SOURCE;

bool chosen(const std::string& slug) {
  const char* only = std::getenv("LABS_ONLY");
  return only == nullptr || slug == only || slug.starts_with(std::string(only) + "/");
}

struct Mutant {
  std::string slug;
  int number = 0;  ///< among those of this lab
  std::vector<std::pair<std::string, std::string>> edits;
  std::map<std::string, std::string> fails;  ///< version -> what must be said
};

std::vector<Mutant> read_mutants(const std::string& lab) {
  std::vector<Mutant> mutants;
  std::map<std::string, int> numbers;
  for (const auto& node : YAML::LoadFile(fs::path(CUDALABS_TEST_DATA) / "mutants.yaml")) {
    for (const auto& slug : node["labs"].as<std::vector<std::string>>()) {
      Mutant mutant{slug, ++numbers[slug], {}, node["fails"].as<std::map<std::string, std::string>>()};
      for (const auto& edit : node["edits"])
        mutant.edits.emplace_back(edit[0].as<std::string>(), edit[1].as<std::string>());
      if (slug.starts_with(lab + "/")) mutants.push_back(std::move(mutant));
    }
  }
  return mutants;
}

fs::path only_source(const fs::path& folder) {
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".cu") return entry.path();
  throw std::runtime_error("no .cu file in " + folder.string());
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

/// Grades `source` as the solution of a variant, with fixed inputs.
Json graded(const std::string& slug, const std::string& source) {
  const Sandbox sandbox;
  const fs::path file = only_source(kRoot / "reference" / slug).filename();
  sandbox.write(file, source);
  const std::size_t slash = slug.find('/');
  const Outcome outcome = sandbox.grader({slug.substr(0, slash), slug.substr(slash + 1), "--submission",
                                          file.string(), "--seed", "7", "--json", "-"});
  INFO(outcome.err.substr(0, 4000));
  REQUIRE((outcome.status == 0 || outcome.status == 1));
  REQUIRE(Json::accept(outcome.out));
  return Json::parse(outcome.out);
}

bool all_right(const Json& version) {
  return version.at("correctness").at("points") == version.at("correctness").at("max_points");
}

void check_mutants(const std::string& lab) {
  for (const Mutant& mutant : read_mutants(lab)) {
    if (!chosen(mutant.slug)) continue;
    DYNAMIC_SECTION(mutant.slug << " number " << mutant.number) {
      const Json result =
          graded(mutant.slug, edited(read_file(only_source(kRoot / "reference" / mutant.slug)), mutant));
      std::set<std::string> seen;
      for (const Json& version : result.at("versions")) {
        const std::string name = version.at("name");
        INFO(name << ": " << version.dump(1).substr(0, 3000));
        seen.insert(name);
        const auto wanted = mutant.fails.find(name);
        CHECK(all_right(version) == (wanted == mutant.fails.end()));
        if (wanted != mutant.fails.end()) CHECK(all_text(version).find(wanted->second) != std::string::npos);
      }
      for (const auto& [name, text] : mutant.fails) CHECK(seen.contains(name));
    }
  }
}

/// Solutions that a student may hand in instead of the reference's: tests/labs/right/LAB/VARIANT/*.cu. All
/// answers must be right; a line `// loses: VERSION PART` names what they may lose besides speed.
void check_alternatives(const std::string& lab) {
  for (const auto& variant : fs::directory_iterator(fs::path(CUDALABS_TEST_DATA) / "right" / lab)) {
    const std::string slug = lab + "/" + variant.path().filename().string();
    if (!chosen(slug)) continue;
    for (const auto& file : fs::directory_iterator(variant.path())) {
      DYNAMIC_SECTION(slug << " " << file.path().filename().string()) {
        const std::string source = read_file(file.path());
        const Json result = graded(slug, source);
        for (const Json& version : result.at("versions")) {
          INFO(version.dump(1).substr(0, 3000));
          CHECK(version.at("verdict") == "accepted");
          CHECK(all_right(version));
          for (const Json& lost : version.at("lost")) {
            const std::string part = lost.at("part");
            INFO("lost: " << part);
            const std::string allowed = "// loses: " + version.at("name").get<std::string>() + " " + part;
            CHECK((part == "speed" || source.find(allowed) != std::string::npos));
          }
        }
      }
    }
  }
}

TEST_CASE("bugs in lab1 are found and named", "[mutants1]") { check_mutants("lab1"); }
TEST_CASE("bugs in lab2 are found and named", "[mutants2]") { check_mutants("lab2"); }
TEST_CASE("bugs in lab3 are found and named", "[mutants3]") { check_mutants("lab3"); }
TEST_CASE("bugs in lab4 are found and named", "[mutants4]") { check_mutants("lab4"); }
TEST_CASE("bugs in lab5 are found and named", "[mutants5]") { check_mutants("lab5"); }

TEST_CASE("lab1 takes every right solution", "[right1]") { check_alternatives("lab1"); }
TEST_CASE("lab2 takes every right solution", "[right2]") { check_alternatives("lab2"); }
TEST_CASE("lab3 takes every right solution", "[right3]") { check_alternatives("lab3"); }
TEST_CASE("lab4 takes every right solution", "[right4]") { check_alternatives("lab4"); }
TEST_CASE("lab5 takes every right solution", "[right5]") { check_alternatives("lab5"); }

/// check-labs, on a copy of the course that `spoil` changes: its exit status, and what it must say.
void check_spoiled(const std::string& wanted, const std::function<void(const fs::path& course)>& spoil) {
  const Sandbox sandbox;
  spoil(sandbox.course());
  const Outcome outcome = sandbox.grader({"check-labs", "lab1", "variant1"});
  INFO(outcome.out << outcome.err);
  CHECK(outcome.status == (wanted.empty() ? 0 : 1));
  CHECK(outcome.out.find(wanted) != std::string::npos);
  CHECK(outcome.out.find(wanted.empty() ? "1 of 1 variant are right" : "0 of 1 variant are right") !=
        std::string::npos);
}

void replace_in(const fs::path& file, const std::string& from, const std::string& to) {
  std::string text = read_file(file);
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  std::ofstream(file) << text.replace(at, from.size(), to);
}

const fs::path kReference = "reference/lab1/variant1/table.cu",
               kStub = "student_templates/lab1/variant1/table.cu",
               kConfig = "configs/labs/lab1/variant1.yaml", kContract = "labs/lab1/variant1/contract.cuh";

TEST_CASE("check-labs finds what is wrong with a lab", "[check_labs]") {
  SECTION("nothing") {
    check_spoiled("", [](const fs::path&) {});
  }
  SECTION("the reference is wrong") {
    check_spoiled("the reference loses",
                  [](const fs::path& course) { replace_in(course / kReference, "sqrtf(", "("); });
  }
  SECTION("the stub holds the solution") {
    check_spoiled("the untouched stub earns", [](const fs::path& course) {
      fs::copy_file(course / kReference, course / kStub, fs::copy_options::overwrite_existing);
    });
  }
  SECTION("the stub does not compile clean") {
    check_spoiled("the compiler warns about the stub", [](const fs::path& course) {
      replace_in(course / kStub, "(void)grid", "int unused;\n  (void)grid");
    });
  }
  SECTION("the points are no hundred") {
    check_spoiled("90 points together, not 100", [](const fs::path& course) {
      replace_in(course / kConfig, "speed_points: 10", "speed_points: 0");
    });
  }
  SECTION("the contract has another parameter") {
    check_spoiled("disagree about table_global", [](const fs::path& course) {
      replace_in(course / kContract, "table_global(const float* grid, float* y, int n)",
                 "table_global(const float* grid, float* y, long long n)");
    });
  }
  SECTION("a file is missing") {
    check_spoiled("the oracle is missing",
                  [](const fs::path& course) { fs::remove(course / "labs/lab1/variant1/oracle.cpp"); });
  }
  SECTION("a handout does not name a function") {
    check_spoiled("handout.ru.md does not name table_global", [](const fs::path& course) {
      std::ofstream(course / "labs/lab1/variant1/handout.ru.md") << "table_constant\n";
    });
  }
}

}  // namespace
}  // namespace e2e
