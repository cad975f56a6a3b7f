#!/usr/bin/env bash
# Runs the sample applications in headless Chromium. Arguments go to pytest. Called by `make test`.
# SCREENSHOTS names a folder for screenshots of every page.
set -euo pipefail
cd "$(dirname "$0")/.."
Scripts/setup.sh browser
if [ -z "${EXAMPLES_BINARY:-}" ]; then
    Scripts/workspace.sh build --product Examples
    EXAMPLES_BINARY=$PWD/.build-all/debug/Examples
    export EXAMPLES_BINARY
fi
exec .build-venv/bin/pytest -q -p no:cacheprovider --tb=short Tests/Browser "$@"
