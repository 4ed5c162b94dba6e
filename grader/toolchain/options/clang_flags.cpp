#include "grader/toolchain/options/clang_flags.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <span>
#include <string_view>

#include "grader/toolchain/options/cuda_compiler.h"
#include "grader/toolchain/options/nvcc_options.h"

namespace cudalabs {
namespace {

using Words = std::vector<std::string>;

constexpr const char* kPtxFeature = "+ptx75";
/// The oldest standard that our headers support; also nvcc's default.
constexpr const char* kOldestStandard = "-std=gnu++17";

/// The flags for code generation.
Words code_flags() {
  return {
      "-O2",
      // Unrolls loops as nvcc does: completely if the trip count is known and the loop is short, else by
      // four, even if computing the trip count takes a division.
      "-mllvm", "-unroll-threshold=600", "-mllvm", "-unroll-partial-threshold=600", "-mllvm",
      "-unroll-runtime", "-mllvm", "-unroll-max-count=4", "-mllvm", "-scev-cheap-expansion-budget=1000",
      // Without this, clang sinks a value into the only branch that uses it, and a load that moves loses its
      // line.
      "-mllvm", "-disable-machine-sink",
      // Without this, a table of strings becomes a table of relative offsets, which PTX cannot express.
      "-Xclang", "-mcmodel=medium"};
}

/// The flags that decide which errors and warnings a source has.
Words language_flags() {
  // Ignore an installed toolkit: the same file must give the same code everywhere.
  return {
      "-x", "cuda", "--cuda-path=/nonexistent", "-nocudainc", "-nocudalib", "-Xclang",
      "-target-sdk-version=11.5", "-Wall",
      // On arm64 a plain char would be unsigned, and a histogram of the same bytes would differ.
      "-fsigned-char",
      // nvcc's own pragmas, and loops that cannot be unrolled as requested: these are not mistakes.
      "-Wno-unknown-pragmas", "-Wno-pass-failed", "-Wno-ignored-attributes",
      // `if (rank == 0) base = atomicAdd(...); base = shfl(base, 0);` correctly reads a value that only lane
      // 0 has set.
      "-Wno-sometimes-uninitialized", "-Wno-unknown-cuda-version"};
}

Words flags_of(Half half, int major) {
  Words flags = language_flags();
  const Words run{
      // With modules allowed, clang merges declarations from a precompiled header by name and parameters: a
      // host function with a device function of the same signature.
      "-Xclang", "-fno-cxx-modules", "-ferror-limit=0", "-fno-caret-diagnostics", "-fno-color-diagnostics",
      // Disables the second run that reproduces a crash, and the libraries that a source names.
      "-fno-crash-diagnostics", "-fno-autolink",
      // Lanes that do not take part pass on a value that they never set, as in `if (lane == 0) v = ...; v =
      // __shfl_sync(~0u, v, 0)`: with the analysis such a `v` may be anything in all lanes.
      "-Xclang", major < 15 ? "-disable-noundef-analysis" : "-no-enable-noundef-analysis",
      // A pointer of the device's heap may be null.
      "-fno-builtin-malloc"};
  flags.insert(flags.end(), run.begin(), run.end());
  Words device{"--cuda-device-only", "--cuda-gpu-arch=sm_80", "-Xclang", "-target-feature", "-Xclang",
               kPtxFeature,          "-gline-directives-only"};
  const Words code = code_flags();
  device.insert(device.end(), code.begin(), code.end());
  const Words host{"--cuda-host-only", "-fPIE", "-ffp-contract=off", "-O2", "-g1"};
  const Words& more = half == Half::Device ? device : host;
  flags.insert(flags.end(), more.begin(), more.end());
  return flags;
}

bool starts_with_one_of(std::string_view word, std::span<const std::string_view> prefixes) {
  return std::ranges::any_of(prefixes, [&](std::string_view prefix) { return word.starts_with(prefix); });
}

void add_list(Words& to, const std::string& list) {
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    if (end > begin) to.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
}

}  // namespace

Words clang_flags(Half half, const std::string& version) {
  return flags_of(half, std::atoi(version.c_str()));
}

Words editor_flags(const std::string& headers) {
  Words flags = language_flags();
  const Words more{kSubmissionStandard,
                   "--cuda-host-only",
                   "--cuda-gpu-arch=sm_80",
                   "-isystem",
                   headers,
                   "-include",
                   kPrefix};
  flags.insert(flags.end(), more.begin(), more.end());
  return flags;
}

Words clang_code_flags(const Words& device) {
  Words words{"-x",
              "ir",
              "--target=nvptx64-nvidia-cuda",
              "-Xclang",
              "-target-cpu",
              "-Xclang",
              "sm_80",
              "-Xclang",
              "-target-feature",
              "-Xclang",
              kPtxFeature,
              "-Wno-pass-failed",
              "-Wno-unused-command-line-argument",
              "-fno-crash-diagnostics"};
  const Words code = code_flags();
  words.insert(words.end(), code.begin(), code.end());
  // Without this, vector loads are split if not all elements are used.
  words.insert(words.end(), {"-mllvm", "-disable-vector-combine"});
  // LLVM IR does not record whether products are fused into sums.
  const bool fuses = std::ranges::find(device, "-ffp-contract=off") == device.end();
  words.insert(words.end(), {"-mllvm", fuses ? "-nvptx-fma-level=2" : "-nvptx-fma-level=0"});
  for (std::size_t at = 0; at < device.size(); ++at) {
    if (device[at].starts_with("-O")) words.push_back(device[at]);
    if (device[at] != "-mllvm" || at + 1 >= device.size()) continue;
    words.push_back(device[at]);
    words.push_back(device[++at]);
  }
  return words;
}

UserFlags translated(const Words& words) {
  UserFlags user;
  const auto approximate = [&user](std::initializer_list<const char*> flags) {
    user.device.insert(user.device.end(), flags.begin(), flags.end());
  };
  for (const std::string& word : words) {
    const auto [option, value] = read_word(word);
    if (option == nullptr) continue;
    const std::string_view name = option->abbreviation;
    if (option->kind == OptionKind::HostWords) {
      add_list(user.host, value);
    } else if (option->kind == OptionKind::Host) {
      user.host.push_back(word);
    } else if (option->kind == OptionKind::Both && name != "-std") {
      for (Words* half : {&user.device, &user.host}) {
        if (name != "-include" && name != "-isystem") {
          half->push_back(word);
        } else {
          half->insert(half->end(), {std::string(name), value});
        }
      }
    } else if (option->kind == OptionKind::Dependencies) {
      user.host.emplace_back(name);
      if (option->takes_value) user.host.push_back(value);
    } else if (option->kind == OptionKind::Relocatable) {
      for (Words* half : {&user.device, &user.host}) half->push_back("-fgpu-rdc");
    } else if (name == "-use_fast_math") {
      approximate({"-fcuda-flush-denormals-to-zero", "-Xclang", "-fcuda-approx-transcendentals", "-mllvm",
                   "-nvptx-prec-divf32=0", "-mllvm", "-nvptx-prec-sqrtf32=0"});
    } else if (name == "-ftz" && value == "true") {
      approximate({"-fcuda-flush-denormals-to-zero"});
    } else if (name == "-fmad" && value == "false") {
      approximate({"-ffp-contract=off"});
    } else if (name == "-prec-div" && value == "false") {
      approximate({"-mllvm", "-nvptx-prec-divf32=1"});
    } else if (name == "-prec-sqrt" && value == "false") {
      approximate({"-mllvm", "-nvptx-prec-sqrtf32=0"});
    }
  }
  return user;
}

std::string standard_of(const Words& words) {
  static constexpr std::array<std::string_view, 4> kOlder{"-std=c++03", "-std=c++11", "-std=c++14",
                                                          "-std=c++17"};
  std::string standard = kOldestStandard;
  for (const std::string& word : words) {
    if (word.starts_with("-std="))
      standard = std::ranges::find(kOlder, word) == kOlder.end() ? word : kOldestStandard;
  }
  return standard;
}

Words host_words(const Words& words) {
  Words host;
  for (const std::string& word : words) {
    const auto [option, value] = read_word(word);
    if (option != nullptr && option->kind == OptionKind::HostWords) add_list(host, value);
  }
  return host;
}

bool precompiles(const Words& user_flags) {
  // Macros with these beginnings change the meaning of headers.
  static constexpr std::array<std::string_view, 3> kChanging{"_", "CUDA", "NDEBUG"};
  return std::ranges::all_of(user_flags, [](const std::string& word) {
    return word.starts_with("-I") || word.starts_with("-std=") ||
           (word.starts_with("-D") && !starts_with_one_of(word.substr(2), kChanging));
  });
}

}  // namespace cudalabs
