#!/usr/bin/env python3
"""Runs the tests of safety at full length, some hours: safety.py [STEP]. Called by `make safety`.

Each step is recorded in .build-all/safety.json once it has passed; the next run continues after the steps that have passed, and
prints a summary of all, which marks those that passed with earlier sources. STEP, a regular expression, runs some steps, also those that have passed. AGAIN=1 runs all steps again. The numbers
below are taken from the environment if they are there, and such a run is not recorded. `make test` runs a short form of each.
Steps run beside each other, one for each processor (JOBS=1), except for those that use all of them.
"""

import json
import os
import re
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import test

ROOT = test.ROOT
RESULTS = test.FOLDER / "safety.json"
# Numbers and the suites that read them; a suite reads whole collections of files besides.
LENGTHS = {
    # Kills of one writer of a SQLite store, of three, and of migrations of that many objects; of processes and servers
    # of a PostgreSQL store, and fail-overs. KILL_SEED continues an earlier run.
    "STORE_KILLS": 500, "FILE_KILLS": 10000, "MIGRATION_KILLS": 200, "MIGRATION_OBJECTS": 100000,
    "DATABASE_KILLS": 500, "SERVER_KILLS": 100, "FAILOVERS": 20,
    # Saves of counters by processes, on SQLite and on PostgreSQL, and transactions of each way to use contexts: a million
    # operations of processes on each kind of store, and half as many of the threads of one process.
    "COUNTER_SAVES": 1000000, "COUNTER_PROCESSES": 16, "ISOLATION_COUNT": 88000, "ISOLATION_THREAD_COUNT": 44000,
    "ISOLATION_THREADS": 8,
    # Damaged stores, models and files; each call of the disk fails, and each allocation of SQLite.
    "STORE_DAMAGES": 100000, "MODEL_DAMAGES": 100000, "FUZZ_DAMAGES": 10000, "FILE_DAMAGES": 2000, "HOSTILE_MEGABYTES": 4,
    "DISK_STRIDE": 1, "ALLOCATION_STRIDE": 1, "ARCHIVE_STRIDE": 1,
    # Random walks, requests and predicates; saves of child contexts.
    "WALKS": 600, "MANAGEDGRAPH_WALKS": 2000, "LIST_WALKS": 600, "FETCH_CASES": 10000, "FUZZ_CASES": 50000,
    "PREDICATE_CASES": 100000, "SCALARS": "all", "SERVED_REQUESTS": 1000000, "MIGRATION_PAIRS": 300,
    "MIGRATION_PLACES": 8, "ALL_FILES": 1, "OUTAGE_SCENARIOS": "all",
}
SUITES = """
AllocationTests DiskErrorTests DiskFaultTests FullDiskTests HostileFileTests ReadOnlyVolumeTests
WriterKillTests SharedFileKillTests KillTests DatabaseKillTests DatabaseErrorTests LostCommitTests
IsolationTests SharedFileCounterTests SharedCounterTests SeveralWritersTests ServiceTests
DamageTests DamagedModelTests FuzzTargetTests
ChangeTableTests AppleFiles CorpusTests CorpusCommandTests CompiledModelTests CorpusPairTests CompiledMappingTests
OpeningTests CorpusStoreTests
TwinWalkTests RandomWalks SectionedListRandomTests RandomFetches ResultsFuzzTests DifferentialTests RandomRoundTripTests
PostgreSQLAgreementTests
""".split()
# The programs of suites that run for hours with unoptimized ones.
OPTIMIZED = {"AllocationTests": "StoreProgram", "KillTests": "MigrationProgram", "DamageTests": "DamageProgram"}
# Numbers of the steps that are not suites.
OTHER_LENGTHS = ["OUTAGE_CUTS", "OUTAGE_STRIDE", "OUTAGE_DESCRIPTORS", "MINUTES", "LONG_RUN_SECONDS"]
# Lines with figures, and lines that show how far a step is.
FIGURES = re.compile(
    r"killed|failed over|a second|anomalies|: \d+ (cuts|runs),|damage|passed after|executions|reports of|drift|\d changes, "
)
PROGRESS = re.compile(r"✘|safety:|FAILED|^\[ *\d+ s\]")


class Step:
    """A command with a name; `lines` are what it printed. One that `is_alone` runs with no other beside it."""

    def __init__(self, name, *command, is_alone=False, **environment):
        self.name = name
        self.is_alone = is_alone
        self.command = [str(part) for part in command]
        self.environment = {name: str(value) for name, value in environment.items()}
        self.lines = []

    def run(self):
        """Runs the command, shows how far it is, and returns whether it passed."""
        log = test.LOGS / f"safety-{re.sub(r'[^A-Za-z0-9]+', '-', self.name)}.log"
        with open(log, "w") as file:
            process = subprocess.Popen(
                self.command, cwd=ROOT, env={**os.environ, **self.environment}, stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
            )
            for line in process.stdout:
                file.write(line)
                self.lines.append(line.rstrip())
                if PROGRESS.search(line):
                    test.say(f"  {line.strip()[:200]}")
        return process.wait() == 0

    def figures(self):
        """The lines that say what was tried and found."""
        found = [re.sub(r"\x1b\[\d+m", "", line) for line in self.lines if FIGURES.search(line) and "safety:" not in line]
        return found[-60:]


