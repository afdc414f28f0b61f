"""Callbacks: Python functions, or C functions given by their addresses, as the library calls them.

A callback receives t, its arrays in the order of the headers and, if the mechanism has excitations, an Excitation after
them. It returns the arrays that the C function fills. An exception ends the integration and is raised by solve(). The
exception NotPossible makes the solver repeat the attempt with a smaller step.
"""

import contextlib
import ctypes
import dis
import functools
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np

from ._arrays import Array, Function, Unchanged, Views, put
from ._library import ffi
from ._patterns import Pattern, dense

Args = Sequence[Any]  # a list may be modified between calls

PYTHON_COST = 30_000.0  # operations of a Python callback: about 10 us, the time of a few numpy calls
_MIN_ADDRESS = 4096  # the first page of memory contains no function
_C_POINTER: Any = ctypes.CFUNCTYPE(None).__mro__[1]


class NotPossible(Exception):
    """Raised by a callback that cannot be evaluated at this state: the solver tries a smaller step."""


class Excitation(NamedTuple):
    """The external excitations u and their first two time derivatives at the time of a call, each [n_u]."""

    u: Array
    ud: Array
    udd: Array


def three_of(values: Any) -> Any:
    """Check that an excitation callback returned three values, and return them."""
    if not isinstance(values, (tuple, list, np.ndarray)) or len(values) != 3:
        raise ValueError(f"excitation returned {values!r}; expected three arrays: u, du/dt, d2u/dt2")
    return values


class Output(NamedTuple):
    """The shape of an array that a callback fills. If the array is a matrix with a pattern, its pattern."""

    shape: tuple[int, ...]
    pattern: Pattern | None = None


def address(function: Any) -> int | None:
    """Return the address of a C function: an int, an object with an int attribute `address` (numba.cfunc), or a
    function pointer of ctypes or cffi. Return None for any other object."""
    if isinstance(function, int) and not isinstance(function, bool):
        return function
    if isinstance(function, ctypes.c_void_p):
        return function.value or 0
    if isinstance(function, _C_POINTER):
        return ctypes.cast(function, ctypes.c_void_p).value
    if isinstance(function, ffi.CData):
        return int(ffi.cast("intptr_t", function))
    number = getattr(function, "address", None)
    return number if isinstance(number, int) else None


def a_function(value: Any, name: str) -> Any:
    """Check that an argument of the user is callable, and return it."""
    if not callable(value):
        raise TypeError(f"{name} is not callable: {value!r}")
    return value


def takes(function: Any, n: int) -> bool:
    """Return whether a function accepts n positional arguments, if its signature is known."""
    try:
        inspect.signature(function).bind(*range(n))
    except (TypeError, ValueError):
        return False
    return True


def ignores_time(function: Any) -> bool:
    """Return whether a Python function never reads its first argument, t. False: unknown."""
    code = getattr(function, "__code__", None) if isinstance(function, FunctionType) else None
    if code is None or code.co_argcount == 0:
        return False
    t = code.co_varnames[0]
    read = [one.argval if isinstance(one.argval, tuple) else (one.argval,) for one in dis.get_instructions(code)]
    return t not in code.co_cellvars and not any(t in names for names in read)


def note_callback(raised: BaseException, name: str) -> None:
    """Add the name of the callback to the notes of an exception."""
    raised.add_note(f"resida: raised by the callback {name}")


def functions(given: Mapping[str, Function] | None, name: str) -> dict[str, Function]:
    """Check that an argument of the user is a dict of Python functions by name, and return a copy."""
    if given and not isinstance(given, Mapping):
        raise TypeError(f"{name} = {given!r} is not a dict of functions by name")
    return {key: a_function(each, f"{name}['{key}']") for key, each in (given or {}).items()}


