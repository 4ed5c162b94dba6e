#include "tests/cost/ladders.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

#include "grader/config/device_profile.h"
#include "tests/support/device_process.h"

namespace cudalabs::test {
namespace {

namespace fs = std::filesystem;

struct Folder {
  fs::path path;
  Folder() {
    std::string pattern = fs::temp_directory_path() / "cost_test_XXXXXX";
    path = mkdtemp(pattern.data());
  }
  ~Folder() { fs::remove_all(path); }
};

const fs::path& folder() {
  static const Folder instance;
  return instance.path;
}

void compile(const std::string& source, const fs::path& program) {
  const std::string base = "'" + program.string();
  const std::string command = "nvcc -arch=compute_80 -no-compress -lineinfo -cudart none -c '" + source +
                              "' -o " + base + ".o' && g++ " + base + ".o' '" CUDALABS_CUDART "' -o " + base +
                              "'";
  if (std::system(command.c_str()) != 0) throw std::runtime_error("failed: " + command);
}

}  // namespace

// One for all, because a compilation takes much longer than a run.
const fs::path& program_of(const Ladder& ladder) {
  static std::map<std::string, fs::path> built;
  fs::path& program = built[ladder.key];
  if (!program.empty()) return program;
  const std::string root = std::string(CUDALABS_SOURCE) + "/reference/" + ladder.folder + "/";
  program = folder() / ladder.key;
  std::ofstream source(program.string() + ".cu");
  source << "#define LADDER_WITHOUT_MAIN\n#include \"" << root << ladder.header << "\"\n";
  for (std::size_t i = 0; i < ladder.rungs.size(); ++i) {
    source << "namespace rung" << i << " {\n#include \"" << root << ladder.rungs[i].file << "\"\n}\n";
  }
  // SIZE TYPE [RUNG]...
  source
      << "static bool wanted(int argc, char** argv, const char* name) {\n  for (int i = 3; i < argc; ++i) {\n"
         "    if (!std::strcmp(argv[i], name)) return true;\n  }\n  return argc == 3;\n}\n"
         "int main(int argc, char** argv) {\n  int status = 0;\n";
  for (std::size_t i = 0; i < ladder.rungs.size(); ++i) {
    const std::string rung = "rung" + std::to_string(i) + "::Rung";
    source << "  if (wanted(argc, argv, " << rung << "::name)) status |= ladder::" << ladder.entry << "<"
           << rung << ">(3, argv);\n";
  }
  source << "  return status;\n}\n";
  source.close();
  compile(program.string() + ".cu", program);
  return program;
}

fs::path build_program(const std::string& source) {
  fs::path program = folder() / fs::path(source).stem();
  compile(source, program);
  return program;
}

ProgramRun run_program(const fs::path& program, const std::vector<std::string>& arguments,
                       const std::string& profile, unsigned threads) {
  const auto loaded = load_device_profile(Course{CUDALABS_SOURCE}, profile);
  if (!loaded) throw std::runtime_error(loaded.problem().text());
  DeviceOptions options;
  options.by_line = false;
  options.threads = threads;
  options.profile = loaded->numbers;
  auto device = DeviceProcess::start(options);
  if (!device) throw std::runtime_error(device.problem().text());
  const auto client = (*device)->new_client();
  if (!client) throw std::runtime_error(client.problem().text());
  std::vector<std::string> words{program.string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const fs::path out_file = folder() / "out";
  const pid_t pid = fork();
  if (pid == 0) {
    dup2(open(out_file.c_str(), O_CREAT | O_WRONLY | O_TRUNC, 0600), 1);
    dup2(*client, 3);
    fcntl(3, F_SETFD, 0);
    setenv("CUDALABS_DEVICE_FD", "3", 1);
    execv(pointers[0], pointers.data());
    _exit(127);
  }
  close(*client);
  ProgramRun run;
  run.outcome = (*device)->serve_program();
  int status = -1;
  waitpid(pid, &status, 0);
  if (run.outcome.fault.kind != sim::FaultKind::None) throw std::runtime_error(run.outcome.fault.text());
  std::ostringstream printed;
  printed << std::ifstream(out_file).rdbuf();
  run.printed = printed.str();
  return run;
}

std::vector<std::pair<std::string, double>> run_ladder(const Ladder& ladder, const std::string& profile,
                                                       const std::string& type, int size,
                                                       const std::vector<std::string>& only) {
  std::vector<std::string> words{std::to_string(size), type};
  words.insert(words.end(), only.begin(), only.end());
  const ProgramRun run = run_program(program_of(ladder), words, profile);
  std::vector<std::pair<std::string, double>> times;
  std::istringstream out(run.printed);
  for (std::string line; std::getline(out, line);) {
    std::istringstream fields(line);
    std::string name, word, verdict;
    double ms = 0;
    fields >> name >> word >> word >> ms >> word >> verdict;
    times.emplace_back(name, verdict == "ok" ? ms : -1);
  }
  return times;
}

const std::vector<Ladder>& ladders() {
  static const std::vector<Ladder> all{
      {"matmul",
       "Matrix product, 32x32 tiles",
       "matmul.cuh",
       "matmul",
       "lab4/ladder",
       {{"1_global.cu", "global"},
        {"2_smem_transposed.cu", "smem-1"},
        {"3_smem_padded.cu", "smem-2"},
        {"4_smem_straight.cu", "smem-3"},
        {"5_two_elements.cu", "smem-4"},
        {"6_four_elements.cu", "smem-5"},
        {"7_register_tile.cu", "registers"}}},
      {"work3",
       "A B and A AT, 16x16 tiles",
       "matmul.cuh",
       "matmul",
       "lab4/ladder",
       {{"work3_1_ab_global.cu", "ab-global"},
        {"work3_2_ab_tiles.cu", "ab-tiles"},
        {"work3_3_aat_tiles.cu", "aat-tiles"},
        {"work3_4_aat_padded.cu", "aat-padded"}}},
      {"reduction",
       "Sum of a vector",
       "reduction.cuh",
       "reduction",
       "lab5/ladder",
       {{"01_modulo_cpu.cu", "kernel01"},
        {"02_modulo.cu", "kernel02"},
        {"03_strided_index.cu", "kernel03"},
        {"04_sequential.cu", "kernel04"},
        {"lecture6_reduce4.cu", "lecture6-reduce4"},
        {"05_two_loads.cu", "kernel05"},
        {"06_last_warp.cu", "kernel06"},
        {"07_complete_unroll.cu", "reduce6"},
        {"08_grid_stride_4096.cu", "kernel07"},
        {"09_grid_stride_1024.cu", "kernel08"},
        {"10_shuffle.cu", "shuffle"}}},
      {"in_place",
       "Sum in place in global memory",
       "in_place.cuh",
       "reduction_in_place",
       "lab5/ladder/global",
       {{"01_neighbored.cu", "neighbored"},
        {"02_neighbored_less.cu", "neighbored_less"},
        {"03_interleaved.cu", "interleaved"},
        {"04_unrolling2.cu", "unrolling2"},
        {"05_unrolling4.cu", "unrolling4"},
        {"06_unrolling8.cu", "unrolling8"},
        {"07_unroll_warps8.cu", "unroll_warps8"},
        {"08_complete_unroll_warps8.cu", "complete_unroll_warps8"},
        {"09_complete_unroll.cu", "complete_unroll"}}},
      {"transpose",
       "Transpose",
       "transpose.cuh",
       "transpose",
       "lab2/ladder",
       {{"1_strided_copy.cu", "strided-copy"},
        {"2_naive.cu", "naive"},
        {"3_tile.cu", "tile"},
        {"4_tile_padded.cu", "tile-padded"},
        {"5_tile_copy.cu", "tile-copy"},
        {"6_copy.cu", "copy"}}},
  };
  return all;
}

const Ladder& ladder_of(const std::string& key) {
  for (const Ladder& ladder : ladders()) {
    if (ladder.key == key) return ladder;
  }
  throw std::runtime_error("no ladder " + key);
}

const std::vector<Published>& published() {
  static const std::vector<std::pair<std::string, double>> kLecture6{
      {"kernel02", 19.2}, {"kernel03", 10.6}, {"kernel04", 8.3}, {"lecture6-reduce4", 5.7}};
  static const std::vector<std::pair<std::string, double>> kWork3{
      {"kernel02", 19.09}, {"kernel03", 11.91}, {"kernel04", 10.62}, {"kernel05", 9.10}, {"kernel06", 8.67}};
  static const std::vector<Published> all{
      {"matmul",
       "k40c",
       "float",
       256,
       2048,
       "ms",
       {{"global", 134}, {"smem-1", 150}, {"smem-2", 56}, {"smem-3", 46}, {"smem-4", 33}, {"smem-5", 26}}},
      {"matmul",
       "k40c",
       "double",
       256,
       2048,
       "ms",
       {{"global", 220}, {"smem-1", 476}, {"smem-2", 87}, {"smem-3", 80}, {"smem-4", 50}, {"smem-5", 45.5}}},
      {"work3",
       "gt9650m",
       "float",
       256,
       256,
       "ms",
       {{"ab-global", 2484.06}, {"aat-tiles", 551.73}, {"ab-tiles", 133.47}, {"aat-padded", 120.59}},
       {"aat-padded"}},
      // A larger size, because this pair depends on it: one finishes with a copy, the other with launches.
      {"reduction", "k40c", "double", 1 << 23, 1 << 24, "ms", {{"kernel01", 5.25}, {"kernel02", 4.88}}},
      {"reduction",
       "k40c",
       "double",
       1 << 22,
       1 << 24,
       "ms",
       {{"kernel02", 4.88},
        {"kernel03", 4.22},
        {"kernel04", 2.76},
        {"kernel05", 1.48},
        {"kernel06", 1.03},
        {"kernel07", 0.80},
        {"kernel08", 0.77}}},
      {"reduction", "gtx1080ti", "float", 1 << 23, 1 << 24, "ms", {{"kernel01", 1.86}, {"kernel02", 1.69}}},
      {"reduction",
       "gtx1080ti",
       "float",
       1 << 22,
       1 << 24,
       "ms",
       {{"kernel02", 1.69},
        {"kernel03", 0.87},
        {"kernel04", 0.76},
        {"kernel05", 0.38},
        {"kernel06", 0.26},
        {"kernel07", 0.23},
        {"kernel08", 0.21}}},
      {"reduction", "rtx2060s", "float", 1 << 24, 1 << 24, "ms", {{"kernel01", 1.52}, {"kernel02", 1.50}}},
      {"reduction",
       "rtx2060s",
       "float",
       1 << 22,
       1 << 24,
       "ms",
       {{"kernel02", 1.50},
        {"kernel03", 1.16},
        {"kernel04", 0.96},
        {"kernel05", 0.44},
        {"kernel06", 0.31},
        {"kernel07", 0.20}}},
      {"reduction", "gt9650m", "int", 1 << 20, 1 << 20, "ms, lecture 6", kLecture6},
      {"reduction", "gt9650m", "int", 1 << 20, 1 << 20, "ms, lab work no. 3", kWork3},
      {"reduction",
       "gtx280",
       "int",
       1 << 22,
       1 << 22,
       "GB/s, reduce1 to reduce7",
       {{"kernel02", 3.77},
        {"kernel03", 8.33},
        {"kernel04", 16.34},
        {"kernel05", 27.16},
        {"kernel06", 37.68},
        {"reduce6", 50.64},
        {"kernel08", 77.21}}},
      {"transpose",
       "gtx280",
       "float",
       992,
       4000,
       "GB/s",
       {{"strided-copy", 2.7},
        {"naive", 5.3},
        {"tile", 75.1},
        {"tile-padded", 93.4},
        {"tile-copy", 94.9},
        {"copy", 112.4}}},
  };
  return all;
}

}  // namespace cudalabs::test
