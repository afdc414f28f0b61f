"""Sweeps: many runs of a system into a table of SQLite, of the layout of the command `resida sweep` (doc/sweeps.md).

Processes are forked once and run many cases. Under mpirun, rank 0 distributes the cases through mpi4py and writes. A
committed row is safe, and its case never runs again.
"""

import contextlib
import fcntl
import itertools
import json
import multiprocessing
import os
import signal
import sqlite3
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from math import nan
from multiprocessing.connection import wait
from pathlib import Path
from time import monotonic, perf_counter
from typing import Any

import numpy as np

from . import _headers, _random
from ._callbacks import a_function
from ._checkpoint import describe
from ._integrate import ModelWarning
from ._library import Error, lib
from ._options import nearest
from ._result import Result, pandas
from ._system import System

_MEMBERS = ("model", "design", "cases", "seed", "fixed", "vary", "outputs")
_RANDOM = {"monte-carlo": _random.uniform, "latin-hypercube": _random.stratum}
_DESIGNS = ("grid", "list", *_RANDOM)
_BEFORE = ("status", "code", "message", "t")
_COUNTERS = ("steps", "step_attempts", "error_test_fails", "newton_iterations", "newton_fails", "residual_calls",
             "jacobian_evaluations", "factorisations", "restarts", "events", "warnings")
_KINDS: dict[str, Callable[[Any], Any]] = {"end": lambda x: x[-1], "min": np.min, "max": np.max}
_POINTS = 200  # outputs over which extremes are taken
_MAX_COLUMNS = 500
_SILENCE_S, _PAUSE_S = 0.3, 0.1  # [s] time without a line of progress, and between two lines
_COMMIT_S = 0.5  # [s] max. time that rows wait for a commit
_REFUSALS = lib.RESIDA_ERR_ARGUMENT, lib.RESIDA_ERR_OPTION, lib.RESIDA_ERR_MODEL  # errors before a run
_ATTEMPTS = 3  # of a case whose process is ended from outside
_FNV = 0xCBF29CE484222325, 0x100000001B3  # FNV-1a: initial digest, factor

Run = Callable[[dict[str, Any], bool], Result]


class Plan:
    """The axes and the cases of a sweep. A case has a value of each axis."""

    def __init__(self, plan: Any) -> None:
        self.text = json.dumps(plan, default=lambda x: x.tolist()) if isinstance(plan, Mapping) else Path(
            plan).read_text(encoding="utf-8")
        members = json.loads(self.text)
        for name in members:
            if name not in _MEMBERS:
                raise ValueError(f"plan: unknown member '{name}'{nearest(name, _MEMBERS)}")
        design, vary = members.get("design", "grid"), members.get("vary")
        if design not in _DESIGNS:
            raise ValueError(f"plan: design {design!r} is not one of {', '.join(_DESIGNS)}")
        for name in ("cases", "seed"):
            if design not in _RANDOM and name in members:
                raise ValueError(f"plan: {name} has no effect with design {design}")
            if design in _RANDOM and not (type(members.get(name)) is int and members[name] >= (name == "cases")):
                raise ValueError(f"plan: {name} must be a whole number >= {int(name == 'cases')} with design {design}")
        if not isinstance(vary, dict) or not vary:
            raise ValueError("plan: vary must be a nonempty dict of axes by name")
        self.fixed = members.get("fixed", {})
        self.axes = list(vary)
        self.cases = (_random_cases(_RANDOM[design], members["seed"], members["cases"], vary) if design in _RANDOM else
                      _listed_cases(design, vary))
        asked = members.get("outputs")
        self.outputs = asked and [o if o.split(".")[0] in _KINDS else f"end.{o}" for o in asked]


def _listed_cases(design: str, vary: dict[str, Any]) -> list[tuple[Any, ...]]:
    lists = [_values(name, given) for name, given in vary.items()]
    sizes = [len(values) for values in lists]
    if design == "list" and len(set(sizes)) > 1:
        raise ValueError(f"plan: the lists of a design 'list' must have equal lengths, not {sizes}")
    return list(zip(*lists) if design == "list" else itertools.product(*lists))


def _choose(values: list[Any], u: float) -> Any:
    return values[int(u * len(values))]


def _random_cases(draw: Callable[[int, int, int, int], float], seed: int, n: int,
                  vary: dict[str, Any]) -> list[tuple[Any, ...]]:
    axes: list[Callable[[float], Any]] = []
    for name, given in vary.items():
        if isinstance(given, dict) and "distribution" in given:
            axes.append(_random.quantile(name, given))
        else:
            axes.append(partial(_choose, _values(name, given)))
    return [tuple(take(draw(seed, axis, k, n)) for axis, take in enumerate(axes)) for k in range(n)]


