// printf, assert, malloc and free of kernels, and source places of instructions.

#include <algorithm>
#include <bit>
#include <cinttypes>
#include <cstdio>
#include <string_view>
#include <utility>

#include "grader/diagnostics/messages/faults.h"
#include "grader/sim/interpreter/block.h"
#include "grader/sim/interpreter/device_launches.h"
#include "grader/sim/interpreter/kernel_output.h"
#include "grader/sim/memory/address.h"

namespace cudalabs::sim {
namespace {

constexpr std::size_t kPrintLimit = std::size_t{1} << 20;  // of the text of one call

/// Host address of `count` bytes at a generic address as lane `lane` sees it; null if they are not all
/// allocated.
const std::byte* look(const Exec& x, std::uint32_t lane, std::uint64_t address, std::uint64_t count) {
  if (in_window(address, kLocalWindow)) {
    const std::uint64_t at = address - kLocalWindow;
    return at + count <= x.local_bytes ? x.local + std::uint64_t{lane} * x.local_bytes + at : nullptr;
  }
  if (in_window(address, kSharedWindow)) {
    const std::uint64_t at = address - kSharedWindow;
    return at + count <= x.shared_bytes ? x.shared + at : nullptr;
  }
  if (in_window(address, kParamWindow)) {
    const std::uint64_t at = address - kParamWindow;
    return at + count <= x.param_bytes ? x.params + at : nullptr;
  }
  return x.global->find(address).holds(address, count) ? x.global->host(address) : nullptr;
}

std::string read_string(const Exec& x, std::uint32_t lane, std::uint64_t address) {
  std::string s;
  for (; s.size() < 4096; ++address) {
    const std::byte* b = look(x, lane, address, 1);
    if (b == nullptr || *b == std::byte{0}) break;
    s.push_back(static_cast<char>(*b));
  }
  return s;
}

/// Formats one conversion ("%-8.3f") with a value of the right type.
template <class T>
void append(std::string& out, const std::string& spec, T value) {
  char buffer[512];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"
  const int n = std::snprintf(buffer, sizeof buffer, spec.c_str(), value);
#pragma GCC diagnostic pop
  if (n > 0)
    out.append(buffer,
               static_cast<std::size_t>(n) < sizeof buffer ? static_cast<std::size_t>(n) : sizeof buffer - 1);
}

/// Width or precision from the format string, including a leading flag 0; limited to what `append` can
/// format.
std::string bounded_number(std::string digits) {
  constexpr std::size_t kMaxDigits = 3;
  const std::size_t first = digits.find_first_not_of('0');
  if (first == std::string::npos || digits.size() - first <= kMaxDigits) return digits;
  return digits.substr(0, first) + std::string(kMaxDigits, '9');
}

/// The text of a call of printf.
struct Formatted {
  std::string text;
  std::int32_t arguments = 0;
  bool too_many = false;
};

/// The arguments of a call of CUDA's printf: consecutive, each aligned to its size (4 or 8 bytes).
class PrintArguments {
 public:
  PrintArguments(const Exec& x, std::uint32_t lane, std::uint64_t address)
      : x_(x), lane_(lane), at_(address), missing_(address == 0) {}

  std::uint64_t take(std::uint64_t bytes) {
    ++taken_;
    at_ = (at_ + bytes - 1) / bytes * bytes;
    std::uint64_t v = 0;
    const std::byte* p = look(x_, lane_, at_, bytes);
    if (p != nullptr)
      std::memcpy(&v, p, bytes);
    else
      missing_ = true;
    at_ += bytes;
    return v;
  }
  [[nodiscard]] std::int32_t taken() const { return taken_; }
  [[nodiscard]] bool missing() const { return missing_; }

