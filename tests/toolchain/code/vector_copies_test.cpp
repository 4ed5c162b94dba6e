#include "grader/toolchain/code/vector_copies.h"

#include <string>

#include "tests/harness/catch.h"

namespace cudalabs {
namespace {

std::string copied(const std::string& before, const std::string& aligns) {
  return before + "  call void @llvm.memcpy.p0i8.p0i8.i64(" +
         (aligns.find("ptr") == std::string::npos ? "i8*" : "ptr") + " align " + aligns +
         ", i64 16, i1 false), !dbg !1, !tbaa.struct !2\n";
}

}  // namespace

TEST_CASE("vector types of CUDA's are known by their names", "[vector_copies]") {
  for (const char* name : {"float4", "uchar4", "longlong2", "ulong2", "double2", "half2", "__nv_bfloat162"})
    CHECK(names_vectors("const " + std::string(name) + "* p;"));
  for (const char* name :
       {"float3", "float1", "ufloat4", "make_float4", "my_float4", "float4x", "dim3", "double"})
    CHECK_FALSE(names_vectors("const " + std::string(name) + "* p;"));
  CHECK_FALSE(names_vectors(""));
}

TEST_CASE("copies of whole vectors load and store all of them at once", "[vector_copies]") {
  // The forms of LLVM 14 and of versions with opaque pointers.
  const std::string typed =
      "  %1 = bitcast float* %0 to %struct.float4*\n  %2 = bitcast %struct.float4* %1 to i8*\n";
  CHECK(with_whole_vectors(copied(typed, "16 %3, i8* align 4 %2")) ==
        typed +
            "  %cudalabs.from0 = bitcast i8* %2 to <4 x float>*\n"
            "  %cudalabs.to0 = bitcast i8* %3 to <4 x float>*\n"
            "  %cudalabs.copy0 = load <4 x float>, <4 x float>* %cudalabs.from0, align 16, !dbg !1\n"
            "  store <4 x float> %cudalabs.copy0, <4 x float>* %cudalabs.to0, align 16, !dbg !1\n");
  const std::string opaque = "  %r = alloca [4 x %struct.uchar2.7], align 2\n";
  CHECK(with_whole_vectors(opaque +
                           "  call void @llvm.memcpy.p0.p0.i64(ptr align 2 %r, ptr align 1 %p, i64 2, i1 "
                           "false), !tbaa.struct !2\n") ==
        opaque +
            "  %cudalabs.copy0 = load <2 x i8>, ptr %p, align 2\n"
            "  store <2 x i8> %cudalabs.copy0, ptr %r, align 2\n");
}

TEST_CASE("other copies stay as they are", "[vector_copies]") {
  const auto stays = [](const std::string& text) { CHECK(with_whole_vectors(text) == text); };
  stays("");
  stays("define void @f()");
  // An array of vectors.
  stays(copied("  %v = alloca [2 x %struct.float2], align 8\n", "8 %v, ptr align 4 %p"));
  stays(copied("  %v = alloca %struct.mine, align 16\n", "16 %v, ptr align 4 %p"));
  stays(copied("", "16 %v, ptr align 4 %p"));
  // A part of a vector, or of a type that contains one.
  stays(
      copied("  %v = getelementptr inbounds %struct.float4, ptr %p, i32 0, i32 1\n", "4 %v, ptr align 4 %p"));
  // The name's meaning in the previous function.
  stays(copied("  %v = alloca %struct.float4, align 16\ndefine void @g() {\n", "16 %v, ptr align 4 %p"));
  // A handwritten memcpy() guarantees no alignment.
  stays(
      "  %v = alloca %struct.float4, align 16\n"
      "  call void @llvm.memcpy.p0.p0.i64(ptr align 16 %v, ptr align 4 %p, i64 16, i1 false), !dbg !1\n");
  stays("  %v = alloca %struct.float4, align 16\n  call void @llvm.memcpy.(ptr align 16 %v !tbaa.struct");
}

}  // namespace cudalabs
