#!/usr/bin/env python3
"""Compares ManagedGraph on PostgreSQL with libpq by hand, SQLAlchemy and Django; writes Benchmarks/postgresql.json.

Starts a server of its own with its usual settings, in a temporary folder. Called by Scripts/bench.sh; the last
arguments are names of cases.
"""
import json
import os
import pathlib
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile

import cluster

ROOT = pathlib.Path(__file__).resolve().parent.parent
PEERS = ROOT / "Benchmarks/Peers"
PROGRAM, PYTHON = sys.argv[1], sys.argv[2]
# The cases with their rows, and the goal beside libpq.
CASES = {
    "fetch-read": (200_000, 1.3), "batch-insert": (100_000, 1.5), "import": (100_000, None), "update-save": (1_000, 1.3),
    "by-key-1": (4_000, None), "by-key-8": (8_000, None), "by-key-32": (8_000, None), "departments": (1_000, None),
}
WRITING = {"batch-insert", "import"}
ROUNDS = int(os.environ.get("ROUNDS", "5"))


def commands(address, case, rows):
    store = address + "?schema=bench"
    return {
        "libpq by hand": [PROGRAM, "libpq", store, case, str(rows)],
        "ManagedGraph": [PROGRAM, "managedgraph", store, case, str(rows)],
        "SQLAlchemy": [PYTHON, str(PEERS / "sqlalchemy_subject.py"), address, case, str(rows)],
        "Django": [PYTHON, str(PEERS / "django_subject.py"), address, case, str(rows)],
    }


def measure(server, case, rows):
    """The times of each subject in milliseconds; the subjects take turns, and the first round warms up."""
    subjects = {
        name: subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=PEERS)
        for name, command in commands(server.address(), case, rows).items()
    }
    names = list(subjects)
    times = {name: [] for name in names}
    for turn in range(ROUNDS + 1):
        sums = {}
        for name in names[turn % len(names):] + names[:turn % len(names)]:
            if case in WRITING:
                server.query('TRUNCATE bench."Entry"')
            process = subjects[name]
            process.stdin.write("run\n")
            process.stdin.flush()
            answer = process.stdout.readline().split()
            if len(answer) != 2:
                sys.exit(f"{name} has failed in {case}.")
            sums[name] = answer[1]
            if turn > 0:
                times[name].append(int(answer[0]) / 1e6)
        if len(set(sums.values())) != 1:
            sys.exit(f"{case}: the checksums differ: {sums}")
    for process in subjects.values():
        process.stdin.close()
        process.wait()
    return times


def main():
    place = pathlib.Path(tempfile.mkdtemp(prefix="managedgraph-bench-", dir="/var/tmp"))
    place.chmod(0o755)
    # The server's own default; the cluster of applications has less.
    server = cluster.Server(place / "server", {"shared_buffers": "128MB"}).start()
    os.environ["PGPASSFILE"] = str(server.pass_file)
    results = []
    try:
        subprocess.run([PROGRAM, "managedgraph", server.address() + "?schema=bench", "fill", "200000"], check=True)
        server.query("ANALYZE")
        wanted = sys.argv[3:] or [*sorted(CASES, key=lambda case: case in WRITING)]
        for case in wanted:
            rows, goal = CASES[case]
            times = measure(server, case, rows)
            limit = statistics.median(times["libpq by hand"])
            print(f"{case}, {rows} rows" + (f" (goal {goal})" if goal else ""))
            for name, list_ in times.items():
                median = statistics.median(list_)
                print(f"    {name:15} {median:9.1f} ms   {median / limit:6.2f}   {min(list_):.1f} to {max(list_):.1f}",
                      flush=True)
                results.append({"case": case, "rows": rows, "goal": goal, "subject": name, "milliseconds": median,
                                "ratio": median / limit, "least": min(list_), "greatest": max(list_)})
    finally:
        server.stop(signal.SIGQUIT)
        shutil.rmtree(place, ignore_errors=True)
    if len(sys.argv) == 3:
        (ROOT / "Benchmarks/postgresql.json").write_text(json.dumps(results, indent=1) + "\n")


main()
