// The grader's handle with a real device process.

#include "grader/device/client/device_process.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <fstream>

#include "tests/harness/catch.h"
#include "tests/harness/device_process.h"
#include "tests/harness/files.h"

using namespace cudalabs;

TEST_CASE("a device process is what the options say", "[handle]") {
  DeviceOptions options;
  options.memory_bytes = 1 << 20;
  const auto device = DeviceProcess::start(options);
  REQUIRE(device);
  CHECK((*device)->facts().name == "cuda-labs simulator (sm_80)");
  CHECK((*device)->allocate(512 << 10).ok());
  CHECK_FALSE((*device)->allocate(2 << 20).ok());
}

TEST_CASE("the grader's memory is its own, range by range", "[handle]") {
  const auto device = DeviceProcess::start({});
  REQUIRE(device);
  const auto from = (*device)->allocate(4), to = (*device)->allocate(4);
  REQUIRE(from);
  REQUIRE(to);
  const std::array<std::byte, 4> sent{std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4}};
  std::array<std::byte, 4> got{};
  CHECK((*device)->write(*from, sent).ok());
  CHECK((*device)->copy(*to, *from, 4).ok());
  CHECK((*device)->read(*to, got).ok());
  CHECK(got == sent);
  CHECK_FALSE((*device)->read(*to + 1, got).ok());
  CHECK((*device)->free(*from).ok());
  CHECK_FALSE((*device)->free(*from).ok());
}

TEST_CASE("a device process that needs too much memory ends itself, and says so", "[handle]") {
  DeviceOptions options;
  options.memory_bytes = std::uint64_t{2} << 30;
  options.process_bytes = std::uint64_t{256} << 20;
  const auto device = DeviceProcess::start(options);
  REQUIRE(device);
  const std::vector<std::byte> bytes(std::size_t{512} << 20);
  const auto array = (*device)->allocate(bytes.size());
  REQUIRE(array);  // unwritten memory takes no space
  CHECK((*device)->write(*array, std::span(bytes).first(64 << 20)).ok());
  CHECK((*device)->memory_limit().empty());
  CHECK_FALSE((*device)->write(*array, bytes).ok());
  CHECK((*device)->memory_limit().english() ==
        "the device process needed more than 256 MiB of memory for what the program did");
  CHECK((*device)->call(0, {}, std::chrono::seconds(1)).end == CallEnd::MemoryLimit);
}

TEST_CASE("a device process that was killed is not one without memory", "[handle]") {
  const auto device = DeviceProcess::start({});
  REQUIRE(device);
  std::ifstream children("/proc/self/task/" + std::to_string(::getpid()) + "/children");
  for (int child = 0; children >> child;) ::kill(child, SIGKILL);
  CHECK((*device)->call(0, {}, std::chrono::seconds(1)).end == CallEnd::DeviceLost);
  CHECK((*device)->memory_limit().empty());
}

TEST_CASE("a device process is confined, goes before others do, and leaves no core", "[handle]") {
  ::setenv("A_PASSWORD_OF_CI", "secret", 1);
  const int leaked = ::open("/dev/null", O_RDONLY);  // a descriptor that a parent process might leave open
  const auto device = DeviceProcess::start({});
  REQUIRE(device);
  std::ifstream children("/proc/self/task/" + std::to_string(::getpid()) + "/children");
  int child = 0;
  REQUIRE(children >> child);
  const std::string folder = "/proc/" + std::to_string(child);
  const auto has = [&folder](const char* file, const char* what) {
    return test::read_file(folder + "/" + file).find(what) != std::string::npos;
  };
#ifndef __SANITIZE_ADDRESS__  // as in device_main.cpp
  CHECK(has("status", "Seccomp:\t2"));
  CHECK(has("status", "NoNewPrivs:\t1"));
#endif
  CHECK(has("limits", "Max core file size        0                    0"));
  CHECK(test::read_file(folder + "/environ").find("secret") == std::string::npos);
  CHECK(test::read_file(folder + "/oom_score_adj") == "1000\n");
  ::close(leaked);
  std::error_code unseen;
  std::size_t files = 0;
  for (std::filesystem::directory_iterator fd(folder + "/fd", unseen), end; !unseen && fd != end;
       fd.increment(unseen)) {
    std::error_code gone;
    const std::string target = std::filesystem::read_symlink(fd->path(), gone).string();
    if (fd->path().filename().string().size() > 1 || fd->path().filename().string() > "2")
      files += target.starts_with("/") && !target.starts_with("/memfd") && !target.ends_with("/statm");
  }
  CHECK(files == 0);
}

TEST_CASE("a device that there is not is an error with its reason", "[handle]") {
  DeviceOptions options;
  options.kind = static_cast<DeviceKind>(7);
  const auto device = DeviceProcess::start(options);
  REQUIRE_FALSE(device);
  CHECK(device.problem().message.english().find("the grader asked for an unknown device") !=
        std::string::npos);
}

TEST_CASE("a number of devices that there cannot be is an error", "[handle]") {
  DeviceOptions options;
  for (const std::size_t count : {std::size_t{0}, std::size_t{17}}) {
    options.devices.assign(count, 0);
    const auto device = DeviceProcess::start(options);
    REQUIRE_FALSE(device);
    CHECK(device.problem().message.english().find("the grader asked for " + std::to_string(count) +
                                                  " devices") != std::string::npos);
  }
}

TEST_CASE("asked for the simulator, nobody looks for a GPU", "[handle]") {
  const auto device = start_card(DeviceChoice::Simulator, {}, [](const Message&) { FAIL("nothing to say"); });
  REQUIRE(device);
  CHECK(*device == nullptr);
}
