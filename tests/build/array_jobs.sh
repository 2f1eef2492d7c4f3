#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A sweep in parts on a real scheduler and with GNU parallel, as docs/sweep.md has it: its blocks are taken from there and
# run, one part is ended while it runs and only that one run again, and the parts are the whole:  array_jobs.sh PROGRAM
# The Slurm is this test's own: one node on the loopback, all its files in a scratch folder, ended with the test.
set -euo pipefail

program=$(realpath "$1")
scratch=$(mktemp -d)
slurm="$scratch/slurm"
# Nothing of a job that this test itself may be part of.
for name in "${!SBATCH_@}" "${!SLURM_@}" PARALLEL; do
  unset "$name"
done
export SLURM_CONF="$slurm/slurm.conf" SIZESHEET_CATALOG="$PWD/catalog" PARALLEL_HOME="$scratch/parallel"
export PATH="$PATH:/usr/sbin"  # daemons
daemons=()

# Jobs first, while somebody can still end them; then the daemons, the one started last first.
finish() {
  local status=$?
  if [ "$status" -ne 0 ]; then
    tail -n 20 "$slurm"/*.log "$scratch"/on-slurm/*.log >&2 || true
  fi
  if [ "${#daemons[@]}" -eq 3 ]; then
    timeout 10 scancel "--user=$(id -un)" || true
    timeout 10 bash -c 'while squeue --noheader | grep -q .; do sleep 0.1; done' || true
  fi
  if [ -s "$scratch/running" ]; then
    kill -KILL "$(cat "$scratch/running")" 2>/dev/null || true
  fi
  for daemon in "${daemons[@]}"; do
    kill "$daemon" 2>/dev/null || true
    timeout 10 tail --pid="$daemon" -f /dev/null || kill -KILL "$daemon" 2>/dev/null || true
  done
  wait
  rm -rf "$scratch"
  exit "$status"
}
trap finish EXIT
trap 'exit 1' INT TERM HUP

fail() {
  echo "array jobs: $*" >&2
  exit 1
}

# Until a command succeeds, a minute at most.
await() {
  local deadline=$((SECONDS + 60))
  until "$@" >/dev/null 2>&1; do
    [ "$SECONDS" -lt "$deadline" ] || fail "waited a minute for: $*"
    sleep 0.1
  done
}

# The ```bash blocks of the document as block-1 …
take_blocks() {
  awk -v into="$scratch/block-" '
    /^```bash$/ { inside = 1; file = into (++count); next }
    /^```/      { inside = 0 }
    inside      { print > file }
    END         { print count }' docs/sweep.md
}

# Stands before the program: while the folder of a run has a file `slow`, its seventh part has more lengths than it can do.
make_wrapper() {
  mkdir "$scratch/bin"
  cat >"$scratch/bin/sizesheet" <<EOF
#!/bin/bash
case "\$*" in
  *"--shard 7/16 "* | *"--shard 07/16 "*)
    if [ -e slow ]; then
      echo \$\$ >$scratch/running
      exec $program sweep --seq "\$(seq -s ' ' 20000)" --shard 7/16 --jobs 1 --out "\${@: -1}"
    fi ;;
esac
exec $program "\$@"
EOF
  chmod +x "$scratch/bin/sizesheet"
  export PATH="$scratch/bin:$PATH"
}

# Two ports that nobody listens on, far from those of a Slurm that may be here.
free_ports() {
  python3 -c 'import socket
taken = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
print(*(one.getsockname()[1] for one in taken))'
}

# No cgroups, no accounting, no other user than this one: what a container without an init can do.
configure() {
  local name ports
  name=$(uname -n | cut -d . -f 1)
  read -r -a ports < <(free_ports)
  mkdir -p "$slurm/state" "$slurm/spool"
  # Nothing here uses control groups, and there may be none. Debian 12's Slurm has no word for that; told that they are of
  # the first version, it does not look for them before it needs them.
  if [ "$(slurmd -V | tr -dc '0-9.' | cut -d . -f 1)" -ge 24 ]; then
    echo 'CgroupPlugin=disabled' >"$slurm/cgroup.conf"
  else
    echo 'CgroupPlugin=cgroup/v1' >"$slurm/cgroup.conf"
  fi
  cat >"$SLURM_CONF" <<EOF
ClusterName=sizesheet
SlurmctldHost=$name(127.0.0.1)
SlurmctldPort=${ports[0]}
SlurmdPort=${ports[1]}
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
SlurmctldPidFile=$slurm/slurmctld.pid
SlurmdPidFile=$slurm/slurmd.pid
SlurmctldLogFile=$slurm/slurmctld.log
SlurmdLogFile=$slurm/slurmd.log
StateSaveLocation=$slurm/state
SlurmdSpoolDir=$slurm/spool
AuthType=auth/munge
AuthInfo=socket=$slurm/munge.socket
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
SchedulerParameters=sched_interval=1,batch_sched_delay=0
ReturnToService=2
NodeName=$name NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=$name Default=YES State=UP
EOF
}

start_slurm() {
  chmod a+x "$scratch"
  head -c 1024 /dev/urandom >"$slurm/munge.key"
  chmod 600 "$slurm/munge.key"
  # --force: the folder above may be anybody's.
  munged --foreground --force --key-file="$slurm/munge.key" --socket="$slurm/munge.socket" \
    --pid-file="$slurm/munge.pid" --seed-file="$slurm/munge.seed" --log-file="$slurm/munge.log" \
    >"$slurm/munge.out.log" 2>&1 &
  daemons=($!)
  await test -S "$slurm/munge.socket"
  slurmctld -D >"$slurm/slurmctld.out.log" 2>&1 &
  daemons=($! "${daemons[@]}")
  await scontrol ping
  slurmd -D >"$slurm/slurmd.out.log" 2>&1 &
  daemons=($! "${daemons[@]}")
  await node_is_idle
}

node_is_idle() { [ "$(sinfo --noheader --format %t)" = idle ]; }
tasks_left() { squeue --noheader --array --format %K; }
no_task_is_left() { [ -z "$(tasks_left)" ]; }
only_part_7_is_left() { [ "$(tasks_left)" = 7 ] && part_7_is_at_work; }
workshops() { find . -name '.sizesheet-*'; }
# Rows are written out of sight, in a workshop.
part_7_is_at_work() { [ -s "$scratch/running" ] && [ -s "$(workshops | head -n 1)/file" ]; }
parts_there() { find . -name 'cells-*.csv' | sort | tr -dc '0-9\n' | paste -sd' '; }
expect_parts() { [ "$(parts_there)" = "$1" ] || fail "parts there: $(parts_there); expected: $1"; }
# The other parts as they stand: a file that is written again is another one.
others() { find . -name 'cells-*.csv' ! -name 'cells-07.csv' -printf '%f %i %T@\n' | sort; }

# What a run of the axes of block $1 in one piece writes.
whole() {
  local AXES
  eval "$(grep '^AXES=' "$1")"
  # shellcheck disable=SC2086  # a list of words, as in the document
  "$program" sweep $AXES
}

# compare WHAT BLOCK OTHERS: part 7 was run again and nothing else.
compare() {
  expect_parts "$all_parts"
  [ "$(others)" = "$3" ] || fail "$1: parts that were there are written again"
  [ -z "$(workshops)" ] || fail "$1: a workshop is left"
  bash -eu "$scratch/block-4"
  whole "$2" | cmp - cells.csv || fail "$1: the parts are not the whole"
  echo "$1: 16 parts, one of them ended and run again, are the whole of $(($(wc -l <cells.csv) - 1)) cells"
}

on_slurm() {
  local array before
  mkdir "$scratch/on-slurm"
  cd "$scratch/on-slurm"
  cp "$scratch/block-1" cells.sbatch
  touch slow
  array=$(sbatch --parsable cells.sbatch)
  await only_part_7_is_left
  scancel "${array}_7"
  await no_task_is_left
  rm "$scratch/running"
  expect_parts "${all_parts/07 /}"
  before=$(others)
  rm slow
  bash -eu "$scratch/block-2"
  await no_task_is_left
  compare Slurm "$scratch/block-1" "$before"
}

# Killed without a chance to clean up, as by the kernel that wants memory.
with_parallel() {
  local first before
  mkdir "$scratch/with-parallel"
  cd "$scratch/with-parallel"
  touch slow
  bash -eu "$scratch/block-3" 2>log &
  first=$!
  await part_7_is_at_work
  kill -KILL "$(cat "$scratch/running")"
  rm "$scratch/running"
  ! wait "$first" || fail "GNU parallel does not say that a job was killed"
  expect_parts "${all_parts/07 /}"
  before=$(others)
  rm slow
  bash -eu "$scratch/block-3"
  compare 'GNU parallel' "$scratch/block-3" "$before"
}

all_parts=$(seq -w -s ' ' 16)
[ "$(take_blocks)" -eq 4 ] || fail "docs/sweep.md has other blocks than a job, its missing parts, a line of parallel, the whole"
make_wrapper
configure
start_slurm
on_slurm
with_parallel
