#pragma once
// The interface for the runner that is generated for a lab. It is linked into the submission, with the
// student's object.

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// One entry of the lab's contract. `call` unpacks the 64-bit slots and calls the student's function. Each
/// slot is a device pointer, or an integer or the bits of a float or double in its low bytes. Null if the
/// student did not define it.
struct CudalabsEntry {
  const char* name;
  void (*call)(const uint64_t* arguments);
};

/// Tells the grader which entries exist, then runs the entries that it requests until it closes the
/// connection. Returns main's status: 0, or 1 if there is no grader.
int cudalabs_serve(const struct CudalabsEntry* entries, int count);

#ifdef __cplusplus
}
#endif
