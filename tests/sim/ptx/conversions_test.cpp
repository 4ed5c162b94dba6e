// Compares every form of cvt with the diagnostics of ptxas (conversions.txt).

#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include "grader/sim/ptx/ir.h"
#include "tests/harness/catch.h"

using namespace cudalabs;

namespace {

constexpr const char* kTypes[] = {"u8",   "u16", "u32", "u64",  "s8",    "s16",    "s32",    "s64",   "f16",
                                  "bf16", "f32", "f64", "tf32", "f16x2", "bf16x2", "e4m3x2", "e5m2x2"};
constexpr const char* kRoundings[] = {"", "rn", "rz", "rm", "rp", "rna", "rni", "rzi", "rmi", "rpi", "rs"};

/// The lowest target that accepts the form, by "to.from modifiers".
std::map<std::string, int> accepted_by_ptxas() {
  std::map<std::string, int> forms;
  std::ifstream file(CUDALABS_TEST_DATA "/conversions.txt");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream words(line);
    std::string types, target;
    words >> types >> target;
    for (std::string mods; words >> mods;) forms[types + " " + mods] = std::stoi(target);
  }
  return forms;
}

std::string register_of(const std::string& type, int number) {
  const bool is_wide = type.ends_with("64"), is_pair = type == "f16x2" || type == "bf16x2";
  const bool is_word = is_pair || type.ends_with("32");
  return (is_wide ? "%rd" : is_word ? "%r" : "%h") + std::to_string(number);
}

std::string operands(const std::string& to, const std::string& from, const std::string& rounding) {
  std::string text = register_of(to, 1) + ", ";
  text += to.ends_with("x2") && from == "f32" ? "%r2, %r3" : register_of(from, 2);
  return rounding == "rs" ? text + ", %r4" : text;
}

bool loads(const std::string& instruction, int target) {
  return ptx::parse(".version 9.0\n.target sm_" + std::to_string(target) +
                        "\n.address_size 64\n.entry k()\n"
                        "{ .reg .b16 %h<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>;\n" +
                        instruction + "\n}\n",
                    "test.ptx")
      .ok();
}

}  // namespace

TEST_CASE("every form of cvt loads where ptxas 13.0 takes it, and only there") {
  const auto forms = accepted_by_ptxas();
  REQUIRE(forms.size() == 852);
  std::size_t met = 0;
  std::string wrong;
  for (const std::string to : kTypes)
    for (const std::string from : kTypes)
      for (const std::string rounding : kRoundings)
        for (const std::string rest :
             {"", "ftz", "sat", "satfinite", "relu", "ftz.sat", "ftz.satfinite", "relu.sat", "relu.satfinite",
              "ftz.relu", "ftz.relu.sat", "ftz.relu.satfinite"}) {
          std::string mods = rounding + (rounding.empty() || rest.empty() ? "" : ".") + rest;
          const auto form = forms.find(to + "." + from + " " + (mods.empty() ? "-" : mods));
          if (form != forms.end()) ++met;
          if (!mods.empty()) mods += ".";
          const std::string text = "cvt." + mods + to + "." + from + " " + operands(to, from, rounding) + ";";
          for (const int target : {100, 90, 80}) {
            if (loads(text, target) != (form != forms.end() && form->second <= target))
              wrong += text + " for sm_" + std::to_string(target) + "\n";
            if (form == forms.end()) break;  // if the newest target does not support it, none does
          }
        }
  CHECK(wrong == "");
  CHECK(met == forms.size());
}

TEST_CASE("the operands of cvt are as many as its form has") {
  CHECK(loads("cvt.rn.f16x2.f32 %r1, %r2, %r3;", 80));
  CHECK_FALSE(loads("cvt.rn.f16x2.f32 %r1, %r2;", 80));
  CHECK_FALSE(loads("cvt.rn.f16.f32 %h1, %r2, %r3;", 80));
  CHECK_FALSE(loads("cvt.u32.u16 %r1, %h1, %r2;", 80));
  CHECK_FALSE(loads("cvt.u32.u32.b32 %r1, %r2, %r3;", 80));
  CHECK(loads("cvt.pack.sat.s16.s32 %r1, %r2, %r3;", 80));
  CHECK(loads("cvt.pack.sat.u8.s32.b32 %r1, %r2, %r3, %r4;", 80));
  CHECK_FALSE(loads("cvt.pack.sat.u8.s32 %r1, %r2, %r3;", 80));
  CHECK_FALSE(loads("cvt.pack.u16.s32 %r1, %r2, %r3;", 80));
  CHECK_FALSE(loads("cvt.pack.sat.u16.s32.b32 %r1, %r2, %r3, %r4;", 80));
  CHECK_FALSE(loads("cvt.pack.sat.u16.u32 %r1, %r2, %r3;", 80));
}
