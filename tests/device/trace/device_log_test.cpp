#include "grader/device/trace/device_log.h"

#include <unistd.h>

#include <array>
#include <chrono>
#include <string>
#include <thread>

#include "grader/device/client/device_process.h"
#include "tests/harness/catch.h"
#include "tests/harness/files.h"

using namespace cudalabs;
using logging::Levels;

namespace {

std::string logged(const std::string& levels, const std::function<void()>& work) {
  const test::TemporaryFolder folder;
  const std::string file = (folder.path() / "log").string();
  REQUIRE(logging::start(*logging::read_levels(levels, "--log"), file));
  work();
  logging::start(Levels{}, STDERR_FILENO);
  return test::read_file(file);
}

void write_to_device() {
  const auto device = DeviceProcess::start({});
  REQUIRE(device);
  const auto array = (*device)->allocate(4);
  REQUIRE(array);
  const std::array<std::byte, 4> secret{std::byte{'q'}, std::byte{'z'}, std::byte{'x'}, std::byte{'j'}};
  CHECK((*device)->write(*array, secret).ok());
  CHECK_FALSE((*device)->free(*array + 1).ok());
  const auto client = (*device)->new_client();
  REQUIRE(client);
  ::close(*client);  // the device process logs that its client has gone
  CHECK_FALSE((*device)->wait_ready(std::chrono::seconds(10)));
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++found;
  return found;
}

}  // namespace

TEST_CASE("the wire's trace shows each request and its reply") {
  const std::string text = logged("wire=trace", write_to_device);
  INFO(text);
  CHECK(text.find("grader -> device  GraderAllocate #2 bytes=4\n") != std::string::npos);
  CHECK(text.find("grader <- device  GraderAllocate #2 ok pointer=0x") != std::string::npos);
  CHECK(text.find("grader <- device  GraderWrite #3 ok, ") != std::string::npos);
  CHECK(text.find("grader <- device  GraderFree #4 refused (") != std::string::npos);
  CHECK(count(text, "grader -> device") == count(text, "grader <- device"));
  CHECK(text.find("qzxj") == std::string::npos);  // no byte of a program
}

TEST_CASE("a device process logs through the grader, and only if it is asked to") {
  const std::string text = logged("device=debug", write_to_device);
  INFO(text);
  CHECK(text.find("device    started device process ") != std::string::npos);
  CHECK(text.find("debug   device    the client has gone\n") != std::string::npos);
  CHECK(text.find("wire") == std::string::npos);
  CHECK(logged("run=trace", write_to_device).empty());
}

TEST_CASE("a device process gets the levels of its own stages only") {
  logged("trace,device=info", [] { CHECK(DeviceLog::levels() == "device=info,wire=trace"); });
  logged("run=trace", [] { CHECK(DeviceLog::open() == nullptr); });
}

TEST_CASE("what a device process writes is taken line by line, also when it stops in one") {
  const std::string text = logged("device=trace", [] {
    const auto log = DeviceLog::open();
    REQUIRE(log);
    const auto say = [&](const std::string& words) {
      CHECK(::write(log->write_end(), words.data(), words.size()) == static_cast<ssize_t>(words.size()));
    };
    say("info device one\ninfo dev");
    say("ice two\n\033[2Jinfo device three\n");
    say("info device cut");
    // It holds the pipe on, as a tool's other processes might: the log does not wait for its end.
  });
  INFO(text);
  CHECK(text.find("info    device    one\n") != std::string::npos);
  CHECK(text.find("info    device    two\n") != std::string::npos);
  CHECK(text.find("not a line of a log: \\x1b[2Jinfo device three\n") != std::string::npos);
  CHECK(text.find("info    device    cut\n") != std::string::npos);
}
