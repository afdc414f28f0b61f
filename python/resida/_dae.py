"""General DAEs, F(t, y, yp) = 0, with an interface like that of scipy's solve_ivp."""

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from numbers import Integral
from typing import Any

import numpy as np

from ._arrays import Array, Function, vector
from ._callbacks import PYTHON_COST, Args, Callbacks, NotPossible, Output, address
from ._events import Events
from ._integrate import CHECKPOINT_STEPS
from ._library import ffi, lib
from ._options import number_of
from ._outputs import describe_outputs
from ._patterns import Pattern, is_sparse, places
from ._result import Result
from ._run import Quadratures, Tolerance
from ._system import WithArgs

_BESIDE = 1e-3  # max. displacement of a component, to detect entries that are zero at the start


@dataclass(eq=False, repr=False)
class DAE(WithArgs):
    """A general DAE, F(t, y, yp) = 0.

    Attributes:
        fun: fun(t, y, yp, *args) returns F [n]; or the address of a resida_dae_residual_fn (an int, a numba cfunc, a
            function pointer of ctypes or cffi). y and yp are memory of the library: copy an array before you keep it.
        jac: jac(t, alpha, y, yp, *args) returns dF/dy + alpha dF/dyp: an array or a scipy.sparse matrix [n, n], or its
            values in the order of jac_sparsity; or the address of a resida_dae_jacobian_fn. None: finite differences
        jac_times: jac_times(t, y, yp, dy, dyp, *args) returns dF/dy dy + dF/dyp dyp [n], as the jvp of tools for
            automatic differentiation; or the address of a resida_jacobian_times_fn. If there is no jac, the Jacobian is
            computed from these products
        jac_sparsity: the pattern of dF/dy and dF/dyp: a matrix with nonzero entries there, a scipy.sparse matrix that
            stores these entries, or a tuple (row, col). The tuple contains the start of each row [n + 1] and the
            columns, as resida_pattern and scipy's indptr, indices; or the row and the column of each entry. C functions
            fill the entries by rows. None: the pattern is detected. For a sparse jac the pattern is that of two calls,
            at the start and at a nearby state; a later entry outside of the pattern raises an exception
        kinds: [n] "differential", "algebraic", "algebraic_2" ..., as in resida_kind. The computation of consistent
            initial conditions does not change components that are declared differential. None: all are differential,
            and a start that changes a component causes a ModelWarning
        outputs: quantities computed from the state, by name: functions of (t, y, yp, *args) that return a number
        args: passed after the other arguments to all of these functions and to events: a tuple, or one argument
        names: [n] names of the components for messages; None: y[0], y[1] ...
        user: an address that is passed to C callbacks as `user`
    """

    is_dae = True
    _of_equations = ("fun",)
    _names_of_c = {r"(?<=callback )residual\b|^residual(?=:)": "fun", r"\bjacobian_times\b": "jac_times",
                   r"\bjacobian\b(?! =)": "jac", r"\bJ_pattern\b": "jac_sparsity", r"(?<=callback )root\b": "events"}

    fun: Function | int
    jac: Function | int | None = None
    jac_times: Function | int | None = None
    jac_sparsity: Any = None
    kinds: Sequence[str | int] | None = None
    outputs: Mapping[str, Function] = field(default_factory=dict)
    args: Any = ()
    names: Sequence[str] | None = None
    user: int | None = None

    def solve(self, t_span: Any, y0: Any, yp0: Any = None, *, t_eval: Any = None, events: Any = None,
              dense_output: bool = False, yp: bool = False, rtol: Tolerance = 1e-6, atol: Tolerance = 1e-6,
              sensitivities: Any = (), quadratures: Quadratures = None, checkpoint: Any = None,
              checkpoint_steps: int = CHECKPOINT_STEPS, resume: Any = None, **options: Any) -> Result:
        """Integrate from t_span[0] to t_span[1]. Arguments, result and exceptions are those of solve_dae()."""
        result: Result = self._solve(DAE.solve, t_span, (y0, yp0), t_eval,
                                     events, dense_output, yp, rtol, atol, sensitivities,
                                     quadratures, checkpoint, checkpoint_steps, resume, options)
        return result

    def _vectors(self, *start: Any) -> tuple[Array, Array | None]:
        if len(start) not in (1, 2):
            raise TypeError(f"the start of a general DAE is y0 or y0, yp0; got {len(start)} arguments")
        y0 = vector(start[0], "y0")
        return y0, None if len(start) < 2 or start[1] is None else vector(start[1], "yp0", y0.size)

    def _describe(self, callbacks: Callbacks, watched: Events, t: float, first: Array, second: Array | None,
                  args: Args) -> Any:
        n = first.size
        model = ffi.new("resida_model *")
        dae, model.is_dae = model.dae, 1
        lib.resida_dae_init(ffi.addressof(dae))
        dae.n = n
        dae.user = ffi.NULL if self.user is None else ffi.cast("void *", self.user)
        two = (n, n)
        dae.residual = callbacks.pointer("resida_dae_residual_fn", "fun", self.fun,
                                         lambda: callbacks.python("fun", self.fun, two, (Output((n,)),), args=args))
        for name, function in ("residual", self.fun), ("jacobian", self.jac):
            if function is not None and address(function) is None:
                setattr(dae.cost, name, PYTHON_COST)
        pattern = self._pattern(t, first, second)
        if pattern:
            callbacks.keep(pattern).fill(dae.J_pattern)
        if self.jac is not None:
            matrix = (Output((n, n), pattern),)
            dae.jacobian = callbacks.pointer(
                "resida_dae_jacobian_fn", "jac", self.jac,
                lambda: callbacks.python("jac", self.jac, (None, n, n), matrix, args=args))
        watched.attach(model, callbacks, args)
        if self.kinds is not None:
            dae.kinds = callbacks.keep(ffi.new("resida_kind[]", _kinds(self.kinds, n)))
        if self.names is not None:
            dae.names = callbacks.texts(self.names, n, "names")
        model.products = self._products(callbacks, n, args)
        describe_outputs(model, callbacks, self.outputs, args)
        return model

    def _pattern(self, t: float, y: Array, yp: Array | None) -> Pattern | None:
        """Return the pattern of jac_sparsity. Without jac_sparsity return the pattern of a sparse jac, from its entries
        at the start and at a nearby state, or None."""
        if self.jac_sparsity is not None:
            return Pattern(self.jac_sparsity, (y.size, y.size), "jac_sparsity")
        if not callable(self.jac) or address(self.jac) is not None:
            return None
        yp = np.zeros(y.size) if yp is None else yp
        moves = _BESIDE * np.sin(np.arange(1.0, 2 * y.size + 1))
        stored = None
        for part in 0, 1:
            with contextlib.suppress(NotPossible, *(ArithmeticError, ValueError)[:2 * part]):
                matrix = self.jac(t, 1.0, y + part * moves[:y.size], yp + part * moves[y.size:], *self.args)
                if not is_sparse(matrix):
                    return None
                stored = places(matrix) if stored is None else stored + places(matrix)
        return stored if stored is None else Pattern(stored, (y.size, y.size),
                                                     "jac at the start (use jac_sparsity for the whole pattern)")

    def _products(self, callbacks: Callbacks, n: int, args: Args) -> Any:
        """Return the resida_products, or NULL if there is no jac_times."""
        if self.jac_times is None:
            return ffi.NULL
        products = callbacks.keep(ffi.new("resida_products *"))
        lib.resida_products_init(products)
        products.jacobian_times = callbacks.pointer(
            "resida_jacobian_times_fn", "jac_times", self.jac_times,
            lambda: callbacks.times("jac_times", self.jac_times, n, args))
        if address(self.jac_times) is None:
            products.cost = PYTHON_COST
        return products


