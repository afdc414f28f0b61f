"""Arguments that change in a running solver: inputs that are constant during a step, as in a control loop.

Methods with fixed steps detect that F has changed between two calls (resida/solver.h). A change of sizes, constraints
or masses requires a restart. To detect such a change, a fingerprint of them is evaluated at a state near the start and
compared with the fingerprint of the first arguments.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ._arrays import Array
from ._callbacks import Excitation, address, three_of
from ._library import lib, text
from ._outputs import sizes_of
from ._patterns import dense

if TYPE_CHECKING:
    from ._run import Run
    from ._system import System

_BESIDE = 1e-3  # max. displacement of the state: at a start many terms are zero that are nonzero elsewhere
_MASS_ROUNDING = 1e-9  # relative to the largest force: tolerance of the comparison of two differences of residuals
_OF_POSITION = ("constraint", "kinematic_matrix", "invariant", "nonholonomic_matrix", "nonholonomic_bias",
                "velocity_bias", "mass_matrix", "projection_matrix")
_INERTIA = {"residual": False, "acceleration": False, "residual_lam": True, "acceleration_lam": True}  # has lam?

Fingerprint = list[tuple[Array, float]]  # values, and the difference that is attributed to rounding


class HeldInputs:
    """Decides whether other args can be set in the solver of a run. Made just after the start of the run."""

    def __init__(self, run: "Run") -> None:
        self._run, self._t = run, run.t
        self._state = [_moved(getattr(run, name), _BESIDE) for name in sizes_of(run.model)]
        self._known = self._fingerprint(run.system) if _has_fixed_steps(run) else None

    def take(self, system: "System") -> bool:
        """Set the args of a system that differs only in its args. Return False if a restart is needed. A restart is
        also needed at the start itself, because its derivatives are those of the first args."""
        run = self._run
        if self._known is None or len(system.args) != len(run.args) or run.t == self._t or run.is_within_a_step():
            return False
        now = self._fingerprint(system)
        if now is None or not _agree(self._known, now):
            return False
        run.system, run.args[:] = system, system.args  # the callbacks receive the new args
        return True

    def _fingerprint(self, system: "System") -> Fingerprint | None:
        """Return the fingerprint of a system, or None if a callback raises."""
        look: Any = _look_at_dae if system.is_dae else _look_at_mechanism
        seen: Fingerprint = []
        try:
            with np.errstate(all="ignore"):
                look(system, self._t + _BESIDE, *self._state, seen)
        except Exception:  # a restart raises the same exception to the user
            return None
        return seen


def _has_fixed_steps(run: "Run") -> bool:
    """Return whether the method of the run accepts changes of F, and nothing else in the run depends on args."""
    options, model = run._solver_options, run.model
    has_found_pattern = model.is_dae and model.dae.J_pattern.row and getattr(run.system, "jac_sparsity", None) is None
    has_index = model.is_dae and model.dae.kinds and any(kind > lib.RESIDA_ALGEBRAIC for kind in
                                                         model.dae.kinds[0:model.dae.n])
    return not (text(options.method) == "bdf" or options.adaptive or len(run.watched) or run._quadratures
                or has_found_pattern or has_index)


def _agree(before: Fingerprint, now: Fingerprint) -> bool:
    return len(before) == len(now) and all(
        a.shape == b.shape and bool(np.all(np.abs(a - b) <= max(rounding, other)))
        for (a, rounding), (b, other) in zip(before, now))


def _moved(x: Array, part: float) -> Array:
    moved: Array = x + part * np.cos(1.0 + np.arange(x.size))
    return moved


def _look_at_inertia(force: Callable[[Array], Any], a: Array, seen: Fingerprint) -> None:
    """Add the dependence of a force on the accelerations to `seen`: a difference of two forces, and its rounding error.
    """
    low, high = (np.array(force(each), dtype=float) for each in (a, _moved(a, 1.0)))
    seen.append((high - low, _MASS_ROUNDING * float(np.max(np.abs([low, high]), initial=0.0))))


def _look_at_dae(system: Any, t: float, y: Array, yp: Array, seen: Fingerprint) -> None:
    if address(system.fun) is None:
        _look_at_inertia(lambda yp: system.fun(t, y, yp, *system.args), yp, seen)


def _look_at_mechanism(system: Any, t: float, p: Array, v: Array, a: Array, lam: Array, seen: Fingerprint) -> None:
    args = system.args
    e: tuple[Any, ...] = ()
    if system.excitation is not None and address(system.excitation) is None:
        e = (Excitation(*(np.array(each, dtype=float) for each in three_of(system.excitation(t, *args)))),)
        if lam.size:  # the excitation may prescribe the motion of constraints
            seen.append((np.concatenate(e[0]), 0.0))
    for name in _OF_POSITION:
        function = getattr(system, name)
        if function is not None and address(function) is None:
            seen.append((np.array(dense(function(t, p, *e, *args)), dtype=float), 0.0))
    for name, takes_lam in _INERTIA.items():
        function, more = getattr(system, name), (lam, *e) if takes_lam else e
        if function is not None and address(function) is None:
            _look_at_inertia(lambda a: function(t, p, v, a, *more, *args), a, seen)
