// Tests that need a GPU (ctest label gpu). The binaries may come from another machine: they look for the
// grader beside themselves, and for the repository in $CUDA_LABS_SOURCE.

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <thread>
#include <vector>

#include "tests/harness/catch.h"
#include "tests/harness/csv.h"
#include "tests/harness/process.h"

namespace {

using namespace cudalabs::test;
namespace fs = std::filesystem;

fs::path source() {
  const char* const given = std::getenv("CUDA_LABS_SOURCE");
  return given != nullptr ? given : CUDALABS_SOURCE;
}

/// Runs the grader with these arguments.
Ended grader(const std::string& arguments) {
  const fs::path program = fs::read_symlink("/proc/self/exe").parent_path() / "grader";
  const Ended ended = run({shell("'" + program.string() + "' " + arguments)});
  if (ended.status != 0) std::fputs(ended.err.c_str(), stderr);
  return ended;
}

nlohmann::json grade(const std::string& arguments) {
  const Ended run = grader(arguments + " --device gpu --json - -q");
  INFO(arguments << "\n" << run.out);
  REQUIRE((run.status == 0 || run.status == 1));
  return nlohmann::json::parse(run.out);
}

std::vector<fs::path> sources_in(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".cu") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// The rest of the line that starts with `begin`; nothing if there is none.
std::optional<std::string> line_of(const fs::path& file, const std::string& begin) {
  std::ifstream text(file);
  for (std::string line; std::getline(text, line);) {
    if (line.starts_with(begin)) return line.substr(begin.size());
  }
  return std::nullopt;
}

/// N of a line "// exit: N"; 0 without one.
int expected_status(const fs::path& file) { return std::stoi(line_of(file, "// exit: ").value_or("0")); }

/// The verdict "timeout" in "// timeout: a kernel that never ends"; "judged" if the rest is about the speed.
struct Expected {
  std::string verdict, text;
};
Expected expected_of(const fs::path& file) {
  std::string line;
  std::getline(std::ifstream(file), line);
  line.erase(0, line.find_first_not_of("/ "));
  const std::size_t colon = line.find(':');
  return {line.substr(0, colon), line.substr(colon + 2)};
}

}  // namespace

TEST_CASE("the card has the last word on a submission", "[verdicts]") {
  for (const fs::path& file : sources_in(source() / "tests" / "gpu")) {
    const std::string expected = expected_of(file).verdict;
    if (expected == "judged") continue;
    const auto result = grade("lab3 variant4 --version global --seed 7 --submission '" + file.string() + "'");
    const auto& version = result["versions"][0];
    INFO(file << "\n" << version.dump(2));
    CHECK(result["device"] == "gpu");
    CHECK(version["verdict"] == expected);
    if (version["verdict"] == "accepted") CHECK(version["speed"]["source"] == "measured");
    const bool live = file.stem() == "live";
    if (version["verdict"] == "accepted") {
      const auto& reason = version["speed"]["measurement"]["submission"]["timed_live_because"];
      CHECK(reason.get<std::string>().empty() != live);
    }
  }
}

TEST_CASE("what is timed on the card is what was judged on the simulator", "[judged]") {
  for (const fs::path& file : sources_in(source() / "tests" / "gpu")) {
    const Expected expected = expected_of(file);
    if (expected.verdict != "judged") continue;
    const auto result = grade("lab3 variant4 --version global --seed 7 --submission '" + file.string() + "'");
    const auto& version = result["versions"][0];
    INFO(file << "\n" << version.dump(2));
    CHECK(version["verdict"] == "accepted");
    CHECK(version["speed"]["points"] == 0);
    const auto& lost = version["lost"];
    CHECK(std::any_of(lost.begin(), lost.end(), [&](const auto& loss) {
      return loss["part"] == "speed" &&
             loss["reason"].template get<std::string>().find(expected.text) != std::string::npos;
    }));
  }
}

