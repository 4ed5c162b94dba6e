#pragma once
// nvcc's command line: which options there are, and what each is to us. One table, which `grader run`
// and both compilers read.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grader/support/result.h"

namespace cudalabs {

/// What becomes of an option.
enum class OptionKind : std::uint8_t {
  Both,            ///< for device code and host code; other compilers have it by the same name
  Host,            ///< for host code; other compilers have it by the same name
  HostWords,       ///< -Xcompiler: a list of words for the host's compiler
  Device,          ///< how device code computes (-use_fast_math)
  NvccAlone,       ///< others have no use for it
  LinkerWords,     ///< -Xlinker
  Library,         ///< -l
  LibraryFolder,   ///< -L
  Nothing,         ///< means nothing on a simulated card: which machine code is made, what ptxas says
  Dependencies,    ///< -MD and its like: rules for make, beside the object
  Shared,          ///< a shared library instead of a program
  Verbose,         ///< -v
  Phase,           ///< where the way from source to program ends
  Output,          ///< -o
  OutputFolder,    ///< -odir
  Relocatable,     ///< -rdc
  Architecture,    ///< a card's compute capability, or several
  HostCompiler,    ///< -ccbin
  Language,        ///< -x
  ForwardUnknown,  ///< what nvcc does not know is the host compiler's
  OptionsFile,     ///< more of them stand in a file
};

struct NvccOption {
  std::string_view name;  ///< "--include-path"
  std::string_view abbreviation;
  bool takes_value;
  OptionKind kind;
};

/// Of that name, without what follows a `=`; null: nvcc has no such.
const NvccOption* nvcc_option(std::string_view name);

/// A word that nvcc_words() made, or that is written like one: `-Idir`, `-std=c++17`, `-lineinfo`.
struct NvccWord {
  const NvccOption* option;  ///< null: nvcc does not know it
  std::string value;
};
NvccWord read_word(const std::string& word);

enum class NvccPhase : std::uint8_t { Link, Compile, DeviceLink, Archive, Version, Other };

struct NvccSource {
  std::string file;
  bool cuda = false;  ///< device code may be in it; else it is the host compiler's alone
  bool c = false;     ///< in C
};

/// A command line of nvcc's, taken apart.
struct NvccCommand {
  std::vector<NvccSource> sources;
  std::vector<std::string> flags;         ///< for compilers, each one word: "-Idir", "-Xcompiler=-Wall"
  std::vector<std::string> link;          ///< for the host's linker, in order: "a.o", "-lm", "-Lfolder"
  std::vector<std::string> dependencies;  ///< as `flags`
  NvccPhase phase = NvccPhase::Link;
  std::string phase_word;  ///< "-c"; empty: nothing was said
  std::string output, output_folder, host_compiler;
  int architecture = 0;      ///< the highest that is named, 86 for sm_86
  bool relocatable = false;  ///< kernels, functions and variables of the device are known to other files
  bool shared = false, verbose = false;
};

/// By its name, without or with versions: libmine.so, libmine.so.1.2, libcrypto.so.1.0.2k.
bool is_shared_library(const std::string& file);

/// An error: what nvcc does not know, or what cannot work here. `others`: options that may have been meant.
Result<NvccCommand> read_nvcc_command(std::span<const std::string> words,
                                      std::span<const std::string> others = {});

}  // namespace cudalabs
