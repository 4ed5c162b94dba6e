// The real server loop on real sockets, with a device of byte vectors and hostile clients.

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <random>
#include <thread>

#include "grader/device/server/server.h"
#include "grader/diagnostics/messages/device.h"
#include "tests/device/server/session_fixture.h"
#include "tests/harness/catch.h"

using namespace cudalabs;
using namespace cudalabs::protocol;
using namespace std::chrono_literals;
using test::FakeDevice;

namespace {

/// The grader's side, written by hand for this test. Other tests use DeviceProcess with the real process.
struct Grader {
  int control = -1;
  std::thread thread;
  int status = -1;
  std::uint32_t sequence = 0;
  FakeDevice* device = nullptr;

  Grader() {
    int ends[2];
    REQUIRE(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0);
    control = ends[0];
    thread = std::thread([this, end = ends[1]] {
      status = Server(end, [this](const DeviceSetup&) -> Result<std::unique_ptr<Device>> {
                 auto fake = std::make_unique<FakeDevice>();
                 device = fake.get();
                 return Result<std::unique_ptr<Device>>(std::move(fake));
               }).run();
    });
    int staging = -1;
    REQUIRE(ask(Configure{}, -1, &staging).ok);
    REQUIRE(staging >= 0);
    close(staging);
  }
  ~Grader() {
    close(control);
    thread.join();
    CHECK(status == 0);
  }

