// The part of ClientSession that checks which memory a client may access, and moves its bytes.

#include "grader/device/server/client_session.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

#include "grader/device/server/current_work.h"
#include "grader/diagnostics/messages/device.h"

namespace cudalabs {
namespace {

using namespace protocol;

constexpr std::uint64_t kPage = 4096;
constexpr std::size_t kMaxAllocations = 65536;  ///< of one client; far above what a program needs

/// True iff nobody can shrink this memory file: to access a page behind its end would kill us.
bool is_shared_file(int file, std::uint64_t bytes) {
  const int seals = file < 0 ? -1 : ::fcntl(file, F_GET_SEALS);
  if (seals < 0 || (seals & F_SEAL_SHRINK) == 0) return false;
  const off_t size = ::lseek(file, 0, SEEK_END);
  return size >= 0 && static_cast<std::uint64_t>(size) >= (bytes + kPage - 1) / kPage * kPage;
}

std::string hex(std::uint64_t value) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  do {
    text.insert(text.begin(), kDigits[value & 15]);
    value >>= 4;
  } while (value != 0);
  return "0x" + text;
}

}  // namespace

Answer<protocol::Range> ClientSession::on_allocate(const Allocate& message) {
  if (!health().ok()) return failure<protocol::Range>(health());
  const Doing copying(DeviceWork::Copying);
  if (message.bytes == 0) return failure<protocol::Range>(CudaError::InvalidValue, msg::allocation_empty());
  const MemoryUse memory = device_.memory().use();
  if ((message.bytes > memory.free_bytes && !message.shared) || allocations_ >= kMaxAllocations) {
    return failure<protocol::Range>(CudaError::MemoryAllocation,
                                    msg::allocation_too_large(message.bytes, memory.free_bytes));
  }
  if (message.shared && !is_shared_file(file_, message.bytes))
    return failure<protocol::Range>(CudaError::InvalidValue, msg::shared_file_missing());
  const Answer<DevicePtr> pointer = message.shared ? device_.memory().share(message.bytes, file_)
                                                   : device_.memory().allocate(message.bytes);
  if (!pointer.ok()) return failure<protocol::Range>(pointer);
  ranges_[pointer.value] = {message.bytes, Owner::Client, false, message.frames};
  if (group_ != nullptr && message.granted != 0) group_->grant(pointer.value, message.granted);
  ++allocations_;
  client_bytes_ += message.bytes;
  outcome_.peak_bytes = std::max(outcome_.peak_bytes, client_bytes_);
  return answer(protocol::Range{pointer.value, message.bytes});
}

Status ClientSession::on_free(const Free& message) {
  if (!health().ok()) return health();
  const auto* given = find_range(message.pointer, 0);
  const bool is_argument = std::ranges::find(arguments_, message.pointer) != arguments_.end();
  if (entry_running_ && is_argument && given != nullptr && given->second.owner == Owner::Grader) {
    // A card allows this: the memory came from cudaMalloc, whoever called it.
    if (outcome_.destroyed_by.empty()) outcome_.destroyed_by = "cudaFree()";
    ranges_.erase(given->first);
    return {};
  }
  const auto found = ranges_.find(message.pointer);
  if (found == ranges_.end() || found->second.owner != Owner::Client || found->second.aside) {
    return {CudaError::InvalidValue, msg::pointer_not_allocated(hex(message.pointer))};
  }
  const Status freed = device_.memory().free(message.pointer);
  client_bytes_ -= found->second.bytes;
  ranges_.erase(found);
  --allocations_;
  return freed;
}

Status ClientSession::on_set_aside(const SetAside& message) {
  if (!health().ok()) return health();
  const auto found = ranges_.find(message.pointer);
  if (found == ranges_.end() || found->second.owner != Owner::Client || found->second.aside == message.aside)
    return {CudaError::InvalidValue, msg::pointer_of_no_allocation(hex(message.pointer))};
  found->second.aside = message.aside;
  device_.memory().quarantine(message.pointer, message.aside);
  return {};
}

