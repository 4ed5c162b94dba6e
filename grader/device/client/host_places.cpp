#include "grader/device/client/host_places.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "grader/base/demangle.h"
#include "grader/base/parse_number.h"
#include "grader/base/paths.h"
#include "grader/base/process/process.h"
#include "grader/base/process/sandbox.h"
#include "grader/base/process/search_path.h"
#include "grader/base/text.h"
#include "grader/diagnostics/messages/faults.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;

/// "add" of "void (anonymous namespace)::add<int>(int*)".
std::string plain(std::string name) {
  constexpr std::string_view kNameless = "(anonymous namespace)";
  if (const auto at = name.find(kNameless); at != std::string::npos) name.erase(at, kNameless.size());
  name.erase(std::min({name.find('('), name.find('<'), name.size()}));
  return name.substr(name.find_last_of(": ") + 1);  // npos + 1 is 0
}

using PlacesByAddress = decltype(KnownHostPlaces::places);

std::string hex(std::uint64_t address) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(address));
  return text;
}

/// nvcc gives the host code to its compiler in a generated file. Some versions of addr2line report that file
/// with the user's line numbers: "tmpxft_000075d4_00000000-6_sum.cudafe1.cpp" is sum.cu. Empty: it is not
/// such a file.
std::string source_of_generated(const std::string& file) {
  constexpr std::string_view kEnd = ".cudafe1.cpp";
  const std::string name = fs::path(file).filename();
  const std::size_t number = name.find('-');
  const std::size_t begin = number == std::string::npos ? number : name.find('_', number);
  if (!name.starts_with("tmpxft_") || !name.ends_with(kEnd) || begin == std::string::npos) return {};
  return name.substr(begin + 1, name.size() - kEnd.size() - begin - 1) + ".cu";
}

/// Parses the output of `addr2line -a -f -i`: a line with the address, then for it and for each function that
/// it was inlined into, a line with the function and one with "file:line".
PlacesByAddress read_places(std::string_view text, const std::vector<fs::path>& not_the_users) {
  PlacesByAddress places;
  std::vector<HostPlace>* current = nullptr;
  std::string_view function;
  while (!text.empty()) {
    const std::string_view line = take_until(text, '\n');
    const auto address =
        line.starts_with("0x") ? parse_number<std::uint64_t>(line.substr(2), 16) : std::nullopt;
    if (address) {
      current = &places[*address];
      function = {};
      continue;
    }
    if (function.empty()) {
      function = line;
      continue;
    }
    HostPlace place;
    place.function = plain(demangled(std::string(std::exchange(function, {}))));
    const std::size_t colon = line.rfind(':');
    if (current == nullptr || colon == std::string_view::npos || line.starts_with("??")) continue;
    std::string_view digits = line.substr(colon + 1);  // a note such as " (discriminator 3)" may follow
    place.line = take_leading_number<decltype(place.line)>(digits).value_or(0);
    if (place.line == 0) continue;
    place.file = line.substr(0, colon);
    if (std::string source = source_of_generated(place.file); !source.empty()) place.file = std::move(source);
    const fs::path path = fs::path(place.file).lexically_normal();
    if (std::ranges::none_of(not_the_users, [&](const fs::path& folder) { return is_below(path, folder); }))
      current->push_back(std::move(place));
  }
  return places;
}

/// The frames' places in the user's files, innermost first. `launched`: leaves out the functions that
/// compilers generate to launch a kernel; the call is the place of the launch.
std::vector<HostPlace> places_of(const std::vector<std::uint64_t>& frames, const PlacesByAddress& known,
                                 const std::set<std::string>& kernels, bool launched) {
  std::vector<HostPlace> places;
  constexpr std::string_view kStub = "__device_stub_";  // nvcc's; the kernel's mangled name follows
  std::string stub_of;
  bool left_out = false;
  for (const std::uint64_t frame : frames) {
    const auto found = known.find(frame);
    if (found == known.end()) continue;
    for (const HostPlace& place : found->second) {
      const bool stub = place.function.starts_with(kStub);
      if (stub) stub_of = plain(demangled(place.function.substr(kStub.size())));
      const bool made = stub || place.function == stub_of || kernels.contains(place.function);
      if (launched && places.empty() && made) {
        left_out = true;
        continue;
      }
      if (places.empty() || places.back() != place) places.push_back(place);
    }
  }
  // clang does not name the function that it generates.
  if (launched && !left_out && places.size() > 1) places.erase(places.begin());
  return places;
}

