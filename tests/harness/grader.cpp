#include "tests/harness/grader.h"

#include <dirent.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "tests/harness/process.h"
#include "tests/harness/workplace.h"

namespace e2e {
namespace fs = std::filesystem;
namespace {

using Clock = std::chrono::steady_clock;

/// Limits of the copied course. Ordinary submissions stay far below them, on a loaded machine too.
constexpr const char* kLimits = R"(limits:
  compile_seconds: 15
  call_seconds: 4
  warp_instructions: 200000000
  memory_mib: 300
  output_kib: 256
)";

/// The course's grading.yaml with its `limits` block replaced.
std::string with_short_limits(const std::string& grading) {
  std::istringstream lines(grading);
  std::string line, text;
  bool in_limits = false;
  while (std::getline(lines, line)) {
    if (line.starts_with("limits:"))
      in_limits = true;
    else if (in_limits && !line.empty() && line[0] != ' ' && line[0] != '#')
      in_limits = false;
    if (!in_limits) text += line + "\n";
  }
  return text + kLimits;
}

std::vector<pid_t> children() {
  std::vector<pid_t> found;
  std::ifstream list("/proc/self/task/" + std::to_string(::getpid()) + "/children");
  for (pid_t pid = 0; list >> pid;) found.push_back(pid);
  return found;
}

/// The child processes that did not exist before.
std::vector<pid_t> new_children(const std::vector<pid_t>& before) {
  std::vector<pid_t> all = children();
  std::erase_if(all, [&](pid_t pid) { return std::ranges::find(before, pid) != before.end(); });
  return all;
}

/// Kills and names the processes that were reparented to this one (it is a subreaper) and do not exit by
/// themselves.
void collect_processes(const std::vector<pid_t>& before, std::vector<std::string>& left_behind) {
  const auto deadline = Clock::now() + std::chrono::seconds(2);
  for (;;) {
    while (::waitpid(-1, nullptr, WNOHANG) > 0) {
    }
    if (new_children(before).empty()) return;
    if (Clock::now() > deadline) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  for (const pid_t pid : new_children(before)) {
    std::string command = read_file("/proc/" + std::to_string(pid) + "/cmdline");
    for (char& c : command)
      if (c == '\0') c = ' ';
    left_behind.push_back("process " + std::to_string(pid) + ": " + command);
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
  }
}

void collect_files(const fs::path& folder, const std::string& prefix, std::vector<std::string>& left_behind) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    if (entry.path().filename().string().starts_with(prefix))
      left_behind.push_back("file " + entry.path().string());
}

/// The folders in which the submissions of tests/hostile try to leave files, and the names of those files.
constexpr const char* kWritable[] = {"/tmp", "/var/tmp", "/dev/shm"};
constexpr const char* kMark = "cudalabs_e2e";

/// System V objects with the key that the submissions under tests/hostile use.
void collect_system_v(std::vector<std::string>& left_behind) {
  for (const char* kind : {"msg", "shm"}) {
    std::istringstream lines(read_file(std::string("/proc/sysvipc/") + kind));
    std::string line;
    while (std::getline(lines, line)) {
      std::istringstream words(line);
      long key = 0;
      if (words >> key && key == 0x0e2e)
        left_behind.push_back(std::string("System V ") + kind + " with key 0x0e2e");
    }
  }
}

void write_course(const fs::path& to) {
  fs::create_directories(to);
  cudalabs::test::copy_course(to);
  std::ofstream(to / "configs/grading.yaml")
      << with_short_limits(read_file(fs::path(CUDALABS_SOURCE) / "configs/grading.yaml"));
}

/// Hundreds of files, which take longer to write and remove than many a command runs.
const fs::path& shared_course() {
  static const cudalabs::test::TemporaryFolder folder(fs::path(CUDALABS_BIN).parent_path());
  static const fs::path course = [] {
    write_course(folder.path() / "course");
    return folder.path() / "course";
  }();
  return course;
}

}  // namespace

Sandbox::Sandbox() {
  std::string name = fs::path(CUDALABS_BIN).parent_path() / "e2e-XXXXXX";
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot create " + name);
  root_ = name;
  work_ = root_ / "work";
  temporary_ = root_ / "tmp";
  fs::create_directories(work_);
  fs::create_directories(temporary_);
}

Sandbox::~Sandbox() {
  std::error_code ignored;
  fs::remove_all(root_, ignored);
}

