#include "grader/classroom/worker.h"

#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string_view>

#include "grader/base/log/log.h"
#include "grader/base/log/stats.h"
#include "grader/diagnostics/language.h"
#include "grader/diagnostics/messages/classroom.h"
#include "grader/grading/cached_run.h"
#include "grader/grading/conflict_examples.h"
#include "grader/grading/grade.h"
#include "grader/grading/submission_prints.h"
#include "grader/present/formats/json.h"
#include "grader/present/web/pages/submission_page.h"

namespace cudalabs {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

/// The fingerprints as a line, from the cache in `file` if nothing has changed since.
Result<std::string> kept_prints(GradingContext& context, const Submission& submission, const fs::path& file) {
  const auto compiler = context.compiler();
  if (!compiler) return compiler.problem();
  const auto key = build_key(context.lab(), *compiler, submission);
  if (!key) return key.problem();
  if (auto kept = find_kept(file, *key)) return std::move(*kept);
  auto prints = submission_prints(context, submission);
  if (!prints) return prints.problem();
  std::string line = to_line(*prints);
  if (!prints->code.empty()) keep(file, *key, line);  // an empty result may come from a damaged compiler
  return line;
}

/// The fingerprints of the course's own files, a line each; empty where they cannot be made.
struct CoursePrints {
  std::string handed_out, reference;
};

CoursePrints course_prints(GradingContext& context) {
  CoursePrints lines;
  if (auto prints = handed_out_prints(context)) lines.handed_out = to_line(*prints);
  if (auto prints = reference_prints(context)) lines.reference = to_line(*prints);
  return lines;
}

/// The event's body for the journal, or why there is none.
Result<std::string> graded(GradingContext& context, const WorkFolder& folder, const WorkOrder& order,
                           const CoursePrints& prints_of_course, const std::string& source) {
  const logging::Timed timed(logging::Metric::Grade);
  const auto laid = folder.laid_out(source);
  if (!laid) return laid.problem();
  auto job = prepare(context, {laid->file, order.versions, laid->seed, order.seed_policy});
  if (!job) return job.problem();
  job->submission.file = laid->file.filename();
  job->cached_run = folder.kept(source) / "run";
  job->run_again = order.run_again;
  auto result = grade(context, *job, [](const Message&) {});
  if (!result) return result.problem();
  result->nondeterministic.course = order.course;
  (void)add_conflict_examples(context, *job, *result);  // the page is useful without them
  SubmissionPage page{*result, {}, {}};
  if (result->card.empty()) page.peaks = context.options().profile.numbers;
  const LanguageScope readers(order.language);
  Json body = {
      {"run", order.run}, {"result", Json::parse(json_report(*result))}, {"page", submission_page(page)}};
  // The fingerprints are optional: similarity is checked for the submissions that have them, and the others
  // are graded all the same.
  if (auto prints = kept_prints(context, job->submission, folder.kept(source) / "prints"))
    body["fingerprints"] = std::move(*prints);
  if (!prints_of_course.handed_out.empty()) body["handed_out"] = prints_of_course.handed_out;
  if (!prints_of_course.reference.empty()) body["reference"] = prints_of_course.reference;
  return body.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

Result<void> work(GradingContext& context, const WorkFolder& folder, const WorkOrder& order,
                  const std::function<std::optional<std::string>()>& next,
                  const std::function<void(const std::string& source)>& ended) {
  // Problems of the machine or the lab are reported once and cost no submission anything.
  if (auto compiler = context.compiler(); !compiler) return compiler.problem();
  if (auto oracle = context.oracle(); !oracle) return oracle.problem();
  if (order.stats) logging::start_stats();
  std::optional<CoursePrints> prints;
  while (const auto source = next()) {
    if (!prints) prints = course_prints(context);  // builds the stub: only if there is something to grade
    logging::info(logging::Stage::Classroom, [&] { return "grading " + *source; });
    WorkResult result{order.run, *source, {}, {}};
    if (auto body = graded(context, folder, order, *prints, *source))
      result.body = std::move(*body);
    else
      result.failure =
          msg::grading_failed(place_of(body.problem().where), body.problem().message, body.problem().hint);
    if (order.stats) result.stats = logging::take_stats();
    if (auto written = folder.write_result(result); !written) return written;
    ended(*source);
  }
  return {};
}

std::vector<std::string> worker_environment() {
  std::vector<std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    if (!std::string_view(*entry).starts_with("CUDA_LABS_LOG")) all.emplace_back(*entry);
  }
  if (const std::string levels = logging::spelling(logging::levels()); !levels.empty())
    all.push_back("CUDA_LABS_LOG=" + levels);
  if (!logging::file().empty()) all.push_back("CUDA_LABS_LOG_FILE=" + logging::file());
  return all;
}

}  // namespace cudalabs
