"""Equilibria: states with constant positions, or with steady rates. See resida/equilibrium.h."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ._arrays import Array, pointer
from ._library import ffi, lib
from ._options import make, word_of
from ._outputs import sizes_of
from ._problem import Problem
from ._result import statistics


@dataclass(frozen=True, eq=False, repr=False)
class Equilibrium:
    """A state in equilibrium.

    Attributes:
        t: the time at which excitations are evaluated [s]
        p, v, lam: only of a mechanism: positions [n_p]; velocities [n_v], zero except for steady rates; multipliers
            [n_g + n_h]
        y: only of a general DAE: the unknowns [n]
        stability: "decaying": every small displacement decays; "neutral": none grows; "growing"; "unknown"
        growth: the largest real part of an eigenvalue [1/s]; NaN: no eigenvalue was computed
        frequency: the frequency of that eigenvalue [Hz]
        report: all results of the search, by the names of resida_equilibrium_report
    """

    t: float
    p: Array | None
    v: Array | None
    lam: Array | None
    y: Array | None
    stability: str
    growth: float
    frequency: float
    report: dict[str, Any]

    @property
    def start(self) -> tuple[Array, ...]:
        """The start for solve(), linearize() and so on: p, v of a mechanism, y of a general DAE."""
        return tuple(x for x in (self.p, self.v, self.y) if x is not None)

    def __repr__(self) -> str:
        return f"<Equilibrium: {self.report['judged'] or self.stability}; {self.report['iterations']} iterations>"


def find(problem: Problem) -> Equilibrium:
    """Find an equilibrium, from the start of the problem's model."""
    problem.check_has_states("equilibrium")
    model, t = problem.model, problem.model.t0
    options = make("resida_equilibrium_options", problem.options, problem.callbacks.keep)
    options.monitor = problem.callbacks.c_function("resida_equilibrium_fn *", lambda *_: 0)  # enables Ctrl-C
    report = ffi.new("resida_equilibrium_report *")
    found = {name: np.empty(n) for name, n in sizes_of(model).items() if name not in ("a", "yp")}
    at = [pointer(x) if x.size else ffi.NULL for x in found.values()]
    start = (model.y0,) if model.is_dae else (model.p0, model.v0)
    search = lib.resida_problem_equilibrium_dae if model.is_dae else lib.resida_problem_equilibrium
    problem.check(search(problem.problem, t, *start, options, *at, report, problem.why))
    parts: dict[str, Any] = {**dict.fromkeys(("p", "v", "lam", "y")), **found}
    stability = word_of(ffi.typeof("resida_stability"), report.stability)
    return Equilibrium(t, **parts, stability=stability, growth=report.growth, frequency=report.frequency / (2 * np.pi),
                       report={**statistics(report), "stability": stability})
