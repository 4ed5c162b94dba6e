#include "tests/ladder/ladders.h"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "grader/course/device_profile.h"
#include "grader/ladder/run_ladder.h"
#include "grader/toolchain/program/program.h"
#include "tests/harness/device_process.h"

namespace cudalabs::test {
namespace {

const Course kCourse{CUDALABS_SOURCE};

template <class T>
T value_of(Result<T> result) {
  if (!result) throw std::runtime_error(result.problem().text());
  return std::move(*result);
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

std::filesystem::path build_program(const std::filesystem::path& source) {
  static std::vector<BuildOutcome> kept;  // each removes its program when it goes
  NvccCommand command;
  command.sources = {{source.string(), true, false}};
  command.flags = {kSubmissionStandard};
  kept.push_back(value_of(
      compile_program(command, value_of(find_toolchain(CompilerChoice::Auto)), {CUDALABS_CUDART, {}, {}})));
  if (kept.back().status != BuildStatus::Ok) throw std::runtime_error(source.string() + " does not compile");
  return kept.back().executable;
}

ProgramRun run_program(const std::filesystem::path& program, const std::vector<std::string>& arguments,
                       const std::string& profile, unsigned threads) {
  DeviceOptions options;
  options.by_line = false;
  options.threads = threads;
  options.profile = value_of(load_device_profile(kCourse, profile)).numbers;
  const auto device = value_of(DeviceProcess::start(options));
  ProgramOptions how;
  how.output = ProgramOutput::Captured;
  ProgramRun run = value_of(cudalabs::run_program(*device, program, arguments, how));
  if (run.device.fault.kind != sim::FaultKind::None) throw std::runtime_error(run.device.fault.text());
  return run;
}

const Ladder& ladder_of(const std::string& name) {
  static std::map<std::string, Ladder> loaded;
  const auto at = loaded.find(name);
  return at != loaded.end() ? at->second
                            : loaded.emplace(name, value_of(load_ladder(kCourse, name))).first->second;
}

const PublishedFigures& figures_of(const PublishedOrder& order) {
  for (const PublishedFigures& p : ladder_of(order.ladder).published) {
    if (p.profile == order.profile && p.type == order.type &&
        (order.source.empty() || p.source == order.source))
      return p;
  }
  throw std::runtime_error("no figures of " + order.ladder + " for " + order.profile);
}

std::vector<std::pair<std::string, double>> run_ladder(const std::string& name, const std::string& profile,
                                                       ElementType type, std::int64_t size,
                                                       const std::vector<std::string>& only) {
  Ladder ladder = ladder_of(name);
  std::erase_if(ladder.rungs, [&](const LadderRung& rung) { return !only.empty() && !has(only, rung.name); });
  LadderRequest request;
  request.type = type;
  request.size = size;
  request.profile = value_of(load_device_profile(kCourse, profile));
  request.cpu = request.check = false;
  std::vector<std::pair<std::string, double>> times;
  for (const LadderRow& row : value_of(cudalabs::run_ladder(ladder, request)).rows)
    times.emplace_back(row.name, row.estimated_ns ? *row.estimated_ns / 1e6 : -1);
  return times;
}

const std::vector<PublishedOrder>& published_orders() {
  constexpr auto kFloat = ElementType::Float32, kDouble = ElementType::Float64;
  constexpr auto kInt = ElementType::Int32;
  // kernel01 and kernel02 at a larger size, because this pair depends
  // on it: one finishes with a copy, the other with launches.
  static const std::vector<std::string> pair{"kernel01", "kernel02"};
  static const std::vector<PublishedOrder> all{
      {"matmul", "k40c", kFloat, 256, ""},
      {"matmul", "k40c", kDouble, 256, ""},
      {"matmul-16x16", "gt9650m", kFloat, 256, "", {}, {}, {"aat-padded"}},
      {"reduction", "k40c", kDouble, 1 << 23, "", pair},
      {"reduction", "k40c", kDouble, 1 << 22, "", {}, {"kernel01"}},
      {"reduction", "gtx1080ti", kFloat, 1 << 24, "", pair},
      {"reduction", "gtx1080ti", kFloat, 1 << 22, "", {}, {"kernel01"}},
      {"reduction", "rtx2060s", kFloat, 1 << 24, "", pair},
      {"reduction", "rtx2060s", kFloat, 1 << 22, "", {}, {"kernel01"}},
      {"reduction", "gt9650m", kInt, 1 << 20, "lecture 6"},
      {"reduction", "gt9650m", kInt, 1 << 20, "lab work no. 3"},
      {"reduction", "gtx280", kInt, 1 << 22, ""},
      {"transpose", "gtx280", kFloat, 992, ""},
  };
  return all;
}

}  // namespace cudalabs::test
