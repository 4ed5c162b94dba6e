// ptx-run: runs one kernel of a bare PTX file on the simulator. The exit status is 0 only if there was no
// fault.

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>

#include "grader/base/parse_number.h"
#include "grader/diagnostics/messages/faults.h"
#include "grader/sim/simulator.h"

namespace {

using cudalabs::error;
using cudalabs::Message;
using cudalabs::parse_number;
using cudalabs::Result;
using cudalabs::take_leading_number;
namespace msg = cudalabs::msg;
namespace sim = cudalabs::sim;

constexpr int kClean = 0, kFaulted = 1, kUsage = 2;

/// One --arg: the bytes of the parameter, or a buffer whose address is the parameter.
struct Argument {
  std::string text;
  std::vector<std::byte> bytes;  ///< scalar, or the buffer's initial content
  bool is_buffer = false;
  std::string output;  ///< file to write the buffer to afterwards; empty: none
  sim::DevicePtr address = 0;
};

Result<std::vector<std::byte>> read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return error(msg::ptx_run_unreadable(path), msg::ptx_run_unreadable_hint());
  const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  const auto* begin = reinterpret_cast<const std::byte*>(text.data());
  return std::vector<std::byte>(begin, begin + text.size());
}

template <class T>
bool number(std::string_view text, std::vector<std::byte>& bytes) {
  std::optional<T> value;
  if constexpr (std::is_integral_v<T>) {
    const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    value = hexadecimal ? parse_number<T>(text.substr(2), 16) : parse_number<T>(text);
  } else {
    value = parse_number<T>(text);
  }
  if (!value) return false;
  bytes.resize(sizeof *value);
  std::memcpy(bytes.data(), &*value, sizeof *value);
  return true;
}

Result<Argument> parse_argument(const std::string& text) {
  Argument a;
  a.text = text;
  const std::size_t equals = text.find('=');
  const std::string kind = text.substr(0, equals);
  const std::string value = equals == std::string::npos ? "" : text.substr(equals + 1);
  const auto bad = [&](Message why) {
    return error(msg::ptx_run_bad_argument(text, std::move(why)), msg::ptx_run_argument_hint());
  };
  if (kind == "in" || kind == "out" || kind == "inout") {
    if (!value.starts_with("@") || value.size() < 2) return bad(msg::ptx_run_buffer_without_file());
    a.is_buffer = true;
    std::string path = value.substr(1);
    if (kind == "out") {
      const std::size_t colon = path.rfind(':');
      std::vector<std::byte> count;
      if (colon == std::string::npos || !number<std::uint64_t>(path.substr(colon + 1), count)) {
        return bad(msg::ptx_run_output_without_size());
      }
      std::uint64_t bytes = 0;
      std::memcpy(&bytes, count.data(), sizeof bytes);
      if (bytes == 0 || bytes > (std::uint64_t{1} << 33)) return bad(msg::ptx_run_size_wrong());
      path.resize(colon);
      a.bytes.resize(bytes);
      a.output = path;
      return a;
    }
    auto contents = read_file(path);
    if (!contents) return contents.problem();
    a.bytes = std::move(*contents);
    if (kind == "inout") a.output = path;
    return a;
  }
  bool ok = false;
  if (kind == "u8" || kind == "b8")
    ok = number<std::uint8_t>(value, a.bytes);
  else if (kind == "s8")
    ok = number<std::int8_t>(value, a.bytes);
  else if (kind == "u16" || kind == "b16")
    ok = number<std::uint16_t>(value, a.bytes);
  else if (kind == "s16")
    ok = number<std::int16_t>(value, a.bytes);
  else if (kind == "u32" || kind == "b32")
    ok = number<std::uint32_t>(value, a.bytes);
  else if (kind == "s32")
    ok = number<std::int32_t>(value, a.bytes);
  else if (kind == "u64" || kind == "b64")
    ok = number<std::uint64_t>(value, a.bytes);
  else if (kind == "s64")
    ok = number<std::int64_t>(value, a.bytes);
  else if (kind == "f32")
    ok = number<float>(value, a.bytes);
  else if (kind == "f64")
    ok = number<double>(value, a.bytes);
  else
    return bad(msg::ptx_run_kind_unknown(kind));
  if (!ok) return bad(msg::ptx_run_value_wrong(value, kind));
  return a;
}

