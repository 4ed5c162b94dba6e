// What editors and shells get from the grader: the files that `grader init` leaves, by real compilers and
// CMake, and the completion of its command line, by the shells that this machine has.

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "grader/toolchain/clang.h"
#include "grader/toolchain/options/cuda_compiler.h"
#include "tests/harness/catch.h"
#include "tests/harness/files.h"
#include "tests/harness/golden.h"
#include "tests/harness/process.h"
#include "tests/harness/workplace.h"

namespace {

namespace fs = std::filesystem;
namespace test = cudalabs::test;
using Json = nlohmann::json;
using test::check_golden;
using test::read_file;

const fs::path kSource = CUDALABS_SOURCE, kGrader = fs::path(CUDALABS_BIN) / "grader";

/// A folder that `grader init` made, and a cache of its own.
class StudentFolder {
 public:
  StudentFolder() : root_(fs::path(CUDALABS_BIN).parent_path()) { init(); }

  void init() const { CHECK(shell("'" + kGrader.string() + "' init lab3 variant4 .").status == 0); }
  [[nodiscard]] fs::path path() const { return root_.path() / "mine"; }
  [[nodiscard]] test::Ended shell(const std::string& line) const {
    fs::create_directories(path());
    return test::run({.words = test::shell(line),
                      .folder = path(),
                      .environment = {{"XDG_CACHE_HOME", (root_.path() / "cache").string()},
                                      {"GRADER", kGrader.string()},
                                      {"CUDA_LABS_COURSE", std::nullopt}},
                      .together = true});
  }
  [[nodiscard]] fs::path link() const { return root_.path() / "cache/cuda-labs/headers"; }
  /// The file, with this machine's paths as words.
  [[nodiscard]] std::string file(const char* name) const {
    const std::regex grader(kGrader.string()), cache((root_.path() / "cache").string());
    return std::regex_replace(std::regex_replace(read_file(path() / name), grader, "GRADER"), cache, "CACHE");
  }

 private:
  test::TemporaryFolder root_;
};

bool has(const std::string& program) { return test::run({test::shell("command -v " + program)}).status == 0; }

}  // namespace

TEST_CASE("init leaves files for editors, and keeps those that are there") {
  const StudentFolder folder;
  std::string all;
  for (const char* name : {"compile_flags.txt", "CMakeLists.txt", ".vscode/tasks.json",
                           ".vscode/settings.json", ".vscode/extensions.json"})
    all += std::string("==== ") + name + "\n" + folder.file(name);
  check_golden("init_editors.txt", all);
  std::ofstream(folder.path() / ".vscode/settings.json") << "{}\n";
  folder.init();
  CHECK(read_file(folder.path() / ".vscode/settings.json") == "{}\n");
}

TEST_CASE("the link to the headers is made again: for another version, and in a cleaned cache") {
  const StudentFolder folder;
  const auto check = [&] { CHECK(fs::exists(folder.link() / "cuda_runtime.h")); };
  check();
  fs::remove(folder.link());
  fs::create_directory_symlink("cuda-of-an-older-version", folder.link());
  folder.init();
  check();
  fs::remove_all(folder.link().parent_path());
  std::ofstream(folder.path() / "row_max.cu") << "#error not yet\n";
  CHECK(folder.shell("\"$GRADER\" lab3 variant4 -q").status == 1);  // a grading does it, too
  check();
}

TEST_CASE("clangd's flags show no false error in stubs, references and programs, without a toolkit") {
  const auto clang = cudalabs::find_clang();
  if (!clang || !*clang) return;  // nothing to read the flags
  const StudentFolder folder;
  std::string words;
  std::istringstream flags(read_file(folder.path() / "compile_flags.txt"));
  for (std::string flag; std::getline(flags, flag);) words += " '" + flag + "'";
  const std::string command = "'" + (*clang)->program().string() + "'" + words + " -fsyntax-only -Werror ";
  CHECK(folder.shell(command + "row_max.cu").out.empty());
  for (const char* lab :
       {"lab1/variant1", "lab2/variant1", "lab3/variant4", "lab4/variant1", "lab5/variant1"}) {
    for (const char* kind : {"student_templates", "reference"}) {
      const fs::path place = kSource / kind / lab;
      for (const auto& entry : fs::directory_iterator(place)) {
        if (entry.path().extension() != ".cu") continue;
        const auto ended = folder.shell(command + "-I'" + (kSource / "labs" / lab).string() + "' -I'" +
                                        place.parent_path().string() + "' '" + entry.path().string() + "'");
        INFO(entry.path() << ended.out);
        CHECK(ended.status == 0);
      }
    }
  }
  std::ofstream(folder.path() / "wrong.cu") << "__global__ void k(int* p) { *p = thraedIdx.x; }\n";
  CHECK(folder.shell(command + "wrong.cu").out.find("thraedIdx") != std::string::npos);
}

