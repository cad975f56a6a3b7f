#!/usr/bin/env python3
"""Compares instruction counts with Benchmarks/instructions.json, or writes them there. Called by count.sh."""
import json
import pathlib
import platform
import re
import subprocess
import sys

folder, small, large, option, *cases = sys.argv[1:]
file = pathlib.Path("Benchmarks/instructions.json")


def count(case, rows):
    return int((pathlib.Path(folder) / f"{case}-{rows}.count").read_text())


counts = {
    case: round((count(case, large) - count(case, small)) / (int(large) - int(small)), 1) for case in cases
}
swift = subprocess.check_output(["swift", "--version"], text=True, stderr=subprocess.DEVNULL)
sqlite = re.search(r'SQLITE_VERSION\s+"(.*)"', pathlib.Path("/usr/include/sqlite3.h").read_text())
# Another compiler or SQLite version executes other instructions, so its counts are not comparable.
machine = {
    "processor": platform.machine(),
    "sqlite": sqlite.group(1) if sqlite else "?",
    "swift": re.search(r"Swift version (\S+)", swift).group(1),
}

if option == "--accept":
    file.write_text(json.dumps({"machine": machine, "instructionsPerRow": counts}, indent=2) + "\n")
    print(f"Written to {file}.")
    sys.exit()

accepted = json.loads(file.read_text())
if accepted["machine"] != machine:
    print(f"Skipped: the accepted counts are of {accepted['machine']}, this machine has {machine}.")
    sys.exit()
failed = False
for case, new in counts.items():
    old = accepted["instructionsPerRow"].get(case)
    if old is None:
        print(f"{case}: {new} instructions a row, and no accepted count.")
        failed = True
        continue
    change = (new / old - 1) * 100
    print(f"{case:26} {new:10.1f} instructions a row, accepted {old:10.1f} ({change:+.1f}%)")
    if change > 5:
        print(f"{case}: {new} instructions a row instead of {old}, over 5% more.")
        failed = True
if failed:
    print("Make the work smaller, or accept the new counts with `Scripts/count.sh --accept` and say why in the commit.")
sys.exit(failed)
