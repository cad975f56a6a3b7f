#!/usr/bin/env bash
# The tests of safety at full length, some hours: 500 kills of a writer, 10,000 of three writers of one file (FILE_KILLS),
# 200 of each kind of migration of 100,000 objects, errors of the disk at each third call, each seventh allocation of SQLite
# failing, 100,000 damaged stores and 100,000 damaged models, a million saves of child contexts, and long random walks.
# On PostgreSQL: 500 kills of processes, 100 of the server, and 20 fail-overs. On both: a million conflicting saves of 16
# processes (COUNTER_SAVES), and transactions of a million operations checked for isolation. KILL_SEED and the numbers continue an
# earlier run. At the end 200 browsers use the sample applications for an hour (LONG_RUN_SECONDS).
# Power cuts (OUTAGE_CUTS in each scenario) and failing calls (each OUTAGE_STRIDE-th one) come first, a scenario at a time;
# their results are kept in OUTAGE_RESULTS, and a second run continues after the last finished scenario.
# Tests of formats read whole collections (ALL_FILES=1).
# `make test` runs some of each. Called by `make safety`.
set -euo pipefail
cd "$(dirname "$0")/.."
Scripts/setup.sh build
export HOSTILE_MEGABYTES=${HOSTILE_MEGABYTES:-4} FUZZ_DAMAGES=${FUZZ_DAMAGES:-100000}
export ALLOCATION_STRIDE=${ALLOCATION_STRIDE:-7}
export STORE_KILLS=${STORE_KILLS:-500} FILE_KILLS=${FILE_KILLS:-10000} MIGRATION_KILLS=${MIGRATION_KILLS:-200} DISK_STRIDE=${DISK_STRIDE:-3}
export MIGRATION_OBJECTS=${MIGRATION_OBJECTS:-100000} MIGRATION_PAIRS=${MIGRATION_PAIRS:-300}
export STORE_DAMAGES=${STORE_DAMAGES:-100000} SERVED_REQUESTS=${SERVED_REQUESTS:-1000000}
export FILE_DAMAGES=${FILE_DAMAGES:-2000} MIGRATION_PLACES=${MIGRATION_PLACES:-8} LIST_WALKS=${LIST_WALKS:-600}
export WALKS=${WALKS:-600} FETCH_CASES=${FETCH_CASES:-10000} FUZZ_CASES=${FUZZ_CASES:-50000} ALL_FILES=1
export SCALARS=all PREDICATE_CASES=${PREDICATE_CASES:-100000}
export DATABASE_KILLS=${DATABASE_KILLS:-500} SERVER_KILLS=${SERVER_KILLS:-100} FAILOVERS=${FAILOVERS:-20}
export COUNTER_SAVES=${COUNTER_SAVES:-1000000} COUNTER_PROCESSES=${COUNTER_PROCESSES:-16}
export ISOLATION_COUNT=${ISOLATION_COUNT:-72000} MANAGEDGRAPH_WALKS=${MANAGEDGRAPH_WALKS:-2000}
swift build -c release --product MigrationProgram
MIGRATION_PROGRAM=$(swift build -c release --show-bin-path)/MigrationProgram
export MIGRATION_PROGRAM

results=${OUTAGE_RESULTS:-.build/outage-results.txt}
swift build -c release --product OutageProgram
outage=$(swift build -c release --show-bin-path)/OutageProgram
touch "$results"
failures=0
while IFS= read -r name; do
    for kind in cuts calls; do
        if grep -q "^$kind $name: " "$results"; then continue; fi
        count=${OUTAGE_CUTS:-1100}
        if [ $kind = calls ]; then count=${OUTAGE_STRIDE:-1}; fi
        if lines=$("$outage" $kind "$name" "$count" "${OUTAGE_SEED:-1}" 2> /dev/null); then
            grep "^$name: " <<< "$lines" | sed "s/^/$kind /" | tee -a "$results"
        else
            echo "$lines"
            failures=$((failures + 1))
        fi
    done
done < <("$outage" list)
awk '$1 == "cuts" || $1 == "calls" { for (i = 2; i < NF; i++) if ($(i + 1) ~ /^(cuts|runs),/) sum[$1] += $i }
    END { print "safety:", sum["cuts"] + 0, "power cuts and", sum["calls"] + 0, "failing calls without a problem" }' "$results"
[ $failures = 0 ] || { echo "✘ $failures of the runs above have problems"; exit 1; }

kept='AllocationTests|HostileFileTests|FuzzTargetTests|WriterKillTests|SharedFileKillTests|KillTests|DiskErrorTests|DiskFaultTests|FullDiskTests|SeveralWritersTests|ServiceTests|DamageTests'
kept="$kept|ChangeTableTests|AppleFiles|SectionedListRandomTests|RandomWalks|RandomFetches|ResultsFuzzTests|CorpusTests|CorpusCommandTests"
kept="$kept|CompiledModelTests|CorpusPairTests|CompiledMappingTests|OpeningTests|CorpusStoreTests|DifferentialTests"
kept="$kept|RandomRoundTripTests|DatabaseKillTests|DatabaseErrorTests|LostCommitTests|SharedCounterTests|SharedFileCounterTests|IsolationTests|TwinWalkTests|PostgreSQLAgreementTests"
swift test --filter "$kept" 2>&1 |
    grep --line-buffered -E '✘|safety:|killed|failed over|a second|anomalies|runs,|damage|Test run with'
Scripts/load.sh long_run "${LONG_RUN_SECONDS:-3600}"
