// What an oracle does wrong ends a check with its function, its array and its line.

#include <filesystem>
#include <string>

#include "tests/harness/catch.h"
#include "tests/harness/grader.h"

namespace e2e {
namespace {

const std::filesystem::path kOracle = "labs/lab1/variant1/oracle.cpp";

/// check-labs, where lab1/variant1's oracle begins with this.
Outcome check_with_oracle(const std::string& begin, const std::string& includes = "") {
  const Sandbox sandbox;
  const std::string head = "extern \"C\" void oracle(const OracleCall* call) {";
  replace_in(sandbox.course() / kOracle, head, includes + head + "\n  " + begin);
  return sandbox.grader({"check-labs", "lab1", "variant1"});
}

TEST_CASE("a crash in an oracle is told, and whose it is", "[check_labs]") {
  const Outcome outcome = check_with_oracle("call->expected[0].integers[0] = 1;");
  INFO(outcome.out << outcome.err);
  CHECK(outcome.status == 3);
  CHECK(outcome.err.find("grader: the oracle of lab1/variant1 crashed in oracle(), called for ") !=
        std::string::npos);
  CHECK(outcome.err.find("labs/lab1/variant1/oracle.cpp") != std::string::npos);
}

TEST_CASE("an oracle that ends the grader does not choose its status", "[check_labs]") {
  const Outcome outcome = check_with_oracle("std::exit(0);", "#include <cstdlib>\n");
  INFO(outcome.out << outcome.err);
  CHECK(outcome.status == 3);
  CHECK(outcome.err.find("grader: the oracle of lab1/variant1, in oracle() for ") != std::string::npos);
  CHECK(outcome.err.find(" calls exit() (oracle.cpp:") != std::string::npos);
}

TEST_CASE("an oracle that ends the process at once is told, too", "[check_labs]") {
  for (const std::string end : {"::_exit(0);", "std::_Exit(0);", "std::quick_exit(0);"}) {
    const Outcome outcome = check_with_oracle(end, "#include <unistd.h>\n#include <cstdlib>\n");
    INFO(end << outcome.out << outcome.err);
    CHECK(outcome.status == 3);
    CHECK(outcome.err.find("grader: the oracle of lab1/variant1, in oracle() for ") != std::string::npos);
    CHECK(outcome.err.find(" calls exit() (oracle.cpp:") != std::string::npos);
  }
}

TEST_CASE("an oracle that writes behind its arrays is told with the array", "[check_labs]") {
  const auto told = [](const Outcome& outcome, const std::string& function, const std::string& array) {
    INFO(outcome.out << outcome.err);
    CHECK(outcome.status == 3);
    CHECK(outcome.err.find("grader: the oracle of lab1/variant1, in " + function + "() for n=") !=
          std::string::npos);
    CHECK(outcome.err.find(", writes behind the end of `" + array + "`\n  hint: this is the course's code") !=
          std::string::npos);
  };
  told(check_with_oracle("call->expected[0].values[call->expected[0].count] = 0;"), "oracle", "y");
  const Sandbox sandbox;
  const std::string head = "extern \"C\" void baseline(const OracleCall* call) {";
  replace_in(sandbox.course() / kOracle, head,
             head + "\n  static_cast<float*>(call->results[0])[call->sizes[0]] = 0;");
  told(sandbox.grader({"check-labs", "lab1", "variant1"}), "baseline", "y");
}

}  // namespace
}  // namespace e2e
