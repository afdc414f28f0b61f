"""Sensitivities: derivatives of a solution by parameters and by its start. See resida/sensitivity.h."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ._arrays import pointer, vector
from ._library import ffi, lib
from ._problem import Problem
from ._run import Run

_PART = 1e-7  # increment relative to the parameter
_COARSE_PART = 1e-5  # the same if the residual of a mechanism contains differences of constraints


@dataclass(frozen=True, eq=False)
class Sensitivity:
    """A parameter to differentiate the solution by.

    Args:
        by: the index of an argument in `args`, or the name of a parameter of a Model; None: only the start depends on
            it
        delta: increment of the parameter for difference quotients; None: 1e-7 of `scale`, or 1e-5 for a mechanism with
            constraints but without constraint_matrix
        scale: change of the parameter that changes y by its own magnitude, > 0; the tolerances of the derivatives are
            those of y divided by scale. None: |value|, or 1. A parameter with a small effect, such as a soft spring,
            needs a larger one
        dp0, dv0: only of a mechanism: derivatives of the start, [n_p], [n_v]; None: zero
        dy0, dyp0: only of a general DAE: derivatives of the start, [n]; dyp0 None: computed
        name: name in the result; None: the name of the parameter, or args[i]
    """

    by: int | str | None
    delta: float | None = None
    scale: float | None = None
    dp0: Any = None
    dv0: Any = None
    dy0: Any = None
    dyp0: Any = None
    name: str | None = None

    def __post_init__(self) -> None:
        if isinstance(self.by, bool) or not (self.by is None or isinstance(self.by, (int, str))):
            raise TypeError(f"sensitivities: {self.by!r} is neither the index of an argument, nor the name of a "
                            "parameter, nor a Sensitivity")

    def title(self) -> str:
        """Return the name in the result."""
        return self.name or (f"args[{self.by}]" if isinstance(self.by, int) else self.by or "start")


def as_list(wanted: Any) -> list[Sensitivity]:
    """Convert the user's `sensitivities`, one or several indices, names and objects Sensitivity, to a list."""
    several = wanted if isinstance(wanted, Iterable) and not isinstance(wanted, str) else [wanted]
    return [one if isinstance(one, Sensitivity) else Sensitivity(one) for one in several]


def follow(run: Run, wanted: list[Sensitivity], events: Any) -> None:
    """Set the sensitivities of a run. Must be called before the start."""
    if not wanted:
        return
    keep, n = run.callbacks.keep, len(wanted)
    c_wanted = ffi.new("resida_sensitivity[]", n)
    moved: list[Problem] = []
    for c_one, one in zip(c_wanted, wanted):
        lib.resida_sensitivity_init(ffi.addressof(c_one))
        c_one.name = keep(ffi.new("char[]", one.title().encode()))
        moved.append(_fill(run, c_one, one, events))
    run.check(lib.resida_solver_set_sensitivities(run.solver, n, c_wanted), run.message())
    models = keep(ffi.new("resida_model *[]", [problem.model for problem in moved]))
    run.check(lib.resida_run_set_moved(run.run, n, models), run.message())
    keep(moved)


def _fill(run: Run, c_one: Any, one: Sensitivity, events: Any) -> Problem:
    value = 0.0 if one.by is None else run.system._value(one.by)
    m = run.model.mechanism
    is_coarse = not run.model.is_dae and m.n_g > 0 and not m.constraint_matrix
    part = _COARSE_PART if is_coarse else _PART
    c_one.scale = abs(value) or 1 if one.scale is None else one.scale
    c_one.delta = part * c_one.scale if one.delta is None else one.delta
    names = ("dy0", "dyp0") if run.model.is_dae else ("dp0", "dv0")
    sizes = (run.model.dae.n,) * 2 if run.model.is_dae else (m.n_p, m.n_v)
    for other in {"dp0", "dv0", "dy0", "dyp0"}.difference(names):
        if getattr(one, other) is not None:
            raise ValueError(f"Sensitivity: {other} is not supported for this system: use {' and '.join(names)}")
    for name, member, size in zip(names, ("dy0", "dyp0"), sizes):
        if getattr(one, name) is not None:
            setattr(c_one, member, pointer(run.callbacks.keep(vector(getattr(one, name), name, size))))
    system = run.system if one.by is None else _move(run, c_one, one.by, value)
    moved = Problem(system, run.t_span, run.given_start, run.options, events, shared=run)
    moved.open()
    c_one.moved = moved.problem
    return moved


def _move(run: Run, c_one: Any, by: int | str, value: float) -> Any:
    """Return the system with the parameter increased by delta, and set delta to the increment after rounding."""
    moved = value + c_one.delta
    if moved == value:
        raise ValueError(f"Sensitivity: delta = {c_one.delta:g} does not change {Sensitivity(by).title()} = {value:g}: "
                         "increase delta")
    c_one.delta = moved - value
    return run.system._moved(by, moved)
