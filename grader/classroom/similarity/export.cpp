#include "grader/classroom/similarity/export.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>

#include "grader/base/fd.h"
#include "grader/diagnostics/messages/classroom.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestName = 60;

/// Keeps letters, digits, '_', '-' and inner dots, so that the result is never a path, an option or markup.
std::string plain(std::string_view id) {
  std::string name;
  for (const char c : id.substr(0, kLongestName)) {
    const bool kept = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '_' || ((c == '-' || c == '.') && !name.empty());
    name += kept ? c : '_';
  }
  return name.empty() ? "_" : name;
}

/// The name, with a number appended if it is taken. Some file systems ignore case.
std::string unlike(const std::string& name, std::set<std::string>& taken) {
  const auto lower = [](std::string text) {
    std::ranges::transform(text, text.begin(), [](char c) {
      return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    });
    return text;
  };
  for (int number = 1;; ++number) {
    const std::string tried = number == 1 ? name : name + "_" + std::to_string(number);
    if (taken.insert(lower(tried)).second) return tried;
  }
}

/// A field of a CSV file that no spreadsheet interprets as a formula.
std::string field(std::string_view text) {
  std::string quoted = "\"";
  if (!text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos)
    quoted += '\'';
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c == '\n' || c == '\r' || c == '\0' ? ' ' : c;
  }
  return quoted + '"';
}

Diagnostic refused(const fs::path& file, int why) {
  return {{file.string(), 0, 0}, msg::cannot_be_written_to(std::strerror(why)), {}};
}

Result<void> write_new(const fs::path& file, std::string_view bytes) {
  const UniqueFd out(::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666));
  if (out.get() < 0) return refused(file, errno);
  while (!bytes.empty()) {
    const ssize_t written = ::write(out.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return refused(file, errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

Result<void> make(const fs::path& folder) {
  std::error_code problem;
  fs::create_directories(folder, problem);
  if (problem) return refused(folder, problem.value());
  return {};
}

/// "row_max.cu" as the name of a C++ file.
std::string cpp_name(const std::string& name) {
  const std::string safe = plain(name);
  return safe.ends_with(".cu") ? safe + ".cpp" : safe.ends_with(".cuh") ? safe + ".hpp" : safe;
}

/// Returns the files' names below `root`.
Result<std::vector<std::string>> write_files(const fs::path& root, const std::string& folder,
                                             std::span<const ExportedFile> files) {
  if (auto made = make(root / folder); !made) return made.problem();
  std::vector<std::string> names;
  std::set<std::string> taken;
  for (const ExportedFile& file : files) {
    names.push_back(folder + "/" + unlike(cpp_name(file.name), taken));
    if (auto written = write_new(root / names.back(), file.content); !written) return written.problem();
  }
  return names;
}

}  // namespace

Result<void> export_for_jplag_and_dolos(const fs::path& folder,
                                        std::span<const ExportedSubmission> submissions,
                                        std::span<const ExportedFile> handed_out) {
  if (auto made = make(folder); !made) return made.problem();
  std::error_code problem;
  if (!fs::is_empty(folder, problem) || problem)
    return Diagnostic{{folder.string(), 0, 0}, msg::folder_not_empty(), msg::name_a_new_folder()};
  std::string info = "filename,full_name,id,ignored\n";
  const auto row = [&info](const std::string& file, std::string_view name, std::string_view id,
                           bool ignored) {
    info += field(file) + "," + field(name) + "," + field(id) + (ignored ? ",true\n" : ",\n");
  };
  std::set<std::string> taken;
  for (const ExportedSubmission& submission : submissions) {
    const auto files =
        write_files(folder, "submissions/" + unlike(plain(submission.id), taken), submission.files);
    if (!files) return files.problem();
    for (const std::string& file : *files)
      row(file, submission.name.empty() ? submission.id : submission.name, submission.id, false);
  }
  const auto base = write_files(folder, "base", handed_out);
  if (!base) return base.problem();
  if (!base->empty()) row(base->front(), "handed out", "", true);  // Dolos accepts only one of these
  return write_new(folder / "info.csv", info);
}

}  // namespace cudalabs