Result<sim::Dim3> parse_dims(const std::string& option, const std::string& text) {
  std::uint32_t d[3] = {1, 1, 1};
  std::string_view rest = text;
  for (std::uint32_t& size : d) {
    const auto number = take_leading_number<std::uint32_t>(rest);
    if (!number) break;
    size = *number;
    if (rest.empty()) return sim::Dim3{d[0], d[1], d[2]};
    if (!rest.starts_with(',')) break;
    rest.remove_prefix(1);
  }
  return error(msg::ptx_run_dimensions_wrong(option, text), msg::ptx_run_dimensions_hint(option));
}

Message list_kernels(const sim::Module& module) {
  std::string names;
  for (const auto& k : module.kernels()) names += (names.empty() ? "" : ", ") + k.name;
  return names.empty() ? msg::ptx_run_no_kernels_hint() : msg::ptx_run_kernels_hint(names);
}

struct Options {
  std::string file, entry, grid = "1", block = "1";
  std::uint32_t shared = 0;
  std::vector<std::string> arguments;
  std::uint64_t limit = 0;
  unsigned threads = 0;
  std::string engine = "auto";
  bool counters = false;
};

/// The kernel of --entry, or the only one.
Result<const sim::KernelInfo*> kernel_of(const sim::Module& module, const std::string& entry) {
  for (const sim::KernelInfo& k : module.kernels()) {
    if (k.name == entry || (entry.empty() && module.kernels().size() == 1)) return &k;
  }
  return error(entry.empty() ? msg::ptx_run_entry_missing() : msg::ptx_run_kernel_unknown(entry),
               list_kernels(module));
}

/// The kernel's packed parameters. Allocates and fills the buffers.
Result<std::vector<std::byte>> pass(std::vector<Argument>& arguments, const sim::KernelInfo& kernel,
                                    sim::Simulator& simulator) {
  if (arguments.size() != kernel.parameter_sizes.size()) {
    return error(msg::ptx_run_argument_count(kernel.name, kernel.parameter_sizes.size(), arguments.size()),
                 msg::ptx_run_argument_count_hint());
  }
  std::vector<std::byte> parameters(kernel.parameter_bytes);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    Argument& a = arguments[i];
    std::vector<std::byte> value = a.bytes;
    if (a.is_buffer) {
      auto address = simulator.allocate(std::max<std::size_t>(a.bytes.size(), 1));
      if (!address) return address.problem();
      a.address = *address;
      if (!a.bytes.empty())
        std::memcpy(simulator.bytes(a.address, a.bytes.size()).data(), a.bytes.data(), a.bytes.size());
      value.resize(sizeof a.address);
      std::memcpy(value.data(), &a.address, sizeof a.address);
    }
    if (value.size() != kernel.parameter_sizes[i]) {
      return error(
          msg::ptx_run_argument_size(a.text, i, kernel.name, kernel.parameter_sizes[i], value.size()),
          msg::ptx_run_argument_size_hint());
    }
    std::memcpy(parameters.data() + kernel.parameter_offsets[i], value.data(), value.size());
  }
  return parameters;
}

Result<void> write_outputs(const std::vector<Argument>& arguments, sim::Simulator& simulator) {
  for (const Argument& a : arguments) {
    if (a.output.empty()) continue;
    const auto bytes = simulator.bytes(a.address, a.bytes.size());
    std::ofstream out(a.output, std::ios::binary);
    out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    if (!out.flush()) return error(msg::ptx_run_unwritable(a.output), msg::ptx_run_unwritable_hint());
  }
  return {};
}

void print_counters(const sim::Counters& c) {
  std::fprintf(
      stderr,
      "warp instructions %llu, thread instructions %llu\n"
      "shared loads %llu: %llu wavefronts, %llu conflicts; stores %llu: %llu wavefronts, %llu conflicts\n"
      "global loads %llu: %llu sectors; stores %llu: %llu sectors\n",
      static_cast<unsigned long long>(c.warp_instructions),
      static_cast<unsigned long long>(c.thread_instructions),
      static_cast<unsigned long long>(c.shared_load_instructions),
      static_cast<unsigned long long>(c.shared_load_wavefronts),
      static_cast<unsigned long long>(c.shared_load_bank_conflicts),
      static_cast<unsigned long long>(c.shared_store_instructions),
      static_cast<unsigned long long>(c.shared_store_wavefronts),
      static_cast<unsigned long long>(c.shared_store_bank_conflicts),
      static_cast<unsigned long long>(c.global_load_requests),
      static_cast<unsigned long long>(c.global_load_sectors),
      static_cast<unsigned long long>(c.global_store_requests),
      static_cast<unsigned long long>(c.global_store_sectors));
}

