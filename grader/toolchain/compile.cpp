#include "grader/toolchain/compile.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>

#include "grader/base/hash/sha256.h"
#include "grader/base/log/log.h"
#include "grader/base/log/stats.h"
#include "grader/base/process/memory_kills.h"
#include "grader/base/process/processor_use.h"
#include "grader/course/cache.h"
#include "grader/course/embedded_course.h"
#include "grader/diagnostics/messages/toolchain.h"
#include "grader/toolchain/build_cache.h"
#include "grader/toolchain/build_sandbox.h"
#include "grader/toolchain/code/runner.h"
#include "grader/toolchain/failed_compiler.h"
#include "grader/toolchain/inspect.h"
#include "grader/toolchain/messages.h"
#include "grader/toolchain/objects/elf.h"
#include "grader/toolchain/options/old_cuda.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kFormat = "5";  // of cache entries; increased when their meaning changes
// time for all compilers of a submission, in units of the limit for one
constexpr double kTries = 2;
// for our own steps: the runner and the link, which take one or two
constexpr double kOwnSeconds = 30;
/// Disk space that compiling a large submission needs.
constexpr std::size_t kBallast = std::size_t{32} << 20;
constexpr const char* kObject = ".submission.o";  // a student's header must not begin with a dot

struct Inputs {
  std::string contract, contract_name, runner, archive;
};

Result<Inputs> read_inputs(const Lab& lab, const BuildOptions& options) {
  auto contract = read_file(lab.contract, kMaxSourceBytes);
  if (!contract) return contract.problem();
  auto archive = read_file(options.cudart_archive, BuildSandbox::kFileBytes);
  if (!archive) return archive.problem();
  return Inputs{std::move(*contract), lab.contract.filename().string(), runner_source(lab),
                std::move(*archive)};
}

/// A build room with the files of a submission, for one compiler.
class RoomPlace : public Workplace {
 public:
  /// `left`: the time left to all compilers of the submission together, if that is less than `seconds`.
  RoomPlace(BuildSandbox room, double seconds, double& left)
      : room_(std::move(room)), seconds_(seconds), left_(left) {}
  Result<ProcessEnd> run(std::vector<std::string> argv) override {
    auto end = room_.run(std::move(argv), std::clamp(left_, kMinSeconds, seconds_));
    if (end) left_ -= std::max(end->cpu_seconds, end->wall_seconds / BuildSandbox::kPatience);
    return end;
  }
  [[nodiscard]] std::string named(const std::string& name) const override { return name; }
  Result<void> put(const std::string& name, std::string_view bytes) override {
    return room_.put(name, bytes);
  }
  Result<std::string> take(const std::string& name) override { return room_.take(name); }
  [[nodiscard]] fs::path folder() const override { return room_.inside(); }

 private:
  static constexpr double kMinSeconds = 1;  // enough to report an error at all

  BuildSandbox room_;
  double seconds_;
  double& left_;
};

/// The control experiment with our own source: if that does not compile, nothing does.
Result<void> host_compiles(const BuildSandbox& room, const Toolchain& toolchain) {
  const std::string simple =
      "#include <cstdint>\n#include <string>\nstd::string text(int n) { return std::to_string(n); }\n";
  if (auto put = room.put("simple.cpp", simple); !put) return put.problem();
  const auto end = room.run(
      {toolchain.host_compiler.string(), "-std=c++20", "-c", "simple.cpp", "-o", "simple.o"}, kOwnSeconds);
  if (!end) return end.problem();
  if (end->success()) return {};
  return Diagnostic{{},
                    msg::simplest_source_does_not_compile(toolchain.host_compiler.string(), last_words(*end)),
                    hint_for(end->err),
                    true};
}

