#include "grader/device/trace/wire_text.h"

#include "grader/device/protocol/control.h"
#include "grader/device/protocol/cuda_error.h"
#include "grader/diagnostics/messages/device.h"
#include "tests/harness/catch.h"

using namespace cudalabs;
using namespace cudalabs::protocol;

namespace {

template <class M>
std::string line_of(M message) {
  return request_text(encode(std::move(message)));
}

}  // namespace

TEST_CASE("a request is a line with its name, sizes and pointers") {
  Allocate allocate;
  allocate.bytes = 4096;
  CHECK(line_of(allocate) == "Allocate bytes=4096");
  CHECK(line_of(Free{0x7f0000001000}) == "Free pointer=0x7f0000001000");
  CHECK(line_of(CopyIn{0x7f0000001000, 512, 512, 1, 0, 2}) == "CopyIn to=0x7f0000001000 bytes=512 stream=2");
  CHECK(line_of(CopyIn{0x1000, 1024, 512, 8, 0, 0}) ==
        "CopyIn to=0x1000 rows=8 width=512 pitch=1024 stream=0");
  Launch launch;
  launch.module = 1;
  launch.grid_x = 4;
  launch.block_x = 256;
  launch.parameters.resize(24);
  CHECK(line_of(launch) ==
        "Launch module=1 kernel=0 grid=4x1x1 block=256x1x1 dynamic_shared=0 stream=0 parameters=24");
  CHECK(line_of(SyncDevice{}) == "SyncDevice");
  CHECK(line_of(SyncStream{3}) == "SyncStream handle=3");
  CHECK(line_of(GetKernel{1, "_Z5scalePf"}) == "GetKernel module=1 name='_Z5scalePf'");
  CHECK(line_of(RunEntry{2, {0x7f0000001000, 1024}}) == "RunEntry entry=2 arguments=(0x7f0000001000, 1024)");
  CHECK(line_of(Ready{{1, 0, 1}}) == "Ready entries=3 defined=2");

  CHECK(line_of(GraderWrite{12, 0x7f0000001000, 4096}) ==
        "GraderWrite #12 pointer=0x7f0000001000 bytes=4096");
  CHECK(line_of(GraderAllocate{13, 0, 4096}) == "GraderAllocate #13 bytes=4096");
  CHECK(line_of(WaitReady{14}) == "WaitReady #14");
  CallEntry call;
  call.sequence = 15;
  call.entry = 1;
  call.arguments = std::vector<std::uint64_t>(10, 7);
  call.mode = CallMode::Sampled;
  CHECK(line_of(call) == "CallEntry #15 entry=1 arguments=(7, 7, 7, 7, 7, 7, 7, 7, 2 more) sampled");
}

TEST_CASE("a reply is a line with its outcome") {
  ReplyHead head;
  CHECK(reply_text(Kind::Allocate, encode_reply(head, Range{0x7f0000001000, 4096})) ==
        "Allocate success address=0x7f0000001000 bytes=4096");
  CHECK(reply_text(Kind::CreateStream, encode_reply(head, Handle{5})) == "CreateStream success handle=5");
  CHECK(reply_text(Kind::Free, encode_reply(head, Nothing{})) == "Free success");
  head.printed_bytes = 12;
  head.pending = static_cast<std::int32_t>(CudaError::IllegalAddress);
  CHECK(reply_text(Kind::Launch, encode_reply(head, Nothing{})) ==
        "Launch success pending=cudaErrorIllegalAddress printed=12");
  ReplyHead refused;
  refused.error = static_cast<std::int32_t>(CudaError::InvalidValue);
  refused.detail = msg::stream_unknown();
  CHECK(reply_text(Kind::Allocate, encode_reply(refused, Nothing{})) ==
        "Allocate cudaErrorInvalidValue (" + msg::stream_unknown().english() + ")");

  ControlReply reply;
  reply.sequence = 12;
  CHECK(reply_text(Kind::GraderWrite, encode(reply)) == "GraderWrite #12 ok");
  reply.value = 0x7f0000001000;
  CHECK(reply_text(Kind::GraderAllocate, encode(reply)) == "GraderAllocate #12 ok pointer=0x7f0000001000");
  reply.value = 300;
  CHECK(reply_text(Kind::CallEntry, encode(reply)) == "CallEntry #12 ok outcome=300 bytes");
  reply.value = 0;
  reply.ok = false;
  reply.problem = msg::not_memory_of_grader();
  CHECK(reply_text(Kind::GraderRead, encode(reply)) ==
        "GraderRead #12 refused (" + msg::not_memory_of_grader().english() + ")");
  CHECK(milliseconds_text(std::chrono::microseconds(41)) == "0.041 ms");
}

TEST_CASE("a hostile message is a line, too") {
  CHECK(request_text({}) == "message 0x0 malformed, 0 bytes");
  const std::vector<std::byte> unknown = {std::byte{0x77}, std::byte{0x77}, std::byte{0}, std::byte{0}};
  CHECK(request_text(unknown) == "message 0x7777 malformed, 4 bytes");
  // Each kind, cut at each length: no line is empty, none holds the bytes.
  Launch launch;
  launch.parameters.assign(40, std::byte{'S'});
  for (const std::vector<std::byte>& whole :
       {encode(launch), encode(Allocate{}), encode(Ready{{1, 1}}), encode(GetKernel{0, "secret"}),
        encode(CallEntry{}), encode(Configure{})}) {
    for (std::size_t size = 0; size < whole.size(); ++size) {
      const std::string line = request_text(std::span(whole).first(size));
      CHECK(line.find("malformed") != std::string::npos);
      CHECK(line.find("SSSS") == std::string::npos);
    }
    CHECK(request_text(whole).find("malformed") == std::string::npos);
    CHECK(request_text(whole).find("SSSS") == std::string::npos);
    CHECK(reply_text(Kind::Allocate, whole).find("malformed") != std::string::npos);
  }
  // A long name is cut.
  CHECK(line_of(GetKernel{0, std::string(4000, 'x')}).size() < 300);
}

TEST_CASE("every kind of message has a name") {
  for (std::uint32_t kind = static_cast<std::uint32_t>(Kind::Hello);
       kind <= static_cast<std::uint32_t>(Kind::StreamOperation); ++kind)
    CHECK_FALSE(name_of(static_cast<Kind>(kind)).starts_with("message"));
  for (std::uint32_t kind = static_cast<std::uint32_t>(Kind::ControlReply);
       kind <= static_cast<std::uint32_t>(Kind::Forget); ++kind)
    CHECK_FALSE(name_of(static_cast<Kind>(kind)).starts_with("message"));
  CHECK(name_of(Kind::RunEntry) == "RunEntry");
  CHECK(name_of(static_cast<Kind>(0x1fff)) == "message 0x1fff");
}
