#include "grader/toolchain/program/program.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <future>
#include <optional>
#include <semaphore>
#include <thread>

#include "grader/base/hash/sha256.h"
#include "grader/base/process/search_path.h"
#include "grader/course/cache.h"
#include "grader/device/protocol/fatbin.h"
#include "grader/diagnostics/messages/toolchain.h"
#include "grader/toolchain/build_cache.h"
#include "grader/toolchain/build_sandbox.h"
#include "grader/toolchain/failed_compiler.h"
#include "grader/toolchain/messages.h"
#include "grader/toolchain/nvcc.h"
#include "grader/toolchain/objects/device_link.h"
#include "grader/toolchain/objects/elf.h"
#include "grader/toolchain/options/clang_flags.h"
#include "grader/toolchain/options/old_cuda.h"
#include "grader/toolchain/options/program_search.h"
#include "grader/toolchain/program/object_cache.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kProgramFormat = "4";  // of cache entries
constexpr const char *kProgramObject = "program.o", *kProgramRules = "program.d";

/// The user's own folder, without a sandbox; output goes to a folder of ours.
class OwnPlace : public Workplace {
 public:
  explicit OwnPlace(std::shared_ptr<TemporaryFolder> made) : made_(std::move(made)) {}
  Result<ProcessEnd> run(std::vector<std::string> argv) override {
    Command command;
    command.argv = std::move(argv);
    command.env = {path_variable(), "LC_ALL=C", "TMPDIR=" + made_->path().string()};
    return cudalabs::run(std::move(command));
  }
  [[nodiscard]] std::string named(const std::string& name) const override {
    return (made_->path() / name).string();
  }
  Result<void> put(const std::string& name, std::string_view bytes) override {
    return write_file_atomically(made_->path() / name, bytes);
  }
  Result<std::string> take(const std::string& name) override {
    return read_file(made_->path() / name, BuildSandbox::kFileBytes);
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

/// Compiles a file without device code with the host's compiler.
Result<Compilation> compile_host(const NvccSource& source, const std::vector<std::string>& flags,
                                 const fs::path& compiler, const Toolchain& toolchain, OwnPlace& place,
                                 bool wants_rules) {
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
  if (wants_rules) argv.insert(argv.end(), {"-MMD", "-MF", place.named(kProgramRules)});
  auto end = place.run(std::move(argv));
  if (!end) return end.problem();
  Compilation made{std::move(*end), {}, {}};
  if (!made.end.success()) return made;
  auto object = place.take(kProgramObject);
  if (!object) return object.problem();
  made.object = std::move(*object);
  if (auto rules = wants_rules ? place.take(kProgramRules) : Result<std::string>(std::string()))
    made.rules = std::move(*rules);
  return made;
}

Result<std::unique_ptr<OwnPlace>> own_place() {
  auto folder = TemporaryFolder::make();
  if (!folder) return folder.problem();
  return std::make_unique<OwnPlace>(std::move(*folder));
}

/// The architecture to compile for: on the simulator one of its own, on a card the requested one.
int compiled_for(int asked, int highest) {
  if (highest > kNewestSimulated) return std::min(asked, highest);
  return asked >= kNewestSimulated ? kNewestSimulated : kSimulatedArchitecture;
}

/// The options of one source.
std::vector<std::string> flags_for(const NvccSource& source, const NvccCommand& command, int highest) {
  std::vector<std::string> flags = command.flags;
  flags.insert(flags.end(), command.dependencies.begin(), command.dependencies.end());
  if (!source.cuda) return flags;
  if (const int architecture = compiled_for(command.architecture, highest);
      architecture > kSimulatedArchitecture)
    flags.push_back("-arch=compute_" + std::to_string(architecture));
  if (command.relocatable) flags.emplace_back(kRelocatable);
  return flags;
}

Result<Compilation> compile_source(const NvccSource& source, const std::string& text,
                                   const NvccCommand& command, const Toolchain& toolchain, int highest) {
  const fs::path compiler = host_compiler(command, toolchain);
  const std::vector<std::string> flags = flags_for(source, command, highest);
  const bool cached = command.dependencies.empty();  // else the user wants the rules for make as well
  const ObjectCache cache(toolchain, default_object_folder());
  ObjectInputs inputs{as_argument(source.file), text, flags, compiler};
  if (command.only_today) inputs.flags.emplace_back("--std-cuda=13");
  const std::string key = cached ? cache.key(inputs) : "";
  if (auto known = cached ? cache.find(key) : std::nullopt) return *std::move(known);
  const auto started = fs::file_time_type::clock::now();
  const auto with = [&](const std::vector<std::string>& options) -> Result<Compilation> {
    std::vector<std::string> all = flags;
    all.insert(all.end(), options.begin(), options.end());
    // The headers of older years need C++11.
    if (!options.empty()) std::ranges::replace(all, std::string("-std=c++03"), std::string("-std=c++11"));
    if (!source.cuda) {
      auto place = own_place();
      if (!place) return place.problem();
      return compile_host(source, all, compiler, toolchain, **place, cached);
    }
    return toolchain.cuda->compile({inputs.source, std::move(all), compiler, text, cached},
                                   []() -> Result<std::unique_ptr<Workplace>> {
                                     auto place = own_place();  // both halves of a file are compiled at once
                                     if (!place) return place.problem();
                                     return std::unique_ptr<Workplace>(std::move(*place));
                                   });
  };
  auto made = command.only_today ? with({}) : compile_of_any_year(toolchain.old_headers, with);
  if (made && cached) cache.keep(key, text, *made, started);
  return made;
}

Result<ProcessEnd> link(const std::vector<std::string>& objects, const NvccCommand& command,
                        const Toolchain& toolchain, const std::vector<std::string>& runtime, OwnPlace& place,
                        const std::string& program) {
  const auto with = [&](const std::string& linker) {
    std::vector<std::string> argv{host_compiler(command, toolchain).string(), "-pthread"};
    if (!linker.empty()) argv.push_back("-fuse-ld=" + linker);
    for (const auto* words : {&objects, &command.link}) argv.insert(argv.end(), words->begin(), words->end());
    const auto host = host_words(command.flags);  // -fopenmp also names a library
    argv.insert(argv.end(), host.begin(), host.end());
    argv.insert(argv.end(), runtime.begin(), runtime.end());
    argv.insert(argv.end(), {"-o", program});
    return place.run(std::move(argv));
  };
  return link_quickly(LinksAs::Dynamic, with);
}

/// The files among the linker's arguments: objects, archives, and libraries (-lown) in the folders of -L.
std::vector<fs::path> linked_files(const std::vector<std::string>& words) {
  std::vector<fs::path> files, folders;
  for (const std::string& word : words) {
    if (word.starts_with("-L")) folders.emplace_back(word.substr(2));
  }
  std::error_code ignored;
  for (const std::string& word : words) {
    if (!word.starts_with('-')) {
      files.emplace_back(word);
    } else if (word.starts_with("-l")) {
      for (const fs::path& folder : folders) {
        fs::path archive = folder / ("lib" + word.substr(2) + ".a");
        if (!fs::exists(archive, ignored)) continue;
        files.push_back(std::move(archive));
        break;
      }
    }
  }
  return files;
}

/// Compiles a C text of ours to an object.
Result<std::string> compile_c(OwnPlace& place, const fs::path& compiler, std::string_view text) {
  constexpr const char *kSource = "linked.c", *kObject = "linked.o";
  if (auto put = place.put(kSource, text); !put) return put.problem();
  const auto end = place.run(
      {compiler.string(), "-x", "c", "-fPIC", "-c", place.named(kSource), "-o", place.named(kObject)});
  if (!end) return end.problem();
  if (!end->success()) return error(msg::linked_code_does_not_compile(end->err));
  return place.named(kObject);
}

/// Links the device code of `objects`, which were compiled from the sources, and of the linker's other files.
/// Returns the name of an object to link with them; empty if none has unlinked device code. A diagnostic: the
/// symbols that the program lacks.
Result<std::string> link_device(const std::vector<std::string>& objects, const NvccCommand& command,
                                const Toolchain& toolchain, int highest, OwnPlace& place) {
  constexpr const char* kImage = "linked.fatbin";
  std::vector<LinkObject> all;
  const auto add = [&](const std::string& name, const fs::path& file) {
    auto bytes = read_file(file, BuildSandbox::kFileBytes);
    if (!bytes) return;  // the linker reports this itself
    for (LinkObject& object : objects_in(name, std::move(*bytes))) all.push_back(std::move(object));
  };
  for (std::size_t i = 0; i < objects.size(); ++i) add(command.sources[i].file, objects[i]);
  for (const fs::path& file : linked_files(command.link)) add(file.string(), file);
  const auto linked = link_device_code(all, highest, place.named(kImage));
  if (!linked) return linked.problem();
  if (!*linked) return std::string();
  if (auto put = place.put(kImage, (*linked)->fat_binary); !put) return put.problem();
  return compile_c(place, host_compiler(command, toolchain), (*linked)->source);
}

/// The outcome of a build that failed to link the device code.
BuildOutcome not_linked(const Diagnostic& problem, const NvccCommand& command) {
  BuildOutcome outcome;
  // Compilers use full paths; the message uses the name on the command line.
  std::string file = problem.where.file;
  std::error_code ignored;
  for (const NvccSource& source : command.sources) {
    if (fs::absolute(source.file, ignored).lexically_normal() == fs::path(file).lexically_normal())
      file = source.file;
  }
  outcome.status = BuildStatus::CompileError;
  outcome.errors.push_back({std::move(file),
                            problem.where.line,
                            problem.where.column,
                            MessageKind::Error,
                            problem.message,
                            {},
                            problem.hint});
  outcome.sentence = msg::source_does_not_compile(1);
  return outcome;
}

/// The compilers' messages about the user's own files, and the result.
Result<BuildOutcome> outcome_of(const ProcessEnd& end, const std::vector<std::string>& missed,
                                std::vector<SourceFile> files, const Toolchain& toolchain) {
  BuildOutcome outcome;
  const MessageContext context{std::move(files), {}, toolchain.folders()};
  auto said = read_compiler_output(end.err + end.out, context);
  outcome.warnings = notes_on_gone(missed, context);
  std::ranges::move(said.warnings, std::back_inserter(outcome.warnings));
  if (end.success()) return outcome;
  outcome = failed(end, std::move(said), 0, std::move(outcome));
  if (outcome.errors.empty())
    return error(msg::compiler_failed(toolchain.cuda->name(), end.err), hint_for(end.err));
  return outcome;
}

Result<std::vector<SourceFile>> read_sources(const NvccCommand& command) {
  std::vector<SourceFile> files;
  for (const NvccSource& source : command.sources) {
    auto text = read_file(source.file, BuildSandbox::kFileBytes);
    if (!text) return text.problem();
    files.push_back({source.file, std::move(*text)});
  }
  return files;
}

/// The results of compiling all sources.
struct Compiled {
  ProcessEnd all;                   ///< all messages, and the end of the first compiler that failed
  std::vector<std::string> missed;  ///< Compilation::missed of all
  std::vector<std::string> objects;
};

/// Compiles as many sources at a time as there are processors.
Result<Compiled> compile_sources(const NvccCommand& command, const std::vector<SourceFile>& files,
                                 const Toolchain& toolchain, int highest, OwnPlace& place) {
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
  Compiled compiled;
  ProcessEnd& all = compiled.all;
  all.exited = true;
  all.exit_code = 0;
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
    compiled.missed.insert(compiled.missed.end(), made->missed.begin(), made->missed.end());
    if (!made->end.success()) continue;
    const std::string name = std::to_string(i) + ".o";
    if (auto put = place.put(name, made->object); !put) return put.problem();
    compiled.objects.push_back(place.named(name));
  }
  if (problem) return *problem;
  return compiled;
}

/// Links the compiled objects and the linker's other files to a program. `runtime`: the last arguments of the
/// linker.
Result<BuildOutcome> link_program(Compiled made, std::vector<SourceFile> files, const NvccCommand& command,
                                  const Toolchain& toolchain, const std::vector<std::string>& runtime,
                                  int highest, OwnPlace& place, const std::string& program) {
  if (made.all.success()) {
    const auto device = link_device(made.objects, command, toolchain, highest, place);
    if (!device && device.problem().where.file.empty()) return device.problem();
    if (!device) return not_linked(device.problem(), command);
    if (!device->empty()) made.objects.push_back(*device);
    auto linked = link(made.objects, command, toolchain, runtime, place, program);
    if (!linked) return linked.problem();
    linked->err = made.all.err + linked->err;  // with the compilers' warnings
    made.all = std::move(*linked);
  }
  return outcome_of(made.all, made.missed, std::move(files), toolchain);
}

/// The path at which nvcc puts the object of a source.
std::string object_of(const NvccCommand& command, std::size_t source) {
  if (!command.output.empty()) return command.output;
  return (fs::path(command.output_folder) / (fs::path(command.sources[source].file).stem().string() + ".o"))
      .string();
}

/// Names the targets of make's rules: the compilers cannot know them, because they write to another folder.
void name_dependencies(NvccCommand& command) {
  std::vector<std::string>& rules = command.dependencies;
  if (rules.empty() || command.sources.size() != 1) return rules.clear();
  const std::string object = object_of(command, 0);
  const auto missing = [&](std::string_view option) {
    return std::ranges::none_of(rules, [&](const std::string& word) { return word.starts_with(option); });
  };
  if (missing("-MF=")) rules.push_back("-MF=" + fs::path(object).replace_extension(".d").string());
  if (missing("-MT=")) rules.push_back("-MT=" + object);
}

Result<void> copy_file(const fs::path& from, const fs::path& to) {
  std::error_code problem;
  fs::copy_file(from, to, fs::copy_options::overwrite_existing, problem);
  if (problem) return error(msg::output_not_written(to.string(), problem.message()));
  return {};
}

}  // namespace

