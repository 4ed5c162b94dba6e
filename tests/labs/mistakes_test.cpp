// The labs' usual mistakes: the sentences that an oracle gives, which people read in their language.

#include <map>
#include <numeric>

#include "grader/course/lab.h"
#include "grader/diagnostics/language.h"
#include "grader/grading/cases/inputs.h"
#include "grader/grading/grading_context.h"
#include "tests/harness/catch.h"
#include "tests/harness/english.h"
#include "tests/harness/grader.h"

namespace e2e {
namespace {

using namespace cudalabs;

constexpr std::size_t kMaxElements = 1 << 18;  // larger cases give no other sentences

std::size_t elements(const Lab& lab, const TestCase& test) {
  return std::accumulate(lab.parameters.begin(), lab.parameters.end(), std::size_t{0},
                         [&](std::size_t sum, const Parameter& p) { return sum + element_count(p, test); });
}

}  // namespace

TEST_CASE("each usual mistake of the courses has a sentence in Russian", "[check_labs]") {
  ::setenv("XDG_CACHE_HOME", (std::filesystem::path(CUDALABS_BIN).parent_path() / "e2e-cache").c_str(), 1);
  const std::string folder = GENERATE("", "/courses/patterns");
  const auto found = find_course(CUDALABS_SOURCE + folder);
  REQUIRE(found.ok());
  const Course& course = *found;
  const auto labs = load_all_labs(course);
  REQUIRE(labs.ok());
  std::map<std::string, Message> mistakes;
  for (const Lab& lab : *labs) {
    INFO(lab.slug);
    const auto context = GradingContext::open(course, lab.lab, lab.variant, {});
    REQUIRE(context.ok());
    const auto oracle = (*context)->oracle();
    REQUIRE(oracle.ok());
    for (const TestCase& test : lab.cases) {
      if (elements(lab, test) > kMaxElements) continue;
      const CaseData data = make_case(lab, **oracle, test, {.seed = 1});
      for (const Oracle::Mistake& mistake : (*oracle)->usual_mistakes(lab, test, data.inputs))
        mistakes.emplace(mistake.words.english(), mistake.words);
    }
  }
  CHECK(mistakes.size() > 70);
  const LanguageScope russian("ru");
  std::string untranslated;
  for (const auto& [english, mistake] : mistakes) {
    const std::string shown = rendered(mistake);
    if (shown == english || test::has_english(shown)) untranslated += english + ": " + shown + "\n";
  }
  CHECK(untranslated == "");
}

}  // namespace e2e
