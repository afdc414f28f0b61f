"""What a model does at events, after resida/run.h: impacts, switches, discrete states.

Here a run goes step by step, so that outputs, dense output and Ctrl-C are as everywhere; resida_run_advance() goes from
event to event. The model is asked the same questions in the same order.
"""

from math import inf, isnan

import numpy as np

from ._arrays import pointer
from ._library import Error, ffi, lib


class Happenings:
    """The answers of a resida_model that has event()."""

    def __init__(self, model, t_stop: float):
        self._model = model
        self._t_stop = t_stop
        self._t_next = inf
        self._n_root = model.dae.n_root if model.is_dae else model.mechanism.n_root
        self.ends = False

    def begin(self, t: float, y: np.ndarray, yp: np.ndarray | None) -> tuple[np.ndarray, np.ndarray | None]:
        """From where to start."""
        n = self._model.dae.n if self._model.is_dae else self._model.mechanism.n_v
        event, y_0, yp_0 = self._ask(lib.RESIDA_AT_START, t, y, np.zeros(n) if yp is None else yp)
        is_found = event.find_yp if event.changed else yp is None
        return y_0, None if is_found else yp_0

    def limit(self, run) -> None:
        """No step goes beyond an event that is known by its time."""
        lib.resida_solver_set_stop_time(run.solver, min(self._t_next, self._t_stop))

    def passed(self, t: float) -> bool:
        """Was it an event of the model, not the user's stop time, that steps ended for at t?"""
        return t < self._t_stop

    def follow(self, run, news: int, crossings: list[int]) -> bool:
        """After a step, with the signs of all root functions at an event. Does the run go on from another state?"""
        kind = self._due(run.t, news, crossings)
        if kind is None:
            return False
        if kind == lib.RESIDA_AT_TIME:
            self._t_next = inf
        is_dae, part = self._model.is_dae, run.layout
        y, yp = (run.y, run.yp) if is_dae else (run.y[part.p], run.y[part.v])
        event, y, yp = self._ask(kind, run.t, y, yp, crossings)
        self.ends = bool(event.ends)
        if event.changed and is_dae:
            run.start_dae(run.t, y, None if event.find_yp else yp)
        elif event.changed:
            run.start(run.t, y, yp)
        return bool(event.changed)

    def _due(self, t: float, news: int, crossings: list[int]) -> int | None:
        if t >= self._t_next:
            return lib.RESIDA_AT_TIME
        if news == lib.RESIDA_EVENT and any(crossings[:self._n_root]):
            return lib.RESIDA_AT_ROOT
        return lib.RESIDA_AT_STEP if self._model.asks_steps else None

    def _ask(self, kind: int, t: float, y: np.ndarray, yp: np.ndarray, crossings=()):
        y, yp = np.array(y), np.array(yp)
        direction = ffi.new("int[]", list(crossings)) if kind == lib.RESIDA_AT_ROOT else ffi.NULL
        event = ffi.new("resida_model_event *", {"kind": kind, "t": t, "direction": direction, "y": pointer(y),
                                                 "yp": pointer(yp), "t_next": self._t_next})
        verdict = lib.resida_model_happens(self._model, event)
        if verdict != 0:
            raise Error(lib.RESIDA_ERR_USER, f"event() failed at t = {t:.9g}")
        if isnan(event.t_next) or event.t_next <= t:
            raise Error(lib.RESIDA_ERR_USER, f"event() at t = {t:.9g}: t_next = {event.t_next:.9g} is not later")
        self._t_next = event.t_next
        return event, y, yp
