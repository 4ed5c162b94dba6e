// A worker is `grader __grade FOLDER`. It reads sources from descriptor 3, one on each line, and sends the
// same line back when the result is written. If a worker dies, another one gets its source, once. Where we
// log to stderr, descriptor 4 is ours, and the last argument says so.

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <deque>
#include <map>
#include <optional>

#include "grader/base/log/log.h"
#include "grader/base/process/process.h"
#include "grader/classroom/executor.h"
#include "grader/classroom/worker.h"
#include "grader/diagnostics/messages/classroom.h"

namespace cudalabs {
namespace {

constexpr int kTasks = 3, kLog = 4;

struct Worker {
  std::unique_ptr<Process> process;
  UniqueFd talk;
  std::string heard;                ///< beginning of the next line
  std::optional<std::string> task;  ///< the source that it grades
};

Result<Worker> start_worker(const WorkFolder& folder) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return error(msg::no_worker_socket(std::strerror(errno)));
  UniqueFd ours(ends[0]), theirs(ends[1]);
  Command command;
  // The grader's own file may have been replaced meanwhile.
  command.argv = {"/proc/self/exe", "__grade", folder.path().string()};
  command.env = worker_environment();
  command.fds = {{theirs.get(), kTasks}};
  // What a worker prints is kept for the case that it dies. Its log goes where ours goes.
  if (logging::file().empty() && logging::levels() != logging::Levels{}) {
    command.argv.push_back(std::to_string(kLog));
    command.fds.push_back({STDERR_FILENO, kLog});
  }
  auto process = Process::start(std::move(command));
  if (!process) return process.problem();
  return Worker{std::move(*process), std::move(ours), {}, std::nullopt};
}

Message words_of(const ProcessEnd& end) {
  std::string said = end.err.substr(0, 2000);
  while (!said.empty() && said.back() == '\n') said.pop_back();
  return msg::process_ended(end.exit_code, end.exited ? Message() : verbatim(signal_name(end.signal)),
                            verbatim(said));
}

class LocalExecutor : public Executor {
 public:
  LocalExecutor(unsigned jobs, const std::atomic<bool>* cancel) : jobs_(jobs), cancel_(cancel) {}

  Result<void> run(const WorkFolder& folder, const std::vector<std::string>& sources,
                   const std::function<Result<void>(const WorkResult&)>& ended) override {
    queue_.assign(sources.begin(), sources.end());
    deaths_.clear();
    workers_.clear();
    Result<void> outcome = serve(folder, ended);
    workers_.clear();  // kills the workers that are still running
    return outcome;
  }

 private:
  [[nodiscard]] bool cancelled() const { return cancel_ != nullptr && cancel_->load(); }

  Result<void> serve(const WorkFolder& folder, const std::function<Result<void>(const WorkResult&)>& ended) {
    while (!cancelled()) {
      while (workers_.size() < jobs_ && waiting() > idle()) {
        auto worker = start_worker(folder);
        if (!worker) return worker.problem();
        workers_.push_back(std::move(*worker));
      }
      for (Worker& worker : workers_) give(worker);
      if (std::ranges::none_of(workers_, [](const Worker& w) { return w.task.has_value(); })) return {};
      std::vector<pollfd> ears;
      for (const Worker& worker : workers_) ears.push_back({worker.talk.get(), POLLIN, 0});
      ::poll(ears.data(), ears.size(), 200);
      for (std::size_t i = workers_.size(); i-- > 0;) {
        if (ears[i].revents == 0) continue;
        if (auto heard = hear(folder, i, ended); !heard) return heard;
      }
    }
    return {};
  }

  [[nodiscard]] std::size_t waiting() const { return queue_.size(); }
  [[nodiscard]] std::size_t idle() const {
    return static_cast<std::size_t>(std::ranges::count_if(workers_, [](const Worker& w) { return !w.task; }));
  }

  void give(Worker& worker) {
    if (worker.task || queue_.empty()) return;
    worker.task = queue_.front();
    queue_.pop_front();
    const std::string line = *worker.task + "\n";
    // A dead worker has closed its end. hear() notices that and gives the task to another.
    (void)::send(worker.talk.get(), line.data(), line.size(), MSG_NOSIGNAL);
  }

  /// Reads a worker's message, or notices that it is dead.
  Result<void> hear(const WorkFolder& folder, std::size_t number,
                    const std::function<Result<void>(const WorkResult&)>& ended) {
    Worker& worker = workers_[number];
    char buffer[4096];
    const ssize_t got = ::read(worker.talk.get(), buffer, sizeof buffer);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) return {};
    if (got <= 0) return bury(folder, number, ended);
    worker.heard.append(buffer, static_cast<std::size_t>(got));
    const std::size_t end = worker.heard.find('\n');
    if (end == std::string::npos) return {};
    const std::string source = worker.heard.substr(0, end);
    worker.heard.erase(0, end + 1);
    worker.task.reset();
    return tell(folder, source, ended);
  }

  static Result<void> tell(const WorkFolder& folder, const std::string& source,
                           const std::function<Result<void>(const WorkResult&)>& ended) {
    auto result = folder.result(source);
    if (!result) return result.problem();
    if (!*result) return error(msg::result_gone(source, folder.path().string()));
    return ended(**result);
  }

  Result<void> bury(const WorkFolder& folder, std::size_t number,
                    const std::function<Result<void>(const WorkResult&)>& ended) {
    Worker worker = std::move(workers_[number]);
    workers_.erase(workers_.begin() + static_cast<std::ptrdiff_t>(number));
    worker.talk.reset();
    const ProcessEnd end = worker.process->wait();
    if (cancelled()) return {};
    // A worker exits by itself only if grading is impossible.
    if (end.exited && end.exit_code != 0) return error(msg::no_worker_can_grade(words_of(end)));
    if (!worker.task) return {};
    auto result = folder.result(*worker.task);
    if (result && *result) return ended(**result);
    if (++deaths_[*worker.task] == 1) {
      queue_.push_back(*worker.task);
      return {};
    }
    auto order = folder.order();
    if (!order) return order.problem();
    return ended({order->run, *worker.task, {}, msg::worker_died_twice(words_of(end))});
  }

  const unsigned jobs_;
  const std::atomic<bool>* cancel_;
  std::deque<std::string> queue_;
  std::vector<Worker> workers_;
  std::map<std::string, int> deaths_;
};

}  // namespace

std::unique_ptr<Executor> local_executor(unsigned jobs, const std::atomic<bool>* cancel) {
  return std::make_unique<LocalExecutor>(std::max(1u, jobs), cancel);
}

}  // namespace cudalabs
