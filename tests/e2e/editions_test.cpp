// `grader course`: courses that travel as one file, and graders that carry them.

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <string>
#include <unordered_map>

#include "tests/harness/catch.h"
#include "tests/harness/files.h"
#include "tests/harness/grader.h"
#include "tests/harness/process.h"

namespace e2e {
namespace {

namespace fs = std::filesystem;
using cudalabs::test::Ended;

const fs::path kSource = CUDALABS_SOURCE;
const std::string kGrader = std::string(CUDALABS_BIN) + "/grader";

/// A program in a folder of its own, with caches that are its own or those of other tests.
class Desk {
 public:
  explicit Desk(bool own_cache) {
    const fs::path shared = fs::path(CUDALABS_BIN).parent_path() / "e2e-cache";
    variables_ = {{"XDG_CACHE_HOME", (own_cache ? sandbox_.work() / "cache" : shared).string()},
                  {"XDG_CONFIG_HOME", (sandbox_.work() / "config").string()},
                  {"CUDA_LABS_COURSE", std::nullopt},
                  {"CUDA_LABS_COMPILER", "clang"}};
  }
  [[nodiscard]] Ended run(const std::string& program, std::vector<std::string> words,
                          const std::map<std::string, std::optional<std::string>>& more = {}) const {
    words.insert(words.begin(), program);
    auto variables = variables_;
    for (const auto& [name, value] : more) variables[name] = value;
    return cudalabs::test::run({.words = words, .folder = sandbox_.work(), .environment = variables});
  }
  /// Fails the test if the program does.
  [[nodiscard]] std::string out(const std::string& program, const std::vector<std::string>& words) const {
    const Ended ended = run(program, words);
    INFO(ended.err);
    INFO(ended.out);
    REQUIRE(ended.status == 0);
    return ended.out;
  }
  [[nodiscard]] const fs::path& folder() const { return sandbox_.work(); }
  [[nodiscard]] std::string path(const std::string& name) const { return (sandbox_.work() / name).string(); }
  void write(const std::string& name, const std::string& text) const { sandbox_.write(name, text); }

 private:
  Sandbox sandbox_;
  std::map<std::string, std::optional<std::string>> variables_;
};

/// Own course "own" with a lab whose largest case is hidden.
void write_course(const Desk& desk) {
  desk.write("own/course.yaml", "name: own\ntitle: {en: Own course}\n");
  desk.write("own/configs/grading.yaml", "gate: strict  # SECRET\n");  // the rest is the shipped course's
  (void)desk.out(
      kGrader, {"new-lab", "lab1", "variant1", "--like", "in_place", "--entry", "scaled", "--course", "own"});
  const fs::path yaml = desk.folder() / "own/configs/labs/lab1/variant1.yaml";
  // Before a drawn case, and the only one of its criterion.
  replace_in(
      yaml, "  - {n: 1026..60000, criterion: many}\n",
      "  - {n: [48611, 48613], criterion: unseen, hidden: true}\n  - {n: 1026..60000, criterion: many}\n");
  replace_in(yaml, "cases:\n",
             "criteria:\n  unseen: {share: 10, title: what nobody sees}  # SECRET\n\ncases:\n");
  replace_in(yaml, "{n: 100003..600000, criterion: many}", "{n: 65537, criterion: many}");
  replace_in(yaml, "{n: 1048576, criterion: large}", "{n: 131072, criterion: large}");
}

/// Finds lines in files, all at once.
class Lines {
 public:
  void add(const std::string& line) {
    if (line.size() >= kLeast && seen_.insert(line).second) by_start_.emplace(line.substr(0, kLeast), line);
  }
  [[nodiscard]] std::size_t size() const { return seen_.size(); }
  /// Those that `text` contains.
  [[nodiscard]] std::set<std::string> in(const std::string& text) const {
    std::set<std::string> found;
    for (std::size_t k = 0; k + kLeast <= text.size(); ++k) {
      if (static_cast<unsigned char>(text[k]) <= ' ') continue;  // lines are added without spaces around them
      const auto [begin, end] = by_start_.equal_range(text.substr(k, kLeast));
      for (auto it = begin; it != end; ++it)
        if (text.compare(k, it->second.size(), it->second) == 0) found.insert(it->second);
    }
    return found;
  }

 private:
  static constexpr std::size_t kLeast = 15;  // as long as std::string needs no memory for
  std::set<std::string> seen_;
  std::unordered_multimap<std::string, std::string> by_start_;
};

std::vector<fs::path> files_below(const fs::path& root) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(root))
    if (entry.is_regular_file() && !entry.is_symlink()) files.push_back(entry.path());
  return files;
}

