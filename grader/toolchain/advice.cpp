#include "grader/toolchain/advice.h"

#include <algorithm>
#include <array>

#include "grader/diagnostics/messages/toolchain.h"
#include "grader/toolchain/options/old_cuda.h"

namespace cudalabs {
namespace {

/// A row without arguments.
using Advice = TypedRow<signature_of("")>;

struct Row {
  std::array<std::string_view, 2> words;  ///< what the compiler wrote contains all of them
  const Advice* advice;
};

constexpr Row kRows[] = {
    {{"invalid % escape in inline assembly", ""}, &msg::two_percent_signs},
    {{"a host function call cannot be configured", ""}, &msg::launched_is_a_kernel},
    {{"kernel call to non-global function", ""}, &msg::launched_is_a_kernel},
    {{"a __global__ function call must be configured", ""}, &msg::launch_the_kernel},
    {{"call to global function", "not configured"}, &msg::launch_the_kernel},
    {{"execution configuration arguments", ""}, &msg::launch_the_kernel},
    {{"reference to __global__ function", "in __global__ function"}, &msg::no_dynamic_parallelism},
    {{"reference to __global__ function", "in __device__ function"}, &msg::no_dynamic_parallelism},
    {{"kernel launch from __device__ or __global__ functions", ""}, &msg::no_dynamic_parallelism},
    {{"reference to __host__ variable 'cout'", ""}, &msg::print_with_printf},
    {{"identifier \"std::cout\" is undefined in device code", ""}, &msg::print_with_printf},
    {{"std::basic_ostream", "is undefined in device code"}, &msg::print_with_printf},
    {{"std::basic_ostream", "from a __global__ function"}, &msg::print_with_printf},
    {{"reference to __host__ variable", ""}, &msg::no_host_variables_in_kernels},
    {{"is undefined in device code", ""}, &msg::no_host_variables_in_kernels},
    {{"from a __global__ function", "is not allowed"}, &msg::write_device},
    {{"from a __device__ function", "is not allowed"}, &msg::write_device},
    {{"from a __host__ function", "is not allowed"}, &msg::call_on_the_gpu},
    {{"reference to __host__", "in __global__ function"}, &msg::write_device},
    {{"reference to __host__", "in __device__ function"}, &msg::write_device},
    {{"reference to __host__", "in __host__ __device__ function"}, &msg::write_device},
    {{"reference to __device__", "in __host__ function"}, &msg::call_on_the_gpu},
    {{"a __global__ function must have a void return type", ""}, &msg::kernel_returns_nothing},
    {{"kernel function type", "must have void return type"}, &msg::kernel_returns_nothing},
    {{"variable length array declaration", ""}, &msg::shared_array_size},
    {{"variable-length array", "shared"}, &msg::shared_array_size},
    {{"initialization is not supported for __shared__", ""}, &msg::assign_shared_in_kernel},
    {{"initializer not allowed for __shared__", ""}, &msg::assign_shared_in_kernel},
    {{"no matching function for call to 'atomic", ""}, &msg::types_of_atomics},
    {{"no instance of overloaded function \"atomic", ""}, &msg::types_of_atomics},
    {{"'experimental' in namespace 'nvcuda::wmma'", ""}, &msg::no_small_fragments_for_clang},
    {{"'cluster_group'", ""}, &msg::needs_compute_capability_9},
    {{"'this_cluster'", ""}, &msg::needs_compute_capability_9},
    {{"has no member \"this_cluster\"", ""}, &msg::needs_compute_capability_9},
    {{"has no member \"cluster_group\"", ""}, &msg::needs_compute_capability_9},
    {{"no member named 'memcpy_async_tx'", ""}, &msg::needs_compute_capability_9},
    {{"no member named 'barrier_arrive_tx'", ""}, &msg::needs_compute_capability_9},
    {{"'cuda/ptx' file not found", ""}, &msg::needs_compute_capability_9},
    {{"cannot use 'throw'", ""}, &msg::no_exceptions_on_device},
    {{"cannot use 'try'", ""}, &msg::no_exceptions_on_device},
    {{"device code does not support exception handling", ""}, &msg::no_exceptions_on_device},
    {{"helper_", "file"}, &msg::header_of_samples},
    {{"book.h", "file"}, &msg::header_of_samples},
    {{"expected a \";\"", ""}, &msg::semicolon_missing},
    {{"expected ';'", ""}, &msg::semicolon_missing},
    {{"Unsupported expression in static initializer", ""}, &msg::no_addresses_in_device_variables},
    {{"Undefined external symbol", ""}, &msg::function_missing_on_gpu},
};

/// "'twice'" of "no matching function for call to 'twice'".
std::string_view quoted(std::string_view text) {
  const std::size_t begin = text.find('\''), end = text.rfind('\'');
  return begin == std::string_view::npos || end == begin ? std::string_view()
                                                         : text.substr(begin + 1, end - begin - 1);
}

std::string_view written_by_compiler(const Messages& error) {
  if (error.size() != 1 || !error[0].is(kVerbatim)) return {};
  return std::get<std::string>(error[0].arguments()[0]);
}

Message advice_on_text(std::string_view text) {
  if (Message gone = advice_on_gone(text); !gone.empty()) return gone;
  for (const Row& row : kRows) {
    if (std::ranges::all_of(
            row.words, [&](std::string_view words) { return text.find(words) != std::string_view::npos; }))
      return (*row.advice)();
  }
  return {};
}

/// On an error that we word ourselves.
Message advice_on_row(const Message& error) {
  const auto text = [&](std::size_t argument) { return std::get<std::string>(error.arguments()[argument]); };
  if (error.is(msg::within) || error.is(msg::used_from_here)) {
    const auto& inner = std::get<Messages>(error.arguments()[0]);
    if (inner.contains(msg::clang_crashed) && text(1).find("regex") != std::string::npos)
      return msg::no_regex_for_clang();
    return advice_for(inner);
  }
  if (error.is(msg::built_in_variables_elsewhere)) return msg::write_global_or_device();
  if (error.is(msg::clang_crashed)) return msg::leave_out_for_clang();
  if (error.is(msg::no_alloca)) return msg::array_of_fixed_size();
  if (error.is(msg::no_code_for_gpu)) return advice_on_text(text(0));
  if (!error.is(msg::call_not_allowed)) return {};
  if (Message gone = advice_on_gone(text(0) + " " + text(1)); !gone.empty()) return gone;
  const std::string caller = text(2);
  if (caller == "__host__") return msg::call_on_the_gpu();
  return caller == "__global__" || caller == "__device__" ? msg::write_device() : Message();
}

}  // namespace

Message advice_for(const Messages& error) {
  if (const std::string_view text = written_by_compiler(error); !text.empty()) return advice_on_text(text);
  return error.empty() ? Message() : advice_on_row(error[0]);
}

Message explained_by_note(const Messages& error, std::string_view note) {
  const std::string_view text = written_by_compiler(error);
  // "candidate function not viable: call to __host__ function from __global__ function"
  constexpr std::string_view kViable = " not viable: call to ", kFrom = " function from ";
  const std::size_t at = note.find(kViable), from = note.find(kFrom);
  if (!note.starts_with("candidate ") || at == std::string_view::npos || from == std::string_view::npos ||
      from < at)
    return {};
  if (!text.starts_with("no matching function for call to ") || quoted(text).empty()) return {};
  const std::string_view callee = note.substr(at + kViable.size(), from - at - kViable.size());
  std::string_view caller = note.substr(from + kFrom.size());
  caller = caller.substr(0, caller.find(" function"));
  return msg::call_not_allowed(callee, quoted(text), caller);
}

bool lacks_semicolon_before(const Messages& error) {
  const std::string_view text = written_by_compiler(error);
  return text.starts_with("expected a \";\"") || text.starts_with("expected ';'");
}

bool is_built_in_variable(const Messages& error) {
  return written_by_compiler(error).starts_with("reference to __device__ function 'read_");
}

bool reads_built_in_variable(const Messages& error) {
  return written_by_compiler(error).starts_with("cannot find suitable getter for property");
}

}  // namespace cudalabs
