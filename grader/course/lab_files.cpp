#include "grader/course/lab_files.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "grader/base/named_files.h"
#include "grader/course/cache.h"
#include "grader/course/course.h"

namespace cudalabs {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kMaxTextBytes = 1 << 20;

/// `file`, and those of `headers` that it includes.
Result<std::vector<LabFile>> with_headers(const std::string& role, const fs::path& file,
                                          const std::vector<fs::path>& headers) {
  const auto source = read_file(file, kMaxTextBytes);
  if (!source) return source.problem();
  const auto named =
      named_files(*source, headers, [](const fs::path& header) -> Result<std::optional<std::string>> {
        auto text = read_file(header, kMaxTextBytes);
        if (!text) return text.problem();
        return std::optional(std::move(*text));
      });
  if (!named) return named.problem();
  std::vector<LabFile> files = {{role, file}};
  for (const NamedFile& header : *named) files.push_back({role + " header", header.path});
  return files;
}

}  // namespace

std::vector<fs::path> files_in(const fs::path& folder, const std::string& extension) {
  std::vector<fs::path> files;
  std::error_code failure;
  for (fs::directory_iterator it(folder, failure), end; !failure && it != end; it.increment(failure)) {
    std::error_code ignored;
    if (it->path().extension() == extension && it->is_regular_file(ignored)) files.push_back(it->path());
  }
  std::ranges::sort(files);
  return files;
}

void set_lab_paths(const Course& course, Lab& lab) {
  const fs::path folder = course.root / "labs" / lab.lab / lab.variant;
  lab.contract = folder / "contract.cuh";
  lab.oracle = folder / (course.for_students ? "oracle.so" : "oracle.cpp");
  lab.handout = folder / "handout.md";
  for (const fs::path& root : roots_of(course)) lab.oracle_includes.push_back(root / "labs");
  lab.stub = course.root / "student_templates" / lab.lab / lab.variant / lab.file;
  if (course.for_students) {
    lab.figures = folder / "figures";
    return;
  }
  lab.reference = course.root / "reference" / lab.lab / lab.variant / lab.file;
  lab.reference_headers = files_in(course.root / "reference" / lab.lab, ".cuh");
}

std::vector<fs::path> oracle_headers(const Lab& lab) {
  const fs::path variant = lab.oracle.parent_path();
  std::vector<fs::path> headers;
  for (const fs::path& folder : lab.oracle_includes) {
    for (fs::path& header : files_in(folder, ".h")) {
      if (std::ranges::find(headers, header.filename(), &fs::path::filename) == headers.end())
        headers.push_back(std::move(header));
    }
  }
  for (const fs::path& folder : {variant.parent_path(), variant})
    std::ranges::move(files_in(folder, ".h"), std::back_inserter(headers));
  return headers;
}

Result<std::vector<LabFile>> files_of(const Course& course, const Lab& lab) {
  std::vector<LabFile> files = {{"config", lab.config_file},
                                {"defaults", course.file("configs/grading.yaml")},
                                {"contract", lab.contract}};
  for (const fs::path& handout : handouts_of(lab)) files.push_back({"handout", handout});
  files.push_back({"stub", lab.stub});
  if (course.for_students) {
    files.push_back({"oracle", lab.oracle});
    for (const fs::path& figures : files_in(lab.figures, ".figures"))
      files.push_back({"reference's figures", figures});
    return files;
  }
  const auto reference = with_headers("reference", lab.reference, lab.reference_headers);
  if (!reference) return reference.problem();
  files.insert(files.end(), reference->begin(), reference->end());
  const auto oracle = with_headers("oracle", lab.oracle, oracle_headers(lab));
  if (!oracle) return oracle.problem();
  files.insert(files.end(), oracle->begin(), oracle->end());
  return files;
}

}  // namespace cudalabs
