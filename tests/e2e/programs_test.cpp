// Programs with several files and options through `grader run`, with each compiler. They are in
// tests/programs.

#include "tests/harness/catch.h"
#include "tests/harness/compiler.h"
#include "tests/harness/grader.h"

namespace e2e {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using Words = std::vector<std::string>;

const fs::path kPrograms = fs::path(CUDALABS_SOURCE) / "tests" / "programs";

/// A folder with a program's files, in which the grader runs with one compiler.
class Project {
 public:
  Project(const std::string& name, std::string compiler) : compiler_(std::move(compiler)) {
    fs::copy(kPrograms / name, sandbox_.work(), fs::copy_options::recursive);
  }
  [[nodiscard]] Outcome run(Words words) const {
    words.insert(words.begin(), {"run", "--device", "simulator", "--compiler", compiler_});
    return sandbox_.grader(words);
  }
  [[nodiscard]] const fs::path& folder() const { return sandbox_.work(); }

 private:
  Sandbox sandbox_;
  std::string compiler_;
};

}  // namespace

TEST_CASE("a program of several files is built by nvcc's words in any order", "[programs]") {
  const std::string compiler = GENERATE(from_range(cudalabs::test::installed_compilers()));
  INFO(compiler);
  const Project project("several_files", compiler);
  const Outcome outcome = project.run({"-o", "program", "main.cu", "-I", "include", "-DFACTOR=7",
                                       "parts/there.cu", "-O3", "-arch=sm_70", "parts/host.cpp", "-Xcompiler",
                                       "-Wextra", "parts/old.c", "-lm", "-lcudart", "--", "its own"});
  INFO(outcome.err);
  CHECK(outcome.out == "1217 11 5 101 2 its own\n");
  CHECK(outcome.err.empty());
  CHECK(outcome.status == 0);
  CHECK(outcome.left_behind == Words{});
  CHECK_FALSE(fs::exists(project.folder() / "program"));
}

TEST_CASE("what a program of several files lacks is said in a sentence", "[programs]") {
  const std::string compiler = GENERATE(from_range(cudalabs::test::installed_compilers()));
  INFO(compiler);
  const Project project("several_files", compiler);
  const Outcome undefined =
      project.run({"main.cu", "-Iinclude", "-DFACTOR=7", "parts/there.cu", "parts/host.cpp"});
  CHECK(undefined.err ==
        "main.cu: error: in_c is used but not defined\ngrader: it does not compile: 1 error\n");
  CHECK(undefined.status == 2);

  const Outcome second = project.run({"parts/host.cpp", "-x", "cu", "-Iinclude"});
  CHECK(second.err.starts_with("parts/host.cpp:7:"));
  CHECK(second.err.find("nvcc leaves such a file to the host's compiler") != std::string::npos);
  CHECK(second.status == 2);

  const Outcome library = project.run({"main.cu", "-lcufft"});
  CHECK(library.err ==
        "grader: the program is linked with cuFFT (-lcufft), which runs only on NVIDIA cards and is not "
        "supported here\n"
        "  hint: write your own kernel for it, or use Thrust and CUB, which work here\n");
  CHECK(library.status == 2);

  const Outcome missing = project.run({"parts/host.cpp", "-lnothing_has_this_name"});
  CHECK(missing.err.find("parts/host.cpp: error: there is no library nothing_has_this_name "
                         "(-lnothing_has_this_name)\n") != std::string::npos);
  CHECK(missing.status == 2);

  CHECK(project.run({"-c", "main.cu"}).err ==
        "grader: -c has no effect: run builds and runs a whole program\n  hint: leave it out, or build "
        "with grader nvcc\n");
}

TEST_CASE("device code is linked across files", "[programs]") {
  const std::string compiler = GENERATE(from_range(cudalabs::test::installed_compilers()));
  INFO(compiler);
  const Project project("relocatable", compiler);
  const std::string expected = "kernel of main\nthread 1 there\n43488 43884 53676, total 37: no error\n";
  for (const char* engine : {"interpreter", "native"}) {
    const Outcome outcome =
        project.run({"-rdc=true", "main.cu", "parts/there.cu", "--engine", engine, "--check", "all"});
    INFO(outcome.err);
    // The order of two lines that one kernel prints is unspecified.
    CHECK(outcome.out.size() == expected.size());
    CHECK(outcome.out.ends_with("43488 43884 53676, total 37: no error\n"));
    CHECK(outcome.err.empty());
    CHECK(outcome.status == 0);
  }
  CHECK(project.run({"-dc", "parts/there.cu", "main.cu"}).status == 0);
}

