#include "grader/compile/clang.h"

#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <future>
#include <optional>

#include "grader/compile/clang_flags.h"
#include "grader/compile/fat_binary.h"
#include "grader/compile/precompiled.h"
#include "grader/compile/program_search.h"
#include "grader/compile/sha256.h"
#include "grader/config/cache.h"
#include "grader/config/embedded_course.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;

constexpr int kOldestMajor = 14, kNewestMajor = 40;
constexpr int kArchitecture = 80;
// No header of a student may begin with a dot.
constexpr const char *kPtx = ".device.ptx", *kHalfObject = ".host.o", *kFatBinary = ".kernels",
                     *kObject = ".submission.o";

/// Stands in the host's object until the PTX is there: so both halves are made at once. It must not be known to who could
/// write it into a source.
Result<std::string> placeholder() {
  std::array<unsigned char, 32> random{};
  if (getrandom(random.data(), random.size(), 0) != static_cast<ssize_t>(random.size()))
    return error("the system gave no random numbers");
  return std::string(reinterpret_cast<const char*>(random.data()), random.size());
}

/// Both halves' end as one: what failed, and what both said.
ProcessEnd both(ProcessEnd device, ProcessEnd host) {
  const bool device_failed = !device.success();
  ProcessEnd end = device_failed ? device : host;
  end.out = device.out + host.out;
  end.err = device.err + host.err;
  return end;
}

/// clang calls a function for the division of 128-bit integers, as on a CPU, and has noticed that there is none.
bool wants_wide_division(const std::string& said) {
  return std::ranges::any_of(
      std::array{"__udivti3", "__umodti3", "__divti3", "__modti3"}, [&](const char* name) {
        return said.find("Undefined external symbol \"" + std::string(name)) != std::string::npos;
      });
}

class Clang : public CudaCompiler {
 public:
  Clang(fs::path program, std::string version, fs::path objcopy, fs::path headers, Precompiled precompiled)
      : program_(std::move(program)),
        version_(std::move(version)),
        objcopy_(std::move(objcopy)),
        headers_(std::move(headers)),
        precompiled_(std::move(precompiled)) {}

  [[nodiscard]] std::string_view name() const override { return kClang; }
  [[nodiscard]] const std::string& version() const override { return version_; }
  [[nodiscard]] const fs::path& program() const override { return program_; }

  [[nodiscard]] std::string key() const override {
    Sha256 hash;
    hash.add_part(kClang).add_part(version_).add_part(embedded_cuda_headers_hash());
    for (const Half half : {Half::Device, Half::Host}) {
      for (const auto& flag : clang_flags(half, version_)) hash.add_part(flag);
    }
    return hash.hex();
  }

  [[nodiscard]] std::vector<fs::path> folders() const override {
    return {program_.parent_path().parent_path(), headers_, precompiled_.folder()};
  }
  [[nodiscard]] fs::path include() const override { return headers_; }

  [[nodiscard]] Result<Compilation> compile(const CompileJob& job,
                                            const MakeWorkplace& place) const override {
    const auto mark = placeholder();
    if (!mark) return mark.problem();
    const UserFlags user = translated(job.user_flags);
    auto device_place = place(), host_place = place();
    if (!device_place) return device_place.problem();
    if (!host_place) return host_place.problem();
    if (auto put = (*host_place)->put(kFatBinary, *mark); !put) return put.problem();

    auto host_run = std::async(std::launch::async, [&] {
      return run_half(Half::Host, job, user.host, **host_place,
                      {"-Xclang", "-fcuda-include-gpubinary", "-Xclang", (*host_place)->named(kFatBinary),
                       "-c", "-o", (*host_place)->named(kHalfObject)});
    });
    auto device =
        run_half(Half::Device, job, user.device, **device_place, {"-S", "-o", (*device_place)->named(kPtx)});
    auto host = host_run.get();
    if (!device) return device.problem();
    if (!host) return host.problem();
    Compilation compilation{both(std::move(*device), std::move(*host)), {}, (*device_place)->folder()};
    if (!compilation.end.success()) return compilation;

    auto ptx = (*device_place)->take(kPtx);
    if (!ptx) return ptx.problem();
    auto object = (*host_place)->take(kHalfObject);
    if (!object) return object.problem();
    return joined(std::move(compilation), *ptx, std::move(*object), *mark, place);
  }

  [[nodiscard]] std::vector<std::string> link_command(const CompileJob& job) const override {
    std::vector<std::string> argv{job.host_compiler.string(), "-pthread"};
    const UserFlags user = translated(job.user_flags);
    argv.insert(argv.end(), user.link.begin(), user.link.end());
    return argv;
  }

