#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "grader/base/process/process.h"
#include "grader/cli/busy_line.h"
#include "grader/cli/command.h"
#include "grader/cli/interrupt.h"
#include "grader/cli/print.h"
#include "grader/diagnostics/messages/cli.h"
#include "grader/present/layout.h"
#include "grader/toolchain/program/program.h"

namespace cudalabs::cli {
namespace {

namespace fs = std::filesystem;

/// The toolkit version that the grader's CUDA headers for clang imitate
/// (grader/cudart/include/host_defines.h).
constexpr std::string_view kHeadersVersion = "13.0.88";

/// Prints the version in nvcc's format, because build systems search for its words.
void say_version(const CudaCompiler& compiler) {
  const std::string version(compiler.name() == kNvcc ? compiler.version() : kHeadersVersion);
  print_out(
      "nvcc: NVIDIA (R) Cuda compiler driver\n"
      "(cuda-labs in its place: what it builds runs on the simulator; compiled by {} {})\n"
      "Cuda compilation tools, release {}, V{}\n",
      compiler.name(), compiler.version(), version.substr(0, version.rfind('.')), version);
}

/// Prints the steps that nvcc -v shows. CMake derives the toolkit's path and the linked libraries from them.
void show_way(const ToolkitFolder& toolkit, const Toolchain& toolchain, const std::string& output) {
  const std::string root = toolkit.root.string(), libraries = "\"-L" + toolkit.libraries().string() + "\"";
  print_err(
      "#$ TOP={0}\n#$ PATH={0}/bin\n#$ INCLUDES=\"-I{0}/include\"\n#$ LIBRARIES=  {1}\n"
      "#$ cicc -arch compute_{2}\n#$ {3} {1} -lcudadevrt -lcudart_static -o \"{4}\"\n",
      root, libraries, kSimulatedArchitecture, toolchain.host_compiler.string(),
      output.empty() ? "a.out" : output);
}

/// Passes the command to the real nvcc, for options that this command does not handle.
int pass_on(const NvccCommand& command, const CudaCompiler& compiler, const Arguments& words) {
  if (compiler.name() != kNvcc) {
    return report_error(error(msg::option_needs_nvcc(command.phase_word), msg::install_toolkit()), kUsage);
  }
  Command start;
  start.argv = {compiler.program().string()};
  start.argv.insert(start.argv.end(), words.begin(), words.end());
  for (char** variable = environ; *variable != nullptr; ++variable) start.env.emplace_back(*variable);
  start.inherit_output = true;
  busy_line::stop();
  const auto end = run(std::move(start));
  if (!end) return report_error(end.problem(), kCouldNotGrade);
  return end->exited ? end->exit_code : kCouldNotGrade;
}

}  // namespace

int nvcc_command(const Arguments& arguments) {
  Arguments words;
  std::string compiler_name;
  bool folder = false;
  CommandLine line("grader nvcc", "grader nvcc NVCC'S OPTIONS AND FILES",
                   "Replaces nvcc in a build: takes its options and writes the same files. The program that "
                   "is built\nthen runs on the simulator when it is started, as under grader run.");
  line.rest(words);
  line.flag("--toolkit", folder,
            "Print a folder that looks like a CUDA Toolkit: its bin/nvcc is this command");
  add_compiler_option(line, compiler_name);
  line.footer(
      "Examples:\n"
      "  grader nvcc -O2 main.cu kernels.cu -o program && ./program\n"
      "  make NVCC=\"grader nvcc\"\n"
      "  make CUDA_PATH=$(grader nvcc --toolkit)\n"
      "  cmake -B build -DCMAKE_CUDA_COMPILER=$(grader nvcc --toolkit)/bin/nvcc\n"
      "  CUDA_LABS_RUN=\"--check all\" ./program        options of grader run for it\n\n"
      "Exit status: 0 done, 2 it does not compile or link, 3 the compilers do not work.\n");
  if (auto status = line.parse(arguments)) return *status;
  const auto choice = chosen_compiler(compiler_name);
  if (!choice) return report_error(choice.problem(), kUsage);
  const auto tools = find_build_tools(*choice);
  if (!tools) return report_error(tools.problem(), kCouldNotGrade);
  std::error_code unreadable;
  const fs::path self = fs::read_symlink("/proc/self/exe", unreadable);
  const auto toolkit = toolkit_folder(tools->toolchain, tools->options, self);
  if (!toolkit) return report_error(toolkit.problem(), kCouldNotGrade);
  if (folder) {
    print_out("{}\n", toolkit->root.string());
    return kPassed;
  }
  const auto command = read_nvcc_command(words, line.names());
  // CMake queries this with an invalid source file.
  const bool verbose = command ? command->verbose : std::ranges::find(words, "-v") != words.end();
  if (verbose) show_way(*toolkit, tools->toolchain, command ? command->output : std::string());
  if (!command) return report_error(command.problem(), kUsage);
  if (command->phase == NvccPhase::Version) {
    say_version(*tools->toolchain.cuda);
    return kPassed;
  }
  if (command->phase == NvccPhase::Other) return pass_on(*command, *tools->toolchain.cuda, words);

  const Interrupt interrupt;
  const auto built = build_as_nvcc(*command, tools->toolchain, *toolkit);
  if (!built)
    return report_error(built.problem(), built.problem().is_infrastructure_error ? kCouldNotGrade : kUsage);
  for (const CompilerMessage& message : built->errors) print_err("{}\n", printable(message.display()));
  for (const CompilerMessage& message : built->warnings) print_err("{}\n", printable(message.display()));
  if (built->status != BuildStatus::Ok) return report_error(error(built->sentence), kUsage);
  return kPassed;
}

}  // namespace cudalabs::cli
