#!/usr/bin/env bash
# Runs the comparison with the SQLite C API and GRDB. Arguments go to the benchmark. Called by `make bench`.
set -euo pipefail
cd "$(dirname "$0")/.."
Scripts/setup.sh build
swift build --package-path Benchmarks -c release --product benchmark
"$(swift build --package-path Benchmarks -c release --show-bin-path)/benchmark" --output Benchmarks/results.json "$@"