namespace {

/// The value of that field in the status of each thread of a process.
std::vector<std::string> of_threads(const fs::path& process, const std::string& field) {
  std::vector<std::string> values;
  std::error_code gone;  // increment() without it throws if the process has ended
  for (fs::directory_iterator thread(process / "task", gone), end; !gone && thread != end;
       thread.increment(gone)) {
    std::ifstream status(thread->path() / "status");
    for (std::string name, value; status >> name; std::getline(status, value)) {
      if (name == field && status >> value) values.push_back(value);
    }
  }
  return values;
}

/// The device process of a GPU, if one is running.
fs::path process_with_driver() {
  std::error_code gone;
  for (fs::directory_iterator entry("/proc", gone), end; !gone && entry != end; entry.increment(gone)) {
    std::ifstream words(entry->path() / "cmdline"), maps(entry->path() / "maps");
    const std::string line{std::istreambuf_iterator<char>(words), {}};
    const std::string mapped{std::istreambuf_iterator<char>(maps), {}};
    if (line.find("__device") != std::string::npos && mapped.find("libcuda.so") != std::string::npos)
      return entry->path();
  }
  return {};
}

}  // namespace

TEST_CASE("the device process of a card runs under a filter, with all its threads", "[verdicts]") {
  const fs::path file = source() / "tests" / "gpu" / "live.cu";
  const fs::path program = fs::read_symlink("/proc/self/exe").parent_path() / "grader";
  std::atomic<bool> ended = false;
  int looks = 0, status = -1;
  std::jthread grading([&] {
    const Ended graded =
        run({{program, "lab3", "variant4", "--version", "global", "--device", "gpu", "--submission", file}});
    status = graded.status;
    ended = true;
  });
  while (!ended) {
    const fs::path process = process_with_driver();
    const auto filtered = of_threads(process, "Seccomp:");
    if (std::find(filtered.begin(), filtered.end(), "2") == filtered.end()) continue;  // it starts
    ++looks;
    CHECK(std::all_of(filtered.begin(), filtered.end(), [](const auto& mode) { return mode == "2"; }));
  }
  grading.join();
  CHECK((status == 0 || status == 1));
  CHECK(looks > 0);
}

TEST_CASE("references earn every point on the card", "[references]") {
  for (const char* lab : {"lab1 variant1", "lab1 variant2", "lab2 variant1", "lab2 variant2", "lab3 variant1",
                          "lab3 variant4", "lab3 variant7", "lab4 variant1", "lab5 variant1"}) {
    const auto result = grade(std::string(lab) + " --submission '" + (source() / "reference").string() + "'");
    INFO(lab << "\n" << result.dump(2));
    CHECK(result["passed"] == true);
    for (const auto& version : result["versions"]) {
      if (version["speed"]["max_points"] > 0) CHECK(version["speed"]["source"] == "measured");
    }
  }
}

TEST_CASE("programs that check themselves run on the card", "[programs]") {
  for (const fs::path& file : sources_in(source() / "tests" / "simulator" / "programs")) {
    if (line_of(file, "// simulator alone: ")) continue;
    // min.xorsign.abs in floats.cu needs compute capability 8.6, which the GPU's compiler checks.
    const Ended run = grader("run '" + file.string() + "' --device gpu -arch=compute_86");
    INFO(file << "\n" << run.out);
    CHECK(run.status == expected_status(file));
  }
}

TEST_CASE("clang's code starts in large blocks, whatever registers it was given", "[programs]") {
  if (cudalabs::test::run({{"clang++", "--version"}}).status != 0) {
    WARN("skipped: needs clang");
    return;
  }
  const fs::path program = source() / "tests" / "gpu" / "programs" / "large_blocks.cu";
  const Ended run = grader("run '" + program.string() + "' --device gpu --compiler clang");
  INFO(run.out << run.err);
  CHECK(run.status == 0);
}

