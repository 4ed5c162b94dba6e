#include "grader/cli/files/places.h"

#include <filesystem>
#include <string>

#include "grader/base/paths.h"
#include "grader/device/client/host_places.h"
#include "grader/toolchain/compile.h"

namespace cudalabs::cli {
namespace {

void show_as_named(std::string& place, const NvccCommand& command) {
  std::error_code ignored;
  const auto whole = [&](const std::filesystem::path& path) {
    return std::filesystem::absolute(path, ignored).lexically_normal();
  };
  for (const NvccSource& source : command.sources) {
    if (whole(source.file) == whole(place)) {
      place = source.file;
      return;
    }
  }
  const std::filesystem::path here = std::filesystem::current_path(ignored), path = whole(place);
  if (!place.empty() && is_below(path, here)) place = path.lexically_relative(here).string();
}

}  // namespace

void place_calls(CallOutcome& outcome, const std::filesystem::path& executable, CompilerChoice compiler) {
  const auto tools = find_build_tools(compiler);
  if (!tools) return;
  place_host_calls(outcome, executable, tools->toolchain.not_the_users());
}

void show_as_named(CallOutcome& outcome, const NvccCommand& command) {
  show_as_named(outcome.fault.file, command);
  for (sim::Finding& finding : outcome.findings) {
    show_as_named(finding.here.file, command);
    show_as_named(finding.other.file, command);
    for (sim::FindingSide& side : finding.more) show_as_named(side.file, command);
    for (sim::FindingSide& caller : finding.callers) show_as_named(caller.file, command);
  }
  for (sim::LaunchNote& note : outcome.notes) {
    if (!note.file.empty()) show_as_named(note.file, command);
  }
  for (ApiError& failed : outcome.api_errors) {
    if (!failed.file.empty()) show_as_named(failed.file, command);
  }
}

}  // namespace cudalabs::cli
