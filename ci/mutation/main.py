"""ci/mutate: how many small mistakes in core/controller does the harness notice? See --help; how it judges is in trial.py,
what it changes in sites.py."""
import argparse
import collections
import json
import os
import random
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "ci"))
from mutation import keep, program, trial  # noqa: E402

EXPLAINED = ROOT / "ci/mutation/explained.json"


def parse_arguments():
    parser = argparse.ArgumentParser(
        prog="ci/mutate",
        description="Makes mutants of core/controller, tries each with the harness, prints the survivors and the score.",
        epilog="Survivors that change nothing anybody could promise are explained in ci/mutation/explained.json and not "
        "counted. The threshold is of mutants in code that strict reaches; those that only the models of releases reach have a "
        "score of their own. Exit status: 0 the score reaches the threshold and no explanation is stale, 1 it does not, 2 bad "
        "usage.")
    parser.add_argument("--list", action="store_true", help="print the mutants and try none")
    parser.add_argument("--sample", type=int, metavar="N", help="try N of those that are not explained (default: all)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="of the sample and of the trials (default: 1)")
    parser.add_argument("--time-each", type=int, default=10, metavar="SECONDS", help="to try each for (default: 10)")
    parser.add_argument("--threshold", type=float, default=95, metavar="PERCENT", help="to be killed (default: 95)")
    parser.add_argument("--keep", type=Path, metavar="DIR",
                        help="tell no score: replace what is in DIR by stories that break the mutants of what strict reaches which no story of "
                        "corpus breaks")
    parser.add_argument("--only", default="", metavar="TEXT", help="only mutants of files or functions with this in their names")
    return parser.parse_args()


def read_explained():
    """(file, function, line, mutation) -> reason"""
    return {(e["file"], e["function"], e["line"], e["mutation"]): e["reason"] for e in json.loads(EXPLAINED.read_text())}


def key_of(mutant):
    return mutant.file, mutant.function, mutant.source, mutant.mutation


def choose(mutants, explained, arguments):
    chosen = [m for m in mutants if arguments.only in m.file or arguments.only in m.function]
    if arguments.sample is None:
        return chosen
    open_ones = [m for m in chosen if key_of(m) not in explained]
    picked = random.Random(arguments.seed).sample(open_ones, min(arguments.sample, len(open_ones)))
    return sorted(picked, key=lambda mutant: mutant.number)


def describe(mutant):
    return f"{mutant.file}:{mutant.line} {mutant.function}: {mutant.mutation}"


class Campaign:
    def __init__(self, arguments, explained, jury):
        self.arguments, self.explained, self.jury = arguments, explained, jury
        trials = 2000
        self.baselines = [jury.baseline(name, trials) for name in jury.controllers()]
        strict = self.baselines[0]
        if strict.violated:
            raise SystemExit(f"ci/mutate: strict itself violates {', '.join(sorted(strict.violated))}")

    def judge_all(self, mutants):
        results = []
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for mutant, outcome in zip(mutants, pool.map(self.judge, mutants)):
                results.append((mutant, outcome))
                if not outcome.killed or key_of(mutant) in self.explained:
                    print(self.line_of(mutant, outcome), flush=True)
        return results

    def judge(self, mutant):
        reaching = [b for b in self.baselines if b.reached[mutant.number - 1] == "1"]
        return self.jury.judge(mutant.number, reaching or self.baselines[:1])

    def is_models_own(self, mutant):
        """Only models of releases reach it."""
        return self.baselines[0].reached[mutant.number - 1] == "0" and any(
            b.reached[mutant.number - 1] == "1" for b in self.baselines)

    def line_of(self, mutant, outcome):
        reason = self.explained.get(key_of(mutant))
        if outcome.killed:
            return f"STALE     {describe(mutant)}\n          explained, but killed: {outcome.how}"
        word = "explained" if reason else "SURVIVED "
        return f"{word} {describe(mutant)}\n          {mutant.source}\n          {reason or outcome.how}"


def summarize(results, campaign, arguments):
    """Prints the scores; returns the exit status."""
    explained = campaign.explained
    counted = [(m, o) for m, o in results if key_of(m) not in explained]
    stale = [m for m, o in results if o.killed and key_of(m) in explained]
    killed = [o for _, o in counted if o.killed]
    models = [o for m, o in counted if campaign.is_models_own(m)]
    kept = [o for m, o in counted if not campaign.is_models_own(m)]
    ways = collections.Counter(o.how.split()[0] if not o.how.startswith("no longer") else "no longer" for o in killed)
    slowest = max((o.seconds for o in killed), default=0)
    families = collections.Counter()
    for way, times in ways.items():
        families[way.split(".")[0]] += times
    print(f"\nkilled by    {', '.join(f'{name} {times}' for name, times in families.most_common())}")
    late = sum(o.seconds > arguments.time_each for o in killed)
    print(f"slowest kill {slowest:.1f} s; {late} took longer than {arguments.time_each} s, behind more than one controller or without an end")
    told = sum(o.differs for o in models if not o.killed)
    print(f"models       {share(models)} killed; of the others {told} make something different, which is for ordeal diff to tell")
    print(f"score        {share(kept)} killed, {len(results) - len(counted)} explained")
    return 1 if stale or score_of(kept) < arguments.threshold else 0


def keep_for(chosen, jury, arguments):
    reached = jury.baseline("strict", 2000).reached
    mutants = [mutant for mutant in chosen if reached[mutant.number - 1] == "1"]
    had, kept, unbroken = keep.keep_stories(jury, mutants, ROOT / "corpus", arguments.keep)
    print(f"of {len(mutants)} mutants stories that were there or made for another break {had}; {kept} more were kept, and nothing "
          f"breaks {len(unbroken)}")
    return 0


def score_of(outcomes):
    return 100 * sum(o.killed for o in outcomes) / len(outcomes) if outcomes else 100


def share(outcomes):
    return f"{score_of(outcomes):.1f} %: {sum(o.killed for o in outcomes)} of {len(outcomes)}"


def main():
    arguments = parse_arguments()
    built = program.Program(ROOT)
    built.find_mutants()
    explained = read_explained()
    lost = set(explained) - {key_of(mutant) for mutant in built.mutants}
    for file, function, line, mutation in sorted(lost):
        print(f"STALE     {file} {function}: {mutation}\n          explained, but nobody makes it of the code as it is: {line}")
    if arguments.list:
        for mutant in choose(built.mutants, explained, arguments):
            print(describe(mutant))
        return 0
    refused = built.build()
    chosen = choose(built.mutants, explained, arguments)
    print(f"{len(built.mutants)} mutants in {len(built.parts)} files, {len(refused)} more are no C++; {len(chosen)} are tried")
    jury = trial.Jury(built.binary, arguments.seed, arguments.time_each)
    if arguments.keep:
        return keep_for(chosen, jury, arguments)
    campaign = Campaign(arguments, explained, jury)
    status = summarize(campaign.judge_all(chosen), campaign, arguments)
    return 1 if lost else status


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.exit(main())
