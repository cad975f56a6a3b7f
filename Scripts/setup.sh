#!/usr/bin/env bash
# Installs missing system packages that a command needs: setup.sh PART..., of build, browser, count, database and peers.
# Prints each package with the reason; without permission to install, prints the one command to run.
set -euo pipefail

parts=" ${*:-build} "
has() { [[ $parts == *" $1 "* ]]; }
missing=()
need() { # need PACKAGE REASON TEST...
    local package=$1 reason=$2
    shift 2
    if ! "$@" >/dev/null 2>&1; then
        echo "setup: $package is missing: $reason" >&2
        missing+=("$package")
    fi
}

command -v swift >/dev/null || {
    echo "setup: Swift 6.3 or later is missing. Install it from https://www.swift.org/install/linux/" >&2
    exit 1
}
need libsqlite3-dev "the stores are SQLite files" test -e /usr/include/sqlite3.h
need libpq-dev "the module for PostgreSQL stores uses it" test -e /usr/include/postgresql/libpq-fe.h
need pkg-config "it tells the build where SQLite and libpq are" command -v pkg-config
need patch "the test of a ported application makes its last changes with it" command -v patch
need curl "the tutorial's commands, which a test runs, read pages with it" command -v curl
if has count; then
    need valgrind "it counts the instructions of the benchmark's cases" command -v valgrind
fi
if has browser; then
    need chromium "the browser tests drive it" command -v chromium
    need chromium-headless-shell "the browser tests drive it too, as it is faster" command -v chromium-headless-shell
    need chromium-driver "it lets the browser tests drive Chromium" command -v chromedriver
fi
if has browser || has peers; then
    need python3-venv "the browser tests and the benchmark's peers are written in Python" \
        python3 -c "import ensurepip, venv"
fi
if has database; then
    need postgresql "tests of PostgreSQL stores start servers of their own" \
        sh -c 'ls /usr/lib/postgresql/*/bin/initdb || test -x "$(pg_config --bindir)/initdb"'
    need pgbouncer "those tests put it before a server" command -v pgbouncer
    need openssl "those tests make certificates of servers with it" command -v openssl
fi

# Debian's packages of servers start them, and make a database cluster. Nothing but the programs is needed here, so both
# are switched off while they are installed, and switched on again if that is interrupted.
switches=()
switch_on() {
    trap - EXIT INT TERM HUP
    $run rm -f "${switches[@]}"
}
no_servers() { # no_servers COMMAND...
    local policy=/usr/sbin/policy-rc.d clusters=/etc/postgresql-common/createcluster.d code=0
    trap switch_on EXIT
    trap 'exit 130' INT TERM HUP
    switches=("$clusters/managedgraph.conf")
    $run mkdir -p "$clusters"
    echo "create_main_cluster = false" | $run tee "$clusters/managedgraph.conf" > /dev/null
    if [ ! -e "$policy" ]; then
        switches+=("$policy")
        printf '#!/bin/sh\nexit 101\n' | $run tee "$policy" > /dev/null
        $run chmod +x "$policy"
    fi
    "$@" || code=$?
    switch_on
    return $code
}

if [ ${#missing[@]} -gt 0 ]; then
    install="apt-get install -y ${missing[*]}"
    if ! command -v apt-get >/dev/null; then
        echo "setup: install these with your system's package manager: ${missing[*]}" >&2
        exit 1
    elif [ "$(id -u)" = 0 ]; then
        run=""
    elif sudo -n true 2>/dev/null; then
        run="sudo"
    else
        echo "setup: run this once, then try again:  sudo apt-get update && sudo $install" >&2
        exit 1
    fi
    echo "setup: installing ${missing[*]}" >&2
    log=$(mktemp)
    if [[ " ${missing[*]} " =~ " postgresql " || " ${missing[*]} " =~ " pgbouncer " ]]; then
        guard=(no_servers)
    else
        guard=()
    fi
    if ! { $run apt-get update -qq && "${guard[@]}" $run env DEBIAN_FRONTEND=noninteractive $install -qq; } \
        > "$log" 2>&1; then
        tail -20 "$log" >&2
        echo "setup: the packages could not be installed (log: $log)" >&2
        exit 1
    fi
    rm -f "$log"
fi

if has browser; then
    root=$(cd "$(dirname "$0")/.." && pwd)
    if ! "$root/.build-venv/bin/python" -c "import pytest, selenium" 2>/dev/null; then
        echo "setup: making a Python environment for the browser tests (pytest, selenium)" >&2
        python3 -m venv "$root/.build-venv"
        "$root/.build-venv/bin/pip" install --quiet --disable-pip-version-check pytest==9.2.0 selenium==4.51.0 >&2
    fi
fi
