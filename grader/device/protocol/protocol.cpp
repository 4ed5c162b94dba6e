#include "grader/device/protocol/protocol.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <memory>

namespace cudalabs::protocol {

bool send_message(int socket, std::span<const std::byte> message, int descriptor) {
  iovec part{const_cast<std::byte*>(message.data()), message.size()};
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
  if (descriptor >= 0) {
    header.msg_control = control.data();
    header.msg_controllen = control.size();
    cmsghdr* attached = CMSG_FIRSTHDR(&header);
    attached->cmsg_level = SOL_SOCKET;
    attached->cmsg_type = SCM_RIGHTS;
    attached->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(attached), &descriptor, sizeof(int));
  }
  ssize_t sent = 0;
  do {
    sent = sendmsg(socket, &header, MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  return sent == static_cast<ssize_t>(message.size());
}

namespace {

/// Keeps the first attached descriptor. Our own code never sends more; further ones are closed.
void take_descriptors(msghdr& header, int& descriptor) {
  for (cmsghdr* part = CMSG_FIRSTHDR(&header); part != nullptr; part = CMSG_NXTHDR(&header, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) continue;
    for (std::size_t at = CMSG_LEN(0); at + sizeof(int) <= part->cmsg_len; at += sizeof(int)) {
      int number = -1;
      std::memcpy(&number, reinterpret_cast<const char*>(part) + at, sizeof number);
      if (descriptor < 0) {
        descriptor = number;
      } else {
        close(number);
      }
    }
  }
}

}  // namespace

Receive receive_message(int socket, std::vector<std::byte>& message, bool wait, int* descriptor,
                        std::size_t limit) {
  if (descriptor != nullptr) *descriptor = -1;
  // Most messages are a thousandth of the maximum size; so the buffer is not zeroed each time.
  const auto room = std::make_unique_for_overwrite<std::byte[]>(limit);
  iovec part{room.get(), limit};
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  // Room for as many descriptors as the kernel puts into one message: it would install those without room
  // unseen.
  constexpr std::size_t kMaxDescriptors = 253;
  alignas(cmsghdr) std::array<char, CMSG_SPACE(kMaxDescriptors * sizeof(int))> control{};
  if (descriptor != nullptr) {
    header.msg_control = control.data();
    header.msg_controllen = control.size();
  }
  ssize_t received = 0;
  do {
    received = recvmsg(socket, &header, MSG_CMSG_CLOEXEC | (wait ? 0 : MSG_DONTWAIT));
  } while (received < 0 && errno == EINTR);
  if (received < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return Receive::WouldBlock;
  if (descriptor != nullptr && received >= 0) take_descriptors(header, *descriptor);
  // An empty datagram looks like the end of the stream; no message is empty.
  if (received <= 0) return Receive::Closed;
  if ((header.msg_flags & MSG_TRUNC) != 0) return Receive::TooLong;
  message.assign(room.get(), room.get() + received);
  return Receive::Message;
}

Staging Staging::create() {
  const int descriptor = memfd_create("cudalabs-staging", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (descriptor < 0) return {};
  if (ftruncate(descriptor, static_cast<off_t>(kStagingBytes)) != 0 ||
      fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
    close(descriptor);
    return {};
  }
  return map(descriptor);
}

Staging Staging::adopt(int descriptor) {
  // Never map a file that can still shrink.
  const int seals = descriptor < 0 ? -1 : ::fcntl(descriptor, F_GET_SEALS);
  struct stat status {};
  if (seals >= 0 && (seals & F_SEAL_SHRINK) != 0 && fstat(descriptor, &status) == 0 &&
      status.st_size == static_cast<off_t>(kStagingBytes)) {
    return map(descriptor);
  }
  Staging staging;
  staging.descriptor_ = descriptor;
  return staging;
}

Staging Staging::map(int descriptor) {
  Staging staging;
  staging.descriptor_ = descriptor;
  void* mapped = mmap(nullptr, kStagingBytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (mapped != MAP_FAILED) staging.bytes_ = {static_cast<std::byte*>(mapped), kStagingBytes};
  return staging;
}

Staging::~Staging() {
  if (!bytes_.empty()) munmap(bytes_.data(), bytes_.size());
  if (descriptor_ >= 0) close(descriptor_);
}

}  // namespace cudalabs::protocol
