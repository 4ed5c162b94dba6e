#include "grader/classroom/reports/pseudonyms.h"

#include <fmt/format.h>

#include <set>

#include "tests/harness/catch.h"

using namespace cudalabs;

TEST_CASE("Pseudonyms are of one student each, stay, and need the class's secret", "[batch]") {
  ClassRecord record;
  const auto add = [&record](const std::string& id) {
    Student& student = record.students[id];
    student.id = student.name = id;
    Handed handed;
    handed.event = static_cast<std::int64_t>(record.students.size());
    student.hand_ins.push_back(handed);
  };
  record.pseudonym_key = "1";
  for (int n = 0; n < 3000; ++n) add(fmt::format("s{}", n));
  const auto before = pseudonyms(record);
  std::set<std::string> different;
  for (const auto& [id, name] : before) different.insert(name);
  CHECK(different.size() == 3000);
  for (int n = 0; n < 200; ++n) add(fmt::format("a{}", n));  // in front of the others by id
  const auto after = pseudonyms(record);
  for (const auto& [id, name] : before) CHECK(after.at(id) == name);
  record.pseudonym_key = "2";
  std::size_t same = 0;
  for (const auto& [id, name] : pseudonyms(record)) same += after.at(id) == name ? 1 : 0;
  CHECK(same < 10);
}
