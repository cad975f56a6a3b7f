#!/usr/bin/env bash
# Runs the sample applications and the studio in headless Chromium. Arguments go to pytest; without a file or a folder among them, all
# tests of Tests/Browser run. Called by Scripts/screenshots.sh; `make test` runs the same tests beside others.
set -euo pipefail
cd "$(dirname "$0")/.."
Scripts/setup.sh browser
if [ -z "${EXAMPLES_BINARY:-}" ]; then
    Scripts/workspace.sh build --product Examples
    EXAMPLES_BINARY=$PWD/.build-all/debug/Examples
    export EXAMPLES_BINARY
fi
if [ -z "${STUDIO_BINARY:-}" ]; then
    Scripts/workspace.sh build --product managedgraph-studio
    STUDIO_BINARY=$PWD/.build-all/debug/managedgraph-studio
    export STUDIO_BINARY
fi
tests=(Tests/Browser)
for argument in "$@"; do
    [ ! -e "${argument%%::*}" ] || tests=()
done
exec .build-venv/bin/pytest -q -p no:cacheprovider --tb=short ${tests[@]+"${tests[@]}"} "$@"
