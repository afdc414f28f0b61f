#!/usr/bin/env python3
"""mutants.py - shows that the tests can fail: plants one small error after the other in the sources of the library, and
runs the tests until one of them fails. Called by "./run mutants".

usage: mutants.py TOP FOLDER [COUNT] [SEED] [--only K ...] [--longest S] [--list]

The sources are cut into N parts of equally many places, and each part gets one error, chosen by the seed: one that
compiles without a warning and changes the object code. It is planted in a copy of the tree in FOLDER, never in TOP.
Tests named after the source file come first, then the quick ones; those of the suite "slow" come last. A test counts as
failed when it fails twice, or takes ten times as long as without an error. Errors that cannot be seen stand in mutants_equivalent.txt, each
with its reason; when one is drawn, the tests run, and must pass.

Prints one line for each mutant, for survivors with the old and the new line, and at last
"N mutants, N killed, N survived, N equivalent". Exit code 1 when one survived, a line of the list is not true any more, or a
test fails without a mutant.
"""
import argparse
import collections
import concurrent.futures
import hashlib
import json
import math
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

SOURCES = ("base/**/*.c", "jacobian/**/*.c", "src/**/*.c")
EQUIVALENT = "test/house/mutants_equivalent.txt"
SKIPPED = 77  # exit code of a test that cannot run here
TIMES_SLOWER = 10
MIN_TIME_S = 5
QUICK_S = 1
WORKERS = 2
MEMORY_LIMIT = 4 << 30
TIMES_LARGER = 10  # of a floating-point constant

Mutant = collections.namedtuple("Mutant", "file line kind old new")
Test = collections.namedtuple("Test", "name command env folder slow")


# ---- places where an error can be planted ----

def blank(match):
    return re.sub(r"[^\n]", " ", match.group())


def code_of(text):
    """The text with everything blank that is no code of a function: comments, texts, lines of the preprocessor, sizes."""
    pattern = r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''
    text = re.sub(pattern, blank, text, flags=re.S)
    text = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", blank, text, flags=re.M)
    return re.sub(r"\benum\b[^;{]*\{[^}]*\}", blank, text)


NUMBER = re.compile(r"(?<![\w.])(?:\d+\.\d*|\d+)(?:[eE][-+]?\d+)?(?![\w.])")
ARRAY = re.compile(r"\b(?!return\b)\w+ \**\w+(?:\[[^]]*\])+(?=[;,) ])|\{0\}")
STATEMENT = re.compile(r"[ \t]+(?:\*?[a-z]\w*(?:(?:->|\.)\w+|\[[^]]*\])* [-+*/|&]?= [^;]*|[A-Za-z]\w*\([^;]*\));\s*")
SWAPPED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "!=", "!=": "=="}
SHIFTED = {"<": "<=", ">": ">=", "<=": "<", ">=": ">"}


def other_number(word):
    if word.isdigit():
        return "1" if word == "0" else str(int(word) + 1)
    return "1.0" if float(word) == 0 else "%r" % (float(word) * TIMES_LARGER)


def is_loop(code):
    return code.lstrip().startswith("for (")


def is_counted(code, match):
    """Is this a comparison of whole numbers, where one more or less can be told apart?"""
    return is_loop(code) or re.match(r" [<>]=? \d+\b(?!\.)", code[match.start():]) is not None


def edits(code):
    """All small errors of one line of code, as (kind, start, end, new text)."""
    for m in re.finditer(r"(?<= )[-+](?= )|[-+](?==)", code):
        yield "sum", m.start(), m.end(), "-" if m.group() == "+" else "+"
    for m in re.finditer(r"(?<=[(,=?:] )-(?=[\w(])|(?<=[(\[{])-(?=[\w(])|(?<=return )-(?=[\w(])", code):
        yield "sign", m.start(), m.end(), ""
    for m in re.finditer(r"&&|\|\|", code):
        yield "logic", m.start(), m.end(), "||" if m.group() == "&&" else "&&"
    for m in re.finditer(r" ([<>]=?|[!=]=) ", code):
        if m.group(1) in SHIFTED and is_counted(code, m):
            yield "boundary", m.start(1), m.end(1), SHIFTED[m.group(1)]
        if not is_loop(code):
            yield "comparison", m.start(1), m.end(1), SWAPPED[m.group(1)]
    sizes = [m.span() for m in ARRAY.finditer(code)]
    for m in NUMBER.finditer(code):
        if not any(start <= m.start() < end for start, end in sizes):
            yield "constant", m.start(), m.end(), other_number(m.group())