// Makes the runner's object, in a room without any file of a student.
Result<std::string> runner_object(const Inputs& inputs, const Toolchain& toolchain,
                                  const BuildOptions& options, const BuildCache& cache) {
  const std::string key = Sha256()
                              .add_part("runner")
                              .add_part(kFormat)
                              .add_part(toolchain.cuda->key())
                              .add_part(toolchain.host_version)
                              .add_part(inputs.runner)
                              .add_part(inputs.contract_name)
                              .add_part(inputs.contract)
                              .hex();
  if (auto known = cache.find_part(key)) return *known;
  auto room = BuildSandbox::make(toolchain, options.hidden);
  if (!room) return room.problem();
  if (auto put = room->put("runner.cpp", inputs.runner); !put) return put.problem();
  if (auto put = room->put(inputs.contract_name, inputs.contract); !put) return put.problem();
  const MemoryKills kills;
  const auto end = room->run({toolchain.host_compiler.string(), "-std=c++20", "-O1", "-fPIE", "-I",
                              toolchain.cuda->include().string(), "-c", "runner.cpp", "-o", "runner.o"},
                             kOwnSeconds);
  if (!end) return end.problem();
  if (!end->success()) {
    if (kills.any()) return error(msg::no_memory_to_compile(), msg::more_memory_to_compile());
    if (auto sound = host_compiles(*room, toolchain); !sound) return sound.problem();
    return Diagnostic{
        {inputs.contract_name, 0, 0}, msg::contract_does_not_compile(end->err), msg::error_of_the_lab()};
  }
  auto object = room->take("runner.o");
  if (!object) return object.problem();
  if (auto kept = cache.keep_part(key, *object); !kept) return kept.problem();
  return object;
}

/// The result of one attempt to build a submission.
struct Built {
  BuildOutcome outcome;
  std::string program;     ///< the program's bytes, if Ok
  bool doubtful = false;   ///< it failed, and the machine may be the cause
  bool no_memory = false;  ///< it failed while the kernel killed processes for lack of memory
  bool waited = false;     ///< it failed because the wall time ran out
  Message last_words, hint;
};

// Builds one submission, from its source to a program.
class SubmissionBuild {
 public:
  SubmissionBuild(const Lab& lab, const Submission& submission, const Toolchain& toolchain,
                  const BuildOptions& options, const Inputs& inputs)
      : lab_(lab), submission_(submission), toolchain_(toolchain), options_(options), inputs_(inputs) {}

  [[nodiscard]] std::string key() const {
    Sha256 hash;
    hash.add_part("submission")
        .add_part(kFormat)
        .add_part(embedded_cuda_headers_hash())
        .add_part(toolchain_.cuda->key())
        .add_part(toolchain_.host_version);
    hash.add_part(spelling(usable_sandbox()));  // the sandbox decides the folder in the source lines
    hash.add_part(inputs_.runner)
        .add_part(inputs_.contract_name)
        .add_part(inputs_.contract)
        .add_part(inputs_.archive);
    hash.add_part(submission_.source.name).add_part(submission_.source.content);
    for (const auto& header : submission_.headers) hash.add_part(header.name).add_part(header.content);
    return hash.hex();
  }

  /// Makes one attempt. An error is the machine's.
  Result<Built> build(const std::string& runner) {
    const MemoryKills kills;
    auto built = build_here(runner);
    if (built && built->doubtful) built->no_memory = kills.any();
    return built;
  }

 private:
  Result<Built> build_here(const std::string& runner) {
    Built built;
    BuildOutcome& outcome = built.outcome;
    const auto object = compile(built);
    if (!object) return object.problem();
    if (outcome.status != BuildStatus::Ok) return built;
    const auto student = read_elf(*object);
    const auto ours = read_elf(runner);
    if (!ours) return ours.problem();
    if (!student) {
      violation(outcome, msg::object_not_readable());
      return built;
    }
    if (auto forbidden = forbidden_symbol(*student); !forbidden.empty()) {
      violation(outcome, std::move(forbidden));
      return built;
    }
    if (student->static_bytes > lab_.limits.memory_bytes) {
      outcome.status = BuildStatus::LimitReached;
      outcome.sentence = msg::globals_too_large(lab_.limits.memory_bytes >> 20);
      return built;
    }
    outcome.entries = entry_states(lab_, *ours, *student);
    if (auto linked = link(*object, runner, built); !linked) return linked.problem();
    return built;
  }

  static void violation(BuildOutcome& outcome, Message sentence) {
    outcome.status = BuildStatus::RuleViolation;
    outcome.sentence = std::move(sentence);
  }

