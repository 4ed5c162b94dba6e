#include "grader/toolchain/nvcc.h"

#include <algorithm>
#include <cstdlib>

#include "grader/base/hash/sha256.h"
#include "grader/base/process/search_path.h"
#include "grader/diagnostics/messages/toolchain.h"
#include "grader/toolchain/objects/device_link.h"
#include "grader/toolchain/options/program_search.h"
#include "grader/toolchain/toolkit_folder.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;

constexpr int kOldestNvcc = 12;                       // the first version that takes -std=c++20
constexpr const char* kNvccObject = ".submission.o";  // a student's header must not begin with a dot

/// g++ appends a rule for each of its runs: nvcc's own option names only what the host's half reads. With its
/// other variable, DEPENDENCIES_OUTPUT, a missing <header> is no error.
constexpr const char *kRules = ".rules.d", *kRulesVariable = "SUNPRO_DEPENDENCIES";

constexpr const char* kPtxAlone = "-arch=compute_80";
/// ptxas' machine code is read only for the number of registers per thread. It costs 0.02 s of processor time
/// for a lab's kernels (nvcc 13.0, 2026-11-27). The simulator explains errors that only ptxas reports.
struct MachineCode {
  const char* ptx_alone;
  std::vector<std::string> with_code;
};
const MachineCode kMachineCode[] = {
    {kPtxAlone, {"-gencode=arch=compute_80,code=[compute_80,sm_80]", "-Xptxas", "-w"}},
    {"-arch=compute_90", {"-gencode=arch=compute_90,code=[compute_90,sm_90]", "-Xptxas", "-w"}}};

/// Doubles nvcc's time, and few programs need it.
constexpr const char* kDeviceLambdas = "--extended-lambda";
constexpr const char* kOptimised = "-O2";

const std::vector<std::string>& device_flags() {
  static const std::vector<std::string> flags = {kPtxAlone,
                                                 "-no-compress",
                                                 "-lineinfo",
                                                 "-cudart",
                                                 "none",
                                                 "-Xcompiler",
                                                 "-Wall",
                                                 "-Xcompiler",
                                                 "-g1",
                                                 "-Xcompiler",
                                                 "-fPIE",
                                                 kOptimised,
                                                 "--expt-relaxed-constexpr",
                                                 kDeviceLambdas};
  return flags;
}

/// Not if device code is linked later: the functions that a kernel calls are known only then.
std::vector<std::string> with_machine_code(std::vector<std::string> argv) {
  if (std::ranges::find(argv, kRelocatable) != argv.end()) return argv;
  for (const MachineCode& one : kMachineCode) {
    if (std::erase(argv, one.ptx_alone) > 0)
      argv.insert(argv.end(), one.with_code.begin(), one.with_code.end());
  }
  return argv;
}

/// The end of the last of one to three runs of the compiler with `argv`; `compile` runs it.
template <class Compile>
auto quick_first(std::vector<std::string> argv, const Compile& compile) {
  std::vector<std::string> quick = with_machine_code(argv);
  std::erase(quick, kDeviceLambdas);
  quick.push_back(kWithoutSpecialFunctions);
  auto end = compile(std::move(quick));
  if (!wants_no_short_cut(end)) return end;
  end = compile(with_machine_code(argv));
  return wants_no_short_cut(end) && end->err.find("ptxas") != std::string::npos ? compile(std::move(argv))
                                                                                : end;
}

class Nvcc : public CudaCompiler {
 public:
  Nvcc(fs::path program, std::string version) : program_(std::move(program)), version_(std::move(version)) {}

  [[nodiscard]] std::string_view name() const override { return kNvcc; }
  [[nodiscard]] const std::string& version() const override { return version_; }
  [[nodiscard]] const fs::path& program() const override { return program_; }

  [[nodiscard]] std::string key() const override {
    Sha256 hash;
    hash.add_part(kNvcc).add_part(version_);
    for (const auto* flags : {&device_flags(), &kMachineCode[0].with_code}) {
      for (const auto& flag : *flags) hash.add_part(flag);
    }
    return hash.add_part(kWithoutSpecialFunctions).hex();
  }

