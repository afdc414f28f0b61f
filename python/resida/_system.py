"""What can be done with a system, whatever it is given as: a DAE, a Mechanism, a Model."""

import dataclasses
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from ._arrays import Array, Function, pointer, vector
from ._callbacks import Args, Callbacks
from ._checkpoint import describe
from ._equilibrium import Equilibrium, find
from ._events import Events
from ._integrate import Checkpoints, begun, from_time, integrate, resumed, times
from ._library import Error, ffi, lib
from ._linearize import Linearization, linearize
from ._options import EQUILIBRIUM, PROBLEM, arguments, nearest, read
from ._problem import Problem
from ._result import statistics
from ._run import Quadratures, Run, Tolerance
from ._sensitivity import as_list
from ._stepper import Stepper


_OF_C = re.compile(r"^resida_\w+: | \(solve --emit-patterns\)")  # of no use in Python


def _renamed(line: str, names: Mapping[str, str]) -> str:
    for pattern, name in names.items():
        line = re.sub(pattern, name, line)
    return line


@dataclass(frozen=True, eq=False)
class Impact:
    """Velocities v [n_v] behind an impact; impulses of the contacts [n], >= 0, and lam_impulses of the joints
    [n_g + n_h], both [N s]; and a report by the names of resida_impact_report, energy_change [J] among them."""

    v: Array
    impulses: Array
    lam_impulses: Array
    report: dict[str, Any]


class System(ABC):
    """A system with what can be done with it.

    `start` below is what solve() takes: p0, v0 of a mechanism, v0 None or left out: at rest; y0, yp0 of a general DAE,
    yp0 None or left out: found. A Model has a start of its own, where none is given. t is the time of the start [s].
    Options are those of the headers that are named, by name; with a mistake in one all of these raise as solve()."""

    args: tuple[Any, ...] = ()
    is_dae: bool

    @abstractmethod
    def _vectors(self, *start: Any) -> tuple[Array, Array | None]:
        """A start, checked."""

    @abstractmethod
    def _describe(self, callbacks: Callbacks, watched: Events, t: float, first: Array, second: Array | None,
                  args: Args) -> Any:
        """A resida_model, without its start, whose callbacks get what is in `args` when they are called."""

    def _projection_matrix(self, callbacks: Callbacks, model: Any, args: Args) -> Any:
        """The callback of this name in resida_problem_options; None: there is none."""
        return None

    @abstractmethod
    def _values(self) -> dict[str, str]:
        """Arguments or parameters by name, in words: what a checkpoint has to be resumed with."""

    def _words(self, line: str) -> str:
        """What the library says, in the names that the user knows."""
        return _OF_C.sub("", line)

    @abstractmethod
    def _value(self, by: int | str) -> float:
        """Of an argument or a parameter."""

    @abstractmethod
    def _moved(self, by: int | str, value: float) -> "System":
        """With another value of it."""

    @abstractmethod
    def replace(self, **changes: Any) -> Self:
        """The same with other arguments, callbacks or parameters, by name."""

    solve: Function

    def _usual(self, rtol: Tolerance | None, atol: Any) -> tuple[Any, Any]:
        """Tolerances; None: those that are usual."""
        return 1e-6 if rtol is None else rtol, 1e-6 if atol is None else atol

    def _solve(self, function: Function, t_span: Any, start: tuple[Any, ...], t_eval: Any, events: Any,
               dense_output: bool, rtol: Tolerance | None, atol: Tolerance | None, sensitivities: Any,
               quadratures: Quadratures, checkpoint: Any, checkpoint_steps: int, resume: Any,
               given: dict[str, Any]) -> Any:
        t_0, t_end, t_eval = times(t_span, t_eval)
        options = {"t_stop": t_end, **read(given, function)}
        wanted = as_list(sensitivities)
        if wanted and (checkpoint is not None or resume is not None):
            raise ValueError("sensitivities are not in checkpoints: one of both has to go")
        if quadratures and (checkpoint is not None or resume is not None):
            raise ValueError("quadratures are not in checkpoints: one of both has to go")

        saved, t_0, start = resumed(self, resume, t_0, start)

        def make() -> Run:
            return Run(self, (t_0, t_end), start, *self._usual(rtol, atol), options, events,
                       dense_output or checkpoint is not None, quadratures)

        checkpoints = None if checkpoint is None else Checkpoints(checkpoint, checkpoint_steps, make)
        run = begun(make(), wanted, events, saved)
        return integrate(run, t_end, t_eval, dense_output, [one.title() for one in wanted], checkpoints)

    def stepper(self, *start: Any, t: float = 0.0, events: Any = None, rtol: Tolerance | None = None,
                atol: Tolerance | None = None, sensitivities: Any = (), quadratures: Quadratures = None,
                resume: Any = None, **options: Any) -> Stepper:
        """An integration that the caller takes from time to time: see Stepper.

        Args:
            events, rtol, atol, sensitivities, quadratures, **options: as in solve()
            resume: what Stepper.save() returned, of the same system and options: from where to go on. The start and t
                are in it, and may be left out
        """
        return Stepper(self, start, t, events, self._usual(rtol, atol), as_list(sensitivities),
                       quadratures, resume, read(options, System.stepper))

    def equilibrium(self, *start: Any, t: float = 0.0, **options: Any) -> Equilibrium:
        """A state in which nothing changes, found from a guess.

        Args:
            start: the guess
            t: the time at which excitations are taken [s]
            **options: of resida/equilibrium.h (steady=1, load_steps, tolerance ...) and resida/problem.h

        Raises:
            Error: none was found, with the worst rows; RESIDA_ERR_REDUNDANT ...
        """
        with Problem(self, from_time(t), start, read(options, System.equilibrium, EQUILIBRIUM)) as problem:
            return find(problem)

    def linearize(self, *start: Any, t: float = 0.0, independent: bool | None = None, sparse: bool = False,
                  **options: Any) -> Linearization:
        """E x' = A x + B u, y = C x + D u about a state, which is made consistent and need not be at rest.

        Args:
            independent: in independent coordinates, for mechanisms alone, where it is the default; else the unknowns of
                the formulation
            sparse: matrices of scipy.sparse, not full arrays
            **options: of resida/problem.h and resida/start.h
        """
        given = read(options, System.linearize, PROBLEM)
        with Run(self, from_time(t), start, 1e-6, 1e-6, given) as run:
            run.start()
            return linearize(run, independent, sparse)

    def check(self, *start: Any, t: float = 0.0, rtol: Tolerance | None = None, atol: Tolerance | None = None,
              **options: Any) -> list[str]:
        """Does the system mean what it says, at a state? Derivatives that it gives are compared with differences, and
        the start with the constraints.

        Returns:
            a line for each thing that is wrong; an empty list: nothing was seen
        """
        with Run(self, from_time(t), start, *self._usual(rtol, atol), read(options, System.check)) as run:
            try:
                run.start()
            except Error as failure:
                if failure.status not in (lib.RESIDA_ERR_INCONSISTENT, lib.RESIDA_ERR_MODEL):
                    raise
                return [*run.warnings(), str(failure)]
            run.check(lib.resida_solver_examine(run.solver), run.message())
            return run.warnings()

    def impact(self, p: Any, v: Any, rows: Any, restitution: Any, rates: Any = None, *, t: float = 0.0,
               **options: Any) -> Impact:
        """Of a mechanism the velocities behind an impact, by Newton's law (resida/impact.h).

        Args:
            p, v: [n_p], [n_v] the state before
            rows: [n, n_p] derivatives of the gaps of the contacts that are closed
            restitution: [n] coefficients, 0 to 1; or one for all
            rates: [n] how gaps change at a fixed p [m/s]; None: not at all
            **options: of resida/problem.h and resida/start.h
        """
        with Problem(self, from_time(t), (p, v), read(options, System.impact, PROBLEM)) as problem:
            if problem.model.is_dae:
                raise ValueError("impact() is for mechanisms: a general DAE has no masses")
            m, keep = problem.model.mechanism, problem.callbacks.keep
            rows = np.ascontiguousarray(rows, dtype=float)
            if rows.ndim != 2 or rows.shape[1] != m.n_p:
                raise ValueError(f"rows has shape {rows.shape}, and (n, {m.n_p}) is needed")
            n = rows.shape[0]
            contacts = ffi.new("resida_contacts *")
            lib.resida_contacts_init(contacts)
            contacts.n, contacts.rows = n, pointer(keep(rows))
            contacts.restitution = pointer(keep(vector(np.broadcast_to(restitution, n), "restitution", n)))
            if rates is not None:
                contacts.rates = pointer(keep(vector(rates, "rates", n)))
            after, push, lam = np.empty(m.n_v), np.empty(n), np.empty(m.n_g + m.n_h)
            report = ffi.new("resida_impact_report *")
            problem.check(lib.resida_problem_impact(
                problem.problem, t, problem.model.p0, problem.model.v0, contacts, problem.start_options(),
                pointer(after), pointer(push), pointer(lam) if lam.size else ffi.NULL, report, problem.why))
            return Impact(after, push, lam, statistics(report))