def is_statement(code, before):
    """Is the line a whole statement, an assignment or a call, and not the end of one that began before?"""
    return STATEMENT.fullmatch(code) is not None and re.search(r"(?:[;{}:)]|\belse)\s*$", before) is not None


def mutants_of(top, file):
    """Every mutant of a file, in the order of its lines."""
    text = (top / file).read_text(encoding="utf-8")
    before = ""
    for k, (line, code) in enumerate(zip(text.splitlines(), code_of(text).splitlines()), 1):
        for kind, start, end, new in edits(code):
            yield Mutant(file, k, kind, line, line[:start] + new + line[end:])
        if is_statement(code, before):
            yield Mutant(file, k, "dropped", line, re.match(r"\s*", line).group() + "{}")
        before = code if code.strip() else before


def all_mutants(top):
    files = sorted(str(path.relative_to(top)) for pattern in SOURCES for path in top.glob(pattern))
    return [mutant for file in files for mutant in mutants_of(top, file)]


def in_drawn_order(part, generator):
    """The mutants of one part of the sources: kinds in turn, so that the many constants do not outdo the rest."""
    by_kind = collections.defaultdict(list)
    for mutant in part:
        by_kind[mutant.kind].append(mutant)
    for group in by_kind.values():
        generator.shuffle(group)
    kinds = sorted(by_kind)
    generator.shuffle(kinds)
    while any(by_kind.values()):
        for kind in kinds:
            if by_kind[kind]:
                yield by_kind[kind].pop()


def drawn(top, count, seed):
    """For each part of the lines that can be changed, its mutants in the order in which they are tried."""
    mutants = all_mutants(top)
    places = sorted({(m.file, m.line) for m in mutants})
    part_of = {place: i * count // len(places) for i, place in enumerate(places)}
    parts = [[] for _ in range(count)]
    for mutant in mutants:
        parts[part_of[mutant.file, mutant.line]].append(mutant)
    return [list(in_drawn_order(part, random.Random("%d %d" % (seed, k)))) for k, part in enumerate(parts)]


# ---- the list of what cannot be seen ----

def equivalents(top):
    """Rows of the list as {(file, old, new): reason}. Four lines each: file, old line, new line, reason; then an empty one."""
    rows = {}
    text = "".join(line for line in (top / EQUIVALENT).open(encoding="utf-8") if not line.startswith("#"))
    for block in filter(None, (b.strip() for b in text.split("\n\n"))):
        file, old, new, reason = (line.strip() for line in block.split("\n", 3))
        rows[file, old, new] = " ".join(reason.split())
    return rows


def key(mutant):
    return mutant.file, mutant.old.strip(), mutant.new.strip()


def stale(top, known):
    """Rows of the list that no line of the sources fits any more."""
    there = {key(mutant) for mutant in all_mutants(top)}
    return [row for row in known if row not in there]


# ---- a tree to plant them in ----

class Tree:
    """A copy of the tree, and its build."""

    def __init__(self, top, folder):
        self.top, self.folder, self.build = top, folder, folder / "build"
        self.copy()
        if not (self.build / "build.ninja").exists():
            self.must("meson", "setup", self.build, folder, "--buildtype=release", "--werror")
        self.make_all()
        self.sum = self.checksum()
        self.healthy = ""

    def copy(self):
        """Take over what has changed, so that a second run builds only that."""
        for source in self.top.rglob("*"):
            name = source.relative_to(self.top)
            if name.parts[0].startswith("build") or name.parts[0] == ".git" or not source.is_file():
                continue
            target = self.folder / name
            if target.exists() and target.read_bytes() == source.read_bytes():
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)

    @staticmethod
    def must(*command):
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode:
            sys.exit(done.stdout + "mutants: failed: " + " ".join(map(str, command)))

    def checksum(self):
        return hashlib.sha256((self.build / "libresida.so").resolve().read_bytes()).digest()

    def shared_object(self):
        """Build the shared library alone, and the list of its symbols; true when that went without a warning."""
        name = (self.build / "libresida.so").resolve().name
        command = ("ninja", "-C", self.build, "%s.p/%s.symbols" % (name, name))
        return subprocess.run(command, stdout=subprocess.DEVNULL, check=False).returncode == 0

    def make(self, tests):
        """Build the programs of some tests."""
        programs = [os.path.relpath(test.command[0], self.build) for test in tests]
        if programs:
            self.must("ninja", "-C", self.build, "--quiet", *programs)

    def make_all(self):
        self.must("ninja", "-C", self.build, "--quiet")

    def ready(self, tests):
        """Tests of which no program would be linked again: those that load the shared library, and those just built."""
        command = ("ninja", "-C", self.build, "-n")
        plan = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
        to_link = {str(self.build / name) for name in re.findall(r"Linking \w*\s?target (\S+)", plan)}
        return [test for test in tests if not to_link & {test.command[0], *test.env.values()}]

    def plant(self, mutant):
        """True when the mutant compiles, and another library comes out."""
        file = self.folder / mutant.file
        self.healthy = file.read_text(encoding="utf-8")
        lines = self.healthy.split("\n")
        lines[mutant.line - 1] = mutant.new
        file.write_text("\n".join(lines), encoding="utf-8")
        return self.shared_object() and self.checksum() != self.sum

    def heal(self, mutant):
        (self.folder / mutant.file).write_text(self.healthy, encoding="utf-8")

    def tests(self):
        command = ("meson", "introspect", "--tests", self.build)
        rows = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
        return [Test(r["name"], r["cmd"], r["env"], r["workdir"], any("slow" in s for s in r["suite"])) for r in rows]


