"""Other integrators for comparison: those of scipy's solve_ivp, on the equations of motion solved for accelerations."""

from typing import Any

import numpy as np

from ._arrays import Array
from ._integrate import from_time
from ._model import Model
from ._options import MEMBERS, PROBLEM
from ._problem import Problem
from ._run import Run
from ._system import System

SOLVERS = ("Radau", "BDF", "LSODA")
_KINDS = ("dense", "coloured", "user")


class Accelerations:
    """(p', v') of a mechanism without contacts and events: F of the form "index1", or "ode" without constraints, is
    linear in v' and lam, and each call solves for them with the columns F(e_k) - F(0)."""

    def __init__(self, problem: Problem) -> None:
        self._problem, self._n, self.calls = problem, problem.layout.n, 0
        at, m = problem.layout, problem.model.mechanism
        if problem.model.contacts or problem._model_event or m.n_k or m.residual_lam or m.acceleration_lam:
            raise ValueError("peers are not supported for mechanisms with contacts, events, invariants or forces that "
                             "depend on lam")
        assert at.p and at.v
        self._p, self._lam = at.p, at.lam or slice(at.v.stop, at.v.stop)
        self._unknown = np.r_[at.v, self._lam]
        self.state = np.r_[at.p, at.v]

    def _residual(self, t: float, y: Array, x: Array) -> Array:
        """Return F(t, y, yp) where x is v' and lam."""
        y, yp = y.copy(), np.zeros(self._n)
        n_v = self._unknown.size - (self._lam.stop - self._lam.start)
        yp[self._unknown[:n_v]], y[self._lam] = x[:n_v], x[n_v:]
        self.calls += 1
        return self._problem.residual(t, y, yp)

    def __call__(self, t: float, pv: Array) -> Array:
        y, n = np.zeros(self._n), self._unknown.size
        y[self.state] = pv
        known = self._residual(t, y, np.zeros(n))
        columns = np.array([self._residual(t, y, e) - known for e in np.eye(n)]).T[self._unknown]
        x = np.linalg.solve(columns, -known[self._unknown])
        rates: Array = np.concatenate([-known[self._p], x[:self.state.size - (self._p.stop - self._p.start)]])
        return rates


def run(system: System, solver: str, arguments: tuple[Any, ...], options: dict[str, Any]) -> dict[str, Any]:
    """Run a solver of scipy from the consistent start, and return its row of a Comparison without times. `end` is p."""
    from scipy.integrate import solve_ivp  # type: ignore[import]  # only peers need it

    if system.is_dae:
        raise ValueError("peers are not supported for a general DAE, because solve_ivp requires explicit equations")
    t_span, *start = arguments or (system.t_span,)  # type: ignore[attr-defined]
    if isinstance(system, Model) and start:
        start = list(start[0])
    rtol, atol = system._usual(options.get("rtol"), options.get("atol"))
    given = {name: options[name] for place in PROBLEM for name in MEMBERS[place] if name in options and name != "form"}
    with Run(system, from_time(t_span[0]), tuple(start), 1e-6, 1e-6, given) as first:
        first.start()
        start = [first.p.copy(), first.v.copy()]
        form = "index1" if first.layout.lam else "ode"
    with Problem(system, from_time(t_span[0]), tuple(start), {**given, "form": form}) as problem:
        rates = Accelerations(problem)
        r = solve_ivp(rates, t_span, np.concatenate(start), solver, rtol=rtol, atol=atol)
    counted = solver != "LSODA"  # which reports no evaluations of J
    return {"solver": f"scipy {solver}", "jacobian": "dense", "status": "ok" if r.success else "failed",
            "message": "" if r.success else r.message, "result": None, "steps": r.t.size - 1,
            "residual_calls": {"total": rates.calls}, "factorisations": r.nlu if counted else None,
            "callback_calls": {}, "end": r.y[:start[0].size, -1],
            "jacobian_evaluations": dict(zip(_KINDS, (r.njev, 0, 0) if counted else (None, None, None)))}
