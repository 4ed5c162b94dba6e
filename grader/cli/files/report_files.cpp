#include "grader/cli/files/report_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "grader/base/fd.h"
#include "grader/cli/command.h"
#include "grader/cli/files/target_file.h"
#include "grader/cli/print.h"
#include "grader/course/device_profile.h"
#include "grader/diagnostics/messages/cli.h"
#include "grader/present/web/pages/submission_page.h"

namespace cudalabs::cli {
namespace {

namespace fs = std::filesystem;

/// Includes the GPU's limits if times were estimated for a profile of the course.
std::string page_of(const GradeResult& result) {
  SubmissionPage page{result, {}, {}};
  if (const auto course = find_course(result.nondeterministic.course, result.lab);
      course && !result.profile.name.empty()) {
    if (const auto profile = load_device_profile(*course, result.profile.name)) page.peaks = profile->numbers;
  }
  return submission_page(page);
}

/// The formats of grader/present and of libraries that depend on it.
std::vector<ReportFormat> all_formats() {
  const auto formats = report_formats();
  std::vector<ReportFormat> all(formats.begin(), formats.end());
  all.push_back({"--html", "Write the result as a page for a browser", page_of, nullptr});
  return all;
}

/// Some files cannot be replaced: /dev/stdout, a pipe.
bool replaceable(const std::string& file) {
  if (file.starts_with("/dev/") || file.starts_with("/proc/")) return false;
  std::error_code ignored;
  const auto kind = fs::status(file, ignored).type();
  return kind == fs::file_type::regular || kind == fs::file_type::not_found;
}

Diagnostic failed(const fs::path& file) {
  return error(msg::write_failed_why(file.string(), std::strerror(errno)));
}

Result<void> write_bytes(int fd, std::string_view rest, const fs::path& shown) {
  while (!rest.empty()) {
    const ssize_t written = ::write(fd, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return failed(shown);
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

Result<void> write_in_place(const std::string& path, std::string_view text) {
  // /dev/stderr may be a log that holds more than this.
  const int how = path.starts_with("/dev/std") || path.starts_with("/dev/fd/") ? O_APPEND : O_TRUNC;
  const UniqueFd out(::open(path.c_str(), O_WRONLY | O_CREAT | how | O_CLOEXEC, 0666));
  return out ? write_bytes(out.get(), text, path) : Result<void>(failed(path));
}

Result<void> write_whole(const std::string& path, std::string_view text) {
  // A fixed name and not a random one, so that the next grading removes the leftover of a killed one.
  const std::string beside = path + ".part";
  ::unlink(beside.c_str());
  const UniqueFd out(::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
  Result<void> written = out ? write_bytes(out.get(), text, path) : Result<void>(failed(path));
  if (written && ::rename(beside.c_str(), path.c_str()) != 0) written = failed(path);
  if (!written) ::unlink(beside.c_str());
  return written;
}

}  // namespace

ReportFiles::ReportFiles() {
  for (const ReportFormat& format : all_formats()) targets_.push_back({format, {}, {}, false});
}

void ReportFiles::add_options(CommandLine& line) {
  for (Target& target : targets_) line.option(target.format.option, "FILE", target.file, target.format.help);
}

std::vector<std::string> ReportFiles::option_names() const {
  std::vector<std::string> names;
  for (const Target& target : targets_) names.emplace_back(target.format.option);
  return names;
}

Result<void> ReportFiles::check() {
  for (Target& target : targets_) {
    auto& [format, file, path, replaced] = target;
    if (file.empty()) continue;
    std::error_code problem;
    replaced = file != "-" && replaceable(file);
    path = replaced ? fs::weakly_canonical(fs::absolute(file), problem).string() : file;
    for (const Target& other : targets_) {
      if (&other == &target) break;
      if (other.path == path)
        return error(msg::reports_share_a_file(other.format.option, format.option,
                                               file == "-" ? std::string("stdout") : file),
                     msg::give_each_its_file());
    }
    if (file == "-") continue;
    if (fs::is_directory(file, problem)) return error(msg::report_is_a_folder(format.option, file));
    // The new file is created in the folder that a link points to.
    const fs::path place = fs::is_symlink(file, problem) ? path : file;
    const fs::path folder = place.has_parent_path() ? place.parent_path() : ".";
    if (!(replaced ? takes_files(folder) : takes_text(path)))
      return error(msg::report_not_writable(format.option, file), msg::is_it_your_folder(folder.string()));
  }
  return {};
}

bool ReportFiles::none() const {
  return std::ranges::all_of(targets_, [](const Target& target) { return target.file.empty(); });
}

bool ReportFiles::asked_for(std::string_view option) const {
  return std::ranges::any_of(
      targets_, [&](const Target& target) { return target.format.option == option && !target.file.empty(); });
}

bool ReportFiles::take_stdout() const {
  return std::ranges::any_of(targets_, [](const Target& target) { return target.file == "-"; });
}

void ReportFiles::begin() const {
  for (const Target& target : targets_) {
    if (target.replaced) ::unlink(target.path.c_str());
  }
}

Result<void> ReportFiles::write_one(const Target& target, const std::string& text) {
  if (target.replaced) return write_whole(target.path, text);
  if (target.file != "-") return write_in_place(target.path, text);
  write_out(text);
  return {};
}

Result<void> ReportFiles::write_partial(const GradeResult& result) const {
  for (const Target& target : targets_) {
    if (!target.replaced) continue;
    if (auto written = write_one(target, target.format.write(result)); !written) return written;
  }
  return {};
}

Result<void> ReportFiles::write(const GradeResult& result) const {
  for (const Target& target : targets_) {
    if (target.file.empty()) continue;
    if (auto written = write_one(target, target.format.write(result)); !written) return written;
  }
  return {};
}

void ReportFiles::fail(const GradingFailure& failure) const {
  begin();  // even if writing fails: no file is better than points that do not count
  for (const Target& target : targets_) {
    if (target.file.empty() || target.format.failed == nullptr) continue;
    if (auto written = write_one(target, target.format.failed(failure)); !written)
      report_error(written.problem(), kCouldNotGrade);
  }
}

}  // namespace cudalabs::cli
