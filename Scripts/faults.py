#!/usr/bin/env python3
"""Puts faults into a copy of the sources, one at a time, and checks that a test finds each: faults.py [FAULT].

FAULT, a regular expression, tries some of them. The copy and its builds are in .build-faults; a fault takes some minutes, as
the modules above the changed one are compiled again. The tests must pass without a fault first. Prints a table, and fails if a
fault was not found. `faults.py --check` only checks that the sources still have the place of each fault, and the tests their
suites; Scripts/check.sh calls it.
"""

import re
import subprocess
import sys
from pathlib import Path

import sanitize
import test

ENGINE = "Sources/GraphSQLite/Engine"
# The fault, the file, the text and its replacement, and the tests that must fail.
FAULTS = [
    ("a file renamed before it is synchronized", "Sources/GraphArchives/Files/FileDraft.swift",
     "guard fsync(descriptor) == 0, fstat", "guard fstat", "OutageTests"),
    ("a folder not synchronized after a rename", "Sources/GraphArchives/Files/FilePlacement.swift",
     "if fsync(descriptor) != 0 { code = errno }", "", "OutageTests"),
    ("a folder not synchronized before a commit", f"{ENGINE}/ExternalFiles.swift",
     "guard !written.isEmpty else { return }", "guard written.isEmpty else { return }", "OutageTests"),
    ("files of large values removed before the commit", f"{ENGINE}/ExternalFiles.swift",
     "dropped.append(name) }", "remove([name]) }", "OutageTests"),
    ("synchronous = NORMAL in place of FULL", "Sources/GraphSQLite/StoreFile/StoreFile.swift",
     "execute(\"PRAGMA synchronous = FULL\")", "execute(\"PRAGMA synchronous = NORMAL\")",
     "OutageTests"),
    ("an error while rows are read taken for their end", "Sources/GraphSQLite/Statement.swift",
     "        default:\n            throw failure(code)\n        }\n    }\n\n    /// Runs to the end",
     "        default:\n            reset()\n            return false\n        }\n    }\n\n    /// Runs to the end",
     "ReadErrorTests|DiskErrorTests"),
    ("rows written whatever version was read", f"{ENGINE}/RowWriter.swift",
     "let isAny = operation.pointee.version == RowOperation.anyVersion", "let isAny = true", "IsolationTests"),
    ("reads of a block outside of a snapshot", f"{ENGINE}/SQLiteReader.swift",
     "if holdsSnapshot, snapshotBegan == nil || !connection.isInTransaction {",
     "if holdsSnapshot, connection.isClosed {", "IsolationTests"),
    ("writes of other connections not noticed", f"{ENGINE}/SQLiteWriter.swift",
     "mayBeWrittenByOthers = true", "mayBeWrittenByOthers = false", "DanglingReferences"),
    ("a symbolic link followed in the place of a large value", f"{ENGINE}/ExternalFiles.swift",
     "return lstat(url.path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK",
     "return lstat(url.path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK", "HostileStoreTests"),
    ("an unreadable file of a large value taken for a missing one", "Sources/GraphArchives/Files/FilePlacement.swift",
     "guard errno != ENOENT, errno != ENOTDIR else { return nil }\n        throw CocoaError(reading: errno, path: path)",
     "return nil",
     "OutageTests"),
    ("the lock of the identity map left out", "Sources/ManagedGraph/Objects/ObjectRegistry.swift",
     "try lock.withLock { _ in UnsafeTransfer(try body()) }.value", "try body()", "Stress"),
]

# Random tests have more cases than in `make test`, so that the faults are found whatever the seed.
LENGTHS = {
    "OUTAGE_CUTS": "15", "OUTAGE_DESCRIPTORS": "4", "ISOLATION_COUNT": "160", "ISOLATION_THREAD_COUNT": "160",
}


def check(faults):
    """Ends the program if a place of a fault or a suite of tests no longer exists."""
    problems = []
    suites = set()
    for file in (test.ROOT / "Tests").rglob("*.swift"):
        suites.update(re.findall(r"\b(?:struct|class) (\w+)", file.read_text()))
    for fault, name, text, _, tests in faults:
        path = test.ROOT / name
        count = path.read_text().count(text) if path.exists() else 0
        if count != 1:
            problems.append(f"{fault}: {name} has the text {text!r} {count} times in place of once")
        problems += [f"{fault}: there is no suite {suite}" for suite in tests.split("|") if suite not in suites]
    if problems:
        test.fail("\n".join([*problems, "Change the list in Scripts/faults.py."]))


def run(work, name, tests, temporary):
    """Builds the copy, runs some suites, and returns the job."""
    build = ["swift", "build", "--quiet", "--build-tests", "--disable-index-store"]
    # The warnings are those of the fault.
    built = subprocess.run(build, cwd=work, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    if built.returncode != 0:
        test.fail(f"the sources do not compile: {name}")
    place = subprocess.run([*build[:2], "--show-bin-path"], cwd=work, capture_output=True, text=True, check=True)
    job = test.swift_testing(
        Path(place.stdout.strip()) / "ManagedGraphPackageTests.xctest", name, "--no-parallel", "--filter",
        rf"\.(?:{tests})(?:/|$)",
    )
    job.environment = {"SWIFT_BACKTRACE": "enable=no", "TMPDIR": temporary, **LENGTHS}
    job.run()
    if not job.tests and "started" not in job.log.read_text(errors="replace"):
        test.fail(f"no test matches {tests}")
    return job


def is_found(work, fault, temporary):
    """Whether the tests fail with the fault, or end."""
    title, name, text, replacement, tests = fault
    path = work / name
    source = path.read_text()
    path.write_text(source.replace(text, replacement))
    try:
        return not run(work, f"fault {title}", tests, temporary).passed
    finally:
        path.write_text(source)


def main():
    pattern = sys.argv[1] if len(sys.argv) > 1 else ""
    if pattern == "--check":
        check(FAULTS)
        print("the sources have the place of every fault")
        return
    wanted = [fault for fault in FAULTS if re.search(pattern, fault[0])]
    if not wanted:
        test.fail(f"no fault matches {pattern}")
    check(wanted)
    folder = test.ROOT / ".build-faults"
    test.LOGS = folder / "logs"
    test.LOGS.mkdir(parents=True, exist_ok=True)
    results = []
    work = folder / "main"
    sanitize.copy_package(work, "")
    with test.temporary_folder() as temporary:
        # Else every fault would count as found by a test that fails in any case.
        suites = sorted({suite for fault in wanted for suite in fault[4].split("|")})
        if not run(work, "without a fault", "|".join(suites), temporary).passed:
            test.fail("tests fail without a fault, and so cannot find one")
        for fault in wanted:
            results.append((fault[0], fault[4], is_found(work, fault, temporary)))
            test.say(f"{'found' if results[-1][2] else 'NOT FOUND'}: {fault[0]}")
    print("\n| fault | tests | found |\n| --- | --- | --- |")
    for name, tests, found in results:
        print(f"| {name} | {tests.replace('|', ', ')} | {'yes' if found else '**no**'} |")
    sys.exit(0 if all(found for _, _, found in results) else 1)


if __name__ == "__main__":
    main()
