"""Integration from a start to an end: the run advances step by step, and a recorder stores the data of the result."""

import contextlib
import os
import warnings
from collections.abc import Callable
from math import isfinite
from typing import Any, NamedTuple

import numpy as np

from ._arrays import Array, Rows, vector
from ._checkpoint import Checkpoint, Start, file_of
from ._dense import Recorder
from ._events import EventRecord
from ._library import Error, ffi, lib, text
from ._options import word_of
from ._result import Derivative, MechanismDerivative, MechanismResult, Result
from ._run import Run
from ._sensitivity import Sensitivity, follow

CHECKPOINT_STEPS = 10_000  # steps between two checkpoints
_SHORTEST = 1000  # in units of the rounding of t: a shorter step is recorded together with the next one
_CALLER = 4  # number of stack frames from integrate() to the caller of solve()


class ModelWarning(UserWarning):
    """A warning of the library about a model, for example about a wrong derivative."""


class _Note(NamedTuple):
    """The data of the result at one time, except the vectors."""

    t: float
    outputs: dict[str, float]
    quadratures: dict[str, float]


class _Track:
    """Records the data of the result during the integration."""

    def __init__(self, run: Run, t_eval: Array | None, dense: bool, yp: bool, sensitivities: list[str]) -> None:
        self.run, self._t_eval, self._sensitivities = run, t_eval, sensitivities
        self._rates = slice(0, run.layout.n) if yp else run.layout.rates_of_parts
        capacity = 16 if t_eval is None else t_eval.size
        self._rows = [Rows(width, capacity) for _ in range(1 + len(sensitivities))
                      for width in (run.layout.n, self._rates.stop - self._rates.start)]
        self._recorder = Recorder(run.interpolate) if dense else None
        self._next, self._recorded, self._noted = 0, run.t, run.t
        self._notes: list[_Note] = []
        self.event_list: list[EventRecord] = []

    def begin(self) -> None:
        """Record the start."""
        if self._t_eval is None:
            self._note()
        else:
            self._next = int(np.searchsorted(self._t_eval, self.run.t))
            self._note_asked()

    def attach(self, run: Run) -> None:
        """Continue with another run from the same state."""
        self.run = run
        run.on_reach = self.note_step
        if self._recorder:
            self._recorder.interpolate = run.interpolate

    def renew(self, run: Run) -> None:
        """Continue with a run loaded from a checkpoint. Its state replaces the last record."""
        if run is self.run:
            return
        self.attach(run)
        if self._t_eval is None and self._notes[-1].t == run.t:
            del self._notes[-1]
            for rows in self._rows:
                rows.n -= 1
            self._note()

    def next_time(self, t_end: float) -> float:
        """Return the time of the next output, at most t_end."""
        if self._t_eval is None or self._next >= self._t_eval.size:
            return t_end
        return float(self._t_eval[self._next])

    def note_step(self) -> None:
        """Record the time reached and the state before an event at this time."""
        t = self.run.t
        if self._recorder and t - self._recorded > _SHORTEST * np.spacing(t):
            self._recorder.add(self._recorded, t, self._noted)
            self._recorded = t
        self._noted = t
        if self._t_eval is None and t > self._notes[-1].t:
            self._note()

    def reach(self, jumped: bool) -> None:
        """Record the time reached after an event at this time. `jumped`: the event changed the state."""
        self.note_step()
        if self._t_eval is not None:
            self._note_asked()
        elif jumped:
            self._note()

    def _note_asked(self) -> None:
        assert self._t_eval is not None
        if self._next < self._t_eval.size and self._t_eval[self._next] <= self.run.t:
            self._note()
            self._next += 1

    def _note(self) -> None:
        run = self.run
        note = _Note(run.t, run.outputs() if run.model.n_outputs else {}, run.quadratures())
        vectors = [(run.y, run.yp), *(run.derivative(i) for i in range(len(self._sensitivities)))]
        # A list, because the end of a generator that is not exhausted swallows a KeyboardInterrupt.
        for rows, row in zip(self._rows, [part for y, yp in vectors for part in (y, yp[self._rates])]):
            rows.add(row)
        self._notes.append(note)

    def result(self, status: int, message: str, examine: bool = True) -> Result:
        """Return the result of the whole integration. `examine`: callbacks may be called, for warnings and hints."""
        run, n, model, notes = self.run, self.run.layout.n, self.run.model, self._notes
        kind, derivative = (Result, Derivative) if model.is_dae else (MechanismResult, MechanismDerivative)
        counters = run.statistics()
        if examine:
            run.examine()
        units = [text(model.output_units[i]) if model.output_units else "" for i in range(model.n_outputs)]
        names = list(notes[0].outputs) if notes else []
        outputs = {name: np.array([note.outputs[name] for note in notes]) for name in names}

        y, yp, *derivatives = (rows.columns(len(notes)) for rows in self._rows)
        return kind(
            t=np.array([note.t for note in notes]), y=y, _yp=yp,
            t_events=[np.array(t) for t in run.watched.t],
            y_events=[np.array(y).reshape(-1, n) for y in run.watched.y],
            sol=self._recorder.output() if self._recorder else None,
            status=status, message=message, success=status >= 0, statistics=counters, warnings=run.warnings(),
            hints=run.hints(),
            layout=run.layout, names=run.names(), g_names=run.g_names(), start=run.start_report, outputs=outputs,
            quadratures={name: np.array([note.quadratures[name] for note in notes])
                         for name in (notes[0].quadratures if notes else ())},
            output_units=dict(zip(outputs, units)), event_list=self.event_list,
            sensitivities=[derivative(name, dy, dyp, run.layout)
                           for name, dy, dyp in zip(self._sensitivities, derivatives[::2], derivatives[1::2])])

    def part(self, raised: BaseException) -> None:
        """Attach the result so far to an exception, as its attribute `result`. After an exception that is not of the
        library no callback is called."""
        is_own = isinstance(raised, Error)
        result = (self.result(raised.status, str(raised)) if isinstance(raised, Error) else
                  self.result(lib.RESIDA_ERR_USER, f"the exception {raised!r} ended the integration", examine=False))
        with contextlib.suppress(AttributeError, TypeError):  # the exception of a user may refuse attributes
            raised.result = result  # type: ignore[attr-defined]
            if not is_own and result.t.size > 0:
                raised.add_note(f"resida: the attribute `result` has the solution up to t = {self.run.t:.9g}")


