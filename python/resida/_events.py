"""Events: changes of sign of functions of the solution, and the actions at them; they extend events of solve_ivp."""

import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._arrays import Array, Function
from ._callbacks import Args, Callbacks, Output, a_function, address, takes
from ._library import ffi


class Event:
    """A function with attributes, for objects that cannot have attributes: lambdas, methods, addresses of C functions.
    A C function fills out[1].

    Args:
        function: event(t, p, v), for a general DAE event(t, y, yp); followed by the Excitation and the args of the
            system. With one more parameter a function of a mechanism is event(t, p, v, lam), followed by the same
        terminal: True: the integration ends at the first event; an int k > 0: it ends at event number k
        direction: 0: any change of sign; 1: only from negative to positive; -1: only from positive to negative
        change: change(t, p, v, *args) returns the new state p [n_p], v [n_v], which is then made consistent; for a
            general DAE change(t, y, yp, *args) returns y, yp [n], yp None: computed. With sensitivities, a change of
            the state is also computed for each perturbed system. It must then depend on the arguments alone.
    """

    def __init__(self, function: Any, terminal: bool | int = False, direction: float = 0,
                 change: Function | None = None) -> None:
        self.function = function
        if not isinstance(terminal, (int, np.integer, np.bool_)) or terminal < 0:
            raise TypeError(f"terminal = {terminal!r} of an event is neither a bool nor a number of events >= 0")
        if direction not in (-1, 0, 1):
            raise TypeError(f"direction = {direction!r} of an event is not 1 (rising), -1 (falling) or 0 (both)")
        self.terminal = int(terminal)
        self.direction = direction
        self.change = change and a_function(change, "change of an Event")

    def __repr__(self) -> str:
        which = "rising " if self.direction > 0 else "falling " if self.direction < 0 else ""
        name = getattr(self.function, "__name__", repr(self.function))
        return f"<{which}Event {name}{', terminal' * bool(self.terminal)}{', with change' * bool(self.change)}>"

    def fits(self, crossing: int) -> bool:
        """Return whether a change of sign in this direction, +1 or -1, is an event. 0 stands for no change of sign."""
        return crossing != 0 and crossing * self.direction >= 0


@dataclass(frozen=True, eq=False, repr=False)
class EventRecord:
    """An event that occurred.

    Attributes:
        t: the time [s]
        kind: "root": a function crossed zero; "time": a time known to the model; "step": the model was called after a
            step
        crossed: indices of the functions that crossed zero, in the order of t_events
        y_before, y: [n] the state before and after the event; the same array if the event did not change the state
        is_changed: the event changed the state
        ends: the model ended the run
        impulses: [n] impulse of each contact [N s] at an impact; else None
        energy_change: change of the kinetic energy by the impact [J]
    """

    t: float
    kind: str
    crossed: tuple[int, ...]
    y_before: Array
    y: Array
    is_changed: bool
    ends: bool
    impulses: Array | None
    energy_change: float

    def __repr__(self) -> str:
        crossed = f", functions {', '.join(map(str, self.crossed))}" if self.crossed else ""
        change = ", changed the state" if self.is_changed else ""
        impact = "" if self.impulses is None else f", energy change {self.energy_change:.6g} J"
        return f"<EventRecord: {self.kind} at t = {self.t:.9g}{crossed}{change}{impact}{', ends' if self.ends else ''}>"


def _wants_lam(function: Any, n: int, has_excitation: bool) -> bool:
    """Return whether an event function of a mechanism takes lam, because it does not take n arguments but n + 1. A
    fourth parameter `lam` never receives the Excitation."""
    if address(function) is not None or not callable(function):
        return False
    if has_excitation and takes(function, 4) and list(inspect.signature(function).parameters)[3:4] == ["lam"]:
        return True
    return takes(function, n + 1) and not takes(function, n)


