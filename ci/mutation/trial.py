"""Whether a mutant is noticed.

A mutant is killed when the program that holds it, trying a controller with a fixed seed, reports a violation that it does
not report of the controller as it is; or an inconclusive trial, a crash, or no end.

Who is tried: strict first, at level strict, which violates nothing; then, for as long again, the releases of which the
mutant changes something in a few trials, newest first, since a mistake that one table hides another shows. At level strict
releases violate promises by what they are: over a fixed number of trials the set of violated promises is compared with that
of the release as it is. A promise more kills at once; one less kills at the end, since a release is to show exactly its
documented violations.

Mutants are of two sorts, and the score is told for each. What strict reaches, or nobody does, is a controller that ought to
keep every promise: the harness has to notice what is wrong with it, and the threshold is about these. What only releases
reach is in models of what somebody else's code does, right or wrong: a mistake there need not break a promise that the model
kept. Such models are held against the real code, request by request (`ordeal diff`, ../upstream), which notices what changes
a request: so of these survivors it is counted how many make anything different, by the digest of what happened.

For a mutant of the first sort a digest that differs does not kill: it says that the mutant did something, not that anybody
was told.
"""
import json
import os
import re
import signal
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass

# A mutant that piles things up ends as a crash.
LIMITED = ["prlimit", f"--as={4 << 30}", "--core=0", "--"]
GRACE = 20  # seconds beyond the time to try, or beyond five times what the controller as it is took: no end is a hang
GLANCE = 150  # trials that show which releases a mutant changes
HANG = 600  # seconds for a number of trials that takes a few
FOUND = re.compile(r"(\S+) is broken in trial")


@dataclass
class Outcome:
    killed: bool
    how: str  # "update.only-outdated", "crash", "hang", ...; of a survivor whether anything was different
    seconds: float = 0
    differs: bool = False  # a survivor by which something happened differently


@dataclass
class Baseline:
    """A controller as it is, over the first trials of the seed."""
    controller: str
    trials: int
    digest: str
    glance: str  # the digest of its first few trials
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
        return ["strict", *tables(self.binary)]

    def room(self):
        """Of one process: two that store findings in one directory are in each other's way."""
        return tempfile.TemporaryDirectory(dir=self.out)

    def command(self, controller, room, *limits):
        return [*LIMITED, self.binary, "run", "--controller", controller, "--level", "strict", "--seed", self.seed, "--format", "json",
                "--as-found", "--out", room, *limits]

    @staticmethod
    def environment(number):
        return os.environ | {"ORDEAL_MUTANT": str(number)}

    def run(self, controller, trials, timeout=HANG, **environment):
        with self.room() as room:
            return subprocess.run(self.command(controller, room, "--quiet", "--trials", str(trials)), capture_output=True, text=True,
                                  env=os.environ | environment, timeout=timeout)

    def baseline(self, controller, trials):
        path = os.path.join(self.out, "reached")
        watched = {"ORDEAL_MUTANTS_REACHED": path, "ORDEAL_MUTANTS_OF": controller}
        began = time.monotonic()
        report = json.loads(self.run(controller, trials, **watched).stdout)
        seconds = time.monotonic() - began
        if not violated_of(report):  # what strict comes to only seldom is not the releases' alone
            self.run(controller, 10 * trials, **watched)
        with open(path, encoding="ascii") as reached:
            return Baseline(controller, trials, report["digest"], self.glance(controller), violated_of(report), reached.read(),
                            seconds)

    def glance(self, controller, **environment):
        """None where there is no report. No end is for the trials proper to find, so it is not waited for."""
        try:
            return json.loads(self.run(controller, GLANCE, timeout=GRACE, **environment).stdout)["digest"]
        except (json.JSONDecodeError, subprocess.TimeoutExpired):
            return None

    def changes(self, number, baseline):
        return self.glance(baseline.controller, ORDEAL_MUTANT=str(number)) != baseline.glance

    def judge(self, number, baselines):
        """Behind these controllers, until one shows it. What is tried for a time comes first, and is tried for all of it."""
        began = time.monotonic()
        outcome = Outcome(False, "")
        for baseline in baselines:
            if outcome.killed or time.monotonic() - began >= 2 * self.seconds:
                break
            if baseline is baselines[0] or self.changes(number, baseline):
                limits = ["--trials", str(baseline.trials)] if baseline.violated else ["--time", f"{self.seconds}s"]
                with self.room() as room:
                    outcome = self.watch(number, self.command(baseline.controller, room, *limits), baseline)
        outcome.seconds = time.monotonic() - began
        return outcome if outcome.killed else self.trace(number, baselines[0], outcome)

    def watch(self, number, command, baseline):
        hung = threading.Event()
        with tempfile.TemporaryFile("w+") as output:
            process = subprocess.Popen(command, stdout=output, stderr=subprocess.PIPE, text=True,
                                       env=self.environment(number))
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

    def trace(self, number, baseline, survivor):
        """What is to be said of a survivor: whether anything that happened was different. On a busy machine these may be more
        trials than it survived in its time."""
        try:
            done = self.run(baseline.controller, baseline.trials, ORDEAL_MUTANT=str(number))
        except subprocess.TimeoutExpired:
            return Outcome(True, "hang", survivor.seconds)
        outcome = ended(done.returncode, False, done.stdout, baseline)
        if outcome.killed:
            return Outcome(True, outcome.how, survivor.seconds)
        differs = json.loads(done.stdout)["digest"] != baseline.digest
        how = ("something happened differently" if differs else
               f"everything happened as without it in {baseline.trials} trials")
        return Outcome(False, f"behind {baseline.controller} {how}", survivor.seconds, differs)


def ended(status, hung, output, baseline):
    if hung:
        return Outcome(True, "hang")
    if status < 0 or status > 3:
        return Outcome(True, f"crash ({signal.Signals(-status).name if status < 0 else status})")
    if status == 3:
        return Outcome(True, "inconclusive")
    violated = violated_of(json.loads(output))
    more = sorted(violated - baseline.violated)
    if more:
        return Outcome(True, more[0])
    missing = sorted(baseline.violated - violated)
    if missing:
        return Outcome(True, f"no longer {missing[0]}")
    return Outcome(False, "")


def tables(binary):
    """Those of releases, newest first."""
    said = subprocess.run([binary, "run", "--controller", "?"], capture_output=True, text=True).stderr
    return sorted(set(re.findall(r"(?:kubernetes|kruise)-[\w.-]*\w", said)), key=numbers_of, reverse=True)


def numbers_of(release):
    return [int(n) for n in re.findall(r"\d+", release)]


def violated_of(report):
    return frozenset(finding["invariant"] for finding in report["findings"])
