#include "grader/batch/worker.h"

#include <charconv>
#include <nlohmann/json.hpp>

#include "grader/grade/grade.h"
#include "grader/report/json.h"

namespace cudalabs {
namespace {

using Json = nlohmann::ordered_json;

/// The event's body in the journal, or why there is none.
Result<std::string> graded(Bench& bench, const WorkFolder& folder, const WorkOrder& order,
                           const std::string& source) {
  auto file = folder.source_file(source);
  if (!file) return file.problem();
  std::uint64_t seed = 0;
  std::from_chars(order.seed.data(), order.seed.data() + order.seed.size(), seed);
  auto job = prepare(bench, {*file, order.versions, seed});
  if (!job) return job.problem();
  job->submission.file = file->filename();
  auto result = grade(bench, *job, [](std::string_view) {});
  if (!result) return result.problem();
  result->nondeterministic.course = order.course;
  Json body = {{"run", order.run}, {"result", Json::parse(json_report(*result))}};
  return body.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

Result<void> work(Bench& bench, const WorkFolder& folder, const WorkOrder& order,
                  const std::function<std::optional<std::string>()>& next,
                  const std::function<void(const std::string& source)>& ended) {
  // What is wrong with the machine or the lab is told once, and costs no submission anything.
  if (auto compiler = bench.compiler(); !compiler) return compiler.problem();
  if (auto oracle = bench.oracle(); !oracle) return oracle.problem();
  while (const auto source = next()) {
    WorkResult result{order.run, *source, {}, {}};
    if (auto body = graded(bench, folder, order, *source))
      result.body = std::move(*body);
    else
      result.failure = body.problem().text();
    if (auto written = folder.write_result(result); !written) return written;
    ended(*source);
  }
  return {};
}

}  // namespace cudalabs
