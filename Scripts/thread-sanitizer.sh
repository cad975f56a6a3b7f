#!/usr/bin/env bash
# Runs the framework's tests under the thread sanitizer, including a minute of eight contexts working; fails if it
# reports a race. Called by `make sanitize`. SECONDS_OF_STRESS=60, FILTER= (a regular expression of tests).
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
work=$root/.build-sanitizer
modules=(CSQLite CSwiftRuntime GraphArchives GraphEngine GraphModel GraphModelFiles GraphPredicates GraphSQL GraphSQLite ManagedGraph)

# A separate package without the code generator. It copies the sources, and adds to each module a lock that the
# sanitizer supports. It does not support the standard library's Mutex, which calls the kernel from an uninstrumented
# library: the sanitizer would report all guarded accesses.
rm -rf "$work/Sources" "$work/Tests"
mkdir -p "$work/Sources" "$work/Tests"
for module in "${modules[@]}"; do cp -r "Sources/$module" "$work/Sources/"; done
cp -r Tests/ManagedGraphTests Tests/MainQueueProgram "$work/Tests/"
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
cat > "$work/Package.swift" <<'SWIFT'
// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "ManagedGraph",
    dependencies: [.package(url: "https://github.com/apple/swift-log", from: "1.16.2")],
    targets: [
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .target(name: "CSwiftRuntime"),
        .target(name: "GraphArchives"),
        .target(name: "GraphModel", dependencies: ["GraphArchives"]),
        .target(name: "GraphModelFiles", dependencies: ["GraphArchives", "GraphModel", "GraphPredicates"]),
        .target(name: "GraphPredicates", dependencies: ["GraphArchives"]),
        .target(name: "GraphEngine", dependencies: ["GraphModel", "GraphPredicates"]),
        .target(name: "GraphSQL", dependencies: ["GraphArchives", "GraphEngine", "GraphModel", "GraphPredicates"]),
        .target(
            name: "GraphSQLite",
            dependencies: ["CSQLite", "GraphArchives", "GraphEngine", "GraphModel", "GraphPredicates", "GraphSQL"]
        ),
        .target(
            name: "ManagedGraph",
            dependencies: [
                "CSwiftRuntime", "GraphArchives", "GraphEngine", "GraphModel", "GraphModelFiles", "GraphPredicates",
                "GraphSQL", "GraphSQLite",
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .executableTarget(name: "MainQueueProgram", dependencies: ["ManagedGraph"], path: "Tests/MainQueueProgram"),
        .testTarget(
            name: "ManagedGraphTests",
            dependencies: ["GraphEngine", "GraphSQL", "GraphSQLite", "MainQueueProgram", "ManagedGraph"]
        ),
    ],
    swiftLanguageModes: [.v6]
)
SWIFT
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
