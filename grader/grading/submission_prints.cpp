#include "grader/grading/submission_prints.h"

#include <span>
#include <string_view>
#include <vector>

#include "grader/course/cache.h"
#include "grader/device/protocol/fatbin.h"
#include "grader/toolchain/build_sandbox.h"
#include "grader/toolchain/objects/elf.h"

namespace cudalabs {
namespace {

/// Finds the device code of a program as the simulator runs it; empty if there is none. The program belongs
/// to a submission, so damaged data count as no code.
std::string_view ptx_of(std::string_view program) {
  const std::string_view image = section_of(program, ".nv_fatbin");
  const auto ptx = find_simulated_ptx(std::as_bytes(std::span(image.data(), image.size())));
  return ptx ? *ptx : std::string_view();
}

}  // namespace

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
  const auto program = read_file(built->executable, BuildSandbox::kFileBytes);
  if (!program) return program.problem();
  prints.code = code_prints(ptx_of(*program));
  return prints;
}

Result<Fingerprints> handed_out_prints(GradingContext& context) {
  const auto stub = locate_submission(context.lab(), context.lab().stub);
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

}  // namespace cudalabs