Answer<Size> ClientSession::on_create_texture(const CreateTexture& message) {
  constexpr std::size_t kMaxTextures = 65536;
  if (!health().ok()) return failure<Size>(health());
  const sim::Texture& texture = message.texture;
  if (auto problem = sim::texture_problem(texture))
    return failure<Size>(CudaError::InvalidValue, *std::move(problem));
  if (find_range(texture.address, texture.bytes()) == nullptr) {
    return failure<Size>(CudaError::InvalidValue,
                         msg::texture_not_in_allocation(hex(texture.address), texture.bytes()));
  }
  if (textures_.size() >= kMaxTextures)
    return failure<Size>(CudaError::MemoryAllocation, msg::too_many_textures());
  const Answer<std::uint64_t> object = device_.memory().create_texture(texture);
  if (!object.ok()) return failure<Size>(object);
  textures_.insert(object.value);
  return answer(Size{object.value});
}

Status ClientSession::on_destroy_texture(const DestroyTexture& message) {
  if (!health().ok()) return health();
  if (textures_.erase(message.object) == 0) return {CudaError::InvalidValue, msg::texture_unknown()};
  device_.memory().destroy_texture(message.object);
  return {};
}

Status ClientSession::on_reset() {
  if (!health().ok()) return health();
  const std::size_t taken =
      std::erase_if(ranges_, [](const auto& range) { return range.second.owner == Owner::Grader; });
  if (taken > 0 && entry_running_ && outcome_.destroyed_by.empty())
    outcome_.destroyed_by = "cudaDeviceReset()";
  forget_peer_access(chosen_);
  return device_.operations().synchronize();
}

const std::pair<const DevicePtr, ClientSession::Range>* ClientSession::find_range(DevicePtr pointer,
                                                                                  std::uint64_t bytes) const {
  auto after = ranges_.upper_bound(pointer);
  if (after == ranges_.begin()) return nullptr;
  const auto& range = *std::prev(after);
  const std::uint64_t offset = pointer - range.first;
  if (range.second.aside || offset > range.second.bytes || bytes > range.second.bytes - offset)
    return nullptr;
  return &range;
}

Status ClientSession::check_range(Pitched range, Extent extent, const char* what) const {
  std::uint64_t bytes = 0;
  if (extent.rows > 1 && range.pitch < extent.width)
    return {CudaError::InvalidPitchValue, msg::copy_pitch_below_width()};
  if (__builtin_mul_overflow(extent.rows - 1, range.pitch, &bytes) ||
      __builtin_add_overflow(bytes, extent.width, &bytes) || find_range(range.address, bytes) == nullptr) {
    return {CudaError::InvalidValue, msg::range_not_in_allocation(what, hex(range.address), bytes)};
  }
  return {};
}

bool ClientSession::in_staging(std::uint64_t offset, std::uint64_t width, std::uint64_t rows) const {
  std::uint64_t bytes = 0;
  return !__builtin_mul_overflow(width, rows, &bytes) && offset <= staging_.size() &&
         bytes <= staging_.size() - offset;
}

Step ClientSession::on_copy_in(const CopyIn& message) {
  const Doing copying(DeviceWork::Copying);
  if (!in_staging(message.offset, message.width, message.rows)) return cut(msg::copy_from_outside_staging());
  const Pitched to{message.to, message.pitch};
  const Extent extent{message.width, message.rows};
  Status status = health();
  DeviceStream* stream = status.ok() ? find_stream(message.stream, status) : nullptr;
  if (!status.ok() || extent.width == 0 || extent.rows == 0) return reply(status);
  status = check_range(to, extent, "destination");
  if (status.ok())
    status = device_.operations().copy_to_device(to, staging_.data() + message.offset, extent, stream);
  if (status.ok()) {
    outcome_.bytes_to_device += extent.width * extent.rows;
    keep_copy({}, to, extent, false);
  }
  return reply(status);
}

