#include "grader/cudart/runner.h"

#include <mutex>

#include "grader/cudart/runtime.h"

using namespace cudalabs;
using namespace cudalabs::cudart;

extern "C" int cudalabs_serve(const CudalabsEntry* entries, int count) {
  Runtime& runtime = Runtime::get();
  // Held while we wait for the grader, so that other threads wait too: they may not use the device between
  // entries.
  std::unique_lock lock(runtime.mutex);
  if (!runtime.connect().ok()) return 1;
  // The device accepts no module after this: code made in an entry could carry its results.
  load_modules(runtime);
  protocol::Ready ready;
  for (int i = 0; i < count; ++i) ready.defined.push_back(entries[i].call != nullptr ? 1 : 0);
  bool sent = protocol::send_message(runtime.socket(), protocol::encode(std::move(ready)));
  std::vector<std::byte> message;
  while (sent && protocol::receive_message(runtime.socket(), message, true) == protocol::Receive::Message) {
    protocol::RunEntry order;
    if (!protocol::decode(message, order)) return 1;
    if (order.entry < static_cast<std::uint32_t>(count) && entries[order.entry].call != nullptr) {
      lock.unlock();
      entries[order.entry].call(order.arguments.data());
      // Work that the entry left running belongs to it, with its faults and output.
      static_cast<void>(cudaDeviceSynchronize());
      static_cast<void>(cudaGetLastError());
      lock.lock();
    } else {
      print_error(msg::undefined_entry_called(order.entry));
    }
    std::fflush(nullptr);
    sent = protocol::send_message(runtime.socket(), protocol::encode(protocol::EntryDone{}));
  }
  return 0;
}