class Events:
    """The events of a run: first those of the model, then those of the user."""

    def __init__(self, events: Any) -> None:
        several = [] if events is None else events if isinstance(events, Sequence) else [events]
        self.users = [one if isinstance(one, Event) else
                      Event(one, getattr(one, "terminal", False), getattr(one, "direction", 0)) for one in several]
        self.set_own(ffi.NULL, 0)

    def set_own(self, function: Any, n: int, has_lam: bool = False) -> None:
        """Set the n root functions of the model. has_lam: they are a resida_root_lam_fn."""
        self._own, self._n_own, self._own_has_lam = function, n, has_lam
        self._all = [Event(None)] * n + self.users
        self.counts = [0] * len(self._all)
        self.t: list[list[float]] = [[] for _ in self._all]
        self.y: list[list[Array]] = [[] for _ in self._all]
        self._looks: list[list[float]] = []  # user's values in the first two evaluations

    def go_on(self, before: "Events") -> None:
        """Continue with the records of the events of another run of the same system."""
        self.counts, self.t, self.y, self._looks = before.counts, before.t, before.y, before._looks

    def __len__(self) -> int:
        return len(self._all)

    def attach(self, model: Any, callbacks: Callbacks, args: Args) -> None:
        """Set root or root_lam of a resida_model, and n_root."""
        if model.is_dae:
            dae, model.dae.n_root = model.dae, len(self)
            dae.root = self.pointer("resida_dae_root_fn", callbacks, (dae.n, dae.n), dae.n_u, args)
            return
        m, lam = model.mechanism, model.mechanism.n_g + model.mechanism.n_h
        n = 3 + (m.n_u > 0) + len(args)
        with_lam = [lam > 0 and _wants_lam(one.function, n, m.n_u > 0) for one in self.users]
        m.n_root = len(self)
        if self._own_has_lam or any(with_lam):
            self._lam = with_lam
            m.root = ffi.NULL
            model.root_lam = self.pointer("resida_root_lam_fn", callbacks, (m.n_p, m.n_v, lam), m.n_u, args)
        else:
            m.root = self.pointer("resida_velocity_fn", callbacks, (m.n_p, m.n_v), m.n_u, args)

    def pointer(self, c_type: str, callbacks: Callbacks, inputs: tuple[int, ...], n_u: int,
                args: Args) -> Any:
        """Return the root function for the library. With three inputs, the functions of self._lam use the third."""
        if not self.users:
            return self._own
        if len(self) == 1 and len(inputs) == 2 and address(self.users[0].function) is not None:
            return callbacks.pointer(c_type, "events[0]", self.users[0].function, lambda: None)
        return callbacks.c_function(c_type + " *", self._caller(c_type, callbacks, inputs, n_u, args),
                                    "events")

    def _caller(self, c_type: str, callbacks: Callbacks, inputs: tuple[int, ...], n_u: int,
                args: Args) -> Function:
        calls: list[Function] = []
        lam = self._lam if len(inputs) == 3 else [True] * len(self.users)  # False: the call is without the third input
        for i, event in enumerate(self.users):
            name = f"events[{i}]"
            if address(event.function) is not None:
                plain = c_type if lam[i] else "resida_velocity_fn"
                calls.append(callbacks.pointer(plain, name, event.function, lambda: None))
            elif callable(event.function):
                calls.append(callbacks.python(name, event.function, inputs if lam[i] else inputs[:2], (Output((1,)),),
                                              n_u, args))
            else:
                raise TypeError(f"{name} is neither callable nor the address of a C function: {event.function!r}")
        own, n_own, own_has_all = self._own, self._n_own, len(inputs) == 2 or self._own_has_lam

        def call(*c: Any) -> int:
            out, user = c[-2:]
            before = {True: c[:-2], False: (*c[:3], *c[4:-2])}
            verdict = own(*before[own_has_all], out, user) if n_own else 0
            for i, function in enumerate(calls):
                verdict = verdict or function(*before[lam[i]], out + n_own + i, user)
            if verdict == 0 and len(self._looks) < 2:
                self._looks.append(ffi.unpack(out + n_own, len(calls)))
            return int(verdict)

        return call

    def fitting(self, directions: Any) -> tuple[int, ...]:
        """Return the indices of the functions that crossed zero in the direction of their events."""
        return tuple(i for i, event in enumerate(self._all) if event.fits(directions[i]))

    def doubts(self) -> list[str]:
        """Return warnings about user's events whose function was zero at the start."""
        lines = []
        for i, (event, at, ahead) in enumerate(zip(self.users, *self._looks) if len(self._looks) > 1 else ()):
            if (event.change or event.terminal) and at == 0 and event.fits(int(np.sign(ahead))):
                lines.append(f"events[{i}] is zero at the start and {'rises' if ahead > 0 else 'falls'} after it; a "
                             "zero at the start is not an event")
        return lines

    def record(self, t: float, y: Array, crossed: tuple[int, ...]) -> bool:
        """Record an event of the functions `crossed`. Return whether the integration ends there."""
        for i in crossed:
            self.t[i].append(t)
            self.y[i].append(y)
            self.counts[i] += 1
        return any(0 < self._all[i].terminal <= self.counts[i] for i in crossed)
