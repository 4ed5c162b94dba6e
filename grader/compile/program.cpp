#include "grader/compile/program.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <future>
#include <optional>
#include <semaphore>
#include <thread>

#include "grader/compile/build_cache.h"
#include "grader/compile/build_room.h"
#include "grader/compile/clang_flags.h"
#include "grader/compile/failed_compiler.h"
#include "grader/compile/messages.h"
#include "grader/compile/nvcc.h"
#include "grader/compile/program_search.h"
#include "grader/compile/sha256.h"
#include "grader/config/cache.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kProgramFormat = "4";  // of cache entries
constexpr const char* kProgramObject = "program.o";

/// The user's own folder, without walls; what is made goes to one of ours.
class OwnPlace : public Workplace {
 public:
  explicit OwnPlace(std::shared_ptr<TemporaryFolder> made) : made_(std::move(made)) {}
  Result<ProcessEnd> run(std::vector<std::string> argv) override {
    Command command;
    command.argv = std::move(argv);
    const char* path = std::getenv("PATH");
    command.env = {"PATH=" + std::string(path ? path : "/usr/bin:/bin"), "LC_ALL=C",
                   "TMPDIR=" + made_->path().string()};
    return cudalabs::run(std::move(command));
  }
  [[nodiscard]] std::string named(const std::string& name) const override {
    return (made_->path() / name).string();
  }
  Result<void> put(const std::string& name, std::string_view bytes) override {
    return write_file_atomically(made_->path() / name, bytes);
  }
  Result<std::string> take(const std::string& name) override {
    return read_file(made_->path() / name, BuildRoom::kFileBytes);
  }
  [[nodiscard]] fs::path folder() const override { return {}; }

 private:
  std::shared_ptr<TemporaryFolder> made_;
};

fs::path host_compiler(const NvccCommand& command, const Toolchain& toolchain) {
  return command.host_compiler.empty() ? toolchain.host_compiler : fs::path(command.host_compiler);
}

std::string as_argument(const std::string& file) { return (file.starts_with('-') ? "./" : "") + file; }

bool is_standard(const std::string& flag) { return flag.starts_with("-std="); }

/// A file without device code, by the host's compiler.
Result<Compilation> compile_host(const NvccSource& source, const std::vector<std::string>& flags,
                                 const fs::path& compiler, const Toolchain& toolchain, OwnPlace& place) {
  std::vector<std::string> argv{compiler.string(),
                                "-x",
                                source.c ? "c" : "c++",
                                "-Wall",
                                "-O2",
                                "-fPIE",
                                "-isystem",
                                toolchain.cuda->include().string()};
  for (const std::string& word : translated(flags).host) {
    if (!source.c || !is_standard(word)) argv.push_back(word);
  }
  argv.insert(argv.end(), {"-c", as_argument(source.file), "-o", place.named(kProgramObject)});
  auto end = place.run(std::move(argv));
  if (!end) return end.problem();
  Compilation made{std::move(*end), {}, {}};
  if (!made.end.success()) return made;
  auto object = place.take(kProgramObject);
  if (!object) return object.problem();
  made.object = std::move(*object);
  return made;
}

Result<std::unique_ptr<OwnPlace>> own_place() {
  auto folder = TemporaryFolder::make();
  if (!folder) return folder.problem();
  return std::make_unique<OwnPlace>(std::move(*folder));
}

Result<Compilation> compile_source(const NvccSource& source, const std::string& text,
                                   const NvccCommand& command, const Toolchain& toolchain, int highest) {
  const fs::path compiler = host_compiler(command, toolchain);
  if (!source.cuda) {
    auto place = own_place();
    if (!place) return place.problem();
    return compile_host(source, command.flags, compiler, toolchain, **place);
  }
  std::vector<std::string> flags = command.flags;
  if (const int architecture = std::min(command.architecture, highest); architecture > kSimulatedArchitecture)
    flags.push_back("-arch=compute_" + std::to_string(architecture));
  if (command.relocatable) flags.emplace_back("-rdc=true");
  const CompileJob job{as_argument(source.file), std::move(flags), compiler, text};
  return toolchain.cuda->compile(job, []() -> Result<std::unique_ptr<Workplace>> {
    auto place = own_place();  // the halves of a file are made side by side
    if (!place) return place.problem();
    return std::unique_ptr<Workplace>(std::move(*place));
  });
}

/// A linker that takes a third of the time of GNU ld, where there is one. Not for what is graded: it makes no
/// static programs that start.
std::string quick_linker() {
  auto places = search_path();
  places.emplace_back("/usr/bin");
  for (const char* name : {"gold", "lld"}) {
    if (!first_program(places, std::string("ld.") + name).empty()) return name;
  }
  return {};
}

Result<ProcessEnd> link(const std::vector<std::string>& objects, const NvccCommand& command,
                        const Toolchain& toolchain, const BuildOptions& options, OwnPlace& place,
                        const std::string& program) {
  const auto with = [&](const std::string& linker) {
    std::vector<std::string> argv{host_compiler(command, toolchain).string(), "-pthread"};
    if (!linker.empty()) argv.push_back("-fuse-ld=" + linker);
    for (const auto* words : {&objects, &command.link}) argv.insert(argv.end(), words->begin(), words->end());
    const auto host = host_words(command.flags);  // -fopenmp names a library, too
    argv.insert(argv.end(), host.begin(), host.end());
    argv.insert(argv.end(), {options.cudart_archive.string(), "-o", program});
    return place.run(std::move(argv));
  };
  const std::string quick = quick_linker();
  auto end = with(quick);
  // What there is to say is said by the linker that everybody has.
  if (!quick.empty() && end && (!end->success() || !end->err.empty())) end = with({});
  return end;
}

