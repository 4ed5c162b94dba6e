#include "grader/grading/run/case_buffers.h"

#include <memory>

#include "grader/base/hash/bulk_hash.h"
#include "grader/diagnostics/messages/compare.h"
#include "grader/diagnostics/messages/run.h"
#include "grader/grading/compare/compare.h"

namespace cudalabs {
namespace {

/// Advice for an output of zeros. It depends on what the lab computes.
Message advice_for_zeros(const Lab& lab) {
  if (lab.sums && lab.sums->factors > 1) return msg::zero_sum_of_products();
  if (lab.sums && lab.tolerance.kind == ToleranceKind::SumOfProducts)
    return msg::zero_weighted_sum(lab.sums->over);
  if (lab.sums) return msg::zero_sum();
  return lab.tolerance.kind == ToleranceKind::Exact ? msg::zero_copied() : msg::zero_computed();
}

Message advice_for(const Lab& lab, const Mismatch& mismatch) {
  if (mismatch.none_written()) return msg::check_launch_and_bounds();
  // What came out, where that alone says little.
  const Message& guess = mismatch.guess;
  if (guess.is(msg::whole_output_zero)) return advice_for_zeros(lab);
  if (guess.is(msg::many_roundings)) return msg::round_less();
  if (guess.is(msg::every_element_is))
    return mismatch.count < mismatch.total ? msg::some_right_by_accident() : msg::one_value_everywhere();
  if (guess.is(msg::wrong_ones_nan)) return msg::nan_is_unset();
  if (guess.is(msg::added_to_unset)) return msg::set_before_adding();
  return guess.empty() ? msg::compare_indices_with_sizes() : msg::check_guess_first();
}

}  // namespace

CaseBuffers::~CaseBuffers() {
  for (const Buffer& buffer : buffers_) {
    if (buffer.allocation != 0) (void)device_->free(buffer.allocation);
  }
}

Result<CaseBuffers> CaseBuffers::make(DeviceProcess& device, DeviceKind kind, const Lab& lab,
                                      const TestCase& test, const CaseData& data, std::uint64_t seed) {
  CaseBuffers made(device);
  std::size_t input = 0, output = 0;
  for (std::size_t p = 0; p < lab.parameters.size(); ++p) {
    const Parameter& parameter = lab.parameters[p];
    if (parameter.role == ParameterRole::Size) {
      made.arguments_.push_back(static_cast<std::uint64_t>(test.size(parameter.name)));
      continue;
    }
    const std::size_t bytes = parameter.role == ParameterRole::Input ? data.inputs[input++].size()
                                                                     : data.poisoned_outputs[output++].size();
    Buffer buffer;
    buffer.parameter = p;
    buffer.layout.data_bytes = bytes;
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
  std::size_t input = 0, output = 0;
  for (const Buffer& buffer : buffers_) {
    const bool is_input = lab.parameters[buffer.parameter].role == ParameterRole::Input;
    const std::span<const std::byte> bytes =
        is_input ? std::span<const std::byte>(data.inputs[input++])
                 : std::span<const std::byte>(data.poisoned_outputs[output++]);
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

Result<CaseOutputs> CaseBuffers::outputs(const Lab& lab) const {
  CaseOutputs outputs;
  for (const Buffer& buffer : buffers_) {
    if (lab.parameters[buffer.parameter].role != ParameterRole::Output) continue;
    std::vector<std::byte>& bytes = outputs.emplace_back(buffer.layout.data_bytes);
    if (bytes.empty()) continue;
    if (auto read = device_->read(buffer.allocation + buffer.layout.data_offset(), bytes); !read)
      return read.problem();
  }
  return outputs;
}

Result<CaseAnswer> CaseBuffers::check(const Lab& lab, const TestCase& test, const CaseData& data,
                                      bool fingerprint) const {
  CaseAnswer answer;
  const auto fail = [&answer](Verdict verdict, Messages message, Messages advice) {
    if (answer.verdict != Verdict::Accepted) return;  // the first thing that is wrong is told
    answer.verdict = verdict;
    answer.message = std::move(message);
    answer.advice = std::move(advice);
  };
  std::size_t input = 0, output = 0, outputs = 0, unwritten = 0;
  BulkHash bits;
  for (const Buffer& buffer : buffers_) {
    const Parameter& parameter = lab.parameters[buffer.parameter];
    // The buffer is not zeroed first, because the read below fills all of it.
    const std::size_t size = buffer.layout.total_bytes();
    const auto room = std::make_unique_for_overwrite<std::byte[]>(size);
    const std::span<std::byte> whole(room.get(), size);
    if (size > 0) {
      if (auto read = device_->read(buffer.allocation, whole); !read) return read.problem();
    }
    const std::span<const std::byte> bytes =
        whole.subspan(buffer.layout.data_offset(), buffer.layout.data_bytes);
    if (auto damage = buffer.layout.damage(whole, buffer.guard_key, parameter))
      fail(Verdict::RuntimeError, *damage, msg::check_bounds());
    if (parameter.role == ParameterRole::Input) {
      if (auto changed = input_changed(parameter, test, data.inputs[input++], bytes))
        fail(Verdict::RuleViolation, *changed, msg::only_read_input(parameter.name));
    } else {
      if (fingerprint) bits.add({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
      outputs += bytes.empty() ? 0 : 1;
      if (auto mismatch = compare_output(lab, test, data, output++, bytes)) {
        fail(Verdict::WrongAnswer, mismatch->statements, advice_for(lab, *mismatch));
        answer.mismatch = std::move(*mismatch);
        unwritten += answer.mismatch.stored() ? 0 : 1;
      }
    }
  }
  if (fingerprint) answer.fingerprint = bits.value();
  answer.untouched = outputs > 0 && unwritten == outputs;
  return answer;
}

}  // namespace cudalabs
