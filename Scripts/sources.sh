#!/usr/bin/env bash
# Lists the project's Swift files, each terminated by a NUL byte.
set -euo pipefail
cd "$(dirname "$0")/.."
git ls-files -z --cached --others --exclude-standard -- '*.swift'
