#include "grader/classroom/reports/pseudonyms.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <vector>

#include "grader/base/hash/sha256.h"
#include "grader/base/parse_number.h"

namespace cudalabs {
namespace {

/// Stars: names that are the same in every language and say nothing about a person.
constexpr std::array<std::string_view, 48> kStars = {
    "Achernar", "Acrux",  "Adhara",    "Albireo",   "Alcor",   "Aldebaran", "Algol",  "Alhena",
    "Alioth",   "Alkaid", "Almach",    "Alnair",    "Alnilam", "Alphard",   "Altair", "Antares",
    "Arcturus", "Atria",  "Bellatrix", "Canopus",   "Capella", "Castor",    "Deneb",  "Diphda",
    "Dubhe",    "Elnath", "Enif",      "Fomalhaut", "Hadar",   "Hamal",     "Izar",   "Kochab",
    "Markab",   "Merak",  "Mimosa",    "Mira",      "Mizar",   "Peacock",   "Pollux", "Procyon",
    "Regulus",  "Rigel",  "Sadr",      "Saiph",     "Sirius",  "Spica",     "Thuban", "Vega"};

std::uint64_t number_of(const std::string& key, const std::string& id, std::size_t round) {
  const std::string hash =
      Sha256().add(key).add(std::string_view("\0", 1)).add(id).add(std::to_string(round)).hex();
  return parse_number<std::uint64_t>(std::string_view(hash).substr(0, 15), 16).value_or(0);
}

}  // namespace

std::map<std::string, std::string> pseudonyms(const ClassRecord& record) {
  std::vector<const Student*> students;
  for (const auto& [id, student] : record.students) students.push_back(&student);
  std::ranges::sort(students, {}, [](const Student* one) { return one->hand_ins.front().event; });
  // Enough numbers that few students meet: who comes second takes another one.
  constexpr std::uint64_t kNumbers = 999;
  std::map<std::string, std::string> names;
  std::set<std::string> taken;
  for (const Student* const student : students) {
    for (std::size_t round = 0; !names.contains(student->id); ++round) {
      const std::uint64_t number = number_of(record.pseudonym_key, student->id, round);
      std::string name(kStars[number % kStars.size()]);
      // Should a class be larger than all names, numbers grow.
      name += " " + std::to_string(1 + number / kStars.size() % (kNumbers * (1 + round / 100)));
      if (taken.insert(name).second) names[student->id] = std::move(name);
    }
  }
  return names;
}

}  // namespace cudalabs
