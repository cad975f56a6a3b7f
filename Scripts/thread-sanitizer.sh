#!/usr/bin/env bash
# Runs the framework's tests under the thread sanitizer, including a minute of eight contexts working; fails if it
# reports a race. Called by `make sanitize`. SECONDS_OF_STRESS=60, FILTER= (a regular expression of tests).
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
work=$root/.build-sanitizer
modules=(CSQLite CSwiftRuntime GraphArchives GraphEngine GraphModel GraphModelFiles GraphPredicates GraphSQL GraphSQLite ManagedGraph)
tests=(GraphSupport MainQueueProgram ManagedGraphTests TestSupport)

# A separate package without the code generator. It copies the sources, and adds to each module a lock that the
# sanitizer supports. It does not support the standard library's Mutex, which calls the kernel from an uninstrumented
# library: the sanitizer would report all guarded accesses.
rm -rf "$work/Sources" "$work/Tests"
mkdir -p "$work/Sources" "$work/Tests"
for module in "${modules[@]}"; do cp -r "Sources/$module" "$work/Sources/"; done
for folder in "${tests[@]}"; do cp -r "Tests/$folder" "$work/Tests/"; done
for place in Sources/GraphPredicates Sources/GraphSQL Sources/GraphSQLite Sources/ManagedGraph Tests/ManagedGraphTests; do
    cat > "$work/$place/Mutex.swift" <<'SWIFT'
import Foundation

/// Replaces the standard library's lock with one that the thread sanitizer supports.
final class Mutex<Value>: @unchecked Sendable {
    private let lock = NSLock()
    @exclusivity(unchecked) private var value: Value

    init(_ value: Value) { self.value = value }

    func withLock<R, E: Error>(_ body: (inout Value) throws(E) -> R) throws(E) -> R {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
SWIFT
done
# The package's own manifest with these targets alone, which need no other packages than swift-log.
{
    cat Package.swift
    echo 'package.products = []'
    echo 'package.dependencies = [.package(url: "https://github.com/apple/swift-log", from: "1.16.2")]'
    printf 'let sanitized: Set = ["%s"' "${modules[0]}"
    printf ', "%s"' "${modules[@]:1}" "${tests[@]}"
    echo ']'
    echo 'package.targets.removeAll { !sanitized.contains($0.name) }'
} > "$work/Package.swift"
cp Package.resolved "$work/" 2>/dev/null || true

cd "$work"
swift build --quiet --build-tests --sanitize=thread
# Tests of programs that crash wait for their exit; a backtrace of a sanitized program may take forever.
export SWIFT_BACKTRACE=enable=no
export STRESS_SECONDS=${SECONDS_OF_STRESS:-60}
export TSAN_OPTIONS="suppressions=$root/Scripts/thread-sanitizer.txt exitcode=66 ${TSAN_OPTIONS:-}"
swift test --skip-build --sanitize=thread --no-parallel ${FILTER:+--filter "$FILTER"} 2>&1 | tee sanitizer.log |
    grep --line-buffered -E 'SUMMARY: ThreadSanitizer|✘|Test run with' || true
if grep -q 'WARNING: ThreadSanitizer' sanitizer.log; then
    echo "The thread sanitizer has found races: see $work/sanitizer.log" >&2
    exit 1
fi
grep -q '✔ Test run with' sanitizer.log
