"""What an integration returns."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ._arrays import Array
from ._dense import DenseOutput
from ._events import EventRecord
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
    def of(c_layout: Any) -> "Layout":
        """From a resida_layout."""
        n_l = c_layout.n_g + c_layout.n_h
        sizes = {"p": c_layout.n_p, "v": c_layout.n_v, "lam": n_l, "eta": c_layout.n_g, "a": c_layout.n_v}
        offsets = {name: getattr(c_layout, name) for name in sizes}
        parts = {name: slice(at, at + sizes[name]) for name, at in offsets.items() if at >= 0}
        return Layout(c_layout.n, **parts, rates=bool(c_layout.rates))


@dataclass(eq=False, repr=False)
class Derivative:
    """How a solution depends on the thing of this name: y, yp are [n, m] derivatives of the result's y, yp by it."""

    name: str
    y: Array
    yp: Array
    layout: Layout

    def __repr__(self) -> str:
        return f"<{type(self).__name__} by {self.name}: shape {self.y.shape}>"


@dataclass(eq=False, repr=False)
class Result:
    """A solution, in the shape of scipy's solve_ivp.

    Attributes:
        t: [m] the times [s]
        y, yp: [n, m] the solution and its derivatives there
        t_events, y_events: for each event its times [k], and y [k, n] there, before what the event changes
        sol: the solution anywhere, with dense_output; else None
        status: 0 the end is reached, 1 an event ended it, < 0 failed (then this is in an Error, `result`); `message` is
            the same in words, `success` is status >= 0
        statistics: all counters, by their names in resida/stats.h; with sensitivities what these took, "sensitivities"
        warnings: what the model says wrongly, as far as it was seen
        hints: what would make the run cheaper by more than a fifth, as far as its counters show it
        layout: where the parts of y are
        names: [n] of the components of y
        start: of a mechanism: what the consistent start did, by the names in resida/start.h
        outputs: of each quantity that the system tells, by name, its values [m]
        quadratures: of each integral along the solution, by name, its values [m], 0 at the start
        output_units: of each its unit, "" where it is not said
        event_list: an EventRecord for all that happened, with the state on both sides
        sensitivities: a Derivative for each one of the request, in its order
    """

    t: Array
    y: Array
    yp: Array
    t_events: list[Array]
    y_events: list[Array]
    sol: DenseOutput | None
    status: int
    message: str
    success: bool
    statistics: dict[str, Any]
    warnings: list[str]
    layout: Layout
    names: list[str]
    hints: list[str] = field(default_factory=list)
    start: dict[str, Any] = field(default_factory=dict)
    outputs: dict[str, Array] = field(default_factory=dict)
    quadratures: dict[str, Array] = field(default_factory=dict)
    output_units: dict[str, str] = field(default_factory=dict)
    event_list: list[EventRecord] = field(default_factory=list)
    sensitivities: list[Any] = field(default_factory=list)

    def __repr__(self) -> str:
        reach = f"{self.t.size} times from {self.t[0]:g} to {self.t[-1]:g}" if self.t.size else "no time"
        return (f"<{type(self).__name__}: {self.message}; {reach}, nfev = {self.nfev}, njev = {self.njev}, "
                f"nlu = {self.nlu}, {len(self.warnings)} warnings, {len(self.hints)} hints>")

    @property
    def nfev(self) -> int:
        """Calls of the residual."""
        return int(self.statistics["residual_calls"]["total"])

    @property
    def njev(self) -> int:
        """Evaluations of the Jacobian, by differences or by the model."""
        evaluations = self.statistics["jacobian_evaluations"]
        return int(evaluations["dense"] + evaluations["coloured"] + evaluations["user"])

    @property
    def nlu(self) -> int:
        """Factorisations of the iteration matrix."""
        return int(self.statistics["factorisations"])

    @property
    def profile(self) -> dict[str, float] | None:
        """With profile=1 where the time went [s]: of each callback, "callbacks.residual" ..., and of each part of the
        library, with their sum, "total". Else None."""
        profile = self.statistics["profile"]
        if not profile["total"]:
            return None
        callbacks = {f"callbacks.{name}": seconds for name, seconds in profile["callbacks"].items() if seconds}
        return {**callbacks, **{name: seconds for name, seconds in profile.items() if name != "callbacks"}}

    @property
    def limits(self) -> list[dict[str, Any]]:
        """With profile=1 the components of y that limit the steps, most of all the first: name, and in how many steps
        each had the largest error, by the names of resida_limit."""
        return [{"name": self.names[limit["component"]], **limit} for limit in self.statistics["limits"]]


class Parts:
    """The parts of y and yp of a mechanism; they are [.., m] as y is."""

    y: Array
    yp: Array
    layout: Layout

    @property
    def p(self) -> Array:
        """[n_p, m] positions."""
        return self.y[self._mechanical(self.layout.p)]

    @property
    def v(self) -> Array:
        """[n_v, m] velocities, and first-order states after them."""
        return self.y[self._mechanical(self.layout.v)]

    @property
    def a(self) -> Array:
        """[n_v, m] accelerations, and derivatives of states after them."""
        return self.y[self.layout.a] if self.layout.a else self.yp[self._mechanical(self.layout.v)]

    @property
    def lam(self) -> Array:
        """[n_g + n_h, m] multipliers; no rows where there are no constraints."""
        return self._multipliers(self.layout.lam)

    @property
    def eta(self) -> Array:
        """[n_g, m] auxiliary multipliers, zero but for the tolerance; no rows where the formulation has none."""
        return self._multipliers(self.layout.eta)

    @staticmethod
    def _mechanical(part: slice | None) -> slice:
        if part is None:
            raise AttributeError("p, v, a, lam and eta are parts of mechanisms; a general DAE has y and yp")
        return part

    def _multipliers(self, part: slice | None) -> Array:
        if part is None:
            return np.empty((0, *self.y.shape[1:]))
        return (self.yp if self.layout.rates else self.y)[part]


class MechanismResult(Parts, Result):
    """The solution of a mechanism, with its parts p, v, a, lam, eta."""


class MechanismDerivative(Parts, Derivative):
    """How the solution of a mechanism depends on one thing: p, v, a, lam, eta are derivatives of those."""


_LINES = ("size", "warnings", "n_warnings", "hints", "n_hints")  # of a resida_stats, which are no counters


def statistics(struct: Any) -> dict[str, Any]:
    """The numbers and texts of a struct of C, by name; arrays with a count `n_NAME` before them as lists."""
    members = dict(ffi.typeof(struct[0]).fields)
    values: dict[str, Any] = {}
    for name, member in members.items():
        if name in _LINES or name.startswith("n_") and name[2:] in members:
            continue
        values[name] = _plain(struct, name, member.type)
    return values


def _plain(struct: Any, name: str, c_type: Any) -> Any:
    value = getattr(struct, name)
    if c_type.cname == "resida_message":
        return text(value.text)
    if c_type.kind == "struct":
        return statistics(ffi.addressof(struct, name))
    if c_type.kind == "pointer" and c_type.item.cname == "char":
        return text(value)
    if c_type.kind in ("array", "pointer"):
        each = (value[i] for i in range(getattr(struct, "n_" + name)))
        return [item if isinstance(item, int) else statistics(ffi.addressof(item)) for item in each]
    return value
