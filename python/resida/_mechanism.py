"""Mechanisms: equations of motion in residual or explicit form, with constraints.

    p' = T(p) v,    Phi(p, v, a, u) + G' lam + Gh' nu = 0,    0 = g(p, u),    0 = Gh(p, u) v + gh(p, u)

What each callback means stands in resida/mechanism.h, under the same name.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ._arrays import vector
from ._callbacks import Callbacks, Excitation, Output, address
from ._events import Events
from ._library import ffi, lib
from ._options import check_names, nearest
from ._patterns import Pattern
from ._result import MechanismResult
from ._run import PYTHON_COST, Run, Tolerance, integrate, times

# Of each callback its type, what it is handed and what it fills, by letters: p, v as in the header, q the velocities
# without states, g, h, k constraints and invariants, l multipliers; two letters are a matrix, with the pattern named.
_POSITION, _VELOCITY, _PRODUCT = "resida_position_fn", "resida_velocity_fn", "resida_product_fn"
_CALLBACKS = {
    "residual": ("resida_residual_fn", "pvv", [("v", "")]),
    "acceleration": ("resida_acceleration_fn", "pvv", [("v", "")]),
    "residual_lam": ("resida_residual_lam_fn", "pvvl", [("v", "")]),
    "acceleration_lam": ("resida_acceleration_lam_fn", "pvvl", [("v", "")]),
    "constraint": (_POSITION, "p", [("g", "")]),
    "constraint_matrix": (_POSITION, "p", [("gp", "G_pattern")]),
    "constraint_force": (_PRODUCT, "pg", [("p", "")]),
    "constraint_velocity": (_PRODUCT, "pp", [("g", "")]),
    "velocity_bias": (_POSITION, "p", [("g", "")]),
    "acceleration_bias": (_VELOCITY, "pv", [("g", "")]),
    "mass_matrix": (_POSITION, "p", [("vv", "M_pattern")]),
    "potential": (_POSITION, "p", [("1", "")]),
    "derivatives": ("resida_derivatives_fn", "pvvl",
                    [("vp", "Phi_p_pattern"), ("vv", "Phi_v_pattern"), ("vl", "Phi_lam_pattern")]),
    "kinematic_matrix": (_POSITION, "p", [("pq", "T_pattern")]),
    "invariant": (_POSITION, "p", [("k", "")]),
    "invariant_matrix": (_POSITION, "p", [("kp", "K_pattern")]),
    "nonholonomic_matrix": (_POSITION, "p", [("hq", "Gh_pattern")]),
    "nonholonomic_bias": (_POSITION, "p", [("h", "")]),
    "nonholonomic_acceleration_bias": (_VELOCITY, "pv", [("h", "")]),
    "projection_matrix": (_POSITION, "p", [("vg", "")]),
}
_NAMES = {"p_names": "p", "v_names": "v", "g_names": "l"}


@dataclass(kw_only=True)
class Mechanism:
    """A mechanism: callbacks and sizes by their names in resida/mechanism.h. None: not there, or found.

    A callback gets t, its arrays (the library's memory: copy what you keep) and, where there is an `excitation`, an
    Excitation behind them; it returns what the C function fills: residual(t, p, v, a) returns r [n_v], constraint(t, p)
    returns g [n_g], constraint_matrix(t, p) a matrix [n_g, n_p], or its values in the order of G_pattern. Addresses of
    C functions do, too, and need sizes.
    """

    residual: Callable | int | None = None  # (t, p, v, a) -> M a - Psi [n_v]; this, or one of the next three
    acceleration: Callable | int | None = None  # (t, p, v, f) -> M^-1 (Psi + f) [n_v]
    residual_lam: Callable | int | None = None  # (t, p, v, a, lam) -> M a - Psi(.., lam) [n_v]
    acceleration_lam: Callable | int | None = None  # (t, p, v, f, lam) -> [n_v]
    constraint: Callable | int | None = None  # (t, p) -> g [n_g]
    constraint_matrix: Callable | int | None = None  # (t, p) -> dg/dp [n_g, n_p]
    constraint_force: Callable | int | None = None  # (t, p, lam) -> (dg/dp)' lam [n_p]
    constraint_velocity: Callable | int | None = None  # (t, p, x) -> (dg/dp) x [n_g]
    velocity_bias: Callable | int | None = None  # (t, p) -> dg/dt [n_g]
    acceleration_bias: Callable | int | None = None  # (t, p, v) -> d(G v + gI)/dt at constant v [n_g]
    mass_matrix: Callable | int | None = None  # (t, p) -> M [n_v, n_v]
    potential: Callable | int | None = None  # (t, p) -> V
    derivatives: Callable | int | None = None  # (t, p, v, a, lam) -> dPhi/dp, dPhi/dv (, dPhi/dlam)
    kinematic_matrix: Callable | int | None = None  # (t, p) -> T [n_p, n_v - n_z]
    invariant: Callable | int | None = None  # (t, p) -> k [n_k]
    invariant_matrix: Callable | int | None = None  # (t, p) -> dk/dp [n_k, n_p]
    nonholonomic_matrix: Callable | int | None = None  # (t, p) -> Gh [n_h, n_v - n_z]
    nonholonomic_bias: Callable | int | None = None  # (t, p) -> gh [n_h]
    nonholonomic_acceleration_bias: Callable | int | None = None  # (t, p, v) -> d(Gh v + gh)/dt [n_h]
    projection_matrix: Callable | int | None = None  # (t, p) -> D [n_v, n_g], for projection="own"
    excitation: Callable | int | None = None  # (t) -> u, du/dt, d2u/dt2, each [n_u]

    G_pattern: Any = None  # a matrix that is not 0 where there are entries, or (row, col); so the others
    M_pattern: Any = None
    Phi_p_pattern: Any = None
    Phi_v_pattern: Any = None
    Phi_lam_pattern: Any = None
    T_pattern: Any = None
    K_pattern: Any = None
    Gh_pattern: Any = None

    n_z: int = 0  # first-order states, the last of v
    n_g: int | None = None  # found by a call of constraint, where that is a Python function; so n_h, n_k, n_u
    n_h: int | None = None
    n_k: int | None = None
    n_u: int | None = None

    name: str = "mechanism"  # for messages
    p_names: Sequence[str] | None = None
    v_names: Sequence[str] | None = None
    g_names: Sequence[str] | None = None
    cost: Mapping[str, float] = field(default_factory=dict)  # of a call of a callback in operations
    user: int | None = None  # an address that C callbacks get
    thread_safe: bool = False  # of C callbacks

    def solve(self, t_span, p0, v0=None, *, t_eval=None, events=None, dense_output: bool = False,
              rtol: Tolerance = 1e-6, atol: Tolerance = 1e-6, **options: Any) -> MechanismResult:
        """Integrate from t_span[0] to t_span[1].

        Args:
            t_span: two times, the later one last
            p0, v0: [n_p], [n_v] the start, which is made consistent; v0 None: at rest
            t_eval: times of the result; None: each step
            events: one or several event(t, p, v), as in solve_dae()
            dense_output: also make `sol`, the solution y anywhere
            rtol, atol: relative and absolute tolerance; also [n], by component of y
            **options: of resida/problem.h (form: "ggl" where there are constraints; gamma, projection ...),
                resida/start.h (redundant="drop" ...) and resida/solver.h (method, step, jacobian ...), by name

        Returns:
            a MechanismResult. Raises as solve_dae() does.
        """
        check_names(options, Mechanism.solve)
        t_0, t_end, t_eval = times(t_span, t_eval)
        p0 = vector(p0, "p0")
        v0 = np.zeros(p0.size) if v0 is None else vector(v0, "v0")
        sizes = self._sizes(t_0, p0, v0)
        watched = Events(events)
        with Run() as run:
            model = self._describe(run.callbacks, sizes, watched)
            options = {"t_stop": t_end, **options}
            if self.projection_matrix is not None:
                options["projection_matrix"] = self._pointer(run.callbacks, "projection_matrix", sizes, {})
            run.create(lib.resida_problem_create, model, rtol, atol, options)
            run.start(t_0, p0, v0)
            return integrate(run, t_end, t_eval, watched, dense_output, MechanismResult)

    def _sizes(self, t: float, p: np.ndarray, v: np.ndarray) -> dict[str, int]:
        """What the letters of _CALLBACKS stand for."""
        n_u = self._size("n_u", self.excitation, lambda: np.size(self.excitation(t)[0]))
        e = [Excitation(*(np.array(u, dtype=float) for u in self.excitation(t)))] if self._asks_excitation(n_u) else []
        sizes = {"p": p.size, "v": v.size, "q": v.size - self.n_z, "u": n_u, "1": 1}
        sizes["g"] = self._size("n_g", self.constraint, lambda: len(self.constraint(t, p, *e)))
        sizes["k"] = self._size("n_k", self.invariant, lambda: len(self.invariant(t, p, *e)))
        sizes["h"] = self._size("n_h", self.nonholonomic_matrix, lambda: self._rows_of_gh(t, p, e))
        sizes["l"] = sizes["g"] + sizes["h"]
        return sizes

    def _asks_excitation(self, n_u: int) -> bool:
        return n_u > 0 and address(self.excitation) is None

    def _rows_of_gh(self, t, p, e) -> int:
        if self.Gh_pattern is None:
            return self.nonholonomic_matrix(t, p, *e).shape[0]
        return len(self.Gh_pattern[0]) - 1 if isinstance(self.Gh_pattern, tuple) else np.shape(self.Gh_pattern)[0]

    def _size(self, name: str, function, ask: Callable[[], int]) -> int:
        given = getattr(self, name)
        if given is not None or function is None:
            return given or 0
        if address(function) is not None:
            raise ValueError(f"{name} is needed, where a callback is a function of C")
        return ask()

    def _describe(self, callbacks: Callbacks, sizes: dict[str, int], watched: Events):
        """The resida_mechanism."""
        model = ffi.new("resida_mechanism *")
        lib.resida_mechanism_init(model)
        model.n_p, model.n_v, model.n_z = sizes["p"], sizes["v"], self.n_z
        model.n_g, model.n_h, model.n_k, model.n_u = (sizes[letter] for letter in "ghku")
        model.name = callbacks.keep(ffi.new("char[]", self.name.encode()))
        model.user = ffi.NULL if self.user is None else ffi.cast("void *", self.user)
        model.thread_safe = self.thread_safe
        patterns = self._patterns(callbacks, sizes, model)
        for name in _CALLBACKS:
            if getattr(self, name) is not None and name != "projection_matrix":
                setattr(model, name, self._pointer(callbacks, name, sizes, patterns))
        if self.excitation is not None:
            model.excitation = callbacks.pointer("resida_excitation_fn", "excitation", self.excitation,
                                                 lambda: callbacks.excite(self.excitation, sizes["u"]))
        model.n_root = len(watched)
        model.root = watched.pointer(_VELOCITY, callbacks, (sizes["p"], sizes["v"]), sizes["u"], ())
        self._set_costs(model)
        for name, letter in _NAMES.items():
            if getattr(self, name) is not None:
                setattr(model, name, self._texts(callbacks, name, sizes[letter]))
        return model

    def _patterns(self, callbacks: Callbacks, sizes, model) -> dict[str, Pattern]:
        patterns = {}
        for _, _, outputs in _CALLBACKS.values():
            for letters, name in outputs:
                if name and getattr(self, name) is not None:
                    shape = sizes[letters[0]], sizes[letters[1]]
                    patterns[name] = callbacks.keep(Pattern(getattr(self, name), shape, name))
                    patterns[name].fill(getattr(model, name))
        return patterns

    def _pointer(self, callbacks: Callbacks, name: str, sizes, patterns):
        c_type, letters, filled = _CALLBACKS[name]
        if name == "derivatives" and self.residual_lam is None:
            filled = filled[:2]
        outputs = tuple(Output(tuple(sizes[letter] for letter in shape), patterns.get(pattern))
                        for shape, pattern in filled)
        function = getattr(self, name)
        inputs = tuple(sizes[letter] for letter in letters)
        return callbacks.pointer(c_type, name, function,
                                 lambda: callbacks.python(name, function, inputs, outputs, sizes["u"]))

    def _set_costs(self, model) -> None:
        for name in [*_CALLBACKS, "excitation"]:
            if getattr(self, name) is not None and address(getattr(self, name)) is None:
                setattr(model.cost, name, PYTHON_COST)
        members = dict(ffi.typeof("resida_callback_costs").fields)
        for name, operations in self.cost.items():
            if name not in members:
                raise TypeError(f"cost: there is no callback '{name}'{nearest(name, members)}")
            setattr(model.cost, name, operations)

    def _texts(self, callbacks: Callbacks, name: str, n: int):
        words = getattr(self, name)
        if len(words) != n:
            raise ValueError(f"{name} has {len(words)} names, and {n} are needed")
        each = [callbacks.keep(ffi.new("char[]", word.encode())) for word in words]
        return callbacks.keep(ffi.new("char *[]", each))
