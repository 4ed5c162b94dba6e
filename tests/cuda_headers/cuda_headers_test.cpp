// Compares our CUDA headers with nvcc: the results of their functions in a kernel on the same simulator, and
// their declarations with the toolkit's headers if these are installed.

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "tests/harness/catch.h"
#include "tests/harness/files.h"
#include "tests/harness/process.h"

using cudalabs::test::output_of;
using cudalabs::test::read_file;
using cudalabs::test::shell;
using cudalabs::test::TemporaryFolder;

namespace {

const std::filesystem::path kData = CUDALABS_TEST_DATA;
const std::string kHeaders = CUDALABS_CUDA_INCLUDE;
constexpr std::size_t kRowBytes = std::size_t{256} * 8, kRows = 2000;

bool installed(const std::string& program) {
  return cudalabs::test::run({shell("command -v " + program)}).status == 0;
}

/// Every installed clang. ctest counts a run without any as skipped.
std::vector<std::string> clangs() {
  std::vector<std::string> found;
  for (const char* version : {"14", "15", "16", "17", "18", "19", "20"}) {
    if (installed(std::string("clang++-") + version)) found.push_back(std::string("clang++-") + version);
  }
  if (found.empty() && installed("clang++")) found.emplace_back("clang++");
  if (found.empty()) std::printf("skipped: no clang here\n");
  return found;
}

std::string device_half(const std::string& clang) {
  return clang +
         " -x cuda --cuda-device-only --cuda-gpu-arch=sm_80 --cuda-path=/nonexistent -nocudainc -nocudalib "
         "-S -O2 "
         "-std=c++20 -isystem '" +
         kHeaders +
         "' -include cuda_runtime.h -Xclang -target-feature -Xclang +ptx75 "
         "-Xclang -target-sdk-version=11.5 ";
}

/// One line for each row of the kernel's table: the FNV-1a hash of its columns.
std::string table_of(const std::string& kernel, const std::string& compiler,
                     const std::filesystem::path& folder) {
  const std::string base = folder / kernel;
  output_of({shell(compiler + "'" + (kData / "functions" / kernel).string() + ".cu' -o '" + base + ".ptx'")});
  output_of({shell("'" CUDALABS_BIN "/ptx-run' '" + base + ".ptx' --entry " + kernel +
                   " --block 256 --arg 'out=@" + base + ".bin:" + std::to_string(kRows * kRowBytes) + "'")});
  const std::string bytes = read_file(base + ".bin");
  REQUIRE(bytes.size() == kRows * kRowBytes);
  const std::size_t used = (bytes.find_last_not_of('\0') + kRowBytes) / kRowBytes;
  std::ostringstream lines;
  for (std::size_t row = 0; row < used; ++row) {
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const char c : bytes.substr(row * kRowBytes, kRowBytes))
      hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    lines << "row " << row << ": " << std::hex << hash << std::dec << "\n";
  }
  return lines.str();
}

std::string without_comments(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text.compare(at, 2, "/*") == 0)
      at = text.find("*/", at) + 1;
    else if (text.compare(at, 2, "//") == 0)
      at = text.find('\n', at) - 1;
    else
      out += text[at];
  }
  return out;
}

std::set<std::string> all_matches(const std::string& text, const std::string& pattern) {
  std::set<std::string> found;
  const std::regex expression(pattern);
  for (std::sregex_iterator match(text.begin(), text.end(), expression), end; match != end; ++match)
    found.insert((*match)[1]);
  return found;
}

struct Declared {
  std::set<std::string> numbers, calls, members;  ///< a member is "type, path"; a type alone "type,"
};

