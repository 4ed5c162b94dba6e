#include "grader/device/backends/simulator/refused_kernels.h"

#include <algorithm>
#include <optional>

#include "grader/device/server/device.h"

namespace cudalabs {
namespace {

/// A kernel in PTX text: its name, and the text between its braces.
struct KernelText {
  std::string_view name;
  std::size_t begin = 0, end = 0;
};

std::size_t start_of_line(std::string_view text, int line) {
  std::size_t at = 0;
  for (int k = 1; k < line && at != std::string_view::npos; ++k) {
    at = text.find('\n', at);
    if (at != std::string_view::npos) ++at;
  }
  return at;
}

/// The kernel whose body contains `line`; none if no kernel's body does.
std::optional<KernelText> kernel_at(std::string_view text, int line) {
  constexpr std::string_view kEntry = ".entry", kSpace = " \t\r\n";
  const std::size_t at = start_of_line(text, line);
  if (line <= 0 || at == std::string_view::npos) return std::nullopt;
  const std::size_t entry = text.rfind(kEntry, text.find('\n', at));
  if (entry == std::string_view::npos) return std::nullopt;
  const std::size_t name = text.find_first_not_of(kSpace, entry + kEntry.size());
  const std::size_t open = text.find('{', entry);
  if (name == std::string_view::npos || open == std::string_view::npos) return std::nullopt;
  if (text.find(';', name) < open) return std::nullopt;  // only a declaration, without a body
  std::size_t depth = 0, close = open;
  for (; close < text.size(); ++close) {
    if (text[close] == '{') ++depth;
    if (text[close] == '}' && --depth == 0) break;
  }
  if (close == text.size() || at > close || at < entry) return std::nullopt;
  const std::size_t name_end = text.find_first_of(" \t\r\n(){", name);
  return KernelText{text.substr(name, name_end - name), open + 1, close};
}

}  // namespace

Result<LoadedModule> load_what_can_run(sim::Simulator& simulator, std::string_view ptx,
                                       const std::string& name, const sim::RegisterCounts& registers,
                                       const sim::SharedVariables& shared) {
  // bytes of text parsed in all: each refused kernel needs another pass
  constexpr std::size_t kMaxRead = std::size_t{64} << 20;
  std::string text(ptx);
  LoadedModule loaded;
  for (;;) {
    auto module = simulator.load(text, name, registers, shared);
    if (module) {
      const std::size_t kernels = (*module)->kernels().size();
      if (!loaded.refused.empty() && loaded.refused.size() >= kernels)
        return error(loaded.refused.begin()->second);
      loaded.module = std::move(*module);
      return loaded;
    }
    const Diagnostic& problem = module.problem();
    const auto kernel = kernel_at(text, problem.where.line);
    if (!kernel || loaded.refused.contains(std::string(kernel->name))) return problem;
    if (loaded.refused.size() > 8 && loaded.refused.size() * text.size() > kMaxRead) return problem;
    loaded.refused.emplace(kernel->name, in_full(problem));
    // The line breaks stay, so that messages about later lines are right.
    const std::string_view body = std::string_view(text).substr(kernel->begin, kernel->end - kernel->begin);
    const auto lines = static_cast<std::size_t>(std::ranges::count(body, '\n'));
    text.replace(kernel->begin, body.size(), " ret; " + std::string(lines, '\n'));
  }
}

}  // namespace cudalabs
