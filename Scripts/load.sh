#!/usr/bin/env bash
# Puts 200 simulated browsers on the Tasks application while 50 changes a second are saved, and prints what they saw.
# The argument is the time in seconds. Called by `make load`.
set -euo pipefail
cd "$(dirname "$0")/.."
Scripts/setup.sh browser
swift build --package-path Examples --product Examples
EXAMPLES_BINARY="$(swift build --package-path Examples --show-bin-path)/Examples"
export EXAMPLES_BINARY
exec .build-venv/bin/python Tests/Browser/load.py "${1:-60}"
