#include "grader/grading/cases/compiled_oracle.h"

#include <unistd.h>

#include <optional>
#include <utility>
#include <vector>

#include "grader/base/process/memory_kills.h"
#include "grader/base/process/process.h"
#include "grader/base/process/search_path.h"
#include "grader/course/cache.h"
#include "grader/course/lab_files.h"
#include "grader/diagnostics/messages/base.h"
#include "grader/diagnostics/messages/course.h"

namespace cudalabs {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kMaxSourceBytes = std::size_t{1} << 20;
constexpr std::size_t kMaxLibraryBytes = std::size_t{256} << 20;

// What would end the grader without a word calls exit(), which CrashNote tells of.
constexpr std::string_view kExits = R"(#include <cstdlib>
extern "C" {
[[noreturn]] void __wrap__exit(int status) { std::exit(status); }
[[noreturn]] void __wrap__Exit(int status) { std::exit(status); }
[[noreturn]] void __wrap_quick_exit(int status) { std::exit(status); }
}
)";
/// All other names are taken out of an oracle that is handed out.
constexpr std::string_view kExported =
    "{ global: oracle; baseline; usual_mistake; make_inputs; check; local: *; };\n";
constexpr const char* kWrapExits = "-Wl,--wrap=_exit,--wrap=_Exit,--wrap=quick_exit";

std::optional<fs::path> find_compiler() {
  const std::vector<fs::path> folders = search_path();
  for (const char* name : {"c++", "g++", "clang++"}) {
    if (fs::path program = first_program(folders, name); !program.empty()) return program;
  }
  return std::nullopt;
}

Command compiler_command(const fs::path& compiler, std::vector<std::string> arguments) {
  Command command;
  command.argv = {compiler.string()};
  command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
  command.env = {path_variable(), "LC_ALL=C"};
  command.limits.wall = std::chrono::seconds(120);
  return command;
}

/// Everything that the library depends on: the oracle, the headers that it may include, the compiler and its
/// flags. The course's path is not included, because a copy of the course has the same oracles.
Result<std::string> library_key(const Lab& lab, const std::string& compiler_version,
                                const std::vector<std::string>& flags) {
  std::vector<fs::path> files = oracle_headers(lab);
  files.insert(files.begin(), lab.oracle);
  std::vector<std::string> parts = flags;
  parts.insert(parts.end(), {compiler_version, std::string(kExits), kWrapExits});
  for (const fs::path& file : files) {
    auto text = read_file(file, kMaxSourceBytes);
    if (!text) return text.problem();
    parts.push_back(file.filename().string());
    parts.push_back(std::move(*text));
  }
  return content_key(parts);
}

/// A temporary file that other programs write. The destructor removes it.
class Temporary {
 public:
  static Result<Temporary> make(const fs::path& beside) {
    std::string name = beside.string() + ".XXXXXX";
    const int fd = ::mkstemp(name.data());
    if (fd < 0) return error(msg::oracle_folder_read_only(beside.parent_path().string()));
    ::close(fd);
    return Temporary(std::move(name));
  }
  Temporary(Temporary&& other) noexcept : name_(std::exchange(other.name_, {})) {}
  Temporary& operator=(Temporary&&) = delete;
  ~Temporary() {
    if (!name_.empty()) ::unlink(name_.c_str());
  }

  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  explicit Temporary(std::string name) : name_(std::move(name)) {}

  std::string name_;
};

/// Returns why a failed compiler says nothing about the oracle, if that is so: it was killed, or it cannot
/// even compile code that is certainly right.
std::optional<Diagnostic> fault_of_machine(const ProcessEnd& end, const MemoryKills& kills,
                                           const fs::path& compiler, std::vector<std::string> flags,
                                           const fs::path& beside) {
  const auto problem = [](Message why, Message hint) {
    return Diagnostic{{}, std::move(why), std::move(hint), true};
  };
  if (kills.any()) return problem(msg::oracle_compiler_killed(compiler.string()), msg::oracle_needs_memory());
  if (!end.exited || end.limit != LimitHit::None) {
    const std::string signal = end.limit == LimitHit::Wall ? "" : signal_name(end.signal);
    return problem(msg::oracle_compiler_stopped(compiler.string(), signal), msg::grade_when_load_lower());
  }
  auto simple = Temporary::make(beside), made = Temporary::make(beside);
  for (const auto* file : {&simple, &made}) {
    if (!*file) return file->problem();
  }
  if (auto put = write_file_atomically(simple->name(),
                                       "#include <cstdint>\n#include <string>\n"
                                       "std::string oracle(int n) { return std::to_string(n); }\n");
      !put)
    return put.problem();
  flags.insert(flags.end(), {"-o", made->name(), "-x", "c++", simple->name()});
  const auto control = run(compiler_command(compiler, flags));
  if (!control) return control.problem();
  if (control->success()) return std::nullopt;
  return problem(msg::host_compiler_broken(compiler.string(), control->err), msg::install_whole_compiler());
}

