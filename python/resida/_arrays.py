"""numpy arrays on memory of the library, without a copy.

The library passes the same few arrays in every call. A view of each array is therefore made once and found by its
address. Views of inputs are read-only. A view that a callback keeps also keeps the solver's memory alive; the values in
the view change with later calls.
"""

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._library import ffi

Array = NDArray[np.float64]
Function = Callable[..., Any]  # a function of the user

_DOUBLE = np.dtype(float)
_EQUATIONS = ("fun", "residual", "residual_lam", "acceleration", "acceleration_lam", "constraint",
              "invariant", "gap")  # an array of integers truncates them
_MANY = 1000  # max. number of views of one shape; a solver has fewer arrays


class Views(dict[Any, Any]):
    """The views of the arrays of one shape, by address (a `double *`)."""

    def __init__(self, shape: tuple[int, ...], writeable: bool, owner: Any) -> None:
        super().__init__()
        self._shape, self._writeable, self._owner = shape, writeable, owner

    def __missing__(self, pointer: Any) -> Array:
        if len(self) >= _MANY:
            self.clear()
        view = self._make(pointer)
        view.flags.writeable = self._writeable
        self[pointer] = view
        return view

    def _make(self, pointer: Any) -> Array:
        size = prod(self._shape)
        if size == 0:
            return np.empty(self._shape)
        held = ffi.gc(pointer, self._owner.outlive)
        return np.frombuffer(ffi.buffer(held, size * _DOUBLE.itemsize)).reshape(self._shape)


class Unchanged:
    """Takes the place of Views for an argument that is a number, and returns the number unchanged."""

    def __getitem__(self, number: float) -> float:
        return number


class Rows:
    """A table that grows by rows. At most 16 rows and an eighth of its memory are unused."""

    def __init__(self, width: int, capacity: int) -> None:
        self._rows, self.n = np.empty((capacity, width)), 0

    def add(self, row: Array) -> None:
        """Append a row, which is copied."""
        if self.n == len(self._rows):
            self._rows.resize((self.n + self.n // 8 + 16, self._rows.shape[1]), refcheck=False)
        self._rows[self.n] = row
        self.n += 1

    def columns(self, n: int) -> Array:
        """Return the first n rows as columns [width, n]. This object must not be used afterwards."""
        self._rows.resize((n, self._rows.shape[1]), refcheck=False)
        return self._rows.T


def put(out: Array, value: Any, name: str) -> None:
    """Copy the value that the callback `name` returned to `out`."""
    if value.__class__ is not np.ndarray or value.dtype is not _DOUBLE:
        value = _as_array(value, out, name)
    if value.shape != out.shape:
        raise ValueError(f"{name} returned an array of shape {value.shape}; expected shape {out.shape}")
    out[...] = value


def _as_array(value: Any, out: Array, name: str) -> Any:
    if value is None:
        raise TypeError(f"{name} returned None; expected an array of shape {out.shape}")
    is_array = isinstance(value, np.ndarray)
    value = np.asarray(value)
    if value.dtype.kind not in "fiub":
        raise TypeError(f"{name} returned an array of dtype {value.dtype}; expected real numbers")
    if is_array and value.dtype.kind != "f" and name in _EQUATIONS:
        raise TypeError(f"{name} returned an array of dtype {value.dtype}, in which fractions are lost: create the "
                        "array with dtype=float")
    return value.reshape(1) if value.ndim == 0 and out.shape == (1,) else value


def vector(value: Any, name: str, size: int | None = None) -> Array:
    """Convert an argument of the user to a contiguous vector of doubles; `size` is the required length."""
    try:
        given = np.asarray(value)
        if given.dtype.kind == "c":
            raise TypeError("complex numbers are not supported")
        if given.dtype.kind == "O" and None in given.ravel().tolist():
            raise TypeError("None is not a number")
        array: Array = np.ascontiguousarray(given, dtype=float)
        if given.dtype.kind in "SU":
            raise ValueError("it is text")
    except (TypeError, ValueError) as reason:
        raise type(reason)(f"{name} is not an array of real numbers: {reason}{_start_hint(value)}") from None
    if array.ndim != 1 or size not in (None, array.size):
        wanted = "one dimension" if size is None else f"shape ({size},)"
        raise ValueError(f"{name} has shape {array.shape}; expected {wanted}{_start_hint(value)}")
    return array


def _start_hint(value: Any) -> str:
    """Return how to pass an equilibrium as a start if `value` is one, or its `start`."""
    is_start = isinstance(value, tuple) and len(value) > 0 and all(isinstance(part, np.ndarray) for part in value)
    hint = "; pass *equilibrium.start (to solve() of a Model: equilibrium.start)"
    return hint if is_start or hasattr(value, "start") else ""


def number(value: Any, name: str) -> Any:
    """Check that the callback `name` returned a single number, and return it."""
    if np.ndim(value) > 0:
        raise ValueError(f"{name} returned an array of shape {np.shape(value)}; expected a number")
    if isinstance(value, str) or not hasattr(value, "__float__"):
        raise TypeError(f"{name} returned {value!r}; expected a number")
    return value


def pointer(array: Array) -> Any:
    """Return the `double *` of a contiguous array. The caller must keep the array alive."""
    return ffi.cast("double *", ffi.from_buffer(array))
