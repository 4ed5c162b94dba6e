#include "grader/grading/cases/case_store.h"

#include "tests/harness/catch.h"
#include "tests/harness/files.h"

using namespace cudalabs;

namespace {

struct Fixture {
  test::TemporaryFolder folder;
  Lab lab = std::move(*load_lab(Course{CUDALABS_SOURCE}, "lab3", "variant4"));
  Oracle oracle = std::move(*Oracle::load(lab, folder.path()));
  TestCase test_case{{{"rows", 10}, {"cols", 100}}, Distribution::Uniform};

  std::shared_ptr<const CaseData> make(CaseStore& store, CaseKey key) const {
    return store.make(lab, oracle, test_case, key);
  }
};

/// Inputs of 1000 floats; outputs of 10, poisoned and expected.
constexpr std::size_t kBytes = 1000 * 4 + 10 * 4 + 10 * 8;

}  // namespace

TEST_CASE("a kept case is what make_case makes, and made once") {
  Fixture f;
  CaseStore store(2 * kBytes);
  const CaseKey key{.seed = 1, .case_index = 2, .version_index = 3};
  const auto first = f.make(store, key);
  const CaseData fresh = make_case(f.lab, f.oracle, f.test_case, key);
  CHECK(first->inputs == fresh.inputs);
  CHECK(first->initial_outputs == fresh.initial_outputs);
  CHECK(first->expected[0].values == fresh.expected[0].values);
  CHECK(f.make(store, key) == first);
  CHECK(store.bytes() == kBytes);
}

TEST_CASE("another seed, index, version, repetition or case is another") {
  Fixture f;
  CaseStore store(100 * kBytes);
  const CaseKey key{.seed = 1};
  const auto first = f.make(store, key);
  for (const CaseKey& other : {CaseKey{.seed = 2}, CaseKey{.seed = 1, .case_index = 1},
                               CaseKey{.seed = 1, .version_index = 1}, CaseKey{.seed = 1, .repetition = 1}}) {
    CHECK(f.make(store, other)->inputs != first->inputs);
  }
  f.test_case.distribution = Distribution::Constant;
  CHECK(f.make(store, key)->inputs != first->inputs);
}

TEST_CASE("what was asked for longest ago goes first, and what does not fit is not kept") {
  Fixture f;
  CaseStore store(2 * kBytes);
  const auto one = f.make(store, {.seed = 1}), two = f.make(store, {.seed = 2});
  CHECK(f.make(store, {.seed = 1}) == one);
  const auto three = f.make(store, {.seed = 3});
  CHECK(store.bytes() == 2 * kBytes);
  CHECK(f.make(store, {.seed = 1}) == one);
  CHECK(f.make(store, {.seed = 3}) == three);
  CHECK(f.make(store, {.seed = 2}) != two);

  CaseStore none(0);
  CHECK(f.make(none, {.seed = 1})->inputs == one->inputs);
  CHECK(none.bytes() == 0);
}
