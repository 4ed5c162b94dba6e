#include "grader/toolchain/options/nvcc_options.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>

#include "grader/base/text.h"
#include "grader/course/cache.h"
#include "grader/diagnostics/messages/toolchain.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;
using Kind = OptionKind;

constexpr std::size_t kOptionsFileBytes = std::size_t{1} << 20;

constexpr NvccOption kOptions[] = {
    {"--define-macro", "-D", true, Kind::Both},
    {"--undefine-macro", "-U", true, Kind::Both},
    {"--include-path", "-I", true, Kind::Both},
    {"--system-include", "-isystem", true, Kind::Both},
    {"--pre-include", "-include", true, Kind::Both},
    {"--std", "-std", true, Kind::Both},
    {"--disable-warnings", "-w", false, Kind::Both},
    {"--optimize", "-O", true, Kind::Host},
    {"--debug", "-g", false, Kind::Host},
    {"--profile", "-pg", false, Kind::Host},
    {"--compiler-options", "-Xcompiler", true, Kind::HostWords},
    {"--use_fast_math", "-use_fast_math", false, Kind::Device},
    {"--ftz", "-ftz", true, Kind::Device},
    {"--prec-div", "-prec-div", true, Kind::Device},
    {"--prec-sqrt", "-prec-sqrt", true, Kind::Device},
    {"--fmad", "-fmad", true, Kind::Device},
    {"--default-stream", "-default-stream", true, Kind::NvccAlone},
    {"--expt-relaxed-constexpr", "-expt-relaxed-constexpr", false, Kind::NvccAlone},
    {"--extended-lambda", "-extended-lambda", false, Kind::NvccAlone},
    {"--expt-extended-lambda", "-expt-extended-lambda", false, Kind::NvccAlone},
    {"--restrict", "-restrict", false, Kind::NvccAlone},
    {"--no-exceptions", "-noeh", false, Kind::NvccAlone},
    {"--ftemplate-backtrace-limit", "-ftemplate-backtrace-limit", true, Kind::NvccAlone},
    {"--ftemplate-depth", "-ftemplate-depth", true, Kind::NvccAlone},
    {"--no-host-device-initializer-list", "-nohdinitlist", false, Kind::NvccAlone},
    {"--no-host-device-move-forward", "-nohdmoveforward", false, Kind::NvccAlone},
    {"--static-global-template-stub", "-static-global-template-stub", true, Kind::NvccAlone},
    {"--device-entity-has-hidden-visibility", "-device-entity-has-hidden-visibility", true, Kind::NvccAlone},
    {"--allow-unsupported-compiler", "-allow-unsupported-compiler", false, Kind::NvccAlone},
    {"--Wreorder", "-Wreorder", false, Kind::NvccAlone},
    {"--Wdefault-stream-launch", "-Wdefault-stream-launch", false, Kind::NvccAlone},
    {"--Wmissing-launch-bounds", "-Wmissing-launch-bounds", false, Kind::NvccAlone},
    {"--Wext-lambda-captures-this", "-Wext-lambda-captures-this", false, Kind::NvccAlone},
    {"--Wno-deprecated-declarations", "-Wno-deprecated-declarations", false, Kind::NvccAlone},
    {"--Werror", "-Werror", true, Kind::NvccAlone},
    {"--diag-error", "-diag-error", true, Kind::NvccAlone},
    {"--diag-suppress", "-diag-suppress", true, Kind::NvccAlone},
    {"--diag-warn", "-diag-warn", true, Kind::NvccAlone},
    {"--display-error-number", "-err-no", false, Kind::NvccAlone},
    {"--no-display-error-number", "-no-err-no", false, Kind::NvccAlone},
    {"--Xcudafe", "-Xcudafe", true, Kind::NvccAlone},
    {"--maxrregcount", "-maxrregcount", true, Kind::NvccAlone},
    {"--linker-options", "-Xlinker", true, Kind::LinkerWords},
    {"--library", "-l", true, Kind::Library},
    {"--library-path", "-L", true, Kind::LibraryFolder},
    // Lines are always recorded, and there is no code for a debugger.
    {"--generate-line-info", "-lineinfo", false, Kind::Nothing},
    {"--device-debug", "-G", false, Kind::Nothing},
    {"--gpu-architecture", "-arch", true, Kind::Architecture},
    {"--gpu-code", "-code", true, Kind::Architecture},
    {"--generate-code", "-gencode", true, Kind::Architecture},
    {"--entries", "-e", true, Kind::Nothing},
    {"--ptxas-options", "-Xptxas", true, Kind::Nothing},
    {"--nvlink-options", "-Xnvlink", true, Kind::Nothing},
    {"--archive-options", "-Xarchive", true, Kind::Nothing},
    {"--cudart", "-cudart", true, Kind::Nothing},
    {"--cudadevrt", "-cudadevrt", true, Kind::Nothing},
    {"--machine", "-m", true, Kind::Nothing},
    {"--m64", "-m64", false, Kind::Nothing},
    {"--threads", "-t", true, Kind::Nothing},
    {"--split-compile", "-split-compile", true, Kind::Nothing},
    {"--jobserver", "-jobserver", false, Kind::Nothing},
    {"--verbose", "-v", false, Kind::Verbose},
    {"--keep", "-keep", false, Kind::Nothing},
    {"--keep-dir", "-keep-dir", true, Kind::Nothing},
    {"--save-temps", "-save-temps", false, Kind::Nothing},
    {"--objdir-as-tempdir", "-objtemp", false, Kind::Nothing},
    {"--time", "-time", true, Kind::Nothing},
    {"--resource-usage", "-res-usage", false, Kind::Nothing},
    {"--Wno-deprecated-gpu-targets", "-Wno-deprecated-gpu-targets", false, Kind::Nothing},
    {"--no-compress", "-no-compress", false, Kind::Nothing},
    {"--compress-mode", "-compress-mode", true, Kind::Nothing},
    {"--source-in-ptx", "-src-in-ptx", false, Kind::Nothing},
    {"--keep-device-functions", "-keep-device-functions", false, Kind::Nothing},
    {"--extra-device-vectorization", "-extra-device-vectorization", false, Kind::Nothing},
    {"--dlink-time-opt", "-dlto", false, Kind::Nothing},
    {"--lto", "-lto", false, Kind::Nothing},
    {"--dopt", "-dopt", true, Kind::Nothing},
    {"--Ofast-compile", "-Ofc", true, Kind::Nothing},
    {"--frandom-seed", "-frandom-seed", true, Kind::Nothing},
    {"--brief-diagnostics", "-brief-diag", true, Kind::Nothing},
    {"--use-local-env", "-use-local-env", false, Kind::Nothing},
    {"--generate-dependencies-with-compile", "-MD", false, Kind::Dependencies},
    {"--generate-nonsystem-dependencies-with-compile", "-MMD", false, Kind::Dependencies},
    {"--dependency-output", "-MF", true, Kind::Dependencies},
    {"--generate-dependency-targets", "-MP", false, Kind::Dependencies},
    {"--dependency-target-name", "-MT", true, Kind::Dependencies},
    {"--compile", "-c", false, Kind::Phase},
    {"--device-c", "-dc", false, Kind::Phase},
    {"--device-w", "-dw", false, Kind::Phase},
    {"--link", "-link", false, Kind::Phase},
    {"--device-link", "-dlink", false, Kind::Phase},
    {"--cubin", "-cubin", false, Kind::Phase},
    {"--fatbin", "-fatbin", false, Kind::Phase},
    {"--ptx", "-ptx", false, Kind::Phase},
    {"--optix-ir", "-optix-ir", false, Kind::Phase},
    {"--ltoir", "-ltoir", false, Kind::Phase},
    {"--cuda", "-cuda", false, Kind::Phase},
    {"--preprocess", "-E", false, Kind::Phase},
    {"--generate-dependencies", "-M", false, Kind::Phase},
    {"--generate-nonsystem-dependencies", "-MM", false, Kind::Phase},
    {"--lib", "-lib", false, Kind::Phase},
    {"--run", "-run", false, Kind::Phase},
    {"--shared", "-shared", false, Kind::Shared},
    {"--dryrun", "-dryrun", false, Kind::Phase},
    {"--version", "-V", false, Kind::Phase},
    {"--help", "-h", false, Kind::Phase},
    {"--list-gpu-code", "-code-ls", false, Kind::Phase},
    {"--list-gpu-arch", "-arch-ls", false, Kind::Phase},
    {"--output-file", "-o", true, Kind::Output},
    {"--output-directory", "-odir", true, Kind::OutputFolder},
    {"--relocatable-device-code", "-rdc", true, Kind::Relocatable},
    {"--std-cuda", "-std-cuda", true, Kind::CudaOfToday},
    {"--compiler-bindir", "-ccbin", true, Kind::HostCompiler},
    {"--x", "-x", true, Kind::Language},
    {"--forward-unknown-to-host-compiler", "-forward-unknown-to-host-compiler", false, Kind::ForwardUnknown},
    {"--forward-unknown-to-host-linker", "-forward-unknown-to-host-linker", false, Kind::ForwardUnknown},
    {"--forward-unknown-opts", "-forward-unknown-opts", false, Kind::ForwardUnknown},
    {"--options-file", "-optf", true, Kind::OptionsFile},
};