Step ClientSession::on_copy_out(const CopyOut& message) {
  if (!in_staging(message.offset, message.width, message.rows)) return cut(msg::copy_to_outside_staging());
  if (message.frames.size() > kMaxFrames) return cut(msg::frames_too_many());
  const Pitched from{message.from, message.pitch};
  const Extent extent{message.width, message.rows};
  Status status = health();
  DeviceStream* stream = status.ok() ? find_stream(message.stream, status) : nullptr;
  if (!status.ok() || extent.width == 0 || extent.rows == 0) return reply(status);
  status = check_range(from, extent, "source");
  if (status.ok())
    status = device_.operations().copy_to_host(staging_.data() + message.offset, from, extent, stream);
  if (status.ok()) {
    outcome_.bytes_to_host += extent.width * extent.rows;
    keep_copy(from, {}, extent, false);
    for (std::uint64_t row = 0; row < extent.rows && !message.frames.empty(); ++row)
      device_.instrumentation().read_by_host({from.address + row * from.pitch, extent.width}, message.frames);
  }
  return reply(status);
}

Status ClientSession::on_copy_on_device(const CopyOnDevice& message) {
  const Doing copying(DeviceWork::Copying);
  const Pitched to{message.to, message.to_pitch}, from{message.from, message.from_pitch};
  const Extent extent{message.width, message.rows};
  Status status = health();
  DeviceStream* stream = status.ok() ? find_stream(message.stream, status) : nullptr;
  if (!status.ok() || extent.width == 0 || extent.rows == 0) return status;
  status = check_range(to, extent, "destination");
  if (status.ok()) status = check_range(from, extent, "source");
  if (status.ok()) status = device_.operations().copy_on_device(to, from, extent, stream);
  if (status.ok()) keep_copy(from, to, extent, false);
  return status;
}

Status ClientSession::on_set(const Set& message) {
  const Doing copying(DeviceWork::Copying);
  const Pitched to{message.to, message.pitch};
  const Extent extent{message.width, message.rows};
  Status status = health();
  DeviceStream* stream = status.ok() ? find_stream(message.stream, status) : nullptr;
  if (!status.ok() || extent.width == 0 || extent.rows == 0) return status;
  status = check_range(to, extent, "destination");
  if (status.ok()) status = device_.operations().set(to, std::byte{message.value}, extent, stream);
  if (status.ok()) keep_copy({}, to, extent, true);
  return status;
}

void ClientSession::keep_copy(Pitched from, Pitched to, Extent extent, bool set) {
  constexpr std::size_t kMaxCopies = 64;
  if (outcome_.copies.size() >= kMaxCopies || !entry_running_) return;
  CopyRecord record;
  record.bytes = extent.width * extent.rows;
  record.set = set;
  const auto argument_with = [&](DevicePtr address) {
    const auto* range = address == 0 ? nullptr : find_range(address, 1);
    if (range == nullptr || range->second.owner != Owner::Grader) return CopyRecord::kNone;
    for (std::uint32_t i = 0; i < arguments_.size(); ++i) {
      if (arguments_[i] >= range->first && arguments_[i] - range->first < range->second.bytes) {
        record.offset = address - arguments_[i];
        return i;
      }
    }
    return CopyRecord::kNone;
  };
  record.to = argument_with(to.address);
  record.from = argument_with(from.address);
  if (to.address != 0 && record.to == CopyRecord::kNone) {
    for (const auto& [handle, loaded] : modules_) {
      for (const sim::VariableInfo& variable : loaded.module->variables()) {
        if (to.address >= variable.address && to.address - variable.address < variable.size)
          record.variable = clean(variable.name);
      }
    }
  }
  const bool tells =
      record.to != CopyRecord::kNone || record.from != CopyRecord::kNone || !record.variable.empty();
  if (tells && std::ranges::find(outcome_.copies, record) == outcome_.copies.end())
    outcome_.copies.push_back(std::move(record));
}

Answer<Placed> ClientSession::on_pointer_info(const PointerInfo& message) const {
  const auto* range = find_range(message.pointer, 1);
  if (range == nullptr) return failure<Placed>(CudaError::InvalidValue, msg::no_device_memory_there());
  const std::uint32_t device = group_ != nullptr ? group_->device_of(range->first).value_or(0) : 0;
  return answer(Placed{range->first, range->second.bytes, device});
}

void ClientSession::grant(DevicePtr base, std::uint64_t bytes) {
  ranges_.try_emplace(base, Range{bytes, Owner::Grader});
}

void ClientSession::revoke(DevicePtr base) {
  const auto found = ranges_.find(base);
  if (found != ranges_.end() && found->second.owner == Owner::Grader) ranges_.erase(found);
}

}  // namespace cudalabs
