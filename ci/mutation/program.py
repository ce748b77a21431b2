"""One program that holds every mutant: the command, with the files of core/controller compiled from copies in which each
mutant waits behind its number. ORDEAL_MUTANT chooses one (0: none). ORDEAL_MUTANTS_REACHED names a file that says, when the
program ends, which ones it came past while the controller of ORDEAL_MUTANTS_OF acted: a scenario of one controller may let
another release act, which is not judged.
"""
import json
import os
import re
import shlex
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from mutation import sites

HEADER = """#pragma once
extern int ordeal_mutant;
extern unsigned char ordeal_reached[];
#define ORDEAL_MUTANT(n) (ordeal_reached[n] = 1, ordeal_mutant == (n))
"""
ACTS = """#pragma once
#include <string_view>
struct OrdealActs {  // for as long as it lives: turns of others may come between two calls of one
  explicit OrdealActs(std::string_view controller);
  ~OrdealActs();
  const bool was_judged;
};
"""
# Where a controller begins to act, and what says so.
SYNC = ("core/controller/reference.cpp", "SyncResult sync(const Key& key, const View& seen, Api& api, Time now) override {")
CHOICE = """#include <cstdio>
#include <cstdlib>
#include <cstring>
#include "acts.h"
unsigned char ordeal_reached[{count} + 1];
static unsigned char before[{count} + 1];
static bool judged = true;
static void judge(bool now) {{  // what is reached while another one acts is forgotten
  if (now != judged) now ? std::memcpy(ordeal_reached, before, sizeof before) : std::memcpy(before, ordeal_reached, sizeof before);
  judged = now;
}}
OrdealActs::OrdealActs(std::string_view controller) : was_judged(judged) {{
  static const char* of = std::getenv("ORDEAL_MUTANTS_OF");
  judge(of == nullptr || controller == of);
}}
OrdealActs::~OrdealActs() {{ judge(was_judged); }}
static void tell() {{
  std::FILE* file = std::fopen(std::getenv("ORDEAL_MUTANTS_REACHED"), "w");
  const unsigned char* reached = judged ? ordeal_reached : before;
  for (int i = 1; i <= {count}; ++i) std::fputc(reached[i] ? '1' : '0', file);
  std::fclose(file);
}}
static int choose() {{
  if (std::getenv("ORDEAL_MUTANTS_REACHED")) std::atexit(tell);
  const char* number = std::getenv("ORDEAL_MUTANT");
  return number ? std::atoi(number) : 0;
}}
int ordeal_mutant = choose();
"""
# What decides nothing: the door's words, and the tables, which properties/mutants changes row by row.
LEFT_OUT = re.compile(r"(_test\.cpp|/door\.cpp|/releases[a-z_0-9]*\.cpp|/known[a-z_0-9]*\.cpp)$")
CACHE = ["ccache"] if shutil.which("ccache") else []
HEADERS = ["core/controller/own_writes.h", "core/controller/phases.h"]


class Program:
    def __init__(self, root):
        self.root = root
        self.release = root / "build/release"
        self.directory = root / "build/mutate"
        self.binary = self.directory / "ordeal"
        commands = json.loads((self.release / "compile_commands.json").read_text())
        self.commands = {os.path.relpath(c["file"], root): c for c in commands}
        folder = "core/controller/"
        self.sources = sorted(f for f in self.commands if f.startswith(folder) and not LEFT_OUT.search(f))
        self.parts = {}  # file -> source and sites
        self.mutants = []

    def find_mutants(self):
        files = HEADERS + self.sources
        found = in_parallel(lambda f: sites.find_sites(f, str(self.root / f), ["-std=c++23", f"-I{self.root}"]), files)
        self.parts = dict(zip(files, found))
        self.number()

    def number(self):
        self.mutants = []
        for _, found in self.parts.values():
            for site in found:
                for mutant in site.mutants:
                    self.mutants.append(mutant)
                    mutant.number = len(self.mutants)

    def build(self):
        """Returns the mutants that are no C++: found out by compiling, left out, and the rest compiled again."""
        refused = []
        while True:
            self.write_sources()
            bad = sum(in_parallel(self.compile, self.sources), [])
            if not bad:
                break
            refused += bad
            for _, found in self.parts.values():
                for site in found:
                    site.mutants = [mutant for mutant in site.mutants if mutant not in bad]
            self.number()
        self.link()
        return refused

    def write_sources(self):
        write(self.directory / "mutant.h", HEADER)
        write(self.directory / "acts.h", ACTS)
        write(self.directory / "choice.cpp", CHOICE.format(count=len(self.mutants)))
        for file, (source, found) in self.parts.items():
            text = sites.with_switches(source, found)
            if file == SYNC[0]:
                if SYNC[1] not in text:
                    raise SystemExit(f"ci/mutate: {file} does not say {SYNC[1]!r} any more")
                text = text.replace(SYNC[1], SYNC[1] + " const OrdealActs ordeal_acts(rules_.name);")
            write(self.directory / file, text, "latin-1")

    def compile(self, file):
        """The mutants on lines that the compiler refuses."""
        words = [*CACHE, *shlex.split(self.commands[file]["command"])]
        at = words.index("-o")
        words = words[:at] + words[at + 2:]
        words = [w for w in words if w not in ("-c", "-Werror", self.commands[file]["file"])]
        words = ["-O1" if w == "-O3" else w for w in words]
        words += ["-w", "-ferror-limit=0", f"-I{self.directory}", "-include", str(self.directory / "mutant.h"),
                  "-o", str(self.object_of(file)), "-c", str(self.directory / file)]
        if file == SYNC[0]:
            words += ["-include", str(self.directory / "acts.h")]
        # The directory of the copies comes before the root, so that headers are found there first.
        words.remove(f"-I{self.directory}")
        words.insert(next(i for i, w in enumerate(words) if w.startswith("-I")), f"-I{self.directory}")
        done = subprocess.run(words, capture_output=True, text=True)
        if done.returncode == 0:
            return []
        where = {(os.path.relpath(name, self.directory), int(line))
                 for name, line in re.findall(r"^(\S+?):(\d+):\d+: error", done.stderr, re.M)}
        bad = [m for m in self.mutants if (m.file, m.line) in where]
        if not bad:
            raise SystemExit(f"ci/mutate: {file} with its mutants does not compile:\n{done.stderr[:4000]}")
        return bad

    def object_of(self, file):
        return self.directory / (file + ".o")

    def link(self):
        last = subprocess.run(["ninja", "-C", str(self.release), "-t", "commands", "fuzz/ordeal"], check=True,
                              capture_output=True, text=True).stdout.splitlines()[-1]
        words = shlex.split(last.removeprefix(": && ").removesuffix(" && :"))
        at = words.index("-o")
        own = [str(self.object_of(file)) for file in self.sources] + [str(self.directory / "choice.cpp")]
        words = words[:at] + own + ["-o", str(self.binary)] + words[at + 2:]
        subprocess.run(words, check=True, cwd=self.release)


def in_parallel(function, items):
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(function, items))


def write(path, text, encoding="utf-8"):
    """Leaves a file alone that says so already, for the compiler's cache."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding) != text:
        path.write_text(text, encoding)
