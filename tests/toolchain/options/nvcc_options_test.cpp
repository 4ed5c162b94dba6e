#include "grader/toolchain/options/nvcc_options.h"

#include "tests/harness/catch.h"
#include "tests/harness/files.h"

using namespace cudalabs;

namespace {

using Words = std::vector<std::string>;

NvccCommand read(const Words& words) {
  auto command = read_nvcc_command(words);
  INFO((command.ok() ? "" : command.problem().text()));
  REQUIRE(command.ok());
  return std::move(*command);
}

std::string refused(const Words& words, const Words& others = {}) {
  const auto command = read_nvcc_command(words, others);
  REQUIRE_FALSE(command.ok());
  return command.problem().text();
}

Words names(const NvccCommand& command) {
  Words all;
  for (const NvccSource& source : command.sources) all.push_back(source.file);
  return all;
}

}  // namespace

TEST_CASE("an option may stand before its value in every way that nvcc takes") {
  const Words wanted{"-Iinclude", "-DN=64", "-O3", "-std=c++20", "-include=first.h"};
  CHECK(read({"-I", "include", "-D", "N=64", "-O", "3", "-std", "c++20", "-include", "first.h"}).flags ==
        wanted);
  CHECK(read({"-Iinclude", "-DN=64", "-O3", "-std=c++20", "-include=first.h"}).flags == wanted);
  CHECK(read({"--include-path=include", "--define-macro", "N=64", "--optimize=3", "--std=c++20",
              "--pre-include", "first.h"})
            .flags == wanted);
  CHECK(read({"-Ia,b"}).flags == Words{"-Ia", "-Ib"});
}

TEST_CASE("sources and what is linked keep their order, and a file's ending says what it is") {
  const NvccCommand command =
      read({"-o", "program", "main.cu", "helper.o", "help.cpp", "-Lfolder", "-lm", "old.c", "libmine.a"});
  CHECK(names(command) == Words{"main.cu", "help.cpp", "old.c"});
  CHECK(command.sources[0].cuda);
  CHECK_FALSE(command.sources[1].cuda);
  CHECK(command.sources[2].c);
  CHECK(command.link == Words{"helper.o", "-Lfolder", "-lm", "libmine.a"});
  CHECK(command.output == "program");
  CHECK(read({"-x", "cu", "main.cpp"}).sources[0].cuda);
}

TEST_CASE("a shared library is one by its own name, whatever its folder is called") {
  for (const char* const name : {"libmine.so", "folder/libmine.so.1.2", "my.sources/libmine.so.12",
                                 "libcrypto.so.1.0.2k", "libssl.so.1.1.1k-fips"})
    CHECK(is_shared_library(name));
  for (const char* const name : {"my.sorts", "my.solutions/program", "lib.so.d/first.cu", "libmine.so.", "so",
                                 "libmine.so.old", "prog.so..", ".so", ".so.1", "my.so.1/program", ""})
    CHECK_FALSE(is_shared_library(name));
  CHECK(names(read({"lib.so.d/first.cu", "libmine.so.1"})) == Words{"lib.so.d/first.cu"});
}

TEST_CASE("what means nothing on a simulated card is left out, with its value") {
  const NvccCommand command =
      read({"a.cu", "-arch=sm_70", "-gencode", "arch=compute_86,code=[sm_86,compute_86]", "-lineinfo", "-G",
            "-Xptxas", "-v", "-cudart", "static", "-lcudart", "-lcurand", "-lcuda"});
  CHECK(command.flags.empty());
  CHECK(command.link.empty());
  CHECK(command.architecture == 86);
}

TEST_CASE("relocatable code and the phases are known by all of their names") {
  CHECK_FALSE(read({"a.cu"}).relocatable);
  CHECK(read({"-rdc=true", "a.cu"}).relocatable);
  CHECK(read({"--relocatable-device-code", "true", "a.cu"}).relocatable);
  CHECK(read({"-dc", "a.cu"}).relocatable);
  CHECK(read({"-dc", "a.cu"}).phase == NvccPhase::Compile);
  CHECK(read({"-dlink", "a.o"}).phase == NvccPhase::DeviceLink);
  CHECK(read({"-lib", "a.o"}).phase == NvccPhase::Archive);
  CHECK(read({"--version"}).phase == NvccPhase::Version);
  CHECK(read({"--ptx", "a.cu"}).phase == NvccPhase::Other);
  // As in CMake, where the phase stays.
  const NvccCommand linked = read({"-shared", "-dlink", "a.o", "-o", "linked.o", "-v"});
  CHECK(linked.phase == NvccPhase::DeviceLink);
  CHECK(linked.shared);
  CHECK(linked.verbose);
  CHECK_FALSE(read({"a.cu", "-Xptxas", "-v"}).verbose);
  CHECK(read({"-c", "a.cu", "-MD", "-MF", "a.d"}).dependencies == Words{"-MD", "-MF=a.d"});
}

TEST_CASE("options may stand in a file, with a shell's quotes") {
  const cudalabs::test::TemporaryFolder place;
  const std::string file = (place.path() / "options.rsp").string();
  std::ofstream(file) << ("-I\"a folder\" -DA='1 2'\n-DB=\\\"x\\\"");
  const Words wanted{"-Ia folder", "-DA=1 2", "-DB=\"x\""};
  CHECK(read({"--options-file", file}).flags == wanted);
  CHECK(read({"@" + file}).flags == wanted);
}

TEST_CASE("what nvcc does not know is refused, or the host compiler's") {
  CHECK(refused({"a.cu", "--chek", "all"}, {"--check"}) ==
        "unknown option '--chek' of nvcc and the grader; did you mean '--check'?\n  hint: pass options of "
        "the host compiler with -Xcompiler");
  CHECK(refused({"a.cu", "-Wall"}) ==
        "unknown option '-Wall' of nvcc and the grader\n  hint: pass options of the host compiler with "
        "-Xcompiler");
  CHECK(read({"-forward-unknown-to-host-compiler", "-fopenmp", "a.cu"}).flags ==
        Words{"-Xcompiler=-fopenmp"});
  CHECK(read({"-forward-unknown-to-host-compiler", "-Wl,-rpath,there", "a.cu"}).link ==
        Words{"-Wl,-rpath,there"});
  CHECK(refused({"a.cu", "-o"}) == "-o needs a value");
  CHECK(refused({"a.cu", "notes.txt"}) ==
        "notes.txt is neither a source file nor an object, by its name\n  hint: "
        "sources end with .cu, .cpp, .cc, .cxx or .c; or give their language with -x");
}

TEST_CASE("a library that needs a card is refused by its name") {
  CHECK(refused({"a.cu", "-lcublas_static"}) ==
        "the program is linked with cuBLAS (-lcublas_static), which runs only on NVIDIA cards and is not "
        "supported here\n  hint: write your own kernel for it, or use Thrust and CUB, which work here");
}
