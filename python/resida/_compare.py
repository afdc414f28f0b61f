"""Comparison of Jacobian strategies, and access to the built-in models of the command `resida` by its JSON output."""

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
from ._peers import SOLVERS
from ._peers import run as run_peer
from ._result import MechanismResult, Result, pandas
from ._system import System

STRATEGIES = ("auto", "fresh", "dense", "sparse", "dense+partitioned", "sparse+partitioned", "dense+extended",
              "sparse+extended")
_WRONG_COMMAND_LINE = 2
_COLUMNS = ("jacobian", "status", "steps", "calls", "evaluations", "factors", "cpu ms", "error")
_REPEAT = 3  # timed runs of each strategy


class Comparison(list[Any]):
    """A list with one dict for each run:

        jacobian, status, message   strategy; "ok" or the name of an error; the message of the error
        cpu_s                       processor time of a run [s]: "min", "median", "iqr" (interquartile range), "repeats"
        wall_s                      median of the elapsed time of a run [s]
        error                       {"p": maximum error at the end, of p or of y of a DAE}; None: unknown
        result                      only for a system: its Result, after an error the result up to the error
        residual_calls, callback_calls, steps ...   all counters of resida/stats.h: callback_calls["constraint"] ...

    The rows of a built-in model are those of `resida compare --format=json`. They also contain error["v"],
    error["lam"], digits, reference and reference_doubt. With peers=True the rows of other integrators follow,
    identified by `solver`; counters that an integrator does not have are None. str() returns a table with the calls of
    all callbacks.
    """

    def to_dataframe(self) -> Any:
        """Return a pandas.DataFrame with a row for each run, without `result`. "cpu_s.median" is a column of cpu_s."""
        return pandas().json_normalize([{name: x for name, x in row.items() if name != "result"} for row in self])

    def __repr__(self) -> str:
        called = list(dict.fromkeys(name for row in self for name, calls in row["callback_calls"].items()
                                    if calls and name != "residual"))
        rows: list[tuple[Any, ...]] = [(*_COLUMNS, *called)]
        for row in self:
            name = row["solver"] if _is_of_peer(row) else row.get("jacobian_asked") or row["jacobian"]
            made = [row["jacobian_evaluations"][kind] for kind in ("dense", "coloured", "user")]
            cells = [row["steps"], row["residual_calls"]["total"], None if None in made else sum(made),
                     row["factorisations"], _formatted(".3f", row["cpu_s"]["median"], 1e3),
                     _formatted(".1e", row["error"]["p"]), *(row["callback_calls"].get(one) for one in called)]
            rows.append((f"{row['formalism']}, {name}" if "formalism" in row else name, row["status"],
                         *("-" if cell is None else cell for cell in cells)))
        widths = [max(len(str(row[i])) for row in rows) for i in range(len(rows[0]))]
        return "\n".join("  ".join(f"{cell!s:<{width}}" if i < 2 else f"{cell!s:>{width}}"
                                   for i, (cell, width) in enumerate(zip(row, widths))) for row in rows)


def _is_of_peer(row: dict[str, Any]) -> bool:
    """Return whether the row belongs to another integrator than resida."""
    return bool(row.get("solver", "resida") != "resida")


def _formatted(form: str, value: float | None, unit: float = 1.0) -> str | None:
    return None if value is None else format(unit * value, form)


def compare(what: System | str, *arguments: Any, jacobians: Iterable[str] | None = None, repeat: int | None = None,
            reference: Any = None, peers: bool = False, **options: Any) -> Comparison:
    """Run the same integration with several Jacobian strategies.

    Args:
        what: a system, whose solve(*arguments, **options) is called for each strategy; or the name of a model that is
            built into the command `resida`, which must be installed
        jacobians: one strategy or several, in the order of the rows; None: all strategies that need no derivatives from
            the system
        repeat: number of timed runs for each strategy; None: 3 for a system, 9 for a built-in model. The timed runs of
            a system alternate between the strategies, after one run of each that is not timed
        reference: only for a system: the solution at the end, p [n_p] of a mechanism or y [n] of a DAE; None: unknown
        peers: also run other integrators: of a built-in model those of `resida compare --peers`; of a mechanism Radau,
            BDF and LSODA of scipy's solve_ivp, on accelerations that are computed from n_v + n_g + n_h + 1 residuals
        **options: for a system the options of solve(); for a built-in model `params` and the options of `resida
            compare`
    """
    wanted = STRATEGIES if jacobians is None else (jacobians,) if isinstance(jacobians, str) else tuple(jacobians)
    if isinstance(what, str):
        if reference is not None:
            raise TypeError("reference is not supported for a built-in model, which has its own reference or none "
                            f"({what})")
        told = command("compare", what, *arguments, repeat=repeat, peers=peers, **options)
        if jacobians is None:
            return Comparison(told)
        known = list(dict.fromkeys(row["jacobian_asked"] for row in told if not _is_of_peer(row)))
        for one in wanted:
            if one not in known:
                raise ValueError(f"jacobians: {one!r} is not one of {', '.join(known)}")
        asked = [row for row in told if row["jacobian_asked"] in wanted]
        others = [row for row in told if _is_of_peer(row)]
        return Comparison(sorted(asked, key=lambda row: wanted.index(row["jacobian_asked"])) + others)
    if not isinstance(what, System):
        raise TypeError(f"{what!r} is neither a system nor the name of a built-in model")
    n = _REPEAT if repeat is None else repeat
    if not isinstance(n, int) or n < 1:
        raise ValueError(f"repeat = {repeat!r}; expected an integer > 0")
    rows = Comparison(_run(what, arguments, jacobian, options) for jacobian in wanted)
    rows += [run_peer(what, solver, arguments, options) for solver in (SOLVERS if peers else ())]
    seconds = [[_time(what, arguments, row, options) for row in rows] for _ in range(n)]
    for row, times in zip(rows, zip(*seconds)):
        cpu, wall = zip(*times)
        quarters = quantiles(cpu, method="inclusive") if n > 1 else [0.0] * 3
        row["cpu_s"] = {"min": min(cpu), "median": median(cpu), "iqr": quarters[2] - quarters[0], "repeats": n}
        row["wall_s"] = median(wall)
        row["error"] = {"p": None if reference is None else _error(row, reference)}
    return rows


