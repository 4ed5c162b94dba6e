#include "grader/toolchain/objects/device_runtime.h"

#include <array>

#include "grader/device/protocol/cuda_error.h"
#include "grader/sim/memory/devices.h"

namespace cudalabs {
namespace {

constexpr std::string_view kPtxHeader = ".version 7.5\n.target sm_80\n.address_size 64\n";
constexpr std::string_view kErrorResult = ".weak .func (.param .b32 result) ";

struct RuntimeFunction {
  std::string_view name, parameters, body;
};

// Work runs in the order of issue, in any stream. So streams are a number that is none of CUDA's own, and
// events do nothing.
constexpr std::string_view kPointer = ".param .b64 p";
constexpr std::array<RuntimeFunction, 14> kFunctions{{
    {"GetDevice", kPointer, "ld.global.u32 %r, [cudalabs_devices]; st.u32 [%p], %r; mov.u32 %r, 0;"},
    {"GetDeviceCount", kPointer, "ld.global.u32 %r, [cudalabs_devices+4]; st.u32 [%p], %r; mov.u32 %r, 0;"},
    {"StreamCreateWithFlags", ".param .b64 p, .param .b32 f", "mov.u64 %q, 256; st.u64 [%p], %q;"},
    {"StreamDestroy", kPointer, ""},
    {"StreamWaitEvent", ".param .b64 p, .param .b64 e, .param .b32 f", ""},
    {"StreamWaitEvent_ptsz", ".param .b64 p, .param .b64 e, .param .b32 f", ""},
    {"EventCreateWithFlags", ".param .b64 p, .param .b32 f", "mov.u64 %q, 512; st.u64 [%p], %q;"},
    {"EventDestroy", kPointer, ""},
    {"EventRecord", ".param .b64 p, .param .b64 s", ""},
    {"EventRecord_ptsz", ".param .b64 p, .param .b64 s", ""},
    {"EventRecordWithFlags", ".param .b64 p, .param .b64 s, .param .b32 f", ""},
    {"EventRecordWithFlags_ptsz", ".param .b64 p, .param .b64 s, .param .b32 f", ""},
    {"Malloc", ".param .b64 p, .param .b64 n",
     "ld.param.u64 %q, [n];\n"
     "{ .param .b64 a; .param .b64 b; st.param.b64 [a], %q; call.uni (b), malloc, (a);"
     " ld.param.b64 %q, [b]; }\n"
     "st.u64 [%p], %q;\n"
     "setp.ne.u64 %c, %q, 0; @%c bra done; ld.param.u64 %q, [n]; setp.eq.u64 %c, %q, 0;\n"
     "@!%c mov.u32 %r, 2;\n"
     "done:"},
    {"Free", kPointer, "{ .param .b64 a; st.param.b64 [a], %p; call.uni free, (a); }"},
}};

/// Adds a function that returns one of an error's texts.
void add_texts(std::string& ptx, const std::string& name, const char* (*text)(CudaError)) {
  std::string body = ".reg .pred %c; .reg .b32 %e; .reg .b64 %q, %o;\nld.param.u32 %e, [e];\n";
  const auto add = [&](const std::string& number, std::string_view of) {
    ptx += ".global .align 1 .b8 cudalabs_" + name + number + "[] = {";
    for (const char c : of) ptx += std::to_string(static_cast<unsigned char>(c)) + ", ";
    ptx += "0};\n";
    const std::string address = "mov.u64 %o, cudalabs_" + name + number + "; cvta.global.u64 ";
    if (number.empty()) {
      body += address + "%q, %o;\n";
    } else {
      body += "setp.eq.u32 %c, %e, " + number + "; " + address + "%o, %o; @%c mov.u64 %q, %o;\n";
    }
  };
  add({}, text(static_cast<CudaError>(-1)));  // for an unknown error number
#define CUDALABS_CUDA_ERROR(code, e, words) add(std::to_string(code), text(CudaError::e));
#include "grader/device/protocol/cuda_errors.def"
#undef CUDALABS_CUDA_ERROR
  ptx += ".weak .func (.param .b64 result) " + name + "(.param .b32 e)\n{\n" + body +
         "st.param.b64 [result], %q;\nret;\n}\n";
}

}  // namespace

std::string device_runtime_ptx(const std::function<bool(std::string_view)>& uses) {
  const std::string prefix = "__cudaCDP2";
  std::string ptx;
  for (const RuntimeFunction& function : kFunctions) {
    const std::string name = prefix + std::string(function.name);
    if (!uses(name)) continue;
    ptx.append(kErrorResult).append(name).append("(").append(function.parameters).append(")\n");
    ptx += "{\n.reg .b64 %p, %q; .reg .b32 %r; .reg .pred %c;\nld.param.u64 %p, [p];\nmov.u32 %r, 0;\n";
    ptx.append(function.body).append("\nst.param.b32 [result], %r;\nret;\n}\n");
  }
  if (uses(prefix + "GetErrorString")) add_texts(ptx, prefix + "GetErrorString", error_text);
  if (uses(prefix + "GetErrorName")) add_texts(ptx, prefix + "GetErrorName", error_name);
  if (ptx.empty()) return ptx;
  std::string declarations;
  static_assert(sim::kDevicesVariable == std::string_view("cudalabs_devices"));
  if (ptx.find("[cudalabs_devices") != std::string::npos)
    declarations += ".global .align 4 .u32 cudalabs_devices[2] = {0, 1};\n";
  if (ptx.find("malloc") != std::string::npos)
    declarations += ".extern .func (.param .b64 b) malloc(.param .b64 a);\n";
  if (ptx.find("call.uni free") != std::string::npos) declarations += ".extern .func free(.param .b64 a);\n";
  return std::string(kPtxHeader) + declarations + ptx;
}

}  // namespace cudalabs
