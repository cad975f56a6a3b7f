#!/usr/bin/env bash
# Runs the safety tests at full length, about an hour: 500 kills of a writer, 200 of each kind of migration of 100,000
# objects, disk errors at every third call, 10,000 damaged stores, a million saves of child contexts. `make test` runs a
# few of each. Called by `make safety`.
set -euo pipefail
cd "$(dirname "$0")/.."
Scripts/setup.sh build
export STORE_KILLS=${STORE_KILLS:-500} MIGRATION_KILLS=${MIGRATION_KILLS:-200} DISK_STRIDE=${DISK_STRIDE:-3}
export MIGRATION_OBJECTS=${MIGRATION_OBJECTS:-100000} MIGRATION_PAIRS=${MIGRATION_PAIRS:-300}
export STORE_DAMAGES=${STORE_DAMAGES:-10000} SERVED_REQUESTS=${SERVED_REQUESTS:-1000000}
swift build -c release --product MigrationProgram
MIGRATION_PROGRAM=$(swift build -c release --show-bin-path)/MigrationProgram
export MIGRATION_PROGRAM
swift test --filter 'WriterKillTests|KillTests|DiskErrorTests|DiskFaultTests|FullDiskTests|SeveralWritersTests|ServiceTests|DamageTests|ChangeTableTests' 2>&1 |
    grep --line-buffered -E '✘|killed|runs,|damage|Test run with'