Result<BuildOutcome> compile_program(const NvccCommand& command, const Toolchain& toolchain,
                                     const BuildOptions& options, int highest) {
  const auto start = std::chrono::steady_clock::now();
  auto files = read_sources(command);
  if (!files) return files.problem();
  auto folder = TemporaryFolder::make();
  if (!folder) return folder.problem();
  OwnPlace place(*folder);
  auto made = compile_sources(command, *files, toolchain, highest, place);
  if (!made) return made.problem();
  const fs::path program = (*folder)->path() / fs::path(files->front().name).stem();
  auto outcome = link_program(std::move(*made), std::move(*files), command, toolchain,
                              {options.cudart_archive.string()}, highest, place, program.string());
  if (!outcome || outcome->status != BuildStatus::Ok) return outcome;
  outcome->executable = program;
  outcome->keeps = std::move(*folder);
  outcome->seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return outcome;
}

Result<BuildOutcome> build_as_nvcc(const NvccCommand& given, const Toolchain& toolchain,
                                   const ToolkitFolder& toolkit) {
  NvccCommand command = given;
  if (command.shared && command.phase != NvccPhase::DeviceLink) {
    return error(msg::no_shared_libraries(), msg::link_objects_or_archive());
  }
  const bool compiles = command.phase == NvccPhase::Compile;
  if (compiles && command.sources.size() > 1 && !command.output.empty()) {
    return error(msg::one_output_of_many_sources(), msg::compile_one_by_one());
  }
  if (command.sources.empty() && (compiles || command.link.empty()))
    return error(msg::no_file_to_compile(), msg::example_of_nvcc());
  if (compiles) name_dependencies(command);
  auto files = read_sources(command);
  if (!files) return files.problem();
  auto folder = TemporaryFolder::make();
  if (!folder) return folder.problem();
  OwnPlace place(*folder);
  auto made = compile_sources(command, *files, toolchain, kNewestSimulated, place);
  if (!made) return made.problem();
  if (!made->all.success() || compiles) {
    for (std::size_t i = 0; compiles && made->all.success() && i < made->objects.size(); ++i) {
      if (auto copied = copy_file(made->objects[i], object_of(command, i)); !copied) return copied.problem();
    }
    return outcome_of(made->all, made->missed, std::move(*files), toolchain);
  }
  if (command.phase == NvccPhase::Archive) {
    std::vector<std::string> argv{"/usr/bin/ar", "rcs", command.output.empty() ? "a.a" : command.output};
    for (const auto* words : {&made->objects, &command.link}) {
      for (const std::string& word : *words) {
        if (!word.starts_with('-')) argv.push_back(word);
      }
    }
    const auto end = place.run(std::move(argv));
    if (!end) return end.problem();
    if (!end->success()) return error(msg::archiver_failed(last_words(*end)));
    return outcome_of(made->all, made->missed, std::move(*files), toolchain);
  }
  if (command.phase == NvccPhase::DeviceLink) {
    auto linked = link_device(made->objects, command, toolchain, kNewestSimulated, place);
    if (!linked && linked.problem().where.file.empty()) return linked.problem();
    if (!linked) return not_linked(linked.problem(), command);
    if (linked->empty()) {  // there is no unlinked device code, but the build expects a file
      if (auto empty = compile_c(place, host_compiler(command, toolchain), "\n"); !empty) {
        return empty.problem();
      } else {
        *linked = *empty;
      }
    }
    const std::string output = command.output.empty() ? "a_dlink.o" : command.output;
    if (auto copied = copy_file(*linked, output); !copied) return copied.problem();
    return outcome_of(made->all, made->missed, std::move(*files), toolchain);
  }
  const std::string libraries = toolkit.libraries().string();
  return link_program(std::move(*made), std::move(*files), command, toolchain,
                      {libraries + "/start.o", libraries + "/libcudalabs_cudart.a"}, kNewestSimulated, place,
                      command.output.empty() ? "a.out" : command.output);
}

