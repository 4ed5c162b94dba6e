// Compares the real binary's whole output with tests/cli/golden: help, lists, and errors in the command line.

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/harness/catch.h"
#include "tests/harness/files.h"
#include "tests/harness/golden.h"
#include "tests/harness/process.h"
#include "tests/harness/workplace.h"

namespace {

namespace fs = std::filesystem;
namespace test = cudalabs::test;
using test::check_golden;
using test::read_file;
using test::replace_in;
using test::Workplace;

}  // namespace

TEST_CASE("help") {
  const Workplace place;
  check_golden("help.txt", place.grader("--help") + place.grader("list --help") +
                               place.grader("init --help") + place.grader("run --help") +
                               place.grader("nvcc --help") + place.grader("report --help"));
  CHECK(place.grader("--version").find("grader ") != std::string::npos);
}

TEST_CASE("the language is that of --language, else the first in LANGUAGE that there is") {
  const Workplace place;
  std::string text = place.grader("list --language ru") + place.grader("lab3 variant44 --language=ru") +
                     place.grader("list --language de") + place.grader("--language") +
                     place.grader("list --language ru --language en --typo") +
                     place.grader("--language ru lsit") +
                     place.grader("--language en --language=ru list lab3 variant4 --files --typo");
  for (const char* list : {"ru", "xx:ru_RU.UTF-8:en", "en:ru", "xx", ":"})
    text += place.grader("list --typo", list);
  text += place.grader("list --typo --language en", "ru") + place.grader("list --language de", "ru");
  check_golden("language.txt", text);
}

TEST_CASE("a course's own words for an advice stand on the card, in each language") {
  const Workplace place;
  std::ofstream(place.course() / "configs/grading.yaml", std::ios::app)
      << "messages:\n  kernel_returns_nothing:\n    en: See page 7 of the notes.\n"
         "    ru: См. стр. 7 конспекта.\n";
  std::ofstream(place.work() / "row_max.cu") << "__global__ int kernel() { return 1; }\n";
  const std::string command = "lab3 variant4 --submission row_max.cu --seed 7";
  const std::string card = place.grader(command), russian = place.grader(command, "ru");
  INFO(card << russian);
  CHECK(card.find("→ See page 7 of the notes.") != std::string::npos);
  CHECK(russian.find("→ См. стр. 7 конспекта.") != std::string::npos);

  replace_in(place.course() / "configs/grading.yaml", "kernel_returns_nothing", "kernel_return_nothing");
  const std::string refused = place.grader(command);
  INFO(refused);
  CHECK(refused.find(":3: there is no message 'kernel_return_nothing'; did you mean "
                     "'kernel_returns_nothing'?") != std::string::npos);
  CHECK(refused.find("[exit status 2]") != std::string::npos);
  const std::string list = place.grader("explain --messages kernel_returns");
  CHECK(list.find("kernel_returns_nothing (advice; en, ru)\n  Write __global__ void, and let the kernel ") !=
        std::string::npos);
}

TEST_CASE("what is read by programs is English in every language") {
  const Workplace place;
  const fs::path result = fs::path(CUDALABS_SOURCE) / "tests/present/formats/golden/mixed.json";
  const std::string command = "report '" + result.string() + "' ";
  for (const char* format : {"--json -", "--autolab -", "--classroom50 -"})
    CHECK("LANGUAGE=ru " + place.grader(command + format).substr(2) ==
          place.grader(command + format, "ru").substr(2));
  const std::string markdown = place.grader(command + "--markdown -", "ru");
  CHECK(markdown.find("| версия | вердикт |") != std::string::npos);
  const std::string page = place.grader(command + "--html -", "ru");
  CHECK(page.find("<html lang=\"ru\">") != std::string::npos);
  CHECK(page.find("Что потеряно и что делать") != std::string::npos);
}

TEST_CASE("a GPU driver that cannot be used is told of, and auto does without it") {
  const Workplace place;
  std::ofstream(place.work() / "driver.cpp") << "extern \"C\" int cuInit(unsigned) { return 0; }\n";
  std::ofstream(place.work() / "hello.cu") << "#include <cstdio>\nint main() { std::puts(\"hello\"); }\n";
  test::output_of(
      {.words = {"g++", "-shared", "-fPIC", "driver.cpp", "-o", "libcuda.so.1"}, .folder = place.work()});
  ::setenv("LD_LIBRARY_PATH", place.work().c_str(), 1);
  const std::string asked = place.grader("run hello.cu --device gpu");
  const std::string automatic = place.grader("run hello.cu");
  const std::string simulator = place.grader("run hello.cu --device simulator");
  ::unsetenv("LD_LIBRARY_PATH");
  INFO(asked << automatic << simulator);
  const std::string problem = "the NVIDIA driver of this machine is too old: it has no ";
  CHECK(asked.find("grader: " + problem) != std::string::npos);
  CHECK(asked.find("[exit status 3]") != std::string::npos);
  CHECK(automatic.find("grader: on the simulator: " + problem) != std::string::npos);
  CHECK(automatic.find("hello\n") != std::string::npos);
  CHECK(automatic.find("[exit status 0]") != std::string::npos);
  CHECK(simulator.find("driver") == std::string::npos);
}

