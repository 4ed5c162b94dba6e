#include "grader/toolchain/clang.h"

#include <sys/random.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <future>
#include <optional>

#include "grader/base/hash/sha256.h"
#include "grader/base/process/search_path.h"
#include "grader/course/cache.h"
#include "grader/course/embedded_course.h"
#include "grader/diagnostics/messages/toolchain.h"
#include "grader/toolchain/code/unnamed_variables.h"
#include "grader/toolchain/code/vector_copies.h"
#include "grader/toolchain/objects/device_link.h"
#include "grader/toolchain/objects/elf.h"
#include "grader/toolchain/objects/fat_binary.h"
#include "grader/toolchain/options/clang_flags.h"
#include "grader/toolchain/options/program_search.h"
#include "grader/toolchain/precompiled.h"
#include "grader/toolchain/preload/preload.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;

constexpr int kOldestClang = 14, kNewestClang = 40;
constexpr int kArchitecture = 80;
// A student's header must not begin with a dot, so these names are free.
constexpr const char *kPtx = ".device.ptx", *kIr = ".device.ll", *kMendedIr = ".mended.ll",
                     *kHalfObject = ".host.o", *kFatBinary = ".kernels", *kDeviceRules = ".device.d",
                     *kHostRules = ".host.d";

/// A placeholder in the host's object until the PTX is ready, so that both halves are compiled at once. It is
/// random: nobody may be able to write it into a source.
Result<std::string> placeholder() {
  std::array<unsigned char, 32> random{};
  if (getrandom(random.data(), random.size(), 0) != static_cast<ssize_t>(random.size()))
    return error(msg::no_random_numbers());
  return std::string(reinterpret_cast<const char*>(random.data()), random.size());
}

/// Both halves' ends as one: the failure, and the messages of both.
ProcessEnd both(ProcessEnd device, ProcessEnd host) {
  const bool device_failed = !device.success();
  ProcessEnd end = device_failed ? device : host;
  end.out = device.out + host.out;
  end.err = device.err + host.err;
  return end;
}

/// True iff clang failed because it calls a function to divide 128-bit integers, as on a CPU, which does not
/// exist.
bool wants_wide_division(const std::string& said) {
  return std::ranges::any_of(
      std::array{"__udivti3", "__umodti3", "__divti3", "__modti3"}, [&](const char* name) {
        return said.find("Undefined external symbol \"" + std::string(name)) != std::string::npos;
      });
}

