#!/usr/bin/env bash
# Every test there is, one suite after the other; fails if any does. Called by `make test` and CI.
set -uo pipefail
cd "$(dirname "$0")/.."
failed=()
skipped=()
step() { # step NAME COMMAND...
    local name=$1 began=$SECONDS
    shift
    printf '\n== %s\n' "$name"
    if "$@"; then
        printf '== %s: passed in %d s\n' "$name" $((SECONDS - began))
    else
        printf '== %s: FAILED after %d s\n' "$name" $((SECONDS - began))
        failed+=("$name")
    fi
}

# Failures, suites and the closing line; single passes are left out.
framework() {
    swift test 2>&1 | grep -vE '^(◇|✔ Test [^r]|\[[0-9]+/[0-9]+\])'
}

Scripts/setup.sh build || exit 1
[ -d ../shared/corpus ] || skipped+=("tests over Apple's files: ../shared is not there")
step "The framework" framework
step "A user's own package" Tests/UserPackage/run.sh
step "The applications, built" swift build --quiet --package-path Examples --product Examples
step "The applications, in a browser" Scripts/browser-tests.sh

printf '\n'
for reason in "${skipped[@]+"${skipped[@]}"}"; do echo "Skipped: $reason."; done
if [ ${#failed[@]} -gt 0 ]; then
    echo "Failed: ${failed[*]}."
    exit 1
fi
echo "All tests passed in $SECONDS s."