  [[nodiscard]] MessageContext context(fs::path folder) const {
    MessageContext context{{submission_.source}, std::move(folder), toolchain_.folders()};
    for (const auto& header : submission_.headers) {
      if (header.name != inputs_.contract_name) context.files.push_back(header);
    }
    context.files.push_back({inputs_.contract_name, inputs_.contract});
    return context;
  }

  [[nodiscard]] Result<std::unique_ptr<Workplace>> place() const {
    auto room = BuildSandbox::make(toolchain_, options_.hidden);
    if (!room) return room.problem();
    std::vector<SourceFile> files = submission_.headers;
    files.push_back(submission_.source);
    // The contract comes last: ours replaces the student's copy.
    files.push_back({inputs_.contract_name, inputs_.contract});
    for (const auto& file : files) {
      if (auto put = room->put(file.name, file.content); !put) return put.problem();
    }
    return std::unique_ptr<Workplace>(
        std::make_unique<RoomPlace>(std::move(*room), lab_.limits.compile_seconds, left_));
  }

  Result<std::string> compile(Built& built) {
    std::string text = submission_.source.content;
    for (const auto& header : submission_.headers) text += header.content;
    const auto with = [&](const std::vector<std::string>& options) {
      std::vector<std::string> flags{kSubmissionStandard};
      flags.insert(flags.end(), options.begin(), options.end());
      return toolchain_.cuda->compile(
          {submission_.source.name, std::move(flags), toolchain_.host_compiler, text},
          [this] { return place(); });
    };
    auto made = compile_of_any_year(toolchain_.old_headers, with);
    if (!made) return made.problem();
    auto said = read_compiler_output(made->end.err + made->end.out, context(made->folder));
    built.outcome.warnings = notes_on_gone(made->missed, context(made->folder));
    std::ranges::move(said.warnings, std::back_inserter(built.outcome.warnings));
    if (!made->end.success()) fail(built, made->end, std::move(said), lab_.limits.compile_seconds);
    return std::move(made->object);
  }

  static void fail(Built& built, const ProcessEnd& end, CompilerOutput said, double seconds) {
    built.doubtful = doubtful(end, said);
    built.waited = end.limit == LimitHit::Wall;
    built.last_words = last_words(end);
    built.hint = hint_for(end.err);
    built.outcome = failed(end, std::move(said), seconds, std::move(built.outcome));
  }

  Result<void> link(const std::string& object, const std::string& runner, Built& built) {
    auto room = BuildSandbox::make(toolchain_, options_.hidden);
    if (!room) return room.problem();
    const std::array<std::pair<const char*, std::string_view>, 3> parts{
        {{"runner.o", runner}, {kObject, object}, {"cudart.a", inputs_.archive}}};
    for (const auto& [name, bytes] : parts) {
      if (auto put = room->put(name, bytes); !put) return put.problem();
    }
    // Static: the sandbox then needs no libraries, and no dynamic loader reads the environment. Debug
    // information stays, for the lines of calls that fail.
    const auto with = [&](const std::string& linker) {
      std::vector<std::string> argv{toolchain_.host_compiler.string(),
                                    "-static-pie",
                                    "-pthread",
                                    "-fno-lto",
                                    "-fno-use-linker-plugin",
                                    "-Wl,--gc-sections",
                                    "-Wl,-z,relro,-z,now",
                                    "runner.o",
                                    kObject,
                                    "cudart.a",
                                    "-o",
                                    "program"};
      if (!linker.empty()) argv.push_back("-fuse-ld=" + linker);
      return room->run(argv, kOwnSeconds);
    };
    const auto end = link_quickly(LinksAs::Static, with);
    if (!end) return end.problem();
    if (end->success()) {
      auto program = room->take("program");
      if (!program) return program.problem();
      built.program = std::move(*program);
      return {};
    }
    fail(built, *end, read_compiler_output(end->err, context(room->inside())), kOwnSeconds);
    BuildOutcome& outcome = built.outcome;
    if (outcome.status == BuildStatus::CompileError) {
      outcome.sentence =
          outcome.errors.empty() ? msg::linker_names_nothing() : msg::does_not_link(outcome.errors.size());
    }
    return {};
  }

  const Lab& lab_;
  const Submission& submission_;
  const Toolchain& toolchain_;
  const BuildOptions& options_;
  const Inputs& inputs_;
  /// A submission's compiler may start several times, and the whole build a second time.
  mutable double left_ = kTries * lab_.limits.compile_seconds;
};