/// The declarations of our headers. clang-format formats them, so parsing lines is enough.
Declared declared_by(const std::string& text) {
  Declared all;
  all.numbers = all_matches(text, R"(\b((?:cuda|CU|CUDA_)\w+) = -?\d)");
  all.calls =
      all_matches(text, R"((?:^|\n)(?:const char\*|cudaError_t|CUresult|cudaChannelFormatDesc) (cu\w+)\()");
  std::istringstream lines(text);
  std::string line, type;
  std::vector<std::vector<std::string>> open;  // of each struct that is open, its members' paths
  while (std::getline(lines, line)) {
    std::smatch match;
    if (std::regex_match(line, match, std::regex(R"((?:struct|union) (\w+) \{)"))) {
      type = match[1];
      open.assign(1, {});
    } else if (open.empty()) {
      continue;
    } else if (std::regex_match(line, std::regex(R"(\s+(?:struct|union) \{)"))) {
      open.emplace_back();
    } else if (std::regex_match(line, match, std::regex(R"(\s*\}\s*(\w*)(?:\[\d+\])?;)"))) {
      const std::vector<std::string> inner = std::move(open.back());
      open.pop_back();
      if (open.empty()) {
        all.members.insert(type + ",");
        for (const std::string& path : inner) all.members.insert(type + ", " + path);
        continue;
      }
      const std::string name = match[1];
      if (!name.empty()) open.back().push_back(name);
      for (const std::string& path : inner) open.back().push_back(name.empty() ? path : name + "." + path);
    } else if (std::regex_match(line, match, std::regex(R"(\s+[\w\s\*:]+?[\s\*](\w+)(?:\[\w+\])*;)"))) {
      open.back().push_back(match[1]);
    }
  }
  return all;
}

std::string headers_in(const std::filesystem::path& folder) {
  std::string text;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) text += read_file(entry.path());
  return text;
}

/// A program that prints every number, size, offset and signature; it compiles with either set of headers.
std::string facts_program(const std::string& header, const Declared& all, const std::string& more) {
  std::ostringstream source;
  source << "#include <" << header << ">\n#include <cstddef>\n#include <cstdio>\n#include <typeinfo>\n"
         << "#define NUMBER(n) std::printf(\"%s = %lld\\n\", #n, (long long)(n));\n"
         << "#define TYPE(t) std::printf(\"%s: %zu, aligned %zu\\n\", #t, sizeof(t), alignof(t));\n"
         << "#define MEMBER(t, m) std::printf(\"%s.%s: %zu at %zu\\n\", #t, #m, sizeof(((t*)nullptr)->m), "
            "offsetof(t, m));\n"
         << "#define CALL(f) std::printf(\"%s: %s\\n\", #f, typeid(decltype(f)).name());\nint main() {\n";
  for (const std::string& number : all.numbers) source << "NUMBER(" << number << ")\n";
  for (const std::string& call : all.calls) source << "CALL(" << call << ")\n";
  for (const std::string& member : all.members) {
    if (member.back() == ',')
      source << "TYPE(" << member.substr(0, member.size() - 1) << ")\n";
    else
      source << "MEMBER(" << member << ")\n";
  }
  source << more << "}\n";
  return source.str();
}

void check_facts(const std::string& header, const Declared& all, const std::string& more = "") {
  const TemporaryFolder folder;
  const std::string base = folder.path() / "facts";
  std::ofstream(base + ".cpp") << facts_program(header, all, more);
  std::string said[2];
  for (const bool toolkit : {false, true}) {
    const std::string include = toolkit ? CUDALABS_TOOLKIT_INCLUDE : kHeaders;
    output_of({shell("g++ -std=c++20 -w -isystem '" + include + "' '" + base + ".cpp' -o '" + base + "'")});
    said[toolkit] = output_of({shell("'" + base + "'")});
  }
  std::istringstream ours(said[0]), theirs(said[1]);
  for (std::string a, b; std::getline(ours, a) && std::getline(theirs, b);) CHECK(a == b);
  CHECK(said[0] == said[1]);
}

}  // namespace

