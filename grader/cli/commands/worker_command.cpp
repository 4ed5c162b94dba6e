// `grader __grade FOLDER [LOG]`: the worker that an executor starts. It reads sources from descriptor 3, one
// on each line. That is a socket, which receives each completed source, or a file. LOG: the descriptor to log
// to.

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "grader/base/log/log.h"
#include "grader/base/parse_number.h"
#include "grader/base/process/search_path.h"
#include "grader/classroom/worker.h"
#include "grader/cli/command.h"
#include "grader/cli/interrupt.h"
#include "grader/course/device_profile.h"
#include "grader/diagnostics/messages/cli.h"

namespace cudalabs::cli {
namespace {

constexpr int kTasks = 3;
/// Cases of the seed that all submissions share; for each worker.
constexpr std::size_t kKeptCaseBytes = 256 << 20;

/// Reads the next line of descriptor 3.
class Lines {
 public:
  std::optional<std::string> next() {
    for (;;) {
      if (const std::size_t end = text_.find('\n'); end != std::string::npos) {
        std::string line = text_.substr(0, end);
        text_.erase(0, end + 1);
        return line;
      }
      char buffer[4096];
      const ssize_t got = ::read(kTasks, buffer, sizeof buffer);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return std::nullopt;
      text_.append(buffer, static_cast<std::size_t>(got));
    }
  }

 private:
  std::string text_;
};

}  // namespace

int worker_command(const Arguments& arguments) {
  if (arguments.empty() || arguments.size() > 2) return report_error(error(msg::grade_is_internal()), kUsage);
  const auto log = arguments.size() == 2 ? parse_number<int>(arguments[1]) : std::nullopt;
  if (log) {
    const auto levels = logging::read_levels(environment("CUDA_LABS_LOG"), "$CUDA_LABS_LOG");
    if (!levels) return report_error(levels.problem(), kUsage);
    logging::start(*levels, *log);
  } else if (auto started = start_log({}, {}); !started) {
    return report_error(started.problem(), kUsage);
  }
  const auto folder = WorkFolder::open(arguments.front());
  if (!folder) return report_error(folder.problem(), kCouldNotGrade);
  const auto order = folder->order();
  if (!order) return report_error(order.problem(), kCouldNotGrade);
  if (const auto walls = check_sandbox(order->require_sandbox); !walls)
    return report_error(walls.problem(), kCouldNotGrade);
  auto course = find_course(order->course, order->lab);
  if (!course) return report_error(course.problem(), kCouldNotGrade);
  const auto device = chosen_device(order->device, false);
  if (!device) return report_error(device.problem(), kCouldNotGrade);
  const auto compiler = chosen_compiler(order->compiler);
  if (!compiler) return report_error(compiler.problem(), kCouldNotGrade);
  const auto engine = chosen_engine(order->engine);
  if (!engine) return report_error(engine.problem(), kCouldNotGrade);
  auto profile = load_device_profile(*course, order->profile);
  if (!profile) return report_error(profile.problem(), kCouldNotGrade);
  const Interrupt interrupt;
  BenchOptions options{*device, std::move(*profile), interrupt.flag(), *compiler};
  options.engine = *engine;
  options.kept_case_bytes = kKeptCaseBytes;
  const auto context = GradingContext::open(*course, order->lab, order->variant, options);
  if (!context) return report_error(context.problem(), kCouldNotGrade);
  Lines lines;
  const auto done = work(
      **context, *folder, *order, [&lines] { return lines.next(); },
      [](const std::string& source) {
        const std::string line = source + "\n";
        (void)::send(kTasks, line.data(), line.size(), MSG_NOSIGNAL);
      });
  if (!done) return report_error(done.problem(), kCouldNotGrade);
  return kPassed;
}

}  // namespace cudalabs::cli