constexpr std::string_view kCudaOfToday = "13";

/// Options whose value may follow without a blank: -Idir, -O3.
constexpr std::string_view kGlued[] = {"-D", "-U", "-I", "-O", "-l", "-L", "-x", "-t", "-m"};

/// NVIDIA's libraries that a program may name.
struct NvidiaLibrary {
  std::string_view begins;  ///< the text after -l
  std::string_view name;    ///< empty: our library replaces it, or its headers suffice
};
constexpr NvidiaLibrary kLibraries[] = {
    {"cudart", ""},           {"cudadevrt", ""},      {"curand", ""},
    {"nvToolsExt", ""},       {"cutil", ""},          {"shrutil", ""},
    {"cublas", "cuBLAS"},     {"cufft", "cuFFT"},     {"cusparse", "cuSPARSE"},
    {"cusolver", "cuSOLVER"}, {"cudnn", "cuDNN"},     {"cutensor", "cuTENSOR"},
    {"nccl", "NCCL"},         {"nvshmem", "NVSHMEM"}, {"npp", "NPP"},
    {"nvjpeg", "nvJPEG"},     {"nvrtc", "NVRTC"},     {"nvJitLink", "nvJitLink"},
    {"nvgraph", "nvGRAPH"},   {"cupti", "CUPTI"},     {"nvidia-ml", "NVML"},
    {"cufile", "cuFile"},
};

