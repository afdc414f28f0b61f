"""Models in files, plugins or files of other tools that an adapter reads, and their parameters."""

import contextlib
import csv
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Self

import numpy as np

from . import _dynamics
from ._arrays import Array, pointer, vector
from ._callbacks import Args, Callbacks
from ._checkpoint import describe
from ._events import Events
from ._integrate import CHECKPOINT_STEPS
from ._library import Error, ffi, lib, text
from ._options import arguments, nearest
from ._outputs import ask_outputs, sizes_of
from ._result import Layout
from ._run import Quadratures, Tolerance
from ._system import System




@dataclass(frozen=True)
class Parameter:
    """A parameter of a model: its value, a number or a text, and the range of a number."""

    value: float | str
    min: float
    max: float
    whole: bool
    unit: str
    text: str


class Model(System):
    """A model from a file, with parameters set by name. The file is a plugin, or a file of another tool that an adapter
    reads. A parameter that is a CSV file, such as the inputs of an FMU, also takes a dict of arrays by column, or a
    numpy array with named fields. A parameter that is a list takes a list of texts.

    Attributes:
        path: the file
        name, text: name and description of the model
        parameters: a Parameter for each name
        p_names, v_names: the names of positions and velocities of a mechanism, as of the joints of a robot, in their
            order; names: those of y of a general DAE; None: not named
        is_dae: True for a general DAE, False for a mechanism
        t_span: its default interval [s]
        start: its default start, (p0, v0), or (y0, yp0) of a general DAE; yp0 None: computed
        rtol, atol: its default tolerances
        outputs: the unit of each quantity that output() returns, by name; "": unknown
    """

    def __init__(self, path: str | os.PathLike[str], **parameters: Any) -> None:
        self.path, self._given = path, parameters
        self._plugin = ffi.new("resida_plugin_handle **")
        self._class = ffi.new("resida_model_class **")
        self._model = ffi.new("resida_model *")
        self._why = ffi.new("resida_message *")
        if not isinstance(path, (str, os.PathLike)):
            raise TypeError(f"path = {path!r} is not the name of a file")
        self._is_fmu = os.fspath(path).endswith((".fmu", ".ssp"))
        self._is_robot = os.fspath(path).endswith((".urdf", ".sdf", ".xacro"))
        self._check(lib.resida_plugin_open(self._plugin, os.fsencode(path), self._class, self._why))
        with contextlib.ExitStack() as files:  # they are read when the model is created
            settings, _texts = _settings(parameters, files)
            status = lib.resida_model_create_with(self._class[0], len(parameters), settings, self._model, self._why)
        known = [text(one.name) for one in self._class[0].parameters[0:self._class[0].n_parameters]]
        self._check(status, next((nearest(name, known) for name in parameters if name not in known), ""))
        self._tell(parameters)

    def _check(self, status: int, advice: str = "") -> None:
        if status < 0:
            raise Error(status, text(self._why.text) + advice)

    def _tell(self, given: dict[str, Any]) -> None:
        c_class, model = self._class[0], self._model
        self.name, self.text = text(c_class.name), text(c_class.text)
        self.parameters, self._step = {}, 0.0  # [s] of Co-Simulation
        for k, parameter in enumerate(c_class.parameters[0:c_class.n_parameters]):
            name = text(parameter.name)
            default = text(parameter.word) if parameter.word else parameter.value
            self.parameters[name] = Parameter(_shown(given.get(name, default)), parameter.min, parameter.max,
                                              bool(parameter.whole), text(parameter.unit), text(parameter.text))
            if c_class.options and text(c_class.options[k]) == "communication-step":
                self._step = float(given.get(name, default))
        self.is_dae = bool(model.is_dae)
        self.t_span = model.t0, model.t_end
        self.rtol, self.atol = model.rtol, model.atol
        units = model.output_units or [ffi.NULL] * model.n_outputs
        self.outputs = {text(model.output_names[i]): text(units[i]) if units[i] else ""
                        for i in range(model.n_outputs)}
        dae, mechanism = model.dae, model.mechanism
        if self.is_dae:
            self.start = _array(model.y0, dae.n), _array(model.yp0, dae.n)
            self.names = _texts(dae.names, dae.n)
        else:
            self.start = _array(model.p0, mechanism.n_p), _array(model.v0, mechanism.n_v)
            self.p_names = _texts(mechanism.p_names, mechanism.n_p)
            self.v_names = _texts(mechanism.v_names, mechanism.n_v)

    def __repr__(self) -> str:
        kind = "general DAE" if self.is_dae else "mechanism"
        values = ", ".join(f"{name} = {_shown(value)}" for name, value in self._given.items())
        return (f"<Model {self.name}: {kind} of {os.fspath(self.path)!s}; {len(self.parameters)} parameters"
                f"{', ' + values if values else ''}; {len(self.outputs)} outputs>")

    def __reduce__(self) -> Any:
        return partial(type(self), self.path, **self._given), ()

    def __del__(self) -> None:
        if self._class[0]:
            lib.resida_model_destroy(self._class[0], self._model)
        lib.resida_plugin_close(self._plugin[0])

    def reference(self, t: float) -> Array | None:
        """Return a reference solution at t: p, or y of a general DAE; NaN where unknown; None if the model has no
        reference."""
        known = np.empty(self._model.dae.n if self.is_dae else self._model.mechanism.n_p)
        status = lib.resida_model_reference(self._model, self._time(t), pointer(known), ffi.NULL, ffi.NULL)
        return known if status == 0 else None

    def output(self, t: float, *state: Any) -> dict[str, float]:
        """Return the outputs of the model in a state, by name: forces, strokes, energies; NaN where unknown.

        Args:
            t: the time [s]
            state: p, v, a, lam as in a MechanismResult, or y, yp of a general DAE. A model with discrete states uses
                their values at the time of the call
        """
        sizes = sizes_of(self._model)
        if len(state) != len(sizes):
            raise TypeError(f"output() takes t, {', '.join(sizes)}; got {len(state) + 1} arguments")
        parts = {name: vector(x, name, n) for x, (name, n) in zip(state, sizes.items())}
        return ask_outputs(self._model, self._time(t), parts)

    def mass_matrix(self, p: Any, *, t: float | None = None) -> Array:
        """Return the mass matrix M [n_v, n_v] of a mechanism at p [n_p]. t None: the start of t_span. M is computed by
        n_v + 1 residual evaluations."""
        return _dynamics.mass_matrix(self, self._vectors(p)[0], self._time(t))

    def nonlinear_effects(self, p: Any, v: Any, *, t: float | None = None) -> Array:
        """Return h [n_v] of a mechanism, M a + h + G' lam = 0: gravity, centrifugal and Coriolis forces, damping,
        friction and springs, minus the forces of excitations at t. Without constraints M a + h are the forces that
        cause the accelerations a."""
        p, v = self._vectors(p, v)
        with _dynamics.Terms(self, self._time(t), p, v) as terms:
            return terms(np.zeros_like(v))

    def jacobian(self, link: str, p: Any, *, t: float | None = None) -> Array:
        """Return the Jacobian J [6, n_v] of a link of a robot at p [n_p]. J v is the velocity of the origin of the link
        [m/s] and its angular velocity [rad/s], in the axes of the world. The link has the outputs LINK.vx, .vy, .vz,
        .wx, .wy and .wz."""
        return _dynamics.jacobian(self, link, self._vectors(p)[0], self._time(t))

    def _time(self, t: float | None) -> float:
        return float(vector([self.t_span[0] if t is None else t], "t")[0])

    def replace(self, **changes: Any) -> Self:
        """Return the same model with other parameters."""
        return type(self)(self.path, **{**self._given, **changes})

    def solve(self, t_span: Any = None, start: Any = None, *, t_eval: Any = None, events: Any = None,
              dense_output: bool = False, yp: bool = False, rtol: Tolerance | None = None,
              atol: Tolerance | None = None, sensitivities: Any = (), quadratures: Quadratures = None,
              checkpoint: Any = None, checkpoint_steps: int = CHECKPOINT_STEPS, resume: Any = None,
              **options: Any) -> Any:
        """Integrate the model. Arguments that are None take the default of the model.

        Args:
            t_span: start time and end time [s], increasing
            start: (p0, v0), or (y0, yp0) of a general DAE
            sensitivities: parameters to differentiate the solution by: names of parameters, or objects Sensitivity
            t_eval, events, dense_output, yp, quadratures, checkpoint, checkpoint_steps, resume, **options: as in
                Mechanism.solve() and solve_dae(). The events of the model precede those in `events`. The model changes
                its state at its events, and contacts rebound. At a change of the state the result contains the time
                twice

        Returns:
            a MechanismResult, or a Result of a general DAE. The exceptions are those of solve_dae().
        """
        return self._solve(Model.solve, self.t_span if t_span is None else t_span,
                           arguments(start), t_eval, events, dense_output, yp, rtol, atol,
                           sensitivities, quadratures, checkpoint, checkpoint_steps, resume, options)

    def _usual(self, rtol: Tolerance | None, atol: Any) -> tuple[Any, Any]:
        return (self.rtol if rtol is None else rtol), self._by_component(self.atol if atol is None else atol)

    def _vectors(self, *start: Any) -> tuple[Array, Array | None]:
        if len(start) > 2:
            raise TypeError(f"the start of a model is two arrays; got {len(start)} arguments")
        first, second = start if len(start) == 2 else (*start, None) if start else self.start
        sizes = list(sizes_of(self._model).values())
        y = vector(first, "y0" if self.is_dae else "p0", sizes[0])
        if second is None:
            return y, None if self.is_dae else np.zeros(sizes[1])
        return y, vector(second, "yp0" if self.is_dae else "v0", sizes[1])

    def _describe(self, callbacks: Callbacks, watched: Events, t: float, first: Array, second: Array | None,
                  args: Args) -> Any:
        model = ffi.new("resida_model *", self._model[0])
        callbacks.keep(self)
        part = model.dae if self.is_dae else model.mechanism
        watched.set_own(model.root_lam or part.root, part.n_root, bool(model.root_lam))
        watched.attach(model, callbacks, ())
        return model

    def _values(self) -> dict[str, str]:
        return {name: describe(self._given.get(name, one.value)) for name, one in self.parameters.items()}

    def _inputs(self) -> tuple[list[str], Array]:
        model = self._model
        if not model.state_size or not (self._is_fmu or self._is_robot):
            return super()._inputs()
        values = np.frombuffer(ffi.buffer(model.state, model.state_size))
        if not self._is_fmu:  # the last value is the piece of the table
            n, values = model.mechanism.n_u, values[:-1]
            return [f"torques.{text(model.excitation_names[i])}" for i in range(n - values.size, n)], values
        inputs = [text(model.excitation_names[i]) for i in range(values.size - model.n_tunable)]
        return inputs + [text(model.tunable_names[i]) for i in range(model.n_tunable)], values

    def _as_inputs(self, changes: Mapping[str, Any]) -> Mapping[str, Any]:
        names = set(self._inputs()[0])
        if self._is_robot and changes.keys() == {"torques"}:
            columns = _columns(changes["torques"]) or {}
            t = columns.pop("t", np.empty(0))
            changes = {f"torques.{name}": x[0] for name, x in columns.items()
                       if x.shape == t.shape == (t.size,) and t.size and np.all(x == x[0])}
            return changes if changes.keys() == names and len(changes) == len(columns) else {}
        return changes if changes.keys() <= names else {}

    def _value(self, by: int | str, use: str = "sensitivities") -> float:
        parameter = self.parameters.get(str(by))
        if parameter is None or isinstance(parameter.value, str) or parameter.whole:
            numbers = [name for name, one in self.parameters.items() if not (one.whole or isinstance(one.value, str))]
            raise ValueError(f"{use}: {by!r} is not a real parameter of {self.name}; its real parameters are: "
                             f"{', '.join(numbers) or 'none'}")
        return float(parameter.value)

    def _moved(self, by: int | str, value: float) -> "Model":
        return self.replace(**{str(by): value})

    def _by_component(self, atol: Any) -> Any:
        """Return `atol` by component, scaled from the model's tolerances by component, or `atol` if the model has none.
        """
        model = self._model
        if not model.atol_each or np.ndim(atol) > 0:
            return atol
        n = model.dae.n if self.is_dae else model.mechanism.n_p + model.mechanism.n_v
        known = np.array(ffi.unpack(model.atol_each, n)) * (atol / model.atol)
        return known if self.is_dae else lambda layout: _spread(known, layout, atol)


