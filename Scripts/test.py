#!/usr/bin/env python3
"""Builds everything once and runs every test: test.py [FILTER]. Called by `make test`.

With FILTER, a regular expression over Module.Suite/test(), only those tests of the framework are built and run; a filter
that begins with `test_` names tests of the applications in a browser, and `PostgreSQL` all tests of stores in databases.

The suites run in several processes, one test after the other in each, so that a test's duration is its own. The steps that
build other packages and those that drive a browser run beside them. Prints progress, failures, the slowest tests, and the
tests that were skipped with their reasons. Output of each job stays in .build-all/logs.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import xml.etree.ElementTree as XML
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / ".build-all"
LOGS = FOLDER / "logs"
TIMES = FOLDER / "times.json"
BEGAN = time.monotonic()
# One more than processors, as some tests wait.
WORKERS = (os.cpu_count() or 2) + 1
# Tests in a browser wait for pages to change half of the time.
BROWSERS = 2
# A file system in memory, and the bytes that must be free in it and in memory for the tests' files to go there.
MEMORY = Path("/dev/shm")
NEEDED = 4 << 30
# Seconds each test of a suite is taken to last before it was ever measured.
UNMEASURED = 0.1
output = threading.Lock()


def say(text):
    with output:
        print(f"[{time.monotonic() - BEGAN:4.0f} s] {text}", flush=True)


def fail(text):
    say(text)
    sys.exit(1)


def times():
    """Seconds of each suite and job in the latest run; in a new clone, of the longest ones, which the project keeps."""
    known = {}
    for file in (ROOT / "Tests" / "durations.json", TIMES):
        try:
            known.update(json.loads(file.read_text()))
        except (OSError, ValueError):
            pass
    return known


def temporary_folder():
    """A new folder for the tests' files, in memory if there is enough.

    Servers and stores make and remove thousands of files: on a disk that takes a sixth of all processor time.
    """
    try:
        available = int(re.search(r"MemAvailable: *(\d+) kB", Path("/proc/meminfo").read_text())[1]) << 10
        is_enough = shutil.disk_usage(MEMORY).free >= NEEDED and available >= 2 * NEEDED
    except (OSError, TypeError):
        is_enough = False
    folder = tempfile.TemporaryDirectory(prefix="managedgraph-", dir=MEMORY if is_enough else None)
    # Servers of databases run as another user, whose processes must be able to enter the folder.
    os.chmod(folder.name, 0o755)
    return folder


class Job:
    """A process with a log, and the tests that it reports."""

    def __init__(self, name, command, environment=None, report=None, suites=()):
        self.name = name
        self.command = [str(part) for part in command]
        self.environment = environment or {}
        self.report = report
        self.suites = list(suites)
        self.log = LOGS / (re.sub(r"\W+", "-", name) + ".log")
        self.seconds = 0.0
        self.passed = False
        self.tests = []
        self.failures = 0
        self.skipped = Counter()

    def run(self):
        began = time.monotonic()
        with open(self.log, "w") as log:
            process = subprocess.Popen(
                self.command, cwd=ROOT, env={**os.environ, **self.environment}, stdin=subprocess.DEVNULL, stdout=log,
                stderr=subprocess.STDOUT,
            )
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        self.seconds = time.monotonic() - began
        self.processor = usage.ru_utime + usage.ru_stime
        self.passed = process.returncode == 0
        self.read_report()
        self.read_skipped()
        count = f"{len(self.tests)} tests, " if self.tests else ""
        if self.passed:
            say(f"passed  {self.name} ({count}{self.seconds:.1f} s, {self.processor:.1f} s of processor)")
        else:
            say(f"FAILED  {self.name} ({count}{self.seconds:.1f} s, status {process.returncode}, {self.log.relative_to(ROOT)})")
            with output:
                print(self.failure(), flush=True)

    def read_report(self):
        """The tests with their seconds, from a report in JUnit's form."""
        if not self.report or not self.report.exists():
            return
        try:
            cases = [*XML.parse(self.report).iter("testcase")]
            self.tests = [(float(case.get("time") or 0), case.get("classname"), case.get("name")) for case in cases]
            self.failures = sum(case.find("failure") is not None or case.find("error") is not None for case in cases)
        except XML.ParseError as error:
            self.passed = False
            say(f"{self.name}: the report cannot be read: {error}")

    def read_skipped(self):
        for line in self.lines():
            if match := re.search(r'Test .* skipped: "(.*)"$', line):
                self.skipped[match[1]] += 1
            elif match := re.match(r"SKIPPED \[(\d+)\] \S+ (.*)$", line):
                self.skipped[match[2]] += int(match[1])

    def lines(self):
        return self.log.read_text(errors="replace").splitlines()

    def failure(self):
        """The part of the log that explains a failure."""
        lines = self.lines()
        if not self.suites:
            return "\n".join(lines[-60:])
        shown, begun = [], {}
        for number, line in enumerate(lines):
            if match := re.match(r"◇ (Test (?!case |run).*) started\.$", line):
                begun[match[1]] = None
            elif match := re.match(r"[✔✘➜] (Test .*?) (?:with \d+ test cases? )?(?:passed|failed|skipped)", line):
                begun.pop(match[1], None)
            if line.startswith("✘"):
                shown.append(line)
                shown += [more for more in lines[number + 1:number + 12] if more.startswith("↳")]
        if not any(line.startswith("✘ Test run") for line in lines) and begun:
            shown += lines[-20:] + ["The process ended during: " + "; ".join(begun)]
        return "\n".join(shown or lines[-30:])


