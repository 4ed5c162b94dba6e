#pragma once
// Builds programs with a main of their own, without a sandbox: the user's for `grader run`, and the course's.

#include <filesystem>
#include <string>
#include <vector>

#include "grader/toolchain/compile.h"
#include "grader/toolchain/options/nvcc_options.h"
#include "grader/toolchain/toolkit_folder.h"

namespace cudalabs {

/// The simulator's architectures: a program for compute capability 9.0 or more is compiled for the newest,
/// any other for the usual one.
inline constexpr int kSimulatedArchitecture = 80, kNewestSimulated = 90;

/// Builds a program of one or many files against our cudart. clang gets the options that it supports.
/// `highest`: the newest architecture whose code the device accepts.
Result<BuildOutcome> compile_program(const NvccCommand& command, const Toolchain& toolchain,
                                     const BuildOptions& options, int highest = kNewestSimulated);

/// The architecture of the simulated card that a built program needs: one of the two above.
int simulated_architecture_of(const std::filesystem::path& program);

/// Does nvcc's work up to the command's phase, and makes the same files: objects, an object of linked device
/// code, an archive, or a program that starts itself under the grader.
Result<BuildOutcome> build_as_nvcc(const NvccCommand& command, const Toolchain& toolchain,
                                   const ToolkitFolder& toolkit);

/// For NvccCommand::link: makes the program read its clocks from our cudart (cudart/clocks.cpp).
std::vector<std::string> own_clock_options();
/// For NvccCommand::link: makes the program report the memory that it passes to the system
/// (ProgramOptions::check_streams).
std::vector<std::string> stream_check_options();

/// Builds it for this machine's card, with nvcc and NVIDIA's own runtime: it then runs without us.
Result<BuildOutcome> compile_for_card(const std::filesystem::path& file, const Toolchain& toolchain);

/// compile_program() for a program of the course, whose inputs are known: so the result is cached. `sources`:
/// every file of the course that it may include.
Result<BuildOutcome> compile_course_program(const std::filesystem::path& file,
                                            const std::vector<std::filesystem::path>& sources,
                                            const Toolchain& toolchain, const BuildOptions& options);

}  // namespace cudalabs