Result<int> run(const Options& o) {
  auto text = read_file(o.file);
  if (!text) return text.problem();
  auto grid = parse_dims("--grid", o.grid);
  if (!grid) return grid.problem();
  auto block = parse_dims("--block", o.block);
  if (!block) return block.problem();
  std::vector<Argument> arguments;
  for (const std::string& a : o.arguments) {
    auto parsed = parse_argument(a);
    if (!parsed) return parsed.problem();
    arguments.push_back(std::move(*parsed));
  }

  // The largest device for which PTX can be written: code that runs on some GPU runs here.
  sim::Limits limits;
  limits.compute_major = 9;
  limits.max_shared_bytes = 227 * 1024;
  limits.shared_bytes_per_multiprocessor = 228 * 1024;
  limits.global_bytes = std::uint64_t{16} << 30;
  sim::Simulator simulator(limits);
  auto module = simulator.load({reinterpret_cast<const char*>(text->data()), text->size()}, o.file);
  if (!module) return module.problem();
  const auto kernel = kernel_of(**module, o.entry);
  if (!kernel) return kernel.problem();
  const auto parameters = pass(arguments, **kernel, simulator);
  if (!parameters) return parameters.problem();

  sim::LaunchOptions options;
  options.max_warp_instructions = o.limit;
  options.threads = o.threads;
  const auto engine = sim::engine_named(o.engine);
  if (!engine) return error(msg::ptx_run_engine_unknown(o.engine), msg::ptx_run_engine_hint());
  options.engine = *engine;
  auto result =
      simulator.launch(**module, (*kernel)->name, {*grid, *block, o.shared, false}, *parameters, options);
  if (!result) return result.problem();
  // Also after a fault: the content so far helps to find it.
  if (auto written = write_outputs(arguments, simulator); !written) return written.problem();
  if (o.counters) print_counters(result->counters);
  if (!result->ok()) {
    std::fprintf(stderr, "ptx-run: %s\n  hint: %s\n", result->fault.text().c_str(),
                 result->fault.advice.english().c_str());
    return kFaulted;
  }
  return kClean;
}

}  // namespace

int main(int argc, char** argv) {
  Options o;
  CLI::App app{"Runs one kernel of a PTX file on the simulator."};
  app.footer(
      "Arguments, one --arg for each parameter in order:\n"
      "  u32=5  s64=-1  f32=1.5  f64=0.1  u64=0x10   a scalar (u8 to u64, s8 to s64, b8 to b64, f32, f64)\n"
      "  in=@FILE           a device buffer filled from the file\n"
      "  out=@FILE:BYTES    a buffer of that size, zeroed, written to the file afterwards\n"
      "  inout=@FILE        filled from the file and written back\n"
      "Example:\n"
      "  ptx-run add.ptx --entry add --grid 4 --block 256 --arg in=@a.bin --arg out=@c.bin:4096 --arg "
      "u32=1024\n"
      "Exit status: 0 the kernel ran clean, 1 it faulted, 2 wrong usage or PTX that cannot be run.");
  app.add_option("file", o.file, "the PTX file")->required();
  app.add_option("--entry", o.entry, "the kernel's (mangled) name; may be left out if there is one only");
  app.add_option("--grid", o.grid, "blocks: X[,Y[,Z]]")->capture_default_str();
  app.add_option("--block", o.block, "threads of a block: X[,Y[,Z]]")->capture_default_str();
  app.add_option("--shared", o.shared, "dynamic shared memory of a block, bytes");
  app.add_option("--arg", o.arguments, "a parameter, see below")->allow_extra_args(false);
  app.add_option("--max-instructions", o.limit, "stop after so many warp instructions (0: never)");
  app.add_option("--threads", o.threads, "worker threads (0: one a core); results do not depend on it");
  app.add_option("--engine", o.engine, "auto, interpreter or native; results do not depend on it")
      ->capture_default_str();
  app.add_flag("--counters", o.counters, "print what the launch counted on stderr");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? kClean : kUsage;
  }
  const auto result = run(o);
  if (!result) {
    std::fprintf(stderr, "ptx-run: %s\n", result.problem().text().c_str());
    return kUsage;
  }
  return *result;
}