def solve_dae(fun: Function | int, t_span: Any, y0: Any, yp0: Any = None, *, t_eval: Any = None, events: Any = None,
              dense_output: bool = False, yp: bool = False, rtol: Tolerance = 1e-6, atol: Tolerance = 1e-6,
              jac: Function | int | None = None, jac_times: Function | int | None = None, jac_sparsity: Any = None,
              kinds: Sequence[str | int] | None = None, args: Any = (), user: int | None = None,
              outputs: Mapping[str, Function] | None = None, names: Sequence[str] | None = None,
              sensitivities: Any = (), quadratures: Quadratures = None, checkpoint: Any = None,
              checkpoint_steps: int = CHECKPOINT_STEPS, resume: Any = None, **options: Any) -> Result:
    """Integrate F(t, y, yp) = 0 from t_span[0] to t_span[1].

    Args:
        fun, jac, jac_times, jac_sparsity, kinds, args, user, outputs, names: the fields of a DAE
        t_span: start time and end time [s], increasing
        y0: [n] the initial y
        yp0: [n] the initial derivatives; None: the derivatives and the algebraic components are computed, for index 1
        t_eval: the times of the result [s]; None: the end of each step
        events: one or several functions event(t, y, yp, *args). The solver locates their changes of sign. Each may have
            the attributes `terminal` and `direction`, as in solve_ivp, or be an Event
        dense_output: also return `sol`, the solution at any time
        yp: also store the derivatives yp of the solution in the result
        rtol, atol: relative and absolute tolerance; a number, or [n] by component
        sensitivities: parameters to differentiate the solution by: indices of args, or objects Sensitivity
        quadratures: integrals along the solution, by name: functions of (t, y, yp, *args) that return q'; they cannot
            be combined with checkpoints
        checkpoint: the file to which the run is saved every `checkpoint_steps` steps
        resume: such a file, or its bytes, from which the run continues. All other arguments must be those of the first
            run. The result begins at the checkpoint and is bitwise that of an uninterrupted run
        **options: of resida/solver.h, by name: method, step, jacobian, max_order, max_steps, time_limit_s, profile ...
            scipy's names first_step and max_step [s] and method="BDF" are also accepted

    Returns:
        a Result. The default of t_stop is the end of t_span: no callback is evaluated at a later time.

    Raises:
        Error: the library rejected an argument or could not continue; the attribute `result` has the solution up to
            there
        ValueError, TypeError: an argument is invalid
        any exception of a callback, and KeyboardInterrupt. If the run had begun, the attribute `result` of the
            exception has the solution up to there, without warnings and hints
    """
    system = DAE(fun, jac, jac_times, jac_sparsity, kinds, outputs or {}, args, names, user)
    result: Result = system._solve(solve_dae, t_span, (y0, yp0), t_eval,
                                   events, dense_output, yp, rtol, atol, sensitivities,
                                   quadratures, checkpoint, checkpoint_steps, resume, options)
    return result


def _kinds(kinds: Sequence[str | int], n: int) -> list[int]:
    kinds = [kinds] if isinstance(kinds, (str, int)) else list(kinds)
    if len(kinds) != n:
        raise ValueError(f"kinds has {len(kinds)} words; expected {n}")
    for i, kind in enumerate(kinds):
        if isinstance(kind, bool) or not isinstance(kind, (str, Integral)):
            raise TypeError(f'kinds[{i}] = {kind!r} must be a word, "differential" or "algebraic", or a resida_kind; '
                            "ids of IDA, 1.0 for differential and 0.0 for algebraic, are not kinds")
    return [number_of(ffi.typeof("resida_kind"), kind) if isinstance(kind, str) else int(kind) for kind in kinds]
