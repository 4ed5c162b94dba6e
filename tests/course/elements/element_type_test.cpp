#include "grader/course/elements/element_type.h"

#include <cmath>

#include "tests/harness/catch.h"

using namespace cudalabs;

TEST_CASE("every type has its names in CUDA and its size") {
  const auto named = [](std::string_view name) {
    const auto type = contract_type(name);
    return type ? spelling(*type) + " " + std::to_string(size_of(type->type) * type->components) : "none";
  };
  CHECK(named("uchar4") == "uchar4 4");
  CHECK(named("char3") == "char3 3");
  CHECK(named("unsigned char") == "unsigned char 1");
  CHECK(named("unsigned int") == "unsigned 4");
  CHECK(named("longlong2") == "longlong2 16");
  CHECK(named("__half2") == "half2 4");
  CHECK(named("__nv_bfloat162") == "__nv_bfloat162 4");
  CHECK(named("double2") == "double2 16");
  CHECK(named("bool") == "bool 1");
  CHECK(named("half4") == "none");
  CHECK(named("float1") == "none");
  CHECK(is_integer(ElementType::Bool));
  CHECK_FALSE(is_integer(ElementType::Half));
}

TEST_CASE("inputs of a type are drawn from numbers that it holds") {
  for (const std::string& name : contract_type_names()) {
    const ElementType type = contract_type(name)->type;
    INFO(name);
    CHECK(usual_range(type).low >= full_range(type).low);
    CHECK(usual_range(type).high <= full_range(type).high);
    CHECK(usual_range(type).low < usual_range(type).high);
  }
  CHECK(usual_range(ElementType::UInt8).high == 255);
  CHECK(full_range(ElementType::Half).high == 65504);
  CHECK(full_range(ElementType::BFloat16).high == 0x1.fep127);
}

TEST_CASE("every number of 16 bits survives the way to float and back") {
  const auto check = []<class T>(T) {
    for (unsigned bits = 0; bits < 65536; ++bits) {
      T number;
      number.bits = static_cast<std::uint16_t>(bits);
      const auto value = static_cast<float>(number);
      const T again(value);
      if (std::isnan(value) ? !std::isnan(static_cast<float>(again)) : again.bits != bits) {
        CAPTURE(bits, value, again.bits);
        FAIL("another number");
      }
    }
  };
  check(HalfFloat());
  check(BFloat16());
}

TEST_CASE("numbers of 16 bits round to the nearest, and to even between two") {
  CHECK(HalfFloat(1.0).bits == 0x3c00);
  CHECK(HalfFloat(1 + 0x1p-11).bits == 0x3c00);
  CHECK(HalfFloat(1 + 3 * 0x1p-11).bits == 0x3c02);
  CHECK(HalfFloat(2 - 0x1p-12).bits == 0x4000);
  CHECK(HalfFloat(65519.0).bits == 0x7bff);
  CHECK(HalfFloat(65520.0).bits == 0x7c00);
  CHECK(HalfFloat(-0x1p-24).bits == 0x8001);
  CHECK(HalfFloat(0x1p-25).bits == 0);
  CHECK(HalfFloat(0x1p-14 - 0x1p-26).bits == 0x0400);
  CHECK(BFloat16(1 + 0x1p-8).bits == 0x3f80);
  CHECK(BFloat16(1 + 0x1p-8 + 0x1p-20).bits == 0x3f81);
  CHECK(BFloat16(-3e38).bits == 0xff62);
}