TEST_CASE("CMake configures the folder without nvcc, and gives one standard") {
  if (!has("cmake")) return;
  const StudentFolder folder;
  const auto configured =
      folder.shell("cmake -S . -B build -G 'Unix Makefiles' -DNVCC= -DCMAKE_EXPORT_COMPILE_COMMANDS=ON");
  INFO(configured.out);
  REQUIRE(configured.status == 0);
  const std::string command =
      Json::parse(read_file(folder.path() / "build/compile_commands.json"))[0].at("command");
  CHECK(command.find("/toolkit-") != std::string::npos);  // the grader stands in for nvcc
  CHECK(command.find("-std=") == command.rfind("-std="));
  CHECK(command.find("-std=c++20") != std::string::npos);
  const auto built = folder.shell("cmake --build build");
  INFO(built.out);
  CHECK(built.status == 0);
}

TEST_CASE("the task's problem matchers find the lines of grader run") {
  const StudentFolder folder;
  std::ofstream(folder.path() / "race.cu") << "__global__ void k(int* p) {\n"
                                              "  __shared__ int s[64];\n"
                                              "  s[threadIdx.x] = 1;\n"
                                              "  p[threadIdx.x] = s[63 - threadIdx.x];\n"
                                              "}\n"
                                              "int main() {\n"
                                              "  int* p;\n"
                                              "  cudaMalloc(&p, 128);\n"
                                              "  k<<<1, 64>>>(p);\n"
                                              "  cudaDeviceSynchronize();\n"
                                              "}\n";
  const Json tasks = Json::parse(read_file(folder.path() / ".vscode/tasks.json")).at("tasks");
  const std::string out = folder.shell("\"$GRADER\" run race.cu --check racecheck").out;
  INFO(out);
  std::vector<std::string> found;
  for (const Json& matcher : tasks.back().at("problemMatcher")) {
    const Json& pattern = matcher.at("pattern");
    const std::regex regexp(pattern.at("regexp").get<std::string>());
    std::istringstream lines(out);
    std::smatch parts;
    for (std::string line; std::getline(lines, line);) {
      if (std::regex_search(line, parts, regexp)) found.push_back(parts[pattern.at("line")]);
    }
  }
  CHECK(found == std::vector<std::string>{"4", "4"});  // the race, then the store past the end
}

TEST_CASE("completion: commands, labs, variants, versions, options and their values") {
  const test::Workplace place;
  std::string text;
  for (const char* words : {"''",
                            "la",
                            "lab3 ''",
                            "lab3 variant4 --ver",
                            "lab3 variant4 --version ''",
                            "--language ''",
                            "--language ru lab3 variant4 --version=s",
                            "init lab3 variant1",
                            "init lab3 variant4 ''",
                            "run --check racecheck,mem",
                            "run --device = sim",
                            "run --device=",
                            "run --clock ''",
                            "run program.cu ''",
                            "run program.cu -- --che",
                            "course ''",
                            "course export --for ''",
                            "explain --co",
                            "ladder red",
                            "lab3 variant4 --device-profile ''",
                            "nothing ''",
                            "lab3 variant4 --json ''",
                            "--course nowhere ''"})
    text += place.grader(std::string("__complete ") + words);
  text += place.grader("--completion") + place.grader("--completion fsh") +
          place.grader("--completion fsh", "ru");
  check_golden("completion.txt", text);
}

TEST_CASE("completion: each shell that is here takes its script") {
  const StudentFolder folder;
  std::ofstream(folder.path() / "ask.bash") << R"(source <("$GRADER" --completion bash)
ask() {
  COMP_WORDS=("$@")
  COMP_CWORD=$(($# - 1))
  _grader_complete 2>/dev/null
  echo "${COMPREPLY[@]}"
}
ask grader lab3 variant4 --version ''
ask grader run --device = s
ask grader run row
ask grader in
)";
  CHECK(folder.shell("bash ask.bash").out == "global shared padded\nsimulator\nrow_max.cu\ninit\n");
  if (has("fish")) {
    const auto fish = folder.shell(
        "\"$GRADER\" --completion fish > c.fish; fish -c 'source c.fish; complete -C \"grader lab3 variant4 "
        "--version \"; "
        "complete -C \"grader run row\"; complete -C \"grader course export --for s\"'");
    CHECK(fish.out == "global\npadded\nshared\nrow_max.cu\nstaff\nstudents\n");
  }
  if (has("zsh")) CHECK(folder.shell("\"$GRADER\" --completion zsh > _grader; zsh -n _grader").out.empty());
}