std::vector<std::string> lines_of(const fs::path& file) {
  std::vector<std::string> lines;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    const auto first = line.find_first_not_of(" \t\r");
    if (first != std::string::npos)
      lines.push_back(line.substr(first, line.find_last_not_of(" \t\r") + 1 - first));
  }
  return lines;
}

bool is_handed_out(const fs::path& file) {
  const std::string name = file.filename().string();
  return name.starts_with("handout.") || name == "contract.cuh" || name.ends_with(".pgm");
}

/// The lines of solutions, oracles and planted bugs, without those that a student gets anyway.
Lines secret_lines() {
  std::vector<fs::path> courses{kSource};
  for (const auto& entry : fs::directory_iterator(kSource / "courses")) courses.push_back(entry.path());
  std::string known;
  std::vector<fs::path> secret = files_below(kSource / "configs/skeleton");
  const auto learn = [&](const fs::path& folder) {
    for (const fs::path& file : files_below(folder)) known += read_file(file);
  };
  for (const fs::path& course : courses) {
    for (const char* folder : {"student_templates", "configs/labs"}) learn(course / folder);
    for (const char* folder : {"reference", "labs"}) {
      for (fs::path& file : files_below(course / folder)) {
        if (is_handed_out(file))
          known += read_file(file);
        else
          secret.push_back(std::move(file));
      }
    }
  }
  learn(kSource / "grader/cudart/include");
  Lines all;
  std::vector<std::string> lines;
  for (const fs::path& file : secret) std::ranges::move(lines_of(file), std::back_inserter(lines));
  for (const std::string& line : lines) all.add(line);
  const std::set<std::string> public_ones = all.in(known);
  Lines left;
  for (const std::string& line : lines)
    if (!public_ones.contains(line)) left.add(line);
  return left;
}

}  // namespace

TEST_CASE("a course in one file is the course", "[editions]") {
  const Desk desk(false);
  write_course(desk);
  const std::string packed = desk.out(kGrader, {"course", "pack", "own", "own.course"});
  CHECK(packed.find("own.course: 1 variant, ") == 0);
  CHECK(desk.out(kGrader, {"list", "--course", "own.course"}) ==
        desk.out(kGrader, {"list", "--course", "own"}));
  const std::string solution = "own/reference/lab1/variant1";
  CHECK(desk.out(kGrader, {"lab1", "variant1", "--submission", solution, "--course", "own.course", "-q"}) ==
        "lab1 variant1: 100 of 100 points\n");
  // The same signer signs again; only that one is taken where the staff asks for it.
  const std::string shown = desk.out(kGrader, {"course", "show", "own.course"});
  const std::string signer = shown.substr(shown.find("signed by ") + 10, 32);
  CHECK(packed.find("signed by " + signer) != std::string::npos);
  const std::vector<std::string> list{"list", "--course", "own.course"};
  CHECK(desk.run(kGrader, list, {{"CUDA_LABS_COURSE_SIGNER", signer}}).status == 0);
  const Ended other = desk.run(kGrader, list, {{"CUDA_LABS_COURSE_SIGNER", std::string(32, '0')}});
  CHECK(other.status == 2);
  CHECK(other.err == "grader: own.course: the course is signed by " + signer +
                         ", and CUDA_LABS_COURSE_SIGNER asks for " + std::string(32, '0') +
                         "\n  hint: ask the course's staff for their file, or correct the variable\n");

  std::string bytes = read_file(desk.folder() / "own.course");
  bytes[bytes.size() / 2] ^= 1;
  desk.write("changed.course", bytes);
  const Ended changed = desk.run(kGrader, {"list", "--course", "changed.course"});
  CHECK(changed.status == 2);
  CHECK(changed.err ==
        "grader: changed.course: the course is damaged, or was changed after it was signed\n"
        "  hint: copy it again, or ask the course's staff for it\n");
}

