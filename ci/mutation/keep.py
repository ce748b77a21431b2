"""ci/mutate --keep DIR: stories that break the mutants which no stored story breaks.

A controller that is a program of its own is tried a few times a second, where the reference is tried thousands of times: what
random trials of it do not come to in a budget, short stories do. Each mutant in turn is tried with all that is stored and
with what was kept so far, then with random trials; the first story that breaks it is shrunk and kept. So the outcome depends on
the seed and the order of the source alone, unless time ends a search.
"""
import json
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from mutation.trial import LIMITED

UNTRIED = b"not tried, since the budget was over"  # what ordeal ci says then
STORED = ("regressions", "corpus", "killers")  # stages of ordeal ci


def keep_stories(jury, mutants, corpus, directory):
    """Replaces the stories in `directory` that were made so, once all is done; these are not tried meanwhile. Returns how many
    mutants stories break that were stored or kept for another, how many stories were kept, and the mutants that nothing broke."""
    had, made, unbroken = 0, 0, []
    with tempfile.TemporaryDirectory(prefix="ordeal-keep-") as work:
        stored = Path(work) / "corpus"
        made_before = lambda folder, names: [name for name in names if Path(folder, name).resolve() == directory.resolve()]
        shutil.copytree(corpus, stored, ignore=made_before)
        kept = stored / "killers/kept"
        kept.mkdir()
        for mutant in mutants:
            stage, story = first_broken(jury, mutant.number, stored, Path(work) / "out")
            if stage is None:
                unbroken.append(mutant)
            elif stage in STORED:
                had += 1
            else:
                made += 1
                write(kept, story, mutant)
        clear(directory)
        shutil.copytree(kept, directory, dirs_exist_ok=True)
    return had, made, unbroken


def clear(directory):
    """Nothing goes that was not made here."""
    for path in directory.glob("*.json"):
        if "by" in json.loads(path.read_text()).get("found", {}):
            path.unlink()


def first_broken(jury, number, stored, out):
    """The stage of ordeal ci that breaks a mutant, and the story; a mutant that crashes or hangs needs none."""
    shutil.rmtree(out, ignore_errors=True)
    try:
        done = subprocess.run([*LIMITED, jury.binary, "ci", "--corpus", str(stored), "--controller", "strict", "--level", "strict", "--fail-fast",
                               "--budget", f"{jury.seconds}s", "--seed", jury.seed, "--jobs", "1", "--quiet", "--out", str(out)],
                              capture_output=True, env=jury.environment(number), timeout=60 + jury.seconds)
    except subprocess.TimeoutExpired:
        return STORED[0], {}
    if done.returncode == 2:
        raise SystemExit(f"ci/mutate: ordeal ci takes no such arguments: {done.stderr.decode().strip()}")
    untried = done.returncode == 3 and UNTRIED in done.stdout
    if done.returncode not in (0, 1) and not untried:  # it crashed, or left nothing to judge
        return STORED[0], {}
    for stage in (*STORED, "search"):
        stories = sorted((out / stage).glob("*.json"), key=lambda path: (path.stat().st_size, path.name))
        if stories:
            return stage, json.loads(stories[0].read_text())
    return None, {}


def write(directory, story, mutant):
    """The reference keeps the promise; so the story says which mutant of it does not."""
    found = story["found"]
    story["found"] = {"by": f"{mutant.file} {mutant.function}: {mutant.mutation}", "claim": found["claim"],
                      "invariant": found["invariant"], "level": found["level"]}
    name = re.sub(r"[^a-z0-9]+", "-", found["invariant"])
    number = 1 + len(list(directory.glob(f"{name}-*.json")))
    (directory / f"{name}-{number}.json").write_text(json.dumps(story, indent=2, sort_keys=True) + "\n")
