#include "grader/toolchain/toolkit_folder.h"

#include <array>
#include <cstdlib>

#include "grader/base/process/process.h"
#include "grader/base/process/search_path.h"
#include "grader/course/cache.h"
#include "grader/diagnostics/messages/toolchain.h"
#include "grader/toolchain/build_sandbox.h"
#include "grader/toolchain/code/runner.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kToolkitFormat = "1";        // of the folder
constexpr const char* kOwnMark = ".cuda-labs-toolkit";  // in its bin/

/// Before main, starts the program under `grader run`, with its own device. CUDA_LABS_RUN has the arguments.
constexpr std::string_view kStart = R"(
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__attribute__((section("cudalabs_program"), used)) static const char built_by[] = "cuda-labs";

/* Words are parted by blanks; between quotes blanks are the word's. */
static char* next_word(char** rest) {
  char *from = *rest + strspn(*rest, " "), *to = from, *const word = from, quote = 0;
  if (*from == 0) return NULL;
  for (; *from != 0 && (quote != 0 || *from != ' '); ++from) {
    if (quote != 0 ? *from == quote : *from == '"' || *from == '\'')
      quote = quote != 0 ? 0 : *from;
    else
      *to++ = *from;
  }
  *rest = *from == 0 ? from : from + 1;
  *to = 0;
  return word;
}

__attribute__((constructor(101))) static void start_in_grader(int count, char** words, char** environment) {
  static char self[4096];
  const char* const options = getenv("CUDA_LABS_RUN");
  char* const copy = strdup(options == NULL ? "" : options);
  const int chosen = options != NULL && strstr(options, "--device") != NULL;
  const char** const start = calloc((size_t)count + (copy == NULL ? 0 : strlen(copy)) + 7, sizeof *start);
  size_t at = 0;
  ssize_t length;
  (void)environment;
  if (getenv("CUDALABS_DEVICE_FD") != NULL) return;
  length = readlink("/proc/self/exe", self, sizeof self - 1);
  if (length <= 0 || copy == NULL || start == NULL) return;
  start[at++] = "grader";
  start[at++] = "run";
  start[at++] = self;
  if (!chosen) {
    start[at++] = "--device";
    start[at++] = "simulator";
  }
  for (char *rest = copy, *word; (word = next_word(&rest)) != NULL;) start[at++] = word;
  start[at++] = "--";
  for (int i = 1; i < count; ++i) start[at++] = words[i];
  execv(GRADER, (char**)start);
  fprintf(stderr, "%s: it runs on cuda-labs, whose grader is not at %s: %s; build it again\n", self, GRADER,
          strerror(errno));
  _exit(127);
}
)";

/// A C string, or a shell word in single quotes.
std::string as_literal(const std::string& text, char quote) {
  std::string word(1, quote);
  for (const char c : text) {
    if (c == quote && quote == '\'') {
      word += "'\\''";
      continue;
    }
    if (c == quote || (c == '\\' && quote == '"')) word += '\\';
    word += c;
  }
  return word + quote;
}

Result<void> fill_toolkit(const fs::path& root, const fs::path& final_root, const Toolchain& toolchain,
                          const BuildOptions& options, const fs::path& grader) {
  std::error_code problem;
  for (const char* folder : {"bin", "lib64", "nvvm/libdevice"})
    fs::create_directories(root / folder, problem);
  if (!problem) fs::create_directory_symlink(toolchain.cuda->include(), root / "include", problem);
  if (problem) return error(msg::file_problem(root.string(), problem.message()));
  const std::string script = "#!/bin/sh\n# The simulator's nvcc (cuda-labs).\nexec " +
                             as_literal(grader.string(), '\'') + " nvcc --compiler " +
                             std::string(toolchain.cuda->name()) + " \"$@\"\n";
  const std::string source = "#define GRADER " + as_literal(grader.string(), '"') + std::string(kStart);
  const auto archive = read_file(options.cudart_archive, BuildSandbox::kFileBytes);
  if (!archive) return archive.problem();
  // Under the runtime's names there are linker scripts, which also link the start code.
  const std::string libraries = (final_root / "lib64").string();
  const std::string both =
      "INPUT(\"" + libraries + "/start.o\" \"" + libraries + "/libcudalabs_cudart.a\")\n";
  const std::array<std::pair<const char*, std::string_view>, 7> files{
      {{"bin/nvcc", script},
       {"bin/.cuda-labs-toolkit", ""},
       {"lib64/start.c", source},
       {"lib64/libcudalabs_cudart.a", *archive},
       {"lib64/libcudart.so", both},
       {"lib64/libcudart_static.a", both},
       {"lib64/libcudadevrt.a", "!<arch>\n"}}};
  for (const auto& [name, bytes] : files) {
    if (auto written = write_file_atomically(root / name, bytes); !written) return written;
  }
  fs::permissions(root / "bin/nvcc", fs::perms::owner_all, problem);
  if (problem) return error(msg::file_problem(root.string(), problem.message()));
  Command command;
  command.argv = {toolchain.host_compiler.string(),
                  "-x",
                  "c",
                  "-O1",
                  "-fPIC",
                  "-c",
                  (root / "lib64/start.c").string(),
                  "-o",
                  (root / "lib64/start.o").string()};
  command.env = {path_variable(), "LC_ALL=C"};
  const auto end = run(std::move(command));
  if (!end) return end.problem();
  if (!end->success()) return error(msg::start_code_does_not_compile(end->err));
  return {};
}

}  // namespace

Result<ToolkitFolder> toolkit_folder(const Toolchain& toolchain, const BuildOptions& options,
                                     const fs::path& grader) {
  auto cache = cache_folder();
  if (!cache) return cache.problem();
  const std::array<std::string, 6> parts{std::string(kToolkitFormat),
                                         grader.string(),
                                         toolchain.cuda->key(),
                                         toolchain.cuda->program().string(),
                                         toolchain.host_compiler.string(),
                                         options.cudart_archive.string()};
  const fs::path root = *cache / ("toolkit-" + content_key(parts));
  std::error_code problem;
  if (fs::exists(root / "lib64/start.o", problem)) return ToolkitFolder{root};
  std::string fresh = root.string() + ".XXXXXX";
  if (::mkdtemp(fresh.data()) == nullptr) return error(msg::toolkit_folder_not_made(fresh));
  if (auto filled = fill_toolkit(fresh, root, toolchain, options, grader); !filled) {
    fs::remove_all(fresh, problem);
    return filled.problem();
  }
  fs::rename(fresh, root, problem);
  if (problem) fs::remove_all(fresh, problem);  // another build has made it meanwhile
  if (!fs::exists(root / "lib64/start.o", problem)) return error(msg::toolkit_folder_not_made(root.string()));
  return ToolkitFolder{root};
}

bool is_own_toolkit(const fs::path& bin) {
  std::error_code ignored;
  return fs::exists(bin / kOwnMark, ignored);
}

}  // namespace cudalabs
