"""Jacobian strategies side by side; and what is built into the command `resida`, by its JSON."""

import json
import os
import shutil
import subprocess
import warnings
from collections.abc import Iterable, Mapping
from statistics import median, quantiles
from time import perf_counter, process_time
from typing import Any

import numpy as np

from ._arrays import Array, vector
from ._integrate import ModelWarning
from ._library import Error
from ._result import MechanismResult, Result
from ._system import System

STRATEGIES = ("auto", "fresh", "dense", "sparse", "dense+partitioned", "sparse+partitioned", "dense+extended",
              "sparse+extended")
_WRONG_COMMAND_LINE = 2
_COLUMNS = ("jacobian", "status", "steps", "calls", "evaluations", "factors", "cpu ms", "error")
_REPEAT = 3  # runs that are timed


class Comparison(list[Any]):
    """A dict for each run:

        jacobian, status, message   strategy; "ok", or the name of an error; its words
        cpu_s                       processor time of a run [s]: "min", "median", "iqr", "repeats"
        wall_s                      the same by the clock on the wall, median
        error                       {"p": largest difference from the reference at the end}, of a DAE of y; None: none
        result                      of a system: its Result, or what was integrated before an error
        residual_calls, callback_calls, steps ...   all counters of resida/stats.h: callback_calls["constraint"] ...

    Rows of a model that is built in are those of `resida compare --format=json`, with error["v"], error["lam"],
    digits, reference and reference_doubt besides; with peers=True those of other integrators follow, by their
    `solver`, with None for what they do not count. As a text it is a table, with the calls of all callbacks."""

    def __repr__(self) -> str:
        called = list(dict.fromkeys(name for row in self for name, calls in row["callback_calls"].items()
                                    if calls and name != "residual"))
        rows: list[tuple[Any, ...]] = [(*_COLUMNS, *called)]
        for row in self:
            name = row["solver"] if _is_of_peer(row) else row.get("jacobian_asked") or row["jacobian"]
            made = [row["jacobian_evaluations"][kind] for kind in ("dense", "coloured", "user")]
            cells = [row["steps"], row["residual_calls"]["total"], None if None in made else sum(made),
                     row["factorisations"], _formatted(".3f", row["cpu_s"]["median"], 1e3),
                     _formatted(".1e", row["error"]["p"]), *(row["callback_calls"][one] for one in called)]
            rows.append((f"{row['formalism']}, {name}" if "formalism" in row else name, row["status"],
                         *("-" if cell is None else cell for cell in cells)))
        widths = [max(len(str(row[i])) for row in rows) for i in range(len(rows[0]))]
        return "\n".join("  ".join(f"{cell!s:<{width}}" if i < 2 else f"{cell!s:>{width}}"
                                   for i, (cell, width) in enumerate(zip(row, widths))) for row in rows)


def _is_of_peer(row: dict[str, Any]) -> bool:
    """Is it of another integrator than this library?"""
    return bool(row.get("solver", "resida") != "resida")


def _formatted(form: str, value: float | None, unit: float = 1.0) -> str | None:
    return None if value is None else format(unit * value, form)


def compare(what: System | str, *arguments: Any, jacobians: Iterable[str] | None = None, repeat: int | None = None,
            reference: Any = None, **options: Any) -> Comparison:
    """The same integration by several Jacobian strategies.

    Args:
        what: a system, whose solve(*arguments, **options) is called for each strategy; or the name of a model that is
            built into the command `resida`, which has to be installed then
        jacobians: the strategies, one or several, in the order of the rows; None: all that take no derivatives of the
            system
        repeat: runs that are timed, by turns, of a system behind one for each strategy that is not; None: 3, of a
            built-in model 9
        reference: of a system the solution at the end, p [n_p] of a mechanism, else y [n]; None: not known
        **options: of a system those of solve(), of a built-in model params and those of `resida compare`
    """
    wanted = STRATEGIES if jacobians is None else (jacobians,) if isinstance(jacobians, str) else tuple(jacobians)
    if isinstance(what, str):
        if reference is not None:
            raise TypeError(f"reference is for systems: a built-in model has its own, or none ({what})")
        told = command("compare", what, *arguments, repeat=repeat, **options)
        if jacobians is None:
            return Comparison(told)
        known = list(dict.fromkeys(row["jacobian_asked"] for row in told if not _is_of_peer(row)))
        for one in wanted:
            if one not in known:
                raise ValueError(f"jacobians: {one!r} is none of {', '.join(known)}")
        asked = [row for row in told if row["jacobian_asked"] in wanted]
        peers = [row for row in told if _is_of_peer(row)]
        return Comparison(sorted(asked, key=lambda row: wanted.index(row["jacobian_asked"])) + peers)
    if not isinstance(what, System):
        raise TypeError(f"{what!r} is neither a system nor the name of a built-in model")
    n = _REPEAT if repeat is None else repeat
    if not isinstance(n, int) or n < 1:
        raise ValueError(f"repeat = {repeat!r}, and a whole number > 0 is needed")
    rows = Comparison(_run(what, arguments, jacobian, options) for jacobian in wanted)
    seconds = [[_time(what, arguments, row, options) for row in rows] for _ in range(n)]
    for row, times in zip(rows, zip(*seconds)):
        cpu, wall = zip(*times)
        quarters = quantiles(cpu, method="inclusive") if n > 1 else [0.0] * 3
        row["cpu_s"] = {"min": min(cpu), "median": median(cpu), "iqr": quarters[2] - quarters[0], "repeats": n}
        row["wall_s"] = median(wall)
        row["error"] = {"p": None if reference is None else _error(row["result"], reference)}
    return rows


