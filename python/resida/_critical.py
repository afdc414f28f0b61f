"""Eigenvalues over a parameter, and the values of the parameter at which modes begin or cease to grow.

The search is that of the command `resida critical`: a mode grows if its real part is positive by more than its error.
If a mode grows at one of two adjacent points, bisection finds the value between them. If no mode grows at either,
golden section search finds the maximum of the largest real part, because growth may begin and end between two points.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._arrays import Array, vector
from ._linearize import Linearization
from ._result import pandas

_ROUNDING = 1e-9  # relative to |lambda|: smaller real parts are neither growth nor decay
_BRACKET = 1e-10  # fraction of the range at which bisection ends
_GOLDEN = (3 - 5 ** 0.5) / 2
_SECTIONS = 16  # they locate a maximum to 1e-3 of the two steps around it
_JUMP = 0.1  # relative to the growth rate at the point of the range: a larger one close to the value is a jump
_UNCERTAIN = 1e-6  # relative to a critical value: a larger uncertainty is printed as a range


@dataclass(frozen=True, eq=False, repr=False)
class LocusPoint:
    """The eigenvalues at one value of the parameter, without those that the formulation adds.

    Attributes:
        value: the value of the parameter
        eigenvalues: [n] complex [1/s], of a pair the one with im > 0; [n] differs from value to value
        error: [n] estimated error of each eigenvalue [1/s]
        grows: a mode grows by more than its error
        decays: all modes decay by more than their errors
    """

    value: float
    eigenvalues: NDArray[np.complex128]
    error: Array
    grows: bool
    decays: bool

    @property
    def rightmost(self) -> complex:
        """The eigenvalue with the largest real part [1/s]; NaN if there is none."""
        x = self.eigenvalues
        return complex(x[np.argmax(x.real)]) if x.size else complex(nan, nan)

    @property
    def growth(self) -> float:
        """The largest real part [1/s]; -inf if there is no eigenvalue."""
        return self.rightmost.real if self.eigenvalues.size else -inf

    def __repr__(self) -> str:
        return (f"<LocusPoint: {self.value:.8g}, re {self.rightmost.real:.6g} 1/s, "
                f"{self.rightmost.imag / (2 * np.pi):.6g} Hz{', grows' if self.grows else ''}>")


@dataclass(frozen=True, eq=False, repr=False)
class RootLocus:
    """The eigenvalues over a parameter: the name of the parameter, and a LocusPoint for each value. str() returns a
    table of the modes with the largest real parts."""

    parameter: str
    points: list[LocusPoint]

    @property
    def values(self) -> Array:
        """[n] the values of the parameter."""
        return np.array([point.value for point in self.points])

    def __len__(self) -> int:
        return len(self.points)

    def to_dataframe(self) -> Any:
        """Return a pandas.DataFrame with a row for each eigenvalue: re, im and error [1/s]. The index is the value of
        the parameter."""
        rows = [(point.value, x.real, x.imag, error) for point in self.points
                for x, error in zip(point.eigenvalues, point.error)]
        return pandas().DataFrame(rows, columns=[self.parameter, "re", "im", "error"]).set_index(self.parameter)

    def __repr__(self) -> str:
        return "\n".join([f"<{type(self).__name__} over {self.parameter}: {len(self.points)} points>",
                          *(f"  {str(point)[len('<LocusPoint: '):-1]}" for point in self.points)])


@dataclass(frozen=True)
class Change:
    """A value at which growth begins or ends, going through the range.

    Attributes:
        value: the value
        uncertain_from: if growth begins, the last value at which all modes decay; between it and `value` growth is
            within its errors. NaN: unknown, as without damping
        begins: True: growth begins; False: it ends
        eigenvalue: the growing mode close to this value [1/s]
        jumps: the growth rate is not continuous there: another equilibrium, or a discontinuity of the model
    """

    value: float
    uncertain_from: float
    begins: bool
    eigenvalue: complex
    jumps: bool

    @property
    def kind(self) -> str:
        """ "flutter", or "divergence" of a mode without oscillation."""
        return "flutter" if self.eigenvalue.imag > 0 else "divergence"

    @property
    def frequency(self) -> float:
        """The frequency of the mode [Hz]."""
        return self.eigenvalue.imag / (2 * np.pi)


@dataclass(frozen=True, eq=False, repr=False)
class Critical(RootLocus):
    """A root locus with the values at which growth begins or ends: `changes`, in the order of the range."""

    changes: list[Change]

    @property
    def value(self) -> float:
        """The first value at which a mode begins to grow. If growth only ends in the range, the value at which it ends;
        NaN if nothing changes. `changes` has the uncertainty."""
        begins = [change.value for change in self.changes if change.begins]
        return next(iter(begins or [change.value for change in self.changes]), nan)

    def __repr__(self) -> str:
        lines = [super().__repr__()]
        if self.points[0].grows:
            lines.append(f"  a mode is unstable at the start of the range, {self.points[0].value:.10g}")
        for one in self.changes:
            near = abs(one.value - one.uncertain_from) > _UNCERTAIN * abs(one.value)
            at = f"{one.uncertain_from:.10g} to {one.value:.10g}" if near else f"{one.value:.10g}"
            lines.append(f"  {self.parameter} = {at}: " + (f"{one.kind} begins, {one.frequency:.6g} Hz" if one.begins
                                                         else "growth ends") + "; the growth rate jumps" * one.jumps)
        if not self.points[0].grows and not self.changes:
            lines.append(f"  no mode is unstable up to {self.points[-1].value:.10g}")
        return "\n".join(lines)


Find = Callable[[float], LocusPoint]


def point_of(value: float, linear: Linearization) -> LocusPoint:
    """Return the point of a linear model."""
    modes = linear.modes()
    x, error = modes.eigenvalues[~modes.breaks], modes.error[~modes.breaks]
    least = np.maximum(2 * error, _ROUNDING * np.abs(x))
    return LocusPoint(value, x, error, bool(np.any(x.real > least)), bool(np.all(-x.real > least)))


def range_of(span: object, points: int) -> list[float]:
    """Return equidistant values of a range of two different numbers."""
    ends = vector(span, "span", 2)
    if not np.all(np.isfinite(ends)) or ends[0] == ends[1]:
        raise ValueError(f"span = {span!r}; expected two different numbers")
    if not isinstance(points, int) or points < 2:
        raise ValueError(f"points = {points!r}; expected an integer > 1")
    return [float(ends[0] + (ends[1] - ends[0]) * k / (points - 1)) for k in range(points)]


def search(find: Find, points: list[LocusPoint]) -> list[Change]:
    """Find all changes between points, or near a maximum of the largest real part within an interval."""
    least = _BRACKET * abs(points[-1].value - points[0].value)
    changes: list[Change] = []
    for k in range(1, len(points)):
        if points[k - 1].grows != points[k].grows:
            changes.append(_change(find, points[k - 1], points[k], least))
        a, b, c = points[k - 1], points[k], points[min(k + 1, len(points) - 1)]
        if a.decays and b.decays and c.decays and a.growth <= b.growth > c.growth:
            changes += _within(find, a, b, c, least)
    return changes


def _bisect(find: Find, has: Callable[[LocusPoint], bool], low: float, high: float, begins: bool,
            least: float) -> tuple[float, complex | None]:
    """Return the value at which a property changes, and the last growing mode that was found."""
    mode = None
    while abs(high - low) > least:
        middle = find((low + high) / 2)
        if has(middle) == begins:
            high = middle.value
        else:
            low = middle.value
        if middle.grows:
            mode = middle.rightmost
    return (high if begins else low), mode


def _change(find: Find, a: LocusPoint, b: LocusPoint, least: float) -> Change:
    """Return the change between two points, one of which has a growing mode."""
    value, mode = _bisect(find, lambda point: point.grows, a.value, b.value, b.grows, least)
    uncertain_from = nan
    if b.grows and a.decays:
        uncertain_from, _ = _bisect(find, lambda point: not point.decays, a.value, value, True, least)
    growing = (a if a.grows else b).rightmost
    mode = growing if mode is None else mode
    return Change(value, uncertain_from, b.grows, mode, mode.real > _JUMP * growing.real)


def _within(find: Find, before: LocusPoint, point: LocusPoint, after: LocusPoint, least: float) -> list[Change]:
    """Search around a point. All modes decay there and at both neighbours, which have smaller real parts."""
    a, b = before.value, after.value
    top = find(a + _GOLDEN * (b - a))
    for _ in range(_SECTIONS):
        if top.grows:
            break
        other = find(a + b - top.value)  # the mirror image of one golden section is the other one
        worse, better = (top, other) if other.growth > top.growth else (other, top)
        if (worse.value < better.value) == (a < b):
            a = worse.value
        else:
            b = worse.value
        top = better
    if not top.grows:
        return []
    is_before = abs(top.value - before.value) < abs(point.value - before.value)
    left, right = (before, point) if is_before else (point, after)
    return [_change(find, left, top, least), _change(find, top, right, least)]
