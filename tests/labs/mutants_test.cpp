// Every bug planted in a reference is found and named, first of all that a card tells (mutants.yaml).
// $LABS_ONLY selects a lab or lab/variant.

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "grader/diagnostics/language.h"
#include "grader/present/causes.h"
#include "grader/present/formats/json_reader.h"
#include "tests/harness/catch.h"
#include "tests/harness/everything.h"
#include "tests/harness/grader.h"
#include "tests/labs/gradings.h"
#include "tests/labs/solutions.h"

namespace e2e {
namespace {

using Json = nlohmann::json;

/// What the first paragraph of a card tells of a version, with what to do.
std::string first_paragraph(const std::vector<cudalabs::Cause>& causes, const std::string& version) {
  for (const cudalabs::Cause& cause : causes) {
    for (const auto& share : cause.shares) {
      if (share.version->name != version) continue;
      const cudalabs::Messages& advice =
          cause.failure == nullptr ? cause.lost->advice : cause.failure->advice;
      return cudalabs::rendered(cause.reason()) + "\n" + cudalabs::rendered(advice) + "\n" +
             cudalabs::rendered(cause.lost->advice);
    }
  }
  return "";
}

void check_mutants(const std::string& lab) {
  const std::filesystem::path references = std::filesystem::path(CUDALABS_SOURCE) / "reference";
  static Gradings gradings;  // for all sections
  for (const Mutant& mutant : read_mutants(CUDALABS_TEST_DATA, lab)) {
    if (!chosen(mutant.slug) || (mutant.repeated && !cudalabs::test::everything())) continue;
    DYNAMIC_SECTION(mutant.slug << " number " << mutant.number) {
      const Json result =
          gradings.grade(mutant.slug, edited(reference_source(references, mutant.slug), mutant));
      keep_result(mutant.slug + " " + std::to_string(mutant.number), result);
      std::set<std::string> seen;
      const auto read = cudalabs::read_json_report(result.dump());
      const std::vector<cudalabs::Cause> causes = cudalabs::causes_of(*read);
      for (const Json& version : result.at("versions")) {
        const std::string name = version.at("name");
        INFO(name << ": " << version.dump(1).substr(0, 3000));
        seen.insert(name);
        const auto wanted = mutant.fails.find(name);
        CHECK(all_right(version) == (wanted == mutant.fails.end()));
        if (wanted != mutant.fails.end()) {
          CHECK(all_text(version).find(wanted->second) != std::string::npos);
          const std::string first = first_paragraph(causes, name), text = mutant.first.at(name);
          INFO("the first paragraph has no \"" << text << "\": " << first);
          CHECK(first.find(text) != std::string::npos);
        }
      }
      for (const auto& [name, text] : mutant.fails) CHECK(seen.contains(name));
    }
  }
}

}  // namespace

TEST_CASE("bugs in lab1 are found and named", "[mutants1]") { check_mutants("lab1"); }
TEST_CASE("bugs in lab2 are found and named", "[mutants2]") { check_mutants("lab2"); }
TEST_CASE("bugs in lab3 are found and named", "[mutants3]") { check_mutants("lab3"); }
TEST_CASE("bugs in lab4 are found and named", "[mutants4]") { check_mutants("lab4"); }
TEST_CASE("bugs in lab5 are found and named", "[mutants5]") { check_mutants("lab5"); }

}  // namespace e2e
