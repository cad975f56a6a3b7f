#!/usr/bin/env bash
# Runs the comparison with the SQLite C API and GRDB, and writes Benchmarks/results.json and results.svg; then that of
# stores in PostgreSQL, and writes Benchmarks/postgresql.json. With GROWTH=1 in the environment it also measures 2,000,000
# rows, with POSTGRESQL=0 it leaves PostgreSQL out, with POSTGRESQL=1 it measures nothing else. With SCALING=1 it compares
# the cost of a row at 20,000 and at 2,000,000 rows in every case, and does nothing else. Arguments go to the comparison with
# SQLite, which then runs alone; with POSTGRESQL=1 they are cases of the other. Called by `make bench`.
set -euo pipefail
cd "$(dirname "$0")/.."
Scripts/setup.sh build
build() { # build PRODUCT: its program is in $program
    swift build --package-path Benchmarks -c release --product "$1"
    program=$(swift build --package-path Benchmarks -c release --show-bin-path)/$1
}
if [ "${POSTGRESQL:-}" != 1 ]; then
    build benchmark
    "$program" ${GROWTH:+--growth} ${SCALING:+--scaling} "$@"
    if [ $# != 0 ] || [ -n "${SCALING:-}" ]; then exit; fi
fi
if [ "${POSTGRESQL:-}" != 0 ]; then
    Scripts/setup.sh database peers
    venv=.build-bench-venv
    if ! cmp -s Benchmarks/Peers/requirements.txt "$venv/requirements.txt"; then
        python3 -m venv "$venv"
        "$venv/bin/pip" install -q -r Benchmarks/Peers/requirements.txt
        cp Benchmarks/Peers/requirements.txt "$venv/"
    fi
    build benchmark-postgresql
    python3 Scripts/bench-postgresql.py "$program" "$PWD/$venv/bin/python" "$@"
fi
