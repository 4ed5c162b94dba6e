#include "grader/classroom/similarity/groups.h"

#include <algorithm>
#include <chrono>
#include <random>
#include <string>

#include "tests/harness/catch.h"

using namespace cudalabs;

namespace {

/// The numbers [from, to).
PrintSet range(std::uint64_t from, std::uint64_t to) {
  PrintSet prints;
  for (std::uint64_t n = from; n < to; ++n) prints.push_back(n);
  return prints;
}

PrintSet both(PrintSet a, const PrintSet& b) {
  a.insert(a.end(), b.begin(), b.end());
  keep_fewest(a);
  return a;
}

CopyEntry entry(std::string id, PrintSet code, PrintSet text = {}) {
  return {std::move(id), {std::move(code), std::move(text)}};
}

/// The groups as text, by ids.
std::string described(const std::vector<CopyEntry>& entries, const CopyGroups& copies) {
  std::string text;
  const auto percent = [](double share) { return std::to_string(static_cast<int>(share * 1000 + 0.5)); };
  for (const CopyGroup& group : copies.groups) {
    text += percent(group.share) + ":";
    for (const std::size_t member : group.members) text += " " + entries[member].id;
    for (const CopyPair& pair : group.pairs) {
      text += " (" + entries[pair.first].id + "-" + entries[pair.second].id + " " + percent(pair.share) +
              " " + percent(pair.of_first) + "/" + percent(pair.of_second) +
              (pair.by == ComparedBy::Text ? " text)" : ")");
    }
    if (group.pairs_left_out > 0) text += " +" + std::to_string(group.pairs_left_out);
    text += "\n";
  }
  for (const std::size_t member : copies.not_compared) text += "? " + entries[member].id + "\n";
  return text;
}

std::string groups(const std::vector<CopyEntry>& entries, const Fingerprints& handed_out = {},
                   double threshold = 0.5) {
  return described(entries, groups_of(entries, handed_out, {threshold}));
}

}  // namespace

TEST_CASE("Pairs become groups, and what each has in common is told of both") {
  const std::vector<CopyEntry> entries{entry("dora", range(500, 600)), entry("carl", range(40, 140)),
                                       entry("anna", range(0, 100)), entry("bert", range(20, 100))};
  // anna-bert: 80 of 100 and of 80; anna-carl: 60 of 100; bert-carl: 60 of 80 and of 100
  CHECK(groups(entries) ==
        "889: anna bert carl (anna-bert 889 800/1000) (bert-carl 667 750/600) (anna-carl 600 600/600)\n");
  CHECK(groups(entries, {}, 0.9).empty());
  CHECK(groups({}).empty());
  CHECK(groups({entry("anna", range(0, 100))}).empty());
}

TEST_CASE("The order of the entries changes nothing") {
  std::vector<CopyEntry> entries;
  std::mt19937 random(1);
  for (std::uint64_t n = 0; n < 30; ++n)
    entries.push_back(entry("s" + std::to_string(n), range(n * 7, n * 7 + 20 + random() % 30)));
  const std::string expected = groups(entries);
  REQUIRE_FALSE(expected.empty());
  for (int turn = 0; turn < 5; ++turn) {
    std::shuffle(entries.begin(), entries.end(), random);
    CHECK(groups(entries) == expected);
  }
}

TEST_CASE("What is handed out is taken away first") {
  const std::vector<CopyEntry> entries{entry("anna", both(range(0, 100), range(200, 220))),
                                       entry("bert", both(range(0, 100), range(300, 320))),
                                       entry("stub", range(0, 100))};
  CHECK(groups(entries) ==
        "909: anna bert stub (anna-stub 909 833/1000) (bert-stub 909 833/1000) (anna-bert 833 833/833)\n");
  CHECK(groups(entries, {range(0, 100), {}}) == "? stub\n");
}

TEST_CASE("What more than half of a class have is no evidence") {
  std::vector<CopyEntry> entries;
  for (std::uint64_t n = 0; n < 7; ++n)
    entries.push_back(
        entry("s" + std::to_string(n), both(range(0, 100), range(1000 * (n + 1), 1000 * (n + 1) + 30))));
  CHECK(groups(entries).starts_with("769: s0 s1 s2 s3 s4 s5 s6"));         // too few to say what is usual
  entries.push_back(entry("s7", both(range(0, 100), range(1000, 1030))));  // s0's
  CHECK(groups(entries) == "1000: s0 s7 (s0-s7 1000 1000/1000)\n");
}

TEST_CASE("What does not compile is compared by its text") {
  const std::vector<CopyEntry> entries{entry("anna", range(0, 50), range(0, 80)),
                                       entry("bert", {}, range(0, 78)),
                                       entry("carl", {}, range(2, 80)),
                                       entry("dora", range(0, 50), range(500, 580)),
                                       entry("emil", {}, {}),
                                       entry("fina", {}, range(0, 5))};
  CHECK(groups(entries) ==
        "1000: anna bert carl dora (anna-dora 1000 1000/1000) (anna-bert 987 975/1000 text) "
        "(anna-carl 987 975/1000 text) (bert-carl 974 974/974 text)\n? emil\n? fina\n");
}

TEST_CASE("A large class is compared quickly, and many alike leave a short list") {
  std::mt19937_64 random(3);
  std::vector<CopyEntry> entries;
  PrintSet usual;
  for (int n = 0; n < 1500; ++n) usual.push_back(random());
  for (int n = 0; n < 1000; ++n) {
    PrintSet prints;
    // Each has 40 % of the common fingerprints, so no majority has them, and 300 of its own.
    for (const std::uint64_t print : usual)
      if (random() % 10 < 4) prints.push_back(print);
    for (int own = 0; own < 300; ++own) prints.push_back(random());
    keep_fewest(prints);
    entries.push_back(entry("s" + std::to_string(n), prints));
  }
  for (int n = 1; n < 60; ++n) entries[static_cast<std::size_t>(n) * 10].prints = entries[0].prints;
  const auto start = std::chrono::steady_clock::now();
  const CopyGroups copies = groups_of(entries, {});
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  REQUIRE(copies.groups.size() == 1);
  CHECK(copies.groups[0].members.size() == 60);
  CHECK(copies.groups[0].pairs.size() == kMaxPairsOfGroup);
  CHECK(copies.groups[0].pairs_left_out == 60 * 59 / 2 - kMaxPairsOfGroup);
  INFO("a class of 1000: " << seconds << " s");
  CHECK(seconds < 10);  // far below one second on an idle machine
}

TEST_CASE("Entries like the reference are found, even if most of a class are", "[copies]") {
  const Fingerprints reference{range(0, 100), range(500, 560)};
  std::vector<CopyEntry> entries;
  for (int n = 0; n < 12; ++n) entries.push_back(entry("copy" + std::to_string(n), range(0, 100)));
  entries.push_back(entry("half", both(range(0, 49), range(200, 251))));
  entries.push_back(entry("most", both(range(0, 80), range(300, 320))));
  entries.push_back(entry("broken", {}, range(500, 560)));  // does not compile: by its text
  entries.push_back(entry("stub", range(0, 5)));
  const auto alike = entries_like(reference, entries, {});
  REQUIRE(alike.size() == 14);
  CHECK(alike[0].share == 1);
  CHECK(entries[alike[12].entry].id == "broken");
  CHECK(entries[alike.back().entry].id == "most");
  CHECK(alike.back().share == Approx(0.8));
  CHECK(entries_like(reference, entries, {range(0, 95), range(500, 555)}).empty());  // too little is left
  CHECK(entries_like({}, entries, {}).empty());
}