int simulated_architecture_of(const fs::path& program) {
  constexpr std::size_t kMaxBytes = std::size_t{1} << 30;
  const auto bytes = read_file(program, kMaxBytes);
  if (!bytes) return kSimulatedArchitecture;
  const auto images = std::as_bytes(std::span(section_of(*bytes, ".nv_fatbin")));
  return needed_architecture(images) > kSimulatedArchitecture ? kNewestSimulated : kSimulatedArchitecture;
}

std::vector<std::string> own_clock_options() {
  // gold also replaces what the shared C++ library calls, and misses the replacements if nothing of the
  // program asks for them: then the slow linker would link again.
  std::vector<std::string> words{"-Wl,-u,__wrap_clock_gettime"};
  for (const char* function :
       {"clock_gettime", "gettimeofday", "timespec_get", "time", "clock", "omp_get_wtime",
        "_ZNSt6chrono3_V212steady_clock3nowEv", "_ZNSt6chrono3_V212system_clock3nowEv"})
    words.push_back(std::string("-Wl,--wrap=") + function);
  return words;
}

std::vector<std::string> stream_check_options() {
  std::vector<std::string> words{"-Wl,-u,__wrap_free"};  // as above
  for (const char* function :
       {"fread", "fwrite", "read", "write", "pread", "pwrite", "recv", "send", "free", "realloc", "_ZdlPv",
        "_ZdaPv", "_ZdlPvm", "_ZdaPvm", "_ZdlPvSt11align_val_t", "_ZdlPvmSt11align_val_t"})
    words.push_back(std::string("-Wl,--wrap=") + function);
  return words;
}

