#include "grader/grading/run/case_buffers.h"

#include <cstring>
#include <span>

namespace cudalabs {

CaseBuffers::~CaseBuffers() {
  for (const Buffer& buffer : buffers_) {
    if (buffer.allocation != 0) (void)device_->free(buffer.allocation);
  }
}

Result<CaseBuffers> CaseBuffers::make(DeviceProcess& device, DeviceKind kind, const Lab& lab,
                                      const TestCase& test, const CaseData& data, std::uint64_t seed) {
  CaseBuffers made(device);
  for (std::size_t p = 0; p < lab.parameters.size(); ++p) {
    const Parameter& parameter = lab.parameters[p];
    if (!parameter.is_array()) {
      made.arguments_.push_back(
          parameter.role == ParameterRole::Size ? static_cast<std::uint64_t>(test.size(parameter.name)) : 0);
      continue;
    }
    Buffer buffer;
    buffer.parameter = p;
    buffer.layout.data_bytes = initial_contents(lab, data, p).size();
    if (simulates(kind)) buffer.layout.guard_bytes = 0;
    buffer.guard_key = seed ^ (p + 1) * 0x9E3779B97F4A7C15u;
    if (buffer.layout.total_bytes() > 0) {
      auto allocation = device.allocate(buffer.layout.total_bytes());
      if (!allocation) return allocation.problem();
      buffer.allocation = *allocation;
    }
    made.buffers_.push_back(buffer);
    made.arguments_.push_back(buffer.allocation == 0 ? 0 : buffer.allocation + buffer.layout.data_offset());
  }
  if (auto filled = made.fill(lab, data); !filled) return filled.problem();
  return made;
}

Result<void> CaseBuffers::fill(const Lab& lab, const CaseData& data) {
  for (std::size_t p = 0; p < lab.parameters.size(); ++p) {
    if (lab.parameters[p].role != ParameterRole::Scalar) continue;
    const std::span<const std::byte> bytes = initial_contents(lab, data, p);
    std::memcpy(&arguments_[p], bytes.data(), bytes.size());
  }
  for (const Buffer& buffer : buffers_) {
    const std::span<const std::byte> bytes = initial_contents(lab, data, buffer.parameter);
    if (buffer.allocation == 0) continue;
    const bool guarded = buffer.layout.guard_bytes > 0;
    auto written = guarded ? device_->write(buffer.allocation, buffer.layout.make(bytes, buffer.guard_key))
                           : device_->write(buffer.allocation, bytes);
    if (!written) return written;
  }
  return {};
}

Result<void> CaseBuffers::copy_from(const CaseBuffers& other) {
  for (std::size_t i = 0; i < buffers_.size(); ++i) {
    if (buffers_[i].allocation == 0) continue;
    auto copied =
        device_->copy(buffers_[i].allocation, other.buffers_[i].allocation, buffers_[i].layout.total_bytes());
    if (!copied) return copied;
  }
  return {};
}

Result<std::vector<ArrayAfterCall>> CaseBuffers::read(const Lab& lab, const TestCase& test,
                                                      const CaseData& data) const {
  std::vector<ArrayAfterCall> arrays;
  for (const Buffer& buffer : buffers_) {
    const Parameter& parameter = lab.parameters[buffer.parameter];
    ArrayAfterCall& array = arrays.emplace_back();
    OutputBytes whole(buffer.layout.total_bytes());
    if (!whole.empty()) {
      if (auto read = device_->read(buffer.allocation, whole); !read) return read.problem();
    }
    if (auto damage = buffer.layout.damage(whole, buffer.guard_key, parameter)) array.damage = *damage;
    const auto bytes =
        std::span<const std::byte>(whole).subspan(buffer.layout.data_offset(), buffer.layout.data_bytes);
    if (parameter.role == ParameterRole::Input) {
      if (auto change = input_changed(parameter, test, initial_contents(lab, data, buffer.parameter), bytes))
        array.change = *change;
    } else if (bytes.size() == whole.size()) {
      array.bytes = std::move(whole);
    } else {
      array.bytes.assign(bytes.begin(), bytes.end());
    }
  }
  return arrays;
}

}  // namespace cudalabs
