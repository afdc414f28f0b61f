"""A system in the form of the library: its callbacks, its resida_model and its resida_problem."""

import contextlib
from collections.abc import Iterator, Mapping
from math import inf
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from ._arrays import Array, Function, pointer, vector
from ._callbacks import Callbacks
from ._checkpoint import Start
from ._events import Event, Events
from ._library import Error, ffi, lib, text
from ._options import make
from ._outputs import sizes_of
from ._result import Layout

if TYPE_CHECKING:
    from ._system import System

Self = TypeVar("Self", bound="Problem")

_NAME = 256  # bytes; max. length of the name of a component


class Handles:
    """Owns the C objects. Frees them in reverse order when nothing refers to them or to their arrays any more."""

    def __init__(self) -> None:
        self._made: list[tuple[Function, Any]] = []

    def make(self, c_type: str) -> Any:
        """Return room for a handle of this type, set to NULL. The handle is freed with this object."""
        handle = ffi.new(c_type + " **")
        self._made.append((getattr(lib, c_type + "_free"), handle))
        return handle

    def outlive(self, _: Any) -> None:
        """Do nothing. A reference to this method keeps the memory alive."""

    def __del__(self) -> None:
        for free, handle in reversed(self._made):
            free(handle[0])


class Problem:
    """The problem of a system with a start given by the user. Used in a `with` block, which closes it.

    `shared` is another problem, whose callbacks and handles this problem uses; they are released with that problem.
    This problem is then a perturbed copy of it, for sensitivities."""

    layout: Layout
    model: Any  # a resida_model

    def __init__(self, system: "System", t_span: tuple[float, float], start: tuple[Any, ...],
                 options: Mapping[str, Any], events: Any = None, shared: "Problem | None" = None) -> None:
        self.system = system
        self.options = dict(options)
        self.handles: Handles = shared.handles if shared else Handles()
        self.callbacks: Callbacks = shared.callbacks if shared else Callbacks(self.handles)
        self.why = ffi.new("resida_message *")
        self.watched = Events(events)
        self._shared = shared
        self._same: dict[Event, bool] = {}  # events whose last change returned the same state; True: and y' = None
        self.t_span, self.given_start = t_span, start
        self.args = list(system.args)  # the args that callbacks receive; changed in place

    def __enter__(self: Self) -> Self:
        try:
            self.open()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def open(self) -> None:
        """Create the model and the problem."""
        first, second = self.system._vectors(*self.given_start)
        self.begin = Start(self.t_span[0], first.copy(), None if second is None else second.copy())
        with self.naming_sizes():
            self.model = self.system._describe(self.callbacks, self.watched, self.t_span[0], first, second,
                                                self.args)
        self._set_start(first, second)
        self._watch_events()
        self._create()

    @contextlib.contextmanager
    def naming_sizes(self) -> Iterator[None]:
        """Add the sizes of the start as a note to an exception of a callback, whose arrays may have other sizes."""
        try:
            yield
        except (ValueError, IndexError) as raised:
            sizes = [np.size(part) for part in self.given_start if part is not None]
            raised.add_note("resida: the exception was raised at the start; its arrays have "
                            f"{' and '.join(map(str, sizes))} components")
            raise

    def close(self) -> None:
        """Release the callbacks. The library calls none of them any more."""
        self.callbacks.forget()

    def _set_start(self, first: Array, second: Array | None) -> None:
        keep, model = self.callbacks.keep, self.model
        model.size = ffi.sizeof("resida_model")
        model.t0, model.t_end = self.t_span
        start = [ffi.NULL if x is None else pointer(keep(x)) for x in (first, second)]
        if model.is_dae:
            model.y0, model.yp0 = start
        else:
            model.p0, model.v0 = start

    def _create(self) -> None:
        keep, model = self.callbacks.keep, self.model
        options = make("resida_problem_options", self.options, keep)
        options.products = model.products
        options.contacts = model.contacts
        options.root_lam = model.root_lam
        matrix = self.system._projection_matrix(self.callbacks, model, self.args)
        if matrix is not None:
            options.projection_matrix = matrix
        handle = self.handles.make("resida_problem")
        part, create = ((model.dae, lib.resida_problem_create_dae) if model.is_dae else
                        (model.mechanism, lib.resida_problem_create))
        self.check(create(handle, ffi.addressof(part), options, self.why))
        self.problem = handle[0]
        layout = ffi.new("resida_layout *")
        lib.resida_problem_layout(self.problem, layout)
        self.layout = Layout.of(layout)

    def _watch_events(self) -> None:
        """Set the model's event() to a callback of this object."""
        model = self.model
        self._model_event, self._model_asks_steps = model.event, model.asks_steps
        self._n_own, self._t_next = len(self.watched) - len(self.watched.users), inf
        if not model.event:
            model.state_is_all = not any(event.change for event in self.watched.users)
        model.event = self.callbacks.c_function("int(*)(const resida_model *, resida_model_event *)", self._happens)
        model.asks_steps = 1

    def _happens(self, model: Any, event: Any) -> int:
        """Call the model's own event() if it handles this event, then apply the changes of the user's events."""
        if event.kind == lib.RESIDA_AT_ROOT:
            is_own = any(event.direction[0:self._n_own])
        else:
            is_own = event.kind != lib.RESIDA_AT_STEP or self._model_asks_steps
        verdict = self._model_event(model, event) if self._model_event and is_own else 0
        self._t_next = event.t_next
        if verdict == 0 and event.kind != lib.RESIDA_AT_START:
            self._reached()  # first, because a change may raise an exception
            self._change(event)
        return int(verdict)

    def _reached(self) -> None:
        """Called at the end of a step and at an event, before the change of the event. Overridden by Run."""

    def _change(self, event: Any) -> None:
        """Apply the changes of the user's events to the state."""
        if event.kind != lib.RESIDA_AT_ROOT or not self.watched.users:
            return
        names, sizes = zip(*list(sizes_of(self.model).items())[:2])
        state = [np.frombuffer(ffi.buffer(at, 8 * n)) for at, n in zip((event.y, event.yp), sizes)]
        for user, direction in zip(self.watched.users, event.direction[self._n_own:len(self.watched)]):
            if not user.change or not user.fits(direction):
                continue
            if self._shared and user in self._shared._same:  # the change has no effect but on the functions of both
                event.changed, event.find_yp = 1, self._shared._same[user]
                continue
            before = [x.copy() for x in state]
            after = user.change(event.t, *(x.copy() for x in state), *self.args)
            shapes = [x.shape if each is None else np.shape(each) for x, each in zip(state, after)] if isinstance(
                after, (tuple, list)) and len(after) == 2 else []
            if shapes != [x.shape for x in state]:
                raise TypeError(f"change of an event returned {after!r}; expected a pair of arrays, "
                                + ", ".join(f"{name} [{size}]" for name, size in zip(names, sizes)))
            event.changed, event.find_yp = 1, after[1] is None
            for x, changed, name in zip(state, after, names):
                if changed is not None:
                    x[:] = vector(changed, f"{name} returned by change of an event")
            self._same.pop(user, None)
            if all(map(np.array_equal, before, state)):
                self._same[user] = after[1] is None

    def residual(self, t: float, y: Array, yp: Array) -> Array:
        """Return F(t, y, yp)."""
        r = np.empty(self.layout.n)
        status = lib.resida_problem_residual(t, pointer(y), pointer(yp), pointer(r), self.problem)
        self.check(lib.RESIDA_ERR_USER if status else lib.RESIDA_OK, f"F cannot be evaluated at t = {t:.9g}")
        return r

    def names(self) -> list[str]:
        """Return the names of the components of y."""
        room = ffi.new("char[]", _NAME)
        names = []
        for i in range(self.layout.n):
            lib.resida_problem_component_name(self.problem, i, room, _NAME)
            names.append(text(room))
        return names

    def g_names(self) -> list[str]:
        """Return the names of the constraints of a mechanism; an empty list if they have none."""
        m = self.model.mechanism
        has_names = not self.model.is_dae and m.g_names
        return [text(m.g_names[i]) for i in range(m.n_g + m.n_h)] if has_names else []

    def start_options(self) -> Any:
        """Return the resida_start_options."""
        return make("resida_start_options", self.options, self.callbacks.keep)

    def check_has_states(self, what: str) -> None:
        """Raise if the model has no continuous states, which `what` is computed of."""
        if self.model.y_is_time:
            raise ValueError(f"{what}: the model has its own integrator, or no continuous states")

    def check(self, status: int, message: str | None = None) -> None:
        """Raise the exception of a callback, or an Error with the message of the library if status < 0."""
        raised, self.callbacks.raised = self.callbacks.raised, None
        if raised is not None:
            try:
                raise raised
            finally:
                del raised  # the exception refers to this frame by its traceback
        if status < 0:
            message = text(self.why.text) if message is None else message
            raise Error(status, self._with_words(status, self.system._words(message)))

    def _with_words(self, status: int, message: str) -> str:
        """Return the message, with the model's own explanation of its failure."""
        if status not in (lib.RESIDA_ERR_USER, lib.RESIDA_ERR_USER_REPEATED):
            return message
        own = text(self.model.said)
        if self.callbacks.refusal:
            message = message.replace("returned 1", self.callbacks.refusal)
        return f"{message}: {own}" if own else message