def _values(name: str, given: Any) -> list[Any]:
    if isinstance(given, dict) and {"from", "to", "points"} <= given.keys():
        low, high, n = given["from"], given["to"], given["points"]
        k, last = np.arange(n), max(n - 1, 1)
        some = low * (high / low) ** (k / last) if given.get("scale") == "log" else low + k * (high - low) / last
        given = [*some.tolist()[:-1], float(high)]
    if not isinstance(given, list) or not given or not all(isinstance(one, (bool, int, float, str)) for one in given):
        raise ValueError(f"plan: {name} must be a list of numbers or texts, or a range with from, to and points")
    return given


def _stored(value: Any) -> Any:
    return str(value).lower() if isinstance(value, bool) else value if isinstance(value, str) else float(value)


@dataclass(frozen=True)
class Sweep:
    """The table of a sweep: its file, and the number of cases by status, "ok", "failed" ..."""

    path: Path
    counts: dict[str, int]

    @property
    def rows(self) -> list[dict[str, Any]]:
        """A dict for each case, by the columns of doc/sweeps.md, with `state` as an array or None."""
        with contextlib.closing(sqlite3.connect(self.path)) as db:
            db.row_factory = sqlite3.Row
            rows = [dict(row) for row in db.execute("SELECT * FROM cases ORDER BY number")]
        return [{**row, "state": row["state"] and np.frombuffer(row["state"])} for row in rows]

    def to_dataframe(self) -> Any:
        """Return the rows as a pandas.DataFrame, by their numbers.

        Raises:
            ImportError: pandas is not installed
        """
        return pandas().DataFrame(self.rows).set_index("number")


class _Store:
    """The file, and the numbers of its rows."""

    def __init__(self, path: Path, plan: Plan, facts: dict[str, str]) -> None:
        self._plan, self._facts = plan, {"layout": "1", "plan": plan.text, **facts}
        self.lock = open(path, "ab")  # closed after the database: SQLite's locks end with any descriptor of the file
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.lock.close()
            raise ValueError(f"{path}: another sweep writes to this file") from None
        self._db = sqlite3.connect(path, timeout=60, isolation_level=None)
        self._committed, self.done = monotonic(), set[int]()
        self._waiting: dict[int, dict[str, Any]] = {}
        self._without = 0  # number of the first cases of the plan that have ended without outputs
        self._outputs: list[str] | None = None
        if path.stat().st_size:
            self._compare(path)

    def _compare(self, path: Path) -> None:
        try:
            known = dict(self._db.execute("SELECT name, value FROM sweep"))
        except sqlite3.DatabaseError:
            raise ValueError(f"{path} is not a database of a sweep") from None
        for name, value in self._facts.items():
            if known.get(name) != value:
                raise ValueError(f"{path} belongs to another {name}: use another file for `out`")
        self._outputs = [known[f"output {i}"] for i in range(sum(name.startswith("output ") for name in known))]
        self.done = {number for number, in self._db.execute("SELECT number FROM cases")}

    def _make(self, outputs: list[str]) -> None:
        columns: list[str] = []
        for name in ("number", *self._plan.axes, *_BEFORE, *_COUNTERS, *outputs, "state"):
            same = sum(name.lower() == other.lower() for other in columns)  # SQLite ignores the case of letters
            columns.append(f"{name} {same + 1}" if same else name)
        quoted = ['"' + name.replace('"', '""') + '"' for name in columns]
        self._db.execute("BEGIN")
        self._db.execute("CREATE TABLE sweep (name TEXT PRIMARY KEY, value TEXT)")
        self._db.execute(f"CREATE TABLE cases ({quoted[0]} INTEGER PRIMARY KEY, {', '.join(quoted[1:])})")
        self._db.execute("CREATE TABLE clock (number INTEGER PRIMARY KEY, seconds REAL, pid INTEGER, rank INTEGER)")
        facts = {**self._facts, **{f"output {i}": name for i, name in enumerate(outputs)}}
        self._db.executemany("INSERT INTO sweep VALUES (?, ?)", facts.items())
        self._db.execute("COMMIT")
        self._outputs = outputs

    def put(self, row: dict[str, Any]) -> None:
        """Insert a row. The columns are those of the first case of the plan that has outputs, whichever ends first.
        Rows wait until that case has ended."""
        self._waiting[row["number"]] = row
        while self._outputs is None and (first := self._waiting.get(self._without)):
            self._take_columns(first)
            self._without += 1
        if self._outputs is not None and monotonic() - self._committed > _COMMIT_S:
            self.commit()

    def _take_columns(self, row: dict[str, Any]) -> None:
        if row["missing"]:
            raise ValueError(f"plan: outputs: {row['missing']}")
        if row["outputs"]:
            self._make(list(row["outputs"])[:_MAX_COLUMNS])

    def commit(self) -> None:
        """Write the waiting rows."""
        for number in sorted(self._waiting):
            if self._outputs is None:
                self._take_columns(self._waiting[number])
        if self._outputs is None:
            self._make(self._plan.outputs or [])
        assert self._outputs is not None
        self._db.execute("BEGIN IMMEDIATE")
        for row in self._waiting.values():
            k, counters = row["number"], row["counters"] or [None] * len(_COUNTERS)
            cells = [k, *map(_stored, self._plan.cases[k]), *(row[name] for name in _BEFORE), *counters,
                     *(row["outputs"].get(name) for name in self._outputs), row["state"]]
            self._db.execute(f"INSERT INTO cases VALUES ({', '.join('?' * len(cells))})", cells)
            self._db.execute("INSERT OR REPLACE INTO clock VALUES (?, ?, ?, ?)",
                             (k, row["seconds"], row["pid"], row["rank"]))
            self.done.add(k)
        self._db.execute("COMMIT")
        self._waiting, self._committed = {}, monotonic()

    def close(self) -> dict[str, int]:
        """Write the waiting rows and return the number of cases by status."""
        try:
            if self._waiting:
                self.commit()
            is_made = self._outputs is not None
            return dict(self._db.execute("SELECT status, count(*) FROM cases GROUP BY 1")) if is_made else {}
        finally:
            self._db.close()
            self.lock.close()


