// Hostile clients: the input is a stream of datagrams, each preceded by a 16-bit length, for one session with
// a device of byte vectors. The fake device throws if it gets a range that is not allocated, so a missing
// check is a crash.

#include <cstdint>
#include <cstring>
#include <vector>

#include "grader/device/server/client_session.h"
#include "tests/device/server/fake_device.h"

using namespace cudalabs;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  test::FakeDevice device;
  const std::uint64_t grader = device.allocate(64).value;
  static std::vector<std::byte> staging(protocol::kStagingBytes);
  std::memset(staging.data(), 0, 4096);
  std::memcpy(staging.data(), "ok\nprint\nfault\n", 15);
  const std::atomic<bool> cancel{true};
  {
    ClientSession session(device, staging);
    session.grant(grader, 64);
    session.handle(protocol::encode(protocol::Hello{}));
    while (size >= 2) {
      const std::size_t length = data[0] | static_cast<std::size_t>(data[1]) << 8;
      data += 2;
      size -= 2;
      const std::size_t taken = length < size ? length : size;
      const auto* bytes = reinterpret_cast<const std::byte*>(data);
      const Step step = session.handle({bytes, taken});
      data += taken;
      size -= taken;
      switch (step.action) {
        case Action::Launch:
          session.run_launch(&cancel);
          session.finish_launch();
          break;
        case Action::Ready:
        case Action::EntryDone: session.begin_entry(0, {grader}); break;
        case Action::Cut: return 0;
        default: break;
      }
    }
    session.take_outcome();
  }
  // The client has left: only the grader's memory and the modules' variables may remain.
  if (device.memory_map.count(grader) == 0) __builtin_trap();
  return 0;
}
