#include "grader/grading/submission_prints.h"

#include <string_view>
#include <vector>

#include "grader/grading/program_ptx.h"

namespace cudalabs {
Result<Fingerprints> submission_prints(GradingContext& context, const Submission& submission) {
  Fingerprints prints;
  std::vector<std::string_view> sources{submission.source.content};
  for (const SourceFile& header : submission.headers) {
    if (header.name != context.lab().contract.filename()) sources.emplace_back(header.content);
  }
  prints.text = text_prints(sources);
  const auto built = context.build(submission);
  if (!built) return built.problem();
  if (built->status != BuildStatus::Ok) return prints;
  const auto ptx = program_ptx(built->executable);
  if (!ptx) return ptx.problem();
  prints.code = code_prints(*ptx);
  return prints;
}

Result<Fingerprints> handed_out_prints(GradingContext& context) {
  const auto stub = course_file(context.lab(), context.lab().stub);
  if (!stub) return stub.problem();
  auto prints = submission_prints(context, *stub);
  if (!prints) return prints.problem();
  const auto contract = read_file(context.lab().contract, kMaxSourceBytes);
  if (!contract) return contract.problem();
  const std::string_view source = *contract;
  const PrintSet of_contract = text_prints({&source, 1});
  prints->text.insert(prints->text.end(), of_contract.begin(), of_contract.end());
  keep_fewest(prints->text);
  return prints;
}

Result<Fingerprints> reference_prints(GradingContext& context) {
  const Lab& lab = context.lab();
  if (lab.reference.empty()) return Fingerprints{};  // the students' edition has none
  const auto reference = course_file(lab, lab.reference);
  if (!reference) return reference.problem();
  return submission_prints(context, *reference);
}

}  // namespace cudalabs
