#include "grader/submission/locate.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include "grader/base/fd.h"
#include "grader/base/named_files.h"
#include "grader/base/paths.h"
#include "grader/base/text.h"
#include "grader/diagnostics/messages/run.h"

namespace cudalabs {
namespace {

namespace fs = std::filesystem;

/// As the row not_a_file names it.
std::string_view kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return "folder";
  if (S_ISFIFO(mode)) return "pipe";
  if (S_ISSOCK(mode)) return "socket";
  if (S_ISCHR(mode) || S_ISBLK(mode)) return "device";
  return "other";
}

Diagnostic refusal(const fs::path& file, Messages why, Messages hint = {}) {
  return {{file.string(), 0, 0}, std::move(why), std::move(hint)};
}

Diagnostic unreadable(const fs::path& file, int error_number, Messages hint = {}) {
  return {{file.string(), 0, 0},
          msg::cannot_be_read(std::strerror(error_number)),
          std::move(hint),
          is_infrastructure_error(error_number)};
}

// The path, with links resolved, of a file that lies below `root`.
Result<fs::path> path_below(const fs::path& file, const fs::path& root) {
  std::error_code problem;
  const fs::path real = fs::canonical(file, problem);
  if (problem) return unreadable(file, problem.value());
  if (is_below(real, fs::canonical(root, problem))) return real;
  return refusal(file, msg::link_leaves_submission(), msg::put_file_itself());
}

// Reads the regular file `file`, whose path with links resolved is `real`. It opens `real` without following
// links and without waiting for a peer, so that the file that was checked is the file that is read.
Result<std::string> read_source(const fs::path& file, const fs::path& real) {
  const UniqueFd fd(::open(real.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
  if (!fd) return unreadable(file, errno, errno == EACCES ? msg::make_readable(file.string()) : Message());
  struct stat what {};
  if (::fstat(fd.get(), &what) != 0) return unreadable(file, errno);
  if (!S_ISREG(what.st_mode)) return refusal(file, msg::not_a_file(kind_of(what.st_mode)));
  const auto too_large = [&file](std::uint64_t bytes) {
    return refusal(file, msg::source_too_large(bytes, kMaxSourceBytes >> 20, kMaxSourceBytes),
                   msg::hand_in_source_only());
  };
  const auto size = static_cast<std::uint64_t>(what.st_size);
  if (size > kMaxSourceBytes) return too_large(size);
  std::string content;
  char buffer[65536];
  for (;;) {
    const auto got = ::read(fd.get(), buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return unreadable(file, errno);
    if (got == 0) return content;
    content.append(buffer, static_cast<std::size_t>(got));
    if (content.size() > kMaxSourceBytes) return too_large(content.size());  // it grew while we read it
  }
}

// The names of the plain files of a folder, a bounded number of them.
std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code problem;
  fs::directory_iterator entry(folder, problem), end;
  for (int seen = 0; !problem && entry != end && seen < 10000; entry.increment(problem), ++seen) {
    std::string name = entry->path().filename().string();
    if (is_plain_name(name)) names.push_back(std::move(name));
  }
  std::sort(names.begin(), names.end());
  return names;
}

// True iff the file is the course's own reference solution, in its place in the course. Only the place
// decides: anybody may submit its text.
bool is_reference(const Lab& lab, const fs::path& file, const fs::path& real) {
  std::error_code problem;
  if (lab.reference.empty() || real != fs::canonical(lab.reference, problem) || problem) return false;
  // a link elsewhere to it does not count
  const fs::path named = fs::absolute(file, problem).lexically_normal();
  return named == real || named == fs::absolute(lab.reference, problem).lexically_normal();
}

// The source files beside `file` that it includes, directly or indirectly; the folder may contain many
// others. The course's reference also finds the headers that the lab's references share.
Result<std::vector<SourceFile>> read_headers(const Lab& lab, const fs::path& file, const fs::path& real,
                                             const fs::path& root, const std::string& content) {
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  std::vector<fs::path> candidates;
  for (const auto& name : names_in(folder)) {
    if (name != file.filename() && has_source_ending(name)) candidates.push_back(folder / name);
  }
  const bool reference = is_reference(lab, file, real);
  if (reference)
    candidates.insert(candidates.end(), lab.reference_headers.begin(), lab.reference_headers.end());
  std::size_t count = 0;
  std::uint64_t total = 0;
  const auto read = [&](const fs::path& header) -> Result<std::optional<std::string>> {
    // A folder, or a link out of the submission, is no header. It is left out, and its #include fails with
    // its name.
    std::error_code problem;
    const bool regular = fs::is_regular_file(header, problem);
    if (problem && is_infrastructure_error(problem.value())) return unreadable(header, problem.value());
    if (!regular) return std::optional<std::string>();
    const auto place = path_below(header, reference ? header.parent_path() : root);
    if (!place && place.problem().is_infrastructure_error) return place.problem();
    if (!place) return std::optional<std::string>();
    auto text = read_source(header, *place);
    if (!text) return text.problem();
    total += text->size();
    if (++count > kMaxHeaders || total > kMaxHeaderBytesTotal) {
      return refusal(file, msg::too_many_headers(kMaxHeaders, kMaxHeaderBytesTotal >> 20),
                     msg::use_fewer_files());
    }
    return std::optional(std::move(*text));
  };
  auto named = named_files(content, candidates, read);
  if (!named) return named.problem();
  std::vector<SourceFile> headers;
  for (NamedFile& header : *named)
    headers.push_back({header.path.filename().string(), std::move(header.content)});
  std::sort(headers.begin(), headers.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return headers;
}

Result<Submission> read_submission(const Lab& lab, const fs::path& file, const fs::path& root) {
  const auto real = path_below(file, root);
  if (!real) return real.problem();
  auto content = read_source(file, *real);
  if (!content) return content.problem();
  Submission submission;
  submission.file = file;
  submission.source = {source_name(lab, file.filename().string()), std::move(*content)};
  auto headers = read_headers(lab, file, *real, root, submission.source.content);
  if (!headers) return headers.problem();
  submission.headers = std::move(*headers);
  return submission;
}

// Is it a source by its name, whatever its kind? Learning platforms add ".txt".
bool is_source_name(const fs::path& file) {
  std::string ending = file.extension().string();
  for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return ending == ".txt" || has_source_ending(ending);
}

// A source that is an archive by its first bytes is left to the search, which opens it.
Result<std::optional<Submission>> read_unless_packed(const Lab& lab, const fs::path& file,
                                                     const fs::path& root) {
  auto submission = read_submission(lab, file, root);
  if (!submission) return submission.problem();
  if (submission->source.content.starts_with("PK\3\4")) return std::optional<Submission>();
  return std::optional(std::move(*submission));
}

}  // namespace

bool is_plain_name(const std::string& name) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.';
  };
  return !name.empty() && name.size() <= 100 && name[0] != '-' && name[0] != '.' &&
         std::all_of(name.begin(), name.end(), plain);
}

std::string source_name(const Lab& lab, const std::string& given) {
  return is_plain_name(given) && fs::path(given).extension() == ".cu" ? given : lab.file;
}

std::string source_beside_with(const Submission& submission, const std::string& name) {
  constexpr std::array<std::string_view, 5> kCompiled{".cpp", ".cc", ".cxx", ".c", ".cu"};
  const auto continues_a_name = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  const fs::path folder = submission.file.has_parent_path() ? submission.file.parent_path() : fs::path(".");
  for (const std::string& beside : names_in(folder)) {
    if (beside == submission.file.filename() ||
        std::ranges::find(kCompiled, fs::path(beside).extension()) == kCompiled.end())
      continue;
    const auto text = read_source(folder / beside, folder / beside);
    if (!text) continue;
    for (std::size_t at = text->find(name); at != std::string::npos; at = text->find(name, at + 1)) {
      const std::size_t after = text->find_first_not_of(' ', at + name.size());
      if ((at == 0 || !continues_a_name((*text)[at - 1])) && after != std::string::npos &&
          (*text)[after] == '(')
        return beside;
    }
  }
  return {};
}

Result<std::optional<Submission>> locate_submission(const Lab& lab, const fs::path& given) {
  const fs::path root = given.empty() ? fs::path(".") : given;
  struct stat what {};
  if (::stat(root.c_str(), &what) != 0) {
    const fs::path parent = root.has_parent_path() ? root.parent_path() : fs::path(".");
    return refusal(root,
                   errno == ENOENT || errno == ENOTDIR
                       ? msg::no_such_submission(suggestion(root.filename().string(), names_in(parent)))
                       : msg::cannot_be_read(std::strerror(errno)),
                   msg::submission_takes(lab.slug, lab.file));
  }
  if (!S_ISDIR(what.st_mode)) {
    if (S_ISREG(what.st_mode) && !is_source_name(root)) return std::optional<Submission>();
    return read_unless_packed(lab, root, root.has_parent_path() ? root.parent_path() : fs::path("."));
  }
  for (const fs::path& place :
       {root / lab.slug / lab.file, root / lab.file, root / "student_templates" / lab.slug / lab.file,
        root / lab.variant / lab.file}) {
    const fs::path file = place.lexically_normal();
    struct stat entry {};
    if (::lstat(file.c_str(), &entry) == 0) return read_unless_packed(lab, file, root);
    if (errno != ENOENT && errno != ENOTDIR) return refusal(file, msg::cannot_be_read(std::strerror(errno)));
  }
  return std::optional<Submission>();
}

Result<Submission> course_file(const Lab& lab, const fs::path& file) {
  return read_submission(lab, file, file.parent_path());
}

}  // namespace cudalabs