def _run(system: System, arguments: tuple[Any, ...], jacobian: str, options: dict[str, Any]) -> dict[str, Any]:
    """A row, but for its times."""
    try:
        result, status, message = system.solve(*arguments, jacobian=jacobian, **options), "ok", ""
    except Error as failure:
        if failure.result is None:
            raise
        result, status, message = failure.result, failure.name, str(failure)
    return {**result.statistics, "jacobian": jacobian, "status": status, "message": message, "result": result}


def _time(system: System, arguments: tuple[Any, ...], row: dict[str, Any],
          options: dict[str, Any]) -> tuple[float, float]:
    """Processor and wall-clock time of a run like that of a row [s]."""
    cpu, wall = process_time(), perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)  # the row has them
        _run(system, arguments, row["jacobian"], options)
    return process_time() - cpu, perf_counter() - wall


def _error(result: Result, reference: Any) -> float | None:
    """Of p, or y, at the end; None: the end was not reached."""
    if not result.success or not result.t.size:
        return None
    end: Array = (result.p if isinstance(result, MechanismResult) else result.y)[:, -1]
    return float(np.max(np.abs(end - vector(reference, "reference", end.size)), initial=0.0))


def _words(value: Any) -> list[str]:
    """The values of an option: each NAME=VALUE is one of its own, others are one list."""
    if isinstance(value, Mapping):
        return [f"{name}={one}" for name, one in value.items()]
    if isinstance(value, (list, tuple)):
        words = [str(one) for one in value]
        return words if any("=" in one for one in words) else [",".join(words)]
    return [] if value is None or value is False else [str(value)]


def models(*names: str) -> list[dict[str, Any]]:
    """The models that are built into the command `resida`, or those of these names: sizes, parameters, outputs."""
    return command("models", *names)


def command(word: str, *arguments: Any, params: Mapping[str, Any] | None = None,
            **options: Any) -> list[dict[str, Any]]:
    """What the command `resida` prints as JSON: `resida WORD ARGUMENT...`.

    Args:
        word: "solve", "compare", "check", "equilibrium", "linearize", "pattern" ...
        arguments: the model and so on
        params: parameters of the model, by name
        **options: t_end=3 is --t-end=3, adaptive=True is --adaptive, sensitivity=["L", "m"] is --sensitivity=L,m, and
            start={"x": 0.1, "y": 0.9}, or start=["x=0.1", "y=0.9"], is --start=x=0.1 --start=y=0.9

    Returns:
        the objects that it prints, one for each line. Where a run or a check failed they say so. A FileNotFoundError:
        the command is neither on PATH, nor what $RESIDA_COMMAND names; a ValueError: a wrong command line, or a word
        that prints no JSON, such as "sweep"
    """
    path = os.environ.get("RESIDA_COMMAND") or shutil.which("resida")
    if not path or not os.access(path, os.X_OK):
        raise FileNotFoundError("the command resida, which has the built-in models, is not found "
                                f"({path or 'on PATH'}): install it, or set RESIDA_COMMAND")
    line = [path, word, *map(str, arguments), "--format=json", *(f"--param={k}={v}" for k, v in (params or {}).items())]
    for name, value in options.items():
        flag = "--" + name.replace("_", "-")
        line += [flag] if value is True else [f"{flag}={word}" for word in _words(value)]
    run = subprocess.run(line, capture_output=True, text=True, check=False)
    said = (run.stderr.strip().splitlines() or ["no reason was given"])[0]
    if run.returncode == _WRONG_COMMAND_LINE and f"{word} has no option --format" in said:
        raise ValueError(f"`resida {word}` prints no JSON, which command() returns: call it by subprocess.run()")
    if run.returncode == _WRONG_COMMAND_LINE:
        raise ValueError(said)
    if run.returncode not in (0, 1) or run.returncode == 1 and not run.stdout:
        raise RuntimeError(f"resida {word} ended with {run.returncode}: {said}")
    return [json.loads(row) for row in run.stdout.splitlines()]
