// The labs' usual mistakes: the sentences that an oracle gives, which people read in their language.

#include <numeric>
#include <set>

#include "grader/course/lab.h"
#include "grader/diagnostics/language.h"
#include "grader/grading/cases/inputs.h"
#include "grader/grading/grading_context.h"
#include "tests/harness/catch.h"
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

TEST_CASE("each usual mistake of the course has a sentence in Russian", "[check_labs]") {
  ::setenv("XDG_CACHE_HOME", (std::filesystem::path(CUDALABS_BIN).parent_path() / "e2e-cache").c_str(), 1);
  const Course course{CUDALABS_SOURCE};
  const auto labs = load_all_labs(course);
  REQUIRE(labs.ok());
  std::set<std::string> sentences;
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
        sentences.insert(mistake.words);
    }
  }
  CHECK(sentences.size() > 100);
  const LanguageScope russian("ru");
  std::string untranslated;
  for (const std::string& sentence : sentences)
    if (translated_word(sentence) == sentence) untranslated += sentence + "\n";
  CHECK(untranslated == "");
}

}  // namespace e2e