const NvidiaLibrary* nvidia_library(const std::string& name) {
  // the driver's library; the linker reports functions that use it
  if (name == "cuda") return &kLibraries[0];
  const auto found = std::ranges::find_if(
      kLibraries, [&](const NvidiaLibrary& library) { return name.starts_with(library.begins); });
  return found == std::end(kLibraries) ? nullptr : &*found;
}

std::vector<std::string> list(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    if (end > begin) parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

/// An option and its value as one word, in the form that begins every compiler's option table.
std::string one_word(const NvccOption& option, const std::string& value) {
  const std::string word(option.abbreviation);
  if (!option.takes_value) return word;
  const bool glued = std::ranges::find(kGlued, option.abbreviation) != std::end(kGlued);
  return word + (glued ? "" : "=") + value;
}

/// The number of the highest architecture in "arch=compute_86,code=[sm_86,compute_86]"; 0: it names none, as
/// "native" does.
int highest_architecture(std::string_view text) {
  int highest = 0;
  for (std::size_t at = 0; (at = text.find('_', at)) != std::string_view::npos;) {
    int number = 0;
    for (++at; at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) != 0 && number < 1000;
         ++at)
      number = 10 * number + (text[at] - '0');
    highest = std::max(highest, number);
  }
  return highest;
}

/// Splits a text into words as a shell does: by blanks, quotes, and a backslash before any character.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool open = false;
  char quote = 0;
  const auto close = [&] {
    if (open) words.push_back(std::move(word));
    word.clear();
    open = false;
  };
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '\\' && quote != '\'' && at + 1 < text.size()) {
      word += text[++at];
      open = true;
    } else if (quote != 0) {
      if (c == quote) {
        quote = 0;
      } else {
        word += c;
      }
    } else if (c == '"' || c == '\'') {
      quote = c;
      open = true;
    } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      close();
    } else {
      word += c;
      open = true;
    }
  }
  close();
  return words;
}