TEST_CASE("what the files of a program lack of each other in device code is an error of the build",
          "[programs]") {
  const std::string compiler = GENERATE(from_range(cudalabs::test::installed_compilers()));
  INFO(compiler);
  const Project project("relocatable", compiler);
  std::ofstream(project.folder() / "lone.cu")
      << "__device__ int there(int);\n__global__ void k(int* p) {\n  *p = there(*p);\n}\n"
         "int main() { k<<<1, 1>>>(nullptr); }\n";
  const Outcome alone = project.run({"-rdc=true", "lone.cu"});
  CHECK(alone.err ==
        "lone.cu:3: error: there(int) is used here, but none of the files defines it\n  hint: compile the "
        "file that "
        "defines the __device__ function with the others, all with -rdc=true\ngrader: it does not compile: 1 "
        "error\n");
  CHECK(alone.status == 2);
  std::ofstream(project.folder() / "again.cu") << "__device__ int total = 1;\n";
  const Outcome twice = project.run({"-rdc=true", "main.cu", "parts/there.cu", "again.cu"});
  CHECK(twice.err.starts_with("again.cu: error: total is defined here and in parts/there.cu\n"));
  CHECK(twice.status == 2);
}

TEST_CASE("findings are written as JSON and SARIF, and the exit status is as asked", "[programs]") {
  const std::string compiler = GENERATE(from_range(cudalabs::test::installed_compilers()));
  INFO(compiler);
  const Project project("race", compiler);
  const auto document = [&](const char* name) { return Json::parse(read_file(project.folder() / name)); };
  const Outcome outcome = project.run(
      {"race.cu", "--check", "racecheck", "--json", "f.json", "--sarif", "f.sarif", "--error-exitcode", "9"});
  INFO(outcome.err);
  CHECK(outcome.status == 9);
  const Json json = document("f.json"), sarif = document("f.sarif");
  REQUIRE(json["findings"].size() == 1);
  const Json& finding = json["findings"][0];
  CHECK(finding["rule"] == "racecheck");
  const std::string id = finding["id"];
  CHECK(id.starts_with("race_"));
  CHECK(finding["severity"] == "error");
  CHECK(finding["here"]["file"] == "race.cu");
  CHECK(finding["others"].size() == 1);

  CHECK(sarif["version"] == "2.1.0");
  const Json& result = sarif["runs"][0]["results"][0];
  CHECK(sarif["runs"][0]["results"].size() == 1);
  CHECK(result["ruleId"] == id);
  CHECK(result["properties"]["checker"] == "racecheck");
  CHECK(result["properties"]["messages"] == finding["message_parts"]);
  const Json& rules = sarif["runs"][0]["tool"]["driver"]["rules"];
  REQUIRE(rules.size() == 1);
  CHECK(rules[0]["id"] == id);
  CHECK(rules[0]["properties"]["category"] == "racecheck");
  CHECK(result["level"] == "error");
  CHECK(result["occurrenceCount"] == finding["count"]);
  const auto line = [](const Json& location) {
    CHECK(location["physicalLocation"]["artifactLocation"]["uri"] == "race.cu");
    return location["physicalLocation"]["region"]["startLine"].get<int>();
  };
  const int here = line(result["locations"][0]), other = line(result["relatedLocations"][0]);
  CHECK(std::set{here, other} == std::set{3, 4});

  const Outcome without = project.run({"race.cu", "--json", "f.json", "--sarif", "f.sarif"});
  CHECK(without.status == 4);
  CHECK(document("f.json") == Json{{"format", 1}, {"findings", Json::array()}});
  CHECK(document("f.sarif")["runs"][0]["results"] == Json::array());
  CHECK(project.run({"race.cu", "--check", "racecheck", "--error-exitcode", "0"}).status == 4);
  CHECK(project.run({"race.cu", "--error-exitcode", "256"}).err ==
        "grader: --error-exitcode needs a number from 0 to 255\n");

  CHECK(project.run({"race.cu", "-Dint=nothing", "--json", "f.json"}).status == 2);
  CHECK(document("f.json")["findings"][0]["rule"] == "compile");
  CHECK(document("f.json")["findings"][0]["here"]["file"] == "race.cu");
}

}  // namespace e2e
