"""An integration that the caller advances step by step."""

import contextlib
from collections.abc import Iterator, Mapping
from math import inf, nan
from numbers import Real
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np

from ._arrays import Array
from ._events import EventRecord
from ._inputs import HeldInputs
from ._integrate import begun, event_record, from_time, resumed
from ._library import Error, lib
from ._linearize import Linearization, linearize
from ._options import nearest, read
from ._result import Derivative, MechanismDerivative, Parts
from ._run import Run
from ._sensitivity import Sensitivity

if TYPE_CHECKING:
    from ._system import System

_SAME_POINT = 1e-9  # in communication steps, or steps of fixed size: times that differ by rounding


class Stepper(Parts):
    """An integration, made by stepper() of a system. It can be used in a `with` block, or be closed by close().

    During a call all other calls, from callbacks or from other threads, raise RESIDA_ERR_STATE.

    Attributes:
        t: the time reached [s]
        y, yp: [n] the state and its derivative at t; read-only copies: use restart() to set a state
        p, v, a, lam, eta: only of a mechanism: the parts of y and yp
        event: the EventRecord if the last call stopped at an event; else None
        message: the message of the last call
    """

    def __init__(self, system: "System", start: tuple[Any, ...], t: float, events: Any, tolerances: tuple[Any, Any],
                 sensitivities: list[Sensitivity], quadratures: Any, resume: Any, options: dict[str, Any]) -> None:
        self.system = system
        self.event: EventRecord | None = None
        self.message = ""
        self._is_closed, self._in_call = False, Lock()
        self._run: Any = None
        self._events, self._tolerances, self._wanted, self._options = events, tolerances, sensitivities, options
        if quadratures and resume is not None:
            raise ValueError("quadratures cannot be combined with checkpoints: omit one of them")
        self._quadratures = quadratures
        self._set_inputs = np.full_like(system._inputs()[1], nan)
        self._begin(system, start, t, resume)
        self._set_inputs[:] = system._inputs()[1]  # those of the checkpoint

    def _begin(self, system: "System", start: tuple[Any, ...], t: float, resume: Any = None) -> None:
        checkpoint, t, start = resumed(system, resume, t, start)
        system._inputs()[1][:] = self._set_inputs
        run = Run(system, from_time(t), start, *self._tolerances, self._options, self._events, True,
                  self._quadratures)
        begun(run, self._wanted, self._events, checkpoint)
        if self._run:
            run.origin = self._run.origin or self._run.begin
            self._run.close()
        self.system, self._run, self._held = system, run, None if self._wanted else HeldInputs(run)
        self._see()

    def __reduce__(self) -> Any:
        raise TypeError("a Stepper cannot be copied or pickled: create a second one of the same state by "
                        "stepper(..., resume=s.save())")

    def __repr__(self) -> str:
        return f"<Stepper: t = {self.t:.9g}{', closed' if self._is_closed else ''}>"

    def __enter__(self) -> "Stepper":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __del__(self) -> None:
        if self._run:
            self._run.close()

    def close(self) -> None:
        """End the integration. The state reached can still be read."""
        with self._alone(also_closed=True) as run:
            run.close()
            self._is_closed = True

    def _see(self) -> None:
        run: Run = self._run
        self.t, self.y, self.yp, self.layout = run.t, run.y, run.yp, run.layout

    @contextlib.contextmanager
    def _alone(self, also_closed: bool = False) -> Iterator[Run]:
        """Return the run for one call; raise if another call is running."""
        if not self._in_call.acquire(blocking=False):
            raise Error(lib.RESIDA_ERR_STATE, "another call of the stepper is running: callbacks and other "
                        "threads must not call the stepper before it returns")
        try:
            if self._is_closed and not also_closed:
                raise ValueError("the stepper is closed")
            self.system._inputs()[1][:] = self._set_inputs  # another run of the same FMU may have reset them
            yield self._run
        finally:
            self._in_call.release()

    @property
    def outputs(self) -> dict[str, float]:
        """The outputs of the system at the state reached, by name."""
        with self._alone() as run:
            return run.outputs()

    def get(self, name: str) -> Any:
        """Return a component of y, an output or a parameter, by its name, at the state reached; of an FMU any variable
        that is a number. In Co-Simulation, local variables are known at communication points."""
        name = str(name)
        with self._alone() as run:
            held = dict(zip(self.system._inputs()[0], self._set_inputs.tolist()))
            if np.isfinite(held.get(name, nan)):  # a restarted FMU receives it in the next step
                return held[name]
            table = {"t": self.t, **dict(zip(run.names(), self.y.tolist()))}
            table.update([(f"out.{known}" if known in table else known, x) for known, x in run.outputs().items()])
            if name not in table and (value := run.value(name)) is not None:
                return value
            table = {**{known: one.value for known, one in self._parameters().items()}, **table}
            if name not in table:
                raise KeyError(f"unknown name {name!r}{nearest(name, table)}")
            return table[name]

    def _parameters(self) -> dict[str, Any]:
        return getattr(self.system, "parameters", {})

    def set(self, values: Mapping[str, float | None] | None = None, **more: float | None) -> None:
        """Hold inputs and tunable parameters of an FMU at values from the time reached on, by name; None ends the hold.
        The FMU handles an event, and the solver restarts. In Co-Simulation the values apply in the step from the time
        reached, or between communication points from the next one on. Discrete inputs and tunable parameters can be
        set if the FMU has events or uses Co-Simulation."""
        with self._alone() as run:
            self._hold(run, {**(values or {}), **more}, "set")

    def _why_fixed(self, run: Run, name: str) -> str:
        """Return why a name is not that of an input or a tunable parameter."""
        parameters = self._parameters()
        if name in parameters and self.system._is_fmu and name in run.names():
            return f"{name} is the start value of a state: set the state by restart()"
        if name in parameters and parameters[name].text.startswith("connector of the system"):
            return f"{name} is a {parameters[name].text}: set these"
        if name in parameters and self.system._is_fmu and run.model.save:
            return (f"parameter {name} of the FMU is fixed after its initialisation: only inputs and tunable "
                    f"parameters that are numbers can be changed; begin another integration of Model(..., {name}=...)")
        if name in parameters:
            kind = "a parameter, or an input that is not continuous" if self.system._is_fmu else "a parameter"
            has_torque = "torques" in parameters and name in run.names()
            torque = f", for its torque change(torques={{'t': [0, 1], '{name}': [u, u]}})" if has_torque else ""
            return f"{name} is {kind}: use change(){torque}"
        if name in run.names() or name in run.outputs() or run.has_variable(name):
            return f"{name} is neither an input without a connection nor a tunable parameter"
        return f"unknown name '{name}'{nearest(name, [*self.system._inputs()[0], *parameters])}"

    def _hold(self, run: Run, values: Mapping[str, Any], use: str) -> None:
        """Hold inputs and tunable parameters of an FMU at values."""
        inputs, held = self.system._inputs()
        numbers: dict[str, float] = {}
        for name, given in values.items():
            if name not in inputs:
                raise ValueError(f"{use}: {self._why_fixed(run, name)}")
            try:
                value, one = nan if given is None else float(given), self._parameters().get(name)
            except (TypeError, ValueError) as reason:
                raise type(reason)(f"{use}: {name} = {given!r} is not a number") from None
            numbers[name] = value
            if given is not None and not np.isfinite(value):
                raise ValueError(f"{use}: {name} = {value} is not finite; None ends the hold")
            if one and (value < one.min or value > one.max or (one.whole and value % 1 > 0)):
                kind = "an integer" if one.whole else "a number"
                raise ValueError(f"{use}: {name} = {value:g} must be {kind} from {one.min:g} to {one.max:g}")
        for name, value in numbers.items():
            held[inputs.index(name)] = value
        try:
            run.restart()
        except BaseException:
            held[:] = self._set_inputs
            raise
        self._set_inputs[:] = held
        self._see()

    @property
    def sensitivities(self) -> list[Any]:
        """A Derivative for each requested sensitivity, with arrays [n]."""
        with self._alone() as run:
            kind = Derivative if run.model.is_dae else MechanismDerivative
            return [kind(one.title(), *run.derivative(i), run.layout) for i, one in enumerate(self._wanted)]

    @property
    def quadratures(self) -> dict[str, float]:
        """The integrals from the start to the time reached, by name. restart() and change() reset them to 0."""
        with self._alone() as run:
            return run.quadratures()

    @property
    def statistics(self) -> dict[str, Any]:
        """All counters; with sensitivities also their counters, "sensitivities"."""
        with self._alone(also_closed=True) as run:
            return run.statistics()

    def examine(self) -> tuple[list[str], list[str]]:
        """Compare the derivatives given by the system with finite differences at the state reached, and evaluate the
        counters of the run so far.

        Returns:
            warnings and hints, as in a Result
        """
        with self._alone() as run:
            run.examine()
            return run.warnings(), run.hints()

    def step(self, t_max: float) -> str:
        """Take one step, which ends at t_max or at an event at the latest.

        Returns:
            "step"; "reached": t_max was reached; "event": see the attribute `event`; "stop": the time of the option
            t_stop was reached, or the model ended the run
        """
        with self._alone() as run:
            return self._step(run, t_max)

    def _step(self, run: Run, t_max: float) -> str:
        if not isinstance(t_max, Real) or not -inf < t_max < inf:
            raise ValueError(f"t_max = {t_max!r} must be finite")
        asked, t_max = t_max, self._step_end(t_max, run.begin.t)
        if t_max < run.t:
            raise ValueError(f"t_max = {asked:.9g} is less than the time reached, {self.t:.9g}: integration backward "
                             "in time is not supported")
        is_there = t_max == run.t  # only by rounding: otherwise a loop to this time would not end
        status = run.advance(t_max)
        self._see()
        what = run.happening() if status in (lib.RESIDA_EVENT, lib.RESIDA_STOP_TIME) else None
        self.event = event_record(run, what) if what else None
        self.message = run.message() if status != lib.RESIDA_INTERRUPTED else ""
        if status == lib.RESIDA_STOP_TIME:
            return "stop"
        if status == lib.RESIDA_EVENT and self.event:
            return "event"
        if run.t < t_max:
            return "step"
        if is_there:
            self.t = max(run.t, asked)
        return "reached"

    def _step_end(self, t: float, t_0: float) -> float:
        """Return the end of a communication step, or of a step of fixed size, that differs from t by rounding, or t."""
        h = getattr(self.system, "_step", 0.0) or self._options.get("step") or 0.0
        end = t_0 + h * round((t - t_0) / h) if h else t
        return end if abs(end - t) <= _SAME_POINT * h else t

    def advance(self, t: float) -> str:
        """Integrate to a time, or to the first event before it. The option time_limit_s limits the time of this call.
        Return "reached", "event" or "stop", as step()."""
        with self._alone() as run:
            run.begin_time_limit()
            while (news := self._step(run, t)) == "step":
                run.check_time()
            return news

    def interpolate(self, t: float) -> tuple[Array, Array]:
        """Return y and yp [n] at a time within the last step."""
        with self._alone() as run:
            return run.interpolate(from_time(t)[0])

    def restart(self, *start: Any, t: float | None = None) -> None:
        """Continue from another state, a start as of solve(). t None: at the time reached. All counters are reset to 0.
        """
        with self._alone() as run:
            if t is not None and not np.isfinite(from_time(t)[0]):
                raise ValueError(f"restart: t = {t!r} must be finite")
            if start and not run.model.y_is_time:
                before = (self.y,) * 2 if self.system.is_dae else (self.p, self.v)
                for given, known in zip(self.system._vectors(*start), before):
                    if given is not None and given.size != known.size:
                        raise ValueError(f"restart: the start has {given.size} components; expected {known.size}")
            self._begin(self.system, start, self.t if t is None else t)

    def change(self, **changes: Any) -> None:
        """Continue from the state reached with other parameters of a Model, or other fields of a Mechanism or DAE, such
        as args. The solver restarts: counters and integrals begin at 0, sensitivities at their start values. A method
        with fixed steps continues without a restart if only args change, at the end of a step, and constraints and
        masses do not depend on the change; yp, a and lam follow in the next step. An FMU with events or Co-Simulation
        keeps its discrete state and the counters; only inputs and tunable parameters can change."""
        with self._alone() as run:
            inputs = changes if self.system._is_fmu and run.model.save else self.system._as_inputs(changes)
            if inputs:
                return self._hold(run, inputs, "change")
            if self.system._is_fmu and (states := [name for name in changes if name in run.names()]):
                raise ValueError(f"change: {self._why_fixed(run, states[0])}")
            system = self.system.replace(**changes)
            if "torques" in changes:
                self._set_inputs = np.full_like(system._inputs()[1], nan)
            if self._held and changes.keys() == {"args"} and self._held.take(system):
                self.system = system
                return
            start = (self.y.copy(), None) if run.model.is_dae else (self.p.copy(), self.v.copy())
            self._begin(system, () if run.model.y_is_time else start, self.t)

    def set_options(self, *, rtol: Any = None, atol: Any = None, **options: Any) -> None:
        """Set other tolerances, h_max, max_steps, max_residuals or time_limit_s, without a restart."""
        old = self._tolerances
        new = old[0] if rtol is None else rtol, old[1] if atol is None else atol
        given = read(options, self.set_options, ("resida_solver_options",))
        with self._alone() as run:
            run.check_options({"rtol": rtol, "atol": atol, **given})
            run.change_options(*new, given)
            self._tolerances, self._options = new, {**self._options, **given}

    def save(self) -> bytes:
        """Return a checkpoint, from which stepper(resume=...) of the same system and options continues, also after
        change(), restart() and set(). This stepper can also continue; the bits of its further solution then differ, see
        resida/checkpoint.h. An FMU with events or Co-Simulation must be able to save its state (canGetAndSetFMUstate).
        If it cannot write the state as bytes (canSerializeFMUstate), the Model keeps the state in its memory, and only
        this Model can continue."""
        with self._alone() as run:
            return run.save()

    def linearize(self, independent: bool | None = None, sparse: bool = False) -> Linearization:
        """Linearize about the state reached, as linearize() of the system."""
        with self._alone() as run:
            return linearize(run, independent, sparse)
