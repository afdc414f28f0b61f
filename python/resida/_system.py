"""The operations on a system, which is a DAE, a Mechanism or a Model."""

import dataclasses
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from ._arrays import Array, Function, pointer, vector
from ._callbacks import Args, Callbacks, ignores_time
from ._checkpoint import describe
from ._critical import Critical, LocusPoint, RootLocus, point_of, range_of, search
from ._equilibrium import Equilibrium, find
from ._events import Events
from ._integrate import Checkpoints, begun, from_time, integrate, resumed, times
from ._library import Error, ffi, lib
from ._linearize import Linearization, linearize
from ._options import EQUILIBRIUM, MEMBERS, PROBLEM, arguments, nearest, read
from ._problem import Problem
from ._result import statistics
from ._run import Quadratures, Run, Tolerance
from ._sensitivity import Sensitivity, as_list
from ._stepper import Stepper


_OF_C = re.compile(r"^resida_\w+: | \(solve --emit-patterns\)")  # parts of messages that do not apply to Python


@dataclass(frozen=True, eq=False, repr=False)
class Impact:
    """The result of an impact: velocities v [n_v] after the impact; impulses of the contacts [n], >= 0, and
    lam_impulses of the joints [n_g + n_h], both [N s]; and a report by the names of resida_impact_report, including
    energy_change [J]."""

    v: Array
    impulses: Array
    lam_impulses: Array
    report: dict[str, Any]

    def __repr__(self) -> str:
        energy = self.report["energy_change"]
        return f"<Impact: impulses {self.impulses} N s, energy change {energy:.6g} J, v = {self.v}>"


