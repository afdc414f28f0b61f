"""The solution between the returned points, as piecewise polynomials.

The interpolant of BDF has degree 5 or less in each step, that of methods with fixed steps degree 3: six samples
suffice.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.polynomial import chebyshev

from ._arrays import Array, Function

_DEGREE = 5
chebvander: Function = chebyshev.chebvander
_NODES = -np.cos(np.pi * (np.arange(_DEGREE + 1) + 0.5) / (_DEGREE + 1))  # Chebyshev nodes, without the ends
_COEFFICIENTS = np.linalg.inv(chebvander(_NODES, _DEGREE))  # of the Chebyshev polynomials, from values at the nodes


class DenseOutput:
    """The solution at any time of an integration: sol(t) is y, [n] at a number t, [n, m] at m times; sol.yp(t) is
    dy/dt."""

    def __init__(self, t: Array, y: Array, yp: Array) -> None:
        self.t = t
        self._y = np.einsum("ij,sjn->sin", _COEFFICIENTS, y)
        self._yp = np.einsum("ij,sjn->sin", _COEFFICIENTS, yp)

    def __repr__(self) -> str:
        return f"<DenseOutput: {self._y.shape[2]} components from {self.t[0]:g} to {self.t[-1]:g}>"

    def __call__(self, t: Any) -> Array:
        """Return y at t."""
        return self._at(self._y, t)

    def yp(self, t: Any) -> Array:
        """Return dy/dt at t."""
        return self._at(self._yp, t)

    def _at(self, coefficients: Array, t: Any) -> Array:
        t = np.asarray(t, dtype=float)
        if not np.all((t >= self.t[0]) & (t <= self.t[-1])):  # also rejects NaN
            raise ValueError(f"t must be in the integrated interval, {self.t[0]:g} to {self.t[-1]:g}")
        step = np.clip(np.searchsorted(self.t, t, side="right") - 1, 0, len(self.t) - 2)
        left, right = self.t[step], self.t[step + 1]
        basis = chebvander((2 * t - left - right) / (right - left), _DEGREE).reshape(*t.shape, _DEGREE + 1)
        values: Array = np.einsum("...i,...in->...n", basis, coefficients[step]).T
        return values


class Recorder:
    """Samples the solution in each step during an integration."""

    def __init__(self, interpolate: Callable[[float], tuple[Array, Array]]) -> None:
        self.interpolate = interpolate
        self._t: list[float] = []
        self._samples: list[list[tuple[Array, Array]]] = []

    def add(self, t_0: float, t_1: float, known_from: float) -> None:
        """Add a step, or a part of a step, from t_0 to t_1. Samples before known_from, the begin of the last step, are
        those of known_from: steps between are within the rounding of t."""
        middle, half = (t_0 + t_1) / 2, (t_1 - t_0) / 2
        samples = [self.interpolate(max(t, known_from)) for t in middle + half * _NODES]
        if not self._t:
            self._t.append(t_0)
        self._t.append(t_1)
        self._samples.append(samples)

    def output(self) -> DenseOutput | None:
        """Return the recorded solution, or None if no step was recorded."""
        if not self._samples:
            return None
        samples = np.array(self._samples)
        return DenseOutput(np.array(self._t), samples[:, :, 0], samples[:, :, 1])