Result<BuildOutcome> compile_for_card(const fs::path& file, const Toolchain& toolchain) {
  if (toolchain.cuda->name() != kNvcc)
    return error(msg::card_program_needs_nvcc(), msg::leave_out_compiler(msg::install_nvcc()));
  auto text = read_file(file, BuildSandbox::kFileBytes);
  if (!text) return text.problem();
  auto folder = TemporaryFolder::make();
  if (!folder) return folder.problem();
  const fs::path program = (*folder)->path() / file.stem();
  const auto end = OwnPlace(*folder).run({toolchain.cuda->program().string(), "-ccbin",
                                          toolchain.host_compiler.string(), "-std=c++20", "-arch=native",
                                          "-O2", as_argument(file.string()), "-o", program.string()});
  if (!end) return end.problem();
  auto outcome = outcome_of(*end, {}, {{file.string(), std::move(*text)}}, toolchain);
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
  const auto archive = read_file(options.cudart_archive, BuildSandbox::kFileBytes);
  if (!archive) return archive.problem();
  hash.add_part(*archive).add_part(file.string());  // the path, because the source lines contain it
  for (const fs::path& source : sources) {
    const auto content = read_file(source, BuildSandbox::kFileBytes);
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
  const auto program = read_file(outcome->executable, BuildSandbox::kFileBytes);
  if (!program) return program.problem();
  return cache->keep(key, std::move(*outcome), *program);
}

}  // namespace cudalabs