class System(ABC):
    """A system and the operations on it.

    The argument `start` of the methods is that of solve(): p0, v0 of a mechanism, v0 None or omitted: zero; y0, yp0 of
    a general DAE, yp0 None or omitted: computed. A Model has a default start. t is the time of the start [s]. The
    options are members of the structs in the named headers, by name. An invalid option raises the same exceptions as in
    solve().
    """

    args: tuple[Any, ...] = ()
    is_dae: bool
    _is_fmu: bool = False
    _owner: int = 0  # id of the run whose state the FMU has

    @abstractmethod
    def _vectors(self, *start: Any) -> tuple[Array, Array | None]:
        """Check a start and return its two vectors."""

    @abstractmethod
    def _describe(self, callbacks: Callbacks, watched: Events, t: float, first: Array, second: Array | None,
                  args: Args) -> Any:
        """Return a resida_model without its start. Its callbacks receive the current content of `args`."""

    def _projection_matrix(self, callbacks: Callbacks, model: Any, args: Args) -> Any:
        """Return the callback projection_matrix of resida_problem_options, or None."""
        return None

    @abstractmethod
    def _values(self) -> dict[str, str]:
        """Return the arguments or parameters as texts, by name. A checkpoint can only be resumed if they are equal."""

    def _words(self, line: str) -> str:
        """Replace the names of C in a message of the library by those of Python."""
        line = _OF_C.sub("", line).replace("give root functions", "give events")
        return re.sub(r"\ba root function\b", "an event", line)

    def _ignores_time(self) -> bool:
        """Return whether it is known that no callback depends on t."""
        return False

    @abstractmethod
    def _value(self, by: int | str, use: str = "sensitivities") -> float:
        """Return the value of an argument or a parameter. `use` is named in an exception."""

    @abstractmethod
    def _moved(self, by: int | str, value: float) -> "System":
        """Return the same system with another value of the argument or parameter `by`."""

    def _inputs(self) -> tuple[list[str], Array]:
        """Return the names of inputs and tunable parameters that a stepper can set, and their values, which may be
        written; NaN: not set."""
        return [], np.empty(0)

    def _as_inputs(self, changes: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return changes of parameters as values of inputs, or {} if they are more than that."""
        return {}

    @abstractmethod
    def replace(self, **changes: Any) -> Self:
        """Return the same system with other arguments, callbacks or parameters, by name."""

    solve: Function

    def _usual(self, rtol: Tolerance | None, atol: Any) -> tuple[Any, Any]:
        """Return the tolerances; None is replaced by the default."""
        return 1e-6 if rtol is None else rtol, 1e-6 if atol is None else atol

    def _solve(self, function: Function, t_span: Any, start: tuple[Any, ...], t_eval: Any, events: Any,
               dense_output: bool, yp: bool, rtol: Tolerance | None, atol: Tolerance | None, sensitivities: Any,
               quadratures: Quadratures, checkpoint: Any, checkpoint_steps: int, resume: Any,
               given: dict[str, Any]) -> Any:
        t_0, t_end, t_eval = times(t_span, t_eval)
        options = {"t_stop": t_end, "atol": atol, **read(given, function)}
        wanted = as_list(sensitivities)
        for name, given_too in ("sensitivities", wanted), ("quadratures", quadratures):
            if given_too and (checkpoint is not None or resume is not None):
                raise ValueError(f"{name} cannot be combined with checkpoints: omit one of them")
        if checkpoint is not None and any(event.change for event in Events(events).users):
            raise ValueError("events with change cannot be combined with checkpoints: a checkpoint contains no state "
                             "of the functions")
        saved, t_0, start = resumed(self, resume, t_0, start)
        self._inputs()[1].fill(np.nan)  # those of a stepper

        def make() -> Run:
            return Run(self, (t_0, t_end), start, *self._usual(rtol, atol), options, events,
                       dense_output or checkpoint is not None, quadratures)

        checkpoints = None if checkpoint is None else Checkpoints(checkpoint, checkpoint_steps, make)
        run = begun(make(), wanted, events, saved)
        return integrate(run, t_end, t_eval, dense_output, yp, [one.title() for one in wanted], checkpoints)

    def stepper(self, *start: Any, t: float | None = None, events: Any = None, rtol: Tolerance | None = None,
                atol: Tolerance | None = None, sensitivities: Any = (), quadratures: Quadratures = None,
                resume: Any = None, **options: Any) -> Stepper:
        """Return an integration that the caller advances, see Stepper.

        Args:
            t: the time of the start [s]; None: 0, of a Model the start of its t_span
            events, rtol, atol, sensitivities, quadratures, **options: as in solve()
            resume: the bytes that Stepper.save() returned, of the same system and options, to continue from. The start
                and t are then those of the checkpoint and may be omitted
        """
        return Stepper(self, start, self._time(t), events, self._usual(rtol, atol), as_list(sensitivities),
                       quadratures, resume, {"atol": atol, **read(options, System.stepper)})

    def _time(self, t: float | None) -> float:
        return 0.0 if t is None else t

    def equilibrium(self, *start: Any, t: float | None = None, **options: Any) -> Equilibrium:
        """Find an equilibrium from a guess.

        Args:
            start: the guess
            t: the time at which excitations are evaluated [s]; None: 0, of a Model the start of its t_span
            **options: of resida/equilibrium.h (steady=1, load_steps, tolerance ...) and resida/problem.h

        Raises:
            Error: no equilibrium was found; the message lists the rows with the largest residuals; RESIDA_ERR_REDUNDANT
                ...
        """
        with Problem(self, from_time(self._time(t)), start, read(options, System.equilibrium, EQUILIBRIUM)) as problem:
            return find(problem)

    def linearize(self, *start: Any, t: float | None = None, independent: bool | None = None, sparse: bool = False,
                  **options: Any) -> Linearization:
        """Return the linearization E x' = A x + B u, y = C x + D u about a state. The state is made consistent and need
        not be at rest.

        Args:
            independent: True: in independent coordinates, only for mechanisms, for which it is the default; False: in
                the unknowns of the formulation
            sparse: return scipy.sparse matrices, not arrays
            **options: of resida/problem.h and resida/start.h
        """
        given = read(options, System.linearize, PROBLEM)
        with Run(self, from_time(self._time(t)), start, 1e-6, 1e-6, given) as run:
            run.start()
            return linearize(run, independent, sparse)

    def root_locus(self, by: int | str, values: Any, *start: Any, t: float | None = None, from_equilibrium: Any = False,
                   independent: bool | None = None, **options: Any) -> RootLocus:
        """Return the eigenvalues over a parameter.

        Args:
            by: the index of an argument in `args`, or the name of a parameter of a Model
            values: [n] the values of the parameter
            start, t, independent, **options: as in linearize(), for each value
            from_equilibrium: linearize about equilibria. The first one is found from the start, others from that of the
                nearest value, so that they stay on one branch. Options of equilibrium() can be given as a dict
        """
        find = self._finder("root_locus", by, start, t, from_equilibrium, independent, options)
        each = vector(values, "values")
        if each.size == 0:
            raise ValueError("values is empty: give values of the parameter")
        return RootLocus(Sensitivity(by).title(), [find(float(value)) for value in each])

    def critical(self, by: int | str, span: Any, *start: Any, points: int = 21, t: float | None = None,
                 from_equilibrium: Any = False, independent: bool | None = None, **options: Any) -> Critical:
        """Return the values of a parameter at which modes begin or cease to grow, as the command `resida critical`.

        Args:
            span: the range of the parameter, two numbers; the first may be the larger one
            points: number of equidistant values in the range; growth between two neighbouring values may be missed
            by, start, t, from_equilibrium, independent, **options: as in root_locus()
        """
        find = self._finder("critical", by, start, t, from_equilibrium, independent, options)
        found = [find(value) for value in range_of(span, points)]
        return Critical(Sensitivity(by).title(), found, search(find, found))

    def _finder(self, name: str, by: int | str, start: tuple[Any, ...], t: float | None, from_equilibrium: Any,
                independent: bool | None, options: dict[str, Any]) -> Callable[[float], LocusPoint]:
        """Return a function that returns the LocusPoint of a value."""
        self._value(by, name)
        own = from_equilibrium if isinstance(from_equilibrium, Mapping) else {}
        both = {**{name: value for name, value in options.items() if name in MEMBERS["resida_problem_options"]}, **own}

        known: dict[float, tuple[Any, ...]] = {}  # equilibria; the nearest one is the guess, to stay on its branch

        def search(system: "System", value: float) -> tuple[Any, ...]:
            if known:
                try:
                    near = known[min(known, key=lambda other: abs(other - value))]
                    return system.equilibrium(near[0], *start[1:], t=t, **both).start
                except Error:
                    pass  # the branch ends
            return system.equilibrium(*start, t=t, **both).start

        def find(value: float) -> LocusPoint:
            system = self._moved(by, value)
            at = start
            if from_equilibrium is not False:
                at = known[value] = search(system, value)
            return point_of(value, system.linearize(*at, t=t, independent=independent, **options))

        return find

    def check(self, *start: Any, t: float | None = None, rtol: Tolerance | None = None, atol: Tolerance | None = None,
              **options: Any) -> list[str]:
        """Compare the derivatives given by the system with finite differences at a state, and the start with the
        constraints.

        Returns:
            a line for each detected error; an empty list if no error was detected
        """
        with Run(self, from_time(self._time(t)), start, *self._usual(rtol, atol), read(options, System.check)) as run:
            try:
                run.start()
            except Error as failure:
                if failure.status not in (lib.RESIDA_ERR_INCONSISTENT, lib.RESIDA_ERR_MODEL):
                    raise
                return [*(line for line in run.warnings() if line not in str(failure)), str(failure)]
            run.check(lib.resida_solver_examine(run.solver), run.message())
            return run.warnings()

    def impact(self, p: Any, v: Any, rows: Any, restitution: Any, rates: Any = None, *, t: float | None = None,
               **options: Any) -> Impact:
        """Compute the velocities of a mechanism after an impact, by Newton's law (resida/impact.h).

        Args:
            p, v: [n_p], [n_v] the state before the impact
            rows: [n, n_p] derivatives of the gaps of the closed contacts by p
            restitution: [n] coefficients, 0 to 1; or one for all contacts
            rates: [n] time derivatives of the gaps at constant p [m/s]; None: zero
            **options: of resida/problem.h and resida/start.h
        """
        with Problem(self, from_time(self._time(t)), (p, v), read(options, System.impact, PROBLEM)) as problem:
            if problem.model.is_dae:
                raise ValueError("impact() is not supported for a general DAE, which has no mass matrix")
            m, keep = problem.model.mechanism, problem.callbacks.keep
            rows = np.ascontiguousarray(rows, dtype=float)
            if rows.ndim != 2 or rows.shape[1] != m.n_p:
                raise ValueError(f"rows has shape {rows.shape}; expected (n, {m.n_p})")
            n = rows.shape[0]
            contacts = ffi.new("resida_contacts *")
            lib.resida_contacts_init(contacts)
            contacts.n, contacts.rows = n, pointer(keep(rows))
            each = restitution if np.ndim(restitution) else np.full(n, restitution)
            contacts.restitution = pointer(keep(vector(each, "restitution", n)))
            if rates is not None:
                contacts.rates = pointer(keep(vector(rates, "rates", n)))
            after, push, lam = np.empty(m.n_v), np.empty(n), np.empty(m.n_g + m.n_h)
            report = ffi.new("resida_impact_report *")
            problem.check(lib.resida_problem_impact(
                problem.problem, self._time(t), problem.model.p0, problem.model.v0, contacts, problem.start_options(),
                pointer(after), pointer(push), pointer(lam) if lam.size else ffi.NULL, report, problem.why))
            return Impact(after, push, lam, statistics(report))


class WithArgs(System):
    """A system whose fields are callbacks. The callbacks receive `args`."""

    _names_of_c: Mapping[str, str] = {}  # regular expressions of names of C, with the names in Python
    _of_equations: tuple[str, ...]  # the fields that are callbacks of the equations

    def __new__(cls, *_: Any, **given: Any) -> Any:
        for name in given:
            cls._check_field(name, TypeError)
        return super().__new__(cls)

    def __setattr__(self, name: str, value: Any) -> None:
        self._check_field(name, AttributeError)
        super().__setattr__(name, value)

    @classmethod
    def _check_field(cls, name: str, error: type[Exception]) -> None:
        known: Any = cls.__dataclass_fields__  # type: ignore[attr-defined]  # every subclass is a dataclass
        if name not in known:
            raise error(f"{cls.__name__}: unknown field '{name}'{nearest(name, known)}")

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
        """Return the same system with other fields."""
        return dataclasses.replace(self, **changes)

    def _value(self, by: int | str, use: str = "sensitivities") -> float:
        if isinstance(by, bool) or not isinstance(by, int) or not 0 <= by < len(self.args):
            raise ValueError(f"{use}: {by!r} is not the index of an argument: "
                             + (f"valid indices are 0 to {len(self.args) - 1}" if self.args else
                                "args is empty; for example args=(k,) passes k to callbacks as last argument"))
        value = self.args[by]
        if isinstance(value, bool) or not isinstance(value, (int, float, np.floating, np.integer)):
            raise TypeError(f"{use}: args[{by}] is {value!r}; expected a number")
        return float(value)

    def _values(self) -> dict[str, str]:
        return {f"args[{i}]": describe(one) for i, one in enumerate(self.args)}

    def _ignores_time(self) -> bool:
        given = [getattr(self, name) for name in self._of_equations]
        return all(ignores_time(function) for function in given if function is not None)

    def _words(self, line: str) -> str:
        line = super()._words(line)
        for pattern, name in self._names_of_c.items():
            line = re.sub(pattern, name, line)
        return line

    def _moved(self, by: int | str, value: float) -> System:
        return self.replace(args=tuple(value if i == by else arg for i, arg in enumerate(self.args)))
