// Compares the estimates with stored measurements of a GPU (bench/estimate). They must not become worse than
// docs/estimate.md states. The model was fitted to half of the families; the other half shows how well it
// generalizes.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/harness/catch.h"
#include "tests/harness/compiler.h"
#include "tests/harness/files.h"
#include "tests/harness/process.h"

namespace cudalabs::test {
namespace {

namespace fs = std::filesystem;

const fs::path kBench = fs::path(CUDALABS_SOURCE) / "bench" / "estimate";

/// The rows of a table: column -> value. Lines that begin with # are ignored.
std::vector<std::map<std::string, std::string>> table_of(const std::string& text) {
  const auto cells = [](const std::string& line) {
    std::vector<std::string> list;
    std::istringstream stream(line);
    for (std::string cell; std::getline(stream, cell, ',');) list.push_back(cell);
    return list;
  };
  std::vector<std::map<std::string, std::string>> rows;
  std::vector<std::string> head;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line.front() == '#') continue;
    const std::vector<std::string> list = cells(line);
    if (head.empty()) {
      head = list;
      continue;
    }
    REQUIRE(list.size() == head.size());
    for (std::size_t i = 0; i < list.size(); ++i)
      (i == 0 ? rows.emplace_back() : rows.back())[head[i]] = list[i];
  }
  return rows;
}

struct Pair {
  double measured = 0, estimated = 0;
};

struct Summary {
  double median_error = 0, within_35 = 0, factor = 0, spearman = 0, in_order = 0;
};

std::vector<double> ranks(const std::vector<double>& values) {
  std::vector<double> result;
  for (const double value : values) {
    double rank = 0;
    for (const double other : values) rank += other < value ? 1 : other == value ? 0.5 : 0;
    result.push_back(rank);
  }
  return result;
}

double correlation(const std::vector<double>& x, const std::vector<double>& y) {
  const auto mean = [](const std::vector<double>& v) {
    double sum = 0;
    for (const double value : v) sum += value;
    return sum / static_cast<double>(v.size());
  };
  const double of_x = mean(x), of_y = mean(y);
  double above = 0, left = 0, right = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    above += (x[i] - of_x) * (y[i] - of_y);
    left += (x[i] - of_x) * (x[i] - of_x);
    right += (y[i] - of_y) * (y[i] - of_y);
  }
  return above / std::sqrt(left * right);
}

Summary summary_of(const std::vector<Pair>& pairs) {
  Summary s;
  std::vector<double> errors, measured, estimated;
  double logs = 0, apart = 0, ordered = 0;
  for (const Pair& p : pairs) {
    errors.push_back(std::abs(p.estimated / p.measured - 1));
    logs += std::abs(std::log(p.estimated / p.measured));
    measured.push_back(p.measured);
    estimated.push_back(p.estimated);
    for (const Pair& o : pairs) {
      if (o.measured <= 1.15 * p.measured) continue;
      ++apart;
      ordered += o.estimated > p.estimated ? 1 : 0;
    }
  }
  const auto count = static_cast<double>(pairs.size());
  s.within_35 =
      static_cast<double>(std::ranges::count_if(errors, [](double e) { return e <= 0.35; })) / count;
  std::ranges::sort(errors);
  s.median_error = errors[errors.size() / 2];
  s.factor = std::exp(logs / count);
  s.spearman = correlation(ranks(measured), ranks(estimated));
  s.in_order = ordered / apart;
  return s;
}

}  // namespace

TEST_CASE("estimates are no farther from what was measured than documented", "[truth]") {
  if (!is_nvcc("the code that was measured")) return;
  const Ended ran =
      run({{(fs::path(CUDALABS_BIN) / "grader").string(), "run", (kBench / "estimate.cu").string(),
            "--device", "simulator", "--device-profile", "h200", "--", "estimate"}});
  INFO(ran.err);
  REQUIRE(ran.status == 0);
  std::map<std::pair<std::string, std::string>, double> estimates;
  for (const auto& row : table_of(ran.out))
    estimates[{row.at("family"), row.at("name")}] = std::stod(row.at("estimated_us"));
  std::map<std::string, std::string> half_of;
  for (const auto& row : table_of(read_file(kBench / "truth" / "split.csv")))
    half_of[row.at("family")] = row.at("half");
  std::map<std::string, std::vector<Pair>> halves;
  for (const auto& row : table_of(read_file(kBench / "truth" / "h200.csv"))) {
    INFO(row.at("family") << " " << row.at("name"));
    halves[half_of.at(row.at("family"))].push_back(
        {std::stod(row.at("filled_us")), estimates.at({row.at("family"), row.at("name")})});
  }
  REQUIRE(halves.size() == 3);
  CHECK(halves["fit"].size() == 137);
  CHECK(halves["test"].size() == 101);
  CHECK(halves["fresh"].size() == 150);

  const Summary fit = summary_of(halves["fit"]), test = summary_of(halves["test"]),
                fresh = summary_of(halves["fresh"]);
  CAPTURE(fit.median_error, fit.within_35, fit.factor, fit.spearman, fit.in_order);
  CAPTURE(test.median_error, test.within_35, test.factor, test.spearman, test.in_order);
  CAPTURE(fresh.median_error, fresh.within_35, fresh.factor, fresh.spearman, fresh.in_order);
  CHECK(fit.median_error <= 0.10);
  CHECK(fit.within_35 >= 0.95);
  CHECK(fit.factor <= 1.15);
  CHECK(fit.spearman >= 0.98);
  CHECK(fit.in_order >= 0.98);
  CHECK(test.median_error <= 0.15);
  CHECK(test.within_35 >= 0.90);
  CHECK(test.factor <= 1.20);
  CHECK(test.spearman >= 0.97);
  CHECK(test.in_order >= 0.97);
  CHECK(fresh.median_error <= 0.15);
  CHECK(fresh.within_35 >= 0.90);
  CHECK(fresh.factor <= 1.20);
  CHECK(fresh.spearman >= 0.96);
  CHECK(fresh.in_order >= 0.97);
}

}  // namespace cudalabs::test
