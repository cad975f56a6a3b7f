#!/usr/bin/env bash
# Runs the comparison with the SQLite C API and GRDB, and writes Benchmarks/results.json and results.svg. With GROWTH=1
# in the environment it also measures 2,000,000 rows. Arguments go to the benchmark. Called by `make bench`.
set -euo pipefail
cd "$(dirname "$0")/.."
Scripts/setup.sh build
swift build --package-path Benchmarks -c release --product benchmark
"$(swift build --package-path Benchmarks -c release --show-bin-path)/benchmark" ${GROWTH:+--growth} "$@"