TEST_CASE("functions of a kernel compute what nvcc's do", "[functions]") {
  const bool update = std::getenv("UPDATE_GOLDEN") != nullptr;
  const std::vector<std::string> compilers = clangs();
  for (const char* kernel : {"integers", "packed", "floats", "warps", "memory"}) {
    const TemporaryFolder folder;
    const std::filesystem::path golden = kData / "functions" / (std::string(kernel) + ".expected");
    if (update)
      std::ofstream(golden) << table_of(kernel, "nvcc -arch=compute_80 -std=c++20 -ptx ", folder.path());
    const std::string expected = read_file(golden);
    REQUIRE(expected.size() > 1000);
    for (const std::string& clang : compilers) {
      INFO(kernel << " by " << clang);
      CHECK(table_of(kernel, device_half(clang), folder.path()) == expected);
    }
  }
}

TEST_CASE("calls of the C++ API compile for host and device", "[calls]") {
  for (const std::string& clang : clangs()) {
    INFO(clang);
    const std::string file = "'" + (kData / "calls.cu").string() + "'";
    output_of({shell(device_half(clang) + file + " -o /dev/null")});
    output_of({shell(
        clang +
        " -x cuda --cuda-host-only --cuda-path=/nonexistent -nocudainc -nocudalib -std=c++20 -Wall -Werror "
        "-isystem '" +
        kHeaders + "' -include cuda_runtime.h -Xclang -target-sdk-version=11.5 -c " + file +
        " -o /dev/null")});
  }
}

TEST_CASE("numbers, layouts and signatures are those of the toolkit", "[toolkit]") {
  if (!std::filesystem::exists(CUDALABS_TOOLKIT_INCLUDE "/cuda_runtime_api.h")) {
    std::printf("skipped: no toolkit here\n");
    return;
  }
  const std::string text = headers_in(kHeaders + "/cudalabs/api");
  const Declared all = declared_by(text);
  REQUIRE(all.numbers.size() > 600);
  REQUIRE(all.calls.size() > 280);
  REQUIRE(all.members.size() > 500);
  // Macros define the vectors and the flags.
  std::string more;
  for (const char* element : {"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "longlong",
                              "ulonglong", "float", "double"}) {
    for (const char* count : {"1", "2", "3", "4"}) more += "TYPE(" + (std::string(element) + count) + ")\n";
  }
  for (const char* element : {"long", "ulong", "longlong", "ulonglong", "double"}) {
    for (const char* count : {"4_16a", "4_32a"}) more += "TYPE(" + (std::string(element) + count) + ")\n";
  }
  more += "TYPE(dim3) MEMBER(dim3, y) MEMBER(float4, w) NUMBER(CUDART_VERSION)\n";
  const std::set<std::string> flags = all_matches(text, R"(#define (cuda\w+) \(?[^c])");
  REQUIRE(flags.size() > 60);
  for (const std::string& flag : flags) more += "NUMBER(" + flag + ")\n";
  check_facts("cuda_runtime_api.h", all, more);

  const Declared driver = declared_by(read_file(kHeaders + "/cuda.h"));
  REQUIRE(driver.calls.size() > 30);
  check_facts("cuda.h", driver);

  // Checks that nothing is missing: calls, and the numbers and types of driver_types.h.
  const std::string toolkit = CUDALABS_TOOLKIT_INCLUDE;
  for (const std::string& call : all_matches(without_comments(read_file(toolkit + "/cuda_runtime_api.h")),
                                             R"(CUDARTAPI (cuda[A-Z]\w*)\()")) {
    INFO(call);
    CHECK(all.calls.count(call) == 1);
  }
  const std::string types = without_comments(read_file(toolkit + "/driver_types.h"));
  for (const std::string& number : all_matches(types, R"(\b(cuda[A-Z]\w*)\s*=\s*-?\d)")) {
    INFO(number);
    CHECK(all.numbers.count(number) == 1);
  }
  for (const std::string& type : all_matches(types, R"(struct\s+(?:__device_builtin__\s+)?(cuda\w+)\s*\{)")) {
    INFO(type);
    CHECK(all.members.count(type + ",") == 1);
  }
}
