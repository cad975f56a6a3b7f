#!/usr/bin/env python3
"""Runs the framework's tests under a sanitizer: sanitize.py thread|address [FILTER]. Called by `make sanitize`.

Builds a copy of the package in .build-sanitizer, and fails if a test fails or the sanitizer reports anything that
Scripts/KIND-sanitizer.txt does not list. FILTER is a regular expression over Module.Suite/test(). SECONDS_OF_STRESS=60 is
how long eight contexts work on one store.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import test

ROOT = test.ROOT
# The sanitizer does not support the standard library's Mutex, which calls the kernel from an uninstrumented library: it
# would report all guarded accesses.
MUTEX = """import Foundation

/// Replaces the standard library's lock with one that the thread sanitizer supports.
final class Mutex<Value>: @unchecked Sendable {
    private let lock = NSLock()
    // Memory of its own: a value without a size would have the address of the lock's owner.
    private let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)

    init(_ value: Value) { self.value.initialize(to: value) }

    deinit {
        value.deinitialize(count: 1)
        value.deallocate()
    }

    func withLock<R, E: Error>(_ body: (inout Value) throws(E) -> R) throws(E) -> R {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value.pointee)
    }
}
"""
REPORT = re.compile(r"WARNING: ThreadSanitizer|ERROR: (?:Address|Leak)Sanitizer")


def folders():
    """The folders of all targets."""
    dump = subprocess.run(["swift", "package", "dump-package"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [
        target.get("path") or f"{'Tests' if target['type'] == 'test' else 'Sources'}/{target['name']}"
        for target in json.loads(dump.stdout)["targets"]
    ]


def write(path, content):
    """Writes a file unless it has this content, so that what was built of it stays valid."""
    if not path.exists() or path.read_bytes() != content:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def copy_package(work, kind):
    """Copies the project's files, which tests read too; the thread sanitizer gets another lock."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True,
        check=True,
    ).stdout
    names = {name for name in listed.split("\0") if (ROOT / name).is_file()}
    files = {name: (ROOT / name).read_bytes() for name in names}
    if kind == "thread":
        for folder in folders():
            sources = [text for name, text in files.items() if name.startswith(f"{folder}/") and name.endswith(".swift")]
            if any(b"Mutex<" in text or b"Mutex(" in text for text in sources):
                files[f"{folder}/Mutex.swift"] = MUTEX.encode()
    for name, content in files.items():
        write(work / name, content)
    for place in ["Sources", "Tests", "Fuzzing"]:
        for path in (work / place).rglob("*"):
            if path.is_file() and str(path.relative_to(work)) not in files:
                path.unlink()
    shared = work.parent / "shared"
    if not shared.exists() and (ROOT.parent / "shared").exists():
        shared.symlink_to(ROOT.parent / "shared")


def main():
    kind, pattern = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ""
    test.LOGS = ROOT / ".build-sanitizer" / kind / "logs"
    test.LOGS.mkdir(parents=True, exist_ok=True)
    if not test.setup("database"):
        sys.exit(1)
    work = ROOT / ".build-sanitizer" / kind / "main"
    copy_package(work, kind)
    test.say(f"building the tests for the {kind} sanitizer")
    # Reports name lines, for which the tables of lines are enough. Compiler and linker are those of workspace.sh.
    build = [
        "swift", "build", "--quiet", "--build-tests", f"--sanitize={kind}", "--disable-index-store",
        "-debug-info-format", "none", "-Xswiftc", "-gline-tables-only", "-Xswiftc", "-use-ld=lld",
    ]
    # The code generator, which the build runs, ends without releasing everything.
    building = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0", "SWIFT_EXEC": str(ROOT / "Scripts" / "swiftc")}
    if subprocess.run(build, cwd=work, env=building, check=False).returncode != 0:
        test.fail("the build failed")
    place = subprocess.run(
        ["swift", "build", "--show-bin-path"], cwd=work, capture_output=True, text=True, check=True
    ).stdout.strip()
    binary = Path(place) / "ManagedGraphPackageTests.xctest"
    suppressions = f"suppressions={ROOT}/Scripts/{kind}-sanitizer.txt"
    # In files, so that those of programs which tests run, and kill, are seen too.
    for old in test.LOGS.glob("report.*"):
        old.unlink()
    reports_to = f"log_path={test.LOGS}/report"
    environment = {
        "SANITIZER": kind,
        # A backtrace of a sanitized program may take forever.
        "SWIFT_BACKTRACE": "enable=no",
        "STRESS_SECONDS": os.environ.get("SECONDS_OF_STRESS", "60"),
        # The sanitizer's search for cycles of locks ends the process, in its own check, once some thousands were made.
        "TSAN_OPTIONS": f"{suppressions} {reports_to} exitcode=66 detect_deadlocks=0",
        "ASAN_OPTIONS": f"detect_leaks=1 {reports_to}",
        # Tests expect that programs print no errors.
        "LSAN_OPTIONS": f"{suppressions} print_suppressions=0",
    }
    if pattern:
        jobs = [test.swift_testing(binary, "filtered", "--no-parallel", "--filter", pattern)]
        count = 1
    else:
        jobs, count = test.framework_jobs(binary, test.times())
    for job in jobs:
        job.environment.update(environment)
    with test.temporary_folder() as temporary:
        for job in jobs:
            job.environment["TMPDIR"] = temporary
        test.run_all([(jobs, os.cpu_count() or 2)])
    ran = sum(len(job.tests) for job in jobs)
    if ran < count and all(job.passed for job in jobs):
        test.fail(f"no test matches {pattern}" if pattern else f"only {ran} of {count} tests ran")
    reports = 0
    for log in [*[job.log for job in jobs], *test.LOGS.glob("report.*")]:
        found = len(REPORT.findall(log.read_text(errors="replace")))
        if found:
            reports += found
            test.say(f"{found} reports in {log.relative_to(ROOT)}")
            # Fails as a job of its own: the report may be of a program that a test ran.
            jobs.append(test.Job(f"{found} reports in {log.name}", []))
    test.say(f"{reports} reports of the {kind} sanitizer")
    test.report(jobs)


if __name__ == "__main__":
    main()
