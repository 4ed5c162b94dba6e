#!/usr/bin/env bash
# Grades a class on a local Slurm cluster: a controller and two nodes on this machine, started as root and
# stopped at the end. A node dies, the array is cancelled, the batch is killed; each time the gradebook must
# be the same as on one machine. Installs Debian's slurm-wlm if it is missing, so it is not part of
# CI/test.sh. The last line reads "N passed, M failed".
# shellcheck source=CI/setup.sh
. "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

install_missing slurm-wlm munge
build_grader grader
[ "$(id -u)" -eq 0 ] || stop "A Slurm of one's own needs root: run this as root, in a container for instance."
grader=$root/build/release/bin/grader
place=$(mktemp -d)
export SLURM_CONF=$place/slurm.conf
host=$(hostname -s)

stop_slurm() {
  pkill -f "slurmstepd.*$place" || true
  for pid in "$place"/*.pid; do
    [ -f "$pid" ] && kill "$(cat "$pid")" 2>/dev/null
  done
  rm -rf "$place"
}
trap stop_slurm EXIT

[ -f /etc/munge/munge.key ] || mungekey --create
pgrep -x munged >/dev/null || {
  mkdir -p /run/munge && chown munge: /run/munge /etc/munge/munge.key
  su -s /bin/sh munge -c munged
}
cat >"$SLURM_CONF" <<CONF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=16817
SlurmUser=root
StateSaveLocation=$place/state
SlurmdSpoolDir=$place/%n.spool
SlurmctldPidFile=$place/controller.pid
SlurmdPidFile=$place/%n.pid
SlurmctldLogFile=$place/controller.log
SlurmdLogFile=$place/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
SlurmdTimeout=5
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=17001 CPUs=1 RealMemory=1000
NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=17002 CPUs=1 RealMemory=1000
PartitionName=lab Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
mkdir -p "$place/state"
slurmctld && slurmd -N n1 && slurmd -N n2
for _ in $(seq 100); do
  [ "$(sinfo -h -o %t)" = idle ] && break
  sleep 0.2
done

# Some right submissions, some that do not compile, and enough work to interrupt each stage.
cd "$place"
for i in $(seq 24); do
  mkdir -p "class/s$i"
  { cat "$root/reference/lab1/variant1/table.cu"; printf '// %d\n' "$i"; } >"class/s$i/table.cu"
  [ $((i % 3)) -eq 0 ] && printf '#error unfinished %d\n' "$i" >"class/s$i/table.cu"
done
passed=0 failed=0
on_one() { "$grader" batch lab1 variant1 class --out "$1" --seed 7 >/dev/null 2>>said; }
# A separate process, so that it can be waited for and killed.
on_slurm() { exec "$grader" batch lab1 variant1 class --out "$1" --seed 7 --executor slurm --per-task 2 >/dev/null 2>>said; }
graded() { "$grader" log "$1" 2>/dev/null | grep -c ' graded: ' || true; }
same() {  # what out
  if cmp -s one/gradebook.csv "$2/gradebook.csv" && [ "$(graded "$2")" -eq 24 ]; then
    say "passed: $1"
    passed=$((passed + 1))
  else
    say "failed: $1 ($(graded "$2") gradings)"
    diff one/gradebook.csv "$2/gradebook.csv" >&2 || true
    tail -n 20 "$place/said" >&2
    failed=$((failed + 1))
  fi
}
wait_for_gradings() {  # of out: some, not all
  for _ in $(seq 300); do
    [ "$(find "$1/work/results" -name '*.json' 2>/dev/null | wc -l)" -gt 0 ] && return
    [ "$(squeue -h -t running | wc -l)" -gt 0 ] && sleep 1 && return
    sleep 0.1
  done
}

on_one one || true
(on_slurm plain) || true
same "a class on two nodes" plain

on_slurm dead &
wait_for_gradings dead
kill -9 "$(cat n2.pid)"
pkill -9 -f 'slurmstepd' || true
wait $! || true
same "a node that dies" dead
slurmd -N n2
sleep 1

on_slurm cancelled &
wait_for_gradings cancelled
scancel --name cuda-labs
wait $! && say "failed: a cancelled array ended with status 0" && failed=$((failed + 1))
(on_slurm cancelled) || true
same "a cancelled array, gone on with" cancelled

on_slurm killed &
wait_for_gradings killed
kill -9 $!
wait $! 2>/dev/null || true
(on_slurm killed) || true
same "a killed batch whose array ran on" killed

printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
