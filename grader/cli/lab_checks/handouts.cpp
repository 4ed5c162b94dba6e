#include "grader/cli/lab_checks/handouts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <sstream>

#include "grader/base/human.h"
#include "grader/base/parse_number.h"
#include "grader/course/cache.h"

namespace cudalabs::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxHandoutBytes = 1 << 20;

using Cells = std::vector<std::string>;

/// The cells of a table row, without surrounding blanks and backticks; empty for other lines.
Cells cells_of(const std::string& line) {
  Cells cells;
  if (!line.starts_with('|')) return cells;
  for (std::size_t begin = 1; begin < line.size();) {
    const std::size_t end = std::min(line.find('|', begin), line.size());
    const std::string cell = line.substr(begin, end - begin);
    const std::size_t first = cell.find_first_not_of(" `"), last = cell.find_last_not_of(" `\r");
    cells.push_back(first == std::string::npos ? "" : cell.substr(first, last - first + 1));
    begin = end + 1;
  }
  if (!cells.empty() && cells.back().empty()) cells.pop_back();  // nothing follows the last bar
  return cells;
}

/// Points for correctness, structure and speed.
std::vector<double> parts_of(const Version& version) {
  std::vector<double> parts = {version.correctness_points};
  for (const StructurePoints& part : version.structure) parts.push_back(part.points);
  parts.push_back(version.speed_points);
  std::erase(parts, 0.0);
  return parts;
}

std::string points_listed(const std::vector<double>& points) {
  std::string text;
  for (const double p : points) text += (text.empty() ? "" : " + ") + fmt::format("{:g}", p);
  return text.empty() ? "nothing" : text;
}

/// Collapses blanks and line breaks to one blank, and removes them beside brackets.
std::string squeezed(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (blank && (out.empty() || out.back() == ' ' || out.back() == '(')) continue;
    if (c == ')' && !out.empty() && out.back() == ' ') out.pop_back();
    out += blank ? ' ' : c;
  }
  return out;
}

/// The contract's declaration, "void row_max_global(const float* a, ...);"; empty if there is none.
std::string declaration_of(const std::string& contract, const std::string& entry) {
  const std::size_t begin = contract.find("void " + entry + "(");
  if (begin == std::string::npos) return "";
  const std::size_t end = contract.find(';', begin);
  return end == std::string::npos ? "" : contract.substr(begin, end - begin);
}

/// The last word of each parameter of a declaration; none where it has no name.
std::vector<std::string> parameter_names(const std::string& declaration) {
  std::vector<std::string> names;
  const std::size_t open = declaration.find('('), close = declaration.rfind(')');
  if (open == std::string::npos || close == std::string::npos) return names;
  const auto is_letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (std::size_t begin = open + 1; begin < close;) {
    std::size_t end = std::min(declaration.find(',', begin), close);
    const std::size_t next = end + 1;
    while (end > begin && !is_letter(declaration[end - 1])) --end;
    std::size_t word = end;
    while (word > begin && is_letter(declaration[word - 1])) --word;
    names.push_back(declaration.substr(word, end - word));
    begin = next;
  }
  return names;
}

/// The contract and the configuration give parameters the same names: students read the one, and the oracle
/// follows the other.
void check_names(const Lab& lab, const std::string& contract, std::vector<std::string>& problems) {
  for (const Version& version : lab.versions) {
    const auto names = parameter_names(declaration_of(contract, version.entry));
    if (names.size() != lab.parameters.size()) continue;  // the compiler says so
    for (std::size_t k = 0; k < names.size(); ++k) {
      const std::string& asked = lab.parameters[k].name;
      const bool named =
          std::ranges::find(lab.parameters, names[k], &Parameter::name) != lab.parameters.end();
      if (names[k] == asked || !named) continue;  // "int" is no name
      problems.push_back(fmt::format("{} calls parameter {} of {} `{}`, and configs calls it `{}`",
                                     lab.contract.filename().string(), k + 1, version.entry, names[k],
                                     asked));
      break;
    }
  }
}

