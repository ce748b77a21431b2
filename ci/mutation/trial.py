"""Whether a mutant is noticed.

A mutant is killed when the program that holds it, trying a controller with a fixed seed, reports a violation that it does
not report of the controller as it is; or an inconclusive trial, a crash, or no end.

Who is tried: strict, at level strict, which violates nothing. A mutant in code that strict never reaches belongs to
decisions of releases. It is tried behind the first release that reaches it, at level strict, where releases violate promises
by what they are: over a fixed number of trials the set of violated promises is compared with that of the release as it is.
A promise more kills at once; one less kills at the end, since a release is to show exactly its documented violations. A
digest that differs does not kill: it says that the mutant did something, not that anybody was told.
"""
import json
import os
import re
import resource
import signal
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass

MEMORY = 4 << 30  # a mutant that piles things up ends as a crash
GRACE = 20  # seconds beyond the time to try, or beyond five times what the controller as it is took: no end is a hang
FOUND = re.compile(r"(\S+) is broken in trial")


@dataclass
class Outcome:
    killed: bool
    how: str  # "update.only-outdated", "crash", "hang", ...; of a survivor whether anything was different
    seconds: float = 0


@dataclass
class Baseline:
    """A controller as it is, over the first trials of the seed."""
    controller: str
    trials: int
    digest: str
    violated: frozenset
    reached: str
    seconds: float


class Jury:
    def __init__(self, binary, seed, seconds):
        self.binary, self.seed, self.seconds = str(binary), str(seed), seconds
        self.directory = tempfile.TemporaryDirectory(prefix="ordeal-mutate-")
        self.out = self.directory.name

    def controllers(self):
        """strict first, then the releases, newest first."""
        said = subprocess.run([self.binary, "run", "--controller", "?"], capture_output=True, text=True).stderr
        names = re.findall(r"(?:kubernetes|kruise)-[\w.-]*\w", said)
        key = lambda name: [int(n) for n in re.findall(r"\d+", name)]
        return ["strict"] + sorted(set(names), key=key, reverse=True)

    def command(self, controller, *limits):
        return [self.binary, "run", "--controller", controller, "--level", "strict", "--seed", self.seed, "--format", "json",
                "--out", self.out, *limits]

    def baseline(self, controller, trials):
        path = os.path.join(self.out, "reached")
        began = time.monotonic()
        done = subprocess.run(self.command(controller, "--quiet", "--trials", str(trials)), capture_output=True, text=True,
                              env=os.environ | {"ORDEAL_MUTANTS_REACHED": path})
        report = json.loads(done.stdout)
        with open(path, encoding="ascii") as reached:
            return Baseline(controller, trials, report["digest"], violated_of(report), reached.read(),
                            time.monotonic() - began)

    def judge(self, number, baseline):
        """strict is tried for the whole time, a release over the trials of its baseline."""
        began = time.monotonic()
        limits = ["--trials", str(baseline.trials)] if baseline.violated else ["--time", f"{self.seconds}s"]
        outcome = self.watch(number, self.command(baseline.controller, *limits), baseline)
        outcome.seconds = time.monotonic() - began
        if not outcome.killed:
            outcome.how = self.trace_of(number, baseline)
        return outcome

    def watch(self, number, command, baseline):
        hung = threading.Event()
        with tempfile.TemporaryFile("w+") as output:
            process = subprocess.Popen(command, stdout=output, stderr=subprocess.PIPE, text=True,
                                       env=os.environ | {"ORDEAL_MUTANT": str(number)}, preexec_fn=limit_memory)
            timer = threading.Timer(max(self.seconds, 5 * baseline.seconds) + GRACE, lambda: (hung.set(), process.kill()))
            timer.start()
            try:
                for line in process.stderr:
                    found = FOUND.search(line)
                    if found and found.group(1) not in baseline.violated:
                        return Outcome(True, found.group(1))
                status = process.wait()
            finally:
                timer.cancel()
                process.kill()
                process.wait()
                process.stderr.close()
            output.seek(0)
            return ended(status, hung.is_set(), output.read(), baseline)

    def trace_of(self, number, baseline):
        """What is to be said of a survivor: whether anything that happened was different."""
        done = subprocess.run(self.command(baseline.controller, "--quiet", "--trials", str(baseline.trials)),
                              capture_output=True, text=True, env=os.environ | {"ORDEAL_MUTANT": str(number)})
        same = json.loads(done.stdout)["digest"] == baseline.digest
        return f"in {baseline.trials} trials everything happened as without it" if same else "something happened differently"


def ended(status, hung, output, baseline):
    if hung:
        return Outcome(True, "hang")
    if status < 0 or status > 3:
        return Outcome(True, f"crash ({signal.Signals(-status).name if status < 0 else status})")
    if status == 3:
        return Outcome(True, "inconclusive")
    violated = violated_of(json.loads(output))
    missing = sorted(baseline.violated - violated)
    if missing:
        return Outcome(True, f"no longer {missing[0]}")
    return Outcome(False, "")


def violated_of(report):
    return frozenset(finding["invariant"] for finding in report["findings"])


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