# ---- tests ----

def limit_memory():
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_LIMIT, MEMORY_LIMIT))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def ends_of(test, limit_s, log):
    """Run a test in a session of its own; its exit code, or None when it took too long."""
    env = dict(os.environ, MALLOC_PERTURB_="165", **test.env)
    process = subprocess.Popen(test.command, env=env, cwd=test.folder, stdin=subprocess.DEVNULL, stdout=log,
                               stderr=subprocess.STDOUT, start_new_session=True, preexec_fn=limit_memory)
    try:
        return process.wait(limit_s)
    except subprocess.TimeoutExpired:
        return None
    finally:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()


def verdict(test, limit_s, folder):
    """What is wrong, in words, or None, and how long it took. Only what fails twice is wrong: some tests have clocks."""
    what, took = once(test, limit_s, folder)
    return once(test, limit_s, folder) if what else (None, took)


def once(test, limit_s, folder):
    began = time.monotonic()
    path = folder / (test.name.replace("/", "_") + ".log")
    with path.open("wb") as log:
        code = ends_of(test, limit_s, log)
    took = time.monotonic() - began
    if code in (0, SKIPPED):
        return None, took
    if code is None:
        return "takes more than %.0f s" % limit_s, took
    claim = re.search(r"\[\s*FAILED\s*\] (\w+)(?!.*test\(s\))", path.read_text(encoding="utf-8", errors="replace"))
    return claim.group(1) if claim else "exit code %d" % code, took


def first_failure(tests, limits, folder):
    """Run tests, some at a time, until one fails; (test, what), or None."""
    found = []

    def look(test):
        if not found:
            what, _ = verdict(test, limits[test.name], folder)
            if what:
                found.append((test.name, what))

    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        list(pool.map(look, tests))
    return found[0] if found else None


def measured(tests, folder):
    """How long each test takes without an error; those that fail then are said and left out, as they show nothing."""
    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        ends = list(pool.map(lambda test: verdict(test, None, folder), tests))
    for test, (what, _) in zip(tests, ends):
        if what:
            print("fails without a mutant: %s: %s" % (test.name, what), flush=True)
    return {test.name: took for test, (what, took) in zip(tests, ends) if not what}


def remembered(tests, mark, folder):
    """Times, of an earlier run with the same library and the same tests where there was one."""
    path = folder / "times.json"
    mark = [mark.hex(), sorted(test.name for test in tests)]
    if path.exists():
        earlier = json.loads(path.read_text(encoding="utf-8"))
        if earlier["mark"] == mark:
            return earlier["times"]
    times = measured(tests, folder)
    path.write_text(json.dumps({"mark": mark, "times": times}), encoding="utf-8")
    return times