TEST_CASE("what comes from the simulator alone is refused on a GPU") {
  const Workplace place;
  std::ofstream(place.work() / "hello.cu") << "int main() {}\n";
  for (const char* option : {"--check all", "--counters -", "--profile", "--explain", "--clock estimated",
                             "--shuffle-streams 1"}) {
    const std::string text = place.grader(std::string("run hello.cu --device gpu ") + option);
    CHECK(text.find("--counters, --profile, --check, --explain, --shuffle-streams and --clock estimated need "
                    "the simulator") != std::string::npos);
    CHECK(text.find("[exit status 2]") != std::string::npos);
  }
}

TEST_CASE("a lab whose name resembles a command's") {
  const Workplace place;
  std::filesystem::create_directories(place.work() / "own/configs/labs/explanin");
  std::ofstream(place.work() / "own/course.yaml") << "name: own\ntitle: Own labs\n";
  for (const char* course : {"--course own", "--course=own"}) {
    const std::string text = place.grader(std::string("explanin bytes ") + course);
    CHECK(text.find("there is no command") == std::string::npos);
    CHECK(text.find("[exit status 2]") != std::string::npos);
  }
  CHECK(place.grader("explanin bytes").find("there is no command 'explanin'") != std::string::npos);
}

TEST_CASE("misspelt names") {
  const Workplace place;
  std::string text;
  for (const char* arguments : {"lsit",
                                "inti lab3 variant4",
                                "lab33 variant4",
                                "lab3 varient4",
                                "lab3",
                                "nothing",
                                "lab3 variant4 --sede 5",
                                "--sede 5 lab3 variant4",
                                "lab3 variant4 --version shard",
                                "lab3 variant4 --device simulater",
                                "lab3 variant4 --device gpu --device-profile k40c",
                                "lab3 variant4 --seed many",
                                "lab3 variant4 --sanitize --json -",
                                "lab3 variant4 --sanitize --profile report",
                                "lab3 variant4 --profile report --device simulator",
                                "lab3 variant4 extra",
                                "lab3 variant4 --seed",
                                "run",
                                "run nothing.cu",
                                "init lab3",
                                "list --corse x",
                                "list lab3 variant4",
                                "list --files",
                                "list lab3 --files",
                                "list lab33 variant4 --files",
                                "list lab3 varient4 --files",
                                "lab3 variant4 --json no/such/folder/file",
                                "lab3 variant4 --compiler clnag",
                                "ladder --compiler clang",
                                "__device nonsense"}) {
    text += place.grader(arguments) + "\n";
  }
  check_golden("misspelt.txt", text);
}

TEST_CASE("where the files of a variant lie") {
  const Workplace place;
  check_golden("files.txt", place.grader("list lab3 variant4 --files") + "\n" +
                                place.grader("list lab5 variant2 --files"));
}

TEST_CASE("submissions that are not there or cannot be read") {
  const Workplace place;
  std::string text =
      place.grader("lab3 variant4") + "\n" + place.grader("lab3 variant4 --submission nowhere") + "\n";
  fs::create_directory(place.work() / "row_max.cu");
  text += place.grader("lab3 variant4");
  check_golden("unreadable.txt", text);
}

TEST_CASE("a typing error in a lab's YAML is shown with its place") {
  const Workplace place;
  const fs::path yaml = place.course() / "configs/labs/lab3/variant4.yaml";
  SECTION("a key") {
    replace_in(yaml, "correctness_points", "corectness_points");
    check_golden("yaml_key.txt", place.grader("lab3 variant4") + place.grader("list"));
  }
  SECTION("a value") {
    replace_in(yaml, "distribution: negative", "distribution: negatve");
    check_golden("yaml_value.txt", place.grader("lab3 variant4"));
  }
}

TEST_CASE("a folder to work in is made once and never overwritten") {
  const Workplace place;
  const std::string first = place.grader("init lab3 variant4");
  std::ofstream(place.work() / "lab3/variant4/row_max.cu") << "// mine";
  fs::remove(place.work() / "lab3/variant4/handout.md");
  check_golden("init.txt", first + "\n" + place.grader("init lab3 variant4"));
  CHECK(read_file(place.work() / "lab3/variant4/row_max.cu") == "// mine");
}