class Clang : public CudaCompiler {
 public:
  Clang(fs::path program, std::string version, fs::path headers, Precompiled precompiled)
      : program_(std::move(program)),
        version_(std::move(version)),
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
    for (const auto& flag : clang_code_flags({})) hash.add_part(flag);
    return hash.hex();
  }

  [[nodiscard]] std::vector<fs::path> folders() const override {
    return {installation_of(program_), headers_, precompiled_.folder()};
  }
  [[nodiscard]] fs::path include() const override { return headers_; }

  [[nodiscard]] Result<Compilation> compile(const CompileJob& job,
                                            const MakeWorkplace& place) const override {
    const auto mark = placeholder();
    if (!mark) return mark.problem();
    const auto quick = quick_headers(job);
    auto made = can_preload() ? together(job, *mark, place, quick) : apart(job, *mark, place, quick);
    if (made && preload_fails(made->end)) made = apart(job, *mark, place, quick);
    if (!made) return made.problem();
    // the halves may have shared it
    if (wants_no_short_cut(made->end) || made->end.limit == LimitHit::Memory) {
      // The header was made by another clang of the same name, or from headers that have changed since. It is
      // made anew the next time.
      if (quick.precompiled && Precompiled::refused(made->end.err)) {
        precompiled_.forget(Half::Device, standard_of(job.user_flags));
        precompiled_.forget(Half::Host, standard_of(job.user_flags));
      }
      made = apart(job, *mark, place, whole_headers(made->end.err));
      if (!made) return made.problem();
    }
    Compilation compilation{std::move(made->end), {}, made->device->folder()};
    if (!compilation.end.success()) return compilation;

    auto ptx = made->device->take(kPtx);
    if (!ptx) return ptx.problem();
    auto object = made->host->take(kHalfObject);
    if (!object) return object.problem();
    if (object->find(*mark) != std::string::npos) {  // without the placeholder the file has no kernel
      object = with_section(std::move(*object), linked_later(job) ? kRelocatableSection : ".nv_fatbin",
                            fat_binary(*ptx, kArchitecture));
      if (!object) return object.problem();
    }
    compilation.object = std::move(*object);
    if (job.wants_rules) {
      const auto device = made->device->take(kDeviceRules), host = made->host->take(kHostRules);
      if (device && host) compilation.rules = *device + *host;
    }
    return compilation;
  }

 private:
  using Words = std::vector<std::string>;

  /// Both halves of a file, and their workplaces.
  struct Halves {
    ProcessEnd end;
    std::shared_ptr<Workplace> device, host;
  };

  static Result<std::shared_ptr<Workplace>> fresh(const std::string& mark, const MakeWorkplace& place) {
    auto made = place();
    if (!made) return made.problem();
    if (auto put = (*made)->put(kFatBinary, mark); !put) return put.problem();
    return std::shared_ptr<Workplace>(std::move(*made));
  }

  [[nodiscard]] Words half(Half half, const CompileJob& job, const Workplace& place,
                           const Words& begin) const {
    const UserFlags user = translated(job.user_flags);
    Words words{program_.string()};
    const auto add = [&words](const Words& more) { words.insert(words.end(), more.begin(), more.end()); };
    add(clang_flags(half, version_));
    words.push_back(standard_of(job.user_flags));
    add({"-isystem", headers_.string()});
    add(begin);
    add(half == Half::Device ? user.device : user.host);
    if (linked_later(job)) {  // both halves use it to name the file's static variables
      const std::string file =
          "-cuid=" + Sha256().add_part(fs::absolute(job.source).string()).hex().substr(0, 16);
      add(half == Half::Device ? Words{file} : Words{"-Xclang", file});
    }
    if (half == Half::Device && by_way_of_ir(job)) {
      add({"-S", "-emit-llvm", "-Xclang", "-disable-llvm-passes", "-o", place.named(kIr)});
    } else if (half == Half::Device) {
      add({"-S", "-o", place.named(kPtx)});
    } else {
      add({"-Xclang", "-fcuda-include-gpubinary", "-Xclang", place.named(kFatBinary), "-c", "-o",
           place.named(kHalfObject)});
    }
    if (job.wants_rules) add({"-MMD", "-MF", place.named(half == Half::Device ? kDeviceRules : kHostRules)});
    words.push_back(job.source);
    return words;
  }

  /// The first arguments of each half.
  struct Headers {
    Words device, host;
    bool precompiled = false;
  };
  [[nodiscard]] Headers quick_headers(const CompileJob& job) const {
    const UserFlags user = translated(job.user_flags);
    if (precompiles(user.device) && precompiles(user.host)) {
      const std::string standard = standard_of(job.user_flags);
      const auto device = precompiled_.header(Half::Device, standard),
                 host = precompiled_.header(Half::Host, standard);
      if (device && host) return {{"-include-pch", device->string()}, {"-include-pch", host->string()}, true};
    }
    const Words words{kWithoutSpecialFunctions, "-include", kPrefix};
    return {words, words};
  }
  static Headers whole_headers(const std::string& said) {
    Words words{"-include", kPrefix};
    if (wants_wide_division(said)) words.insert(words.end(), {"-include", "cudalabs/wide_division.h"});
    return {words, words};
  }

  /// LD_PRELOAD separates the names of several libraries with blanks and colons.
  [[nodiscard]] bool can_preload() const {
    return preload_works_ && headers_.string().find_first_of(" :") == std::string::npos;
  }
  /// True iff this clang saw the arguments of both halves as its own: it is statically linked, or the library
  /// is in a folder from which no program may be loaded.
  [[nodiscard]] bool preload_fails(const ProcessEnd& end) const {
    const bool fail = !end.success() && end.err.find(kAnd) != std::string::npos;
    if (fail) preload_works_ = false;
    return fail;
  }

  /// Compiles both halves in one start of clang.
  [[nodiscard]] Result<Halves> together(const CompileJob& job, const std::string& mark,
                                        const MakeWorkplace& place, const Headers& headers) const {
    const auto here = fresh(mark, place);
    if (!here) return here.problem();
    Words words{"/usr/bin/env", "LD_PRELOAD=" + (headers_ / kPreloadLibrary).string()};
    const Words device = half(Half::Device, job, **here, headers.device),
                host = half(Half::Host, job, **here, headers.host);
    words.insert(words.end(), device.begin(), device.end());
    words.push_back(kAnd);
    words.insert(words.end(), host.begin() + 1, host.end());
    auto end = (*here)->run(std::move(words));
    if (!end) return end.problem();
    return with_code(job, {std::move(*end), *here, *here});
  }

  /// Compiles the halves in two processes at once.
  [[nodiscard]] Result<Halves> apart(const CompileJob& job, const std::string& mark,
                                     const MakeWorkplace& place, const Headers& headers) const {
    const auto device_place = fresh(mark, place), host_place = fresh(mark, place);
    if (!device_place) return device_place.problem();
    if (!host_place) return host_place.problem();
    auto host_run = std::async(std::launch::async, [&] {
      return (*host_place)->run(half(Half::Host, job, **host_place, headers.host));
    });
    auto device = (*device_place)->run(half(Half::Device, job, **device_place, headers.device));
    auto host = host_run.get();
    if (!device) return device.problem();
    if (!host) return host.problem();
    return with_code(job, {both(std::move(*device), std::move(*host)), *device_place, *host_place});
  }

  /// True iff the device code is linked with other device code later.
  static bool linked_later(const CompileJob& job) {
    return std::ranges::find(job.user_flags, kRelocatable) != job.user_flags.end();
  }

  /// True iff the device half is first compiled to LLVM IR, which is then corrected.
  static bool by_way_of_ir(const CompileJob& job) {
    return names_vectors(job.text) || has_unnamed_namespace(job.text);
  }

  /// Compiles the device half's IR to PTX, if there is IR.
  [[nodiscard]] Result<Halves> with_code(const CompileJob& job, Halves halves) const {
    if (!halves.end.success() || !by_way_of_ir(job)) return halves;
    const auto ir = halves.device->take(kIr);
    if (!ir) return ir.problem();
    if (auto put = halves.device->put(kMendedIr, with_visible_variables(with_whole_vectors(*ir))); !put)
      return put.problem();
    Words words{program_.string()};
    const Words flags = clang_code_flags(translated(job.user_flags).device);
    words.insert(words.end(), flags.begin(), flags.end());
    words.insert(words.end(), {"-S", "-o", halves.device->named(kPtx), halves.device->named(kMendedIr)});
    auto code = halves.device->run(std::move(words));
    if (!code) return code.problem();
    code->out = halves.end.out + code->out;
    code->err = halves.end.err + code->err;
    halves.end = std::move(*code);
    return halves;
  }

  fs::path program_;
  std::string version_;
  fs::path headers_;
  Precompiled precompiled_;
  mutable std::atomic<bool> preload_works_ = true;
};

