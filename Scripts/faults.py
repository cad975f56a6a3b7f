#!/usr/bin/env python3
"""Puts faults into a copy of the sources, one at a time, and checks that a test finds each: faults.py [FAULT].

FAULT, a regular expression, tries some of them. The copy and its builds are in .build-faults; a fault takes some minutes, as
the modules above the changed one are compiled again. Prints a table, and fails if a fault was not found, or if its place in the
sources no longer exists.
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
     "PRAGMA synchronous = FULL; PRAGMA cache_size", "PRAGMA synchronous = NORMAL; PRAGMA cache_size", "OutageTests"),
    ("an error while rows are read taken for their end", "Sources/GraphSQLite/Statement.swift",
     "        default:\n            throw failure(code)\n        }\n    }\n\n    /// Runs to the end",
     "        default:\n            reset()\n            return false\n        }\n    }\n\n    /// Runs to the end",
     "ReadErrorTests|DiskErrorTests"),
    ("rows written whatever version was read", f"{ENGINE}/RowWriter.swift",
     "let isAny = operation.version == RowOperation.anyVersion", "let isAny = true", "IsolationTests"),
    ("reads of a block outside of a snapshot", f"{ENGINE}/SQLiteReader.swift",
     "if holdsSnapshot, snapshotBegan == nil || !connection.isInTransaction {",
     "if holdsSnapshot, connection.isClosed {", "IsolationTests"),
    ("writes of other connections not noticed", f"{ENGINE}/SQLiteWriter.swift",
     "mayBeWrittenByOthers = connection.dataVersion != dataVersion", "_ = dataVersion", "DanglingReferences"),
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


def changed(work, fault):
    """The file of a fault in the copy, and its text without the fault."""
    _, name, text, replacement, _ = fault
    path = work / name
    source = path.read_text()
    if source.count(text) != 1:
        test.fail(f"{name} no longer has the text {text!r} once: change Scripts/faults.py")
    path.write_text(source.replace(text, replacement))
    return path, source


def is_found(work, fault, temporary):
    """Whether the tests fail with the fault, or end."""
    path, source = changed(work, fault)
    try:
        build = ["swift", "build", "--quiet", "--build-tests", "--disable-index-store"]
        # The warnings are those of the fault.
        built = subprocess.run(build, cwd=work, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        if built.returncode != 0:
            test.fail(f"the fault does not compile: {fault[0]}")
        place = subprocess.run([*build[:2], "--show-bin-path"], cwd=work, capture_output=True, text=True, check=True)
        job = test.swift_testing(
            Path(place.stdout.strip()) / "ManagedGraphPackageTests.xctest", f"fault {fault[0]}", "--no-parallel", "--filter",
            rf"\.(?:{fault[4]})(?:/|$)",
        )
        job.environment = {"SWIFT_BACKTRACE": "enable=no", "TMPDIR": temporary, **LENGTHS}
        job.run()
        if not job.tests and "started" not in job.log.read_text(errors="replace"):
            test.fail(f"no test matches {fault[4]}")
        return not job.passed
    finally:
        path.write_text(source)


def main():
    pattern = sys.argv[1] if len(sys.argv) > 1 else ""
    folder = test.ROOT / ".build-faults"
    test.LOGS = folder / "logs"
    test.LOGS.mkdir(parents=True, exist_ok=True)
    results = []
    work = folder / "main"
    sanitize.copy_package(work, "")
    with test.temporary_folder() as temporary:
        for fault in FAULTS:
            if re.search(pattern, fault[0]):
                results.append((fault[0], fault[4], is_found(work, fault, temporary)))
                test.say(f"{'found' if results[-1][2] else 'NOT FOUND'}: {fault[0]}")
    print("\n| fault | tests | found |\n| --- | --- | --- |")
    for name, tests, found in results:
        print(f"| {name} | {tests.replace('|', ', ')} | {'yes' if found else '**no**'} |")
    sys.exit(0 if results and all(found for _, _, found in results) else 1)


if __name__ == "__main__":
    main()