bool may_be_the_machine(const Result<std::string>& made) { return !made; }
bool may_be_the_machine(const Result<Built>& built) { return !built || built->doubtful; }

/// Repeats a step once if the machine may have failed: a killed child, a moment without memory or processes.
template <class Step>
auto again_once(const Step& step) {
  auto made = step();
  return may_be_the_machine(made) ? step() : made;
}

/// The control experiment: if a submission does not compile and nothing says why, does another one?
Result<void> machine_builds(const Lab& lab, const Toolchain& toolchain, const BuildOptions& options,
                            const Inputs& inputs, const std::string& runner) {
  // The disk may have space for a small program, but not for the submission's.
  const std::string ballast(kBallast, '\0');
  auto room = BuildSandbox::make(toolchain, options.hidden);
  if (!room) return room.problem();
  if (auto put = room->put("ballast", ballast); !put) return put.problem();
  const Submission control{{}, {lab.file, std::string(kControlSource)}, {}};
  const auto built = SubmissionBuild(lab, control, toolchain, options, inputs).build(runner);
  if (!built) return built.problem();
  if (built->outcome.status == BuildStatus::Ok) return {};
  return error(msg::simplest_kernel_does_not_compile(built->last_words), built->hint);
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

Result<BuildTools> find_build_tools(CompilerChoice choice) {
  auto toolchain = find_toolchain(choice);
  if (!toolchain) return toolchain.problem();
  auto runtime = runtime_folder();
  if (!runtime) return runtime.problem();
  return BuildTools{std::move(*toolchain), {*runtime / "libcudalabs_cudart.a", {}, {}}};
}

Result<BuildOutcome> build_submission(const Lab& lab, const Submission& submission,
                                      const Toolchain& toolchain, const BuildOptions& options) {
  const logging::Timed timed(logging::Metric::Build);
  const auto start = std::chrono::steady_clock::now();
  auto folder = options.cache.empty() ? default_build_cache() : Result<fs::path>(options.cache);
  if (!folder) return folder.problem();
  const auto cache = BuildCache::open(*folder);
  if (!cache) return cache.problem();
  const auto inputs = read_inputs(lab, options);
  if (!inputs) return inputs.problem();

  SubmissionBuild build(lab, submission, toolchain, options, *inputs);
  const std::string key = build.key();
  const auto done = [&](BuildOutcome outcome) {
    outcome.seconds = seconds_since(start);
    outcome.sandbox = usable_sandbox();
    logging::info(logging::Stage::Compile, [&] {
      return fmt::format("{}: {}{}, {} errors, {} warnings, {:.3f} s", submission.source.name,
                         outcome.status == BuildStatus::Ok ? "built" : "not built",
                         outcome.cached ? " (from the cache)" : "", outcome.errors.size(),
                         outcome.warnings.size(), outcome.seconds);
    });
    return outcome;
  };
  if (auto known = cache->find(key)) return done(std::move(*known));
  auto runner = again_once([&] { return runner_object(*inputs, toolchain, options, *cache); });
  if (!runner) return runner.problem();
  auto built = again_once([&] { return build.build(*runner); });
  if (!built) return built.problem();
  if (built->no_memory) return error(msg::no_memory_to_compile(), msg::more_memory_to_compile());
  if (built->waited) {
    if (auto busy = too_busy_to_judge(msg::compiler_not_done())) return *std::move(busy);
  }
  if (built->doubtful) {
    if (auto sound = machine_builds(lab, toolchain, options, *inputs, *runner); !sound)
      return sound.problem();
    if (built->outcome.errors.empty() && built->outcome.status == BuildStatus::CompileError)
      built->outcome.sentence.add(msg::last_words_of_compiler(built->last_words));
  }
  // Other programs on a busy machine can cause a lack of time or memory: such a result is not cached.
  if (built->doubtful || built->outcome.status == BuildStatus::LimitReached)
    return done(std::move(built->outcome));
  auto kept = cache->keep(key, std::move(built->outcome), built->program);
  if (!kept) return kept.problem();
  return done(std::move(*kept));
}

}  // namespace cudalabs