class Handout {
 public:
  Handout(std::string name, const std::string& text) : name_(std::move(name)), text_(squeezed(text)) {
    std::istringstream lines(text);
    std::string line;
    while (std::getline(lines, line)) rows_.push_back(cells_of(line));
  }

  void check(const Lab& lab, const std::string& contract, std::vector<std::string>& problems) const {
    for (const Version& version : lab.versions) {
      const std::string declaration = squeezed(declaration_of(contract, version.entry));
      if (text_.find(version.entry) == std::string::npos)
        problems.push_back(fmt::format("{} does not name {}", name_, version.entry));
      else if (!declaration.empty() && text_.find(declaration) == std::string::npos)
        problems.push_back(fmt::format("{} declares {} otherwise than {}: {}", name_, version.entry,
                                       lab.contract.filename().string(), declaration));
      check_total(version, problems);
    }
    check_parts(lab, problems);
  }

 private:
  void check_total(const Version& version, std::vector<std::string>& problems) const {
    const auto row = std::ranges::find_if(rows_, [&](const Cells& r) {
      return r.size() >= 2 && r.front() == version.name && parse_number<double>(r.back());
    });
    if (row == rows_.end()) {
      problems.push_back(fmt::format("{} has no row \"| `{}` | ... | {:g} |\" with that version's points",
                                     name_, version.name, version.max_points()));
    } else if (*parse_number<double>(row->back()) != version.max_points()) {
      problems.push_back(fmt::format("{} gives `{}` {}, configs gives it {}", name_, version.name,
                                     human_points(*parse_number<double>(row->back())),
                                     human_points(version.max_points())));
    }
  }

  void check_parts(const Lab& lab, std::vector<std::string>& problems) const {
    Cells header = {""};
    for (const Version& version : lab.versions) header.push_back(version.name);
    const auto begin = std::ranges::find(rows_, header);
    if (begin == rows_.end()) {
      problems.push_back(
          fmt::format("{} has no table of what each point is for: its header would be \"| | {} |\"", name_,
                      fmt::join(header.begin() + 1, header.end(), " | ")));
      return;
    }
    for (std::size_t v = 0; v < lab.versions.size(); ++v) {
      std::vector<double> promised;
      for (auto row = begin + 1; row != rows_.end() && !row->empty(); ++row) {
        const auto points = row->size() > v + 1 ? parse_number<double>((*row)[v + 1]) : std::nullopt;
        if (points && *points != 0) promised.push_back(*points);
      }
      std::vector<double> given = parts_of(lab.versions[v]);
      // Correctness comes first and speed last; the handout chooses the order in between.
      const auto order_within = [&](std::vector<double>& parts) {
        const std::ptrdiff_t last = lab.versions[v].speed_points > 0 ? 1 : 0;
        if (std::ssize(parts) > 1 + last) std::sort(parts.begin() + 1, parts.end() - last);
      };
      order_within(promised);
      order_within(given);
      if (promised != given)
        problems.push_back(fmt::format("{} lists {} for the points of `{}`, configs gives {}", name_,
                                       points_listed(promised), lab.versions[v].name, points_listed(given)));
    }
  }

  std::string name_, text_;
  std::vector<Cells> rows_;  // one for each line; empty if the line is no table row
};

}  // namespace

std::vector<std::string> handout_problems(const Lab& lab) {
  std::vector<std::string> problems;
  const auto contract = read_file(lab.contract, kMaxHandoutBytes);
  if (!contract) return {contract.problem().text()};
  check_names(lab, *contract, problems);
  for (const fs::path& file : handouts_of(lab)) {
    const auto text = read_file(file, kMaxHandoutBytes);
    if (!text) {
      problems.push_back(text.problem().text());
      continue;
    }
    Handout(file.filename().string(), *text).check(lab, *contract, problems);
  }
  return problems;
}

}  // namespace cudalabs::cli
