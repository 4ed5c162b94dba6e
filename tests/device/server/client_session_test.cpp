#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <random>

#include "grader/base/fd.h"
#include "grader/diagnostics/messages/device.h"
#include "grader/diagnostics/messages/faults.h"
#include "tests/device/server/session_fixture.h"
#include "tests/harness/catch.h"

using namespace cudalabs;
using namespace cudalabs::protocol;
using test::launch_of;
using test::SessionFixture;

TEST_CASE("the first message is Hello, once, of our version", "[session]") {
  SessionFixture f;
  CHECK(f.send(SyncDevice{}).action == Action::Cut);
  SessionFixture other;
  CHECK(other.send(Hello{kVersion + 1}).action == Action::Cut);
  SessionFixture twice;
  twice.hello();
  CHECK(twice.send(Hello{}).action == Action::Cut);
}

TEST_CASE("memory is allocated, set, copied and freed", "[session]") {
  SessionFixture f;
  f.hello();
  const std::uint64_t a = f.allocate(100), b = f.allocate(100);
  REQUIRE(f.ask(Set{a, 0, 100, 1, 0x5a, 0}).ok());
  REQUIRE(f.ask(CopyOnDevice{b, 0, a, 0, 100, 1, 0}).ok());
  REQUIRE(f.ask(CopyOut{b, 0, 100, 1, 64, 0}).ok());
  CHECK(f.staging[63] == std::byte{0});
  CHECK(f.staging[64] == std::byte{0x5a});
  CHECK(f.staging[163] == std::byte{0x5a});
  CHECK(f.staging[164] == std::byte{0});
  CHECK(f.ask(Free{a}).ok());
  CHECK(f.ask(Free{a}).error == CudaError::InvalidValue);
  CHECK(f.ask(Free{b}).ok());
  CHECK(f.device.memory_map.empty());
}