/// Reads the words one by one.
class CommandReader {
 public:
  explicit CommandReader(std::span<const std::string> others) : others_(others) {}

  Result<NvccCommand> read(std::span<const std::string> words) {
    if (auto taken = take(words, 0); !taken) return taken.problem();
    for (const std::string& file : files_) {
      if (auto taken = take_file(file); !taken) return taken.problem();
    }
    return std::move(command_);
  }

 private:
  static constexpr int kDeepest = 8;  // nesting of option files

  Result<void> take(std::span<const std::string> words, int depth) {
    for (std::size_t at = 0; at < words.size(); ++at) {
      const std::string& word = words[at];
      if (word.size() > 1 && word[0] == '@') {
        if (auto taken = take_file_of_options(word.substr(1), depth); !taken) return taken;
        continue;
      }
      if (word.size() < 2 || word[0] != '-') {
        command_.link.push_back(word);  // keeps its place among the libraries
        files_.push_back(word);
        continue;
      }
      const NvccWord read = read_word(word);
      if (read.option == nullptr) {
        if (!forwards_unknown_) return unknown(word);
        if (word.starts_with("-Wl,")) {
          command_.link.push_back(word);  // unsplit: commas belong to the host compiler
        } else {
          command_.flags.push_back("-Xcompiler=" + word);
        }
        continue;
      }
      std::string value = read.value;
      const bool alone = word == read.option->name || word == read.option->abbreviation;
      if (read.option->takes_value && alone) {
        if (at + 1 == words.size()) return error(msg::nvcc_option_needs_value(word));
        value = words[++at];
      } else if (!read.option->takes_value && !alone) {
        return unknown(word);
      }
      if (auto taken = take_option(*read.option, value, depth); !taken) return taken;
    }
    return {};
  }

  [[nodiscard]] Diagnostic unknown(const std::string& word) const {
    const std::string name = word.substr(0, word.find('='));
    std::vector<std::string> names(others_.begin(), others_.end());
    for (const NvccOption& option : kOptions) {
      names.emplace_back(option.name);
      names.emplace_back(option.abbreviation);
    }
    return error(msg::unknown_nvcc_option(name, suggestion(name, names)),
                 msg::host_options_behind_xcompiler());
  }

  Result<void> take_option(const NvccOption& option, const std::string& value, int depth) {
    const auto keep_each = [&](std::vector<std::string>& to) {
      for (const std::string& one : list(value)) to.push_back(one_word(option, one));
    };
    switch (option.kind) {
      case Kind::Both:
        if (option.abbreviation == "-D" || !option.takes_value) {
          command_.flags.push_back(one_word(option, value));
        } else {
          keep_each(command_.flags);
        }
        break;
      case Kind::Host:
      case Kind::HostWords:
      case Kind::Device:
      case Kind::NvccAlone: command_.flags.push_back(one_word(option, value)); break;
      case Kind::Dependencies: command_.dependencies.push_back(one_word(option, value)); break;
      case Kind::LinkerWords:
        for (const std::string& one : list(value)) {
          command_.link.emplace_back("-Xlinker");
          command_.link.push_back(one);
        }
        break;
      case Kind::LibraryFolder: keep_each(command_.link); break;
      case Kind::Library:
        for (const std::string& one : list(value)) {
          const NvidiaLibrary* library = nvidia_library(one);
          if (library == nullptr) {
            command_.link.push_back("-l" + one);
          } else if (!library->name.empty()) {
            return error(msg::linked_with_nvidia_library(library->name, one), msg::write_library_as_kernel());
          }
        }
        break;
      case Kind::Phase: take_phase(option); break;
      case Kind::Shared: command_.shared = true; break;
      case Kind::Verbose: command_.verbose = true; break;
      case Kind::Output: command_.output = value; break;
      case Kind::OutputFolder: command_.output_folder = value; break;
      case Kind::Architecture:
        command_.architecture = std::max(command_.architecture, highest_architecture(value));
        break;
      case Kind::Relocatable: command_.relocatable = value == "true"; break;
      case Kind::CudaOfToday:
        if (value != kCudaOfToday) return error(msg::no_such_cuda(value), msg::cuda_of_today());
        command_.only_today = true;
        break;
      case Kind::HostCompiler: command_.host_compiler = value; break;
      case Kind::Language: language_ = value; break;
      case Kind::ForwardUnknown: forwards_unknown_ = true; break;
      case Kind::OptionsFile:
        for (const std::string& one : list(value)) {
          if (auto taken = take_file_of_options(one, depth); !taken) return taken;
        }
        break;
      case Kind::Nothing: break;
    }
    return {};
  }

