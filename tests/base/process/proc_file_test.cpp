#include "grader/base/process/proc_file.h"

#include <unistd.h>

#include <cstdint>

#include "tests/harness/catch.h"

namespace cudalabs {

TEST_CASE("files of /proc are read whole, and what is not there is empty") {
  const std::string own = proc_text("/proc/self/stat");
  CHECK(own.starts_with(std::to_string(::getpid()) + " ("));
  CHECK(own.ends_with("\n"));
  // Longer than one read returns.
  CHECK(proc_text("/proc/self/smaps").size() > 8192);
  CHECK(proc_text("/proc/self/nothing").empty());
  CHECK(proc_text("/proc/self").empty());
}

TEST_CASE("numbers are taken one by one") {
  std::string_view text = " 12 -7\n18446744073709551615 word 3";
  int small = 0;
  std::uint64_t large = 0;
  CHECK(take_number(text, small));
  CHECK(small == 12);
  CHECK_FALSE(take_number(text, large));  // no sign
  CHECK(take_number(text, small));
  CHECK(small == -7);
  CHECK_FALSE(take_number(text, small));  // too large
  CHECK(take_number(text, large));
  CHECK(large == UINT64_MAX);
  CHECK_FALSE(take_number(text, small));
  std::string_view blank = " \n";
  CHECK_FALSE(take_number(blank, small));
}

}  // namespace cudalabs