def named_after(tests, file):
    stem = pathlib.PurePath(file).stem
    return [test for test in tests if stem in test.name or test.name in stem]


# ---- the run ----

class Run:
    def __init__(self, arguments):
        self.tree = Tree(arguments.top, arguments.folder / "tree")
        self.logs = arguments.folder / "logs"
        self.logs.mkdir(exist_ok=True)
        self.tests = self.tree.tests()
        self.times = remembered(self.tests, self.tree.sum, self.logs)
        self.is_whole = all(test.name in self.times for test in self.tests)
        self.tests = [t for t in self.tests if t.name in self.times and self.times[t.name] <= arguments.longest]
        self.limits = {name: max(MIN_TIME_S, TIMES_SLOWER * took) for name, took in self.times.items()}
        self.known = equivalents(arguments.top)
        self.ends = collections.Counter()

    def planted(self, part):
        """Plant the first mutant of a part that compiles and is another program."""
        for mutant in part:
            if self.tree.plant(mutant):
                return mutant
            self.tree.heal(mutant)
        return None

    def killer(self, mutant):
        """The first test that fails, and how; None when all pass. What can be asked before everything is linked comes first."""
        tests = sorted(self.tests, key=lambda test: (test.slow, self.times[test.name]))
        quick = [test for test in tests if self.times[test.name] <= QUICK_S]
        named = named_after(quick, mutant.file)
        self.tree.make(named)
        early = named + [test for test in self.tree.ready(quick) if test not in named]
        found = first_failure(early, self.limits, self.logs)
        if found:
            return found
        self.tree.make_all()
        return first_failure([test for test in tests if test not in early], self.limits, self.logs)

    def judge(self, mutant, killer):
        if key(mutant) in self.known:
            return "no longer equivalent" if killer else "equivalent"
        return "killed" if killer else "survived"

    def try_one(self, k, part):
        began = time.monotonic()
        mutant = self.planted(part)
        if not mutant:
            return
        killer = self.killer(mutant)
        self.tree.heal(mutant)
        end = self.judge(mutant, killer)
        self.ends[end] += 1
        by = " by %s: %s" % killer if killer else ""
        print("%3d %s:%d: %s: %s%s (%.0f s)" % (k, mutant.file, mutant.line, mutant.kind, end, by,
                                               time.monotonic() - began), flush=True)
        if not killer:
            print("      - %s\n      + %s" % (mutant.old.strip(), mutant.new.strip()), flush=True)

    def sum_up(self):
        print("%d mutants, %d killed, %d survived, %d equivalent" % (
            sum(self.ends.values()), self.ends["killed"], self.ends["survived"], self.ends["equivalent"]))
        return self.is_whole and self.ends["survived"] == 0 and self.ends["no longer equivalent"] == 0


def arguments_of(words):
    parser = argparse.ArgumentParser(description="Plant errors in the sources, and show that the tests find them.")
    parser.add_argument("top", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("count", type=int, nargs="?", default=60)
    parser.add_argument("seed", type=int, nargs="?", default=1)
    parser.add_argument("--only", type=int, nargs="+", help="numbers of mutants, others are left out")
    parser.add_argument("--longest", type=float, default=math.inf, help="seconds; tests that take longer are left out")
    parser.add_argument("--list", action="store_true", help="say what would be tried first, and end")
    return parser.parse_args(words)


def main(words):
    arguments = arguments_of(words)
    arguments.top, arguments.folder = arguments.top.resolve(), arguments.folder.resolve()
    parts = drawn(arguments.top, arguments.count, arguments.seed)
    chosen = [k for k in arguments.only or range(1, len(parts) + 1) if 0 < k <= len(parts)]
    if arguments.list:
        for k in chosen:
            first = parts[k - 1][0]
            print("%3d %s:%d: %s\n      - %s\n      + %s" % (k, *first[:3], first.old.strip(), first.new.strip()))
        return 0
    old = stale(arguments.top, equivalents(arguments.top))
    for row in old:
        print("%s: no such mutant any more: %s, %s -> %s" % (EQUIVALENT, *row))
    run = Run(arguments)
    for k in chosen:
        run.try_one(k, parts[k - 1])
    return 0 if run.sum_up() and not old else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
