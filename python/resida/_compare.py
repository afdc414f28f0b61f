"""Jacobian strategies side by side; and what is built into the command `resida`, by its JSON."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from time import perf_counter
from typing import Any

from ._library import Error
from ._system import System

STRATEGIES = ("auto", "fresh", "dense", "sparse", "dense+partitioned", "sparse+partitioned", "dense+extended",
              "sparse+extended")
_WRONG_COMMAND_LINE = 2
_COLUMNS = ("jacobian", "status", "steps", "calls", "evaluations", "factors", "seconds")


class Comparison(list):
    """A dict for each run, with `jacobian`, `status` ("ok", or the name of an error), `message`, `wall_s` and all
    counters of resida/stats.h; of a system also `result`. As a text it is a table."""

    def __str__(self) -> str:
        rows: list[tuple] = [_COLUMNS]
        for row in self:
            made = row["jacobian_evaluations"]
            name = row.get("jacobian_asked") or row["jacobian"] or row["solver"]
            rows.append((f"{row['formalism']}, {name}" if "formalism" in row else name, row["status"], row["steps"],
                         row["residual_calls"]["total"], made["dense"] + made["coloured"] + made["user"],
                         row["factorisations"], f"{row['wall_s']:.4f}"))
        widths = [max(len(str(row[i])) for row in rows) for i in range(len(_COLUMNS))]
        return "\n".join("  ".join(f"{cell!s:<{width}}" if i < 2 else f"{cell!s:>{width}}"
                                   for i, (cell, width) in enumerate(zip(row, widths))) for row in rows)


def compare(what: System | str, *arguments: Any, jacobians: Iterable[str] | None = None, **options: Any) -> Comparison:
    """The same integration by several Jacobian strategies.

    Args:
        what: a system, whose solve(*arguments, **options) is called once for each strategy; or the name of a model
            that is built into the command `resida`, which has to be installed then
        jacobians: the strategies, one or several; None: all that take no derivatives of the system
        **options: of a system those of solve(), of a built-in model params and those of `resida compare`
    """
    wanted = STRATEGIES if jacobians is None else (jacobians,) if isinstance(jacobians, str) else tuple(jacobians)
    if isinstance(what, str):
        told = command("compare", what, *arguments, **options)
        return Comparison(row for row in told if jacobians is None or row["jacobian_asked"] in wanted)
    if not isinstance(what, System):
        raise TypeError(f"{what!r} is neither a system nor the name of a built-in model")
    rows = Comparison()
    for jacobian in wanted:
        began = perf_counter()
        try:
            result, status, message = what.solve(*arguments, jacobian=jacobian, **options), "ok", ""
        except Error as failure:
            if failure.result is None:
                raise
            result, status, message = failure.result, failure.name, str(failure)
        rows.append({**result.statistics, "jacobian": jacobian, "status": status, "message": message,
                     "wall_s": perf_counter() - began, "result": result})
    return rows


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
        **options: t_end=3 is --t-end=3, adaptive=True is --adaptive

    Returns:
        the objects that it prints, one for each line. Where a run or a check failed they say so. A FileNotFoundError:
        the command is neither on PATH, nor what $RESIDA_COMMAND names; a ValueError: a wrong command line
    """
    path = os.environ.get("RESIDA_COMMAND") or shutil.which("resida")
    if not path or not os.access(path, os.X_OK):
        raise FileNotFoundError("the command resida, which has the built-in models, is not found "
                                f"({path or 'on PATH'}): install it, or set RESIDA_COMMAND")
    line = [path, word, *map(str, arguments), "--format=json", *(f"--param={k}={v}" for k, v in (params or {}).items())]
    for name, value in options.items():
        flag = "--" + name.replace("_", "-")
        line += [] if value is None or value is False else [flag] if value is True else [f"{flag}={value}"]
    run = subprocess.run(line, capture_output=True, text=True, check=False)
    said = (run.stderr.strip().splitlines() or ["no reason was given"])[0]
    if run.returncode == _WRONG_COMMAND_LINE:
        raise ValueError(said)
    if run.returncode not in (0, 1) or run.returncode == 1 and not run.stdout:
        raise RuntimeError(f"resida {word} ended with {run.returncode}: {said}")
    return [json.loads(row) for row in run.stdout.splitlines()]