def _run(system: System, arguments: tuple[Any, ...], jacobian: str, options: dict[str, Any]) -> dict[str, Any]:
    """Return a row without its times."""
    try:
        result, status, message = system.solve(*arguments, jacobian=jacobian, **options), "ok", ""
    except Error as failure:
        if failure.result is None:
            raise
        result, status, message = failure.result, failure.name, str(failure)
    return {**result.statistics, "jacobian": jacobian, "status": status, "message": message, "result": result}


def _time(system: System, arguments: tuple[Any, ...], row: dict[str, Any],
          options: dict[str, Any]) -> tuple[float, float]:
    """Return the processor time and the elapsed time [s] of a run with the strategy of a row."""
    cpu, wall = process_time(), perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)  # the row has them
        if _is_of_peer(row):
            run_peer(system, row["solver"].removeprefix("scipy "), arguments, options)
        else:
            _run(system, arguments, row["jacobian"], options)
    return process_time() - cpu, perf_counter() - wall


def _error(row: dict[str, Any], reference: Any) -> float | None:
    """Return the maximum error of p, or of y, at the end, or None if the run did not reach the end."""
    result: Result | None = row["result"]
    if row["status"] != "ok" or result and not result.t.size:
        return None
    end: Array = row["end"] if result is None else (
        result.p if isinstance(result, MechanismResult) else result.y)[:, -1]
    return float(np.max(np.abs(end - vector(reference, "reference", end.size)), initial=0.0))


def _words(value: Any) -> list[str]:
    """Return the values of an option on the command line: one text for each NAME=VALUE, one list for all others."""
    if isinstance(value, Mapping):
        return [f"{name}={one}" for name, one in value.items()]
    if isinstance(value, (list, tuple)):
        words = [str(one) for one in value]
        return words if any("=" in one for one in words) else [",".join(words)]
    return [] if value is None or value is False else [str(value)]


def models(*names: str) -> list[dict[str, Any]]:
    """Return the built-in models of the command `resida`, or those with these names: sizes, parameters, outputs."""
    return command("models", *names)


def command(word: str, *arguments: Any, params: Mapping[str, Any] | None = None,
            **options: Any) -> list[dict[str, Any]]:
    """Run `resida WORD ARGUMENT...` and return its JSON output.

    Args:
        word: "solve", "compare", "check", "equilibrium", "linearize", "pattern" ...
        arguments: the positional arguments, for example the model
        params: parameters of the model, by name
        **options: t_end=3 is passed as --t-end=3, adaptive=True as --adaptive, sensitivity=["L", "m"] as
            --sensitivity=L,m; start={"x": 0.1, "y": 0.9} and start=["x=0.1", "y=0.9"] as --start=x=0.1 --start=y=0.9

    Returns:
        one dict for each line of the output. The dict of a run or a check that failed contains its status.

    Raises:
        FileNotFoundError: the command is neither on PATH nor named by $RESIDA_COMMAND
        ValueError: the command line is wrong, or the word prints no JSON, for example "sweep"
        RuntimeError: the command failed without output
    """
    path = os.environ.get("RESIDA_COMMAND") or shutil.which("resida")
    if not path or not os.access(path, os.X_OK):
        raise FileNotFoundError("the command resida, which contains the built-in models, was not found "
                                f"({path or 'on PATH'}): install it or set RESIDA_COMMAND")
    line = [path, word, *map(str, arguments), "--format=json", *(f"--param={k}={v}" for k, v in (params or {}).items())]
    for name, value in options.items():
        flag = "--" + name.replace("_", "-")
        line += [flag] if value is True else [f"{flag}={word}" for word in _words(value)]
    run = subprocess.run(line, capture_output=True, text=True, check=False)
    said = (run.stderr.strip().splitlines() or ["no message"])[0]
    if run.returncode == _WRONG_COMMAND_LINE and f"{word} has no option --format" in said:
        raise ValueError(f"`resida {word}` does not print JSON and is not supported by command(): call it by "
                         "subprocess.run()")
    if run.returncode == _WRONG_COMMAND_LINE:
        raise ValueError(said)
    if run.returncode not in (0, 1) or run.returncode == 1 and not run.stdout:
        raise RuntimeError(f"resida {word} failed with exit code {run.returncode}: {said}")
    return [json.loads(row) for row in run.stdout.splitlines()]
