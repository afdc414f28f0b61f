"""What an integration returns."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from ._dense import DenseOutput
from ._library import ffi, text


@dataclass(frozen=True)
class Layout:
    """Where the parts of y are; slices, None for a part that is not there."""

    n: int
    p: slice | None = None
    v: slice | None = None
    lam: slice | None = None
    eta: slice | None = None
    a: slice | None = None
    rates: bool = False

    @staticmethod
    def of(c_layout) -> "Layout":
        """From a resida_layout."""
        n_l = c_layout.n_g + c_layout.n_h
        sizes = {"p": c_layout.n_p, "v": c_layout.n_v, "lam": n_l, "eta": c_layout.n_g, "a": c_layout.n_v}
        offsets = {name: getattr(c_layout, name) for name in sizes}
        parts = {name: slice(at, at + sizes[name]) for name, at in offsets.items() if at >= 0}
        return Layout(c_layout.n, **parts, rates=bool(c_layout.rates))


@dataclass(repr=False)
class Result:
    """A solution, in the shape of scipy's solve_ivp.

    Attributes:
        t: [m] the times
        y, yp: [n, m] the solution and its derivatives there
        t_events, y_events: for each event its times [k], and y [k, n] there
        sol: the solution anywhere, with dense_output; else None
        status: 0 the end is reached, 1 an event ended it, < 0 failed (then this is in an Error, `result`)
        message: the same in words
        success: status >= 0
        statistics: all counters, by their names in resida/stats.h
        warnings: what the model says wrongly, as far as it was seen
        layout: where the parts of y are
        start: of a mechanism: what the consistent start did, by the names in resida/start.h
    """

    t: np.ndarray
    y: np.ndarray
    yp: np.ndarray
    t_events: list[np.ndarray]
    y_events: list[np.ndarray]
    sol: DenseOutput | None
    status: int
    message: str
    success: bool
    statistics: dict[str, Any]
    warnings: list[str]
    layout: Layout
    start: dict[str, Any]

    def __repr__(self) -> str:
        reach = f"{self.t.size} times from {self.t[0]:g} to {self.t[-1]:g}" if self.t.size else "no time"
        return (f"<{type(self).__name__}: {self.message}; {reach}, nfev = {self.nfev}, njev = {self.njev}, "
                f"nlu = {self.nlu}, {len(self.warnings)} warnings>")

    @property
    def nfev(self) -> int:
        """Calls of the residual."""
        return self.statistics["residual_calls"]["total"]

    @property
    def njev(self) -> int:
        """Evaluations of the Jacobian, by differences or by the model."""
        evaluations = self.statistics["jacobian_evaluations"]
        return evaluations["dense"] + evaluations["coloured"] + evaluations["user"]

    @property
    def nlu(self) -> int:
        """Factorisations of the iteration matrix."""
        return self.statistics["factorisations"]


class MechanismResult(Result):
    """The solution of a mechanism; its parts are [.., m] as y is."""

    @property
    def p(self) -> np.ndarray:
        """[n_p, m] positions."""
        return self.y[self.layout.p]

    @property
    def v(self) -> np.ndarray:
        """[n_v, m] velocities, and first-order states after them."""
        return self.y[self.layout.v]

    @property
    def a(self) -> np.ndarray:
        """[n_v, m] accelerations, and derivatives of states after them."""
        return self.y[self.layout.a] if self.layout.a else self.yp[self.layout.v]

    @property
    def lam(self) -> np.ndarray:
        """[n_g + n_h, m] multipliers; no rows where there are no constraints."""
        return self._multipliers(self.layout.lam)

    @property
    def eta(self) -> np.ndarray:
        """[n_g, m] auxiliary multipliers, zero but for the tolerance; no rows where the formulation has none."""
        return self._multipliers(self.layout.eta)

    def _multipliers(self, part: slice | None) -> np.ndarray:
        if part is None:
            return np.empty((0, self.t.size))
        return (self.yp if self.layout.rates else self.y)[part]


def statistics(struct) -> dict[str, Any]:
    """The numbers and texts of a struct of C, by name; arrays with a count `n_NAME` before them as lists."""
    members = dict(ffi.typeof(struct[0]).fields)
    values = {}
    for name, member in members.items():
        if name in ("size", "warnings", "n_warnings") or name.startswith("n_") and name[2:] in members:
            continue
        values[name] = _plain(struct, name, member.type)
    return values


def _plain(struct, name: str, c_type):
    value = getattr(struct, name)
    if c_type.kind == "struct":
        return statistics(ffi.addressof(struct, name))
    if c_type.kind == "pointer" and c_type.item.cname == "char":
        return text(value)
    if c_type.kind in ("array", "pointer"):
        each = (value[i] for i in range(getattr(struct, "n_" + name)))
        return [item if isinstance(item, int) else statistics(ffi.addressof(item)) for item in each]
    return value