 private:
  const Exec& x_;
  std::uint32_t lane_;
  std::uint64_t at_;
  std::int32_t taken_ = 0;
  bool missing_;
};

/// The modifiers of a specifier, without its conversion, for the host's printf. Width and precision may be
/// arguments.
std::string host_specifier(std::string_view modifiers, PrintArguments& arguments, bool& is_long) {
  std::string spec = "%";
  for (std::size_t i = 0; i < modifiers.size(); ++i) {
    const char c = modifiers[i];
    if (c == '*') {
      const auto width = std::clamp<std::int32_t>(static_cast<std::int32_t>(arguments.take(4)), -256, 256);
      spec += std::to_string(width);
    } else if (c == 'l' || c == 'z' || c == 'j' || c == 't') {
      is_long = true;
    } else if (c >= '0' && c <= '9') {
      const std::size_t end = std::min(modifiers.find_first_not_of("0123456789", i), modifiers.size());
      spec += bounded_number(std::string(modifiers.substr(i, end - i)));
      i = end - 1;
    } else if (c != 'h' && c != 'L') {
      spec.push_back(c);
    }
  }
  // Nobody needs more than a few thousand spaces, and the host would write them all.
  std::size_t digits = 0;
  std::erase_if(spec, [&](char c) { return (digits = c >= '0' && c <= '9' ? digits + 1 : 0) > 4; });
  if (spec.size() > 20) spec.resize(20);
  return spec;
}

/// CUDA's printf (CUDA C++ Programming Guide, "Formatted output"). Specifiers that have no argument left are
/// printed as they stand.
Formatted format(const Exec& x, std::uint32_t lane, const std::string& f, std::uint64_t address) {
  Formatted done;
  std::string& out = done.text;
  PrintArguments arguments(x, lane, address);
  const auto take = [&arguments](std::uint64_t bytes) { return arguments.take(bytes); };
  for (std::size_t i = 0; i < f.size() && out.size() < kPrintLimit; ++i) {
    if (f[i] != '%') {
      out.push_back(f[i]);
      continue;
    }
    const std::size_t begin = i;
    i = f.find_first_not_of("-+ #0123456789.*hlLzjt", i + 1);
    if (i == std::string::npos) break;
    const char c = f[i];
    const auto modifiers = std::string_view(f).substr(begin + 1, i - begin - 1);
    const auto wanted = std::ranges::count(modifiers, '*') + (c == '%' ? 0 : 1);
    done.too_many = done.too_many || arguments.taken() + wanted > kMostPrintArguments;
    if (done.too_many && wanted > 0) {
      out.append(f, begin, i + 1 - begin);
      continue;
    }
    bool is_long = false;
    const std::string spec = host_specifier(modifiers, arguments, is_long);
    switch (c) {
      case '%': out.push_back('%'); break;
      case 'd':
      case 'i':
        if (is_long)
          append(out, spec + PRId64, static_cast<std::int64_t>(take(8)));
        else
          append(out, spec + "d", static_cast<std::int32_t>(take(4)));
        break;
      case 'u':
      case 'o':
      case 'x':
      case 'X':
        if (is_long)
          append(out, spec + "l" + c, static_cast<unsigned long>(take(8)));
        else
          append(out, spec + c, static_cast<std::uint32_t>(take(4)));
        break;
      case 'c': append(out, spec + "c", static_cast<int>(take(4))); break;
      case 'f':
      case 'F':
      case 'e':
      case 'E':
      case 'g':
      case 'G':
      case 'a':
      case 'A': append(out, spec + c, std::bit_cast<double>(take(8))); break;
      case 'p': append(out, spec + "p", reinterpret_cast<const void*>(take(8))); break;
      case 's': append(out, spec + "s", read_string(x, lane, take(8)).c_str()); break;
      default: out += spec; out.push_back(c);
    }
  }
  if (arguments.missing() && address != 0) out += "<argument missing>";
  done.arguments = arguments.taken();
  return done;
}

std::uint64_t argument(const Exec& x, const ParamArea& area, std::uint32_t lane) {
  std::uint64_t v = 0;
  std::memcpy(&v, x.frame + area.offset + lane * area.bytes, std::min<std::uint32_t>(area.bytes, 8));
  return v;
}

}  // namespace

void call_builtin(Exec& x, const CallSite& site, std::uint32_t mask) {
  report_loads(x);
  using enum ptx::Builtin;
  for (; mask != 0; mask &= mask - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(mask));
    if (site.builtin == Vprintf && site.arguments.size() == 2) {
      const std::string f = read_string(x, lane, argument(x, site.arguments[0], lane));
      Formatted done = format(x, lane, f, argument(x, site.arguments[1], lane));
      x.output->print(std::move(done.text));
      if (done.too_many) x.output->argument_lost(source_place(*x.activation->program, x.pc));
      for (const ParamArea& r : site.results)
        std::memcpy(x.frame + r.offset + lane * r.bytes, &done.arguments, sizeof done.arguments);
    } else if (site.builtin == AssertFail && site.arguments.size() >= 4) {
      const auto text = [&](std::size_t k) {
        return read_string(x, lane, argument(x, site.arguments[k], lane));
      };
      const auto line = static_cast<std::uint32_t>(argument(x, site.arguments[2], lane));
      x.fail(FaultKind::Assert, lane, msg::assertion_failed(text(0), line, text(3)), msg::assertion_advice());
      return;
    } else if (site.builtin == Malloc && !site.arguments.empty() && !site.results.empty()) {
      // Such kernels run their blocks in order (needs_block_order), so the addresses are reproducible.
      // Running out of memory is not a fault: malloc returns 0.
      const std::uint64_t bytes = argument(x, site.arguments[0], lane);
      const std::uint64_t address = x.global->allocate_in_heap(bytes, x.output->heap_bytes());
      if (address == 0 && bytes != 0) x.output->refuse_heap();
      if (address != 0) {
        for (WorkerObserver* const o : x.every_access) o->heap_allocated(address, bytes);
      }
      const ParamArea& r = site.results[0];
      std::memcpy(x.frame + r.offset + lane * r.bytes, &address, sizeof address);
    } else if (site.builtin == Free && !site.arguments.empty()) {
      const std::uint64_t address = argument(x, site.arguments[0], lane);
      if (auto done = x.global->free(address, Owner::Kernel); !done) {
        x.fail(FaultKind::OutOfBounds, lane, msg::free_in_kernel(done.problem().message),
               msg::free_in_kernel_advice());
        return;
      }
      x.heap_freed = x.heap_freed || address != 0;
      for (WorkerObserver* const o : x.every_access) o->heap_freed(address);
    } else if (!x.launches->call(x, site, lane)) {
      x.fail(FaultKind::Unsupported, lane, msg::runtime_function_wrong());
      return;
    } else if (x.fault.kind != FaultKind::None) {
      return;  // of a launch that it waited for
    }
  }
}

}  // namespace cudalabs::sim
