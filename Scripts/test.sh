#!/usr/bin/env bash
# Runs all test suites in sequence; fails if any of them fails. Called by `make test` and CI.
# The last lines list the skipped tests with reasons, and the failures.
set -uo pipefail
cd "$(dirname "$0")/.."
failed=()
log=$(mktemp)
trap 'rm -f "$log"' EXIT

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

# Tests that run other programs, inject disk errors or damage hundreds of files. Tests that measure concurrent work
# would starve next to them.
waiting='^(SafetyTests|CorpusStoreTests|MigrationTests)\.'

# Prints failures, skipped tests, suites and the closing line; omits single passes.
tests() { # tests OPTION...
    swift test "$@" 2>&1 | tee -a "$log" | grep --line-buffered -vE '^(◇|✔ Test [^r]|\[[0-9]+/[0-9]+\])'
}

framework() { tests --skip "$waiting"; }

safety() { tests --skip-build --filter "$waiting"; }

# Builds an application in its own folder, as a reader would.
tutorial() {
    Tests/Tutorial/run.py 2>&1 | grep --line-buffered -vE '^\[[0-9]+/[0-9]+\]|^(Fetch|Comput|Creat|Working)'
}

# Builds only once: a second build right after the first compiles some dependencies again.
applications() {
    swift build --quiet --package-path Examples --product Examples || return
    EXAMPLES_BINARY="$(swift build --package-path Examples --show-bin-path)/Examples"
    export EXAMPLES_BINARY
}

shared_parts() {
    swift test --package-path Examples 2>&1 | tee -a "$log" | grep --line-buffered -vE '^(◇|✔ Test [^r]|\[[0-9]+/[0-9]+\])'
}

browser() {
    Scripts/browser-tests.sh -rsfE 2>&1 | tee -a "$log"
}

# Counts the skipped tests of swift test and pytest in the log by reason: "3 tests (why); 1 test (why)".
skipped() {
    sed -nE -e 's/^.*Test .* skipped: "(.*)"$/1 \1/p' -e 's/^SKIPPED \[([0-9]+)\] [^ ]+: (.*)$/\1 \2/p' "$log" | awk '
        { count = $1; sub(/^[0-9]+ /, ""); if (!($0 in counts)) order[++reasons] = $0; counts[$0] += count }
        END {
            for (i = 1; i <= reasons; i++) {
                reason = order[i]
                printf "%s%d test%s (%s)", (i > 1 ? "; " : ""), counts[reason], (counts[reason] == 1 ? "" : "s"), reason
            }
        }'
}

Scripts/setup.sh build || exit 1
step "The framework" framework
step "Safety, migrations and other programs' stores" safety
step "A user's own package" Tests/UserPackage/run.sh
step "The tutorial" tutorial
step "The applications, built" applications
step "The applications' shared parts" shared_parts
step "The applications, in a browser" browser

left_out=$(skipped)
printf '\nSkipped: %s.\n' "${left_out:-nothing}"
if [ ${#failed[@]} -gt 0 ]; then
    (IFS=';'; printf 'Failed after %d s: %s.\n' "$SECONDS" "${failed[*]}")
    exit 1
fi
echo "All tests passed in $SECONDS s."