def _row(number: int, status: str, code: str | None = None, message: str | None = None) -> dict[str, Any]:
    return {"number": number, "status": status, "code": code, "message": message, "t": None, "counters": None,
            "outputs": {}, "missing": "", "state": None, "seconds": None, "pid": None, "rank": 0}


def _is_refusal(raised: Exception) -> bool:
    """Return whether the values of a case are invalid, so that nothing was integrated."""
    is_of_values = raised.status in _REFUSALS if isinstance(raised, Error) else isinstance(raised, (TypeError,
                                                                                                    ValueError))
    return is_of_values and getattr(raised, "result", None) is None


def _run_case(run: Run, plan: Plan, number: int, rank: int = 0) -> dict[str, Any]:
    """Run a case and return its row. Whatever the case raises becomes a row."""
    began, extremes = perf_counter(), any(not name.startswith("end.") for name in plan.outputs or ())
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ModelWarning)  # the row has the first one
            result: Any = run({**plan.fixed, **dict(zip(plan.axes, plan.cases[number]))}, extremes)
        if isinstance(result, Result):
            row = _row(number, "ok", None, next(iter(result.warnings), None))
        else:
            row = _row(number, "failed", "TypeError", f"the function returned {result!r}; expected the Result of "
                       "solve()")
            result = None
    except Exception as raised:
        result = getattr(raised, "result", None)
        name, words = (raised.name, str(raised).removeprefix(raised.name + ": ")) if isinstance(
            raised, Error) else (type(raised).__name__, str(raised))
        is_late = isinstance(raised, Error) and raised.status == lib.RESIDA_ERR_LIMIT_TIME
        row = _row(number, "time limit" if is_late else "refused" if _is_refusal(raised) else "failed", name, words)
        result = None if is_late else result  # it depends on the clock
    if result is not None and result.t.size:
        s = result.statistics
        counts = {**s, "residual_calls": result.nfev, "jacobian_evaluations": result.njev,
                  "warnings": len(result.warnings)}
        row["t"], row["counters"] = float(result.t[-1]), [int(counts[name]) for name in _COUNTERS]
        row["state"] = np.ascontiguousarray(result.y[:, -1]).tobytes()
        for output in plan.outputs or [f"end.{name}" for name in result.keys() if name != "t"]:
            kind, component = output.split(".", 1)
            row["outputs"][output] = nan
            try:
                values = result[component]
                if values.ndim > 1:
                    raise KeyError(f"'{component}' has several components: use one of them, for example {component}[0]")
                row["outputs"][output] = float(_KINDS[kind](values))
            except KeyError as reason:
                row["missing"] = str(reason.args[0])
    return {**row, "seconds": perf_counter() - began, "pid": os.getpid(), "rank": rank}