def run_all(queues):
    """Runs queues of jobs beside each other, the first jobs first; each queue has a number of workers.

    Workers whose queue is empty go on with the next one that is not.
    """
    queues = [(list(jobs), workers) for jobs, workers in queues]
    taking = threading.Lock()

    def work(own):
        order = [own, *(waiting for waiting, _ in queues if waiting is not own)]
        while True:
            with taking:
                job = next((waiting.pop(0) for waiting in order if waiting), None)
            if job is None:
                return
            job.run()

    threads = [
        threading.Thread(target=work, args=(waiting,)) for waiting, workers in queues for _ in range(workers)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def build(what, *options):
    """Builds in the shared folder; shows how far it is every quarter of a minute, and errors alone if it fails."""
    say(f"building {what}")
    began, shown, log = time.monotonic(), time.monotonic(), []
    process = subprocess.Popen(
        [ROOT / "Scripts" / "workspace.sh", "build", *options], cwd=ROOT, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, text=True, errors="replace",
    )
    for line in process.stdout:
        log.append(line.rstrip())
        match = re.match(r"\[(\d+)/(\d+)\]", line)
        if match and time.monotonic() - shown > 15:
            shown = time.monotonic()
            say(f"  {match[1]} of {match[2]} steps known so far")
    (LOGS / "build.log").write_text("\n".join(log))
    if process.wait() != 0:
        wanted = [line for line in log if not re.match(r"\[\d+/\d+\]", line)]
        print("\n".join(wanted[-80:]))
        fail(f"the build failed (.build-all/logs/build.log)")
    say(f"built in {time.monotonic() - began:.0f} s")
    if os.environ.get("WARNINGS") == "error":
        fail_for_warnings(log)


def fail_for_warnings(log):
    """Ends the program if the compiler warns of the project's own sources; only files that were compiled are judged."""
    own = re.compile(rf"(?:{re.escape(str(ROOT))}/(?!\.build)|macro expansion ).*: warning: ")
    warnings = sorted({line for line in log if own.match(line)})
    if warnings:
        print("\n".join(warnings))
        fail("warnings are errors here (WARNINGS=error)")


def binaries():
    """The folder of what was built."""
    path = subprocess.run(
        [ROOT / "Scripts" / "workspace.sh", "build", "--show-bin-path"], cwd=ROOT, capture_output=True, text=True,
        check=True,
    ).stdout.strip()
    return Path(path)


def swift_testing(binary, name, *options, suites=("all",)):
    """A job of the tests in a binary."""
    report = LOGS / (re.sub(r"\W+", "-", name) + ".xml")
    report.unlink(missing_ok=True)
    return Job(
        name, [binary, "--testing-library", "swift-testing", "--xunit-output", report, *options], report=report,
        suites=suites,
    )


def chunks_of(seconds, least, share):
    """The keys of a dictionary of seconds, the longest first, in lists that take a share of what is left.

    The last ones take `least` seconds or a little more, so that all workers end at about the same time.
    """
    chunks, chunk, sum_of_chunk, left = [], [], 0.0, sum(seconds.values())
    for key in sorted(seconds, key=lambda key: -seconds[key]):
        chunk.append(key)
        sum_of_chunk += seconds[key]
        if sum_of_chunk >= max(least, left / share):
            chunks.append(chunk)
            left -= sum_of_chunk
            chunk, sum_of_chunk = [], 0.0
    return chunks + [chunk] if chunk else chunks


def title_of(chunk):
    return chunk[0].split(".")[-1] + (f" and {len(chunk) - 1} more" if len(chunk) > 1 else "")


def listed(binary):
    """The names of the tests in a binary, Module.Suite/test()."""
    command = [binary, "--testing-library", "swift-testing", "--list-tests"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()


def framework_jobs(binary, known):
    """The framework's suites, divided into processes of some seconds each, the longest first."""
    names = listed(binary)
    suites = Counter(name.split("/")[0] for name in names)
    seconds = {suite: known.get(suite, UNMEASURED * min(count, 10)) for suite, count in suites.items()}
    jobs = []
    for number, chunk in enumerate(chunks_of(seconds, 10.0, WORKERS * 5), 1):
        chosen = "|".join(re.escape(suite) for suite in chunk)
        jobs.append(swift_testing(
            binary, f"{number:02} {title_of(chunk)}", "--no-parallel", "--filter", f"^(?:{chosen})(?:/|$)", suites=chunk
        ))
    return jobs, len(names)


def programs(folder):
    """Where the tests in a browser find the servers."""
    return {"EXAMPLES_BINARY": str(folder / "Examples"), "STUDIO_BINARY": str(folder / "managedgraph-studio")}


def in_browser(title, names, environment):
    """A job of some files of tests in a browser."""
    report = LOGS / (re.sub(r"\W+", "-", title) + ".xml")
    report.unlink(missing_ok=True)
    command = [ROOT / ".build-venv/bin/pytest", "-q", "-p", "no:cacheprovider", "--tb=short", "-rsfE"]
    files = [ROOT / "Tests" / "Browser" / f"{name}.py" for name in names]
    return Job(title, [*command, f"--junitxml={report}", *files], environment, report)


# The tests of these files also run with their stores in a database.
ON_POSTGRESQL = ["test_task_list", "test_grocery_dude"]


def browser_jobs(folder, known):
    """The applications and the studio in a browser: many files in each job, as each takes 2 s of processor to start browsers.

    The names of those that need a PostgreSQL server begin with PostgreSQL, so that a filter finds them.
    """
    environment = programs(folder)
    seconds = {
        file.stem: known.get(f"Tests.Browser.{file.stem}", 20)
        for file in (ROOT / "Tests" / "Browser").glob("test_*.py") if file.stem != "test_postgresql"
    }
    jobs = [in_browser(title_of(names), names, environment) for names in chunks_of(seconds, 40.0, BROWSERS * 3)]
    on_database = {**environment, "EXAMPLES_STORE": "postgresql"}
    jobs.insert(BROWSERS, in_browser("PostgreSQL: test_postgresql", ["test_postgresql"], environment))
    jobs.insert(BROWSERS, in_browser("PostgreSQL: applications", ON_POSTGRESQL, on_database))
    return jobs


def keep_times(jobs, known):
    for job in jobs:
        sums = Counter()
        # The files of tests that also run in a database are scheduled by their usual time.
        for seconds, suite, _ in job.tests if not job.name.startswith("PostgreSQL") else []:
            sums[suite] += seconds
        known.update({suite: round(seconds, 2) for suite, seconds in sums.items()})
        if not job.tests:
            known[job.name] = round(job.seconds, 2)
    TIMES.write_text(json.dumps(known, indent=1, sort_keys=True))


def report(jobs):
    tests = sorted((test for job in jobs for test in job.tests), reverse=True)
    print("\nThe slowest tests:")
    for seconds, suite, name in tests[:10]:
        print(f"  {seconds:6.1f} s  {suite}  {name}")
    skipped = sum((job.skipped for job in jobs), Counter())
    texts = [f"{count} test{'s' * (count > 1)} ({reason})" for reason, count in skipped.items()]
    print(f"\nSkipped: {'; '.join(texts) or 'nothing'}.")
    failed = [job.name for job in jobs if not job.passed]
    seconds = time.monotonic() - BEGAN
    if failed:
        print(f"Failed after {seconds:.0f} s: {'; '.join(failed)}.")
    else:
        print(f"All tests passed in {seconds:.0f} s.")
    # A job that ended without a failed test failed as a whole, such as one that crashed.
    failures = sum(job.failures if job.passed else max(1, job.failures) for job in jobs)
    passes = sum(len(job.tests) - job.failures for job in jobs)
    print(f"{passes} passed, {failures} failed, {sum(skipped.values())} skipped")
    sys.exit(1 if failed else 0)


def setup(*parts):
    return subprocess.run([ROOT / "Scripts" / "setup.sh", *parts], cwd=ROOT, check=False).returncode == 0


def can_install():
    """Whether setup.sh may install packages."""
    sudo = shutil.which("sudo")
    return os.geteuid() == 0 or bool(sudo) and subprocess.run([sudo, "-n", "true"], capture_output=True).returncode == 0


def database_pattern():
    """A pattern for the tests of stores in databases: the word PostgreSQL, and the suites that use a server.

    Few names of such tests contain the word. A suite uses a server if its file mentions the server or the type of store,
    or a helper type of its module whose file does.
    """
    server = re.compile(r"\b(?:PostgreSQLSupport|PostgreSQLServer|postgreSQL)\b")
    test = re.compile(r"@(?:Suite|Test)\b")
    suites = set()
    for folder in filter(Path.is_dir, (ROOT / "Tests").iterdir()):
        texts, using, mentions = [file.read_text() for file in folder.rglob("*.swift")], [], server
        while found := [text for text in texts if text not in using and mentions.search(text)]:
            using += found
            helpers = "\n".join(text for text in using if not test.search(text))
            types = re.findall(r"^[\w ]*\b(?:class|struct|enum|actor) (\w+)", helpers, re.MULTILINE)
            mentions = re.compile(rf"\b(?:{'|'.join(types) or '(?!)'})\b")
        for text in using:
            suites.update(re.findall(r"\bstruct (\w+)", text) if test.search(text) else [])
    return rf"PostgreSQL|\.(?:{'|'.join(sorted(suites))})/"


def run_filtered(pattern):
    if pattern.startswith("test_"):
        if not setup("browser"):
            sys.exit(1)
        build("the applications", "--product", "Examples")
        build("the studio", "--product", "managedgraph-studio")
        build("the command", "--product", "managedgraph")
        command = [ROOT / ".build-venv/bin/pytest", "-q", "-p", "no:cacheprovider", "--tb=short", "-k", pattern]
        environment = {**os.environ, **programs(binaries())}
        sys.exit(subprocess.run([*command, ROOT / "Tests/Browser"], env=environment, check=False).returncode)
    build("the framework's tests", "--product", "ManagedGraphPackageTests")
    names = database_pattern() if pattern == "PostgreSQL" else pattern
    binary = binaries() / "ManagedGraphPackageTests.xctest"
    wanted = [name for name in listed(binary) if re.search(names, name)]
    # The tests run these programs, and are not linked with them.
    for suites, program in [
        (r"CommandTests\.", "managedgraph"), (r"SafetyTests\.(Outage|ReadOnlyVolume)Tests/", "OutageProgram"),
    ]:
        if any(re.match(suites, name) for name in wanted):
            build(program, "--product", program)
    # One test after the other, as in a complete run: some depend on the rest of the process or server.
    jobs = [swift_testing(binary, "filtered", "--no-parallel", "--filter", names)]
    browsers = [job for job in browser_jobs(binaries(), {}) if re.search(pattern, job.name)]
    if browsers:
        if not setup("browser"):
            sys.exit(1)
        for product in ["Examples", "managedgraph-studio", "managedgraph"]:
            build(product, "--product", product)
        jobs += browsers
    for job in jobs:
        job.run()
    if all(job.passed and not job.tests for job in jobs):
        fail(f"no test matches {pattern}; names are Module.Suite/test()")
    report(jobs)


def main():
    LOGS.mkdir(parents=True, exist_ok=True)
    is_filtered = len(sys.argv) > 1 and sys.argv[1]
    # Without permission to install, all missing packages are reported at once, before the build.
    if not setup("database", *([] if is_filtered or can_install() else ["browser"])):
        sys.exit(1)
    if is_filtered:
        return run_filtered(sys.argv[1])
    for log in LOGS.iterdir():
        log.unlink()
    # Packages of the latest run are made anew by their tests; one that was left half-way would stop the build.
    shutil.rmtree(FOLDER / "packages", ignore_errors=True)
    # Downloads a browser, if the machine has none, while the compiler works.
    installed = []
    installer = threading.Thread(target=lambda: installed.append(setup("browser")))
    installer.start()
    build("everything", "--build-tests")
    installer.join()
    if installed != [True]:
        fail("the browser could not be installed")
    folder, known = binaries(), times()
    shared = {"MANAGEDGRAPH": str(folder / "managedgraph"), "SHARED_BUILD": "1", "ONLY_PACKAGES": "1"}
    framework, count = framework_jobs(folder / "ManagedGraphPackageTests.xctest", known)
    others = [
        Job("A user's own package, and the tutorial", [
            "bash", "-c", "Tests/UserPackage/run.sh && Tests/Tutorial/run.py",
        ], shared),
        Job("The documentation's links and topics", [ROOT / "Scripts" / "docs-check.sh", folder]),
        swift_testing(folder / "ExamplesPackageTests.xctest", "The applications' shared parts", "--no-parallel"),
        swift_testing(folder / "StudioPackageTests.xctest", "The studio's parts", "--no-parallel"),
    ]
    browsers = browser_jobs(folder, known)
    jobs = framework + browsers + others
    say(f"running {count} tests of the framework, and beside them {len(jobs) - len(framework)} other jobs")
    with temporary_folder() as temporary:
        for job in framework + browsers:
            job.environment["TMPDIR"] = temporary
        run_all([(others, 1), (browsers, BROWSERS), (framework, WORKERS)])
    keep_times(jobs, known)
    ran = sum(len(job.tests) for job in framework)
    if ran < count and all(job.passed for job in jobs):
        fail(f"only {ran} of {count} tests of the framework ran")
    report(jobs)


if __name__ == "__main__":
    main()
