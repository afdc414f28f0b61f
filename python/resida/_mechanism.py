"""Mechanisms: equations of motion in residual or explicit form, with constraints and contacts.

    p' = T(p) v,    Phi(p, v, a, u) + G' lam + Gh' nu = 0,    0 = g(p, u),    0 = Gh(p, u) v + gh(p, u)

The callbacks are documented under the same names in resida/mechanism.h, contacts in resida/contact.h.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from numbers import Integral
from typing import Any

import numpy as np

from ._arrays import Array, Function, pointer, vector
from ._callbacks import (PYTHON_COST, Args, Callbacks, Excitation, Output, a_function, address, note_callback,
                         three_of)
from ._events import Events
from ._integrate import CHECKPOINT_STEPS
from ._library import ffi, lib
from ._options import nearest
from ._outputs import describe_outputs
from ._patterns import Pattern, n_rows
from ._result import MechanismResult
from ._run import Quadratures, Tolerance
from ._system import WithArgs

# For each callback: its type, its inputs and its outputs, with pattern names. Letters denote sizes: p, v as in the
# header; q the velocities without first-order states; g, h, k constraints, nonholonomic constraints, invariants; l
# multipliers; c contacts. Two letters denote a matrix.
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
    "gap_matrix": (_POSITION, "p", [("cp", "")]),
    "gap_rate": (_POSITION, "p", [("c", "")]),
}
_SIZED = {"n_g": "constraint", "n_h": "nonholonomic_matrix", "n_k": "invariant", "n_u": "excitation"}
_ELSEWHERE = {"projection_matrix", "gap_matrix", "gap_rate"}  # these are not members of resida_mechanism
_NAMES = {"p_names": "p", "v_names": "v", "g_names": "l"}


@dataclass(kw_only=True, eq=False, repr=False)
class Mechanism(WithArgs):
    """A mechanism: callbacks and sizes, by their names in resida/mechanism.h. None: not present, or found by the
    solver.

    A callback receives t, its arrays, an Excitation if there is an `excitation`, and then `args`. The arrays are memory
    of the library: copy an array before you keep it. A callback returns the arrays that the C function fills, a matrix
    possibly as its values in the order of its pattern. A callback may also be the address of a C function; the sizes
    must then be given.

    Contacts: gap(t, p) returns the gaps [n]. A contact is open while its gap is > 0. When a gap closes, the bodies
    rebound with the coefficient `restitution` by Newton's law, see resida/impact.h. If a gap stays closed the run ends.

    Attributes:
        residual(t, p, v, a) returns M a - Psi [n_v]; this, or one of the next three
        acceleration(t, p, v, f) returns M^-1 (Psi + f) [n_v]
        residual_lam(t, p, v, a, lam) returns M a - Psi(.., lam) [n_v]
        acceleration_lam(t, p, v, f, lam) returns [n_v]
        constraint(t, p) returns g [n_g]
        constraint_matrix(t, p) returns dg/dp [n_g, n_p]
        constraint_force(t, p, lam) returns (dg/dp)' lam [n_p]
        constraint_velocity(t, p, x) returns (dg/dp) x [n_g]
        velocity_bias(t, p) returns dg/dt [n_g]
        acceleration_bias(t, p, v) returns d(G v + gI)/dt at constant v [n_g]
        mass_matrix(t, p) returns M [n_v, n_v]
        potential(t, p) returns V, a number
        derivatives(t, p, v, a, lam) returns dPhi/dp [n_v, n_p], dPhi/dv [n_v, n_v] (, dPhi/dlam [n_v, n_g + n_h])
        kinematic_matrix(t, p) returns T [n_p, n_v - n_z]
        invariant(t, p) returns k [n_k]
        invariant_matrix(t, p) returns dk/dp [n_k, n_p]
        nonholonomic_matrix(t, p) returns Gh [n_h, n_v - n_z]
        nonholonomic_bias(t, p) returns gh [n_h]
        nonholonomic_acceleration_bias(t, p, v) returns d(Gh v + gh)/dt [n_h]
        projection_matrix(t, p) returns D [n_v, n_g], for projection="own"
        excitation(t) returns u, du/dt, d2u/dt2, each [n_u]; it also receives `args`
        gap(t, p) returns gaps of the contacts [n]
        restitution: of the contacts, 0 to 1; one for all, or [n]
        gap_matrix(t, p) returns d gap/dp [n, n_p]; None: differences
        gap_rate(t, p) returns d gap/dt [n] at a fixed p, for moving walls; None: differences
        gap_names: [n] names for messages
        args: passed to all callbacks after the other arguments: a tuple, or one argument
        G_pattern: a matrix, or (row, col), as jac_sparsity of a DAE; the same for the other patterns
        n_z: number of first-order states, the last components of v
        n_g: None: size of what the Python callback returns; also n_h, n_k, n_u
        name: for messages
        cost: operations of a call of each callback, by name
        user: an address that is passed to C callbacks
        thread_safe: C callbacks may be called by several threads
        outputs: by name: functions of (t, p, v, a, lam) that return a number; the Excitation follows if the function
            has one more argument
    """

    is_dae = False
    _of_equations = (*_CALLBACKS, "excitation", "gap")
    _names_of_c = {r"\bcontacts\.matrix\b": "gap_matrix", r"\bcontacts\.rate\b": "gap_rate",
                   r"\bcontacts\.restitution\b": "restitution", r"(?<=callback )root(_lam)?\b": "events"}

    residual: Function | int | None = None
    acceleration: Function | int | None = None
    residual_lam: Function | int | None = None
    acceleration_lam: Function | int | None = None
    constraint: Function | int | None = None
    constraint_matrix: Function | int | None = None
    constraint_force: Function | int | None = None
    constraint_velocity: Function | int | None = None
    velocity_bias: Function | int | None = None
    acceleration_bias: Function | int | None = None
    mass_matrix: Function | int | None = None
    potential: Function | int | None = None
    derivatives: Function | int | None = None
    kinematic_matrix: Function | int | None = None
    invariant: Function | int | None = None
    invariant_matrix: Function | int | None = None
    nonholonomic_matrix: Function | int | None = None
    nonholonomic_bias: Function | int | None = None
    nonholonomic_acceleration_bias: Function | int | None = None
    projection_matrix: Function | int | None = None
    excitation: Function | int | None = None

    gap: Function | None = None
    restitution: float | Sequence[float] = 0.0
    gap_matrix: Function | None = None
    gap_rate: Function | None = None
    gap_names: Sequence[str] | None = None

    outputs: Mapping[str, Function] = field(default_factory=dict)
    args: Any = ()

    G_pattern: Any = None
    M_pattern: Any = None
    Phi_p_pattern: Any = None
    Phi_v_pattern: Any = None
    Phi_lam_pattern: Any = None
    T_pattern: Any = None
    K_pattern: Any = None
    Gh_pattern: Any = None

    n_z: int = 0
    n_g: int | None = None
    n_h: int | None = None
    n_k: int | None = None
    n_u: int | None = None

    name: str = "mechanism"
    p_names: Sequence[str] | None = None
    v_names: Sequence[str] | None = None
    g_names: Sequence[str] | None = None
    cost: Mapping[str, float] = field(default_factory=dict)
    user: int | None = None
    thread_safe: bool = False

    def solve(self, t_span: Any, p0: Any, v0: Any = None, *, t_eval: Any = None, events: Any = None,
              dense_output: bool = False, yp: bool = False, rtol: Tolerance = 1e-6, atol: Tolerance = 1e-6,
              sensitivities: Any = (), quadratures: Quadratures = None, checkpoint: Any = None,
              checkpoint_steps: int = CHECKPOINT_STEPS, resume: Any = None, **options: Any) -> MechanismResult:
        """Integrate from t_span[0] to t_span[1].

        Args:
            t_span: start time and end time [s], increasing
            p0, v0: [n_p], [n_v] the initial state, which is made consistent; v0 None: zero
            t_eval, events, dense_output, yp, sensitivities, checkpoint, checkpoint_steps, resume: as in solve_dae();
                a and lam of the result need no yp; events are functions of (t, p, v), or of (t, p, v, lam) if they have
                one more parameter, followed by the Excitation and args as in callbacks
            quadratures: as in solve_dae(), but functions of (t, p, v, a, lam, *args), for example the power of a force
                for its work; the Excitation is passed as to outputs
            rtol, atol: relative and absolute tolerance; a number, or [n] by component of y
            **options: of resida/problem.h (form: default "ggl" with constraints; gamma, projection ...), resida/start.h
                (redundant="drop" ...) and resida/solver.h (method, step, jacobian ...), by name

        Returns:
            a MechanismResult. The exceptions are those of solve_dae().
        """
        result: MechanismResult = self._solve(Mechanism.solve, t_span, (p0, v0), t_eval,
                                              events, dense_output, yp, rtol, atol, sensitivities,
                                              quadratures, checkpoint, checkpoint_steps, resume, options)
        return result

    def _vectors(self, *start: Any) -> tuple[Array, Array | None]:
        if len(start) not in (1, 2):
            raise TypeError(f"the start of a mechanism is p0 or p0, v0; got {len(start)} arguments")
        if not (isinstance(self.n_z, Integral) and isinstance(self.name, str)):
            raise TypeError(f"n_z = {self.n_z!r} must be an integer, and name = {self.name!r} a text")
        p0 = vector(start[0], "p0")
        size = None if self.kinematic_matrix is not None else p0.size + self.n_z
        if len(start) < 2 or start[1] is None:
            return p0, np.zeros(p0.size + self.n_z)
        return p0, vector(start[1], "v0", size)

    def _sizes(self, t: float, p: Array, v: Array) -> dict[str, int]:
        """Return the sizes that the letters of _CALLBACKS denote."""
        args: Any = self.args
        n_u = self._size("n_u", self.excitation, lambda u: np.size(three_of(u)[0]), t, *args)
        excitation: Any = self.excitation
        if n_u > 0 and address(excitation) is None:
            args = (Excitation(*(np.array(each, dtype=float) for each in three_of(excitation(t, *args)))), *args)
        sizes = {"p": p.size, "v": v.size, "q": v.size - self.n_z, "u": n_u, "1": 1}
        sizes["g"] = self._size("n_g", self.constraint, np.size, t, p, *args)
        sizes["k"] = self._size("n_k", self.invariant, np.size, t, p, *args)
        sizes["h"] = self._size("n_h", self.nonholonomic_matrix,
                                lambda Gh: n_rows(Gh if self.Gh_pattern is None else self.Gh_pattern), t, p, *args)
        sizes["c"] = 0 if self.gap is None else np.size(a_function(self.gap, "gap")(t, p, *args))
        sizes["l"] = sizes["g"] + sizes["h"]
        return sizes

    def _size(self, name: str, function: Any, measure: Callable[[Any], int], *arguments: Any) -> int:
        given = getattr(self, name)
        if given is not None or function is None:
            return given or 0
        if address(function) is not None:
            raise ValueError(f"{name} is missing: it is required if the callback is a C function")
        try:
            return measure(function(*arguments)) if callable(function) else 0
        except Exception as raised:
            note_callback(raised, _SIZED[name])
            raise

    def _describe(self, callbacks: Callbacks, watched: Events, t: float, first: Array, second: Array | None,
                  args: Args) -> Any:
        assert second is not None
        sizes = self._sizes(t, first, second)
        model = ffi.new("resida_model *")
        m = model.mechanism
        lib.resida_mechanism_init(ffi.addressof(m))
        m.n_p, m.n_v, m.n_z = sizes["p"], sizes["v"], self.n_z
        m.n_g, m.n_h, m.n_k, m.n_u = (sizes[letter] for letter in "ghku")
        m.name = callbacks.keep(ffi.new("char[]", self.name.encode()))
        m.user = ffi.NULL if self.user is None else ffi.cast("void *", self.user)
        m.thread_safe = self.thread_safe
        patterns = self._patterns(callbacks, sizes, m)
        for name in _CALLBACKS:
            if getattr(self, name) is not None and name not in _ELSEWHERE:
                setattr(m, name, self._pointer(callbacks, name, sizes, patterns, args))
        if self.excitation is not None:
            m.excitation = callbacks.pointer("resida_excitation_fn", "excitation", self.excitation,
                                             lambda: callbacks.excite(self.excitation, sizes["u"], args))
        self._add_contacts(callbacks, sizes, model, watched, args)
        watched.attach(model, callbacks, args)
        self._set_costs(m)
        for name, letter in _NAMES.items():
            if getattr(self, name) is not None:
                setattr(m, name, callbacks.texts(getattr(self, name), sizes[letter], name))
        describe_outputs(model, callbacks, self.outputs, args)
        return model

    def _add_contacts(self, callbacks: Callbacks, sizes: dict[str, int], model: Any, watched: Events,
                      args: Args) -> None:
        n = sizes["c"]
        if self.gap is None:
            for name in "gap_matrix", "gap_rate", "gap_names":
                if getattr(self, name) is not None:
                    raise ValueError(f"{name} requires gap, which is missing")
            return
        keep, contacts = callbacks.keep, callbacks.keep(ffi.new("resida_model_contacts *"))
        contacts.size, contacts.n = ffi.sizeof("resida_model_contacts"), n
        each = self.restitution if np.ndim(self.restitution) else np.full(n, self.restitution)
        contacts.restitution = pointer(keep(vector(each, "restitution", n)))
        for name, member in ("gap_matrix", "matrix"), ("gap_rate", "rate"):
            if getattr(self, name) is not None:
                setattr(contacts, member, self._pointer(callbacks, name, sizes, {}, args))
        if self.gap_names is not None:
            contacts.names = callbacks.texts(self.gap_names, n, "gap_names")
        gap: Any = self.gap
        root = callbacks.python("gap", lambda t, p, v, *more: gap(t, p, *more), (sizes["p"], sizes["v"]),
                                (Output((n,)),), sizes["u"], args)
        watched.set_own(callbacks.c_function(_VELOCITY + " *", root), n)
        model.contacts = contacts

    def _projection_matrix(self, callbacks: Callbacks, model: Any, args: Args) -> Any:
        if self.projection_matrix is None:
            return None
        m = model.mechanism
        return self._pointer(callbacks, "projection_matrix",
                             {"p": m.n_p, "v": m.n_v, "g": m.n_g, "u": m.n_u}, {}, args)

    def _patterns(self, callbacks: Callbacks, sizes: dict[str, int], model: Any) -> dict[str, Pattern]:
        patterns: dict[str, Pattern] = {}
        for _, _, outputs in _CALLBACKS.values():
            for letters, name in outputs:
                if name and getattr(self, name) is not None:
                    shape = sizes[letters[0]], sizes[letters[1]]
                    patterns[name] = callbacks.keep(Pattern(getattr(self, name), shape, name))
                    patterns[name].fill(getattr(model, name))
        return patterns

    def _pointer(self, callbacks: Callbacks, name: str, sizes: dict[str, int], patterns: dict[str, Pattern],
                 args: Args) -> Any:
        c_type, letters, filled = _CALLBACKS[name]
        if name == "derivatives" and self.residual_lam is None:
            filled = filled[:2]
        outputs = tuple(Output(tuple(sizes[letter] for letter in shape), patterns.get(pattern))
                        for shape, pattern in filled)
        function = getattr(self, name)
        inputs = tuple(sizes[letter] for letter in letters)
        return callbacks.pointer(c_type, name, function,
                                 lambda: callbacks.python(name, function, inputs, outputs, sizes["u"], args))

    def _set_costs(self, model: Any) -> None:
        for name in [*_CALLBACKS, "excitation"]:
            if hasattr(model.cost, name) and getattr(self, name) is not None and address(getattr(self, name)) is None:
                setattr(model.cost, name, PYTHON_COST)
        members = dict(ffi.typeof("resida_callback_costs").fields)
        for name, operations in self.cost.items():
            if name not in members:
                raise TypeError(f"cost: unknown callback '{name}'{nearest(name, members)}")
            setattr(model.cost, name, operations)
