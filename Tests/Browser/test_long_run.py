"""A few seconds of the long run: nothing fails, and everything that the visitors opened is closed after them."""

import os

import long_run
from conftest import soon


def descriptors(server):
    return len(os.listdir(f"/proc/{server.process.pid}/fd"))


def test_visitors_that_change_import_and_migrate_leave_no_descriptor_behind(server):
    before = descriptors(server)
    samples, counts, failures = long_run.run(server, seconds=6, browsers=40, interval=2)
    assert failures == []
    assert min(counts.values()) > 0, counts
    assert samples[-1]["descriptors"] >= before + 40
    # Stores keep connections for reading.
    assert soon(lambda: descriptors(server) <= before + 16), (before, descriptors(server))


def test_a_figure_that_rises_is_found():
    level = [{"seconds": float(number), "memory": 50 + number % 3} for number in range(60)]
    rising = [{"seconds": float(number), "memory": 50 + number % 3 + number / 10} for number in range(60)]
    assert not long_run.rises(level, "memory")
    assert long_run.rises(rising, "memory")


def test_a_table_that_is_emptied_again_and_again_is_not_a_rise_and_a_leak_beside_it_is():
    samples = [
        {"seconds": float(second), "level": 50 + steps(second), "leaking": 50 + steps(second) + second / 1000}
        for second in range(0, 3600, 10)
    ]
    assert not long_run.rises(samples, "level")
    assert long_run.rises(samples, "leaking")


def steps(second):
    """Memory of a table whose size doubles, until it is emptied."""
    full = second % long_run.PERIOD / long_run.PERIOD
    return 3 if full > 0.8 else 1.5 if full > 0.4 else 0
