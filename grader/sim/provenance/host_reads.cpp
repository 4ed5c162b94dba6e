#include "grader/sim/provenance/host_reads.h"

#include <algorithm>
#include <cstring>

namespace cudalabs::sim {
namespace {

constexpr std::size_t kHead = 16;  // bytes that do not match by accident
constexpr std::size_t kMaxKept = std::size_t{64} << 20;
constexpr std::size_t kMaxTried = std::size_t{1} << 30;

}  // namespace

bool HostReads::add(DevicePtr from, std::span<const std::byte> bytes,
                    const std::function<ProvenanceGraph::Node(DevicePtr)>& value_of) {
  if (from % kWord != 0 || kept_ + bytes.size() > kMaxKept) return false;
  kept_ += bytes.size();
  Read& read = reads_.emplace_back(Read{from, {bytes.begin(), bytes.end()}, {}, 0});
  read.values.reserve(bytes.size() / kWord);
  for (std::size_t at = 0; at + kWord <= bytes.size(); at += kWord)
    read.values.push_back(value_of(from + at));
  return true;
}

/// Sets `next` to the place in the read data where the written bytes begin. False: they do not occur.
bool HostReads::place(Read& read, std::span<const std::byte> written) {
  const std::size_t head = std::min(kHead, written.size());
  const auto begins_at = [&](std::size_t at) {
    ++tried_;
    return at + head <= read.bytes.size() && std::memcmp(read.bytes.data() + at, written.data(), head) == 0;
  };
  if (begins_at(read.next)) return true;
  if (begins_at(0)) {
    read.next = 0;
    return true;
  }
  if (head < kHead) return false;
  tried_ += read.bytes.size();
  const void* const found = memmem(read.bytes.data(), read.bytes.size(), written.data(), head);
  if (found == nullptr) return false;
  read.next = static_cast<std::size_t>(static_cast<const std::byte*>(found) - read.bytes.data());
  return read.next % kWord == 0;
}

void HostReads::find(std::span<const std::byte> written,
                     const std::function<void(std::size_t, std::size_t, std::size_t)>& copied) {
  std::size_t at = 0;
  const auto take = [&](Read& read) {
    for (; at + kWord <= written.size() && read.next + kWord <= read.bytes.size(); at += kWord) {
      if (std::memcmp(written.data() + at, read.bytes.data() + read.next, kWord) != 0) continue;  // padding
      copied(at, static_cast<std::size_t>(&read - reads_.data()), read.next);
      read.next += kWord;
    }
  };
  while (at + kWord <= written.size() && tried_ < kMaxTried) {
    const auto read = std::find_if(reads_.rbegin(), reads_.rend(), [&](Read& candidate) {
      return tried_ < kMaxTried && place(candidate, written.subspan(at));
    });
    if (read == reads_.rend()) {
      at += kWord;
    } else {
      take(*read);
    }
  }
}

}  // namespace cudalabs::sim