  void take_phase(const NvccOption& option) {
    command_.phase_word = std::string(option.abbreviation);
    if (option.abbreviation == "-dc") command_.relocatable = true;
    const bool compiles =
        option.abbreviation == "-c" || option.abbreviation == "-dc" || option.abbreviation == "-dw";
    command_.phase = compiles                          ? NvccPhase::Compile
                     : option.abbreviation == "-link"  ? NvccPhase::Link
                     : option.abbreviation == "-dlink" ? NvccPhase::DeviceLink
                     : option.abbreviation == "-lib"   ? NvccPhase::Archive
                     : option.abbreviation == "-V"     ? NvccPhase::Version
                                                       : NvccPhase::Other;
  }

  Result<void> take_file_of_options(const std::string& file, int depth) {
    if (depth == kDeepest) return error(msg::options_file_nested(file));
    const auto text = read_file(file, kOptionsFileBytes);
    if (!text) return text.problem();
    return take(words_of(*text), depth + 1);
  }

  Result<void> take_file(const std::string& file) {
    static constexpr std::array<std::string_view, 6> kHost{".cpp", ".cc", ".cxx", ".c++", ".C", ".c"};
    static constexpr std::array<std::string_view, 3> kObjects{".o", ".obj", ".a"};
    const std::string ending = fs::path(file).extension().string();
    const bool host = std::ranges::find(kHost, ending) != kHost.end();
    if (std::ranges::find(kObjects, ending) != kObjects.end() || is_shared_library(file)) return {};
    if (ending != ".cu" && !host && language_.empty()) {
      return error(msg::file_of_no_kind(file), msg::endings_of_sources());
    }
    NvccSource source{file, ending == ".cu", ending == ".c"};
    if (!language_.empty()) source = {file, language_ == "cu", language_ == "c"};
    command_.sources.push_back(source);
    std::erase(command_.link, file);
    return {};
  }

  std::span<const std::string> others_;
  NvccCommand command_;
  std::vector<std::string> files_;
  std::string language_;
  bool forwards_unknown_ = false;
};

}  // namespace

const NvccOption* nvcc_option(std::string_view name) {
  const auto found = std::ranges::find_if(
      kOptions, [&](const NvccOption& option) { return option.name == name || option.abbreviation == name; });
  return found == std::end(kOptions) ? nullptr : &*found;
}

NvccWord read_word(const std::string& word) {
  const auto equals = word.find('=');
  if (const NvccOption* option = nvcc_option(word.substr(0, equals)))
    return {option, equals == std::string::npos ? std::string() : word.substr(equals + 1)};
  for (const std::string_view glued : kGlued) {
    if (word.starts_with(glued)) return {nvcc_option(glued), word.substr(glued.size())};
  }
  return {nullptr, {}};
}

bool is_shared_library(const std::string& file) {
  constexpr std::string_view kEnding = ".so", kVersioned = ".so.";
  const std::string name = fs::path(file).filename().string();
  if (name.ends_with(kEnding)) return name.size() > kEnding.size();
  const auto version = name.find(kVersioned);
  return version != std::string::npos && version > 0 && version + kVersioned.size() < name.size() &&
         std::isdigit(static_cast<unsigned char>(name[version + kVersioned.size()])) != 0;
}

Result<NvccCommand> read_nvcc_command(std::span<const std::string> words,
                                      std::span<const std::string> others) {
  return CommandReader(others).read(words);
}

}  // namespace cudalabs