TEST_CASE("the students' edition of an own course grades as the staff's, without what it must not hold",
          "[editions]") {
  const Desk staff(false), student(true);
  write_course(staff);
  (void)staff.out(kGrader,
                  {"course", "export", "--for", "students", "out", "--course", "own", "--compiler", "clang"});
  CHECK(staff.run(kGrader, {"course", "export", "--for", "students", "out", "--course", "own"}).err ==
        "grader: 'out/grader' exists already\n  hint: remove it, or name another folder\n");
  const std::string own = (staff.folder() / "out/grader").string();
  CHECK((fs::status(own).permissions() & fs::perms::others_exec) != fs::perms::none);
  CHECK(student.out(own, {"list"}).find("lab1 variant1   ") == 0);
  CHECK(student.run(own, {"lab3", "variant4"}).status == 2);
  (void)student.out(own, {"init", "lab1", "variant1"});
  student.write("lab1/variant1/scaled.cu",
                read_file(staff.folder() / "own/reference/lab1/variant1/scaled.cu"));
  const auto grade = [](const Desk& desk, const std::string& program, const std::string& folder,
                        std::vector<std::string> more) {
    more.insert(more.begin(), {"lab1", "variant1", "--submission", folder, "--seed", "7", "--json", "-"});
    return nlohmann::json::parse(desk.out(program, more));
  };
  const auto theirs = grade(student, own, "lab1/variant1", {});
  const auto ours = grade(staff, kGrader, "own/reference/lab1/variant1", {"--course", "own"});
  CHECK(theirs.at("score") == ours.at("score"));
  CHECK(theirs.at("versions")[0].at("speed").at("case") == ours.at("versions")[0].at("speed").at("case"));
  const auto &version = theirs.at("versions")[0], &same = ours.at("versions")[0];
  for (const char* figure : {"points", "time_ns", "reference_ns", "source"})
    CHECK(version.at("speed").at(figure) == same.at("speed").at(figure));
  CHECK(same.at("correctness").at("total").get<int>() ==
        version.at("correctness").at("total").get<int>() + 2);
  CHECK(version.dump().find(
            "2 hidden cases of this lab are not in this edition: the course's own grading runs them, too") !=
        std::string::npos);
  CHECK(version.dump().find("unseen") == std::string::npos);

  // What the edition cannot do it says.
  const Ended checked = student.run(own, {"check-labs"});
  CHECK(checked.status == 2);
  CHECK(checked.err ==
        "grader: `grader check-labs` needs the solutions, which the students' edition does not hold\n"
        "  hint: use the staff's grader\n");
  for (const std::string whom : {"students", "staff"})
    CHECK(student.run(own, {"course", "export", "--for", whom, "again", "--course", staff.path("own")}).err ==
          "grader: this is the students' edition: it holds no solutions to export\n  hint: use the staff's "
          "grader\n");
  CHECK(student.run(own, {"course", "pack", staff.path("own"), "x.course"}).status == 2);
  const Ended nvcc = student.run(own, {"lab1", "variant1", "--compiler", "nvcc"});
  if (nvcc.err.find("nvcc") != std::string::npos && nvcc.status == 3)
    CHECK(nvcc.err.find("hint: it has those for --compiler clang") != std::string::npos);
  const Ended card = student.run(own, {"lab1", "variant1", "--device-profile", "h100"});
  CHECK(card.err.find(
            "this edition of the course has no figures of the reference of lab1/variant1 for the card "
            "h100\n  hint: it has those for --device-profile a100\n") != std::string::npos);

  // The hidden case and the solution are nowhere.
  fs::remove_all(student.folder() / "lab1");
  for (const fs::path& file : files_below(student.folder())) {
    const std::string text = read_file(file);
    INFO(file);
    if (file.string().find("/course-") == std::string::npos && file.filename() != "grader") continue;
    for (const std::string word : {"48611", "48613", "SECRET", "nobody sees", "scaled_kernel<<<"})
      CHECK(text.find(word) == std::string::npos);
    if (file.extension() == ".figures") CHECK(text.find("kernel") == std::string::npos);
    if (file.extension() == ".so") CHECK(text.find(staff.folder().string()) == std::string::npos);
  }
}

TEST_CASE("the students' edition of the shipped courses holds no line of a solution", "[editions]") {
  const Lines secret = secret_lines();
  CHECK(secret.size() > 5000);
  CHECK(secret.in(read_file(kGrader)).size() == secret.size());  // the staff's grader has them all

  const Desk staff(false), student(true);
  (void)staff.out(kGrader, {"course", "export", "--for", "students", "out", "--compiler", "clang"});
  const std::string own = (staff.folder() / "out/grader").string();
  CHECK(student.out(own, {"list"}) == student.out(kGrader, {"list"}));
  fs::remove_all(student.folder() / "cache");
  (void)student.out(own, {"init", "lab3", "variant4"});
  CHECK(student.run(own, {"lab3", "variant4"}).status == 1);
  std::vector<fs::path> files = files_below(student.folder());
  files.emplace_back(own);
  CHECK(files.size() > 200);
  for (const fs::path& file : files) {
    INFO(file);
    CHECK(secret.in(read_file(file)) == std::set<std::string>());
  }
}

