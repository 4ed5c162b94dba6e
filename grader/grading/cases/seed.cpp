#include "grader/grading/cases/seed.h"

#include <sys/random.h>

#include "grader/base/hash/sha256.h"
#include "grader/base/parse_number.h"
#include "grader/diagnostics/messages/score.h"

namespace cudalabs {
namespace {

std::uint64_t mixed(const std::string& text) {
  const std::string hex = Sha256().add(text).hex();
  return parse_number<std::uint64_t>(std::string_view(hex).substr(0, 16), 16).value_or(0);
}

}  // namespace

Result<std::uint64_t> fresh_seed() {
  std::uint64_t seed = 0;
  if (getrandom(&seed, sizeof seed, 0) != sizeof seed) return error(msg::no_random_seed());
  return seed;
}

std::string_view spelling(SeedPolicy policy) {
  switch (policy) {
    case SeedPolicy::Fresh: return "fresh";
    case SeedPolicy::Fixed: return "fixed";
    case SeedPolicy::ByStudent: return "by_student";
  }
  return {};
}

std::uint64_t seed_of_student(std::uint64_t seed_of_class, std::string_view student) {
  return mixed("student\n" + std::to_string(seed_of_class) + "\n" + std::string(student));
}

Result<ChosenSeed> class_seed(const Course& course, std::string_view slug,
                              std::optional<std::uint64_t> named) {
  const bool by_student = course.seed_policy == SeedPolicy::ByStudent;
  std::string policy(named && !by_student ? kNamedSeed : spelling(course.seed_policy));
  if (named) return ChosenSeed{*named, std::move(policy)};
  if (course.seed_policy == SeedPolicy::Fixed) return ChosenSeed{course.fixed_seed, std::move(policy)};
  if (by_student)
    return ChosenSeed{mixed("class\n" + course.name + "\n" + std::string(slug)), std::move(policy)};
  const auto fresh = fresh_seed();
  if (!fresh) return fresh.problem();
  return ChosenSeed{*fresh, std::move(policy)};
}

Result<ChosenSeed> chosen_seed_of(const Course& course, std::string_view slug,
                                  std::optional<std::uint64_t> named, std::string_view student) {
  auto seed = class_seed(course, slug, named);
  if (!seed || course.seed_policy != SeedPolicy::ByStudent) return seed;
  if (!student.empty())
    seed->value = seed_of_student(seed->value, student);
  else if (named)
    seed->policy = kNamedSeed;  // it repeats a run
  else if (const auto fresh = fresh_seed(); fresh)
    *seed = {*fresh, std::string(spelling(SeedPolicy::Fresh))};
  else
    return fresh.problem();
  return seed;
}

}  // namespace cudalabs
