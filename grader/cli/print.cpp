#include "grader/cli/print.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>

#include "grader/cli/busy_line.h"

namespace cudalabs::cli {

void take_standard_descriptors() {
  // A closed stdout must fail on write, so that the error is reported. A closed stderr is ignored.
  for (const auto& [number, mode] : {std::pair{0, O_RDONLY}, {1, O_RDONLY}, {2, O_WRONLY}}) {
    if (::fcntl(number, F_GETFD) < 0) (void)::open("/dev/null", mode);  // the lowest number that is free
  }
}

void write_out(std::string_view text) {
  busy_line::make_room();
  (void)std::fwrite(text.data(), 1, text.size(), stdout);
}
void write_err(std::string_view text) {
  busy_line::make_room();
  (void)std::fwrite(text.data(), 1, text.size(), stderr);
}

bool out_is_whole() { return std::fflush(stdout) == 0 && std::ferror(stdout) == 0; }

}  // namespace cudalabs::cli
