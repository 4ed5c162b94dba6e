// Names that a runner or a runtime might use itself. All of this is legal.
#include "good.cuh"

#include <vector>
struct Message { int type, size; };
struct Device { int id; };
namespace cudalabs { inline int call() { return 1; } struct Client {}; }
namespace runner { inline int run() { return cudalabs::call(); } }
static int entries = 3, connection = 1, device_fd = 4;
int run() { return entries + connection + device_fd + runner::run(); }
int call(int n) { return n; }
int invoke(int n) { return n; }
int dispatch(int n) { return n; }
int connect_device() { return 0; }
int serve() { return 0; }
void check(int) {}
void launch(int) {}
float max(float x, float y, float z) { return x > y ? (x > z ? x : z) : (y > z ? y : z); }
std::vector<int> entry_table, table;
void row_max(const float*, float*, int, int) {}

ENTRY(global) { good::row_max_global(a, out, rows, cols); }
ENTRY(shared) { good::row_max_shared(a, out, rows, cols); }
ENTRY(padded) { good::row_max_padded(a, out, rows, cols); }
