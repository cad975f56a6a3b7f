#!/usr/bin/env python3
"""Serves the sample applications by two processes over one PostgreSQL: cluster.py [--port 8080] [--data Data] [--no-samples].

Called by `make run-cluster`. The database is in DATA/PostgreSQL: a primary, a standby that follows it by streaming replication,
and PgBouncer in transaction mode before the primary. The applications save through PgBouncer and read from the standby. All
servers listen on free ports of 127.0.0.1 and ask for a password, which is made at the first start. Ctrl-C stops everything, in
order; the next start goes on with the same data. Servers do not run as root: then they run as the user postgres. The tests in a
browser use `Server` for databases of their own.
"""

import argparse
import ctypes
import os
import pwd
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


class Failure(Exception):
    """A cause and a remedy."""


def programs():
    """The folder of the newest server on this machine."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: [int(n) for n in re.findall(r"\d+", str(path))])
    if shutil.which("pg_config"):
        folders.insert(0, Path(subprocess.run(["pg_config", "--bindir"], capture_output=True, text=True).stdout.strip()))
    for folder in reversed(folders):
        if all((folder / name).exists() for name in ["initdb", "postgres", "pg_basebackup"]):
            return folder
    raise Failure("PostgreSQL is not installed. Run Scripts/setup.sh database.")


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def end_with_parent():
    """The system ends a child when this process is killed."""
    ctypes.CDLL(None).prctl(1, signal.SIGINT)


class Servers:
    """The processes below a folder, and the user that runs them."""

    def __init__(self, folder):
        self.folder = Path(folder).resolve()
        self.bin = programs()
        self.user = {}
        if os.geteuid() == 0:
            entry = pwd.getpwnam("postgres")
            self.user = {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
        self.folder.mkdir(parents=True, exist_ok=True)
        self.hand(self.folder)
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
        self.environment["LC_ALL"] = "C"
        if subprocess.run(["test", "-w", self.folder], **self.user).returncode != 0:
            raise Failure(f"The user postgres cannot enter {self.folder}, and servers do not run as root. "
                          "Choose another folder: DATA=/var/tmp/Data.")

    def hand(self, path):
        if self.user:
            os.chown(path, self.user["user"], self.user["group"])

    def run(self, *command, **options):
        result = subprocess.run([str(word) for word in command], capture_output=True, text=True, cwd="/", env=self.environment,
                                **self.user, **options)
        if result.returncode != 0:
            raise Failure(f"{Path(command[0]).name} failed: {(result.stderr or result.stdout).strip()[-2000:]}")
        return result.stdout

    def write(self, path, text, mode=0o600):
        path.write_text(text)
        path.chmod(mode)
        self.hand(path)

    def start(self, *command, log):
        with open(self.folder / log, "ab") as output:
            return subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=output, stderr=output, cwd="/",
                                    env=self.environment, start_new_session=True, preexec_fn=end_with_parent, **self.user)


class Server:
    """A primary with a superuser `postgres`, and optionally a standby and a pooler."""

    def __init__(self, folder, settings=None, is_durable=True):
        self.servers = Servers(folder)
        self.folder = self.servers.folder
        self.settings = {} if is_durable else {"fsync": "off", "full_page_writes": "off"}
        self.settings.update(settings or {})
        self.port = self.standby_port = self.pooler_port = None
        self.processes = []
        self.password = self.make_password()

    def make_password(self):
        path = self.folder / "password"
        if not path.exists():
            self.servers.write(path, secrets.token_urlsafe(18))
        return path.read_text().strip()

    @property
    def pass_file(self):
        """A file for libpq with the password, readable by the user of this program alone."""
        path = self.folder.parent / f"{self.folder.name}.pgpass"
        path.touch(mode=0o600)
        path.chmod(0o600)
        path.write_text(f"127.0.0.1:*:*:*:{self.password}\n")
        return path

    def address(self, database="postgres", port=None, user="postgres"):
        return f"postgresql://{user}@127.0.0.1:{port or self.port}/{database}"

    def configure(self, cluster, port, more=""):
        lines = {
            "listen_addresses": "127.0.0.1", "port": port, "unix_socket_directories": "", "wal_level": "replica",
            "max_wal_senders": 8, "max_connections": 100, "hot_standby": "on", "shared_buffers": "32MB", "timezone": "UTC",
            **self.settings,
        }
        self.servers.write(cluster / "cluster.conf", "".join(f"{name} = '{value}'\n" for name, value in lines.items()) + more)

    def launch(self, cluster, port):
        """Starts the server of a cluster, and waits until it accepts connections."""
        self.end_former(cluster)
        process = self.servers.start(self.servers.bin / "postgres", "-D", cluster, log=f"{cluster.name}.log")
        self.processes.append(process)
        end = time.monotonic() + 60
        ready = [str(self.servers.bin / "pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(port)]
        while subprocess.run(ready).returncode != 0:
            if process.poll() is not None or time.monotonic() > end:
                log = (self.folder / f"{cluster.name}.log").read_text(errors="replace")[-2000:]
                raise Failure(f"The server in {cluster} did not start.\n{log}")
            time.sleep(0.05)

    def end_former(self, cluster):
        """Stops a server that a killed start has left."""
        try:
            number = int((cluster / "postmaster.pid").read_text().split()[0])
            name = Path(f"/proc/{number}/comm").read_text().strip()
        except (OSError, ValueError, IndexError):
            return
        if name == "postgres":
            self.servers.run(self.servers.bin / "pg_ctl", "-D", cluster, "-m", "fast", "-w", "stop")

    def start(self):
        cluster = self.folder / "primary"
        if not (cluster / "cluster.conf").exists():
            # An interrupted first start leaves an incomplete cluster.
            shutil.rmtree(cluster, ignore_errors=True)
            self.servers.run(self.servers.bin / "initdb", "-D", cluster, "-U", "postgres", "-A", "scram-sha-256", "--pwfile",
                             self.folder / "password", "-E", "UTF8", "--locale=C", "--no-sync")
            conf = cluster / "postgresql.conf"
            conf.write_text(conf.read_text() + "include_if_exists = 'cluster.conf'\n")
        self.port = free_port()
        self.configure(cluster, self.port)
        self.launch(cluster, self.port)
        return self

    def start_standby(self):
        cluster = self.folder / "standby"
        self.standby_port = free_port()
        self.servers.environment["PGPASSWORD"] = self.password
        if not (cluster / "standby.signal").exists():
            shutil.rmtree(cluster, ignore_errors=True)
            slots = self.query("SELECT 1 FROM pg_replication_slots WHERE slot_name = 'standby'")
            self.servers.run(self.servers.bin / "pg_basebackup", "-D", cluster, "-h", "127.0.0.1", "-p", self.port, "-U",
                             "postgres", "-X", "stream", "-c", "fast", "-S", "standby", *([] if slots else ["-C"]))
            self.servers.write(cluster / "standby.signal", "")
        self.configure(cluster, self.standby_port, f"primary_slot_name = 'standby'\nprimary_conninfo = 'host=127.0.0.1 "
                       f"port={self.port} user=postgres password={self.password}'\n")
        self.launch(cluster, self.standby_port)

    def start_pooler(self):
        self.pooler_port = free_port()
        users, log = self.folder / "users.txt", self.folder / "pgbouncer.log"
        self.servers.write(users, f'"postgres" "{self.password}"\n')
        self.servers.write(self.folder / "pgbouncer.ini", f"""[databases]