TEST_CASE("what must not travel does not", "[editions]") {
  const Desk desk(false);
  write_course(desk);
  const auto packed = [&] { return desk.run(kGrader, {"course", "pack", "own", "own.course"}); };
  SECTION("a file that a link names outside the course") {
    const fs::path link = desk.folder() / "own/labs/lab1/variant1/handout.ru.md";
    fs::create_symlink("/etc/passwd", link);
    const Ended refused = packed();
    CHECK(refused.status == 2);
    CHECK(refused.err.find("handout.ru.md: this is a link out of the course, or no file\n"
                           "  hint: put a copy in its place, or remove it\n") != std::string::npos);
    fs::remove(link);
    fs::create_symlink("handout.md", link);  // one inside it is as good as a copy
    CHECK(packed().status == 0);
  }
  SECTION("a key that others can read, or one without a place") {
    CHECK(packed().status == 0);
    const fs::path key = desk.folder() / "config/cuda-labs/course.key";
    CHECK((fs::status(key).permissions() & (fs::perms::group_all | fs::perms::others_all)) ==
          fs::perms::none);
    CHECK((fs::status(desk.folder() / "own.course").permissions() & fs::perms::others_read) ==
          fs::perms::none);
    fs::permissions(key, fs::perms::others_read, fs::perm_options::add);
    CHECK(packed().err.find("others can read this key\n  hint: chmod 600 ") != std::string::npos);
    const Ended homeless = desk.run(kGrader, {"course", "pack", "own", "x.course"},
                                    {{"HOME", std::nullopt}, {"XDG_CONFIG_HOME", std::nullopt}});
    CHECK(homeless.err ==
          "grader: this user has no home to keep a key in\n  hint: name one with --key, or set HOME\n");
  }
  SECTION("a grader without what it carried says so, and leaves the cache alone") {
    (void)desk.out(kGrader, {"course", "export", "--for", "staff", "out", "--course", "own"});
    const cudalabs::test::TemporaryFolder elsewhere;  // in a checkout, the course of the checkout counts
    const fs::path program = elsewhere.path() / "cut";
    fs::copy_file(desk.folder() / "out/grader", program);
    fs::resize_file(program, fs::file_size(program) - 1);
    const Ended cut = desk.run(program.string(), {"list"});
    CHECK(cut.status == 2);
    CHECK(cut.err ==
          "grader: this grader has lost the course that it carried\n"
          "  hint: copy it again as a whole, and do not strip it\n");
  }
  SECTION("texts of a foreign course that look like ours") {
    desk.write("own/course.yaml", "name: own\ntitle: {en: \"Good\\nsigned by me\\e[8m\"}\n");
    CHECK(packed().status == 0);
    const std::string shown = desk.out(kGrader, {"course", "show", "own.course"});
    CHECK(shown.find("\nsigned by me") == std::string::npos);
    CHECK(shown.find('\x1b') == std::string::npos);
  }
}

TEST_CASE("the staff's grader warns once where it looks installed for students", "[editions]") {
  if (::geteuid() != 0) {
    WARN("skipped: only root can give a file away");
    return;
  }
  const Desk desk(true);
  const cudalabs::test::TemporaryFolder elsewhere;  // in a checkout, the course is a folder
  const std::string installed = (elsewhere.path() / "grader").string();
  fs::copy_file(kGrader, installed);
  fs::permissions(installed, fs::perms::others_exec | fs::perms::others_read, fs::perm_options::add);
  const auto as_root = [&](const std::map<std::string, std::optional<std::string>>& more = {}) {
    return desk.run(installed, {"list"}, more);
  };
  CHECK(as_root().err.empty());
  REQUIRE(::chown(installed.c_str(), 12345, 12345) == 0);
  const std::map<std::string, std::optional<std::string>> by_staff{{"CUDA_LABS_STAFF", "1"}};
  CHECK(as_root(by_staff).err.empty());
  CHECK(as_root().err ==
        "this grader holds the solutions of the course, and looks as if it were installed for students\n"
        "staff: hand out what `grader course export --for students FOLDER` writes\n");
  CHECK(as_root().err.empty());

  // The teacher asks for more than a warning.
  write_course(desk);
  desk.write("own/course.yaml", "name: own\ntitle: {en: Own course}\npolicies: {staff_only: true}\n");
  (void)desk.out(kGrader, {"course", "export", "--for", "staff", "out", "--course", "own"});
  const std::string own = desk.path("out/grader");
  const Ended refused = desk.run(own, {"list"});
  CHECK(refused.status == 2);
  CHECK(refused.err ==
        "grader: the course holds its solutions and is for its staff only\n"
        "  hint: use the students' edition; staff who run this on purpose set CUDA_LABS_STAFF=1\n");
  CHECK(desk.run(own, {"list"}, by_staff).status == 0);
}

}  // namespace e2e