const fs::path& Sandbox::course() const {
  if (course_.empty()) {
    course_ = root_ / "course";
    write_course(course_);
  }
  return course_;
}

fs::path Sandbox::write(const fs::path& name, const std::string& content) const {
  const fs::path file = work_ / name;
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << content;
  return file;
}

Outcome Sandbox::grader(const std::vector<std::string>& arguments,
                        const std::map<std::string, std::string>& environment, int seconds) const {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  const std::vector<pid_t> before = children();  // tests that grade in this process have device processes
  cudalabs::test::Invocation invocation;
  invocation.words = {std::string(CUDALABS_BIN) + "/grader"};
  invocation.words.insert(invocation.words.end(), arguments.begin(), arguments.end());
  invocation.folder = work_;
  invocation.seconds = seconds;
  invocation.bare = true;
  auto& variables = invocation.environment;
  variables = {{"CUDA_LABS_COURSE", (course_.empty() ? shared_course() : course_).string()},
               {"TMPDIR", temporary_.string()},
               // All tests share this cache and keep it, so that a submission is compiled only once.
               {"XDG_CACHE_HOME", (fs::path(CUDALABS_BIN).parent_path() / "e2e-cache").string()},
               {"LC_ALL", "C.UTF-8"},
               {"E2E_SECRET", "no submission may see this"}};
  for (const char* inherited :
       {"PATH", "HOME", "CUDA_HOME", "CUDA_LABS_SANDBOX", "CUDA_LABS_COMPILER", "CUDA_LABS_CLANG"})
    if (const char* value = std::getenv(inherited)) variables[inherited] = value;
  for (const auto& [name, value] : environment) variables[name] = value;

  const cudalabs::test::Ended ended = cudalabs::test::run(invocation);
  Outcome outcome{ended.status, ended.out, ended.err, {}};
  collect_processes(before, outcome.left_behind);
  collect_files(temporary_, "", outcome.left_behind);
  for (const char* folder : kWritable) collect_files(folder, kMark, outcome.left_behind);
  collect_files(work_, "core", outcome.left_behind);
  collect_system_v(outcome.left_behind);
  return outcome;
}

void without_large_cases(const fs::path& course, const std::string& slug, int timed) {
  const fs::path config = course / "configs/labs" / (slug + ".yaml");
  std::string text =
      std::regex_replace(read_file(config), std::regex("\n  - \\{n: [^\n]*[0-9]{6}[^\n]*"), "");
  if (timed != 0)
    text = std::regex_replace(text, std::regex("\ntimed: \\{n: [0-9]+"),
                              "\ntimed: {n: " + std::to_string(timed));
  std::ofstream(config, std::ios::binary) << text;
}

void remove_left_files() {
  std::error_code ignored;
  for (const char* folder : kWritable)
    for (const auto& entry : fs::directory_iterator(folder, ignored))
      if (entry.path().filename().string().starts_with(kMark)) fs::remove(entry.path(), ignored);
}

std::string device_asked() {
  const char* asked = std::getenv("E2E_DEVICE");
  return asked != nullptr ? asked : "simulator";
}

std::string with_paths(std::string text, const Sandbox& sandbox) {
  std::map<std::string, std::string> paths = {{"@SOURCE@", CUDALABS_SOURCE}, {"@BIN@", CUDALABS_BIN}};
  if (text.find("@COURSE@") != std::string::npos) paths["@COURSE@"] = sandbox.course().string();
  for (const auto& [mark, path] : paths)
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at))
      text.replace(at, mark.size(), path);
  return text;
}

std::string all_text(const nlohmann::json& document) {
  if (document.is_string()) return document.get<std::string>() + "\n";
  std::string text;
  if (document.is_structured())
    for (const auto& part : document) text += all_text(part);
  return text;
}

void keep_result(std::string name, const nlohmann::json& result) {
  const char* folder = std::getenv("KEEP_RESULTS");
  if (folder == nullptr) return;
  std::ranges::replace_if(
      name, [](char c) { return c == '/' || c == ' '; }, '_');
  std::ofstream(fs::path(folder) / (name + ".json")) << result.dump(1);
}

int marked_line(const std::string& source) {
  std::istringstream lines(source);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number)
    if (line.ends_with("<-- here")) return number;
  return 0;
}

}  // namespace e2e