* = host=127.0.0.1 port={self.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {self.pooler_port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = {users}
pool_mode = transaction
default_pool_size = 20
max_client_conn = 500
""")
        program = shutil.which("pgbouncer") or "/usr/sbin/pgbouncer"
        self.processes.append(self.servers.start(program, self.folder / "pgbouncer.ini", log=log.name))
        end = time.monotonic() + 20
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.pooler_port), 1).close()
                return
            except OSError:
                if self.processes[-1].poll() is not None or time.monotonic() > end:
                    raise Failure(f"PgBouncer did not start.\n{log.read_text(errors='replace')[-2000:]}")
                time.sleep(0.05)

    def query(self, sql, database="postgres", port=None):
        """The first column of the rows of a statement."""
        environment = {**os.environ, "PGPASSWORD": self.password}
        result = subprocess.run([self.servers.bin / "psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-d",
                                 self.address(database, port), "-c", sql], capture_output=True, text=True, env=environment)
        if result.returncode != 0:
            raise Failure(result.stderr.strip())
        return result.stdout.split("\n")[:-1]

    def make_database(self, name, template="template0"):
        if not self.query(f"SELECT 1 FROM pg_database WHERE datname = '{name}'"):
            self.query(f"CREATE DATABASE \"{name}\" TEMPLATE \"{template}\" ENCODING 'UTF8'")

    def stop(self, sign=signal.SIGINT):
        """Stops the pooler, the standby and the primary, in this order; SIGQUIT does not wait for the disk."""
        for process in reversed(self.processes):
            if process.poll() is None:
                process.send_signal(sign)
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self.processes = []


class Application:
    """A process of the sample applications."""

    def __init__(self, binary, port, data, store, samples, pass_file):
        environment = {**os.environ, "PGPASSFILE": str(pass_file)}
        self.process = subprocess.Popen(
            [binary, "--port", str(port), "--data", str(data), "--store", store, "--samples" if samples else "--no-samples"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, env=environment, start_new_session=True,
            preexec_fn=end_with_parent,
        )
        match = re.search(r"http://127\.0\.0\.1:\d+/", self.process.stdout.readline())
        if not match:
            raise Failure(f"The applications did not start at port {port}.")
        self.address = match[0]

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            self.process.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Interrupted(Exception):
    """Ctrl-C, or another request to stop."""


def interrupt(*_):
    # A second one must not disturb the end.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    raise Interrupted


def serve(options, binary):
    server, applications = None, []
    try:
        server = Server(Path(options.data).resolve() / "PostgreSQL")
        print("Starting PostgreSQL, a standby and PgBouncer.", flush=True)
        server.start()
        server.make_database("examples")
        server.start_standby()
        server.start_pooler()
        pooler = server.address("examples", server.pooler_port)
        # The standby is a copy of the primary, with the same user and password.
        store = f"{pooler}?readers=127.0.0.1:{server.standby_port}"
        for number in range(2):
            port = options.port + number if options.port else 0
            applications.append(Application(binary, port, options.data, store, options.samples and number == 0, server.pass_file))
            print(f"The sample applications are at {applications[-1].address} (process {number + 1} of 2).", flush=True)
        print(f"The database:  {server.address('examples')}\nThe standby:   {server.address('examples', server.standby_port)}\n"
              f"The pooler:    {pooler}\nThe password:  PGPASSFILE={server.pass_file}\nCtrl-C stops all of it.", flush=True)
        while True:
            time.sleep(0.5)
            ended = [each for each in applications if each.process.poll() is not None]
            if ended:
                raise Failure(f"The process at {ended[0].address} ended with {ended[0].process.returncode}.")
            if any(process.poll() is not None for process in server.processes):
                raise Failure(f"A server ended by itself; the logs are in {server.folder}.")
    except Interrupted:
        return 0
    finally:
        for application in applications:
            application.stop()
        if server:
            server.stop()
        print("Stopped; all is saved.", flush=True)


def main():
    parser = argparse.ArgumentParser(description="Serves the sample applications by two processes over one PostgreSQL.")
    parser.add_argument("--port", type=int, default=8080, help="the first of two ports; 0 for any that are free")
    parser.add_argument("--data", default="Data")
    parser.add_argument("--no-samples", dest="samples", action="store_false")
    options = parser.parse_args()
    binary = os.environ.get("EXAMPLES_BINARY")
    try:
        if not binary:
            for command in [["Scripts/setup.sh", "database"], ["Scripts/workspace.sh", "build", "--product", "Examples"]]:
                if subprocess.run(command, cwd=ROOT).returncode != 0:
                    return 1
            binary = str(ROOT / ".build-all/debug/Examples")
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, interrupt)
        return serve(options, binary)
    except Interrupted:
        return 0
    except Failure as failure:
        print(f"cluster: {failure}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
