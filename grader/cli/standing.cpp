#include "grader/cli/standing.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <map>

#include "grader/base/human.h"
#include "grader/cli/print.h"
#include "grader/present/causes.h"
#include "grader/present/layout.h"
#include "grader/present/terminal/terminal_text.h"
#include "grader/present/words.h"

namespace cudalabs::cli {
namespace {

const VersionResult* version_of(const Standing* standing, const std::string& name) {
  if (standing == nullptr) return nullptr;
  const auto found = std::ranges::find(standing->versions, name, &VersionResult::name);
  return found == standing->versions.end() ? nullptr : &*found;
}

std::string words_of(const VersionResult* version) {
  return version == nullptr ? "-"
                            : fmt::format("{} {}", human_points(version->points), verdict_words(*version));
}

std::string words_of(const Standing* standing) {
  if (standing == nullptr) return tr("no record");
  return standing->problem.empty() ? human_points(standing->points) : rendered(standing->problem);
}

/// Versions that a grading left out have no causes in it.
bool was_graded(const Standing* standing, const std::string& name) {
  const VersionResult* const version = version_of(standing, name);
  return version == nullptr || version->verdict != Verdict::NotGraded;
}

/// While a file does not compile nobody knows whether its other causes are gone.
bool hides(const Standing* after, const Standing* before, const std::string& name) {
  const auto compiles = [&](const Standing* standing) {
    const VersionResult* const version = version_of(standing, name);
    return version == nullptr || version->verdict != Verdict::CompileError;
  };
  return !compiles(after) && compiles(before);
}

/// The causes of one time that are not among those of the other, each with the versions in which it is not.
/// `earlier`: `one` is the earlier time.
std::vector<Difference::CauseLine> causes_beside(const Standing* one, const Standing* other, bool earlier) {
  std::vector<Difference::CauseLine> lines;
  if (one == nullptr) return lines;
  const std::vector<Cause> others = other == nullptr ? std::vector<Cause>() : causes_of(other->versions);
  for (const Cause& cause : causes_of(one->versions)) {
    std::string names;
    for (const Cause::Share& share : cause.shares) {
      const std::string& name = share.version->name;
      const bool known = std::ranges::any_of(others, [&](const Cause& its) {
        return its.key == cause.key && std::ranges::any_of(its.shares, [&](const Cause::Share& same) {
                 return same.version->name == name;
               });
      });
      if (!known && was_graded(other, name) && !(earlier && hides(other, one, name)))
        names += (names.empty() ? "" : ", ") + name;
    }
    if (!names.empty()) lines.push_back({cause.key, names + ": " + rendered(cause.summary())});
  }
  return lines;
}

void print_cause(const std::string& label, const std::string& text) {
  constexpr std::size_t kLongest = 400;
  const auto width =
      static_cast<std::size_t>(std::max(ConsoleStyle::for_descriptor(STDOUT_FILENO).width, 40));
  const std::size_t hang = 4 + display_width(label) + 1;
  bool first = true;
  const std::string whole = printable(text);
  const std::string shown = display_width(whole) > kLongest ? columns(whole, 0, kLongest - 3) + "..." : whole;
  for (const std::string& piece : wrap(shown, width - hang)) {
    print_out("{}{}\n", std::exchange(first, false) ? "    " + label + " " : std::string(hang, ' '), piece);
  }
}

}  // namespace

bool Difference::any() const { return from != to || !versions.empty() || !gone.empty() || !fresh.empty(); }

Difference difference(const Standing* before, const Standing* after) {
  Difference all{words_of(before),
                 words_of(after),
                 {},
                 causes_beside(before, after, true),
                 causes_beside(after, before, false)};
  std::vector<std::string> names;
  for (const Standing* side : {before, after}) {
    if (side == nullptr) continue;
    for (const VersionResult& version : side->versions) {
      if (std::ranges::find(names, version.name) == names.end()) names.push_back(version.name);
    }
  }
  for (const std::string& name : names) {
    const std::string from = words_of(version_of(before, name)), to = words_of(version_of(after, name));
    if (from != to) all.versions.push_back(fmt::format("{}  {} -> {}", name, from, to));
  }
  return all;
}

void print_changes(const Difference& difference, const std::string& shown_elsewhere) {
  for (const std::string& line : difference.versions) print_out("  {}\n", printable(line));
  for (const auto& [key, text] : difference.gone) print_cause(tr("gone:"), text);
  for (const auto& [key, text] : difference.fresh)
    if (key != shown_elsewhere) print_cause(tr("new:"), text);
}

bool print_difference(const std::string& title, const Difference& difference, const std::string& note) {
  if (!difference.any()) return false;
  print_out("{}{}{} -> {}{}\n", printable(title), title.empty() ? "" : "  ", printable(difference.from),
            printable(difference.to), note);
  print_changes(difference);
  return true;
}

}  // namespace cudalabs::cli
