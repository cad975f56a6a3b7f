"""What the subjects in Python share: the rows, the checksum, and the conversation with Scripts/bench-postgresql.py."""
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta, timezone

EPOCH = datetime(2001, 1, 1, tzinfo=timezone.utc)
MASK = (1 << 64) - 1


class InputRow:
    """The same row as InputRow.swift."""

    def __init__(self, index):
        self.text = "entry number " + str(10_000_000 + index)[-7:]
        self.priority = index % 5
        self.date = EPOCH + timedelta(seconds=index * 60.5)
        self.is_done = index % 3 == 0
        self.amount = index * 0.25
        self.number = ((index * 0x9E3779B97F4A7C15) & MASK) >> 1

    @staticmethod
    def make(count):
        return [InputRow(index) for index in range(count)]


def add(entries):
    """The checksum of entries, of which every value is read."""
    total = 0
    for entry in entries:
        total += (entry.number + entry.priority + entry.is_done + int(entry.amount)
                  + int((entry.date - EPOCH).total_seconds()) + len(entry.text))
    return total


def shares(keys, threads):
    return [keys[thread::threads] for thread in range(threads)]


def on_threads(read, keys):
    with ThreadPoolExecutor(len(keys)) as pool:
        return sum(pool.map(read, keys))


def main(make):
    """Runs a case once for each line of the input: ADDRESS CASE ROWS."""
    address, name, rows = sys.argv[1].split("?")[0], sys.argv[2], int(sys.argv[3])
    subject = make(address, rows)
    for _ in sys.stdin:
        if name.startswith("by-key-"):
            work = subject.by_key(int(name[7:]))
        else:
            work = getattr(subject, {"import": "importing"}.get(name, name.replace("-", "_")))()
        began = time.perf_counter_ns()
        total = work()
        print(time.perf_counter_ns() - began, total & MASK, flush=True)