TEST_CASE("a client's file becomes memory if nobody can cut it short, and the device takes it", "[session]") {
  SessionFixture f;
  f.hello();
  const Allocate shared{5000, {}, 0, true};
  const auto refused = [&] { return f.ask<protocol::Range>(shared).detail.english(); };
  const std::string none = "the request has no memory file to share";
  CHECK(refused() == none);
  const UniqueFd file(memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  f.file = file.get();
  REQUIRE(ftruncate(f.file, 8192) == 0);
  CHECK(refused() == none);
  REQUIRE(fcntl(f.file, F_ADD_SEALS, F_SEAL_SHRINK) == 0);
  CHECK(refused() == "host and device do not share memory");
  const UniqueFd shorter(memfd_create("test", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  f.file = shorter.get();
  REQUIRE(ftruncate(f.file, 8191) == 0);
  REQUIRE(fcntl(f.file, F_ADD_SEALS, F_SEAL_SHRINK) == 0);
  CHECK(refused() == none);
}

TEST_CASE("memory that is set aside is the client's, and not to be touched until it is back", "[session]") {
  SessionFixture f;
  f.hello();
  const std::uint64_t a = f.allocate(100), grader = f.device.allocate(64).value;
  f.session->grant(grader, 64);
  CHECK(f.ask(SetAside{grader, true}).error == CudaError::InvalidValue);
  CHECK(f.ask(SetAside{a + 4, true}).error == CudaError::InvalidValue);
  CHECK(f.ask(SetAside{a, false}).error == CudaError::InvalidValue);
  CHECK(f.ask(SetAside{a, true}).ok());
  CHECK(f.ask(SetAside{a, true}).error == CudaError::InvalidValue);
  CHECK(f.device.aside.contains(a));
  CHECK(f.ask(Set{a, 0, 100, 1, 0, 0}).error == CudaError::InvalidValue);
  CHECK(f.ask(PointerInfo{a}).error == CudaError::InvalidValue);
  CHECK(f.ask(Free{a}).error == CudaError::InvalidValue);
  // A client cannot hide its leaked memory.
  CHECK(f.session->take_outcome().allocations_left == 1);
  CHECK(f.ask(SetAside{a, false}).ok());
  CHECK(f.ask(Set{a, 0, 100, 1, 0, 0}).ok());
  CHECK(f.ask(SetAside{a, true}).ok());
  f.session.reset();
  CHECK(f.device.memory_map.size() == 1);
}

TEST_CASE("a texture shows memory that the client may touch", "[session]") {
  SessionFixture f;
  f.hello();
  const std::uint64_t a = f.allocate(3840), grader = f.device.allocate(4096).value;
  CreateTexture message;
  message.texture.memory = sim::Texture::Memory::Array;
  message.texture.width = 16;
  message.texture.height = 64;
  message.texture.pitch = 64;
  const auto create = [&](std::uint64_t address, std::uint32_t height) {
    message.texture.address = address;
    message.texture.height = height;
    return f.ask<Size>(message);
  };
  const Answer<Size> object = create(a, 60);
  CHECK(object.ok());
  CHECK(f.device.textures.size() == 1);
  CHECK(create(a, 61).error == CudaError::InvalidValue);
  CHECK(create(a + 512, 60).error == CudaError::InvalidValue);
  CHECK(create(a, 131072).error == CudaError::InvalidValue);
  CHECK(create(a + 4, 1).detail.english() ==
        "the memory is misaligned: it must begin at a multiple of 512 bytes (textureAlignment)");
  CHECK(create(grader, 1).error == CudaError::InvalidValue);
  f.session->grant(grader, 4096);
  const Answer<Size> other = create(grader, 1);
  CHECK(other.ok());
  message.texture.kind = sim::TexelKind{200};
  CHECK(create(a, 60).error == CudaError::InvalidValue);
  CHECK(f.ask(DestroyTexture{object.value.value}).ok());
  CHECK(f.ask(DestroyTexture{object.value.value}).error == CudaError::InvalidValue);
  CHECK(f.ask(DestroyTexture{12345}).error == CudaError::InvalidValue);
  CHECK(f.device.textures.size() == 1);
  f.session.reset();
  CHECK(f.device.textures.empty());
}

TEST_CASE("pitched copies move rows", "[session]") {
  SessionFixture f;
  f.hello();
  const std::uint64_t a = f.allocate(3 * 16);
  REQUIRE(f.ask(Set{a, 0, 48, 1, 0, 0}).ok());
  for (int i = 0; i < 12; ++i) f.staging[static_cast<std::size_t>(i)] = std::byte(i + 1);
  REQUIRE(f.ask(CopyIn{a, 16, 4, 3, 0, 0}).ok());
  REQUIRE(f.ask(CopyOut{a, 0, 48, 1, 0, 0}).ok());
  CHECK(f.staging[0] == std::byte{1});
  CHECK(f.staging[4] == std::byte{0});
  CHECK(f.staging[16] == std::byte{5});
  CHECK(f.staging[35] == std::byte{12});
  CHECK(f.ask(CopyIn{a, 3, 4, 3, 0, 0}).error == CudaError::InvalidPitchValue);
}

TEST_CASE("copies that touch the entry's arrays are kept, each kind once, and what is not freed is counted",
          "[session]") {
  SessionFixture f;
  f.hello();
  const std::uint64_t mine = f.allocate(64), given = f.device.allocate(100).value;
  f.send(Ready{{1}});
  f.session->grant(given, 100);
  f.session->begin_entry(0, {given, 25});
  for (int i = 0; i < 3; ++i) REQUIRE(f.ask(CopyOnDevice{mine, 0, given, 0, 25, 1, 0}).ok());
  CHECK(f.ask(Set{given + 4, 0, 97, 1, 0, 0}).error == CudaError::InvalidValue);
  REQUIRE(f.ask(Set{given + 4, 0, 8, 1, 0, 0}).ok());
  REQUIRE(f.ask(Set{mine, 0, 8, 1, 0, 0}).ok());
  const CallOutcome outcome = f.session->take_outcome();
  constexpr std::uint32_t kNone = CopyRecord::kNone;
  CHECK(outcome.copies == std::vector<CopyRecord>{{"", 25, 0, kNone, 0, false}, {"", 8, kNone, 0, 4, true}});
  CHECK(outcome.allocations_left == 1);
  CHECK(outcome.bytes_left == 64);
}

TEST_CASE("no range reaches outside what the client owns", "[session]") {
  SessionFixture f;
  f.hello();
  const std::uint64_t a = f.allocate(100);
  const std::uint64_t grader = f.device.allocate(64).value;
  constexpr std::uint64_t huge = ~std::uint64_t{0};
  CHECK(f.ask(Set{a, 0, 101, 1, 0, 0}).error == CudaError::InvalidValue);
  CHECK(f.ask(Set{a + 1, 0, 100, 1, 0, 0}).error == CudaError::InvalidValue);
  CHECK(f.ask(Set{a - 1, 0, 1, 1, 0, 0}).error == CudaError::InvalidValue);
  CHECK(f.ask(Set{a, 50, 50, 3, 0, 0}).error == CudaError::InvalidValue);
  CHECK(f.ask(Set{a, huge, 1, 3, 0, 0}).error == CudaError::InvalidValue);
  CHECK(f.ask(Set{a, huge / 2 + 1, 1, 3, 0, 0}).error == CudaError::InvalidValue);
  CHECK(f.ask(Set{a, 1, 1, huge, 0, 0}).error == CudaError::InvalidValue);
  CHECK(f.ask(Set{huge, 0, 2, 1, 0, 0}).error == CudaError::InvalidValue);
  CHECK(f.ask(Set{0, 0, 1, 1, 0, 0}).error == CudaError::InvalidValue);
  CHECK(f.ask(CopyOut{grader, 0, 1, 1, 0, 0}).error == CudaError::InvalidValue);
  CHECK(f.ask(CopyOnDevice{a, 0, grader, 0, 8, 1, 0}).error == CudaError::InvalidValue);
  CHECK(f.ask(PointerInfo{grader}).error == CudaError::InvalidValue);
  CHECK(f.ask(Free{grader}).error == CudaError::InvalidValue);
  CHECK(f.ask(Free{a + 4}).error == CudaError::InvalidValue);
}

TEST_CASE("the grader's memory is open only between grant and revoke, and never freed", "[session]") {
  SessionFixture f;
  f.hello();
  const std::uint64_t grader = f.device.allocate(64).value;
  f.session->grant(grader, 64);
  CHECK(f.ask(Set{grader, 0, 64, 1, 1, 0}).ok());
  CHECK(f.ask(Set{grader, 0, 65, 1, 1, 0}).error == CudaError::InvalidValue);
  CHECK(f.ask(Free{grader}).error == CudaError::InvalidValue);
  f.session->revoke(grader);
  CHECK(f.ask(Set{grader, 0, 1, 1, 1, 0}).error == CudaError::InvalidValue);
  f.session.reset();
  CHECK(f.device.memory_map.size() == 1);
}

TEST_CASE("an entry that frees or resets what it was given is told of", "[session]") {
  SessionFixture f;
  f.hello();
  f.send(Ready{{1}});
  const std::uint64_t before = f.device.allocate(16).value, given = f.device.allocate(64).value;
  const auto call = [&](std::vector<std::uint64_t> arguments) {
    f.session->grant(before, 16);
    f.session->grant(given, 64);
    f.session->begin_entry(0, std::move(arguments));
  };
  const auto destroyed_by = [&] {
    CHECK(f.send(EntryDone{}).action == Action::EntryDone);
    return f.session->take_outcome().destroyed_by;
  };
  SECTION("freed") {
    call({given + 16, 7});  // a guard precedes it
    CHECK(f.ask(Free{given}).error == CudaError::InvalidValue);
    CHECK(f.ask(Free{before}).error == CudaError::InvalidValue);
    CHECK(f.ask(Free{given + 16}).ok());
    CHECK(f.ask(Set{given, 0, 64, 1, 1, 0}).error == CudaError::InvalidValue);
    CHECK(f.ask(Set{before, 0, 16, 1, 1, 0}).ok());
    CHECK(f.device.memory_map.contains(given));  // the grader still owns it
    CHECK(destroyed_by() == "cudaFree()");
    call({given + 16});
    CHECK(destroyed_by().empty());
  }
  SECTION("reset") {
    call({given});
    const std::uint64_t own = f.allocate(8);
    CHECK(f.ask(ResetDevice{}).ok());
    CHECK(f.ask(Set{given, 0, 64, 1, 1, 0}).error == CudaError::InvalidValue);
    CHECK(f.ask(Set{own, 0, 8, 1, 1, 0}).ok());
    CHECK(f.device.memory_map.contains(given));
    CHECK(destroyed_by() == "cudaDeviceReset()");
  }
  SECTION("its own memory") {
    call({given});
    CHECK(f.ask(Free{f.allocate(8)}).ok());
    CHECK(destroyed_by().empty());
  }
  SECTION("nothing was given") {
    f.session->begin_entry(0, {0});
    CHECK(f.ask(ResetDevice{}).ok());
    CHECK(destroyed_by().empty());
  }
}

TEST_CASE("a program without entries may reset its device", "[session]") {
  SessionFixture f;
  f.hello();
  CHECK(f.ask(ResetDevice{}).ok());
  CHECK(f.session->take_outcome().destroyed_by.empty());
}

TEST_CASE("a launch tells whether its kernel's occupancy was asked for", "[session]") {
  SessionFixture f;
  f.hello();
  const std::uint32_t module = f.load("ok\nprint\n");
  CHECK(f.ask(launch_of(module, 0)).ok());
  CHECK(f.ask<protocol::Handle>(Occupancy{module, 0, 256, 0}).ok());
  CHECK(f.ask(launch_of(module, 0)).ok());
  CHECK(f.ask(launch_of(module, 1)).ok());
  const auto launches = f.session->take_outcome().launches;
  REQUIRE(launches.size() == 3);
  CHECK_FALSE(launches[0].occupancy_asked);
  CHECK(launches[1].occupancy_asked);
  CHECK_FALSE(launches[2].occupancy_asked);
}

TEST_CASE("arguments count as numbers and places, not as addresses", "[session]") {
  const auto passed = [](std::uint64_t guard, std::uint64_t distance, std::uint64_t value) {
    SessionFixture f;
    f.hello();
    const std::uint32_t module = f.load("ok\n");
    f.send(Ready{{1}});
    f.device.allocate(guard * 16 + 8);  // moves the following memory
    const std::uint64_t first = f.device.allocate(512).value, second = f.device.allocate(512).value;
    f.session->grant(first, 512);
    f.session->grant(second, 512);
    f.session->begin_entry(0, {first + guard, second + guard});
    const auto launch = [&](std::uint64_t argument) {
      Launch message = launch_of(module, 0);
      std::memcpy(message.parameters.data(), &argument, sizeof argument);
      CHECK(f.ask(std::move(message)).ok());
    };
    launch(second + guard + distance);
    launch(value);
    launch(0x7fff'0000'0000 + guard);  // an address of the host, or a struct
    launch(f.allocate(100) + distance);
    std::vector<std::uint64_t> fingerprints;
    for (const LaunchRecord& record : f.session->take_outcome().launches)
      fingerprints.push_back(record.arguments);
    return fingerprints;
  };
  const auto plain = passed(0, 8, 1000);
  CHECK(passed(64, 8, 1000) == plain);
  CHECK(passed(256, 8, 1000) == plain);
  const auto elsewhere = passed(0, 12, 1000), other = passed(0, 8, 1001);
  CHECK(elsewhere[0] != plain[0]);
  CHECK(elsewhere[1] == plain[1]);
  CHECK(elsewhere[3] != plain[3]);
  CHECK(other[0] == plain[0]);
  CHECK(other[1] != plain[1]);
}

TEST_CASE("code that comes after the entries were announced cuts the client off", "[session]") {
  SessionFixture f;
  f.hello();
  f.load("ok\n");
  f.send(Ready{{1}});
  f.session->begin_entry(0, {});
  const Step step = f.send(LoadModule{3});
  CHECK(step.action == Action::Cut);
  CHECK(step.reason.is(msg::module_too_late));
}

TEST_CASE("the staging buffer's ends are guarded by cutting the client off", "[session]") {
  const auto cut = [](auto message) {
    SessionFixture f;
    f.hello();
    f.allocate(64);
    return f.send(message).action == Action::Cut;
  };
  constexpr std::uint64_t huge = ~std::uint64_t{0};
  constexpr std::uint64_t a = 0x2000'0000'0000;
  CHECK(cut(CopyIn{a, 0, 8, 1, kStagingBytes - 7, 0}));
  CHECK(cut(CopyIn{a, 0, 8, 1, huge, 0}));
  CHECK(cut(CopyIn{a, 0, 8, 1, huge - 7, 0}));
  CHECK(cut(CopyIn{a, 0, huge, 2, 0, 0}));
  CHECK(cut(CopyIn{a, huge / 2, huge / 2, 2, 8, 0}));
  CHECK(cut(CopyOut{a, 0, kStagingBytes + 1, 1, 0, 0}));
  CHECK(cut(CopyOut{a, 0, 1, kStagingBytes + 1, 0, 0}));
  CHECK(cut(LoadModule{kStagingBytes + 1}));
  CHECK(cut(LoadModule{huge}));
  CHECK_FALSE(cut(CopyIn{a, 0, 8, 1, kStagingBytes - 8, 0}));
}

TEST_CASE("wrong handles are CUDA errors", "[session]") {
  SessionFixture f;
  f.hello();
  const std::uint32_t module = f.load("ok\n");
  CHECK(f.ask(GetKernel{module + 1, "ok"}).error == CudaError::InvalidResourceHandle);
  CHECK(f.ask(GetKernel{module, "none"}).error == CudaError::InvalidDeviceFunction);
  CHECK(f.ask(GetVariable{module, "none"}).error == CudaError::InvalidSymbol);
  CHECK(f.ask(launch_of(module, 1)).error == CudaError::InvalidDeviceFunction);
  CHECK(f.ask(launch_of(99, 0)).error == CudaError::InvalidDeviceFunction);
  CHECK(f.ask(SetKernelShared{module, 7, 1}).error == CudaError::InvalidResourceHandle);
  CHECK(f.ask(Occupancy{0, 0, 32, 0}).error == CudaError::InvalidResourceHandle);
  CHECK(f.ask(SyncStream{5}).error == CudaError::InvalidResourceHandle);
  CHECK(f.ask(DestroyStream{0}).error == CudaError::InvalidResourceHandle);
  CHECK(f.ask(SyncEvent{0}).error == CudaError::InvalidResourceHandle);
  CHECK(f.ask(RecordEvent{1, 0}).error == CudaError::InvalidResourceHandle);
  CHECK(f.ask(Elapsed{1, 2}).error == CudaError::InvalidResourceHandle);
  CHECK(f.device.launches == 0);
}

TEST_CASE("handles are numbered the same way every time", "[session]") {
  for (int run = 0; run < 2; ++run) {
    SessionFixture f;
    f.hello();
    CHECK(f.load("ok\n") == 1);
    CHECK(f.load("ok\n") == 2);
    CHECK(f.ask<Handle>(CreateStream{}).value.value == 1);
    CHECK(f.ask(DestroyStream{1}).ok());
    CHECK(f.ask<Handle>(CreateStream{}).value.value == 2);
    CHECK(f.ask<Handle>(CreateEvent{}).value.value == 1);
  }
}

TEST_CASE("launch parameters have the kernel's size", "[session]") {
  SessionFixture f;
  f.hello();
  const std::uint32_t module = f.load("ok\n");
  Launch launch = launch_of(module, 0);
  CHECK(f.ask(launch).ok());
  CHECK(f.device.launches == 1);
  launch.parameters.resize(7);
  CHECK(f.send(launch).action == Action::Cut);
  CHECK(f.device.launches == 1);
}

TEST_CASE("a launch cannot allow its kernel more or deeper launches than there may be", "[session]") {
  SessionFixture f;
  f.hello();
  const std::uint32_t module = f.load("ok\n");
  Launch launch = launch_of(module, 0);
  launch.most_children = kMaxChildren;
  launch.sync_depth = kMaxSyncDepth;
  CHECK(f.ask(launch).ok());
  ++(GENERATE(true, false) ? launch.most_children : launch.sync_depth);
  CHECK(f.send(launch).action == Action::Cut);
}

TEST_CASE("a fault sticks and is the grader's to see", "[session]") {
  SessionFixture f;
  f.hello();
  const std::uint32_t module = f.load("ok\nfault\n");
  CHECK(f.ask(launch_of(module, 1)).ok());
  CHECK(f.ask(launch_of(module, 0)).error == CudaError::IllegalAddress);
  CHECK(f.ask(SyncDevice{}).error == CudaError::IllegalAddress);
  CHECK(f.ask(Allocate{4}).error == CudaError::IllegalAddress);
  const CallOutcome outcome = f.session->take_outcome();
  CHECK(outcome.fault.line == 7);
  CHECK(outcome.launches.size() == 1);
}

TEST_CASE("a kernel's printf is bounded and fetched once", "[session]") {
  SessionFixture f;
  f.hello();
  const std::uint32_t module = f.load("print\nflood\n");
  CHECK(f.ask(launch_of(module, 0)).ok());
  CHECK(f.ask<Size>(TakePrinted{}).value.value == 6);
  CHECK(std::memcmp(f.staging.data(), "hello\n", 6) == 0);
  CHECK(f.ask<Size>(TakePrinted{}).value.value == 0);
  for (int i = 0; i < 10; ++i) CHECK(f.ask(launch_of(module, 1)).ok());
  const std::uint64_t printed = f.ask<Size>(TakePrinted{}).value.value;
  CHECK(printed > (std::uint64_t{15} << 20));
  CHECK(printed <= (std::uint64_t{16} << 20));
}

TEST_CASE("reports of the program are bounded and made harmless", "[session]") {
  SessionFixture f;
  f.hello();
  for (int i = 0; i < 100; ++i) {
    CHECK(f.ask(ReportError{"cudaMalloc", 2, verbatim("line\nbreak\x1b[31m")}).ok());
    CHECK(f.ask(ReportUnsupported{"call" + std::to_string(i)}).ok());
    CHECK(f.ask(ReportUnsupported{"same"}).ok());
  }
  const CallOutcome outcome = f.session->take_outcome();
  CHECK(outcome.api_errors.size() == 64);
  CHECK(outcome.api_errors[0].error == "cudaErrorMemoryAllocation");
  CHECK(outcome.api_errors[0].detail.english() == "line break?[31m");
  CHECK(outcome.unsupported_calls.size() == 64);
}

TEST_CASE("a message of the program keeps its row, and its texts are made harmless", "[session]") {
  SessionFixture f;
  f.hello();
  const Message why = msg::launch_refused("k\x1b[1m", msg::launch_refused("a\nb", msg::grid_empty(0, 1, 1)));
  CHECK(f.ask(ReportError{"cudaLaunchKernel", 1, why}).ok());
  CHECK(f.ask(ReportError{"cudaLaunchKernel", 1, verbatim(std::string(5000, 'x'))}).ok());
  CHECK(f.ask(ReportError{"cudaLaunchKernel", 1, Message()}).ok());
  const CallOutcome outcome = f.session->take_outcome();
  REQUIRE(outcome.api_errors.size() == 3);
  CHECK(outcome.api_errors[0].detail ==
        msg::launch_refused("k?[1m", msg::launch_refused("a b", msg::grid_empty(0, 1, 1))));
  CHECK(outcome.api_errors[1].detail == verbatim(std::string(kMaxText, 'x')));
  CHECK(outcome.api_errors[2].detail.empty());
}

namespace {

/// A ReportError whose detail are these bytes.
std::vector<std::byte> report_of(const std::string& detail) {
  Writer writer;
  auto kind = Kind::ReportError;
  std::string call = "cudaMalloc", bytes = detail;
  std::int32_t error = 2;
  std::uint32_t frames = 0;
  writer(kind, call, error, bytes, frames);
  return writer.take();
}

bool is_cut(const std::string& detail) {
  SessionFixture f;
  f.hello();
  const Step step = f.session->handle(report_of(detail));
  if (step.action == Action::Cut) CHECK(step.reason.is(msg::message_cut));
  return step.action == Action::Cut;
}

constexpr MessageRow kForged{"forged", RowKind::Error, "", signature_of(""), "a row of nobody"};

}  // namespace

TEST_CASE("a program that sends what is no message of the table is cut off", "[session]") {
  const Message honest = msg::launch_refused("k", msg::grid_empty(0, 1, 1));
  const std::string bytes = packed(honest);
  CHECK_FALSE(is_cut(bytes));
  for (std::size_t end = 0; end < bytes.size(); ++end) CHECK(is_cut(bytes.substr(0, end)));
  CHECK(is_cut(bytes + '\0'));
  CHECK(is_cut(packed(Message(kForged, {}))));
  // Other kinds, and another number of arguments, than the row has.
  CHECK(is_cut(packed(Message(msg::grid_empty, {std::string("0"), std::int64_t{1}, std::int64_t{1}}))));
  CHECK(is_cut(packed(Message(msg::grid_empty, {std::int64_t{0}, std::int64_t{1}}))));
  CHECK(is_cut(packed(Message(msg::launch_refused, {std::string("k"), std::string("why")}))));
  Message deep = honest;
  for (int depth = 0; depth < 4; ++depth) deep = msg::launch_refused("k", std::move(deep));
  CHECK_FALSE(is_cut(packed(deep)));
  for (int depth = 0; depth < 4; ++depth) deep = msg::launch_refused("k", std::move(deep));
  CHECK(is_cut(packed(deep)));
  CHECK(is_cut(packed(verbatim(std::string(kMaxMessage, 'x'))).substr(0, kMaxMessage - 64)));
}

TEST_CASE("a program's message with absurd numbers is shown, whatever they are", "[session]") {
  for (const std::int64_t number : {std::int64_t{-1}, INT64_MIN, INT64_MAX}) {
    SessionFixture f;
    f.hello();
    CHECK(f.ask(ReportError{"cudaMalloc", 2, msg::out_of_device_memory(number, number)}).ok());
    CHECK_FALSE(f.session->take_outcome().api_errors[0].detail.english().empty());
  }
}

TEST_CASE("a call tells of at most 16 frames", "[session]") {
  const std::vector<std::uint64_t> most(kMaxFrames, 0x1000), more(kMaxFrames + 1, 0x1000);
  const auto cut = [](auto message) {
    SessionFixture f;
    f.hello();
    return f.send(std::move(message)).action == Action::Cut;
  };
  CHECK_FALSE(cut(Allocate{4, most}));
  CHECK(cut(Allocate{4, more}));
  CHECK_FALSE(cut(ReportError{"cudaMalloc", 2, {}, most}));
  CHECK(cut(ReportError{"cudaMalloc", 2, {}, more}));
  CHECK_FALSE(cut(CopyOut{0, 0, 0, 0, 0, 0, most}));
  CHECK(cut(CopyOut{0, 0, 0, 0, 0, 0, more}));
}

TEST_CASE("an operation that is told has a place in the order of streams", "[session]") {
  const auto cut = [](const auto& spoil) {
    SessionFixture f;
    f.hello();
    protocol::StreamOperation message;
    message.operation.lane = 1;
    message.operation.number = 2;
    message.operation.clock = {1, 2};
    message.operation.touches = {{64, 8, 4, 3, true}};
    spoil(message.operation);
    return f.send(std::move(message)).action == Action::Cut;
  };
  using InstructionInfo = sim::StreamOperation;
  CHECK_FALSE(cut([](InstructionInfo&) {}));
  CHECK(cut([](InstructionInfo& t) { t.lane = 2; }));
  CHECK(cut([](InstructionInfo& t) { t.number = 1; }));
  CHECK(cut([](InstructionInfo& t) { t.number = t.clock[1] = 0; }));
  CHECK_FALSE(cut([](InstructionInfo& t) { t.clock.resize(kMaxLanes); }));
  CHECK(cut([](InstructionInfo& t) { t.clock.resize(kMaxLanes + 1); }));
  CHECK_FALSE(cut([](InstructionInfo& t) { t.work = sim::kLastStreamWork; }));
  CHECK(cut([](InstructionInfo& t) { t.work = static_cast<sim::StreamWork>(7); }));
  CHECK(cut([](InstructionInfo& t) { t.frames.resize(kMaxFrames + 1); }));
  CHECK(cut([](InstructionInfo& t) { t.touches[0].rows = 0; }));
  CHECK_FALSE(cut([](InstructionInfo& t) { t.touches[0].rows = kMaxTouchedRows; }));
  CHECK(cut([](InstructionInfo& t) { t.touches[0].rows = kMaxTouchedRows + 1; }));
  CHECK(cut(
      [](InstructionInfo& t) { t.touches.resize(2, t.touches[0]), t.touches[1].rows = kMaxTouchedRows; }));
  CHECK(cut([](InstructionInfo& t) { t.touches[0].pitch = UINT64_MAX / 2; }));
  CHECK(cut([](InstructionInfo& t) { t.touches[0].address = UINT64_MAX - 8; }));
  CHECK(cut([](InstructionInfo& t) { t.touches[0].width = UINT64_MAX; }));
  CHECK(cut([](InstructionInfo& t) { t.asked = t.asked_bytes = UINT64_MAX; }));
}

TEST_CASE("entries: order is kept, anything else cuts", "[session]") {
  SessionFixture f;
  f.hello();
  SECTION("the good order") {
    CHECK(f.send(Ready{{1, 0}}).action == Action::Ready);
    CHECK(f.session->waiting());
    const auto order = f.session->begin_entry(1, {5, 6});
    RunEntry read;
    REQUIRE(decode(order, read));
    CHECK(read.entry == 1);
    CHECK(read.arguments == std::vector<std::uint64_t>{5, 6});
    CHECK(f.ask(SyncDevice{}).ok());
    CHECK(f.send(EntryDone{}).action == Action::EntryDone);
    CHECK(f.session->waiting());
    CHECK(f.send(EntryDone{}).action == Action::Cut);
  }
  SECTION("done before a call") { CHECK(f.send(EntryDone{}).action == Action::Cut); }
  SECTION("work while waiting") {
    CHECK(f.send(Ready{{1}}).action == Action::Ready);
    CHECK(f.send(Allocate{4}).action == Action::Cut);
  }
  SECTION("ready twice") {
    CHECK(f.send(Ready{{1}}).action == Action::Ready);
    f.session->begin_entry(0, {});
    CHECK(f.send(Ready{{1}}).action == Action::Cut);
  }
  SECTION("neither defined nor not") { CHECK(f.send(Ready{{2}}).action == Action::Cut); }
  SECTION("too many") { CHECK(f.send(Ready{std::vector<std::uint8_t>(2000, 1)}).action == Action::Cut); }
  SECTION("a message before the launch is answered") {
    const std::uint32_t module = f.load("ok\n");
    CHECK(f.send(launch_of(module, 0)).action == Action::Launch);
    CHECK(f.send(SyncDevice{}).action == Action::Cut);
  }
}

TEST_CASE("a client that goes leaves nothing on the device", "[session]") {
  SessionFixture f;
  f.hello();
  for (int i = 0; i < 10; ++i) f.allocate(1000);
  f.session.reset();
  CHECK(f.device.memory_map.empty());
}

TEST_CASE("control messages and unknown kinds cut a client", "[session]") {
  for (const std::uint32_t number :
       {0u, 1u, 0x0ffu, 0x1ffu, 0x200u, 0x1000u, 0x1001u, 0x1009u, 0xffffffffu}) {
    SessionFixture f;
    f.hello();
    Writer writer;
    auto kind = static_cast<Kind>(number);
    std::uint64_t rest = 0;
    writer(kind, rest, rest, rest);
    CHECK(f.session->handle(writer.take()).action == Action::Cut);
  }
}
