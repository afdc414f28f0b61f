"""Terms of the equations of a mechanism, M a + h + G' lam = 0, and the Jacobians of its links."""

from typing import TYPE_CHECKING

import numpy as np

from ._arrays import Array, pointer, vector
from ._integrate import from_time
from ._library import ffi, lib
from ._options import nearest
from ._problem import Problem

if TYPE_CHECKING:
    from ._model import Model

_RATES = "vx", "vy", "vz", "wx", "wy", "wz"


class Terms:
    """The function a -> M a + h of a model at p, v and t. Used in a `with` block."""

    def __init__(self, model: "Model", t: float, p: Array, v: Array) -> None:
        if model.is_dae:
            raise ValueError(f"{model.name} is a general DAE, which has no mass matrix")
        self._model, self._t = model, t
        self._problem = Problem(model, from_time(t), (p, v), {})

    def __enter__(self) -> "Terms":
        self._problem.open()
        if ffi.string(lib.resida_problem_formalism(self._problem.problem)) != b"residual":
            self._problem.close()
            raise ValueError(f"{self._model.name} returns accelerations, which do not determine its mass matrix")
        return self

    def __exit__(self, *_: object) -> None:
        self._problem.close()

    def __call__(self, a: Array) -> Array:
        """Return M a + h."""
        problem, layout = self._problem, self._problem.layout
        y, yp = np.zeros((2, layout.n))
        y[layout.p], y[layout.v] = problem.begin.first, problem.begin.second
        yp[layout.v] = a
        forces: Array = problem.residual(self._t, y, yp)[layout.v]
        return forces


def mass_matrix(model: "Model", p: Array, t: float) -> Array:
    """Return M, column by column."""
    n = model._model.mechanism.n_v
    with Terms(model, t, p, np.zeros(n)) as terms:
        h = terms(np.zeros(n))
        return np.array([terms(unit) - h for unit in np.eye(n)]).T


def jacobian(model: "Model", link: str, p: Array, t: float) -> Array:
    """Return the velocities of a link for a unit velocity of each coordinate."""
    links = [name.removesuffix(".vx") for name in model.outputs if name.endswith(".vx")]
    if link not in links:
        raise ValueError(f"{model.name} has no outputs {link}.vx to {link}.wz{nearest(link, links)}")
    names = list(model.outputs)
    rows = [names.index(f"{link}.{rate}") for rate in _RATES]
    m, out = model._model, np.empty(len(names))
    v = np.zeros(m.mechanism.n_v)
    J = np.empty((len(_RATES), v.size))
    point = ffi.new("resida_model_point *", {"t": t, "p": pointer(p), "v": pointer(v)})
    for k in range(v.size):
        v[:] = 0
        v[k] = 1
        if lib.resida_model_output(m, point, pointer(out)) != 0:
            raise ValueError(f"the outputs of {model.name} are unknown at t = {t:.9g}")
        J[:, k] = out[rows]
    return J
