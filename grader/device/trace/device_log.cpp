#include "grader/device/trace/device_log.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <string_view>
#include <utility>

namespace cudalabs {
namespace {

using logging::Level;
using logging::Stage;

/// A longer line, which our device process never writes, is taken in pieces.
constexpr std::size_t kLongestLine = 64 << 10;
/// Above the numbers under which the process gets its descriptors.
constexpr int kLeastNumber = 10;

/// Passes on the whole lines at the beginning of the text, and removes them.
void relay_lines(std::string& text) {
  std::size_t begin = 0;
  for (std::size_t end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
    logging::relay(std::string_view(text).substr(begin, end - begin));
  text.erase(0, begin);
  if (text.size() > kLongestLine) logging::relay(std::exchange(text, {}));
}

}  // namespace

std::unique_ptr<DeviceLog> DeviceLog::open() {
  if (!logging::wants(Stage::Device, Level::Error) && !logging::wants(Stage::Wire, Level::Error))
    return nullptr;
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return nullptr;
  UniqueFd read_end(ends[0]), low(ends[1]);
  UniqueFd write_end(::fcntl(low.get(), F_DUPFD_CLOEXEC, kLeastNumber));
  UniqueFd stop(::eventfd(0, EFD_CLOEXEC));
  if (!write_end || !stop || ::fcntl(read_end.get(), F_SETFL, O_NONBLOCK) != 0) return nullptr;
  return std::unique_ptr<DeviceLog>(
      new DeviceLog(std::move(read_end), std::move(write_end), std::move(stop)));
}

DeviceLog::DeviceLog(UniqueFd read_end, UniqueFd write_end, UniqueFd stop)
    : read_end_(std::move(read_end)), write_end_(std::move(write_end)), stop_(std::move(stop)) {
  reader_ = std::thread([this] { read_lines(); });
}

DeviceLog::~DeviceLog() {
  // A tool that started the process may leave others that hold the pipe, so its end is not waited for.
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = ::write(stop_.get(), &one, sizeof one);
  reader_.join();
}

std::string DeviceLog::levels() {
  logging::Levels own{};
  for (const Stage stage : {Stage::Device, Stage::Wire}) {
    const auto index = static_cast<std::size_t>(stage);
    own[index] = logging::levels()[index];
  }
  return logging::spelling(own);
}

void DeviceLog::read_lines() {
  std::string text;
  for (bool open = true, stopped = false; open;) {
    std::array<char, 4096> buffer{};
    const ssize_t got = ::read(read_end_.get(), buffer.data(), buffer.size());
    if (got > 0) {
      text.append(buffer.data(), static_cast<std::size_t>(got));
      relay_lines(text);
    } else if (got == 0 || stopped) {
      open = false;
    } else if (errno == EAGAIN) {
      std::array<pollfd, 2> sources{pollfd{read_end_.get(), POLLIN, 0}, pollfd{stop_.get(), POLLIN, 0}};
      ::poll(sources.data(), sources.size(), -1);
      stopped = sources[1].revents != 0;
    } else if (errno != EINTR) {
      open = false;
    }
  }
  if (!text.empty()) logging::relay(text);
}

}  // namespace cudalabs
