#include "grader/sim/checkers/base/finding.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "grader/diagnostics/messages/sim.h"

namespace cudalabs::sim {
namespace {

std::string triple(const std::array<std::uint32_t, 3>& t) {
  return "(" + std::to_string(t[0]) + ", " + std::to_string(t[1]) + ", " + std::to_string(t[2]) + ")";
}

std::string place(const FindingSide& side) {
  return side.file.empty() ? std::string() : side.file + ":" + std::to_string(side.line) + ": ";
}

/// "tile.cu:8, 9: read, too", with a row for each kind of access and each file.
std::vector<Message> described(const std::vector<FindingSide>& more) {
  std::vector<std::pair<const FindingSide*, std::string>> lines;
  for (const FindingSide& side : more) {
    const auto same = std::ranges::find_if(lines, [&](const auto& line) {
      return line.first->what == side.what && line.first->file == side.file;
    });
    if (same != lines.end())
      same->second += ", " + std::to_string(side.line);
    else
      lines.emplace_back(&side, side.file + ":" + std::to_string(side.line));
  }
  std::vector<Message> rows;
  for (const auto& [side, places] : lines) rows.push_back(msg::finding_further(places, side->what));
  return rows;
}

bool at_one_line(const FindingSide& a, const FindingSide& b) {
  return a.line == b.line && a.line != 0 && a.file == b.file;
}

/// The order that selects the example of a bug: prefer a read behind the line that writes, then the first
/// such line, then the nearest writing line.
auto telling_order(const Finding& f) {
  const bool behind = f.here.file == f.other.file && f.here.line > f.other.line;
  return std::tuple(!behind, f.kind, f.here.file, f.here.line, f.other.file, ~f.other.line);
}

bool may_be_one(const Finding& a, const Finding& b) {
  return a.checker == b.checker && a.severity == b.severity && a.kernel == b.kernel &&
         (a.bug.empty() ? a.kind : a.bug) == (b.bug.empty() ? b.kind : b.bug);
}

bool on_one_pair(const Finding& a, const Finding& b) {
  return may_be_one(a, b) && ((at_one_line(a.here, b.here) && at_one_line(a.other, b.other)) ||
                              (at_one_line(a.here, b.other) && at_one_line(a.other, b.here)));
}

bool in_one_statement(const Finding& a, const Finding& b) {
  if (!may_be_one(a, b)) return false;
  if (a.advice_for_all.empty() || b.advice_for_all.empty()) return at_one_line(a.here, b.here);
  return at_one_line(a.here, b.here) || at_one_line(a.here, b.other) || at_one_line(a.other, b.here) ||
         at_one_line(a.other, b.other);
}

/// Merges findings of one bug (at least one) into one finding.
Finding one_of(const std::vector<Finding>& findings) {
  constexpr std::size_t kMax = 32;
  const auto first = std::ranges::min_element(findings, {}, telling_order);
  Finding one = *first;
  one.count = 0;
  bool further = false;
  for (const Finding& f : findings) {
    one.count += f.count;
    std::vector<FindingSide> sides = f.more;
    sides.insert(sides.end(), {f.here, f.other});
    for (const FindingSide& side : sides) {
      if (side.what.empty() || side.line == 0) continue;
      further |= !at_one_line(one.here, side) && !at_one_line(one.other, side);
      const auto told = [&](const FindingSide& k) { return at_one_line(k, side) && k.what == side.what; };
      if (!told(one.here) && !told(one.other) && one.more.size() < kMax &&
          std::ranges::none_of(one.more, told))
        one.more.push_back(side);
    }
  }
  std::ranges::sort(one.more, {}, [](const FindingSide& s) {
    return std::tuple(s.file, s.line, s.what.id(), packed(s.what));
  });
  if (further && !one.advice_for_all.empty()) one.advice = one.advice_for_all;
  return one;
}

template <class Relation>
std::vector<Finding> merged(std::vector<Finding> findings, Relation related) {
  std::vector<std::vector<Finding>> bugs;
  for (Finding& finding : findings) {
    std::vector<Finding> joined;  // groups that this finding connects
    std::erase_if(bugs, [&](std::vector<Finding>& bug) {
      if (std::ranges::none_of(bug, [&](const Finding& f) { return related(f, finding); })) return false;
      std::ranges::move(bug, std::back_inserter(joined));
      return true;
    });
    joined.push_back(std::move(finding));
    bugs.push_back(std::move(joined));
  }
  std::vector<Finding> out;
  out.reserve(bugs.size());
  for (const auto& bug : bugs) out.push_back(one_of(bug));
  return out;
}

auto example_order(const Finding& f) {
  const auto linear = [](const std::array<std::uint32_t, 3>& t) { return std::tuple(t[2], t[1], t[0]); };
  return std::tuple(linear(f.here.block), linear(f.here.thread), linear(f.other.block),
                    linear(f.other.thread));
}

}  // namespace

Message headline(const Finding& finding) {
  const auto& row = finding.severity == Severity::Error ? msg::finding_error : msg::finding_warning;
  return row(finding.message, checker_info(finding.checker).name);
}

Message described(const FindingSide& side) {
  return side.by_host || side.what.empty()
             ? side.what
             : msg::did_by_thread(side.what, triple(side.thread), triple(side.block));
}

std::string finding_text(const Finding& finding, const std::function<std::string(const Message&)>& shown) {
  std::string out = place(finding.here) + shown(headline(finding));
  const auto line = [&](const std::string& where, const Message& what) {
    out += "\n  " + where + shown(what);
  };
  if (!finding.here.what.empty()) line(place(finding.here), described(finding.here));
  for (const FindingSide& caller : finding.callers) line(place(caller), msg::finding_called_from());
  if (!finding.other.what.empty()) line(place(finding.other), described(finding.other));
  for (const Message& further : described(finding.more)) line("", further);
  if (!finding.kernel.empty()) line("", msg::finding_in_kernel(finding.kernel, finding.count));
  if (finding.here.by_host && finding.count > 1) line("", msg::finding_times(finding.count));
  if (!finding.advice.empty()) line("", msg::finding_hint(finding.advice));
  return out;
}

std::string Finding::text() const {
  return finding_text(*this, [](const Message& message) { return message.english(); });
}

void FindingList::add(Finding finding) {
  Key key{finding.here.file, finding.here.line, finding.other.file, finding.other.line,  finding.checker,
          finding.kind,      finding.kernel,    finding.frames,     finding.other_frames};
  const auto [at, fresh] = findings_.try_emplace(std::move(key), std::move(finding));
  if (fresh) return;
  Finding& known = at->second;
  const std::uint64_t count = known.count + finding.count;
  if (example_order(finding) < example_order(known)) known = std::move(finding);
  known.count = count;
}

std::vector<Finding> FindingList::take() {
  std::vector<Finding> out;
  for (auto& [key, finding] : findings_) out.push_back(std::move(finding));
  findings_.clear();
  out = merged(merged(std::move(out), on_one_pair), in_one_statement);
  std::ranges::stable_sort(out, {}, [](const Finding& f) {
    return std::tie(f.severity, f.here.file, f.here.line, f.other.file, f.other.line, f.kind, f.kernel);
  });
  return out;
}

}  // namespace cudalabs::sim
