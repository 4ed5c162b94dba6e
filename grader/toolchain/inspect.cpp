#include "grader/toolchain/inspect.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <set>
#include <string_view>

#include "grader/base/demangle.h"
#include "grader/base/text.h"
#include "grader/diagnostics/messages/toolchain.h"
#include "grader/toolchain/code/runner.h"

namespace cudalabs {
namespace {

// C library functions that our runtime in the submission uses. Replacing them would harm only the submission
// itself. Refusing them by name explains the failure to a student who meant no harm.
constexpr std::array<std::string_view, 62> kLibrary = {
    "read",         "write",    "readv",     "writev",         "send",    "sendto",  "sendmsg",
    "recv",         "recvfrom", "recvmsg",   "poll",           "ppoll",   "select",  "open",
    "openat",       "close",    "dup",       "dup2",           "fcntl",   "ioctl",   "mmap",
    "munmap",       "mremap",   "brk",       "sbrk",           "malloc",  "calloc",  "realloc",
    "free",         "memcpy",   "memmove",   "memset",         "memcmp",  "strlen",  "strcmp",
    "strcpy",       "exit",     "_exit",     "_Exit",          "abort",   "atexit",  "getenv",
    "fork",         "execve",   "signal",    "sigaction",      "raise",   "syscall", "dlopen",
    "dlsym",        "printf",   "fprintf",   "vfprintf",       "puts",    "fwrite",  "clock_gettime",
    "gettimeofday", "usleep",   "nanosleep", "pthread_create", "environ", "_start"};

bool starts_with(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

bool is_ours(std::string_view name) {
  return starts_with(name, "cudalabs_") || starts_with(name, "_ZN8cudalabs") ||
         starts_with(name, "_ZNK8cudalabs");
}

bool is_of_cuda(std::string_view name) {
  if (starts_with(name, "cuda") || starts_with(name, "__cuda")) return true;
  // The driver's functions: cuLaunchKernel.
  return name.size() > 2 && starts_with(name, "cu") && name[2] >= 'A' && name[2] <= 'Z';
}

// A student's function, from its demangled name.
struct Function {
  std::string full;   // "ns::row_max_shared(float*, int)"
  std::string scope;  // "ns", or empty
  std::string base;   // "row_max_shared"
  bool global = false;
  bool unmangled = false;
};

// "float const*" -> "const float*", the usual spelling.
std::string readable(std::string text) {
  const std::string mark = " const*";
  for (std::size_t at = 0; (at = text.find(mark, at)) != std::string::npos;) {
    auto begin = text.find_last_of("(,", at);
    begin = begin == std::string::npos ? 0 : text.find_first_not_of(' ', begin + 1);
    text = text.substr(0, begin) + "const " + text.substr(begin, at - begin) + "*" +
           text.substr(at + mark.size());
    at += mark.size();
  }
  return text;
}

// Far more than a submission has. They are only searched for names similar to an entry.
constexpr std::size_t kMaxFunctions = 50'000;

Function function_of(const ElfSymbol& symbol) {
  Function function;
  function.full = readable(demangled(symbol.name));
  function.global = symbol.global;
  function.unmangled = function.full == symbol.name;
  std::string name = function.full;
  const std::string anonymous = "(anonymous namespace)";
  const bool in_anonymous = starts_with(name, anonymous + "::");
  if (in_anonymous) name = name.substr(anonymous.size() + 2);
  name = name.substr(0, name.find('('));
  if (const auto colons = name.rfind("::"); colons != std::string::npos) {
    function.scope = name.substr(0, colons);
    name = name.substr(colons + 2);
  }
  if (in_anonymous) function.scope = "an unnamed namespace";
  function.base = shortened_name(std::move(name));
  function.full = shortened_name(std::move(function.full));
  function.scope = shortened_name(std::move(function.scope));
  return function;
}

/// The kernel that a compiler-generated launcher launches; none for other functions. nvcc's launcher is
/// called __device_stub_ followed by the kernel's mangled name, clang's __device_stub__ followed by the
/// kernel's name.
std::optional<std::string> kernel_of_launcher(std::string_view plain) {
  constexpr std::string_view kStub = "__device_stub__";
  const std::string_view name = plain.substr(0, plain.find('('));
  const std::size_t at = name.find(kStub);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view rest = name.substr(at + kStub.size());
  const bool mangled =
      rest.starts_with('Z') && rest.size() > 1 &&
      (std::isdigit(static_cast<unsigned char>(rest[1])) != 0 || rest[1] == 'N' || rest[1] == 'L');
  return at == 0 && mangled ? "_" + std::string(rest) : std::string(name.substr(0, at)) + std::string(rest);
}

Message near_miss(const Lab& lab, const std::string& entry, const std::vector<Function>& functions) {
  const std::string wanted = signature(lab, entry);
  for (const auto& f : functions) {
    if (f.base != entry) continue;
    if (!f.scope.empty()) return msg::entry_inside(entry, f.scope, wanted);
    if (f.unmangled) return msg::entry_extern_c(entry, wanted);
    if (!f.global) return msg::entry_static(entry);
    return msg::entry_of_other_type(f.full, wanted);
  }
  std::vector<std::string> names;
  for (const auto& f : functions) {
    const bool is_another_entry =
        std::any_of(lab.versions.begin(), lab.versions.end(),
                    [&](const Version& version) { return version.entry == f.base; });
    if (!is_another_entry && f.global && !f.unmangled && f.scope.empty()) names.push_back(f.base);
  }
  if (const auto near = nearest(entry, names)) return msg::entry_misspelt(*near, entry);
  return {};
}

}  // namespace

Message forbidden_symbol(const ElfObject& object) {
  for (const auto& symbol : object.symbols) {
    const std::string shown = shortened_name(demangled(symbol.name));
    if (is_ours(symbol.name) && (symbol.global || !symbol.defined)) {
      return symbol.defined ? msg::defines_name_of_grader(shown) : msg::uses_name_of_grader(shown);
    }
    if (!symbol.defined || !symbol.global) continue;
    // C++ does not mangle the names of variables, so a student may well define cudaStream_t cudaStreams[4].
    if (is_of_cuda(symbol.name) && !symbol.data) {
      return msg::defines_name_of_cuda(shown);
    }
    if (symbol.name == "main") {
      return msg::defines_main();
    }
    if (std::find(kLibrary.begin(), kLibrary.end(), symbol.name) != kLibrary.end()) {
      return msg::defines_name_of_library(shown);
    }
  }
  return {};
}

std::vector<EntryState> entry_states(const Lab& lab, const ElfObject& runner, const ElfObject& student) {
  std::set<std::string> defined, stubs;
  std::vector<Function> functions;
  for (const auto& symbol : student.symbols) {
    if (!symbol.defined) continue;
    if (symbol.global) defined.insert(symbol.name);
    const std::string plain = demangled(symbol.name);
    if (const auto kernel = kernel_of_launcher(plain)) {
      stubs.insert(*kernel);
    } else if (functions.size() < kMaxFunctions) {
      functions.push_back(function_of(symbol));
    }
  }
  std::vector<EntryState> states;
  for (const auto& version : lab.versions) {
    EntryState state{version.name, version.entry, false, {}};
    const auto wanted =
        std::find_if(runner.symbols.begin(), runner.symbols.end(), [&](const ElfSymbol& symbol) {
          return !symbol.defined && symbol.weak && function_of(symbol).base == version.entry;
        });
    const bool links = wanted != runner.symbols.end() && defined.count(wanted->name);
    if (stubs.count(version.entry) || (links && stubs.count(wanted->name))) {
      state.near_miss = msg::entry_is_a_kernel(version.entry);
    } else if (links) {
      state.defined = true;
    } else {
      state.near_miss = near_miss(lab, version.entry, functions);
    }
    states.push_back(std::move(state));
  }
  return states;
}

}  // namespace cudalabs
