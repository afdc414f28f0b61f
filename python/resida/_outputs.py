"""Outputs: quantities computed from a state."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ._arrays import Array, Function, number, pointer
from ._callbacks import Args, Callbacks, Excitation, functions, note_callback, takes
from ._library import Error, ffi, lib, text

_TYPE = "int(*)(const resida_model *, const resida_model_point *, double *)"


def sizes_of(model: Any) -> dict[str, int]:
    """Return the sizes of the parts of a state, by their names in a resida_model_point."""
    if model.is_dae:
        return dict.fromkeys(("y", "yp"), model.dae.n)
    m = model.mechanism
    return {"p": m.n_p, "v": m.n_v, "a": m.n_v, "lam": m.n_g + m.n_h}


def point_of(t: float, state: Mapping[str, Array]) -> tuple[Any, Any]:
    """Return a resida_model_point, and the arrays that it points to."""
    point, held = ffi.new("resida_model_point *", {"t": t}), {}
    for name, part in state.items():
        held[name] = np.ascontiguousarray(part)
        setattr(point, name, pointer(held[name]) if part.size else ffi.NULL)
    return point, held


def ask_outputs(model: Any, t: float, state: Mapping[str, Array]) -> dict[str, float]:
    """Return the outputs of a resida_model in a state, by name; NaN where unknown."""
    out, (point, _held) = np.full(model.n_outputs + 1, np.nan), point_of(t, state)
    status = lib.resida_model_output(model, point, pointer(out)) if model.n_outputs else 0
    if status < 0:
        name = text(model.cls.name) + ": " if model.cls else ""
        raise Error(lib.RESIDA_ERR_USER, f"{name}output() failed at t = {t:.9g}")
    names = [text(model.output_names[i]) for i in range(model.n_outputs)]
    return dict(zip(names, (out if status == 0 else np.full_like(out, np.nan)).tolist()))


def _copy(at: Any, n: int) -> Array:
    """Copy a part of a state that C passes. NULL gives NaN: the part is unknown."""
    return np.array(ffi.unpack(at, n)) if at and n else np.full(n, np.nan)


def excited(functions: Mapping[str, Function], model: Any, n: int) -> Callable[..., list[tuple[Any, ...]]]:
    """Return a function of a time and of other values u, if not NULL. It returns for each function a tuple with the
    Excitation. The tuple is empty unless the function has exactly one more argument than n."""
    takes_one = [takes(function, n + 1) and not takes(function, n) for function in functions.values()]
    if model.is_dae or not model.mechanism.n_u or not any(takes_one):
        return lambda t, u: [()] * len(takes_one)

    def at(t: float, u: Any) -> list[tuple[Any, ...]]:
        m = model.mechanism
        each = np.empty((3, m.n_u))
        if m.excitation(t, *map(pointer, each), m.user):
            raise ValueError(f"the excitation is unknown at t = {t:.9g}")
        if u:
            each[0] = ffi.unpack(u, m.n_u)
        return [(Excitation(*each),) if takes_it else () for takes_it in takes_one]

    return at


def evaluator(kind: str, known: Mapping[str, Function], model: Any, args: Args) -> Callable[[Any, Any, Any], int]:
    """Return a function of a state, of other values u, if not NULL, and of the numbers that it sets. The functions
    receive t, the parts of the state, the Excitation if they have one more argument, and args."""
    sizes = sizes_of(model)
    excitations = excited(known, model, 1 + len(sizes) + len(args))

    def evaluate(at: Any, u: Any, out: Any) -> int:
        state = [_copy(getattr(at, part), n) for part, n in sizes.items()]
        for i, ((name, function), e) in enumerate(zip(known.items(), excitations(at.t, u))):
            try:
                out[i] = number(function(at.t, *state, *e, *args), f"{kind}['{name}']")
            except Exception as raised:
                note_callback(raised, f"{kind}['{name}']")
                raise
        return 0

    return evaluate


def describe_outputs(model: Any, callbacks: Callbacks, outputs: Mapping[str, Function], args: Args) -> None:
    """Set the members n_outputs, output_names and output of a resida_model."""
    if not outputs:
        return
    evaluate = evaluator("outputs", functions(outputs, "outputs"), model, args)
    model.n_outputs = len(outputs)
    model.output_names = callbacks.texts(list(outputs), len(outputs), "outputs")
    model.output = callbacks.c_function(_TYPE, lambda _, at, out: evaluate(at, at.u, out))