def times(t_span: Any, t_eval: Any = None) -> tuple[float, float, Array | None]:
    """Check and return two increasing times, and increasing times between them or None."""
    span = vector(t_span, "t_span")
    if span.size != 2:
        raise ValueError(f"t_span has {span.size} times; expected two")
    t_0, t_end = map(float, span)
    if not (t_0 < t_end and isfinite(t_end - t_0)):
        raise ValueError(f"t_span = ({t_0:g}, {t_end:g}) must be two finite increasing times: integration backward in "
                         "time is not supported")
    if t_eval is None:
        return t_0, t_end, None
    t_eval = vector(t_eval, "t_eval")
    if not (np.all(np.diff(t_eval) > 0) and np.all((t_eval >= t_0) & (t_eval <= t_end))):
        raise ValueError("t_eval must be increasing and within t_span")
    return t_0, t_end, t_eval


def from_time(t: Any) -> tuple[float, float]:
    """Return an interval that begins at t, for functions that do not use its end."""
    t_0 = float(vector([t], "t")[0])
    return t_0, np.nextafter(t_0, np.inf)


class Checkpoints:
    """A file to which a run is saved after every `steps` steps. After each save the run is loaded from the checkpoint,
    so that it has the same bits as a resumed run."""

    def __init__(self, path: Any, steps: int, make: Callable[[], Run]) -> None:
        if not isinstance(steps, int) or steps < 1:
            raise ValueError(f"checkpoint_steps = {steps!r}; expected an integer > 0")
        self._path, self._steps, self._make = file_of(path, "checkpoint"), steps, make
        self._next: int | None = None
        if self._path.is_file() and self._path.stat().st_size > 0:
            try:
                Checkpoint(self._path)
            except Error:
                raise ValueError(f"checkpoint = {path!r} exists and is not a checkpoint: give another name") from None

    def follow(self, run: Run) -> Run:
        """Save the run after a step if a checkpoint is due. Return the run to continue with."""
        steps = run.statistics()["steps"]
        if self._next is None:
            self._next = (steps // self._steps + 1) * self._steps
        if steps < self._next:
            return run
        self._next += self._steps
        saved = run.save()
        if run._model_event and not run.model.state_is_all:
            raise Error(lib.RESIDA_ERR_MODEL, "the state of the model cannot be written to a file: it is kept in the "
                        "memory of the model (state_is_all of resida_model)")
        partial = self._path.with_name(self._path.name + ".partial")
        partial.write_bytes(saved)
        os.replace(partial, self._path)
        run.close()
        after = begun(self._make(), [], None, Checkpoint(saved))
        after.watched.go_on(run.watched)
        after.start_report = run.start_report
        after.begin_time_limit(run.deadline)
        return after


def resumed(system: Any, resume: Any, t: float, start: tuple[Any, ...]) -> tuple[Checkpoint | None, float,
                                                                                  tuple[Any, ...]]:
    """Return the checkpoint to continue from, given as bytes or a file, with the start of its run. Without one, return
    the arguments t and start."""
    if resume is None:
        return None, t, start
    checkpoint = Checkpoint(resume)
    checkpoint.check_values(system._values())
    given = Start(t, *system._vectors(*start)) if start and start[0] is not None else None
    found = checkpoint.start(given, system.is_dae)
    if found is None:
        return checkpoint, t, start
    is_time = hasattr(system, "_model") and system._model.y_is_time  # no start can be given
    return checkpoint, found.t, () if is_time else found[1:]


def begun(run: Run, wanted: list[Sensitivity], events: Any, resume: Checkpoint | None) -> Run:
    """Start the run, or load it from a checkpoint, and return it."""
    with contextlib.ExitStack() as stack:
        stack.enter_context(run)
        if wanted:
            run.check_has_states("sensitivities")
        follow(run, wanted, events)
        if resume is None:
            run.start()
        else:
            run.load(resume)
        stack.pop_all()
    return run


def integrate(run: Run, t_end: float, t_eval: Array | None, dense: bool, yp: bool, sensitivities: list[str],
              checkpoints: Checkpoints | None) -> Result:
    """Integrate to t_end, or to an event that ends the run. Close the run."""
    track = _Track(run, t_eval, dense, yp, sensitivities)
    end = None
    run.begin_time_limit()
    try:
        track.attach(run)
        track.begin()
        while end is None:
            end = _go_on(track, t_end)
            if end is None:
                track.run.check_time()
            if checkpoints and end is None:
                track.renew(checkpoints.follow(track.run))
        result = track.result(*end)
    except BaseException as raised:
        track.part(raised)
        raise
    finally:
        said = track.run.warnings()
        track.run.close()
        for line in said:
            warnings.warn(line, ModelWarning, stacklevel=_CALLER)
    return result


def _go_on(track: _Track, t_end: float) -> tuple[int, str] | None:
    """Advance to the next output, event or checkpoint. Return status and message if the run ends, else None."""
    run = track.run
    status = run.advance(track.next_time(t_end))
    what = run.happening() if status in (lib.RESIDA_EVENT, lib.RESIDA_STOP_TIME) else None
    track.reach(jumped=bool(what and what.restarted))
    record = event_record(run, what) if what else None
    if record:
        track.event_list.append(record)
    if record and run.watched.record(record.t, record.y_before, record.crossed):
        return 1, f"an event ended the integration at t = {run.t:.9g}"
    if status == lib.RESIDA_STOP_TIME:
        model_ended = run.t < run.t_stop or bool(record and record.ends)
        return int(model_ended), run.message()
    return (0, "the end of t_span was reached") if run.t >= t_end else None


def event_record(run: Run, what: Any) -> EventRecord | None:
    """Convert a resida_happening to an EventRecord. Return None if a root function changed sign in a direction that its
    event ignores, and nothing else happened."""
    kind = word_of(ffi.typeof("resida_event_kind"), what.kind)
    crossed = run.watched.fitting(what.direction) if kind == "root" else ()
    if kind == "root" and not (crossed or what.restarted or what.ended):
        return None
    n = run.model.contacts.n if run.model.contacts else 0
    return EventRecord(
        t=run.t, kind=kind, crossed=crossed, y_before=run.y_before if what.restarted else run.y, y=run.y,
        is_changed=bool(what.restarted), ends=bool(what.ended),
        impulses=np.array(ffi.unpack(what.push, n)) if what.push else None, energy_change=what.energy_change)
