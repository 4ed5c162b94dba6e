#pragma once
// Programs with a main of their own: the user's for `grader run`, and the course's. They are built without a
// sandbox.

#include <filesystem>
#include <string>
#include <vector>

#include "grader/compile/compile.h"
#include "grader/compile/nvcc_options.h"
#include "grader/compile/toolkit_folder.h"

namespace cudalabs {

/// Those of the simulator: what asks for compute capability 9.0 or more is compiled for the newest, all else
/// for the usual one.
inline constexpr int kSimulatedArchitecture = 80, kNewestSimulated = 90;

/// Builds a program of one or many files against our cudart. To clang is passed on what it has a use for.
/// `highest`: the newest architecture whose code the device takes.
Result<BuildOutcome> compile_program(const NvccCommand& command, const Toolchain& toolchain,
                                     const BuildOptions& options, int highest = kNewestSimulated);

/// The architecture of the simulated card that a built program needs: one of the two above.
int simulated_architecture_of(const std::filesystem::path& program);

/// Does what nvcc would do up to the command's phase, and leaves what it would leave: objects, an object of
/// linked device code, an archive, or a program that starts itself under the grader.
Result<BuildOutcome> build_as_nvcc(const NvccCommand& command, const Toolchain& toolchain,
                                   const ToolkitFolder& toolkit);

/// For NvccCommand::link: the program reads its clocks from our cudart (cudart/clocks.cpp).
std::vector<std::string> estimated_clock_options();
/// Likewise: it tells what it hands to the system (ProgramOptions::check_streams).
std::vector<std::string> stream_check_options();

/// Builds it for this machine's card, with nvcc and NVIDIA's own runtime: it then runs without us.
Result<BuildOutcome> compile_for_card(const std::filesystem::path& file, const Toolchain& toolchain);

/// compile_program() for a program of the course, of which it is known what it is made of: it is kept in the
/// cache. `sources`: every file of the course that it may include.
Result<BuildOutcome> compile_course_program(const std::filesystem::path& file,
                                            const std::vector<std::filesystem::path>& sources,
                                            const Toolchain& toolchain, const BuildOptions& options);

}  // namespace cudalabs
