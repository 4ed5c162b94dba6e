#pragma once
// The constants of the timing model that no profile has. bench/estimate fits them (docs/estimate.md).

namespace cudalabs::sim {

// Clocks, fitted to bench/estimate's fit half on an H200 (docs/estimate.md).
inline constexpr double kFirstBlock = 600;  // from the beginning of the launch to that of the first block
inline constexpr double kNextBlock = 300;   // from a block's end until the next one in its place has begun
// Of kNextBlock the time in which the next block's warps are resident: from the occupancy of kernels 01 to 05
// of a lecture on a K40c (bench/results/profile.md).
inline constexpr double kResides = 100;
inline constexpr double kFetch = 85;         // fetch of a line of machine code, the first time
inline constexpr double kParameters = 600;   // fetch of the kernel's parameters, the first time
inline constexpr double kBranch = 11;        // until a warp continues after a jump
inline constexpr double kPipeAhead = 28;     // work that the pipe of L1 and shared memory accepts ahead
inline constexpr double kBarrierWarp = 1.8;  // time that a barrier takes for each arriving warp
// A shared-memory atomic that is a loop: its duration, how long it blocks its word for others, and its use of
// the pipe.
inline constexpr double kLoop = 94, kLoopHolds = 62, kLoopPasses = 3;
// Constant memory serves a warp's distinct addresses one after the other (measured on an H100): its busy time
// for each address, and the added latency for each but the first.
inline constexpr double kConstant = 2, kConstantLater = 11;
// Latencies of results, at the profile's arithmetic_latency of kArithmetic.
inline constexpr double kArithmetic = 4, kSpecial = 18, kDouble = 8, kMatrix = 32;
// Additional latency of routines: for floats, and for integers, which are converted to floats and back.
inline constexpr double kRoutine = 18, kQuotient = 55;
// Warp instructions that a multiprocessor's units start in a clock: loads and stores, matrix products.
inline constexpr double kMemoryPerClock = 2, kMatrixPerClock = 0.25;

}  // namespace cudalabs::sim
