"""200 browsers on one screen while 50 changes a second are saved: nobody misses one, and memory stays."""

import load


def test_200_browsers_see_50_changes_a_second_without_a_gap_and_slow_ones_hold_up_nobody(server):
    figures = load.run(server, browsers=200, rate=50, seconds=6)
    print(figures)
    assert figures["failures"] == []
    assert figures["faults"] == []
    assert figures["changes"] == 300
    assert figures["missing"] == 0
    # Those that were not connected for a moment get what they missed; nobody is told to read all again.
    assert figures["reconnections"] > 30
    assert figures["deliveries"] == 200 * 300
    assert figures["slow browsers that caught up"] == 2
    assert figures["memory in MB"]["after"] - figures["memory in MB"]["before"] < 60