def _array(at: Any, n: int) -> Array | None:
    return np.array(ffi.unpack(at, n)) if at else None


def _texts(at: Any, n: int) -> list[str] | None:
    return [text(at[i]) for i in range(n)] if at else None


def _spread(known: Array, layout: Layout, atol: float) -> Array:
    """Return the tolerances of p and v at their places in y, and `atol` for all other components."""
    each = np.full(layout.n, atol)
    n_p = each[layout.p].size
    each[layout.p], each[layout.v] = known[:n_p], known[n_p:]
    return each


def _columns(value: Any) -> dict[str, Any] | None:
    """Return the columns of a table by name, or None if the value is not a table."""
    if isinstance(value, Mapping):
        return {str(name): np.asarray(column) for name, column in value.items()}
    names = value.dtype.names if isinstance(value, np.ndarray) else None
    return {name: value[name] for name in names} if names else None


def _shown(value: Any) -> Any:
    """Return a parameter as it is shown: a number or a text."""
    columns = _columns(value)
    is_list = isinstance(value, (list, tuple)) and all(isinstance(each, str) for each in value)
    listed = ",".join(value) if is_list else value
    return listed if columns is None else f"a table: {', '.join(columns)}"


def _write_table(files: contextlib.ExitStack, name: str, columns: dict[str, Any]) -> str:
    """Write a table to a temporary CSV file. Return its path."""
    shapes = {column.shape for column in columns.values()}
    if len(shapes) != 1 or len(shapes.pop()) != 1:
        raise ValueError(f"{name}: the columns of a table must be one-dimensional arrays of equal length")
    file = files.enter_context(tempfile.NamedTemporaryFile("w", newline="", encoding="utf-8", suffix=".csv"))
    writer = csv.writer(file)
    writer.writerow(columns)
    writer.writerows(zip(*(column.astype(int) if column.dtype == bool else column.tolist()
                           for column in columns.values())))
    file.flush()
    return file.name


def _settings(parameters: dict[str, Any], files: contextlib.ExitStack) -> tuple[Any, list[Any]]:
    """Return the resida_setting[] of the parameters, and its texts, which the caller must keep. Tables are written to
    `files`."""
    texts: list[Any] = []
    settings = ffi.new("resida_setting[]", len(parameters))
    for setting, (name, value) in zip(settings, parameters.items()):
        texts.append(ffi.new("char[]", name.encode()))
        setting.name = texts[-1]
        columns = _columns(value)
        word = _shown(value) if columns is None else _write_table(files, name, columns)
        if isinstance(word, str):
            texts.append(ffi.new("char[]", word.encode()))
            setting.word = texts[-1]
            continue
        try:
            setting.value = word
        except TypeError:
            raise TypeError(f"parameter {name} = {value!r} is neither a number, nor a text, nor a list of "
                            "texts") from None
    return settings, texts
