#include "grader/classroom/conditions.h"

#include <fmt/format.h>

#include <algorithm>

#include "grader/diagnostics/messages/classroom.h"
#include "grader/grading/cases/seed.h"

namespace cudalabs {
namespace {

constexpr std::size_t kMaxNamed = 5;

std::string owners_of(const ConditionValues::Value& value) {
  if (value.owners.size() > kMaxNamed) return {};
  return fmt::format(" ({})", fmt::join(value.owners, ", "));
}

Message difference(const ConditionValues& condition) {
  using Kind = ConditionValues::Kind;
  const std::string values = condition.text();
  switch (condition.kind) {
    case Kind::Compiler: return msg::compilers_differ(values);
    case Kind::Device: return msg::devices_differ(values);
    case Kind::Profile: return msg::profiles_differ(values);
    case Kind::SeedPolicy: return msg::seed_policies_differ(values);
    case Kind::Seed: return msg::seeds_differ(values);
  }
  return {};
}

}  // namespace

void ConditionValues::add(const std::string& text, const std::string& owner) {
  const auto known = std::ranges::find(values, text, &Value::text);
  if (known != values.end())
    known->owners.push_back(owner);
  else
    values.push_back({text, {owner}});
  std::ranges::stable_sort(values, std::ranges::greater(),
                           [](const Value& one) { return one.owners.size(); });
}

std::string ConditionValues::text(bool with_owners) const {
  if (values.empty()) return {};
  if (values.size() == 1) return values.front().text;
  std::size_t all = 0;
  for (const Value& value : values) all += value.owners.size();
  std::string text;
  for (const Value& value : values)
    text += fmt::format("{}{}: {}/{}{}", text.empty() ? "" : "; ", value.text, value.owners.size(), all,
                        with_owners ? owners_of(value) : "");
  return text;
}

std::vector<ConditionValues> conditions_of(const ClassRecord& record) {
  using Kind = ConditionValues::Kind;
  std::vector<ConditionValues> all;
  for (const Kind kind : {Kind::Compiler, Kind::Device, Kind::Profile, Kind::SeedPolicy, Kind::Seed})
    all.push_back({kind, {}});
  for (const auto& [id, student] : record.students) {
    const Grade grade = grade_of(record, student);
    if (grade.grading == nullptr) continue;
    const Conditions& own = grade.grading->conditions;
    const std::string* const texts[] = {&own.compiler, &own.device, &own.profile, &own.seed_policy,
                                        &own.seed};
    const bool own_seed = own.seed_policy == spelling(SeedPolicy::ByStudent);
    for (std::size_t i = 0; i < all.size(); ++i) {
      const bool expected = all[i].kind == Kind::Seed && own_seed;  // to differ
      if (!texts[i]->empty() && !expected) all[i].add(*texts[i], id);
    }
  }
  return all;
}

Messages differences_of(const std::vector<ConditionValues>& conditions) {
  Messages all;
  for (const ConditionValues& condition : conditions)
    if (condition.values.size() > 1) all.add(difference(condition));
  return all;
}

}  // namespace cudalabs
