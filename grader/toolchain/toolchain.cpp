#include "grader/toolchain/toolchain.h"

#include <fmt/format.h>

#include <algorithm>

#include "grader/base/log/log.h"
#include "grader/base/log/stats.h"
#include "grader/base/paths.h"
#include "grader/base/process/search_path.h"
#include "grader/course/embedded_course.h"
#include "grader/diagnostics/messages/toolchain.h"
#include "grader/toolchain/clang.h"
#include "grader/toolchain/nvcc.h"
#include "grader/toolchain/options/program_search.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;

Result<fs::path> find_host_compiler(const CudaCompiler& cuda) {
  for (const char* name : {"CUDAHOSTCXX", "NVCC_CCBIN"}) {
    auto given = named_program(name);
    if (!given || !given->empty()) return given;
  }
  std::vector<fs::path> places = search_path();
  places.emplace_back("/usr/bin");
  for (const char* name : {"g++", "clang++"}) {
    if (fs::path program = first_program(places, name); !program.empty()) return program;
  }
  if (cuda.name() == kClang) return cuda.program();
  return error(msg::no_host_compiler(), msg::install_gxx());
}

/// The choice that the environment makes for Auto.
Result<CompilerChoice> decided(CompilerChoice choice) {
  const std::string variable = environment("CUDA_LABS_COMPILER");
  if (choice != CompilerChoice::Auto || variable.empty()) return choice;
  if (const auto named = compiler_named(variable)) return *named;
  return error(msg::compiler_variable_wrong(variable), msg::compilers_of_variable());
}

Result<std::shared_ptr<const CudaCompiler>> find_cuda_compiler(CompilerChoice choice) {
  if (choice != CompilerChoice::Clang) {
    auto nvcc = find_nvcc();
    if (!nvcc || *nvcc) return nvcc;
    if (choice == CompilerChoice::Nvcc) return error(msg::no_nvcc(), msg::install_nvcc());
  }
  auto clang = find_clang();
  if (!clang || *clang) return clang;
  if (choice == CompilerChoice::Clang) return error(msg::no_clang(), msg::install_clang());
  return error(msg::no_cuda_compiler(), msg::install_a_cuda_compiler());
}

}  // namespace

std::vector<fs::path> Toolchain::not_the_users() const {
  std::vector<fs::path> all = folders();
  all.push_back(cuda->include());
  return all;
}

std::vector<fs::path> Toolchain::folders() const {
  std::vector<fs::path> all = {
      "/usr/bin", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libexec",      "/usr/include",
      "/bin",     "/lib",     "/lib32",     "/lib64",     "/etc/alternatives", "/etc/ld.so.cache"};
  const auto need = [&](const fs::path& folder) {
    if (std::none_of(all.begin(), all.end(), [&](const auto& have) { return is_below(folder, have); }))
      all.push_back(folder);
  };
  for (const fs::path& folder : cuda->folders()) need(folder);
  if (!old_headers.empty()) need(old_headers);
  // A compiler that is not the system's has its own headers and libraries.
  if (host_compiler.has_parent_path()) need(installation_of(host_compiler));
  return all;
}

std::optional<CompilerChoice> compiler_named(std::string_view name) {
  if (name == "auto") return CompilerChoice::Auto;
  if (name == kNvcc) return CompilerChoice::Nvcc;
  if (name == kClang) return CompilerChoice::Clang;
  return std::nullopt;
}

Result<Toolchain> find_toolchain(CompilerChoice choice) {
  const logging::Timed timed(logging::Metric::FindCompilers);
  Toolchain toolchain;
  const auto wanted = decided(choice);
  if (!wanted) return wanted.problem();
  auto cuda = find_cuda_compiler(*wanted);
  if (!cuda) return cuda.problem();
  toolchain.cuda = std::move(*cuda);
  auto host = find_host_compiler(*toolchain.cuda);
  if (!host) return host.problem();
  toolchain.host_compiler = *host;
  const auto host_version = asked(toolchain.host_compiler, "--version");
  if (!host_version) return host_version.problem();
  // clang has unpacked them for itself.
  auto headers =
      toolchain.cuda->name() == kClang ? Result<fs::path>(toolchain.cuda->include()) : cuda_headers_folder();
  if (!headers) return headers.problem();
  toolchain.old_headers = *headers / "cudalabs" / "old";
  toolchain.host_version = host_version->substr(0, host_version->find('\n'));
  logging::info(logging::Stage::Compile, [&] {
    return fmt::format("compilers: {} {} ({}), {} ({})", toolchain.cuda->name(), toolchain.cuda->version(),
                       toolchain.cuda->program().string(), toolchain.host_version,
                       toolchain.host_compiler.string());
  });
  return toolchain;
}

std::string quick_linker(LinksAs kind) {
  auto places = search_path();
  places.emplace_back("/usr/bin");
  for (const char* name : {"gold", "lld"}) {
    if (kind == LinksAs::Static && std::string_view(name) == "gold") continue;
    if (!first_program(places, std::string("ld.") + name).empty()) return name;
  }
  return {};
}

Result<fs::path> find_cuda_tool(const std::string& name) {
  std::vector<fs::path> folders = search_path();
  if (const auto nvcc = find_nvcc(); nvcc && *nvcc)
    folders.insert(folders.begin(), (*nvcc)->program().parent_path());
  fs::path program = first_program(folders, name);
  if (!program.empty()) return program;
  return error(msg::cuda_tool_missing(name), msg::cuda_tool_package());
}

}  // namespace cudalabs
