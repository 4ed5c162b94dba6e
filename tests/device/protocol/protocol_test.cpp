#include "grader/device/protocol/protocol.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "grader/device/protocol/control.h"
#include "tests/harness/catch.h"

using namespace cudalabs;
using namespace cudalabs::protocol;

TEST_CASE("a message survives the way", "[protocol]") {
  Launch launch;
  launch.module = 3;
  launch.grid_y = 65535;
  launch.cooperative = true;
  launch.dynamic_shared_bytes = 0x1234567890;
  launch.parameters = {std::byte{1}, std::byte{2}, std::byte{255}};
  Launch copy;
  REQUIRE(decode(encode(launch), copy));
  CHECK(copy.module == 3);
  CHECK(copy.grid_y == 65535);
  CHECK(copy.cooperative);
  CHECK(copy.dynamic_shared_bytes == 0x1234567890);
  CHECK(copy.parameters == launch.parameters);
}

TEST_CASE("an outcome survives the way", "[protocol]") {
  CallOutcome outcome;
  outcome.end = CallEnd::TimedOut;
  outcome.fault = {
      sim::FaultKind::Misaligned, verbatim("m"), verbatim("a"), "k", "f.cu", 12, {1, 2, 3}, {4, 5, 6}};
  LaunchRecord record;
  record.kernel = "k<0>";
  record.grid = {7, 8, 9};
  record.counters.shared_load_wavefronts = 11;
  record.counters.barriers = 13;
  record.lines.push_back({"f.cu", 3, record.counters});
  record.bounds.latency = 2.5;
  sim::LineAccesses line{"f.cu", 4, 5, 6, 7, {}};
  line.worst = {sim::AccessKind::Store, false, 8, 0xFF, 3, {1, 2, 3}, 9, {}, "tile", 16};
  line.worst.offsets[31] = 124;
  record.accesses = {line};
  outcome.launches = {record, record};
  outcome.api_errors.push_back({"cudaMalloc", "cudaErrorMemoryAllocation", verbatim("too much")});
  outcome.unsupported_calls = {"cudaGraphCreate"};
  outcome.bytes_to_host = 99;
  Writer writer;
  writer(outcome);
  const auto bytes = writer.take();
  CallOutcome copy;
  Reader reader(bytes);
  reader(copy);
  REQUIRE(reader.finished());
  CHECK(copy.end == CallEnd::TimedOut);
  CHECK(copy.fault.line == 12);
  CHECK(copy.fault.thread == std::array<std::uint32_t, 3>{4, 5, 6});
  REQUIRE(copy.launches.size() == 2);
  CHECK(copy.launches[1].grid == record.grid);
  CHECK(copy.launches[1].counters == record.counters);
  CHECK(copy.launches[1].lines.at(0).counters == record.counters);
  CHECK(copy.launches[1].accesses == record.accesses);
  CHECK(copy.launches[1].bounds.latency == 2.5);
  CHECK(copy.api_errors.at(0).detail.english() == "too much");
  CHECK(copy.unsupported_calls == outcome.unsupported_calls);
  CHECK(copy.bytes_to_host == 99);
}

TEST_CASE("every shorter and every longer message is refused", "[protocol]") {
  GetKernel message{5, "_Z3foov"};
  std::vector<std::byte> bytes = encode(message);
  GetKernel read;
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    CHECK_FALSE(decode(std::span(bytes).first(size), read));
  }
  CHECK(decode(bytes, read));
  bytes.push_back(std::byte{0});
  CHECK_FALSE(decode(bytes, read));
}

TEST_CASE("a count beyond the message is refused and allocates nothing", "[protocol]") {
  std::vector<std::byte> bytes = encode(GetKernel{5, "name"});
  const std::uint32_t huge = 0xffffffff;
  std::memcpy(bytes.data() + 8, &huge, sizeof huge);
  GetKernel read;
  CHECK_FALSE(decode(bytes, read));
  CHECK(read.name.capacity() < 100);

  RunEntry order{1, {1, 2, 3}};
  bytes = encode(order);
  const std::uint32_t over = 4;
  std::memcpy(bytes.data() + 8, &over, sizeof over);
  RunEntry got;
  CHECK_FALSE(decode(bytes, got));
  CHECK(got.arguments.capacity() < 100);
}

TEST_CASE("what a device process is told to be arrives whole", "[protocol]") {
  Configure sent;
  sent.sequence = 7;
  sent.setup = {DeviceKind::Gpu, 1, 2, 3, false, sim::Engine::Native, true, true, true, 4, {}};
  sent.setup.profile.clock_ghz = 5;
  sent.setup.profile.copy_gb_per_s = 6;
  sent.setup.devices = {3, 1};
  sent.setup.simulated_code = true;
  sent.setup.watched_by_tool = true;
  sent.setup.capability = 90;
  Configure got;
  REQUIRE(decode(encode(sent), got));
  CHECK(got.sequence == 7);
  CHECK(got.setup == sent.setup);
}

