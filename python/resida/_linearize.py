"""Linearization of a system about a state: matrices, eigenvalues and modes. See resida/linearize.h."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._arrays import Array, pointer, vector
from ._library import Error, ffi, lib, text
from ._run import Run


_LINES = 20  # of modes in the text of Modes


@dataclass(frozen=True, eq=False, repr=False)
class Modes:
    """The finite nonzero eigenvalues of lambda E x = A x. Of a complex pair only the eigenvalue with im > 0 is listed.

    Attributes:
        eigenvalues: [n] complex [1/s], sorted by imaginary part
        error: [n] estimated error of each eigenvalue by rounding and finite differences [1/s]
        shapes: [n, n_outputs] complex: C phi of each eigenvector phi, scaled so that the largest position is 1
        breaks: [n] True if the shape violates the constraints: a mode of the formulation, not of the mechanism
        n_zero, n_infinite, n_lost: numbers of zero eigenvalues, of infinite eigenvalues, and of eigenvalues that
            rounding makes indeterminate; -1: unknown
        still: [k, n_outputs] directions without stiffness and damping
        still_breaks: [k] True if the direction violates the constraints
        outputs: [n_outputs] names
    """

    eigenvalues: NDArray[np.complex128]
    error: Array
    shapes: NDArray[np.complex128]
    breaks: NDArray[np.bool_]
    n_zero: int
    n_infinite: int
    n_lost: int
    still: Array
    still_breaks: NDArray[np.bool_]
    outputs: list[str]

    @property
    def frequencies(self) -> Array:
        """[n] frequencies of the damped oscillations [Hz]."""
        return self.eigenvalues.imag / (2 * np.pi)

    @property
    def damping(self) -> Array:
        """[n] damping ratios, -re/|lambda|. 1: no oscillation; negative: the oscillation grows."""
        ratios: Array = -self.eigenvalues.real / np.abs(self.eigenvalues)
        return ratios

    def __repr__(self) -> str:
        lines = [f"  {f:.6g} Hz, re {x.real:.6g} 1/s, damping {d:.4g}" + ", violates constraints" * bool(breaks)
                 for x, f, d, breaks in zip(self.eigenvalues[:_LINES], self.frequencies, self.damping, self.breaks)]
        more = self.eigenvalues.size - _LINES
        zero, infinite = ("unknown" if n < 0 else n for n in (self.n_zero, self.n_infinite))
        return "\n".join([f"<Modes: {self.eigenvalues.size}, {zero} zero, {infinite} infinite>", *lines,
                          *([f"  {more} more"] if more > 0 else [])])


@dataclass(frozen=True, eq=False, repr=False)
class Linearization:
    """The linear system E x' = A x + B u, y = C x + D u, where x, u and y are deviations from a state. Copies and
    unpickled objects lack modes() and response().

    Attributes:
        t: the time of the state [s]
        E, A: [n, n]
        B: [n, n_inputs]; the inputs are u, ud, udd of each excitation
        C, D: [n_outputs, n], [n_outputs, n_inputs]. All matrices are arrays, or scipy.sparse.csc_array
        states, inputs, outputs: names
        is_independent: x are the independent coordinates of a mechanism, (q, w, z)
        facts: the other members of resida_linear_model, by name: n_q, n_w, n_redundant, speed ...
        left_out: why outputs of the system are missing; "": none is missing
    """

    t: float
    E: Array
    A: Array
    B: Array
    C: Array
    D: Array
    states: list[str]
    inputs: list[str]
    outputs: list[str]
    is_independent: bool
    facts: dict[str, Any]
    left_out: str
    _handle: Any

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_handle": None}

    def _call(self, name: str, *arguments: Any) -> None:
        """Call the function resida_linearization_NAME."""
        if self._handle is None:
            raise ValueError(f"{name}() is not supported by a copy of a Linearization: call it on the object that "
                             "linearize() returned")
        why = ffi.new("resida_message *")
        status = getattr(lib, "resida_linearization_" + name)(self._handle, *arguments, why)
        if status < 0:
            raise Error(status, text(why.text))

    def modes(self, count: int = 0, near: float = 0.0) -> Modes:
        """Return eigenvalues and modes.

        Args:
            count: 0: all eigenvalues, for at most 2000 states; else the maximum number of eigenvalues, those nearest to
                `near`
            near: a frequency [Hz], >= 0

        Raises:
            Error: the pencil is singular, or the iteration did not converge
        """
        modes = ffi.new("resida_modes *")
        self._call("modes", count, near, modes)
        n, width = modes.n, len(self.outputs)
        return Modes(_array(modes.re, n) + 1j * _array(modes.im, n), _array(modes.error, n),
                     _array(modes.shape_re, n, width) + 1j * _array(modes.shape_im, n, width),
                     _array(modes.breaks, n).astype(bool), modes.n_zero, modes.n_infinite, modes.n_lost,
                     _array(modes.still, modes.n_still, width), _array(modes.still_breaks, modes.n_still).astype(bool),
                     self.outputs)

    def response(self, frequencies: Any, excitation: int = 0) -> NDArray[np.complex128]:
        """Return the frequency response [m, n_outputs], complex, at m frequencies [Hz]. One excitation u oscillates
        with amplitude 1; ud and udd are its derivatives. The absolute values are the amplitudes of the outputs, the
        angles their phases. This is the steady response if all modes decay."""
        hertz = vector(frequencies, "frequencies")
        parts = np.empty((2, hertz.size, len(self.outputs)))
        self._call("response", excitation, hertz.size, pointer(hertz), pointer(parts[0]), pointer(parts[1]))
        return np.asarray(parts[0] + 1j * parts[1])

    def __repr__(self) -> str:
        return (f"<Linearization: {len(self.states)} states, {len(self.inputs)} inputs, {len(self.outputs)} outputs"
                f"{', in independent coordinates' if self.is_independent else ''}>")


def _array(at: Any, *shape: int) -> Array:
    size = int(np.prod(shape))
    return np.array(ffi.unpack(at, size) if size else [], dtype=float).reshape(shape)


def _matrix(matrix: Any, sparse: bool) -> Any:
    shape = matrix.rows, matrix.columns
    start = np.array(ffi.unpack(matrix.start, matrix.columns + 1), dtype=np.intc)
    row = np.array(ffi.unpack(matrix.row, start[-1]) if start[-1] else [], dtype=np.intc)
    values = _array(matrix.values, int(start[-1]))
    if sparse:
        from scipy.sparse import csc_array  # type: ignore[import]  # only this function needs scipy

        return csc_array((values, row, start), shape=shape)
    full = np.zeros(shape)
    full[row, np.repeat(np.arange(shape[1]), np.diff(start))] = values
    return full


def linearize(run: Run, independent: bool | None, sparse: bool) -> Linearization:
    """Linearize about the state of a run."""
    if not (run.model.is_dae and run.model.dae.n_u):  # inputs act on outputs without states, too
        run.check_has_states("linearize")
    if independent and run.model.is_dae:
        raise ValueError("independent = True is not supported for a general DAE, which has no independent coordinates")
    independent = not run.model.is_dae if independent is None else independent
    handle, state = ffi.new("resida_linearization **"), ffi.new("resida_state *")
    lib.resida_solver_state(run.solver, state)
    if independent:
        status = lib.resida_linearize_mechanism(handle, run.problem, state.t, state.p, state.v, state.a, state.lam,
                                                run.why)
    else:
        status = lib.resida_linearize(handle, run.problem, state.t, state.y, state.yp, run.why)
    run.check(status)
    owned = ffi.gc(handle[0], lib.resida_linearization_free)
    run.why.text = b""
    run.check(lib.resida_linearization_add_outputs(owned, run.model, run.why))
    left_out = text(run.why.text)
    m = ffi.new("resida_linear_model *")
    run.check(lib.resida_linearization_get(owned, m))
    states, inputs, outputs = ([text(at[i]) for i in range(n)] for at, n in (
        (m.states, m.n), (m.inputs, m.n_inputs), (m.outputs, m.n_outputs)))
    facts = {name: getattr(m, name) for name in ("n_q", "n_w", "n_unreached", "n_redundant", "is_differenced", "speed",
                                                 "acceleration", "input_rate", "n_components")}
    E, A, B, C, D = (_matrix(getattr(m, letter), sparse) for letter in "EABCD")
    return Linearization(m.t, E, A, B, C, D, states, inputs, outputs, bool(m.is_independent), facts, left_out, owned)
