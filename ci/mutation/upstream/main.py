"""ci/mutate-upstream: how many small mistakes in the StatefulSet controller of a Kubernetes release, the real one, does the
harness notice? See --help; what it changes is in sites.go, how it judges in jury.py."""
import argparse
import collections
import json
import os
import random
import re
import shutil
import signal
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "ci"))
from mutation.keep import write  # noqa: E402
from mutation.upstream.adapter import Adapter  # noqa: E402
from mutation.upstream.jury import Jury  # noqa: E402

NOT_COUNTED = ("no Go", "the same program")


def parse_arguments():
    parser = argparse.ArgumentParser(
        prog="ci/mutate-upstream",
        description="Makes mutants of the real controller of a release, tries each behind its adapter, held against the release's table, prints those that "
        "were missed and how many were found.",
        epilog="A mutant that is missed may change nothing that anybody could see: who reads the list decides.")
    parser.add_argument("release", help="such as 1.37.1, which ci/upstream has built")
    parser.add_argument("--list", action="store_true", help="print the mutants and try none")
    parser.add_argument("--only", default="", metavar="REGEX", help='only those in whose "FILE:LINE FUNCTION: MUTATION" this is found')
    parser.add_argument("--sample", type=int, metavar="N", help="try N of them (default: all)")
    parser.add_argument("--level", choices=("promised", "strict"), default="promised", help="at which they are tried (default: promised)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="of the order and of the trials (default: 1)")
    parser.add_argument("--time-each", type=int, default=20, metavar="SECONDS", help="of random trials for each (default: 20)")
    parser.add_argument("--budget", type=int, default=60, metavar="SECONDS", help="of ordeal ci for what those did not find (default: 60)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N", help="at a time (default: one a core)")
    parser.add_argument("--out", type=Path, metavar="FILE", help="add what became of each, a line of JSON; those that it has are not tried again")
    parser.add_argument("--keep", type=Path, metavar="DIR", help="add the stories that only the search of ordeal ci found")
    arguments = parser.parse_args()
    if shutil.which("go") is None:
        parser.error("there is no go on this machine; Go builds the mutants")
    try:
        re.compile(arguments.only)
        if arguments.out:
            arguments.out.open("a").close()
        if arguments.keep:
            arguments.keep.mkdir(parents=True, exist_ok=True)
    except re.error as error:
        parser.error(f"--only: {error}: {arguments.only}")
    except OSError as error:
        parser.error(f"{error.filename}: {error.strerror}")
    return arguments


def describe(mutant):
    return f"{mutant['file']}:{mutant['line']} {mutant['function']}: {mutant['mutation']}"


def choose(mutants, arguments):
    chosen = [mutant for mutant in mutants if re.search(arguments.only, describe(mutant))]
    random.Random(arguments.seed).shuffle(chosen)
    return chosen[:arguments.sample]


def read_told(path):
    return [json.loads(line) for line in path.read_text().splitlines()] if path and path.exists() else []


def key_of(mutant):
    return mutant["file"], mutant["from"], mutant["mutation"]


def keep(story, mutant, arguments):
    where = SimpleNamespace(file=f"kubernetes {arguments.release} {mutant['file']}:{mutant['line']}", function=mutant["function"],
                            mutation=mutant["mutation"])
    write(arguments.keep, story, where)


def try_all(mutants, jury, arguments):
    """Adds what becomes of each to `arguments.out`, and returns all of that."""
    told = read_told(arguments.out)
    known = {key_of(mutant) for mutant in told}
    left = [mutant for mutant in mutants if key_of(mutant) not in known]
    with ThreadPoolExecutor(arguments.jobs) as pool:
        for mutant, (outcome, story) in zip(left, pool.map(jury.judge, left)):
            told.append(mutant | {"outcome": outcome})
            if outcome == "missed":
                print(f"MISSED {describe(mutant)}\n       {mutant['source']}", flush=True)
            if story and arguments.keep:
                keep(story, mutant, arguments)
            if arguments.out:
                with arguments.out.open("a") as out:
                    out.write(json.dumps(told[-1]) + "\n")
    return told


def clear_when_interrupted(directory):
    """What runs in the foreground is interrupted, too, and must not be judged any more."""
    def end(*_):
        for _ in range(10):  # others may still be writing there
            shutil.rmtree(directory, ignore_errors=True)
            time.sleep(0.1)
        os._exit(130)
    signal.signal(signal.SIGINT, end)


def main():
    arguments = parse_arguments()
    adapter = Adapter(ROOT, arguments.release)
    clear_when_interrupted(adapter.directory.name)
    mutants = choose(adapter.mutants(), arguments)
    if arguments.list:
        print("\n".join(describe(mutant) for mutant in mutants))
        return 0
    outcomes = collections.Counter(mutant["outcome"] for mutant in try_all(mutants, Jury(ROOT, adapter, arguments), arguments))
    tried = sum(times for outcome, times in outcomes.items() if outcome not in NOT_COUNTED)
    found = tried - outcomes["missed"]
    by_ci = sum(times for outcome, times in outcomes.items() if " by ordeal ci" in outcome)
    print(f"{found} of {tried} found ({100 * found / max(tried, 1):.0f} of 100), {by_ci} of them by ordeal ci only; {outcomes['no Go']} more are no Go")
    return 0


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.exit(main())
