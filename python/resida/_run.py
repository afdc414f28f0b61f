"""One integration: a problem and its solver, started, and called step by step.

Between two steps Python looks at signals, so that Ctrl-C ends a run whose callbacks are C, too.
"""

import warnings
from collections.abc import Callable, Sequence
from math import inf
from time import monotonic
from typing import Any

import numpy as np

from ._arrays import pointer, vector
from ._callbacks import Callbacks
from ._dense import Recorder
from ._events import Events
from ._happenings import Happenings
from ._library import Error, ffi, lib, text
from ._options import make
from ._result import Layout, Result, statistics

Tolerance = float | Sequence[float]

PYTHON_COST = 30_000.0  # operations of a callback in Python: some 10 us, which a few lines of numpy take
_CALLER = 3  # frames from integrate() to who called solve()


class ModelWarning(UserWarning):
    """What the library says of a model that seems not to mean what it says."""


class _Handles:
    """The C objects, freed when nobody holds them or an array of theirs any more."""

    def __init__(self):
        self.problem = ffi.new("resida_problem **")
        self.solver = ffi.new("resida_solver **")

    def outlive(self, _) -> None:
        """Nothing; but who holds this method holds the memory."""

    def __del__(self):
        lib.resida_solver_free(self.solver[0])
        lib.resida_problem_free(self.problem[0])


class Run:
    """A problem being integrated; `with` ends it. `callbacks` makes the pointers that `create` needs."""

    def __init__(self):
        self._handles = _Handles()
        self.callbacks = Callbacks(self._handles)
        self._why = ffi.new("resida_message *")
        self._state = ffi.new("resida_state *")
        self.said = ffi.NULL  # of a resida_model
        self.t = 0.0
        self.start_report: dict[str, Any] = {}

    def __enter__(self) -> "Run":
        return self

    def __exit__(self, *_) -> None:
        self.callbacks.forget()

    def create(self, make_problem: Callable, model, rtol, atol, options: dict) -> None:
        """The problem of a model, by one of resida_problem_create..., and a solver with options. `atol` may be a
        function of the layout."""
        keep = self.callbacks.keep
        of_problem = make("resida_problem_options", options, keep)
        for name in ("projection_matrix", "products"):
            if name in options:
                setattr(of_problem, name, options[name])
        self._check(make_problem(self._handles.problem, model, of_problem, self._why), text(self._why.text))
        layout = ffi.new("resida_layout *")
        lib.resida_problem_layout(self._handles.problem[0], layout)
        self.layout = Layout.of(layout)
        atol = atol(self.layout) if callable(atol) else atol
        self._options = options
        of_solver = make("resida_solver_options", options, keep)
        for name, tolerance in ("rtol", rtol), ("atol", atol):
            if np.ndim(tolerance) == 0:
                setattr(of_solver, name, tolerance)
            else:
                setattr(of_solver, name + "_each", pointer(keep(vector(tolerance, name, self.layout.n))))
        status = lib.resida_solver_create(self._handles.solver, self._handles.problem[0], of_solver, self._why)
        self._check(status, text(self._why.text))

    @property
    def solver(self):
        """The resida_solver *."""
        return self._handles.solver[0]

    def start(self, t0: float, p0: np.ndarray, v0: np.ndarray) -> None:
        """Of a mechanism, made consistent."""
        o = make("resida_start_options", self._options, self.callbacks.keep)
        report = ffi.new("resida_start_report *")
        self._check(lib.resida_solver_start(self.solver, t0, pointer(p0), pointer(v0), o, report))
        self.start_report = self.start_report or statistics(report)
        self._see_state()

    def start_dae(self, t0: float, y0: np.ndarray, yp0: np.ndarray | None) -> None:
        """Of a general DAE; yp0 None: found."""
        yp = ffi.NULL if yp0 is None else pointer(yp0)
        self._check(lib.resida_solver_start_dae(self.solver, t0, pointer(y0), yp))
        self._see_state()

    def _see_state(self) -> None:
        state = self._state
        lib.resida_solver_state(self.solver, state)
        self.t = state.t
        self.y, self.yp = np.empty((2, self.layout.n))
        ffi.memmove(self.y, state.y, self.y.nbytes)
        ffi.memmove(self.yp, state.yp, self.yp.nbytes)

    def _check(self, status: int, message: str | None = None) -> None:
        """Raise what a callback raised, or what the library says."""
        raised, self.callbacks.raised = self.callbacks.raised, None
        if raised is not None:
            try:
                raise raised
            finally:
                del raised  # it knows this frame by its traceback
        if status < 0:
            message = text(lib.resida_solver_message(self.solver)) if message is None else message
            raise Error(status, self._with_words(status, message))

    def _with_words(self, status: int, message: str) -> str:
        """With what a model says of a failure of its own."""
        own = text(self.said) if status in (lib.RESIDA_ERR_USER, lib.RESIDA_ERR_USER_REPEATED) else ""
        return f"{message}: {own}" if own else message

    def begin_time_limit(self) -> None:
        """The library's own limit is that of a step, which is all that it is called for here."""
        self._limit = self._options.get("time_limit_s") or inf
        self._deadline = monotonic() + self._limit

    def check_time_limit(self) -> None:
        if monotonic() > self._deadline:
            raise Error(lib.RESIDA_ERR_LIMIT_TIME, f"time limit of {self._limit:g} s reached at t = {self.t:.9g}")

    def step(self, t_end: float) -> int:
        """One step, or to the event within it. @return the status"""
        status = lib.resida_solver_step(self.solver, t_end)
        self._check(status)
        self._see_state()
        return status

    def interpolate(self, t: float) -> tuple[np.ndarray, np.ndarray]:
        """y and yp at a time within the last step."""
        both = np.empty((2, self.layout.n))
        status = lib.resida_solver_interpolate(self.solver, t, pointer(both[0]), pointer(both[1]))
        self._check(status)
        return both[0], both[1]

    def crossings(self, n: int) -> list[int]:
        """Which root functions changed sign, and how."""
        direction = ffi.new("int[]", n)
        self._check(lib.resida_solver_event(self.solver, direction))
        return list(direction)

    def statistics(self) -> tuple[dict[str, Any], list[str]]:
        """All counters, and the warnings."""
        stats = ffi.new("resida_stats *")
        stats.size = ffi.sizeof("resida_stats")
        self._check(lib.resida_solver_stats(self.solver, stats))
        return statistics(stats), [text(stats.warnings[i]) for i in range(stats.n_warnings)]

    def message(self) -> str:
        """What the last call says."""
        return text(lib.resida_solver_message(self.solver))