 private:
  [[nodiscard]] Result<ProcessEnd> run_half(Half half, const CompileJob& job,
                                            const std::vector<std::string>& user, Workplace& place,
                                            const std::vector<std::string>& what) const {
    const auto argv = [&](const std::vector<std::string>& begin) {
      std::vector<std::string> words{program_.string()};
      const auto add = [&words](const std::vector<std::string>& more) {
        words.insert(words.end(), more.begin(), more.end());
      };
      add(clang_flags(half, version_));
      add({"-isystem", headers_.string()});
      add(begin);
      for (const auto& folder : job.folders) add({"-I", folder});
      add(user);
      add(what);
      words.push_back(job.source);
      return words;
    };
    const auto header = precompiles(user) ? precompiled_.header(half) : std::nullopt;
    auto end =
        place.run(argv(header ? std::vector<std::string>{"-include-pch", header->string()}
                              : std::vector<std::string>{kWithoutSpecialFunctions, "-include", kPrefix}));
    if (!wants_no_short_cut(end)) return end;
    // Made by another clang of the same name, or of headers that have changed since: it is made anew the next time.
    if (header && Precompiled::refused(end->err)) precompiled_.forget(half);
    std::vector<std::string> again{"-include", kPrefix};
    if (wants_wide_division(end->err)) again.insert(again.end(), {"-include", "cudalabs/wide_division.h"});
    return place.run(argv(again));
  }

  /// The host's object with the kernels in it.
  [[nodiscard]] Result<Compilation> joined(Compilation compilation, const std::string& ptx,
                                           std::string object, const std::string& mark,
                                           const MakeWorkplace& place) const {
    if (object.find(mark) == std::string::npos) {  // there is no kernel in it
      compilation.object = std::move(object);
      return compilation;
    }
    auto last = place();
    if (!last) return last.problem();
    Workplace& here = **last;
    for (const auto& [name, bytes] : {std::pair<const char*, std::string>(kHalfObject, std::move(object)),
                                      {kFatBinary, fat_binary(ptx, kArchitecture)}}) {
      if (auto put = here.put(name, bytes); !put) return put.problem();
    }
    const auto end = here.run({objcopy_.string(), "--update-section", ".nv_fatbin=" + here.named(kFatBinary),
                               here.named(kHalfObject), here.named(kObject)});
    if (!end) return end.problem();
    if (!end->success()) {
      compilation.end = *end;
      return compilation;
    }
    auto whole = here.take(kObject);
    if (!whole) return whole.problem();
    compilation.object = std::move(*whole);
    return compilation;
  }

  fs::path program_;
  std::string version_;
  fs::path objcopy_, headers_;
  Precompiled precompiled_;
};

/// "Debian clang version 14.0.6" -> "14.0.6". Apple's clang counts its versions in another way and has no PTX.
std::string version_of(const std::string& said) {
  const std::string mark = "clang version ";
  const auto at = said.find(mark);
  if (at == std::string::npos || said.starts_with("Apple")) return {};
  const auto begin = at + mark.size();
  return said.substr(begin, said.find_first_not_of("0123456789.", begin) - begin);
}

struct Candidate {
  fs::path program;
  std::string version;
};

Result<Candidate> candidate(const fs::path& program) {
  std::error_code problem;
  Candidate found{fs::canonical(program, problem), {}};
  if (problem) return error(program.string() + ": " + problem.message());
  // As clang, the same program would not link the C++ library.
  if (const fs::path beside = found.program.parent_path() / "clang++"; found.program.filename() == "clang") {
    if (fs::exists(beside, problem)) found.program = beside;
  }
  const auto said = version_said(found.program);
  if (!said) return said.problem();
  found.version = version_of(*said);
  if (std::atoi(found.version.c_str()) < kOldestMajor) {
    return error(program.string() + " is " +
                     (found.version.empty() ? "no clang that compiles CUDA"
                                            : "version " + found.version + ", which is too old"),
                 std::string("clang 14 or newer is needed; ") + kInstallClang);
  }
  return found;
}

/// The one that a person gets who types clang++; else the newest that has its version in its name.
Result<std::optional<Candidate>> choose() {
  if (auto named = named_program("CUDA_LABS_CLANG"); !named) {
    return named.problem();
  } else if (!named->empty()) {
    auto found = candidate(*named);
    if (!found) return found.problem();
    return std::optional(std::move(*found));
  }
  std::vector<fs::path> places = search_path();
  places.emplace_back("/usr/bin");
  std::vector<std::string> names{"clang++"};
  for (int major = kNewestMajor; major >= kOldestMajor; --major)
    names.push_back("clang++-" + std::to_string(major));
  for (const auto& name : names) {
    for (const auto& place : places) {
      const fs::path program = first_program({place}, name);
      if (program.empty()) continue;
      // It may be too old, or a compiler cache under its name.
      if (auto found = candidate(program)) return std::optional(std::move(*found));
    }
  }
  return std::optional<Candidate>();
}

}  // namespace

const char* const kInstallClang = "install it: sudo apt install clang";

Result<std::shared_ptr<const CudaCompiler>> find_clang() {
  auto chosen = choose();
  if (!chosen) return chosen.problem();
  if (!*chosen) return std::shared_ptr<const CudaCompiler>();
  auto& [program, version] = **chosen;
  const fs::path objcopy = first_program({"/usr/bin", program.parent_path()}, "objcopy");
  if (objcopy.empty()) return error("objcopy is not installed", "install it: sudo apt install binutils");
  auto headers = cuda_headers_folder();
  if (!headers) return headers.problem();
  auto precompiled = Precompiled::open(program, version, *headers);
  if (!precompiled) return precompiled.problem();
  return std::shared_ptr<const CudaCompiler>(std::make_shared<const Clang>(
      std::move(program), std::move(version), objcopy, std::move(*headers), std::move(*precompiled)));
}

}  // namespace cudalabs
