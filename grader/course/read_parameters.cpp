#include "grader/course/read_parameters.h"

#include <algorithm>
#include <cmath>

#include "grader/base/text.h"
#include "grader/diagnostics/messages/course.h"

namespace cudalabs {
namespace {

using Problem = std::optional<Diagnostic>;
using Names = std::vector<std::string>;

ContractType read_type(const YamlNode& node, Problem& problem) {
  const std::string name = as_text(node, "'type'", problem);
  if (const auto type = contract_type(name)) return *type;
  report(problem, node.where, msg::unknown_choice("type", name, suggestion(name, contract_type_names())),
         msg::some_types());
  return {};
}

void read_range(const YamlNode& range, Parameter& parameter, Problem& problem) {
  if (!parameter.acts_as(ParameterRole::Input)) report(problem, range.where, msg::range_not_of_an_input());
  if (range.kind != YamlNode::Kind::Sequence || range.items.size() != 2) {
    report(problem, range.where, msg::range_malformed(range.found()));
    return;
  }
  const double bound = is_integer(parameter.type) ? 1e9 : 1e30;
  const ElementRange full = full_range(parameter.type);
  const double low = std::max(-bound, full.low), high = std::min(bound, full.high);
  parameter.low = as_number(range.items[0], "the lowest value", low, high, problem);
  parameter.high = as_number(range.items[1], "the highest value", low, high, problem);
  if (parameter.low >= parameter.high) report(problem, range.where, msg::range_descends());
}

/// What only a scalar has, and what it has not.
void read_scalar(const YamlFields& fields, Parameter& parameter, Problem& problem) {
  if (parameter.components > 1)
    report(problem, fields.need("type").where, msg::scalar_is_vector(spelling(parameter.contract_type())));
  if (const YamlNode* shape = fields.maybe("shape")) report(problem, shape->where, msg::scalar_has_shape());
  const YamlNode* const value = fields.maybe("value");
  if (value == nullptr) return;
  parameter.value = as_scalar(*value, parameter, problem);
  if (const YamlNode* range = fields.maybe("range")) report(problem, range->where, msg::value_and_range());
}

/// "any", or {sorted_by: NAME}.
void read_order(const YamlNode& node, Parameter& parameter, Problem& problem) {
  if (node.kind == YamlNode::Kind::Mapping) {
    static const Names keys = {"sorted_by"};
    const YamlFields fields(node, "the order", keys, problem);
    parameter.order = Order::SortedBy;
    parameter.keys = as_text(fields.need("sorted_by"), "'sorted_by'", problem);
    return;
  }
  static const Names orders = {"any", "{sorted_by: NAME}"};
  if (as_choice(node, "order", orders, problem) == 1)
    report(problem, node.where, msg::written_as_text("order", orders[1]));
  parameter.order = Order::Any;
}

/// How an output is compared.
void read_answer(const YamlFields& fields, Parameter& parameter, Problem& problem) {
  const bool is_output = parameter.acts_as(ParameterRole::Output);
  for (const char* key : {"tolerance", "length", "order"}) {
    const YamlNode* const node = fields.maybe(key);
    if (node != nullptr && !is_output) report(problem, node->where, msg::only_of_an_output(key));
  }
  if (const YamlNode* node = fields.maybe("tolerance")) parameter.tolerance = read_tolerance(*node, problem);
  if (const YamlNode* node = fields.maybe("length")) parameter.length = as_text(*node, "'length'", problem);
  if (const YamlNode* node = fields.maybe("order")) read_order(*node, parameter, problem);
}

Parameter read_parameter(const YamlNode& node, Problem& problem) {
  static const Names keys = {"name",  "role",      "type",   "shape", "range",
                             "value", "tolerance", "length", "order"};
  static const Names roles = {"input", "output", "size", "inout", "scalar"};
  const YamlFields fields(node, "a parameter", keys, problem);
  Parameter parameter;
  parameter.name = as_cpp_name(fields.need("name"), "'name'", problem);
  parameter.role = static_cast<ParameterRole>(as_choice(fields.need("role"), "role", roles, problem));
  const ContractType type = read_type(fields.need("type"), problem);
  parameter.type = type.type;
  parameter.components = type.components;
  const ElementRange usual = usual_range(type.type);
  parameter.low = usual.low, parameter.high = usual.high;
  if (const YamlNode* range = fields.maybe("range")) read_range(*range, parameter, problem);
  read_answer(fields, parameter, problem);

  if (parameter.role == ParameterRole::Size) {
    if (type != ContractType{ElementType::Int32} && type != ContractType{ElementType::Int64})
      report(problem, fields.need("type").where, msg::size_not_an_integer());
    if (const YamlNode* shape = fields.maybe("shape")) report(problem, shape->where, msg::size_has_shape());
  } else if (parameter.role == ParameterRole::Scalar) {
    read_scalar(fields, parameter, problem);
    return parameter;
  } else {
    for (const YamlNode& item : as_list(fields.need("shape"), "'shape'", problem))
      parameter.shape.push_back(as_text(item, "a size in 'shape'", problem));
  }
  if (const YamlNode* value = fields.maybe("value"))
    report(problem, value->where, msg::value_not_of_a_scalar());
  return parameter;
}

const Parameter* find_parameter(const Lab& lab, const std::string& name) {
  const auto it = std::ranges::find(lab.parameters, name, &Parameter::name);
  return it == lab.parameters.end() ? nullptr : &*it;
}

/// Returns whether this parameter can be the length of an output: a size, or an output of one whole number.
bool counts(const Lab& lab, const Parameter& parameter) {
  if (parameter.role == ParameterRole::Size) return true;
  return parameter.acts_as(ParameterRole::Output) && parameter.shape.empty() && parameter.components == 1 &&
         is_integer(parameter.type) && parameter.type != ElementType::Bool &&
         lab.tolerance_of(parameter).kind == ToleranceKind::Exact;
}

/// Returns whether the elements of an output can be sorted by those of `keys`.
bool sorts(const Parameter& output, const Parameter& keys) {
  if (&keys == &output || keys.components != 1 || keys.shape.size() != 1) return false;
  return keys.acts_as(ParameterRole::Output) ? keys.shape == output.shape
                                             : keys.role == ParameterRole::Input && is_integer(output.type);
}

void check_output(const Lab& lab, const Parameter& output, const YamlNode& node, Problem& problem) {
  if (!output.length.empty()) {
    const Parameter* const length = find_parameter(lab, output.length);
    if (length == nullptr || !counts(lab, *length))
      report(problem, node.find("length")->where, msg::length_counts_nothing(output.length));
    if (output.shape.empty()) report(problem, node.find("length")->where, msg::length_of_one(output.name));
  }
  if (output.order == Order::Fixed) return;
  const Location& where = node.find("order")->where;
  if (output.components != 1 || output.shape.size() != 1)
    report(problem, where, msg::order_needs_one_dimension(output.name));
  if (lab.tolerance_of(output).kind == ToleranceKind::Checked)
    report(problem, where, msg::order_is_checked());
  if (output.order != Order::SortedBy) return;
  const Parameter* const keys = find_parameter(lab, output.keys);
  if (keys == nullptr || !sorts(output, *keys))
    report(problem, where, msg::sorted_by_nothing(output.keys, output.name));
}

}  // namespace

Tolerance read_tolerance(const YamlNode& node, std::optional<Diagnostic>& problem) {
  if (node.kind == YamlNode::Kind::Mapping) {
    static const Names keys = {"ulps", "absolute", "relative"};
    const YamlFields fields(node, "the tolerance", keys, problem);
    if (node.fields.size() != 1) report(problem, node.where, msg::one_tolerance());
    if (fields.maybe("absolute")) return {ToleranceKind::Absolute, fields.number("absolute", 0, 1e30)};
    if (fields.maybe("relative")) return {ToleranceKind::Relative, fields.number("relative", 0, 1)};
    return {ToleranceKind::Ulps, fields.number("ulps", 0, 1e6)};
  }
  static const Names kinds = {"exact",     "sum_of_products", "checked",
                              "{ulps: N}", "{absolute: ERR}", "{relative: ERR}"};
  const std::size_t kind = as_choice(node, "tolerance", kinds, problem);
  if (kind > 2) report(problem, node.where, msg::written_as_text("tolerance", kinds[kind]));
  constexpr ToleranceKind kWords[] = {ToleranceKind::Exact, ToleranceKind::SumOfProducts,
                                      ToleranceKind::Checked};
  return {kWords[std::min<std::size_t>(kind, 2)], 0};
}

void check_outputs(const Lab& lab, const YamlNode& parameters, const YamlNode& tolerance,
                   std::optional<Diagnostic>& problem) {
  for (std::size_t k = 0; k < lab.parameters.size(); ++k) {
    const Parameter& output = lab.parameters[k];
    if (!output.acts_as(ParameterRole::Output)) continue;
    if (lab.tolerance_of(output).kind == ToleranceKind::SumOfProducts && is_integer(output.type)) {
      const YamlNode* const own = output.tolerance ? parameters.items[k].find("tolerance") : &tolerance;
      report(problem, own->where, msg::integers_not_rounded(output.name));
    }
    check_output(lab, output, parameters.items[k], problem);
  }
}

double as_scalar(const YamlNode& node, const Parameter& parameter, std::optional<Diagnostic>& problem) {
  const std::string what = "'" + parameter.name + "'";
  const ElementRange full = full_range(parameter.type);
  constexpr double kExact = 0x1p53;  // integers up to here are doubles
  if (is_integer(parameter.type))
    return static_cast<double>(as_integer(node, what, static_cast<std::int64_t>(std::max(full.low, -kExact)),
                                          static_cast<std::int64_t>(std::min(full.high, kExact)), problem));
  const double value = as_number(node, what, full.low, full.high, problem);
  return with_type(parameter.type, [&]<class T>(T) { return static_cast<double>(static_cast<T>(value)); });
}

std::vector<Parameter> read_parameters(const YamlNode& node, std::optional<Diagnostic>& problem) {
  std::vector<Parameter> parameters;
  NamedNodes seen;
  Names sizes;
  for (const YamlNode& item : as_list(node, "'parameters'", problem)) {
    parameters.push_back(read_parameter(item, problem));
    const Parameter& parameter = parameters.back();
    if (const YamlNode* first = find_same(seen, parameter.name)) {
      report(problem, item.where, msg::stands_twice("parameter", parameter.name),
             msg::first_given_on_line(first->where.line));
    }
    seen.emplace_back(parameter.name, &item);
    if (parameter.role == ParameterRole::Size) sizes.push_back(parameter.name);
  }
  // Shapes may name sizes that come later in the contract, so look them up when all are known.
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    for (std::size_t d = 0; d < parameters[k].shape.size(); ++d) {
      const std::string& name = parameters[k].shape[d];
      if (whole_number(name) || std::ranges::find(sizes, size_plus(name).name) != sizes.end()) continue;
      report(problem, node.items[k].find("shape")->items[d].where,
             msg::unknown_size(name, parameters[k].name, suggestion(name, sizes)),
             sizes.empty() ? msg::give_role_size() : msg::possible_sizes(listed(sizes)));
    }
  }
  const bool has_output =
      std::ranges::any_of(parameters, [](const Parameter& p) { return p.acts_as(ParameterRole::Output); });
  if (!has_output) report(problem, node.where, msg::no_output_parameter());
  return parameters;
}

}  // namespace cudalabs