/// "Debian clang version 14.0.6" -> "14.0.6". Apple's clang has other version numbers and no PTX backend.
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
  if (problem) return error(msg::file_problem(program.string(), problem.message()));
  // Under the name clang, the same program would not link the C++ library.
  if (const fs::path beside = found.program.parent_path() / "clang++"; found.program.filename() == "clang") {
    if (fs::exists(beside, problem)) found.program = beside;
  }
  const auto said = version_said(found.program);
  if (!said) return said.problem();
  found.version = version_of(*said);
  if (std::atoi(found.version.c_str()) < kOldestClang) {
    return error(found.version.empty() ? msg::not_a_clang_for_cuda(program.string())
                                       : msg::clang_too_old(program.string(), found.version),
                 {msg::clang_14_needed(), msg::install_clang()});
  }
  return found;
}

/// The clang++ of PATH; else the newest program with a version in its name.
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
  for (int major = kNewestClang; major >= kOldestClang; --major)
    names.push_back("clang++-" + std::to_string(major));
  for (const auto& name : names) {
    for (const auto& place : places) {
      const fs::path program = first_program({place}, name);
      if (program.empty()) continue;
      // It may be too old, or a compiler cache with that name.
      if (auto found = candidate(program)) return std::optional(std::move(*found));
    }
  }
  return std::optional<Candidate>();
}

}  // namespace

Result<std::shared_ptr<const CudaCompiler>> find_clang() {
  auto chosen = choose();
  if (!chosen) return chosen.problem();
  if (!*chosen) return std::shared_ptr<const CudaCompiler>();
  auto& [program, version] = **chosen;
  auto headers = cuda_headers_folder();
  if (!headers) return headers.problem();
  auto precompiled = Precompiled::open(program, version, *headers);
  if (!precompiled) return precompiled.problem();
  return std::shared_ptr<const CudaCompiler>(std::make_shared<const Clang>(
      std::move(program), std::move(version), std::move(*headers), std::move(*precompiled)));
}

}  // namespace cudalabs
