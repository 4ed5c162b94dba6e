#include "grader/grading/run/case_buffers.h"

#include <fmt/format.h>

#include <memory>

#include "grader/base/hash.h"
#include "grader/diagnostics/messages/compare.h"
#include "grader/grading/compare/compare.h"

namespace cudalabs {
namespace {

/// Advice for an output of zeros. It depends on what the lab computes.
std::string advice_for_zeros(const Lab& lab) {
  if (lab.sums && lab.sums->factors > 1)
    return "Nothing was added up, or the last product alone is kept, which is 0 where a tile is filled up "
           "with "
           "zeros: look for an = that should be a +=, for a float that is kept in an int, and for a variable "
           "that never gets a value.";
  if (lab.sums && lab.tolerance.kind == ToleranceKind::SumOfProducts)
    return fmt::format(
        "Nothing was added up, or the last element alone is kept, which is 0 where a tile is filled up with "
        "zeros: look for an = that should be a +=, for a division of integers such as 1 / {}, which is 0, "
        "for a "
        "float that is kept in an int, and for a variable that never gets a value.",
        lab.sums->over);
  if (lab.sums)
    return "Nothing was added up, or the last element alone is kept: look for an = that should be a +=, for "
           "a "
           "sum that is stored from another variable, and for a variable that never gets a value.";
  if (lab.tolerance.kind == ToleranceKind::Exact)
    return "What is stored is not what was read: look for a float that is kept in an int, which makes 0 of "
           "all "
           "between -1 and 1, for a value to begin with that no element replaces, and for a variable that "
           "never gets a value.";
  return "What is stored is not what was computed: look for a division of integers such as 1 / 2, which is "
         "0, "
         "for a __constant__ array that nothing was copied to, which is all zero, and for a variable that "
         "never gets a value.";
}

std::string advice_for(const Lab& lab, const Mismatch& mismatch) {
  if (mismatch.none_written()) {
    return "Elements were never written: check the number of blocks and threads, and the bounds checks.";
  }
  // What came out, where that alone says little.
  if (mismatch.guess.is(msg::whole_output_zero)) return advice_for_zeros(lab);
  if (mismatch.guess.is(msg::many_roundings))
    return "More is rounded than the handout's bound allows: a product is rounded once where it is written "
           "as "
           "one, but powf(x, 2), a division and functions such as __fdividef() or __expf() round more often.";
  if (mismatch.guess.is(msg::every_element_is) && mismatch.count < mismatch.total)
    return "The results do not depend on where they are, and some are right by accident: look for an index, "
           "or "
           "a value to begin with, that is the same for all of them.";
  if (mismatch.guess.is(msg::every_element_is))
    return "One value everywhere is made of no element: look for a variable that never gets a value, and for "
           "a result that is stored from another variable than the one it was computed in.";
  if (mismatch.guess.is(msg::wrong_ones_nan))
    return "NaN comes of what was never set: look for a variable that never gets a value, for an output that "
           "is read before it is written, and for 0 / 0.";
  if (mismatch.guess.is(msg::added_to_unset)) return kSetFirst;
  if (!mismatch.guess.empty()) return "Check this in the code first: it explains the values that came out.";
  return kNoReason;
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
    if (kind == DeviceKind::Simulator) buffer.layout.guard_bytes = 0;
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
    if (auto damage = buffer.layout.damage(whole, buffer.guard_key, parameter)) {
      fail(Verdict::RuntimeError, *damage,
           "Check the bounds: every thread must compare its index with the sizes before it writes.");
    }
    if (parameter.role == ParameterRole::Input) {
      if (auto changed = input_changed(parameter, test, data.inputs[input++], bytes)) {
        fail(Verdict::RuleViolation, *changed,
             fmt::format("`{}` is an input: only read it.", parameter.name));
      }
    } else {
      if (fingerprint) bits.add({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
      outputs += bytes.empty() ? 0 : 1;
      if (auto mismatch = compare_output(lab, test, data, output++, bytes)) {
        fail(Verdict::WrongAnswer, mismatch->statements, advice_for(lab, *mismatch));
        answer.guess = mismatch->guess;
        answer.guess_is_usual = mismatch->usual;
        answer.fitting = mismatch->fitting;
        answer.factor = mismatch->factor;
        answer.factor_error = mismatch->factor_error;
        answer.stored = mismatch->never_written < mismatch->total;
        answer.left_out = mismatch->none_written();
        unwritten += answer.stored ? 0 : 1;
      }
    }
  }
  if (fingerprint) answer.fingerprint = bits.value();
  answer.untouched = outputs > 0 && unwritten == outputs;
  return answer;
}

}  // namespace cudalabs
