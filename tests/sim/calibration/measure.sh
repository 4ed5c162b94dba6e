#!/bin/bash
# Measures the golden tables again, on a machine with a GPU (compute capability 9.0) and Nsight Compute:
#   measure.sh WORK_DIR        leaves the logs and the tables there; takes about three minutes
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
cd "$1"
nvcc -O3 -lineinfo -arch=sm_90 -std=c++17 -diag-suppress 550 -o access "$here/access.cu"
nvcc -O3 -lineinfo -arch=sm_90 -std=c++17 -o course "$here/course.cu"
python3 "$here/patterns.py" >patterns.txt

instructions() { printf 'smsp__inst_executed_op_%s.sum,' "$@"; }
of_shared() { printf "l1tex__data_$1_pipe_lsu_mem_shared_op_%s.sum," ld st atom; }
shared="$(instructions shared_ld shared_st shared_atom)"
shared+="$(printf 'l1tex__data_pipe_lsu_wavefronts_mem_shared_op_%s.sum,' ld st atom)"
shared+="$(of_shared bank_conflicts)"
memory() {
  for operation in "${@:2}"; do
    printf 'l1tex__t_%s.sum,' "requests_pipe_lsu_mem_$1_op_$operation" "sectors_pipe_lsu_mem_$1_op_$operation"
  done
}
global="$(memory global ld st atom red)$(instructions global_ld global_st global_red)"
all="smsp__inst_executed.sum,smsp__thread_inst_executed.sum"

# name, metrics, program: the clocks and caches stay as they are, since only counts are read
profile() {
  ncu --clock-control none --cache-control none --csv --print-units base --log-file "$1.csv" --metrics "${2%,}" "${@:3}"
}
profile course "$shared$global$all" ./course
for group in shared_ld shared_st shared_atom matrix; do profile $group "$shared" ./access patterns.txt $group; done
for group in global_ld global_st global_atom; do profile $group "$global" ./access patterns.txt $group; done
profile async "$global$(instructions ldgsts)" ./access patterns.txt async
profile local "$(memory local ld st)" ./access patterns.txt local
python3 "$here/collect.py" patterns.txt . .