  template <class M>
  std::uint32_t send(M message, int descriptor = -1) {
    message.sequence = ++sequence;
    REQUIRE(send_message(control, encode(message), descriptor));
    return sequence;
  }
  ControlReply reply(int* descriptor = nullptr) {
    pollfd source{control, POLLIN, 0};
    REQUIRE(poll(&source, 1, 10'000) == 1);
    std::vector<std::byte> message;
    REQUIRE(receive_message(control, message, true, descriptor) == Receive::Message);
    ControlReply read;
    REQUIRE(decode(message, read));
    return read;
  }
  template <class M>
  ControlReply ask(M message, int descriptor = -1, int* received = nullptr) {
    const std::uint32_t asked = send(message, descriptor);
    ControlReply read = reply(received);
    CHECK(read.sequence == asked);
    return read;
  }
  int new_client() {
    int ends[2];
    REQUIRE(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0);
    REQUIRE(ask(NewClient{}, ends[1]).ok);
    close(ends[1]);
    return ends[0];
  }
  CallOutcome outcome() {
    int descriptor = -1;
    const ControlReply read = reply(&descriptor);
    REQUIRE(read.ok);
    REQUIRE(descriptor >= 0);
    std::vector<std::byte> bytes(read.value);
    REQUIRE(pread(descriptor, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()));
    close(descriptor);
    CallOutcome result;
    Reader reader(bytes);
    reader(result);
    REQUIRE(reader.finished());
    return result;
  }
};

struct Client {
  int socket;
  Staging staging;
  explicit Client(int fd) : socket(fd) {}
  ~Client() {
    if (socket >= 0) close(socket);
  }
  void hang_up() {
    close(socket);
    socket = -1;
  }
  void send_bytes(std::span<const std::byte> bytes) { REQUIRE(send_message(socket, bytes)); }
  template <class M>
  void send(M message) {
    REQUIRE(send_message(socket, encode(message)));
  }
  Receive receive(std::vector<std::byte>& message, int* descriptor = nullptr) {
    pollfd source{socket, POLLIN, 0};
    REQUIRE(poll(&source, 1, 10'000) == 1);
    return receive_message(socket, message, true, descriptor);
  }
  bool cut_off() {
    std::vector<std::byte> message;
    while (true) {
      const Receive received = receive(message);
      if (received != Receive::Message) return received == Receive::Closed;
    }
  }
  void hello() {
    send(Hello{});
    int descriptor = -1;
    std::vector<std::byte> message;
    REQUIRE(receive(message, &descriptor) == Receive::Message);
    staging = Staging::adopt(descriptor);
    REQUIRE(staging);
  }
  template <class Payload = Nothing, class M>
  std::pair<CudaError, Payload> ask(M request) {
    send(request);
    std::vector<std::byte> message;
    REQUIRE(receive(message) == Receive::Message);
    auto kind = Kind{};
    ReplyHead head;
    Payload payload;
    Reader reader(message);
    reader(kind, head);
    if (head.error == 0) reader(payload);
    REQUIRE(reader.finished());
    return {static_cast<CudaError>(head.error), payload};
  }
  std::uint32_t load(std::string_view kernels) {
    std::memcpy(staging.bytes().data(), kernels.data(), kernels.size());
    return ask<Handle>(LoadModule{kernels.size()}).second.value;
  }
  RunEntry order() {
    std::vector<std::byte> message;
    REQUIRE(receive(message) == Receive::Message);
    RunEntry read;
    REQUIRE(decode(message, read));
    return read;
  }
};

/// The grader must be told of a violation, and the next client must work.
void check_violation(Grader& grader, Client& client, const std::string& detail) {
  CHECK(client.cut_off());
  grader.send(Serve{});
  const CallOutcome outcome = grader.outcome();
  CHECK(outcome.end == CallEnd::ProtocolViolation);
  CHECK(outcome.detail.english().find(detail) != std::string::npos);
  CHECK(grader.device->memory_map.empty());
  Client next(grader.new_client());
  next.hello();
  CHECK(next.ask(SyncDevice{}).first == CudaError::Success);
}

}  // namespace

TEST_CASE("a call from announcement to outcome", "[server]") {
  Grader grader;
  GraderAllocate allocate;
  allocate.bytes = 100;
  const std::uint64_t buffer = grader.ask(allocate).value;
  const std::uint64_t hidden = grader.ask(allocate).value;
  Client client(grader.new_client());
  grader.send(WaitReady{});
  client.hello();
  const std::uint32_t module = client.load("ok\n");
  client.send(Ready{{1, 0, 1}});
  CHECK(grader.reply().bytes == std::vector<std::uint8_t>{1, 0, 1});

  CallEntry call;
  call.entry = 2;
  call.arguments = {buffer, 7};
  grader.send(call);
  const RunEntry order = client.order();
  CHECK(order.entry == 2);
  CHECK(order.arguments == call.arguments);
  CHECK(client.ask(Set{buffer, 0, 100, 1, 3, 0}).first == CudaError::Success);
  CHECK(client.ask(Set{hidden, 0, 100, 1, 3, 0}).first == CudaError::InvalidValue);
  CHECK(client.ask(test::launch_of(module, 0)).first == CudaError::Success);
  client.send(EntryDone{});
  const CallOutcome outcome = grader.outcome();
  CHECK(outcome.end == CallEnd::Returned);
  REQUIRE(outcome.launches.size() == 1);
  CHECK(outcome.launches[0].kernel == "ok");

  GraderFree release;
  release.pointer = buffer;
  CHECK(grader.ask(release).ok);
  grader.send(call);
  client.order();
  CHECK(client.ask(Set{buffer, 0, 1, 1, 3, 0}).first == CudaError::InvalidValue);
  client.hang_up();
  CHECK(grader.outcome().end == CallEnd::SubmissionGone);
}

TEST_CASE("messages that are cut short end the connection", "[server]") {
  const std::vector<std::byte> whole = encode(test::launch_of(1, 0));
  for (const std::size_t size : {std::size_t{1}, std::size_t{3}, std::size_t{4}, whole.size() - 1}) {
    Grader grader;
    Client client(grader.new_client());
    client.hello();
    client.send_bytes(std::span(whole).first(size));
    check_violation(grader, client, "");
  }
}

TEST_CASE("a message of more than 64 KiB ends the connection", "[server]") {
  Grader grader;
  Client client(grader.new_client());
  client.hello();
  client.ask<Range>(Allocate{100});
  client.send_bytes(std::vector<std::byte>(100'000));
  check_violation(grader, client, "longer than the protocol allows");
}

TEST_CASE("a client that never reads its answers is cut off, and the grader is heard all the time",
          "[server]") {
  Grader grader;
  Client client(grader.new_client());
  client.hello();
  const std::vector<std::byte> request = encode(protocol::MemoryInfo{});
  // Runs until the server closes the connection; otherwise this loop would block and the test time out.
  const auto deadline = std::chrono::steady_clock::now() + 20s;
  while (send_message(client.socket, request) && std::chrono::steady_clock::now() < deadline) {
  }
  CHECK(std::chrono::steady_clock::now() < deadline);
  check_violation(grader, client, "does not read");
}

TEST_CASE("an endless stream of requests leaves the grader its turn", "[server]") {
  Grader grader;
  Client client(grader.new_client());
  client.hello();
  std::atomic<bool> stop{false};
  std::atomic<int> answered{0};
  std::thread noise([&] {
    const std::vector<std::byte> request = encode(protocol::MemoryInfo{});
    std::vector<std::byte> message;
    while (!stop && send_message(client.socket, request) &&
           receive_message(client.socket, message, true) == Receive::Message) {
      ++answered;
    }
  });
  while (answered < 100) std::this_thread::sleep_for(1ms);
  GraderAllocate allocate;
  allocate.bytes = 8;
  for (int i = 0; i < 50; ++i) CHECK(grader.ask(allocate).ok);
  stop = true;
  noise.join();
}

TEST_CASE("garbage of any kind ends in a cut and never takes the server down", "[server]") {
  std::mt19937 random(12345);
  for (int round = 0; round < 60; ++round) {
    Grader grader;
    Client client(grader.new_client());
    if (round % 2 == 0) client.hello();
    std::vector<std::byte> garbage(1 + random() % 300);
    for (std::byte& byte : garbage) byte = std::byte(random() & 0xff);
    client.send_bytes(garbage);
    check_violation(grader, client, "");
  }
}

TEST_CASE("messages out of order end the connection", "[server]") {
  Grader grader;
  Client client(grader.new_client());
  SECTION("nothing before Hello") {
    client.send(Allocate{4});
    check_violation(grader, client, "first message");
  }
  SECTION("a forged end of an entry") {
    client.hello();
    client.send(EntryDone{});
    check_violation(grader, client, "never called");
  }
  SECTION("work between entries") {
    client.hello();
    client.send(Ready{{1}});
    client.send(Allocate{4});
    check_violation(grader, client, "no entry was running");
  }
  SECTION("a control message") {
    client.hello();
    client.send(GraderAllocate{});
    check_violation(grader, client, "unknown kind");
  }
}

TEST_CASE("an entry that breaks the protocol ends the call at once", "[server]") {
  Grader grader;
  Client client(grader.new_client());
  client.hello();
  client.send(Ready{{1}});
  grader.ask(WaitReady{});
  grader.send(CallEntry{});
  client.order();
  client.send(CopyIn{1, 2, 3, 4, kStagingBytes, 6});
  CHECK(grader.outcome().end == CallEnd::ProtocolViolation);
}

TEST_CASE("an endless kernel is cancelled and says where it was", "[server]") {
  Grader grader;
  Client client(grader.new_client());
  client.hello();
  const std::uint32_t module = client.load("spin\n");
  client.send(Ready{{1}});
  grader.ask(WaitReady{});
  const std::uint32_t asked = grader.send(CallEntry{});
  client.order();
  client.send(test::launch_of(module, 0));
  std::this_thread::sleep_for(20ms);
  grader.send(Cancel{});
  int descriptor = -1;
  const ControlReply read = grader.reply(&descriptor);
  CHECK(read.sequence == asked);
  std::vector<std::byte> bytes(read.value);
  REQUIRE(pread(descriptor, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()));
  close(descriptor);
  CallOutcome outcome;
  Reader reader(bytes);
  reader(outcome);
  CHECK(outcome.end == CallEnd::TimedOut);
  CHECK(outcome.fault.kind == sim::FaultKind::InstructionLimit);
  CHECK(outcome.fault.line == 9);
  CHECK(client.cut_off());
}

TEST_CASE("an endless host loop is cut off when the grader says so", "[server]") {
  Grader grader;
  Client client(grader.new_client());
  client.hello();
  client.send(Ready{{1}});
  grader.ask(WaitReady{});
  grader.send(CallEntry{});
  client.order();
  grader.send(Cancel{});
  CHECK(grader.outcome().end == CallEnd::TimedOut);
  CHECK(client.cut_off());
}

TEST_CASE("a client that dies in a launch stops it and frees what it had", "[server]") {
  Grader grader;
  {
    Client client(grader.new_client());
    client.hello();
    const std::uint32_t module = client.load("spin\n");
    client.send(Ready{{1}});
    grader.ask(WaitReady{});
    grader.send(CallEntry{});
    client.order();
    client.ask<protocol::Range>(Allocate{1000});
    client.send(test::launch_of(module, 0));
    std::this_thread::sleep_for(20ms);
  }
  CHECK(grader.outcome().end == CallEnd::SubmissionGone);
}

TEST_CASE("a new client replaces the old one in the middle of a launch", "[server]") {
  Grader grader;
  Client old(grader.new_client());
  old.hello();
  old.ask<Range>(Allocate{1000});
  const std::uint32_t module = old.load("spin\n");
  old.send(test::launch_of(module, 0));
  std::this_thread::sleep_for(20ms);
  Client next(grader.new_client());
  CHECK(old.cut_off());
  next.hello();
  CHECK(next.ask(SyncDevice{}).first == CudaError::Success);
  CHECK(next.ask<Range>(Allocate{64}).first == CudaError::Success);
}

TEST_CASE("a program that exits before it announces its functions is told from one that is slow",
          "[server]") {
  Grader grader;
  {
    Client client(grader.new_client());
    client.hello();
    grader.send(WaitReady{});
  }
  const ControlReply reply = grader.reply();
  CHECK_FALSE(reply.ok);
  CHECK(reply.problem.contains(msg::ended_before_announcing));
}

TEST_CASE("a program without a runner is served until it hangs up", "[server]") {
  Grader grader;
  {
    Client client(grader.new_client());
    client.hello();
    const std::uint32_t module = client.load("print\n");
    CHECK(client.ask(test::launch_of(module, 0)).first == CudaError::Success);
    grader.send(Serve{});
  }
  const CallOutcome outcome = grader.outcome();
  CHECK(outcome.end == CallEnd::Returned);
  CHECK(outcome.launches.size() == 1);
}

TEST_CASE("the grader's memory is its own and checked too", "[server]") {
  Grader grader;
  GraderAllocate allocate;
  allocate.bytes = 16;
  const std::uint64_t buffer = grader.ask(allocate).value;
  GraderWrite write;
  write.pointer = buffer;
  write.bytes = 17;
  CHECK_FALSE(grader.ask(write).ok);
  write.bytes = 16;
  CHECK(grader.ask(write).ok);
  GraderRead read;
  read.pointer = buffer + 8;
  read.bytes = 9;
  CHECK_FALSE(grader.ask(read).ok);
  GraderFree release;
  release.pointer = buffer + 8;
  CHECK_FALSE(grader.ask(release).ok);
}
