"""Shorthands for the CoreDump application."""

import re
import sqlite3

import pictures
import requests_plain as plain


def add_project(server, name="Website", url="http://www.example.com/site"):
    """Adds a project; returns its address."""
    assert plain.post(server, "/CoreDump/new", {"action": "save", "name": name, "url": url}).status == 303
    page = plain.get(server, "/CoreDump").text
    return max(re.findall(r"/CoreDump/project/Project-p\d+", page), key=number)


def add_bug(server, project, title="Crash", details="", screenshot=None):
    """Adds a bug; returns its address."""
    files = {"screenshot": ("shot.png", screenshot)} if screenshot is not None else None
    answer = pictures.post(server, project + "/new", {"title": title, "details": details}, files)
    assert answer.status == 303, answer.text
    return max(re.findall(r"/CoreDump/bug/Bug-p\d+", plain.get(server, project).text), key=number)


def number(address):
    return int(address.rsplit("-p", 1)[1])


def external_files(server):
    """The external files of large pictures."""
    folder = server.data / "CoreDump" / ".CoreDump_SUPPORT" / "_EXTERNAL_DATA"
    return sorted(folder.iterdir()) if folder.exists() else []


def stored(server, sql, *values):
    with sqlite3.connect(f"file:{server.store('CoreDump')}?mode=ro", uri=True) as connection:
        return connection.execute(sql, values).fetchall()