/// Course: with lines of the source, for messages. HandedOut: without anything that tells of the source.
enum class ForWhom : std::uint8_t { Course, HandedOut };

Result<void> compile(const Lab& lab, const fs::path& compiler, const std::vector<std::string>& flags,
                     const fs::path& library, ForWhom whom) {
  auto temporary = Temporary::make(library), exits = Temporary::make(library),
       exported = Temporary::make(library);
  for (const auto* file : {&temporary, &exits, &exported}) {
    if (!*file) return file->problem();
  }
  if (auto put = write_file_atomically(exits->name(), kExits); !put) return put.problem();
  if (auto put = write_file_atomically(exported->name(), kExported); !put) return put.problem();
  auto arguments = flags;
  if (whom == ForWhom::HandedOut) {
    arguments.push_back("-Wl,--version-script=" + exported->name());
    std::vector<fs::path> folders = lab.oracle_includes;
    folders.push_back(lab.oracle.parent_path());
    for (const fs::path& folder : folders) arguments.push_back("-ffile-prefix-map=" + folder.string() + "=.");
  }
  for (const fs::path& folder : lab.oracle_includes)
    arguments.insert(arguments.end(), {"-I", folder.string()});
  arguments.insert(arguments.end(),
                   {"-o", temporary->name(), lab.oracle.string(), kWrapExits, "-x", "c++", exits->name()});
  const MemoryKills kills;
  auto end = run(compiler_command(compiler, arguments));
  if (end && !end->success())
    end = run(compiler_command(compiler, arguments));  // the kernel may have killed a child
  if (!end) return end.problem();
  if (end->success()) {
    std::error_code ignored;
    if (fs::is_directory(library, ignored)) fs::remove_all(library, ignored);
    const auto made = read_file(temporary->name(), kMaxLibraryBytes);
    if (!made) return made.problem();
    // The seal follows everything that the loader reads.
    return write_file_atomically(library, sealed(*made));
  }
  if (auto fault = fault_of_machine(*end, kills, compiler, flags, library)) return *std::move(fault);
  return Diagnostic{{lab.oracle.string(), 0, 0},
                    msg::oracle_does_not_compile(lab.slug, end->err + end->out),
                    msg::report_to_course_staff()};
}

/// Returns whether the library exists undamaged. The loader does not check what it reads: a truncated library
/// crashes the grader, and one with changed bits expects wrong answers.
bool is_whole(const fs::path& library) {
  auto bytes = read_file(library, kMaxLibraryBytes);
  return bytes && unsealed(std::move(*bytes));
}

Result<CompiledOracle> compiled_library(const Lab& lab, const fs::path& folder, ForWhom whom) {
  const auto compiler = find_compiler();
  if (!compiler) return error(msg::no_oracle_compiler(), msg::install_host_compiler());
  const auto version = run(compiler_command(*compiler, {"--version"}));
  if (!version) return version.problem();
  if (!version->success()) return error(msg::host_compiler_version_fails(compiler->string(), version->err));

  // No -march, because the answer must not depend on the machine. The library contains its own C++ runtime,
  // because the grader may have been copied from a machine with another one.
  std::vector<std::string> flags = {
      "-std=c++20", "-O2", "-ffp-contract=off", "-shared", "-fPIC", "-static-libstdc++", "-static-libgcc"};
  if (whom == ForWhom::HandedOut)
    flags.insert(flags.end(), {"-s", "-DNDEBUG"});  // an assert would print its expression
  else
    flags.emplace_back("-g1");
  auto key = library_key(lab, version->out, flags);
  if (!key) return key.problem();

  if (auto made = make_private_folder(folder); !made) return made.problem();
  sweep_unfinished(folder);
  const fs::path library = folder / (lab.lab + "-" + lab.variant + "-" + *key + ".so");
  if (!is_whole(library)) {
    if (auto compiled = compile(lab, *compiler, flags, library, whom); !compiled) return compiled.problem();
  }
  return CompiledOracle{library, std::move(*key)};
}

/// An oracle of the students' edition: the course was unpacked whole.
Result<CompiledOracle> given_library(const Lab& lab) {
  auto digest = damage_digest_of(lab.oracle);
  if (!digest) return digest.problem();
  return CompiledOracle{lab.oracle, std::move(*digest)};
}

}  // namespace

Result<CompiledOracle> compiled_oracle(const Lab& lab, const fs::path& folder) {
  return lab.reference.empty() ? given_library(lab) : compiled_library(lab, folder, ForWhom::Course);
}

Result<std::string> oracle_to_hand_out(const Lab& lab, const fs::path& folder) {
  const auto made = compiled_library(lab, folder, ForWhom::HandedOut);
  if (!made) return made.problem();
  auto bytes = read_file(made->library, kMaxLibraryBytes);
  if (!bytes) return bytes.problem();
  auto library = unsealed(std::move(*bytes));
  if (!library) return error(msg::oracle_not_loaded(lab.slug, made->library.string()));
  return *std::move(library);
}

}  // namespace cudalabs
