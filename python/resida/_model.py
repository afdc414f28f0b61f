"""Models in files: plugins, and what adapters read; and their parameters."""

import os
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._arrays import pointer, vector
from ._events import Events
from ._happenings import Happenings
from ._library import Error, ffi, lib, text
from ._options import check_names
from ._result import Layout, MechanismResult, Result
from ._run import Run, Tolerance, integrate, times


@dataclass(frozen=True)
class Parameter:
    """A parameter of a model: its value, a number or a text, and what a number may be."""

    value: float | str
    min: float
    max: float
    whole: bool
    unit: str
    text: str


class Model:
    """A model from a file, a plugin or one of another tool that an adapter reads, with parameters set by name.

    Attributes:
        name, text: what it is
        parameters: a Parameter for each name
        is_dae: a general DAE, not a mechanism
        t_span: its usual interval
        start: where it usually begins, (p0, v0), of a general DAE (y0, yp0) with yp0 None where it is to be found
        rtol, atol: its usual tolerances
        outputs: the unit of each quantity that output() tells, "" where it is not said
    """

    def __init__(self, path: str | os.PathLike, **parameters: float | str):
        self._plugin = ffi.new("resida_plugin_handle **")
        self._class = ffi.new("resida_model_class **")
        self._model = ffi.new("resida_model *")
        self._why = ffi.new("resida_message *")
        self._check(lib.resida_plugin_open(self._plugin, os.fsencode(path), self._class, self._why))
        settings, _texts = _settings(parameters)
        self._check(lib.resida_model_create_with(self._class[0], len(parameters), settings, self._model, self._why))
        self._describe(parameters)

    def _check(self, status: int) -> None:
        if status < 0:
            raise Error(status, text(self._why.text))

    def _describe(self, given: dict[str, float | str]) -> None:
        c_class, model = self._class[0], self._model
        self.name, self.text = text(c_class.name), text(c_class.text)
        self.parameters = {}
        for parameter in c_class.parameters[0:c_class.n_parameters]:
            name = text(parameter.name)
            default = text(parameter.word) if parameter.word else parameter.value
            self.parameters[name] = Parameter(given.get(name, default), parameter.min, parameter.max,
                                              bool(parameter.whole), text(parameter.unit), text(parameter.text))
        self.is_dae = bool(model.is_dae)
        self.t_span = model.t0, model.t_end
        self.rtol, self.atol = model.rtol, model.atol
        units = model.output_units or [ffi.NULL] * model.n_outputs
        self.outputs = {text(model.output_names[i]): text(units[i]) if units[i] else ""
                        for i in range(model.n_outputs)}
        if self.is_dae:
            self.start = _array(model.y0, model.dae.n), _array(model.yp0, model.dae.n)
        else:
            self.start = _array(model.p0, model.mechanism.n_p), _array(model.v0, model.mechanism.n_v)

    def __del__(self):
        if self._class[0]:
            lib.resida_model_destroy(self._class[0], self._model)
        lib.resida_plugin_close(self._plugin[0])

    def reference(self, t: float) -> np.ndarray | None:
        """A trusted solution at t: p, of a general DAE y; NaN where it is not known. None: there is none."""
        known = np.empty(self._model.dae.n if self.is_dae else self._model.mechanism.n_p)
        status = lib.resida_model_reference(self._model, t, pointer(known), ffi.NULL, ffi.NULL)
        return known if status == 0 else None

    def output(self, t: float, *state) -> dict[str, float]:
        """What follows from a state, by name: forces, strokes, energies; NaN where it is not known.

        Args:
            t: the time
            state: p, v, a, lam as in a MechanismResult, of a general DAE y, yp. A model with discrete states answers
                for those that it has at the time of the call
        """
        sizes = {"y": self._model.dae.n, "yp": self._model.dae.n} if self.is_dae else self._sizes()
        if len(state) != len(sizes):
            raise TypeError(f"output() takes t, {', '.join(sizes)}: {len(state) + 1} arguments were given")
        point, out = ffi.new("resida_model_point *", {"t": t}), np.full(len(self.outputs) + 1, np.nan)
        held = {name: vector(x, name, n) for x, (name, n) in zip(state, sizes.items())}
        for name, x in held.items():
            setattr(point, name, pointer(x) if x.size else ffi.NULL)
        status = lib.resida_model_output(self._model, point, pointer(out)) if self.outputs else 0
        if status < 0:
            raise Error(lib.RESIDA_ERR_USER, f"{self.name}: output() failed at t = {t:.9g}")
        return dict(zip(self.outputs, (out if status == 0 else np.full_like(out, np.nan)).tolist()))

    def _sizes(self) -> dict[str, int]:
        mechanism = self._model.mechanism
        return {"p": mechanism.n_p, "v": mechanism.n_v, "a": mechanism.n_v, "lam": mechanism.n_g + mechanism.n_h}

    def solve(self, t_span=None, start=None, *, t_eval=None, events=None, dense_output: bool = False,
              rtol: Tolerance | None = None, atol: Tolerance | None = None, **options: Any) -> Result:
        """Integrate; what is None is as the model says.

        Args:
            t_span: two times
            start: (p0, v0), of a general DAE (y0, yp0)
            t_eval, events, dense_output, **options: as in Mechanism.solve() and solve_dae(). The model's own events
                come before those in `events`; what the model does at them is done, and where the state jumps the
                result has that time twice

        Returns:
            a MechanismResult, of a general DAE a Result. Raises as solve_dae() does.
        """
        check_names(options, Model.solve)
        t_0, t_end, t_eval = times(self.t_span if t_span is None else t_span, t_eval)
        first, second = self.start if start is None else start
        rtol, atol = self.rtol if rtol is None else rtol, self.atol if atol is None else atol
        options = {"t_stop": t_end, "products": self._model.products, **options}
        if self._model.contacts:
            raise Error(lib.RESIDA_ERR_MODEL, f"{self.name}: contacts are for resida_run and the command alone")
        happenings = Happenings(self._model, options["t_stop"]) if self._model.event else None
        part = self._model.dae if self.is_dae else self._model.mechanism
        watched = Events(events, (part.root, part.n_root))
        with Run() as run:
            run.said = self._model.said
            self._create(run, watched, rtol, self._by_component(atol), options)
            self._start(run, t_0, first, second, happenings)
            kind = Result if self.is_dae else MechanismResult
            return integrate(run, t_end, t_eval, watched, dense_output, kind, happenings)

    def _create(self, run: Run, watched: Events, rtol, atol, options) -> None:
        """The model's own part, with all root functions."""
        if self.is_dae:
            part, make = ffi.new("resida_dae *", self._model.dae), lib.resida_problem_create_dae
            c_type, inputs = "resida_dae_root_fn", (part.n, part.n)
        else:
            part, make = ffi.new("resida_mechanism *", self._model.mechanism), lib.resida_problem_create
            c_type, inputs = "resida_velocity_fn", (part.n_p, part.n_v)
        part.n_root = len(watched)
        part.root = watched.pointer(c_type, run.callbacks, inputs, part.n_u, ())
        run.create(make, part, rtol, atol, options)

    def _start(self, run: Run, t_0: float, first, second, happenings: Happenings | None) -> None:
        dae, mechanism = self._model.dae, self._model.mechanism
        sizes = (dae.n, dae.n) if self.is_dae else (mechanism.n_p, mechanism.n_v)
        y = vector(first, "y0" if self.is_dae else "p0", sizes[0])
        yp = None if second is None and self.is_dae else vector(second, "yp0" if self.is_dae else "v0", sizes[1])
        if happenings:
            y, yp = happenings.begin(t_0, y, yp)
        (run.start_dae if self.is_dae else run.start)(t_0, y, yp)

    def _by_component(self, atol):
        """The model's own tolerances by component, which go with its atol, if it has such."""
        model = self._model
        if not model.atol_each or np.ndim(atol) > 0:
            return atol
        n = model.dae.n if self.is_dae else model.mechanism.n_p + model.mechanism.n_v
        known = np.array(ffi.unpack(model.atol_each, n)) * (atol / model.atol)
        return known if self.is_dae else lambda layout: _spread(known, layout, atol)


def _array(at, n: int) -> np.ndarray | None:
    return np.array(ffi.unpack(at, n)) if at else None


def _spread(known: np.ndarray, layout: Layout, atol: float) -> np.ndarray:
    """Tolerances of p and v where those are in y, and `atol` for the rest."""
    each = np.full(layout.n, atol)
    n_p = layout.p.stop - layout.p.start
    each[layout.p], each[layout.v] = known[:n_p], known[n_p:]
    return each


def _settings(parameters: dict[str, float | str]):
    """The resida_setting[] of them, and the texts in it, which the caller holds."""
    settings, texts = ffi.new("resida_setting[]", len(parameters)), []
    for setting, (name, value) in zip(settings, parameters.items()):
        texts.append(ffi.new("char[]", name.encode()))
        setting.name = texts[-1]
        if isinstance(value, str):
            texts.append(ffi.new("char[]", value.encode()))
            setting.word = texts[-1]
        else:
            setting.value = value
    return settings, texts
