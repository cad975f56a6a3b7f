#!/usr/bin/env bash
# The tests of safety at full length, about half an hour: 500 kills of a writer, 200 of each kind of migration, errors of the
# disk at each third call, 10,000 damaged stores. `make test` runs some of each. Called by `make safety`.
set -euo pipefail
cd "$(dirname "$0")/.."
Scripts/setup.sh build
export STORE_KILLS=${STORE_KILLS:-500} MIGRATION_KILLS=${MIGRATION_KILLS:-200} DISK_STRIDE=${DISK_STRIDE:-3}
export STORE_DAMAGES=${STORE_DAMAGES:-10000}
swift test --filter 'WriterKillTests|KillTests|DiskErrorTests|FullDiskTests|SeveralWritersTests|DamageTests' 2>&1 |
    grep --line-buffered -E '✘|killed|runs,|damage|Test run with'
