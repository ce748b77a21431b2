"""The adapter of a release of Kubernetes, and what it becomes with a mutant in the controller's source.

Besides the controller's own package these are mutated: how it adopts and releases, its history of revisions, and its guard
against stale caches. They are packages of the release that others use, too, so they are moved into the adapter for this, and imports with them:
Go lets nobody change files of a module where they are.
"""
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

# Packages that are moved, and the files of each that are mutated; none: all.
MOVED = {"controller": {"controller_ref_manager.go"}, "controller/history": None, "controller/util/consistency": None}
IMPORT = re.compile(rf'"k8s\.io/kubernetes/pkg/({"|".join(MOVED)})"')
# What the harness does in place of the release, what is told to people only, and what belongs to other controllers and to tests.
NOT_TRIED = re.compile(r"(^|\.)(worker|"
                       r"NewStatefulSetController|record(Pod|Claim)Event|ReleaseControllerRevision)$|"
                       r"^(fakeHistory|ReplicaSetControllerRefManager|ControllerRevisionControllerRefManager)\.")


class Adapter:
    def __init__(self, root, release):
        self.source, self.release = root / "fuzz/adapter/kubernetes", release
        self.sites, self.upstream = root / "ci/mutation/upstream", root / "ci/upstream"
        overlay = root / f"build/upstream/overlay-kubernetes-{release}/overlay.json"
        if not (root / f"build/upstream/kubernetes-{release}").exists() or not overlay.exists():
            self.give_up("is not built")
        self.directory = tempfile.TemporaryDirectory(prefix="ordeal-upstream-")
        self.mutated = []  # copies of files
        self.replaced = json.loads(overlay.read_text())["Replace"]  # what the build sees -> where it is
        self.move_packages()

    def give_up(self, why):
        print(f"ci/mutate-upstream: kubernetes@{self.release} {why} (ci/upstream {self.release})", file=sys.stderr)
        raise SystemExit(2)

    def move_packages(self):
        own = {shown: path for shown, path in self.replaced.items() if "/statefulset/" in shown}
        if not all(Path(shown).is_relative_to(self.source) for shown in own):
            self.give_up("was built in another directory")
        for shown, path in own.items():
            self.copy(Path(path), Path(shown), not Path(shown).name.startswith("ordeal"))
        packages = Path(next(path for path in own.values() if path.endswith("/pkg/controller/statefulset/stateful_pod_control.go"))).parents[2]
        for package, files in MOVED.items():
            for path in sorted((packages / package).glob("*.go")):
                if not path.name.endswith("_test.go"):
                    self.copy(path, self.source / package / path.name, files is None or path.name in files)

    def copy(self, path, shown, is_mutated):
        copy = Path(self.directory.name) / shown.relative_to(self.source)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(IMPORT.sub(r'"ordeal/adapter/kubernetes/\1"', path.read_text()))
        self.replaced[str(shown)] = str(copy)
        if is_mutated:
            self.mutated.append(str(copy))

    def mutants(self):
        listed = subprocess.run(["go", "run", "sites.go"], cwd=self.sites, check=True, input="\n".join(self.mutated),
                                stdout=subprocess.PIPE, text=True).stdout
        mutants = [json.loads(line) for line in listed.splitlines()]
        for mutant in mutants:
            mutant["path"], mutant["file"] = mutant["file"], Path(mutant["file"]).name
        return [mutant for mutant in mutants if not NOT_TRIED.search(mutant["function"])]

    def build_unchanged(self):
        program = self.build(self.replaced, Path(self.directory.name))
        if program is None:
            raise SystemExit(f"ci/mutate-upstream: kubernetes@{self.release} cannot be built any more (ci/upstream {self.release})")
        return program

    def build_mutant(self, mutant, work):
        """The program with this mutant in it; none when it is no Go."""
        source = Path(mutant["path"]).read_bytes()
        changed = work / "changed.go"
        changed.write_bytes(source[:mutant["from"]] + mutant["text"].encode() + source[mutant["to"]:])
        return self.build({shown: str(changed) if path == mutant["path"] else path for shown, path in self.replaced.items()}, work)

    def build(self, replaced, work):
        overlay, program = work / "overlay.json", work / f"upstream/kubernetes-{self.release}"
        program.parent.mkdir()
        overlay.write_text(json.dumps({"Replace": replaced}))
        done = subprocess.run([self.upstream, "--link", overlay, program, self.release], capture_output=True)
        return program if done.returncode == 0 else None