  [[nodiscard]] std::vector<fs::path> folders() const override { return {root()}; }
  [[nodiscard]] fs::path include() const override { return root() / "include"; }

  [[nodiscard]] Result<Compilation> compile(const CompileJob& job,
                                            const MakeWorkplace& place) const override {
    auto made = place();
    if (!made) return made.problem();
    Workplace& here = **made;
    std::vector<std::string> argv = command(job);
    if (!job.source.ends_with(".cu")) argv.insert(argv.end(), {"-x", "cu"});
    argv.insert(argv.end(), {"-c", job.source, "-o", here.named(kNvccObject)});
    auto end = quick_first(std::move(argv), [&](std::vector<std::string> words) {
      if (job.wants_rules)
        words.insert(words.begin(), {"/usr/bin/env", std::string(kRulesVariable) + "=" + here.named(kRules)});
      return here.run(std::move(words));
    });
    if (!end) return end.problem();
    Compilation compilation{std::move(*end), {}, here.folder()};
    if (!compilation.end.success()) return compilation;
    auto object = here.take(kNvccObject);
    if (!object) return object.problem();
    compilation.object = std::move(*object);
    if (auto rules = job.wants_rules ? here.take(kRules) : Result<std::string>(std::string())) {
      compilation.rules = std::move(*rules);
    }
    return compilation;
  }

 private:
  [[nodiscard]] fs::path root() const { return program_.parent_path().parent_path(); }

  [[nodiscard]] std::vector<std::string> command(const CompileJob& job) const {
    std::vector<std::string> argv{program_.string(), "-ccbin", job.host_compiler.string()};
    for (const auto& flag : device_flags()) {  // the user's -arch and -O win: nvcc accepts each only once
      const auto option = flag.substr(0, flag.find('='));
      const bool replaced = std::ranges::any_of(job.user_flags, [&](const auto& given) {
        return (option != flag && given.substr(0, given.find('=')) == option) ||
               (flag == kOptimised && given.starts_with("-O"));
      });
      if (!replaced) argv.push_back(flag);
    }
    argv.insert(argv.end(), job.user_flags.begin(), job.user_flags.end());
    return argv;
  }

  fs::path program_;
  std::string version_;
};

}  // namespace

Result<std::shared_ptr<const CudaCompiler>> find_nvcc() {
  std::vector<fs::path> places;
  for (const char* name : {"CUDA_HOME", "CUDA_PATH"}) {
    if (const auto root = environment(name); !root.empty()) places.push_back(fs::path(root) / "bin");
  }
  for (auto& folder : search_path()) places.push_back(std::move(folder));
  places.emplace_back("/usr/local/cuda/bin");
  std::erase_if(places, is_own_toolkit);  // otherwise we would find ourselves
  const fs::path found = first_program(places, "nvcc");
  if (found.empty()) return std::shared_ptr<const CudaCompiler>();

  std::error_code problem;
  fs::path nvcc = fs::canonical(found, problem);
  if (problem) return error(msg::file_problem(found.string(), problem.message()));
  const auto said = asked(nvcc, "--version");
  if (!said) return said.problem();
  const std::string mark = ", V";  // "Cuda compilation tools, release 13.0, V13.0.88"
  const auto at = said->find(mark);
  if (at == std::string::npos) return error(msg::not_an_nvcc(found.string()), msg::install_nvcc());
  const auto begin = at + mark.size();
  std::string version = said->substr(begin, said->find_first_not_of("0123456789.", begin) - begin);
  if (std::atoi(version.c_str()) < kOldestNvcc) {
    return error(msg::nvcc_too_old(found.string(), version), {msg::cuda_12_needed(), msg::install_nvcc()});
  }
  return std::shared_ptr<const CudaCompiler>(
      std::make_shared<const Nvcc>(std::move(nvcc), std::move(version)));
}

}  // namespace cudalabs
