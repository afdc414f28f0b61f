"""One integration: a problem, its solver and a resida_run of both.

The run calls event() of the model after each step, see resida/run.h. This object replaces event(). It can therefore
record each step, and Ctrl-C ends a run whose callbacks are C functions. If the caller takes single steps, the monitor
of the solver ends each call before the next step. The bits of the solution do not depend on these interruptions.
"""

from collections.abc import Callable, Mapping, Sequence
from math import inf
from time import monotonic
from typing import Any

import numpy as np

from ._arrays import Array, Function, pointer, vector
from ._callbacks import functions
from ._checkpoint import Checkpoint, Start, note_of
from ._library import Error, ffi, lib, text
from ._options import MEMBERS, fill, make
from ._outputs import ask_outputs, evaluator, point_of, sizes_of
from ._problem import Problem
from ._result import Parts, statistics

_OF_ALL_MODELS = {"max_steps", "max_residuals", "time_limit_s", "t_stop"}  # options that do not only affect steps

Tolerance = float | Sequence[float] | Array
Quadratures = Mapping[str, Function] | None


class Run(Problem, Parts):
    """A problem that is integrated from the start of its model."""

    _solver_options: Any

    def __init__(self, system: Any, t_span: tuple[float, float], start: tuple[Any, ...], rtol: Any, atol: Any,
                 options: Mapping[str, Any], events: Any = None, by_steps: bool = False,
                 quadratures: Quadratures = None) -> None:
        super().__init__(system, t_span, start, options, events)
        self.t = self._called_at = -inf
        self.y = self.yp = self.y_before = np.empty(0)
        self.start_report: dict[str, Any] = {}
        self.on_reach: Callable[[], None] | None = None  # called after each step, before an event changes the state
        self._by_steps, self._quadratures = by_steps, functions(quadratures, "quadratures")
        self._tolerances = rtol, atol
        self._state = ffi.new("resida_state *")
        self.origin: Start | None = None  # the user's start, before change() or restart()
        self._found: Start | None = None  # the consistent start
        self.t_stop = self.options.get("t_stop") or inf
        self.deadline = self._limit = inf
        self._doubt = self._early = ""  # warnings: of the model about its state; the reason of an early end

    def open(self) -> None:
        super().open()
        if self.model.y_is_time and any(part is not None for part in self.given_start):
            raise ValueError("the start cannot be set: the model has its own integrator, or no continuous states; "
                             "set() of a stepper sets inputs, restart() without a state begins with the start values")
        self.check_options(self.options)
        self._create_solver(*self._tolerances)

    def check_options(self, given: Mapping[str, Any]) -> None:
        """Raise for an option of steps if the model integrates itself, as the command does."""
        for name, value in given.items():
            is_of_steps = name in ("rtol", "atol", *MEMBERS["resida_solver_options"]) and name not in _OF_ALL_MODELS
            if value is not None and is_of_steps and self.model.y_is_time and not self.model.dae.n_root:
                raise ValueError(f"{name} has no effect: the model has its own integrator, or no continuous states")

    def close(self) -> None:
        super().close()
        self.on_reach = None

    def _create_solver(self, rtol: Any, atol: Any) -> None:
        keep = self.callbacks.keep
        options = make("resida_solver_options", self.options, keep)
        self._set_tolerances(options, rtol, atol)
        if self._by_steps:
            options.monitor = self.callbacks.c_function("resida_monitor_fn *", lambda t, user: t > self._called_at)
        solver, run = self.handles.make("resida_solver"), self.handles.make("resida_run")
        self.check(lib.resida_solver_create(solver, self.problem, options, self.why))
        self.solver, self._solver_options, self._limit = solver[0], options, options.time_limit_s
        self.check(lib.resida_run_create(run, self.model, self.solver, self.why))
        self.run = run[0]
        self._set_quadratures()

    def _set_quadratures(self) -> None:
        """Set the quadratures of the solver. Must be called before the start."""
        if not self._quadratures:
            return
        evaluate = evaluator("quadratures", self._quadratures, self.model, self.args)
        rates = self.callbacks.c_function("resida_quadrature_fn *", lambda at, rate, _: evaluate(at, ffi.NULL, rate))
        self._run_check(lib.resida_solver_set_quadratures(self.solver, len(self._quadratures), rates, ffi.NULL))

    def quadratures(self) -> dict[str, float]:
        """Return the quadratures at the time reached, by name."""
        if not self._quadratures:
            return {}
        q = np.empty(len(self._quadratures))
        self._run_check(lib.resida_solver_quadratures(self.solver, pointer(q)))
        return dict(zip(self._quadratures, q.tolist()))

    def _set_tolerances(self, options: Any, rtol: Any, atol: Any) -> None:
        usual = make("resida_solver_options", {}, self.callbacks.keep)
        for name, tolerance in ("rtol", rtol), ("atol", atol(self.layout) if callable(atol) else atol):
            is_one = np.ndim(tolerance) == 0
            setattr(options, name, vector([tolerance], name)[0] if is_one else getattr(usual, name))
            setattr(options, name + "_each", ffi.NULL if is_one else
                    pointer(self.callbacks.keep(vector(tolerance, name, self.layout.n))))

    def change_options(self, rtol: Any, atol: Any, given: Mapping[str, Any]) -> None:
        """Change tolerances and options without a restart."""
        options = ffi.new("resida_solver_options *", self._solver_options[0])
        fill(options, "resida_solver_options", given, self.callbacks.keep)
        self._set_tolerances(options, rtol, atol)
        self._run_check(lib.resida_solver_change(self.solver, options))
        self._solver_options, self._tolerances, self._limit = options, (rtol, atol), options.time_limit_s

    def is_within_a_step(self) -> bool:
        """Return whether the last step ended after the time reached."""
        y = np.empty((2, self.layout.n))
        beyond = np.nextafter(self.t, inf)
        return bool(lib.resida_solver_interpolate(self.solver, beyond, *map(pointer, y)) == lib.RESIDA_OK)

    def _reached(self) -> None:
        self.see_state()
        self.y_before = self.y
        if not self._by_steps:
            self.check_time()
        if self.on_reach:
            self.on_reach()

    def check_time(self) -> None:
        """Raise an Error if the deadline has passed."""
        if monotonic() > self.deadline:
            raise Error(lib.RESIDA_ERR_LIMIT_TIME, f"time limit of {self._limit:g} s reached at t = {self.t:.9g}")

    def _take(self) -> None:
        """Note that the FMU of the system has the state of this run."""
        if self.model.save:
            self.system._owner = id(self)

    def _check_taken(self) -> None:
        """Raise if another run has taken the FMU."""
        if self.model.save and self.system._owner != id(self):
            raise Error(lib.RESIDA_ERR_STATE, "another run of the Model has begun, and the FMU has the state of that "
                        "run: use a second Model, or save() before and stepper(resume=...)")

    def start(self) -> None:
        """Start at the start of the model."""
        self._take()
        report = ffi.new("resida_start_report *")
        with self.naming_sizes():
            self._run_check(lib.resida_run_start(self.run, self.start_options(), report))
        self.see_state()
        self._found = self._here()
        if self.model.is_dae:
            self._examine_derivatives()
        else:
            self.start_report = statistics(report)

    def restart(self) -> None:
        """Let the model handle an event at the state reached, after a change of its inputs, and restart."""
        self._check_taken()
        if self.model.counted:  # Co-Simulation
            event = ffi.new("resida_model_event *", {"kind": lib.RESIDA_AT_STEP, "t": self.t, "t_next": self._t_next})
            self.check(lib.RESIDA_ERR_USER if self._model_event(self.model, event) else lib.RESIDA_OK,
                       f"the FMU rejects a value at t = {self.t:.9g}")
            return
        if self._model_event and self.model.is_dae:
            y, yp = self.y.copy(), self.yp.copy()
            event = ffi.new("resida_model_event *", {"kind": lib.RESIDA_AT_TIME, "t": self.t, "y": pointer(y),
                                                     "yp": pointer(yp), "t_next": self._t_next, "t_stop": self.t_stop})
            self.check(lib.RESIDA_ERR_USER if self._model_event(self.model, event) else lib.RESIDA_OK)
            if event.t_next != self._t_next:
                raise Error(lib.RESIDA_ERR_STATE, "the input causes the model to schedule an event at "
                            f"{event.t_next:.9g}, which is not supported")
            self._run_check(lib.resida_solver_start_dae(self.solver, self.t, pointer(y), ffi.NULL))
        self._run_check(lib.resida_run_restart(self.run))
        self.see_state()

    def _here(self) -> Start:
        return Start(self.t, self.y, self.yp) if self.model.is_dae else Start(self.t, self.p, self.v)

    def _examine_derivatives(self) -> None:
        """Compare a given Jacobian or pattern with finite differences, once, at the start. An ArithmeticError or a
        ValueError of a callback in this comparison is ignored, because F may be undefined at a displaced state."""
        if self.model.dae.jacobian or self.model.dae.J_pattern.row or self.model.products:
            with self.callbacks.forgiving(ArithmeticError, ValueError):
                self._run_check(lib.resida_solver_examine(self.solver))

    def examine(self) -> None:
        """Compare the derivatives given by the system with finite differences, and evaluate the counters of the run,
        for warnings() and hints(). Exceptions of callbacks are ignored."""
        with self.callbacks.forgiving(Exception):
            lib.resida_solver_examine(self.solver)
        self.check(lib.RESIDA_OK)

    def load(self, checkpoint: Checkpoint) -> None:
        """Load a checkpoint instead of a start."""
        bytes_ = ffi.from_buffer(checkpoint.bytes)
        self._take()
        options = ffi.NULL if self.model.is_dae else self.start_options()
        self.system._inputs()[1][:] = checkpoint.note.get("inputs", np.nan)
        self._run_check(lib.resida_run_load(self.run, options, bytes_, len(checkpoint.bytes)))
        self.see_state()
        self.watched.counts = checkpoint.note.get("counts", self.watched.counts)
        if checkpoint.starts:
            self.origin, _, self._found = checkpoint.starts

    def save(self) -> bytes:
        """Return a checkpoint of the run."""
        self._check_taken()
        size = ffi.new("size_t *")
        starts = [one for one in (self.origin or self.begin, self.begin, self._found) if one]
        note = note_of(starts, self.system._values(), self.watched.counts, self.system._inputs()[1])
        note_at = ffi.from_buffer(note)
        self._run_check(lib.resida_run_save(self.run, note_at, len(note), ffi.NULL, 0, size))
        room = ffi.new("char[]", size[0])
        self._run_check(lib.resida_run_save(self.run, note_at, len(note), room, size[0], size))
        return bytes(ffi.buffer(room, size[0]))

    def _run_check(self, status: int) -> None:
        self.check(status, self.message() if status < 0 else None)

    def see_state(self) -> None:
        """Copy t, y, yp from the solver to read-only arrays."""
        state = self._state
        lib.resida_solver_state(self.solver, state)
        self.t = state.t
        self.y, self.yp = np.empty((2, self.layout.n))
        ffi.memmove(self.y, state.y, self.y.nbytes)
        ffi.memmove(self.yp, state.yp, self.yp.nbytes)
        self.y.flags.writeable = self.yp.flags.writeable = False

    def begin_time_limit(self, deadline: float | None = None) -> None:
        """Begin the time limit now, or take the deadline of another run. The library's own limit is that of one call.
        """
        self.deadline = monotonic() + self._limit if deadline is None else deadline

    def advance(self, t_out: float) -> int:
        """Integrate to t_out, or to the first event before it; if the caller takes single steps, to the end of the next
        step at most. Return the status; RESIDA_INTERRUPTED after a step that ended before t_out."""
        self._called_at = self.t
        self._check_taken()
        status = int(lib.resida_run_advance(self.run, t_out))
        self._run_check(status)
        if status == lib.RESIDA_STOP_TIME and "stays closed" in self.message():
            self._early = f"{self.message()}; contacts that only rebound cannot rest"
        lib.resida_solver_state(self.solver, self._state)
        if status != lib.RESIDA_INTERRUPTED or self._state.t > self.t:  # the remainder of a step after an event
            self.see_state()
        return status

    def interpolate(self, t: float) -> tuple[Array, Array]:
        """Return y and yp at a time within the last step."""
        both = np.empty((2, self.layout.n))
        status = lib.resida_solver_interpolate(self.solver, t, pointer(both[0]), pointer(both[1]))
        self._run_check(status)
        return both[0], both[1]

    def happening(self) -> Any:
        """Return the resida_happening of the event at which the last call of advance() stopped, or None if there was no
        event. The opening of a contact is not an event if the model has no event() of its own."""
        what, contacts = ffi.new("resida_happening *"), self.model.contacts
        if lib.resida_run_event(self.run, what) != lib.RESIDA_OK:
            return None
        if contacts and not (self._model_event or what.restarted or what.ended) and what.kind == lib.RESIDA_AT_ROOT:
            crossed = list(what.direction[0:len(self.watched)])
            if not any(crossed[:contacts.first] + crossed[contacts.first + contacts.n:]):
                return None
        return what

    def outputs(self) -> dict[str, float]:
        """Return the outputs of the model at the state reached."""
        self._check_taken()
        try:
            values = ask_outputs(self.model, self.t, {name: getattr(self, name) for name in sizes_of(self.model)})
            self._doubt = self._doubt or text(self.model.warning)
            return values
        except Error:
            self.check(lib.RESIDA_OK)  # raises the exception of a callback
            raise

    def value(self, name: str) -> float | None:
        """Return a variable of the model at the state reached, or None if the model knows no such number."""
        self._check_taken()
        value, model = ffi.new("double *"), self.model
        point, _held = point_of(self.t, {part: getattr(self, part) for part in sizes_of(model)})
        status = model.value(model, point, name.encode(), value) if model.value else 1
        self.check(lib.RESIDA_ERR_USER if status < 0 else lib.RESIDA_OK, f"get() at t = {self.t:.9g}")
        return float(value[0]) if status == 0 else None

    def has_variable(self, name: str) -> bool:
        """Return whether the model has a variable that is a number."""
        try:
            return self.value(name) is not None
        except Error:
            return True

    def derivative(self, i: int) -> tuple[Array, Array]:
        """Return sensitivity i of y and yp at the time reached."""
        state = ffi.new("resida_state *")
        self._run_check(lib.resida_solver_sensitivity(self.solver, i, state))
        return tuple(np.array(ffi.unpack(at, self.layout.n)) for at in (state.y, state.yp))  # type: ignore

    def _stats(self) -> Any:
        stats = ffi.new("resida_stats *", {"size": ffi.sizeof("resida_stats")})
        self._run_check(lib.resida_solver_stats(self.solver, stats))
        return stats

    def statistics(self) -> dict[str, Any]:
        """Return all counters, with the counters of sensitivities if there are any."""
        counts = ffi.new("resida_sensitivity_counts *", {"size": ffi.sizeof("resida_sensitivity_counts")})
        values = statistics(self._stats())
        if lib.resida_solver_sensitivity_counts(self.solver, counts) == lib.RESIDA_OK:
            values["sensitivities"] = statistics(counts)
        return values

    def warnings(self) -> list[str]:
        """Return the detected errors of the model."""
        stats = self._stats()
        said = [self.system._words(text(stats.warnings[i])) for i in range(stats.n_warnings)]
        own = [line for line in (self._doubt, self._early) if line]
        return [line for line in said if not self._is_expected(line)] + own + self.watched.doubts()

    def _is_expected(self, line: str) -> bool:
        """Return whether a warning is about rest without anything that depends on t, about the time as only unknown, or
        about a velocity that the user did not give."""
        if line.startswith("nothing moved "):
            return self.model.y_is_time or line.startswith("nothing moved in ") and self.system._ignores_time()
        v = self.layout.v
        if v is None or len(self.given_start) == 0 or any(part is not None for part in self.given_start[1:]):
            return False
        return any(line.startswith(f"start: {name} moves by ") for name in self.names()[v])

    def hints(self) -> list[str]:
        """Return changes that would make the run cheaper. They are known after examine()."""
        stats, own = self._stats(), text(self.model.counted).split("; ")[1:]  # of Co-Simulation
        return [self.system._words(text(stats.hints[i])) for i in range(stats.n_hints)] + own

    def message(self) -> str:
        """Return the message of the last call."""
        return self.system._words(text(lib.resida_solver_message(self.solver)))