def _here(run: Run, plan: Plan, numbers: Iterator[int], store: _Store, put: Callable[[Any], None], n: int) -> None:
    """Run cases in n processes."""
    context = multiprocessing.get_context("fork")  # functions of the user need not be pickled
    workers: dict[Any, Any] = {}  # by the end of a pipe: process, case
    tries: dict[int, int] = {}

    def work(pipe: Any, mine: Any) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends the sweep
        for one in (store.lock, mine, *workers):  # else this process would outlive the parent, with its lock
            one.close()
        with contextlib.suppress(EOFError, BrokenPipeError):
            while (number := pipe.recv()) is not None:
                pipe.send(_run_case(run, plan, number))

    def give(mine: Any, number: int | None) -> None:
        workers[mine][1] = number
        with contextlib.suppress(BrokenPipeError):  # the process has ended, as its pipe will say
            mine.send(number)
        if number is None:
            workers.pop(mine)[0].join()

    def start(number: int) -> None:
        mine, other = context.Pipe()
        process = context.Process(target=work, args=(other, mine), daemon=True)
        process.start()
        other.close()
        workers[mine] = [process, number]
        give(mine, number)

    try:
        for number in itertools.islice(numbers, n):
            start(number)
        while workers:
            ready: Any
            for ready in wait(list(workers)):
                try:
                    row = ready.recv()
                except EOFError:
                    process, number = workers.pop(ready)
                    process.join()
                    tries[number] = tries.get(number, 0) + 1
                    if process.exitcode in (-signal.SIGKILL, -signal.SIGTERM) and tries[number] < _ATTEMPTS:
                        start(number)
                        continue
                    put(_row(number, "crashed", None, f"its process exited with code {process.exitcode}"))
                    for number in itertools.islice(numbers, 1):
                        start(number)
                else:
                    put(row)
                    give(ready, next(numbers, None))
    finally:
        for process, _ in workers.values():
            process.terminate()


def _ranks(run: Run, plan: Plan, numbers: Iterator[int], put: Callable[[Any], None], comm: Any) -> None:
    """Distribute cases to the other ranks."""
    at_work = comm.Get_size() - 1
    while at_work:
        rank, row = comm.recv()
        if row is not None:
            put(row)
        number = next(numbers, None)
        comm.send(number, dest=rank)
        at_work -= number is None


def _serve(run: Run, plan: Plan, comm: Any) -> None:
    """Run the cases that rank 0 assigns."""
    rank, row = comm.Get_rank(), None
    while True:
        comm.send((rank, row), dest=0)
        number = comm.recv(source=0)
        if number is None:
            return
        row = _run_case(run, plan, number, rank)


def _line() -> Callable[[int, int], None]:
    """Return a function that shows the progress in a line of stderr if it is a terminal."""
    if not sys.stderr or not sys.stderr.isatty() or os.environ.get("TERM", "dumb") == "dumb":
        return lambda done, n: None
    began, first, due = monotonic(), 0, monotonic() + _SILENCE_S

    def show(done: int, n: int) -> None:
        nonlocal first, due
        first, now = first or done, monotonic()
        if done == n:
            sys.stderr.write("\r\033[K")
        elif now > due:
            left, due = round((now - began) * (n - done) / (done - first + 1)), now + _PAUSE_S
            sys.stderr.write(f"\r\033[Ksweep  case {done} of {n}  {100 * done // n:3d} %  {left // 60}:{left % 60:02d} "
                             "left")
        sys.stderr.flush()

    return show


def _communicator() -> Any:
    """Return the communicator of mpi4py under mpirun, or None."""
    if "OMPI_COMM_WORLD_SIZE" not in os.environ and "PMI_SIZE" not in os.environ:
        return None
    from mpi4py import MPI  # only sweeps under mpirun need mpi4py

    return MPI.COMM_WORLD if MPI.COMM_WORLD.Get_size() > 1 else None


