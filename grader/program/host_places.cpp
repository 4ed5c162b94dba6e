#include "grader/program/host_places.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <map>
#include <string>
#include <string_view>

#include "grader/support/paths.h"
#include "grader/support/process.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;

struct HostPlace {
  std::string file;
  std::uint32_t line = 0;
  bool operator==(const HostPlace&) const = default;
};
using PlacesByAddress = std::map<std::uint64_t, std::vector<HostPlace>>;

std::string hex(std::uint64_t address) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(address));
  return text;
}

template <class Number>
bool read_number(std::string_view text, Number& number, int base) {
  return std::from_chars(text.data(), text.data() + text.size(), number, base).ec == std::errc();
}

/// Of `addr2line -a -i`: a line with the address, then one "file:line" for it and for each function that it
/// was inlined into.
PlacesByAddress read_places(std::string_view text, const std::vector<fs::path>& not_the_users) {
  PlacesByAddress places;
  std::vector<HostPlace>* current = nullptr;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (std::uint64_t address = 0; line.starts_with("0x") && read_number(line.substr(2), address, 16)) {
      current = &places[address];
      continue;
    }
    HostPlace place;
    const std::size_t colon = line.rfind(':');
    if (current == nullptr || colon == std::string_view::npos || line.starts_with("??") ||
        !read_number(line.substr(colon + 1), place.line, 10) || place.line == 0)
      continue;
    place.file = line.substr(0, colon);
    const fs::path path = fs::path(place.file).lexically_normal();
    if (std::ranges::none_of(not_the_users, [&](const fs::path& folder) { return is_below(path, folder); }))
      current->push_back(std::move(place));
  }
  return places;
}

/// What the frames come to in the user's files, innermost first.
std::vector<HostPlace> places_of(const std::vector<std::uint64_t>& frames, const PlacesByAddress& known) {
  std::vector<HostPlace> places;
  for (const std::uint64_t frame : frames) {
    const auto found = known.find(frame);
    if (found == known.end()) continue;
    for (const HostPlace& place : found->second) {
      if (places.empty() || places.back() != place) places.push_back(place);
    }
  }
  return places;
}

}  // namespace

void place_host_calls(CallOutcome& outcome, const fs::path& executable, const fs::path& addr2line,
                      const std::vector<fs::path>& not_the_users) {
  std::vector<std::uint64_t> addresses;
  const auto need = [&](const std::vector<std::uint64_t>& frames) {
    addresses.insert(addresses.end(), frames.begin(), frames.end());
  };
  for (const sim::Finding& finding : outcome.findings) need(finding.frames);
  for (const ApiError& failed : outcome.api_errors) need(failed.frames);
  std::ranges::sort(addresses);
  addresses.erase(std::unique(addresses.begin(), addresses.end()), addresses.end());
  if (addresses.empty() || addr2line.empty()) return;
  constexpr std::size_t kMost = 4096;  // of a command line
  addresses.resize(std::min(addresses.size(), kMost));

  Command command;
  command.argv = {addr2line.string(), "-a", "-i", "-e", executable.string()};
  for (const std::uint64_t address : addresses) command.argv.push_back(hex(address));
  command.env = {"LC_ALL=C"};
  const auto end = run(std::move(command));
  if (!end || !end->success()) return;
  const PlacesByAddress known = read_places(end->out, not_the_users);

  for (sim::Finding& finding : outcome.findings) {
    const auto places = places_of(finding.frames, known);
    if (places.empty()) continue;
    finding.here.file = places.front().file;
    finding.here.line = places.front().line;
    for (auto caller = places.begin() + 1; caller != places.end(); ++caller)
      finding.callers.push_back({{}, caller->file, caller->line, {}, {}});
  }
  for (ApiError& failed : outcome.api_errors) {
    const auto places = places_of(failed.frames, known);
    if (places.empty()) continue;
    failed.file = places.front().file;
    failed.line = places.front().line;
  }
}

}  // namespace cudalabs