TEST_CASE("every counter arrives as itself", "[protocol]") {
  sim::Counters sent;
  std::uint64_t number = 0;
#define CUDALABS_COUNTER(field, shown) sent.field = ++number;
#include "grader/sim/base/counters.def"
#undef CUDALABS_COUNTER
  sim::Counters got;
  REQUIRE(from_bytes(to_bytes(sent), got));
  CHECK(got == sent);
}

TEST_CASE("a bool that is neither 0 nor 1 is refused", "[protocol]") {
  std::vector<std::byte> bytes = encode(Launch{});
  // Kind, module, kernel, six sizes, shared bytes
  bytes.at(4 + 4 + 4 + 24 + 8) = std::byte{2};
  Launch read;
  CHECK_FALSE(decode(bytes, read));
}

TEST_CASE("one kind is not taken for another", "[protocol]") {
  SyncStream read;
  CHECK_FALSE(decode(encode(SyncEvent{7}), read));
  CHECK(decode(encode(SyncStream{7}), read));
  CHECK(read.handle == 7);
}

TEST_CASE("a staging buffer cannot be resized by who receives it", "[protocol]") {
  const Staging ours = Staging::create();
  REQUIRE(ours);
  const int theirs = dup(ours.descriptor());
  CHECK(ftruncate(theirs, 0) != 0);
  CHECK(ftruncate(theirs, 1 << 30) != 0);
  CHECK(fcntl(theirs, F_ADD_SEALS, F_SEAL_WRITE) != 0);
  ours.bytes()[kStagingBytes - 1] = std::byte{42};
  const Staging adopted = Staging::adopt(theirs);
  REQUIRE(adopted);
  CHECK(adopted.bytes()[kStagingBytes - 1] == std::byte{42});
}

TEST_CASE("a memfd of another size is not adopted", "[protocol]") {
  CHECK_FALSE(Staging::adopt(memfd_create("small", MFD_CLOEXEC)));
  const int unsealed = memfd_create("unsealed", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  REQUIRE(ftruncate(unsealed, kStagingBytes) == 0);
  CHECK_FALSE(Staging::adopt(unsealed));
  std::FILE* const on_disk = std::tmpfile();  // it does not support seals, which gives an error
  REQUIRE(on_disk != nullptr);
  REQUIRE(ftruncate(fileno(on_disk), kStagingBytes) == 0);
  CHECK_FALSE(Staging::adopt(dup(fileno(on_disk))));
  std::fclose(on_disk);
  CHECK_FALSE(Staging::adopt(-1));
}

TEST_CASE("sockets carry messages whole, refuse long ones, and drop unwanted descriptors", "[protocol]") {
  int ends[2];
  REQUIRE(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0);
  std::vector<std::byte> message;
  CHECK(receive_message(ends[0], message, false) == Receive::WouldBlock);

  const std::vector<std::byte> long_one(kMaxMessage + 1);
  REQUIRE(send_message(ends[1], long_one));
  CHECK(receive_message(ends[0], message, true) == Receive::TooLong);

  const int before = dup(0);
  close(before);
  const std::vector<std::byte> short_one(5, std::byte{9});
  REQUIRE(send_message(ends[1], short_one, 0));
  CHECK(receive_message(ends[0], message, true) == Receive::Message);
  CHECK(message == short_one);
  const int after = dup(0);
  close(after);
  CHECK(before == after);

  int descriptor = -1;
  REQUIRE(send_message(ends[1], short_one, 0));
  CHECK(receive_message(ends[0], message, true, &descriptor) == Receive::Message);
  CHECK(descriptor >= 0);
  close(descriptor);

  // If a message has several descriptors, the others are closed.
  const std::array<int, 3> several{0, 0, 0};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof several)> control{};
  char byte = 1;
  iovec part{&byte, 1};
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  header.msg_control = control.data();
  header.msg_controllen = control.size();
  cmsghdr* const rights = CMSG_FIRSTHDR(&header);
  *rights = {CMSG_LEN(sizeof several), SOL_SOCKET, SCM_RIGHTS};
  std::memcpy(CMSG_DATA(rights), several.data(), sizeof several);
  REQUIRE(sendmsg(ends[1], &header, 0) == 1);
  CHECK(receive_message(ends[0], message, true, &descriptor) == Receive::Message);
  close(descriptor);
  const int then = dup(0);
  close(then);
  CHECK(before == then);

  close(ends[1]);
  CHECK(receive_message(ends[0], message, true) == Receive::Closed);
  CHECK_FALSE(send_message(ends[0], short_one));
  close(ends[0]);
}
