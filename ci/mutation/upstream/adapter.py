"""The adapter of a release of Kubernetes, and what it becomes with a mutant in the controller's source."""
import json
import os
import re
import subprocess
import sys
from pathlib import Path

# What the harness does in place of the release, what is told to people only, and what belongs to other controllers.
NOT_TRIED = re.compile(r"^(addPod|updatePod|deletePod|resolveControllerRef|getStatefulSetsForPod|Run|worker|processNextWorkItem|"
                       r"enqueueStatefulSet|NewStatefulSetController|record(Pod|Claim)Event|.*ReplicaSets?)$")


class Adapter:
    def __init__(self, root, release):
        self.root, self.release = root, release
        self.program = root / f"build/upstream/kubernetes-{release}"
        self.overlay = root / f"build/upstream/overlay-kubernetes-{release}/overlay.json"
        if not self.program.exists() or not self.overlay.exists():
            print(f"ci/mutate-upstream: kubernetes@{release} is not built (ci/upstream {release})", file=sys.stderr)
            raise SystemExit(2)
        self.replaced = json.loads(self.overlay.read_text())["Replace"]

    def mutants(self):
        """In the order of the source; `path` is where the build reads a file, `file` its name."""
        shown = {path: name for name, path in self.replaced.items() if "/statefulset/" in name and not name.endswith("/ordeal.go")}
        listed = subprocess.run(["go", "run", "sites.go"], cwd=self.root / "ci/mutation/upstream", check=True,
                                input="\n".join(sorted(shown, key=shown.get)), stdout=subprocess.PIPE, text=True).stdout
        mutants = [json.loads(line) for line in listed.splitlines()]
        for mutant in mutants:
            mutant["path"], mutant["file"] = mutant["file"], Path(shown[mutant["file"]]).name
        return [mutant for mutant in mutants if not NOT_TRIED.match(mutant["function"])]

    def build(self, mutant, work):
        """The program with this mutant in it, made as ci/upstream makes it; none when it is no Go."""
        source = Path(mutant["path"]).read_bytes()
        changed, overlay, program = work / "changed.go", work / "overlay.json", work / "upstream" / self.program.name
        program.parent.mkdir()
        changed.write_bytes(source[:mutant["from"]] + mutant["text"].encode() + source[mutant["to"]:])
        replaced = {shown: str(changed) if path == mutant["path"] else path for shown, path in self.replaced.items()}
        overlay.write_text(json.dumps({"Replace": replaced}))
        done = subprocess.run(["go", "build", "-mod=readonly", f"-modfile=releases/{self.release}.mod", f"-overlay={overlay}",
                               f"-ldflags=-s -w -checklinkname=0 -X main.release={self.release}", "-o", program, "."],
                              cwd=self.root / "fuzz/adapter/kubernetes", capture_output=True,
                              env=os.environ | {"CGO_ENABLED": "0", "GOFLAGS": "-p=1 -buildvcs=false"})
        return program if done.returncode == 0 else None
