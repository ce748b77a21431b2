"""Whether a mutant of a release is found.

It is when random trials break a promise that the release as it is keeps in the same trial, by its table, which does the same much
faster; or when they have no verdict. What they do not find `ordeal ci` is to find.
"""
import json
import shlex
import shutil
import subprocess
import tempfile
import threading
from pathlib import Path

from mutation.trial import FOUND, numbers_of, tables

GRACE = 60  # seconds beyond those to try; no end is a hang


class Jury:
    def __init__(self, root, adapter, arguments):
        self.ordeal, self.corpus, self.adapter = root / "build/release/fuzz/ordeal", root / "corpus", adapter
        self.controller, self.seed = f"kubernetes@{adapter.release}", str(arguments.seed)
        self.seconds, self.budget = arguments.time_each, arguments.budget
        self.unchanged = adapter.build_unchanged()
        self.asked = ["--controller", self.controller, "--against", self.table(), "--level", arguments.level, "--seed", self.seed]

    def table(self):
        """The newest that is not newer: kubernetes-1.37 for 1.37.1."""
        return next(name for name in tables(self.ordeal)
                    if name.startswith("kubernetes-") and numbers_of(name) <= numbers_of(self.adapter.release))

    def judge(self, mutant):
        """What became of it, and the story that only a search of `ordeal ci` found. It is tried in a place of its own, where the program
        finds it by the name of the release."""
        with tempfile.TemporaryDirectory(dir=self.adapter.directory.name) as work:
            place = Path(work)
            program = self.adapter.build_mutant(mutant, place)
            if program is None:
                return "no Go", None
            if program.read_bytes() == self.unchanged.read_bytes():
                return "the same program", None
            (place / "fuzz").mkdir()
            ordeal = shutil.copy(self.ordeal, place / "fuzz/ordeal")
            found = self.by_random_trials(ordeal, place / "random")
            return (found, None) if found else self.by_ci(ordeal, place / "ci")

    def by_random_trials(self, ordeal, out):
        command = [ordeal, "run", *self.asked, "--as-found", "--out", out, "--time", f"{self.seconds}s"]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        hung = threading.Event()
        timer = threading.Timer(self.seconds + GRACE, lambda: (hung.set(), process.kill()))
        timer.start()
        try:
            for line in process.stderr:
                found = FOUND.search(line)
                if found:
                    return found.group(1)
            return "hang" if hung.is_set() else "inconclusive" if process.wait() == 3 else None
        finally:
            timer.cancel()
            process.kill()
            process.communicate()

    def by_ci(self, ordeal, out):
        subprocess.run([ordeal, "ci", *self.asked, "--budget", f"{self.budget}s", "--corpus", self.corpus, "--quiet", "--out", out],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        results = json.loads((out / "ordeal.sarif").read_text())["runs"][0]["results"]
        if not results:
            return "missed", None
        replay = results[0]["message"]["text"].rsplit("\nReplay: ", 1)[1]  # "ordeal replay FILE"; before it are words, with apostrophes
        story = Path(shlex.split(replay)[-1])
        return f"{results[0]['ruleId']} by ordeal ci, {story.parent.name}", json.loads(story.read_text()) if story.parent.name == "search" else None
