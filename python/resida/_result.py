"""The result of an integration."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ._arrays import Array
from ._dense import DenseOutput
from ._events import EventRecord
from ._library import ffi, text
from ._options import nearest


def pandas() -> Any:
    """Return the package pandas, which only to_dataframe() needs."""
    try:
        import pandas as package
    except ImportError as reason:
        raise ImportError("to_dataframe() requires pandas (Debian: python3-pandas; pip install pandas)") from reason
    return package


@dataclass(frozen=True)
class Layout:
    """The places of the parts of y, as slices. None: y does not contain the part."""

    n: int
    p: slice | None = None
    v: slice | None = None
    lam: slice | None = None
    eta: slice | None = None
    a: slice | None = None
    rates: bool = False

    @staticmethod
    def of(c_layout: Any) -> "Layout":
        """Convert a resida_layout."""
        n_l = c_layout.n_g + c_layout.n_h
        sizes = {"p": c_layout.n_p, "v": c_layout.n_v, "lam": n_l, "eta": c_layout.n_g, "a": c_layout.n_v}
        offsets = {name: getattr(c_layout, name) for name in sizes}
        parts = {name: slice(at, at + sizes[name]) for name, at in offsets.items() if at >= 0}
        return Layout(c_layout.n, **parts, rates=bool(c_layout.rates))


    @property
    def rates_of_parts(self) -> slice:
        """The rows of yp that a, lam and eta are taken from."""
        rows = [part for part in (self.v if self.a is None else None,
                                  *((self.lam, self.eta) if self.rates else ())) if part]
        return slice(min(part.start for part in rows), max(part.stop for part in rows)) if rows else slice(0, 0)


class WithRates:
    """A solution whose yp is stored on request. Without the request `_yp` has only the rows that parts need."""

    _yp: Array
    layout: Layout

    @property
    def yp(self) -> Array:
        """[n, m] the derivatives of y. They are stored if solve() is called with yp=True."""
        if self._yp.shape[0] < self.layout.n:
            raise AttributeError("yp is not stored: use solve(..., yp=True) to store it, or dense_output=True and "
                                 "sol.yp(t)")
        return self._yp

    def _rates(self, part: slice) -> Array:
        first = 0 if self._yp.shape[0] == self.layout.n else self.layout.rates_of_parts.start
        return self._yp[part.start - first:part.stop - first]


@dataclass(eq=False, repr=False)
class Derivative(WithRates):
    """The derivative of a solution by the parameter `name`. y, yp [n, m] are derivatives of y, yp of the result; yp is
    stored if solve() is called with yp=True."""

    name: str
    y: Array
    _yp: Array
    layout: Layout

    def __repr__(self) -> str:
        return f"<{type(self).__name__} by {self.name}: shape {self.y.shape}>"


@dataclass(eq=False, repr=False)
class Result(WithRates):
    """A solution, with the attributes of the result of scipy's solve_ivp and more.

    result["NAME"] is the array [m] of a component, an output or an integral, or of an entry of a part, "lam[0]"; also
    by names of the option --columns of the command, "v.x", "lam.rod", "out.energy". keys() has the names; an output or
    an integral with the name of a component is "out.NAME". to_dataframe() returns all as a pandas table.

    Attributes:
        t: [m] the times [s]
        y: [n, m] the solution at these times
        yp: [n, m] its derivatives, if solve() is called with yp=True
        t_events, y_events: for each event its times [k], and y [k, n] at these times before the change by the event
        sol: with dense_output the solution at any time; else None
        status: 0: the end was reached; 1: an event ended the integration; < 0: failure, in the attribute `result` of an
            Error or of an exception of a callback
        message, success: the status as a text; status >= 0
        statistics: all counters, by their names in resida/stats.h; with sensitivities also their counters,
            "sensitivities"
        warnings: detected errors of the model
        hints: changes that would make the run cheaper by more than a fifth, according to its counters; a note if
            outputs of Co-Simulation were read between communication points
        layout: the places of the parts of y
        names: [n] names of the components of y
        g_names: only of a mechanism whose constraints have names: the names of lam
        start: only of a mechanism: report on the consistent initial conditions, by the names in resida/start.h
        outputs: the values [m] of each output of the system, by name
        quadratures: the values [m] of each integral along the solution, by name; 0 at the start
        output_units: the unit of each output, by name; "": unknown
        event_list: an EventRecord for each event, with the state before and after it
        sensitivities: a Derivative for each requested sensitivity, in the order of the request
    """

    t: Array
    y: Array
    _yp: Array
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
    g_names: list[str] = field(default_factory=list)
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

    def _table(self) -> dict[str, Array]:
        table = {"t": self.t, **dict(zip(self.names, self.y))}
        for name, values in (*self.outputs.items(), *self.quadratures.items()):
            table["out." + name if name in table else name] = values
        return table

    def keys(self) -> list[str]:
        """Return "t" and the names of all components, outputs and integrals."""
        return list(self._table())

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys())

    def __getitem__(self, name: str) -> Array:
        table, part = self._table(), re.fullmatch(r"(y|yp|p|v|a|lam|eta)(\[(\d+)\])?", str(name))
        if name in table:
            return table[name]
        if part and not (self.layout.p is None and part[1] not in ("y", "yp")):
            values: Array = getattr(self, part[1])
            if not part[2]:
                return values
            if int(part[3]) < len(values):
                row: Array = values[int(part[3])]
                return row
        group, _, base = str(name).partition(".")
        if group == "out" and base in (own := {**self.outputs, **self.quadratures}):
            return own[base]
        if base and base in (names := self._names_in(group)):
            entry: Array = getattr(self, group)[names.index(base)]
            return entry
        raise KeyError(f"unknown name {str(name)!r}{nearest(str(name), table)}")

    def _names_in(self, group: str) -> list[str]:
        """Return the names that follow "v." in names of the option --columns of the command."""
        if self.layout.p is None or self.layout.v is None:
            return self.names if group in ("y", "yp") else []
        p, v = self.names[self.layout.p], self.names[self.layout.v]
        of_positions = [name.removesuffix("'") if name.removesuffix("'") in p else name for name in v]
        return {"p": p, "v": of_positions, "a": of_positions, "lam": self.g_names}.get(group, [])

    def to_dataframe(self) -> Any:
        """Return a pandas.DataFrame with a row for each time and the columns keys(). Sensitivities are the columns
        "d(NAME)/d(PARAMETER)". The units of outputs are in attrs["units"].

        Raises:
            ImportError: pandas is not installed
        """
        table = self._table()
        for one in self.sensitivities:
            table.update((f"d({name})/d({one.name})", row) for name, row in zip(self.names, one.y))
        frame = pandas().DataFrame(table).set_index("t")
        frame.attrs["units"] = dict(self.output_units)
        return frame

    @property
    def nfev(self) -> int:
        """Number of residual evaluations."""
        return int(self.statistics["residual_calls"]["total"])

    @property
    def njev(self) -> int:
        """Number of Jacobian evaluations, by finite differences or by the model."""
        evaluations = self.statistics["jacobian_evaluations"]
        return int(evaluations["dense"] + evaluations["coloured"] + evaluations["user"])

    @property
    def nlu(self) -> int:
        """Number of factorisations of the iteration matrix."""
        return int(self.statistics["factorisations"])

    @property
    def profile(self) -> dict[str, float] | None:
        """With profile=1 the time [s] spent in each callback, "callbacks.residual" ..., and in each part of the
        library, and the sum of all, "total". Else None."""
        profile = self.statistics["profile"]
        if not profile["total"]:
            return None
        callbacks = {f"callbacks.{name}": seconds for name, seconds in profile["callbacks"].items() if seconds}
        return {**callbacks, **{name: seconds for name, seconds in profile.items() if name != "callbacks"}}

    @property
    def limits(self) -> list[dict[str, Any]]:
        """With profile=1 the components of y that limit the step size, in descending order: the name, and the number of
        steps in which the component had the largest error, by the names of resida_limit."""
        return [{"name": self.names[limit["component"]], **limit} for limit in self.statistics["limits"]]


class Parts:
    """The parts of y and yp of a mechanism. Their shapes are [..., m] if the shape of y is [n, m]."""

    y: Array
    yp: Array
    layout: Layout

    @property
    def p(self) -> Array:
        """Positions [n_p, m]."""
        return self.y[self._mechanical(self.layout.p)]

    @property
    def v(self) -> Array:
        """Velocities [n_v, m], followed by the first-order states."""
        return self.y[self._mechanical(self.layout.v)]

    @property
    def a(self) -> Array:
        """Accelerations [n_v, m], followed by the derivatives of the first-order states."""
        return self.y[self.layout.a] if self.layout.a else self._rates(self._mechanical(self.layout.v))

    @property
    def lam(self) -> Array:
        """Multipliers [n_g + n_h, m]; no rows without constraints."""
        return self._multipliers(self.layout.lam)

    @property
    def eta(self) -> Array:
        """Auxiliary multipliers [n_g, m], zero within the tolerance; no rows if the formulation has none."""
        return self._multipliers(self.layout.eta)

    def _rates(self, part: slice) -> Array:
        return self.yp[part]

    @staticmethod
    def _mechanical(part: slice | None) -> slice:
        if part is None:
            raise AttributeError("p, v, a, lam and eta are parts of y of a mechanism; a general DAE has y and yp only")
        return part

    def _multipliers(self, part: slice | None) -> Array:
        if part is None:
            return np.empty((0, *self.y.shape[1:]))
        return self._rates(part) if self.layout.rates else self.y[part]


class MechanismResult(Result, Parts):  # type: ignore[misc]  # yp is read-only here
    """The solution of a mechanism, with the parts p, v, a, lam, eta of y and yp."""


class MechanismDerivative(Derivative, Parts):  # type: ignore[misc]
    """The derivative of the solution of a mechanism by a parameter, with the parts p, v, a, lam, eta."""


_LINES = ("size", "warnings", "n_warnings", "hints", "n_hints")  # members of resida_stats that are not counters


def statistics(struct: Any) -> dict[str, Any]:
    """Return the numbers and texts of a C struct, by name. An array with a count `n_NAME` before it becomes a list."""
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