/// What compilers said of files of the user's own, and how it ended.
Result<BuildOutcome> outcome_of(const ProcessEnd& end, std::vector<SourceFile> files,
                                const Toolchain& toolchain) {
  BuildOutcome outcome;
  auto said = read_compiler_output(end.err + end.out, {std::move(files), {}, toolchain.folders()});
  outcome.warnings = std::move(said.warnings);
  if (end.success()) return outcome;
  outcome = failed(end, std::move(said), 0, std::move(outcome));
  if (outcome.errors.empty())
    return error(std::string(toolchain.cuda->name()) + " failed:\n" + end.err, hint_for(end.err));
  return outcome;
}

}  // namespace

Result<BuildOutcome> compile_program(const NvccCommand& command, const Toolchain& toolchain,
                                     const BuildOptions& options, int highest) {
  const auto start = std::chrono::steady_clock::now();
  std::vector<SourceFile> files;
  for (const NvccSource& source : command.sources) {
    auto text = read_file(source.file, BuildRoom::kFileBytes);
    if (!text) return text.problem();
    files.push_back({source.file, std::move(*text)});
  }
  auto folder = TemporaryFolder::make();
  if (!folder) return folder.problem();
  OwnPlace place(*folder);

  // As many at a time as there are processors.
  std::counting_semaphore<> free_processors(
      std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
  std::vector<std::future<Result<Compilation>>> running;
  for (std::size_t i = 0; i < files.size(); ++i) {
    running.push_back(std::async(std::launch::async, [&, i] {
      free_processors.acquire();
      auto made = compile_source(command.sources[i], files[i].content, command, toolchain, highest);
      free_processors.release();
      return made;
    }));
  }
  ProcessEnd all;  // what everybody said, and how the first that failed ended
  all.exited = true;
  all.exit_code = 0;
  std::vector<std::string> objects;
  std::optional<Diagnostic> problem;
  for (std::size_t i = 0; i < running.size(); ++i) {
    const auto made = running[i].get();
    if (!made) {
      if (!problem) problem = made.problem();
      continue;
    }
    const std::string said = all.err + made->end.err + made->end.out;
    if (all.success()) all = made->end;
    all.err = said;
    all.out.clear();
    if (!made->end.success()) continue;
    const std::string name = std::to_string(i) + ".o";
    if (auto put = place.put(name, made->object); !put) return put.problem();
    objects.push_back(place.named(name));
  }
  if (problem) return *problem;

  const fs::path program = (*folder)->path() / fs::path(files.front().name).stem();
  if (all.success()) {
    auto linked = link(objects, command, toolchain, options, place, program.string());
    if (!linked) return linked.problem();
    linked->err = all.err + linked->err;  // with the compilers' warnings
    all = std::move(*linked);
  }
  auto outcome = outcome_of(all, std::move(files), toolchain);
  if (!outcome || outcome->status != BuildStatus::Ok) return outcome;
  outcome->executable = program;
  outcome->keeps = std::move(*folder);
  outcome->seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return outcome;
}

Result<BuildOutcome> compile_for_card(const fs::path& file, const Toolchain& toolchain) {
  if (toolchain.cuda->name() != kNvcc)
    return error("a program beside NVIDIA's own runtime is built with nvcc, not with clang",
                 "leave out --compiler, and: " + std::string(kInstallNvcc));
  auto text = read_file(file, BuildRoom::kFileBytes);
  if (!text) return text.problem();
  auto folder = TemporaryFolder::make();
  if (!folder) return folder.problem();
  const fs::path program = (*folder)->path() / file.stem();
  const auto end = OwnPlace(*folder).run({toolchain.cuda->program().string(), "-ccbin",
                                          toolchain.host_compiler.string(), "-std=c++20", "-arch=native",
                                          "-O2", as_argument(file.string()), "-o", program.string()});
  if (!end) return end.problem();
  auto outcome = outcome_of(*end, {{file.string(), std::move(*text)}}, toolchain);
  if (!outcome || outcome->status != BuildStatus::Ok) return outcome;
  outcome->executable = program;
  outcome->keeps = std::move(*folder);
  return outcome;
}

Result<BuildOutcome> compile_course_program(const fs::path& file, const std::vector<fs::path>& sources,
                                            const Toolchain& toolchain, const BuildOptions& options) {
  auto folder = options.cache.empty() ? default_build_cache() : Result<fs::path>(options.cache);
  if (!folder) return folder.problem();
  const auto cache = BuildCache::open(*folder);
  if (!cache) return cache.problem();

  Sha256 hash;
  hash.add_part("program")
      .add_part(kProgramFormat)
      .add_part(toolchain.cuda->key())
      .add_part(toolchain.host_version);
  const auto archive = read_file(options.cudart_archive, BuildRoom::kFileBytes);
  if (!archive) return archive.problem();
  hash.add_part(*archive).add_part(file.string());  // the path: the source lines name it
  for (const fs::path& source : sources) {
    const auto content = read_file(source, BuildRoom::kFileBytes);
    if (!content) return content.problem();
    hash.add_part(source.string()).add_part(*content);
  }
  const std::string key = hash.hex();
  if (auto known = cache->find(key)) return *known;

  NvccCommand command;
  command.sources = {{file.string(), true, false}};
  command.flags = {kSubmissionStandard};
  auto outcome = compile_program(command, toolchain, options);
  if (!outcome || outcome->status != BuildStatus::Ok) return outcome;
  const auto program = read_file(outcome->executable, BuildRoom::kFileBytes);
  if (!program) return program.problem();
  return cache->keep(key, std::move(*outcome), *program);
}

}  // namespace cudalabs
