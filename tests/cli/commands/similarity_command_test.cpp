#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "tests/harness/catch.h"
#include "tests/harness/grader.h"

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

/// A class of lab3 variant4: the reference (as the work of one student), disguised copies of it, and other
/// solutions.
void hand_in_class(const e2e::Sandbox& sandbox) {
  const fs::path data = CUDALABS_TEST_DATA "/copies";
  sandbox.write("class/original/row_max.cu",
                e2e::read_file(fs::path(CUDALABS_SOURCE) / "reference/lab3/variant4/row_max.cu"));
  for (const char* const folder : {"disguised", "independent"}) {
    for (const auto& one : fs::directory_iterator(data / folder))
      sandbox.write("class/" + one.path().stem().string() + "/row_max.cu", e2e::read_file(one.path()));
  }
}

/// The shares of all pairs, in percent.
std::map<std::pair<std::string, std::string>, double> shares(const json& document) {
  std::map<std::pair<std::string, std::string>, double> found;
  for (const auto& group : document.at("groups"))
    for (const auto& pair : group.at("pairs"))
      found[{pair.at("first"), pair.at("second")}] = 100 * pair.at("share").get<double>();
  return found;
}

}  // namespace

TEST_CASE("Copies in disguise are found, and independent work is not", "[copies]") {
  const e2e::Sandbox sandbox;
  hand_in_class(sandbox);
  // Each copy is compared beside the original and the two other solutions, as in a class of four. In a class
  // of seven with five copies, the common code would count as widespread.
  const std::map<std::string, double> at_least{
      {"renamed", 99}, {"reordered", 80}, {"resized", 70}, {"restyled", 50}};
  for (const auto& [name, least] : at_least) {
    INFO(name);
    const auto run =
        sandbox.grader({"copies", "lab3", "variant4", "class/original", "class/" + name, "class/square_block",
                        "class/one_warp", "--threshold", "1", "--json", "-"});
    INFO(run.err);
    REQUIRE(run.status == 0);
    const auto found = shares(json::parse(run.out));
    for (const auto& [pair, share] : found) {
      INFO(pair.first << " " << pair.second << " " << share);
      if (pair == std::pair(std::string("original"), name))
        CHECK(share >= least);
      else
        CHECK(share < 50);
    }
    CHECK(found.contains({"original", name}));
  }
}

TEST_CASE("What is said of a class, for people and for programs", "[copies]") {
  const e2e::Sandbox sandbox;
  hand_in_class(sandbox);
  // A submission that does not compile is compared by its text, and the stub is no evidence.
  sandbox.write("class/broken/row_max.cu",
                e2e::read_file(sandbox.work() / "class/renamed/row_max.cu") + "\nint broken = \"\";\n");
  sandbox.write("class/stub/row_max.cu",
                e2e::read_file(fs::path(CUDALABS_SOURCE) / "student_templates/lab3/variant4/row_max.cu"));
  fs::create_directories(sandbox.work() / "class/empty\x1b[31m");
  for (const char* const name : {"reordered", "resized", "restyled"})
    fs::remove_all(sandbox.work() / "class" / name);
  const auto run =
      sandbox.grader({"copies", "lab3", "variant4", "class", "--json", "copies.json", "--export", "export"});
  INFO(run.err);
  REQUIRE(run.status == 0);
  const std::string out = run.out.substr(run.out.find('\n') + 1);  // the first line names the compiler
  CHECK(
      out.starts_with("\nGroup 1: 3 submissions with up to 100 % in common: broken, original, renamed\n"
                      "  100 %  original and renamed: 100 % of the one and 100 % of the other\n"));
  CHECK(out.find("\n   99 %  broken and renamed: 99 % of the one and 100 % of the other, by their text: one "
                 "does not compile\n") != std::string::npos);
  CHECK(out.find("\nNot compared, because too little code is left: stub\n\nNot read: class/empty?[31m: "
                 "nothing was handed in\n") != std::string::npos);
  const json document = json::parse(e2e::read_file(sandbox.work() / "copies.json"));
  CHECK(document.at("schema") == "grader/copies/v1");
  CHECK(document.at("submissions") == 6);
  CHECK(document.at("groups").at(0).at("members") == json({"broken", "original", "renamed"}));
  CHECK(document.at("not_compared") == json({"stub"}));
  CHECK(document.at("not_read").size() == 1);
  CHECK(e2e::read_file(sandbox.work() / "export/submissions/renamed/row_max.cu.cpp") ==
        e2e::read_file(sandbox.work() / "class/renamed/row_max.cu"));
  CHECK(fs::exists(sandbox.work() / "export/base/row_max.cu.cpp"));

  const auto wrong = [&](const std::vector<std::string>& words) {
    const auto ended = sandbox.grader(words);
    CHECK(ended.status == 2);
    CHECK(ended.out.empty());
    return ended.err;
  };
  CHECK(wrong({"copies", "lab3", "variant4"}) ==
        "grader: copies needs a lab, a variant and submissions\n  hint: for example: grader copies lab3 "
        "variant4 class/\n");
  CHECK(wrong({"copies", "lab3", "variant4", "class/stub", "class/none"})
            .find("there is nothing to compare: 1 submission of lab3/variant4 found") != std::string::npos);
  CHECK(wrong({"copies", "lab3", "variant4", "class", "--threshold", "0"}) ==
        "grader: --threshold must be a percentage from 1 to 100, not '0'\n");
  CHECK(wrong({"copies", "lab3", "variant4", "class", "--export", "class"}) ==
        "grader: class: is not an empty folder\n  hint: name a folder that does not exist yet\n");
}
