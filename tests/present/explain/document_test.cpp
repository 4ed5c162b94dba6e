// The contents of the pages: sums, rows, words. Also tests that they are safe to show.

#include <regex>

#include "grader/base/text.h"
#include "grader/present/layout.h"
#include "grader/present/terminal/explained.h"
#include "grader/present/web/explained.h"
#include "tests/harness/catch.h"

namespace cudalabs::explain {
namespace {

sim::LineCounters line_of(const std::string& file, std::uint32_t line, std::uint64_t executed) {
  sim::LineCounters counters{file, line, {}};
  counters.counters.warp_instructions = executed;
  counters.counters.thread_instructions = executed * 32;
  return counters;
}

LaunchRecord launch(const std::string& kernel, std::vector<sim::LineCounters> lines) {
  LaunchRecord record;
  record.kernel = kernel;
  record.grid = {2};
  record.block = {64};
  for (const auto& line : lines) record.counters += line.counters;
  record.lines = std::move(lines);
  return record;
}

Document document_of(const std::vector<LaunchRecord>& launches, const std::string& text) {
  Document document{"title", "subtitle", {{"", {}, figures_of(launches)}}, {}, {}};
  document.sources["/build/k.cu"] = {"k.cu", split_lines(text), {}};
  return document;
}

std::vector<LaunchRecord> hostile_launches() {
  sim::LineCounters odd = line_of("/build/k.cu", 3, 1'234'567'890'123);
  odd.counters.global_load_requests = 5;
  odd.counters.global_load_sectors = 160;
  LaunchRecord record = launch("k<(char)60>\033[31m",
                               {line_of("/build/k.cu", 2, 7), odd, line_of("/build/k.cu", 4'000'000'000, 1)});
  record.accesses.push_back({"/build/k.cu", 3, 8, 8, 20, {}});
  sim::SharedExample& worst = record.accesses.back().worst;
  worst.mask = 0xFFFF;
  worst.degree = 16;
  worst.variable = "<b>`&\033[2J";
  for (std::uint32_t lane = 0; lane < 16; ++lane) worst.offsets[lane] = 0xFFFFFF80u - lane * 128;
  return {record};
}

}  // namespace

TEST_CASE("instances of a template are summed, kernels are told apart", "[explain]") {
  const auto kernels = figures_of(std::vector{
      launch("ns::k<32, a<1>>", {line_of("a.cu", 3, 10)}), launch("other", {line_of("a.cu", 9, 1)}),
      launch("ns::k<33, a<1>>", {line_of("a.cu", 3, 5), line_of("h.cuh", 1, 40)})});
  REQUIRE(kernels.size() == 2);
  CHECK(kernels[0].name == "ns::k");
  CHECK(kernels[0].instances == std::vector<std::string>{"<32, a<1>>", "<33, a<1>>"});
  CHECK(kernels[0].launches == 2);
  REQUIRE(kernels[0].shapes.size() == 1);
  CHECK(kernels[0].shapes[0].times == 2);
  REQUIRE(kernels[0].files.size() == 2);
  CHECK(kernels[0].files[0].file == "h.cuh");  // most executed first
  CHECK(kernels[0].files[1].lines.at(3).executed() == 15);
  CHECK(kernels[0].total.executed() == 55);
}

TEST_CASE("instructions without a line and launches without lines are owned up to", "[explain]") {
  LaunchRecord bare = launch("k", {line_of("a.cu", 3, 10)});
  bare.counters.warp_instructions = 12;
  LaunchRecord dropped = launch("k", {line_of("a.cu", 3, 10)});
  dropped.lines.clear();
  const auto kernels = figures_of(std::vector{bare, dropped});
  CHECK(kernels[0].without_line == 2);
  CHECK(kernels[0].launches_without_lines == 1);
  const std::string page = text_page({"t", "s", {{"", {}, kernels}}, {}, {}}, {});
  CHECK(page.find("2 warp instructions have no line") != std::string::npos);
  CHECK(page.find("1 of the 2 launches") != std::string::npos);
}

TEST_CASE("the time of a line is its part of the kernel's estimate without the launch", "[explain]") {
  LaunchRecord record = launch("k", {line_of("/build/k.cu", 1, 30), line_of("/build/k.cu", 2, 10)});
  record.bounds.launch = 500;
  record.bounds.memory = 1000;
  record.line_times = {{"/build/k.cu", 1, 250}, {"/build/k.cu", 2, 750}};
  const std::string page = text_page(document_of({record}, "one;\ntwo;\n"), {});
  CHECK(std::regex_search(page, std::regex("1 +30 +75% +25% +one;")));
  CHECK(std::regex_search(page, std::regex("2 +10 +25% +75% +two;")));
}

TEST_CASE("the bank map shows the access that padding changes", "[explain]") {
  LaunchRecord record = launch("k", {line_of("/build/k.cu", 1, 1), line_of("/build/k.cu", 2, 1)});
  for (const std::uint32_t line : {1u, 2u}) {
    record.accesses.push_back({"/build/k.cu", line, 1, 1, 0, {}});
    sim::SharedExample& access = record.accesses.back().worst;
    access.mask = 0xFFFFFFFF;
    access.degree = 1;
    for (std::uint32_t lane = 0; lane < 32; ++lane) access.offsets[lane] = lane * (line == 1 ? 4 : 132);
  }
  std::size_t file = 0;
  std::uint32_t line = 0;
  REQUIRE(figures_of(std::vector{record})[0].worst_shared(file, line));
  CHECK(line == 2);  // a column of rows of 33 words
  record.accesses[0].worst.degree = 2;
  REQUIRE(figures_of(std::vector{record})[0].worst_shared(file, line));
  CHECK(line == 1);
}

TEST_CASE("PTX stands under its line, that of inlined library code under the call", "[explain]") {
  const std::string ptx = R"(.version 8.0
.target sm_80
.address_size 64
.visible .func helper() { .loc 1 9 1
  ret; }
.visible .func unused() { .loc 1 9 1
  ret; }
.visible .entry _Z4tileILi32EEvPi(.param .u64 p) {
  .reg .b32 %r<3>;
  .loc 1 3 1
  mov.u32 	%r1,   %tid.x;
  .loc 2 80 1, function_name $L__info_string0, inlined_at 1 3 1
  add.s32 %r2,
    %r1, 7;
  .loc 1 4 1
  call helper;
  ret;
}
.file 1 "/build/k.cu"
.file 2 "/usr/local/cuda/include/math.h"
.section .debug_str { $L__info_string0: .b8 102, 0 }
)";
  const auto code = code_of(ptx);
  REQUIRE(code.size() == 1);
  const CodeLines& lines = code.at("tile<32>");
  CHECK(lines.at({"/build/k.cu", 3}) ==
        std::vector<std::string>{"mov.u32 %r1, %tid.x;", "add.s32 %r2, %r1, 7;"});
  CHECK(lines.at({"/build/k.cu", 4}) == std::vector<std::string>{"call helper;", "ret;"});
  CHECK(lines.at({"/build/k.cu", 9}).size() == 1);
  CHECK(code_of("no ptx").empty());

  Document document = document_of({launch("tile<32>", {line_of("/build/k.cu", 3, 1)})}, "\n\nhere;\n");
  document.code = code;
  CHECK(std::regex_search(text_page(document, {}), std::regex("here;\n +mov.u32 %r1, %tid.x;\n +add.s32")));
  CHECK(html_page(document).find("<summary>2 PTX</summary><pre>mov.u32 %r1, %tid.x;\n") != std::string::npos);
}

TEST_CASE("heat follows the ratio to the ideal", "[explain]") {
  LineFigures line;
  line.counters.global_load_requests = 10;
  line.accesses.global_ideal_sectors = 40;
  for (const auto& [sectors, heat] : {std::pair{40, Heat::None},
                                      {49, Heat::None},
                                      {50, Heat::Mild},
                                      {80, Heat::High},
                                      {160, Heat::Severe}}) {
    line.counters.global_load_sectors = static_cast<std::uint64_t>(sectors);
    CHECK(global_heat(line) == heat);
  }
  CHECK(shared_heat(line) == Heat::None);
  line.counters.warp_instructions = 4;
  line.counters.thread_instructions = 64;
  CHECK(line.idle_share() == 0.5);
  CHECK(idle_heat(line) == Heat::High);
}

TEST_CASE("rows: context, gaps, tabs, and lines without a text", "[explain]") {
  FileFigures file{"k.cu", {}};
  file.lines[3];
  file.lines[5];
  file.lines[20];
  SourceText source{
      "k.cu",
      split_lines("}\n\n\t__global__ k()\n\t{\n\t\tx;\n" + std::string(13, '\n') + "// next\nvoid f()\n"),
      {}};
  const auto rows = rows_of(file, &source);
  std::vector<std::uint32_t> numbers;
  for (const Row& row : rows) numbers.push_back(row.line);
  CHECK(numbers == std::vector<std::uint32_t>{3, 4, 5, 0, 19, 20});
  CHECK(rows[0].text == "    __global__ k()");
  CHECK(rows[2].text == "        x;");
  CHECK(rows[1].figures == nullptr);
  CHECK(rows[4].text == "// next");
  const auto bare = rows_of(file, nullptr);
  REQUIRE(bare.size() == 5);  // 3, gap, 5, gap, 20
  CHECK(bare[0].text.empty());
}

TEST_CASE("numbers", "[explain]") {
  CHECK(count_text(9'999'999) == "9,999,999");
  CHECK(count_text(12'345'678) == "12.3M");
  CHECK(count_text(999'999'999) == "1.00G");
  CHECK(count_text(~std::uint64_t{0}) == "18.4E");
  CHECK(figure_text(32) == "32");
  CHECK(figure_text(3.9666) == "3.97");
  CHECK(figure_text(15.52) == "15.5");
  CHECK(percent_text(0.001) == "<1%");
  CHECK(percent_text(0) == "0%");
  CHECK(lane_set(0x80000107) == "0-2, 8, 31");
  CHECK(lane_set(~0u) == "0-31");
}

TEST_CASE("no line of text is wider than its terminal", "[explain]") {
  const Document document =
      document_of(hostile_launches(), "// \xC3\xA4\n__global__ void k()\n\t" + std::string(300, 'x') + "\n");
  for (int width = 60; width <= 200; width += 7) {
    for (const bool utf8 : {true, false}) {
      ConsoleStyle style;
      style.width = width;
      style.utf8 = utf8;
      for (const std::string& line : split_lines(text_page(document, style))) {
        INFO(line);
        CHECK(display_width(line) <= static_cast<std::size_t>(width));
      }
    }
  }
}

TEST_CASE("colour only where it is asked for; names cannot bring their own", "[explain]") {
  const Document document = document_of(hostile_launches(), "a\nb\nc\033[31m\n");
  ConsoleStyle style;
  CHECK(text_page(document, style).find('\033') == std::string::npos);
  style.colour = true;
  const std::string page = text_page(document, style);
  CHECK(page.find("\033[31m") != std::string::npos);  // the severe figure
  CHECK(page.find("c\033[31m") == std::string::npos);
  CHECK(page.find("\033[2J") == std::string::npos);
}

TEST_CASE("nothing of the source becomes markup", "[explain]") {
  const Document document =
      document_of(hostile_launches(), "a\n<script>alert('1')</script>\n\"&amp;<img src=x>\n");
  const std::string page = html_page(document);
  CHECK(page.find("<script") == std::string::npos);
  CHECK(page.find("<img") == std::string::npos);
  CHECK(page.find("<b>`") == std::string::npos);
  CHECK(page.find("&lt;script&gt;alert(&#39;1&#39;)") != std::string::npos);
  CHECK(page.find("&amp;amp;&lt;img") != std::string::npos);
  CHECK(page.find("://") == std::string::npos);  // no external resources
  // The policy permits only the page's own style sheet, so a style attribute would have no effect.
  CHECK(page.find("Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-") !=
        std::string::npos);
  CHECK(page.find(" style=") == std::string::npos);
  CHECK(page.find('\033') == std::string::npos);
}

TEST_CASE("files that cannot be shown say why", "[explain]") {
  CHECK(read_source("/nowhere/k.cu").problem.find("does not exist") != std::string::npos);
  CHECK(read_source("/").problem.find("not a source file") != std::string::npos);
  CHECK(read_source("/proc/self/exe").problem != "");
  CHECK(read_source(CUDALABS_SOURCE "/tests/harness/catch.h").problem.empty());
  CHECK(read_source(CUDALABS_SOURCE "/tests/harness/catch.h").lines.at(0) == "#pragma once");
}

TEST_CASE("an access without a conflict, and one by few lanes", "[explain]") {
  sim::SharedExample access;
  access.mask = 0x3;
  access.degree = 1;
  access.offsets = {0, 4};
  const BankMap map = bank_map_of(access);
  CHECK(map.heading == "A load of 4 bytes a lane from shared memory, by warp 0 of block (0, 0, 0)");
  CHECK(map.sentences ==
        std::vector<std::string>{"No bank conflict: no bank has more than one word to serve.",
                                 "Only lanes 0-1 take part."});
}

}  // namespace cudalabs::explain