def outage_steps(program):
    """Power cuts, failing calls and a lack of descriptors, a scenario at a time: cuts at each call with OUTAGE_CUTS of all,
    each OUTAGE_STRIDE-th call failing, and no more files to be opened from each OUTAGE_DESCRIPTORS-th step on."""
    scenarios = subprocess.run([program, "list"], capture_output=True, text=True, check=True).stdout.splitlines()
    seed = os.environ.get("OUTAGE_SEED", "1")
    counts = {
        "cuts": os.environ.get("OUTAGE_CUTS", "2200"), "calls": os.environ.get("OUTAGE_STRIDE", "1"),
        "descriptors": os.environ.get("OUTAGE_DESCRIPTORS", "1"),
    }
    return [
        Step(f"{kind}: {scenario}", program, kind, scenario, count, seed)
        for scenario in scenarios for kind, count in counts.items()
    ]


def optimized(product):
    """Builds an optimized program, for a test that uses it for hours, and returns its path."""
    test.say(f"building {product}, optimized")
    build = ["swift", "build", "-c", "release", "--product", product]
    subprocess.run([*build, "--quiet"], cwd=ROOT, check=True)
    folder = subprocess.run([*build, "--show-bin-path"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return f"{folder.strip()}/{product}"


def sources():
    """The state of the committed sources, which a result is of."""
    return subprocess.run(
        ["git", "rev-parse", "HEAD:Sources"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.strip()


def steps(pattern):
    """The steps whose names match the pattern."""
    test.build("the framework's tests", "--product", "ManagedGraphPackageTests")
    for program in ["SharedStoreProgram", "StoreProgram", "DamageProgram", "HostileFileProgram", "OutageProgram"]:
        test.build(program, "--product", program)
    binary = test.binaries() / "ManagedGraphPackageTests.xctest"
    listed = subprocess.run(
        [binary, "--testing-library", "swift-testing", "--list-tests"], capture_output=True, text=True, check=True
    ).stdout
    if missing := [suite for suite in SUITES if f".{suite}/" not in listed]:
        test.fail(f"there are no suites {', '.join(missing)}")
    wanted = [suite for suite in SUITES if re.search(pattern, suite)]
    for suite, product in OPTIMIZED.items():
        variable = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", product).upper()
        if suite in wanted and variable not in os.environ:
            os.environ[variable] = optimized(product)
    lengths = {name: os.environ.get(name, length) for name, length in LENGTHS.items()}
    found = outage_steps(test.binaries() / "OutageProgram")
    found += [
        Step(
            suite, binary, "--testing-library", "swift-testing", "--no-parallel", "--filter", rf"\.{suite}(?:/|$)",
            **lengths,
        )
        for suite in wanted
    ]
    found.append(Step("fuzzing", "Scripts/fuzz.sh", is_alone=True, MINUTES=os.environ.get("MINUTES", 30), READERS=".*"))
    found.append(Step("faults put in on purpose", "Scripts/faults.py", is_alone=True))
    found += [Step(f"{kind} sanitizer", "Scripts/sanitize.py", kind, is_alone=True) for kind in ["thread", "address"]]
    hour = os.environ.get("LONG_RUN_SECONDS", 3600)
    found.append(Step("hour of 200 browsers", "Scripts/load.sh", "long_run", hour, is_alone=True))
    return [step for step in found if re.search(pattern, step.name)]


def main():
    pattern = sys.argv[1] if len(sys.argv) > 1 else ""
    test.LOGS.mkdir(parents=True, exist_ok=True)
    if not test.setup("database"):
        sys.exit(1)
    results = {}
    if RESULTS.exists() and os.environ.get("AGAIN") != "1":
        results = json.loads(RESULTS.read_text())
    all_steps = steps(pattern)
    if not all_steps:
        test.fail(f"no step matches {pattern}")
    waiting = [step for step in all_steps if pattern or step.name not in results]
    test.say(f"{len(all_steps) - len(waiting)} of {len(all_steps)} steps have passed before")
    failed = []
    current = sources()
    recording = threading.Lock()

    def run(step):
        test.say(f"{waiting.index(step) + 1} of {len(waiting)}: {step.name}")
        began = time.monotonic()
        passed = step.run()
        with recording:
            if not passed:
                failed.append(step.name)
                test.say(f"FAILED {step.name}: .build-all/logs")
                return
            results[step.name] = {
                "seconds": round(time.monotonic() - began), "figures": step.figures(), "sources": current,
            }
            if not any(name in os.environ for name in [*LENGTHS, *OTHER_LENGTHS]):
                RESULTS.write_text(json.dumps(results, indent=1, ensure_ascii=False))

    for is_alone, jobs in [(False, int(os.environ.get("JOBS", os.cpu_count() or 2))), (True, 1)]:
        with ThreadPoolExecutor(jobs) as workers:
            list(workers.map(run, [step for step in waiting if step.is_alone == is_alone]))
    print("\nSummary")
    for step in all_steps:
        result = results.get(step.name)
        state = f"passed in {result['seconds']} s" if result and step.name not in failed else "FAILED"
        if result and result.get("sources") != current:
            state += ", with earlier sources"
        print(f"{step.name}: {state}")
        for line in (result or {}).get("figures", []):
            print(f"    {line}")
    for kind, word in [("cuts", "power cuts"), ("calls", "failing calls"), ("descriptors", "runs without descriptors")]:
        numbers = [
            int(match[1]) for name, result in results.items() if name.startswith(f"{kind}: ")
            for line in result["figures"] if (match := re.search(r": (\d+) (?:cuts|runs),", line))
        ]
        if numbers:
            print(f"{sum(numbers):,} {word} without a problem")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
