// What a lab's YAML may say about its parameters, and what is wrong with it.

#include "grader/course/read_parameters.h"

#include "tests/harness/catch.h"

using namespace cudalabs;

namespace {

/// The parameters of a YAML list, or what is wrong with them.
struct Read {
  Lab lab;
  std::string problem;

  explicit Read(const std::string& text) {
    const auto root = parse_yaml(text, "lab.yaml");
    REQUIRE(root.ok());
    std::optional<Diagnostic> found;
    lab.parameters = read_parameters(*root, found);
    check_outputs(lab, *root, *root, found);
    if (found) problem = found->text();
  }
};

const std::string kOutput =
    "- {name: y, role: output, type: int, shape: [n]}\n- {name: n, role: size, type: int}\n";

std::string wrong(const std::string& parameter) { return Read("- {" + parameter + "}\n" + kOutput).problem; }

}  // namespace

TEST_CASE("a parameter may be an array in place, a scalar or an array of vectors") {
  const Read read(
      "- {name: y, role: inout, type: float, shape: [n]}\n"
      "- {name: alpha, role: scalar, type: float, range: [-4, 4]}\n"
      "- {name: bias, role: scalar, type: int, value: -3}\n"
      "- {name: image, role: input, type: uchar4, shape: [n, n+1]}\n"
      "- {name: n, role: size, type: \"long long\"}\n");
  REQUIRE(read.problem.empty());
  const std::vector<Parameter>& p = read.lab.parameters;
  CHECK((p[0].acts_as(ParameterRole::Input) && p[0].acts_as(ParameterRole::Output) && p[0].is_array()));
  CHECK((p[1].acts_as(ParameterRole::Input) && !p[1].acts_as(ParameterRole::Output) && !p[1].is_array()));
  CHECK(p[1].high == 4);
  CHECK(p[2].value == -3);
  CHECK((p[3].type == ElementType::UInt8 && p[3].components == 4 && p[3].high == 255));
  TestCase test;
  test.sizes = {{"n", 7}};
  CHECK(test.extent("n+1") == 8);
}

TEST_CASE("mistakes in parameters are told where they stand") {
  CHECK(wrong("name: x, role: input, type: flaot4, shape: [n]")
            .find("lab.yaml:1:32: unknown type 'flaot4'; did you mean "
                  "'float4'?") == 0);
  CHECK(wrong("name: a, role: scalar, type: float, shape: [n]") ==
        "lab.yaml:1:47: a scalar has no shape: it is passed by value");
  CHECK(wrong("name: a, role: scalar, type: float4") ==
        "lab.yaml:1:33: a scalar is one number, and float4 has several: pass an array with the shape []");
  CHECK(wrong("name: a, role: scalar, type: int, value: 2.5") ==
        "lab.yaml:1:45: 'a' must be an integer, not '2.5'");
  CHECK(wrong("name: a, role: scalar, type: \"unsigned char\", value: 256") ==
        "lab.yaml:1:57: 'a' must be from 0 to 255, not 256");
  CHECK(wrong("name: a, role: scalar, type: int, value: 2, range: [0, 1]") ==
        "lab.yaml:1:55: a scalar with a 'value' has no 'range': it is the same in all cases");
  CHECK(wrong("name: x, role: input, type: int, shape: [n], value: 2") ==
        "lab.yaml:1:56: only a scalar has a value");
  CHECK(wrong("name: x, role: input, type: \"unsigned char\", shape: [n], range: [-1, 5]") ==
        "lab.yaml:1:69: the lowest value must be from 0 to 255, not -1");
  CHECK(wrong("name: int, role: input, type: int, shape: [n]") ==
        "lab.yaml:1:10: 'name' cannot be 'int', which is a keyword of C++");
  CHECK(wrong("name: x, role: input, type: int, shape: [n], order: any") ==
        "lab.yaml:1:56: only an output has 'order'");
}

TEST_CASE("an output says which of its elements count, and where they may stand") {
  const std::string rest =
      "- {name: c, role: output, type: int, shape: []}\n- {name: n, role: size, type: int}\n"
      "- {name: k, role: input, type: float, shape: [n]}\n";
  const auto read = [&](const std::string& keys) {
    return Read("- {name: y, role: output, type: int, shape: [n], " + keys + "}\n" + rest);
  };
  const Read set = read("length: c, order: any, tolerance: {absolute: 0.5}");
  REQUIRE(set.problem.empty());
  CHECK(set.lab.parameters[0].length == "c");
  CHECK(set.lab.parameters[0].order == Order::Any);
  CHECK(set.lab.parameters[0].tolerance == Tolerance{ToleranceKind::Absolute, 0.5});
  CHECK(read("order: {sorted_by: k}").lab.parameters[0].keys == "k");
  CHECK(read("length: n").problem.empty());
  CHECK(read("length: k").problem ==
        "lab.yaml:1:58: 'length' names a size, or an exact output of one whole number (its shape is []), not "
        "'k'");
  CHECK(
      read("order: {sorted_by: c}").problem.find("lab.yaml:1:57: 'sorted_by' names an output of the shape") ==
      0);
  CHECK(
      read("order: {sorted_by: y}").problem.find("lab.yaml:1:57: 'sorted_by' names an output of the shape") ==
      0);
  CHECK(Read("- {name: y, role: output, type: int, shape: [n], length: some}\n"
             "- {name: some, role: output, type: bool, shape: []}\n- {name: n, role: size, type: int}\n")
            .problem.find("lab.yaml:1:58: 'length' names a size, or an exact output of one whole number") ==
        0);
  CHECK(read("order: \"{sorted_by: NAME}\"").problem ==
        "lab.yaml:1:57: this must be a mapping, not text: order: {sorted_by: NAME}");
  CHECK(read("order: any, tolerance: checked").problem ==
        "lab.yaml:1:57: the oracle's check() judges this output: it has no 'order' besides");
  CHECK(read("tolerance: sum_of_products").problem ==
        "lab.yaml:1:61: integers have no rounding: 'y' needs the tolerance 'exact'");
  CHECK(read("tolerance: {absolute: 1, relative: 1}").problem ==
        "lab.yaml:1:61: a tolerance is one of ulps, absolute and relative");
}