/// The output of addr2line; nothing if it is not installed or fails.
std::optional<std::string> addr2line(const fs::path& executable,
                                     const std::vector<std::uint64_t>& addresses) {
  auto folders = search_path();
  folders.emplace_back("/usr/bin");
  const fs::path program = first_program(folders, "addr2line");
  if (program.empty()) return std::nullopt;
  const fs::path file = fs::absolute(executable);
  Command command;
  command.argv = {program.string(), "-a", "-f", "-i", "-e", file.string()};
  for (const std::uint64_t address : addresses) command.argv.push_back(hex(address));
  command.env = {"LC_ALL=C"};
  command.limits.wall = std::chrono::seconds(20);
  command.limits.memory_bytes = std::uint64_t{1} << 30;
  SandboxSpec spec;
  spec.read_only = {"/usr", "/bin", "/lib", "/lib64", program.parent_path(), file};
  auto inside = sandboxed(std::move(command), spec);
  if (!inside) return std::nullopt;
  auto end = run(std::move(*inside));
  if (!end || !end->success()) return std::nullopt;
  return std::move(end->out);
}

}  // namespace

void place_host_calls(CallOutcome& outcome, const fs::path& executable,
                      const std::vector<fs::path>& not_the_users) {
  KnownHostPlaces known;
  place_host_calls(outcome, executable, not_the_users, known);
}

void place_host_calls(CallOutcome& outcome, const fs::path& executable,
                      const std::vector<fs::path>& not_the_users, KnownHostPlaces& known) {
  if (known.executable != executable) known = {executable, {}};
  std::vector<std::uint64_t> addresses;
  bool any = false;
  const auto need = [&](const std::vector<std::uint64_t>& frames) {
    any = any || !frames.empty();
    std::ranges::copy_if(frames, std::back_inserter(addresses),
                         [&](std::uint64_t address) { return !known.places.contains(address); });
  };
  for (const sim::Finding& finding : outcome.findings) {
    need(finding.frames);
    need(finding.other_frames);
  }
  for (const ApiError& failed : outcome.api_errors) need(failed.frames);
  std::ranges::sort(addresses);
  addresses.erase(std::unique(addresses.begin(), addresses.end()), addresses.end());
  if (!any) return;
  constexpr std::size_t kMax = 4096;  // limit for a command line
  addresses.resize(std::min(addresses.size(), kMax));

  if (!addresses.empty()) {
    const auto text = addr2line(executable, addresses);
    if (!text) return;
    known.places.merge(read_places(*text, not_the_users));
  }
  std::set<std::string> kernels;
  for (const LaunchRecord& launch : outcome.launches) kernels.insert(plain(launch.kernel));

  for (sim::Finding& finding : outcome.findings) {
    if (const auto others = places_of(finding.other_frames, known.places, kernels, finding.other.launched);
        !others.empty()) {
      finding.other.file = others.front().file;
      finding.other.line = others.front().line;
    }
    const auto places = places_of(finding.frames, known.places, kernels, finding.here.launched);
    if (places.empty()) continue;
    finding.here.file = places.front().file;
    finding.here.line = places.front().line;
    for (auto caller = places.begin() + 1; caller != places.end(); ++caller)
      finding.callers.push_back({{}, caller->file, caller->line, {}, {}});
  }
  for (ApiError& failed : outcome.api_errors) {
    if (failed.detail.is(msg::launch_refused))  // it is not among the launches
      kernels.insert(plain(std::get<std::string>(failed.detail.arguments()[0])));
    const auto places = places_of(failed.frames, known.places, kernels, failed.is_launch());
    if (places.empty()) continue;
    failed.file = places.front().file;
    failed.line = places.front().line;
  }
}

}  // namespace cudalabs
