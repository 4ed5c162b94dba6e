#include <string>

#include "grader/cudart/runtime.h"
#include "grader/cudart/unsupported.h"

namespace cudalabs::cudart {

int refuse_call(const char* name) {
  std::string plain = name;
  for (const char* suffix : {"_ptsz", "_ptds"}) {
    if (plain.ends_with(suffix)) plain.resize(plain.size() - 5);
  }
  return api(plain.c_str(), Mode::Host, [&](Runtime& runtime) { return runtime.unsupported(plain.c_str()); });
}

int accept_hint(const char* name) {
  return api(name, Mode::Host, [](Runtime&) { return Status{}; });
}

}  // namespace cudalabs::cudart
