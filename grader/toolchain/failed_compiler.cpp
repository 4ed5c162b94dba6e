#include "grader/toolchain/failed_compiler.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "grader/toolchain/build_sandbox.h"

namespace cudalabs {
namespace {

// The sentence for a compiler that was stopped; none if it ended by itself.
std::string limit_sentence(const ProcessEnd& end, const CompilerOutput& output, double seconds) {
  // Looks for a compiler's message about a limit. A message about a line can contain any words, so it does
  // not count.
  const auto said = [&](const char* words) {
    return !output.placed && end.err.find(words) != std::string::npos;
  };
  if (end.limit == LimitHit::Cpu) {
    return "compiling took longer than " + std::to_string(static_cast<long>(seconds)) +
           " s and was stopped; look for templates or constexpr code that never ends";
  }
  if (end.limit == LimitHit::Wall) {
    return "the compiler was stopped after " + std::to_string(static_cast<long>(end.wall_seconds)) +
           " s of waiting; does the file include something that never ends?";
  }
  if (end.limit == LimitHit::Memory || said("virtual memory exhausted") || said("out of memory") ||
      said("bad_alloc") || said("annot allocate memory")) {
    return "compiling needed more than " + std::to_string(BuildSandbox::kMemory >> 30) +
           " GiB of memory and was stopped; look for very large arrays, templates or macros";
  }
  if (end.limit == LimitHit::FileSize || said("File size limit") || said("File too large") ||
      said("signal 25")) {
    return "compiling wrote a file of more than " + std::to_string(BuildSandbox::kFileBytes >> 20) +
           " MiB and was stopped; look for very large initialised arrays";
  }
  if (end.limit == LimitHit::Tasks) return "compiling started too many processes and was stopped";
  return {};
}

}  // namespace

std::string counted(std::size_t errors) {
  return std::to_string(errors) + (errors == 1 ? " error" : " errors");
}

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

std::string hint_for(const std::string& said) {
  return said.find("unsupported GNU version") != std::string::npos
             ? "install an older g++ and name it: export CUDAHOSTCXX=g++-12"
             : "are the compilers whole, with the static archives of libc and libstdc++, and is there room "
               "on the disk and in memory?";
}

std::string last_words(const ProcessEnd& end) {
  std::string_view text = end.err.empty() ? end.out : end.err;
  const std::size_t last = text.find_last_not_of(" \n");
  if (last == std::string_view::npos)
    return end.signal != 0 ? "died of " + signal_name(end.signal) : "said nothing";
  text = text.substr(0, last + 1);
  if (const std::size_t begin = text.rfind('\n'); begin != std::string_view::npos)
    text.remove_prefix(begin + 1);
  return std::string(text.substr(0, 200));
}

BuildOutcome failed(const ProcessEnd& end, CompilerOutput said, double seconds, BuildOutcome outcome) {
  auto limit = limit_sentence(end, said, seconds);
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
  outcome.sentence = errors    ? "it does not compile: " + counted(errors)
                     : flooded ? "the compiler was stopped after " +
                                     std::to_string(BuildSandbox::kOutputBytes >> 10) +
                                     " KiB of warnings; repair what they are about"
                               : "the compiler stopped without naming a line of the submission";
  return outcome;
}

}  // namespace cudalabs
