"""General DAEs, F(t, y, yp) = 0, in the shape of scipy's solve_ivp."""

from typing import Any

from ._arrays import vector
from ._callbacks import Output, address
from ._events import Events
from ._library import ffi, lib
from ._options import check_names, number_of
from ._patterns import Pattern
from ._result import Result
from ._run import PYTHON_COST, Run, Tolerance, integrate, times


def solve_dae(fun, t_span, y0, yp0=None, *, t_eval=None, events=None, dense_output: bool = False,
              rtol: Tolerance = 1e-6, atol: Tolerance = 1e-6, jac=None, jac_times=None, jac_sparsity=None, kinds=None,
              args: tuple = (), user: int | None = None, **options: Any) -> Result:
    """Integrate F(t, y, yp) = 0 from t_span[0] to t_span[1].

    Args:
        fun: fun(t, y, yp, *args) returns F [n]; or the address of a resida_dae_residual_fn (an int, a numba cfunc, a
            function pointer of ctypes or cffi). y and yp are the library's memory: copy what you keep.
        t_span: two times, the later one last
        y0: [n] the start
        yp0: [n] its derivatives; None: found, and with them algebraic components, for index 1
        t_eval: times of the result; None: each step
        events: one or several event(t, y, yp, *args), functions whose changes of sign are told; each may have the
            attributes `terminal` and `direction`, as in solve_ivp, or be an Event
        dense_output: also make `sol`, the solution anywhere
        rtol, atol: relative and absolute tolerance; also [n], by component
        jac: jac(t, alpha, y, yp, *args) returns dF/dy + alpha dF/dyp [n, n], or its values in the order of
            jac_sparsity; or the address of a resida_dae_jacobian_fn. None: differences
        jac_times: jac_times(t, y, yp, dy, dyp, *args) returns dF/dy dy + dF/dyp dyp [n], as the jvp of tools that
            differentiate does; or the address of a resida_jacobian_times_fn. J is made of it where there is no jac
        jac_sparsity: where dF/dy and dF/dyp may have entries: a matrix, or (row, col) as in resida_pattern. None: found
        kinds: [n] "differential", "algebraic", "algebraic_2" ..., as resida_kind has them; None: all differential
        args: handed to fun, events, jac and jac_times, behind the rest
        user: an address that C callbacks get as `user`
        **options: of resida/solver.h, by name: method, step, jacobian, max_order, h_max, max_steps, time_limit_s ...

    Returns:
        a Result. t_stop, unless set, is the end of t_span: no callback sees a time beyond.

    Raises:
        Error: what the library refused, or why it could not go on; what was integrated before is its `result`
        ValueError, TypeError: arguments that do not fit
        anything that a callback raised, as it was
    """
    check_names(options, solve_dae)
    t_0, t_end, t_eval = times(t_span, t_eval)
    y0 = vector(y0, "y0")
    yp0 = None if yp0 is None else vector(yp0, "yp0", y0.size)
    watched = Events(events)
    with Run() as run:
        model = _describe(run.callbacks, y0.size, fun, jac, jac_sparsity, kinds, watched, args)
        model.user = ffi.NULL if user is None else ffi.cast("void *", user)
        options = {"t_stop": t_end, "products": _products(run.callbacks, y0.size, jac_times, args), **options}
        run.create(lib.resida_problem_create_dae, model, rtol, atol, options)
        run.start_dae(t_0, y0, yp0)
        return integrate(run, t_end, t_eval, watched, dense_output, Result)


def _describe(callbacks, n: int, fun, jac, jac_sparsity, kinds, watched: Events, args: tuple):
    """The resida_dae."""
    model = ffi.new("resida_dae *")
    lib.resida_dae_init(model)
    model.n = n
    two = (n, n)
    model.residual = callbacks.pointer("resida_dae_residual_fn", "fun", fun,
                                       lambda: callbacks.python("fun", fun, two, (Output((n,)),), args=args))
    for name, function in ("residual", fun), ("jacobian", jac):
        if function is not None and address(function) is None:
            setattr(model.cost, name, PYTHON_COST)
    pattern = None
    if jac_sparsity is not None:
        pattern = callbacks.keep(Pattern(jac_sparsity, (n, n), "jac_sparsity"))
        pattern.fill(model.J_pattern)
    if jac is not None:
        matrix = (Output((n, n), pattern),)
        model.jacobian = callbacks.pointer("resida_dae_jacobian_fn", "jac", jac,
                                           lambda: callbacks.python("jac", jac, (None, n, n), matrix, args=args))
    model.n_root = len(watched)
    model.root = watched.pointer("resida_dae_root_fn", callbacks, two, 0, args)
    if kinds is not None:
        model.kinds = callbacks.keep(ffi.new("resida_kind[]", _kinds(kinds, n)))
    return model


def _products(callbacks, n: int, jac_times, args: tuple):
    """The resida_products; NULL without such."""
    if jac_times is None:
        return ffi.NULL
    products = callbacks.keep(ffi.new("resida_products *"))
    lib.resida_products_init(products)
    products.jacobian_times = callbacks.pointer("resida_jacobian_times_fn", "jac_times", jac_times,
                                                lambda: callbacks.times("jac_times", jac_times, n, args))
    if address(jac_times) is None:
        products.cost = PYTHON_COST
    return products


def _kinds(kinds, n: int) -> list[int]:
    if len(kinds) != n:
        raise ValueError(f"kinds has {len(kinds)} words, and {n} are needed")
    return [number_of(ffi.typeof("resida_kind"), kind) if isinstance(kind, str) else int(kind) for kind in kinds]
