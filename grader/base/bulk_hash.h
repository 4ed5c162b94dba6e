#pragma once
// A hash for megabytes, some of which may be damaged (XXH3). It is not collision-resistant: base/sha256.h is.

#include <cstdint>
#include <memory>
#include <string_view>

struct XXH3_state_s;

namespace cudalabs {

class BulkHash {
 public:
  BulkHash();
  void add(std::string_view bytes);
  [[nodiscard]] std::uint64_t value() const;

 private:
  struct Free {
    void operator()(XXH3_state_s* state) const;
  };
  std::unique_ptr<XXH3_state_s, Free> state_;
};

}  // namespace cudalabs