class _Track:
    """What a result is made of, as it is integrated."""

    def __init__(self, run: Run, t_eval: np.ndarray | None, events: Events, dense: bool):
        self._run = run
        self._t_eval = t_eval
        self._next = 0
        self._events = events
        self._recorder = Recorder(run.interpolate) if dense else None
        self.t: list[float] = []
        self.y: list[np.ndarray] = []
        self.yp: list[np.ndarray] = []

    def begin(self) -> None:
        """At the start."""
        run = self._run
        if self._t_eval is None:
            self._note(run.t, run.y, run.yp)
        elif self._t_eval.size and self._t_eval[0] <= run.t:
            self._note(run.t, run.y, run.yp)
            self._next = 1

    def _note(self, t: float, y: np.ndarray, yp: np.ndarray) -> None:
        self.t.append(t)
        self.y.append(y)
        self.yp.append(yp)

    def jump(self) -> None:
        """The run goes on from another state at the same time."""
        if self._t_eval is None:
            self._note(self._run.t, self._run.y, self._run.yp)

    def add(self, t_before: float) -> None:
        """A step from t_before to where the run is."""
        run = self._run
        if self._recorder and run.t > t_before:
            self._recorder.add(t_before, run.t)
        if self._t_eval is None:
            if run.t > self.t[-1]:
                self._note(run.t, run.y, run.yp)
            return
        while self._next < self._t_eval.size and self._t_eval[self._next] <= run.t:
            t = float(self._t_eval[self._next])
            self._note(t, *run.interpolate(t))
            self._next += 1

    def result(self, kind: type[Result], status: int, message: str) -> Result:
        """All of it."""
        run, n = self._run, self._run.layout.n
        counters, said = run.statistics()
        return kind(
            t=np.array(self.t), y=_columns(self.y, n), yp=_columns(self.yp, n),
            t_events=[np.array(t) for t in self._events.t],
            y_events=[np.array(y).reshape(-1, n) for y in self._events.y],
            sol=self._recorder.output() if self._recorder else None,
            status=status, message=message, success=status >= 0, statistics=counters, warnings=said,
            layout=run.layout, start=run.start_report)


def _columns(rows: list[np.ndarray], n: int) -> np.ndarray:
    return np.array(rows).reshape(-1, n).T


def times(t_span, t_eval) -> tuple[float, float, np.ndarray | None]:
    """Checked: two times that rise, and times within them that rise."""
    t_0, t_end = map(float, t_span)
    if not t_0 < t_end:
        raise ValueError(f"t_span = ({t_0:g}, {t_end:g}) does not rise: integration goes forward in time")
    if t_eval is None:
        return t_0, t_end, None
    t_eval = vector(t_eval, "t_eval")
    if not (np.all(np.diff(t_eval) > 0) and np.all((t_eval >= t_0) & (t_eval <= t_end))):
        raise ValueError("t_eval must rise, within t_span")
    return t_0, t_end, t_eval


def integrate(run: Run, t_end: float, t_eval: np.ndarray | None, events: Events, dense: bool, kind: type[Result],
              happenings: Happenings | None = None) -> Result:
    """From the start to t_end, or to the event that ends it; where the model itself does something at events, with its
    happenings."""
    track = _Track(run, t_eval, events, dense)
    track.begin()
    end = None
    run.begin_time_limit()
    try:
        while run.t < t_end and end is None:
            run.check_time_limit()
            end = _go_on(run, t_end, track, events, happenings)
    except Error as failure:
        failure.result = track.result(kind, failure.status, str(failure))
        raise
    result = track.result(kind, *(end or (0, "the end of t_span is reached")))
    for line in result.warnings:
        warnings.warn(line, ModelWarning, stacklevel=_CALLER)
    return result


def _go_on(run: Run, t_end: float, track: _Track, events: Events, happenings) -> tuple[int, str] | None:
    """One step, and what happens behind it. What ends the run, as status and message; None: nothing."""
    before = run.t
    if happenings:
        happenings.limit(run)
    news = run.step(t_end)
    track.add(before)
    crossings = run.crossings(len(events)) if news == lib.RESIDA_EVENT else []
    if crossings and events.record(run.t, run.y, crossings):
        return 1, f"an event ends the integration at t = {run.t:.9g}"
    message = run.message() if news == lib.RESIDA_STOP_TIME else ""
    if happenings and happenings.follow(run, news, crossings):
        track.jump()
    if happenings and happenings.ends:
        return 1, f"the model ends the integration at t = {run.t:.9g}"
    is_over = news == lib.RESIDA_STOP_TIME and not (happenings and happenings.passed(run.t))
    return (0, message) if is_over else None
