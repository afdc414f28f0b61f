"""Events: changes of sign of functions of the solution, and which of them end an integration.

As in scipy's solve_ivp an event is a function with, perhaps, the attributes `terminal` (False; True, or the number of
times that it may happen, the last of which ends the integration) and `direction` (0: any; > 0: rising alone, < 0:
falling alone).
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from ._callbacks import Callbacks, Output, address
from ._library import ffi


class Event:
    """A function with its attributes, for what cannot have attributes: lambdas, methods, addresses of C functions,
    which fill out[1]."""

    def __init__(self, function, terminal: bool | int = False, direction: float = 0):
        self.function = function
        self.terminal = terminal
        self.direction = direction


def as_list(events) -> list[Event]:
    """What a user gives as `events`: None, one, or several."""
    if events is None:
        return []
    several = events if isinstance(events, Sequence) else [events]
    return [event if isinstance(event, Event) else
            Event(event, getattr(event, "terminal", False), getattr(event, "direction", 0)) for event in several]


class Events:
    """The events of a run: those of the model, if it has such, and then the user's."""

    def __init__(self, events, own: tuple[Any, int] = (ffi.NULL, 0)):
        self._own, self._n_own = own
        self._users = as_list(events)
        self._all = [Event(None)] * self._n_own + self._users
        self._counts = [0] * len(self._all)
        self.t: list[list[float]] = [[] for _ in self._all]
        self.y: list[list[np.ndarray]] = [[] for _ in self._all]

    def __len__(self) -> int:
        return len(self._all)

    def pointer(self, c_type: str, callbacks: Callbacks, inputs: tuple[int, ...], n_u: int, args: tuple):
        """The root function for the library."""
        if not self._users:
            return self._own
        if len(self) == 1 and address(self._users[0].function) is not None:
            return callbacks.pointer(c_type, "event", self._users[0].function, lambda: None)
        return callbacks.pointer(c_type, "event", self._call_all,
                                 lambda: self._caller(c_type, callbacks, inputs, n_u, args))

    def _call_all(self):
        """Stands for what _caller() makes."""

    def _caller(self, c_type, callbacks, inputs, n_u, args):
        calls = []
        for i, event in enumerate(self._users):
            name = f"events[{i}]"
            if address(event.function) is not None:
                calls.append(callbacks.pointer(c_type, name, event.function, lambda: None))
            elif callable(event.function):
                calls.append(callbacks.python(name, event.function, inputs, (Output((1,)),), n_u, args))
            else:
                raise TypeError(f"{name} is neither a function nor the address of one: {event.function!r}")
        own, n_own = self._own, self._n_own

        def call(*c):
            before, out, user = c[:-2], c[-2], c[-1]
            verdict = own(*c) if n_own else 0
            for i, function in enumerate(calls):
                verdict = verdict or function(*before, out + n_own + i, user)
            return verdict

        return call

    def record(self, t: float, y: np.ndarray, crossings: Sequence[int]) -> bool:
        """Note the functions that crossed zero at t. Does the integration end there?"""
        ends = False
        for i, event in enumerate(self._all):
            if crossings[i] and crossings[i] * event.direction >= 0:
                self.t[i].append(t)
                self.y[i].append(y)
                self._counts[i] += 1
                ends |= bool(event.terminal) and self._counts[i] >= int(event.terminal)
        return ends