namespace {

/// "31,250" and "31250.000000"; -1 if it is not a number.
double number_of(std::string text) {
  std::erase(text, ',');
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  return text.empty() || *end != '\0' ? -1 : value;
}

/// The counts of Nsight Compute by metric, one row for each launch.
std::vector<std::map<std::string, double>> counted_by_hardware(const fs::path& report) {
  std::vector<std::map<std::string, double>> rows;
  const std::string text =
      output_of({{"ncu", "--import", report, "--csv", "--page", "raw", "--print-units", "base"}});
  std::istringstream lines(text);
  std::vector<std::string> names;
  for (std::string line; std::getline(lines, line);) {
    const std::vector<std::string> fields = csv_fields(line);
    if (fields.front() == "ID") {
      names = fields;
    } else if (!names.empty() && number_of(fields.front()) >= 0) {  // the units follow the names
      auto& row = rows.emplace_back();
      for (std::size_t i = 0; i < std::min(names.size(), fields.size()); ++i)
        row[names[i]] = number_of(fields[i]);
    }
  }
  return rows;
}

}  // namespace

TEST_CASE("the simulator counts what the card counts", "[counters]") {
  if (cudalabs::test::run({{"ncu", "--version"}}).status != 0) {
    WARN("Nsight Compute is not installed: nothing compared");
    return;
  }
  // Shared loads are compared in one direction only: ptxas may merge four of an unpadded tile into one
  // (docs/counters.md). For stores the GPU counts additional passes if they meet loads of other warps, and
  // the number varies; those are printed.
  const std::map<std::string, std::string> exact = {
      {"shared_store_instructions", "smsp__inst_executed_op_shared_st.sum"},
      {"global_load_requests", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"},
      {"global_load_sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"},
      {"global_store_requests", "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"},
  };
  const std::map<std::string, std::string> printed = {
      {"shared_store_wavefronts", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"},
      {"shared_store_bank_conflicts", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"},
      {"global_store_sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"},
  };
  const std::string loads = "smsp__inst_executed_op_shared_ld.sum";
  std::size_t launches = 0, equal_loads = 0;
  for (const std::string lab : {"lab2 variant1", "lab3 variant1", "lab3 variant4", "lab3 variant7",
                                "lab4 variant1", "lab5 variant1"}) {
    const std::string submission = " --submission '" + (source() / "reference").string() + "' --seed 7";
    const Ended graded = grader(lab + submission + " --device simulator --json - -q");
    REQUIRE(graded.status == 0);
    const fs::path report = fs::temp_directory_path() / "cuda-labs-counters";
    REQUIRE(grader(lab + submission + " --profile '" + report.string() + "'").status == 0);
    const auto result = nlohmann::json::parse(graded.out);
    for (const auto& version : result.at("versions")) {
      const fs::path file = report.string() + "-" + version.at("name").get<std::string>() + ".ncu-rep";
      const auto rows = counted_by_hardware(file);
      fs::remove(file);
      INFO(lab << " " << version.at("name"));
      REQUIRE_FALSE(rows.empty());
      REQUIRE(rows.size() == version.at("launches").size());
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto& counters = version.at("launches").at(i).at("counters");
        for (const auto& [ours, theirs] : exact) {
          INFO("launch " << i << " " << ours);
          REQUIRE(rows[i].contains(theirs));
          CHECK(counters.at(ours).get<double>() == rows[i].at(theirs));
        }
        for (const auto& [ours, theirs] : printed) {
          REQUIRE(rows[i].contains(theirs));
          const double here = counters.at(ours).get<double>(), there = rows[i].at(theirs);
          if (here != there)
            std::printf("%s %s launch %zu: %s %.0f here, %.0f on the card\n", lab.c_str(),
                        version.at("name").get<std::string>().c_str(), i, ours.c_str(), here, there);
        }
        REQUIRE(rows[i].contains(loads));
        const double ours = counters.at("shared_load_instructions").get<double>();
        CHECK(ours >= rows[i].at(loads));
        ++launches;
        if (ours == rows[i].at(loads)) ++equal_loads;
      }
    }
  }
  std::printf("%zu launches compared, %zu of them with the same number of shared loads\n", launches,
              equal_loads);
}