class WithArgs(System):
    """A system whose fields are callbacks, which get `args`."""

    _names_of_c: Mapping[str, str] = {}  # what is called otherwise in C, as a pattern, and what it is called here

    def __new__(cls, *_: Any, **given: Any) -> Any:
        names = [field.name for field in dataclasses.fields(cls)]
        for name in given:
            if name not in names:
                raise TypeError(f"{cls.__name__} has no field '{name}'{nearest(name, names)}")
        return super().__new__(cls)

    def __post_init__(self) -> None:
        self.args = arguments(self.args)

    def __repr__(self) -> str:
        def is_given(each: Any) -> bool:
            value = getattr(self, each.name)
            if isinstance(value, (int, float, str)):
                return bool(value != each.default)
            return value is not each.default and not (isinstance(value, Mapping) and not value)

        given = [each.name for each in dataclasses.fields(self) if each.name not in ("name", "args") and is_given(each)]
        return f"<{type(self).__name__}: {', '.join(given)}; {len(self.args)} args>"

    def replace(self, **changes: Any) -> Self:
        """The same with other fields."""
        return dataclasses.replace(self, **changes)

    def _value(self, by: int | str) -> float:
        if isinstance(by, bool) or not isinstance(by, int) or not 0 <= by < len(self.args):
            raise ValueError(f"sensitivities: {by!r} is no number of an argument: "
                             + (f"0 to {len(self.args) - 1} are those of args" if self.args else
                                "args is empty; its members are the last arguments of callbacks, as k of args=(k,)"))
        value = self.args[by]
        if isinstance(value, bool) or not isinstance(value, (int, float, np.floating, np.integer)):
            raise TypeError(f"sensitivities: args[{by}] is {value!r}, and a number is needed")
        return float(value)

    def _values(self) -> dict[str, str]:
        return {f"args[{i}]": describe(one) for i, one in enumerate(self.args)}

    def _words(self, line: str) -> str:
        return _renamed(super()._words(line), self._names_of_c)

    def _moved(self, by: int | str, value: float) -> System:
        return self.replace(args=tuple(value if i == by else arg for i, arg in enumerate(self.args)))
