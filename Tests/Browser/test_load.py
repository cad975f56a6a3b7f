"""200 browsers on one screen while 50 changes a second are saved: each receives all of them, and memory is bounded."""

import http.client
import os
import time

import load

# Seconds in which changes are saved.
SECONDS = int(os.environ.get("LOAD_SECONDS", "3"))


def test_200_browsers_see_50_changes_a_second_without_a_gap_and_slow_ones_delay_no_others(server):
    figures = load.run(server, browsers=200, rate=50, seconds=SECONDS)
    print(figures)
    assert figures["failures"] == []
    assert figures["faults"] == []
    assert figures["changes"] == 50 * SECONDS
    assert figures["missing"] == 0
    # Briefly disconnected browsers receive the missed events; none has to reload everything.
    assert figures["reconnections"] > 5 * SECONDS
    assert figures["deliveries"] == 200 * 50 * SECONDS
    assert figures["slow browsers that caught up"] == 2
    assert figures["memory in MB"]["after"] - figures["memory in MB"]["before"] < 60


def test_open_panels_receive_the_activity_and_hold_up_no_browser(server):
    figures = load.run(server, browsers=50, rate=50, seconds=SECONDS, panels=20)
    assert figures["failures"] == figures["faults"] == figures["faults of panels"] == []
    assert figures["deliveries"] == 50 * 50 * SECONDS and figures["missing"] == 0
    # A message a few times a second, fewer on a busy machine, which takes longer, not one for each statement.
    assert SECONDS / 2 < figures["messages of a panel"] < 10 * figures["seconds"]
    assert figures["kB of a panel"] > 5 * SECONDS


def test_the_studio_attached_live_receives_the_activity_and_holds_up_no_browser(server):
    figures = load.run(server, browsers=50, rate=50, seconds=SECONDS, studios=1)
    assert figures["failures"] == figures["faults"] == figures["faults of panels"] == []
    assert figures["deliveries"] == 50 * 50 * SECONDS and figures["missing"] == 0
    assert SECONDS / 2 < figures["messages of a panel"] < 10 * figures["seconds"]
    assert figures["kB of a panel"] > 5 * SECONDS


def test_200_browsers_recover_from_a_restart_of_the_server(server):
    streams = [load.Stream(server.port, "/Tasks") for _ in range(200)]
    wait_for(streams, lambda stream: stream.version)
    server.restart()
    token = streams[0].version.split(".")[0]
    for stream in streams:
        stream.close()
        stream.connect()
    # The browsers' state belongs to the previous server process, so they have to reload their rows.
    wait_for(streams, lambda stream: stream.refreshes == 2)
    assert all(stream.version.split(".")[0] != token for stream in streams)
    assert all(not stream.faults for stream in streams)
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    load.post(connection, "/Tasks", action="insert")
    wait_for(streams, lambda stream: stream.changes == 1)
    for stream in streams:
        stream.close()


def wait_for(streams, check, timeout=20):
    end = time.monotonic() + timeout
    while not all(check(stream) for stream in streams):
        assert time.monotonic() < end, [stream.version for stream in streams if not check(stream)][:5]
        for stream in streams:
            stream.read(0, [], {})
        time.sleep(0.01)


def test_browsers_that_do_not_read_cost_no_memory_and_hear_at_the_end_that_they_missed_something(server):
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    task = load.post(connection, "/Tasks", action="insert")
    slow = [load.Stream(server.port, "/Tasks", is_slow=True) for _ in range(8)]
    wait_for(slow, lambda stream: stream.version)
    reader = load.Stream(server.port, "/Tasks")
    wait_for([reader], lambda stream: stream.version)
    before = load.memory(server.process.pid)
    # Some 6 MB for each, more than a socket's buffer, so that the server itself has to drop events.
    # Characters of four bytes, as a text has at most 1,000 characters.
    for number in range(640):
        load.post(connection, task + "/text", action="save", value=f"{number} " + "𝕏" * 990)
        reader.read(0, [], {})
    assert load.memory(server.process.pid) - before < 25
    wait_for([reader], lambda stream: stream.changes == 640)
    assert not reader.faults
    for stream in slow:
        stream.refreshes = 0
    wait_for(slow, lambda stream: stream.version == reader.version)
    assert all(stream.refreshes > 0 for stream in slow)
    for stream in slow + [reader]:
        stream.close()
