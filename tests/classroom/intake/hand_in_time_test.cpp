#include "grader/classroom/intake/hand_in_time.h"

#include "tests/harness/catch.h"

using namespace cudalabs;

TEST_CASE("Times with and without a zone", "[layouts]") {
  const auto at = [](const char* text) { return parse_time(text).value_or(ParsedTime{}).at; };
  CHECK(at("2026-03-01T23:59:00+01:00") == 1772405940);
  CHECK(at("2026-03-01 22:59:00 Z") == 1772405940);
  CHECK(at("2026-03-01 22:59:00.123456789 UTC") == 1772405940);
  CHECK(at("2026-03-01") == 1772323200);
  CHECK(parse_time("2026-03-01T23:59:00+01:00")->offset == 3600);
  CHECK(parse_time("2026-03-01T23:59:00-0330")->offset == -12600);
  CHECK(parse_time("2026-03-01T23:59:00Z")->offset == 0);
  CHECK_FALSE(parse_time("2026-03-01T23:59:00")->offset);
  for (const char* wrong : {"", "tomorrow", "2026-13-01", "2026-02-30", "2026-03-01T24:00:00Z",
                            "2026-03-01T10:60:00Z", "2026-03-01T10:00:00+99:00"})
    CHECK_FALSE(parse_time(wrong));
}

TEST_CASE("Times in Moodle's words", "[layouts]") {
  for (const char* text :
       {"Sunday, 1 March 2026, 11:59 PM", "Sonntag, 1. März 2026, 23:59", "воскресенье, 1 марта 2026, 23:59",
        "dimanche 1 mars 2026, 23:59", "domingo, 1 de marzo de 2026, 23:59"})
    CHECK(parse_spoken_time(text) == 1772409540);
  CHECK(parse_spoken_time("Monday, 2 March 2026, 12:05 AM") == 1772409900);
  for (const char* wrong : {"", "-", "Participant 4711", "1 March 2026", "31 February 2026, 10:00", "85.00"})
    CHECK(parse_spoken_time(wrong) == 0);
}
