#include "grader/toolchain/failed_compiler.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "grader/diagnostics/messages/toolchain.h"
#include "grader/toolchain/build_sandbox.h"

namespace cudalabs {
namespace {

// What is wrong with a compiler that was stopped; no message if it ended by itself.
Message limit_message(const ProcessEnd& end, const CompilerOutput& output, double seconds) {
  // Looks for a compiler's message about a limit. A message about a line can contain any words, so it does
  // not count.
  const auto said = [&](const char* words) {
    return !output.placed && end.err.find(words) != std::string::npos;
  };
  if (end.limit == LimitHit::Cpu) {
    return msg::compiling_too_long(static_cast<long>(seconds));
  }
  if (end.limit == LimitHit::Wall) {
    return msg::compiler_waited_too_long(static_cast<long>(end.wall_seconds));
  }
  if (end.limit == LimitHit::Memory || said("virtual memory exhausted") || said("out of memory") ||
      said("bad_alloc") || said("annot allocate memory")) {
    return msg::compiling_takes_too_much_memory(BuildSandbox::kMemory >> 30);
  }
  if (end.limit == LimitHit::FileSize || said("File size limit") || said("File too large") ||
      said("signal 25")) {
    return msg::compiling_wrote_too_much(BuildSandbox::kFileBytes >> 20);
  }
  if (end.limit == LimitHit::Tasks) return msg::compiling_started_too_many_processes();
  return {};
}

}  // namespace

bool doubtful(const ProcessEnd& end, const CompilerOutput& said) {
  static constexpr std::array kMachine = {
      "No space left",  "quota exceeded", "Input/output error", "Read-only file system",
      "Killed",         "due to signal",  "signal terminated",  "temporarily unavailable",
      "annot allocate", "out of memory",  "memory exhausted",   "Too many open files",
      "Text file busy", "cannot execute", "Stale file handle",  "Stack dump:"};
  // A compiler that gets no processor, or whose disk another program fills, reaches these limits as well.
  if (end.limit == LimitHit::Wall || end.limit == LimitHit::FileSize) return true;
  if (end.limit != LimitHit::None) return false;
  return !said.placed || std::ranges::any_of(kMachine, [&](const char* words) {
    return end.err.find(words) != std::string::npos || end.out.find(words) != std::string::npos;
  });
}

Message hint_for(const std::string& said) {
  return said.find("unsupported GNU version") != std::string::npos ? msg::install_older_gxx()
                                                                   : msg::are_compilers_whole();
}

Message last_words(const ProcessEnd& end) {
  std::string_view text = end.err.empty() ? end.out : end.err;
  const std::size_t last = text.find_last_not_of(" \n");
  if (last == std::string_view::npos)
    return end.signal != 0 ? msg::compiler_killed(signal_name(end.signal)) : msg::compiler_printed_nothing();
  text = text.substr(0, last + 1);
  if (const std::size_t begin = text.rfind('\n'); begin != std::string_view::npos)
    text.remove_prefix(begin + 1);
  return verbatim(std::string(text.substr(0, 200)));
}

BuildOutcome failed(const ProcessEnd& end, CompilerOutput said, double seconds, BuildOutcome outcome) {
  auto limit = limit_message(end, said, seconds);
  outcome.errors = std::move(said.errors);
  outcome.errors_left_out = said.errors_left_out;
  if (!limit.empty()) {
    outcome.status = BuildStatus::LimitReached;
    outcome.sentence = std::move(limit);
    return outcome;
  }
  outcome.status = BuildStatus::CompileError;
  const std::size_t errors = outcome.errors.size() + outcome.errors_left_out;
  const bool flooded = end.limit == LimitHit::Output;
  outcome.sentence = errors    ? msg::source_does_not_compile(errors)
                     : flooded ? msg::too_many_warnings(BuildSandbox::kOutputBytes >> 10)
                               : msg::compiler_named_no_line();
  return outcome;
}

}  // namespace cudalabs
