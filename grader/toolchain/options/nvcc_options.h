#pragma once
// nvcc's command line: the options, and the meaning of each for us. `grader run` and both compilers read this
// one table.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grader/base/result.h"

namespace cudalabs {

/// How we treat an option.
enum class OptionKind : std::uint8_t {
  Both,            ///< for device code and host code; other compilers have it by the same name
  Host,            ///< for host code; other compilers have it by the same name
  HostWords,       ///< -Xcompiler: a list of words for the host's compiler
  Device,          ///< affects arithmetic in device code (-use_fast_math)
  NvccAlone,       ///< other compilers do not need it
  LinkerWords,     ///< -Xlinker
  Library,         ///< -l
  LibraryFolder,   ///< -L
  Nothing,         ///< no effect on a simulated card: machine code, ptxas' messages
  Dependencies,    ///< -MD and similar: rules for make, beside the object
  Shared,          ///< a shared library instead of a program
  Verbose,         ///< -v
  Phase,           ///< the last phase between source and program
  Output,          ///< -o
  OutputFolder,    ///< -odir
  Relocatable,     ///< -rdc
  CudaOfToday,     ///< --std-cuda: refuses what CUDA 13 has no longer; the grader's own
  Architecture,    ///< a card's compute capability, or several
  HostCompiler,    ///< -ccbin
  Language,        ///< -x
  ForwardUnknown,  ///< passes unknown options to the host compiler
  OptionsFile,     ///< a file that contains more options
};

struct NvccOption {
  std::string_view name;  ///< "--include-path"
  std::string_view abbreviation;
  bool takes_value;
  OptionKind kind;
};

/// The option of that name, without a `=` and its value; null: nvcc has none.
const NvccOption* nvcc_option(std::string_view name);

/// A word that nvcc_words() made, or one of the same form: `-Idir`, `-std=c++17`, `-lineinfo`.
struct NvccWord {
  const NvccOption* option;  ///< null: nvcc does not have it
  std::string value;
};
NvccWord read_word(const std::string& word);

enum class NvccPhase : std::uint8_t { Link, Compile, DeviceLink, Archive, Version, Other };

struct NvccSource {
  std::string file;
  bool cuda = false;  ///< it may contain device code; otherwise only the host compiler sees it
  bool c = false;     ///< the language is C
};

/// A parsed nvcc command line.
struct NvccCommand {
  std::vector<NvccSource> sources;
  std::vector<std::string> flags;         ///< for compilers, each one word: "-Idir", "-Xcompiler=-Wall"
  std::vector<std::string> link;          ///< for the host's linker, in order: "a.o", "-lm", "-Lfolder"
  std::vector<std::string> dependencies;  ///< in the form of `flags`
  NvccPhase phase = NvccPhase::Link;
  std::string phase_word;  ///< "-c"; empty: no option given
  std::string output, output_folder, host_compiler;
  int architecture = 0;      ///< the highest named one, 86 for sm_86
  bool relocatable = false;  ///< the device's kernels, functions and variables are visible to other files
  bool shared = false, verbose = false;
  bool only_today = false;  ///< --std-cuda 13: nothing that CUDA 13 has no longer
};

/// By its name, with or without versions: libmine.so, libmine.so.1.2, libcrypto.so.1.0.2k.
bool is_shared_library(const std::string& file);

/// Error: an option that nvcc does not know, or that cannot work here. `others`: options that the user may
/// have meant.
Result<NvccCommand> read_nvcc_command(std::span<const std::string> words,
                                      std::span<const std::string> others = {});

}  // namespace cudalabs