def _runner(system: System, arguments: tuple[Any, ...], options: dict[str, Any], names: list[str]) -> Run:
    """Return a function that runs a system with the values of a case, which have these names."""

    known = getattr(system, "parameters", None) or getattr(system, "__dataclass_fields__", {})
    for name in names:
        if not name.startswith(("--", "args[")) and name not in known:
            raise ValueError(f"plan: {name!r} is neither a parameter nor a field of the system{nearest(name, known)}")

    def run(values: dict[str, Any], extremes: bool) -> Result:
        asked, changes, args, own = list(arguments), {}, list(system.args), dict(options)
        for name, value in values.items():
            if name.startswith("--"):
                own["time_limit_s" if name == "--time-limit" else name[2:].replace("-", "_")] = value
            elif name.startswith("args[") and name[5:-1].isdecimal():
                system._value(int(name[5:-1]), "plan")
                args[int(name[5:-1])] = value
            else:
                changes[name] = value
        if args != list(system.args):
            changes["args"] = tuple(args)
        varied = system.replace(**changes) if changes else system
        t_0, t_end = asked[0] if asked and asked[0] is not None else varied.t_span  # type: ignore[attr-defined]
        t_end = own.pop("t_end", t_end)
        if extremes:
            own.setdefault("t_eval", t_0 + (t_end - t_0) * np.arange(_POINTS + 1) / _POINTS)
        result: Result = varied.solve((t_0, t_end), *asked[1:], **own)
        return result

    return run


def _identity(what: Any) -> str:
    """Return the identity of a model file as `resida sweep` does, else the name and arguments of the system."""
    path = Path(getattr(what, "path", ""))
    if not path.is_file():
        return f"{getattr(what, 'name', getattr(what, '__name__', 'DAE'))} of Python, resida {_headers.version()}"
    digest, factor = _FNV
    for byte in path.read_bytes() + what.text.encode():
        digest = (digest ^ byte) * factor % 2 ** 64
    return f"{what.name:.150} of a file, FNV-1a {digest:016x}, by resida {_headers.version()}"


def sweep(what: Any, plan: Any, *arguments: Any, out: str | os.PathLike[str], processes: int | None = None,
          progress: Callable[[int, int], Any] | None = None, **options: Any) -> Sweep:
    """Run all cases of a plan into a table of SQLite. The same call continues after an interruption.

    Args:
        what: a system, whose solve(*arguments, **options) is called for each case; or a function(**values) that returns
            a Result. A function may also choose the start
        plan: a dict, or a JSON file as of `resida sweep` (doc/sweeps.md), with "vary", and possibly "fixed", "outputs"
            and "design": "grid" or "list", or "monte-carlo" or "latin-hypercube" with "cases" and "seed". The names of
            a system are parameters of a Model, args[i], fields, or options of solve(): "--rtol", "--t-end"
        out: the file. A case with a row is not repeated; delete its row to run it again
        processes: number of processes; None: one per processor. Under mpirun each rank is one, with mpi4py
        progress: progress(done, cases) is called after each case; None: a line on stderr if it is a terminal

    Returns:
        a Sweep, also on the other ranks of MPI. A case that raised an exception has a row: `code` is the name of the
        exception, and the status is "refused" if the values of the case are invalid, else "failed"

    Raises:
        ValueError: the plan is wrong, or the file is of another plan, other options or another system
    """
    known, path, comm = Plan(plan), Path(out), _communicator()
    if not isinstance(what, System) and not callable(what):
        raise TypeError(f"{what!r} is neither a system nor a function")
    run: Run = (_runner(what, arguments, options, [*known.fixed, *known.axes]) if isinstance(what, System) else
                lambda values, _: what(*arguments, **values, **options))  # type: ignore[no-any-return]
    if comm and comm.Get_rank() > 0:
        _serve(run, known, comm)
        return Sweep(path, comm.bcast(None))
    show = _line() if progress is None else a_function(progress, "progress")
    given = {**{str(i): one for i, one in enumerate(arguments)}, **options, **getattr(what, "_given", {}),
             **({f"args[{i}]": one for i, one in enumerate(getattr(what, "args", ()))})}
    words = "".join(f" {name}={describe(value)}" for name, value in given.items())
    facts = {"options": words, "model": _identity(what)}
    try:
        store = _Store(path, known, facts)
        try:
            missing = iter([k for k in range(len(known.cases)) if k not in store.done])
            number = itertools.count(len(store.done) + 1)

            def put(row: dict[str, Any]) -> None:
                store.put(row)
                show(next(number), len(known.cases))

            if comm:
                _ranks(run, known, missing, put, comm)
            else:
                _here(run, known, missing, store, put, processes or len(os.sched_getaffinity(0)))
        finally:
            counts = store.close()
    except BaseException:
        if comm:
            comm.Abort(1)
        raise
    return Sweep(path, comm.bcast(counts) if comm else counts)