class Callbacks:
    """The objects that the callbacks of one solver need while it exists, and the first exception of a callback.

    `owner` owns the memory that is passed to the callbacks.
    """

    def __init__(self, owner: Any) -> None:
        self.raised: BaseException | None = None
        self.refusal = ""  # text of the last exception that was treated as NotPossible
        self._refusals: tuple[type[BaseException], ...] = (NotPossible,)
        self._owner = owner
        self._views: dict[tuple[Any, ...], Views] = {}
        self._kept: list[Any] = []

    def keep(self, thing: Any) -> Any:
        """Keep a reference to an object that C points to, and return the object."""
        self._kept.append(thing)
        return thing

    def texts(self, words: Sequence[str], n: int, name: str) -> Any:
        """Convert the n texts of the argument `name` to a `const char *const *`."""
        if isinstance(words, str) or not all(isinstance(word, str) for word in words):
            raise TypeError(f"{name} = {words!r} is not a sequence of names")
        if len(set(words)) != len(words):
            raise ValueError(f"{name} = {words!r} contains a name twice")
        if len(words) != n:
            raise ValueError(f"{name} has {len(words)} names; expected {n}")
        return self.keep(ffi.new("char *[]", [self.keep(ffi.new("char[]", word.encode())) for word in words]))

    def views(self, shape: tuple[int, ...], writeable: bool) -> Views:
        """Return the views of arrays of this shape."""
        key = shape, writeable
        if key not in self._views:
            self._views[key] = Views(shape, writeable, self._owner)
        return self._views[key]

    def forget(self) -> None:
        """Release arrays and functions after the last call."""
        self._views.clear()
        self._kept.clear()

    def pointer(self, c_type: str, name: str, function: Any, make: Callable[[], Any]) -> Any:
        """Return a function as a C pointer of this type. A C function is given by its address. For a Python function,
        make() returns the Python function that C calls."""
        number = address(function)
        if number is not None and number >= _MIN_ADDRESS:
            return ffi.cast(c_type + " *", self.keep(function) and number)
        if number is not None or not callable(function):
            raise TypeError(f"{name} is neither callable nor the address of a C function: {function!r}")
        return self.c_function(c_type + " *", make(), name)

    def c_function(self, c_type: str, function: Function, name: str = "") -> Any:
        """Return a C callback that calls `function` with the arguments of C. If the function raises, the callback
        returns -1, or 1 for NotPossible, and the exception gets a note with the name."""
        return self.keep(ffi.callback(c_type, function, error=-1, onerror=functools.partial(self._on_error, name)))

    @contextlib.contextmanager
    def forgiving(self, *also: type[BaseException]) -> Iterator[None]:
        """Treat these exceptions as NotPossible within the `with` block."""
        self._refusals = (NotPossible, *also)
        try:
            yield
        finally:
            self._refusals = (NotPossible,)

    def _on_error(self, name: str, _: Any, raised: BaseException, traceback: Any) -> int:
        if isinstance(raised, self._refusals):
            self.refusal = f"raised {raised!r}"
            return 1
        if self.raised is None:
            self.raised = raised.with_traceback(traceback)
            if name:
                note_callback(raised, name)
        return -1

    def excitation(self, n_u: int) -> Callable[[Any], Excitation]:
        """Return a function that converts a `resida_excitation *` to an Excitation."""
        view = self.views((n_u,), writeable=False)
        return lambda e: Excitation(view[e.u], view[e.ud], view[e.udd])

    def python(self, name: str, function: Any, inputs: tuple[Any, ...], outputs: tuple[Output, ...], n_u: int = 0,
               args: Args = ()) -> Function:
        """Return a C function (t, inputs..., e, outputs..., user) that calls function(t, inputs..., [Excitation,]
        args...).

        `inputs` has the size of each array, or None for an argument that is a number.
        """
        read: list[Any] = [Unchanged() if size is None else self.views((size,), writeable=False) for size in inputs]
        n_in = len(read)
        fill = self._filler(name, outputs)
        excitation = self.excitation(n_u) if n_u else None

        def call(t: float, *c: Any) -> int:
            arrays = [view[at] for view, at in zip(read, c)]
            if excitation:
                arrays.append(excitation(c[n_in]))
            fill(c[n_in + 1:], function(t, *arrays, *args))
            return 0

        return call

    def times(self, name: str, function: Any, n: int, args: Args = ()) -> Function:
        """Return a resida_jacobian_times_fn that calls function(t, y, yp, dy, dyp, args...) for each direction."""
        read, out = self.views((n,), writeable=False), self.views((n,), writeable=True)

        def call(t: float, y: Any, yp: Any, e: Any, k: int, dy: Any, dyp: Any, products: Any, user: Any) -> int:
            for at in range(0, k * n, n):
                put(out[products + at], function(t, read[y], read[yp], read[dy + at], read[dyp + at], *args), name)
            return 0

        return call

    def excite(self, function: Any, n_u: int, args: Args = ()) -> Function:
        """Return a resida_excitation_fn, (t, u, ud, udd, user), that calls function(t, args...) -> (u, ud, udd)."""
        fill = self._filler("excitation", (Output((n_u,)),) * 3)

        def call(t: float, *c: Any) -> int:
            fill(c, three_of(function(t, *args)))
            return 0

        return call

    def _filler(self, name: str, outputs: tuple[Output, ...]) -> Function:
        """Return fill(pointers, value), which copies the value that a callback returned to the output pointers."""
        fills = [self._fill_one(name, output) for output in outputs]
        if len(fills) == 1:
            return lambda pointers, value: fills[0](pointers[0], value)

        def fill_all(pointers: Any, values: Any) -> None:
            if len(values) != len(fills):
                raise ValueError(f"{name} returned {len(values)} arrays; expected {len(fills)}")
            for fill, at, value in zip(fills, pointers, values):
                fill(at, value)

        return fill_all

    def _fill_one(self, name: str, output: Output) -> Function:
        if output.pattern:
            out, values = self.views((output.pattern.nnz,), writeable=True), output.pattern.values
            return lambda at, value: put(out[at], values(value), name)
        out = self.views(output.shape, writeable=True)
        if len(output.shape) == 1:
            return lambda at, value: put(out[at], value, name)
        return lambda at, value: put(out[at], dense(value), name)
