#include "grader/base/bulk_hash.h"

#include <xxhash.h>

#include <new>

namespace cudalabs {

void BulkHash::Free::operator()(XXH3_state_s* state) const { XXH3_freeState(state); }

BulkHash::BulkHash() : state_(XXH3_createState()) {
  if (state_ == nullptr) throw std::bad_alloc();
  XXH3_64bits_reset(state_.get());
}

void BulkHash::add(std::string_view bytes) { XXH3_64bits_update(state_.get(), bytes.data(), bytes.size()); }

std::uint64_t BulkHash::value() const { return XXH3_64bits_digest(state_.get()); }

}  // namespace cudalabs
