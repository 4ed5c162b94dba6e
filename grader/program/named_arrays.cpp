#include "grader/program/named_arrays.h"

#include <set>
#include <string>

#include "grader/course/cache.h"
#include "grader/submission/array_names.h"
#include "grader/submission/locate.h"

namespace cudalabs {

void name_arrays(CallOutcome& outcome, const std::vector<std::filesystem::path>& sources) {
  if (outcome.findings.empty() && outcome.fault.message.empty()) return;
  std::set<std::filesystem::path> files(sources.begin(), sources.end());
  files.insert(outcome.fault.file);
  for (const sim::Finding& finding : outcome.findings) files.insert(finding.here.file);
  std::vector<std::string> texts;
  for (const std::filesystem::path& file : files) {
    if (file.empty()) continue;
    if (auto text = read_file(file, kMaxSourceBytes)) texts.push_back(*std::move(text));
  }
  const std::vector<std::string_view> read(texts.begin(), texts.end());
  outcome.fault.message = with_array_names(outcome.fault.message, read);
  for (sim::Finding& finding : outcome.findings) {
    finding.message = with_array_names(finding.message, read);
    finding.advice = with_array_names(finding.advice, read);
  }
}

}  // namespace cudalabs
