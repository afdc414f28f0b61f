"""resida: integration of differential-algebraic equations in residual form, with the C library resida."""

from . import _headers
from ._callbacks import Excitation, NotPossible
from ._compare import Comparison, command, compare, models
from ._critical import Change, Critical, LocusPoint, RootLocus
from ._dae import DAE, solve_dae
from ._dense import DenseOutput
from ._equilibrium import Equilibrium
from ._events import Event, EventRecord
from ._integrate import ModelWarning
from ._library import Error
from ._linearize import Linearization, Modes
from ._mechanism import Mechanism
from ._model import Model, Parameter
from ._result import Derivative, Layout, MechanismDerivative, MechanismResult, Result
from ._sensitivity import Sensitivity
from ._stepper import Stepper
from ._sweep import Sweep, sweep
from ._system import Impact, System

__all__ = ["DAE", "Change", "Comparison", "Critical", "DenseOutput", "Derivative", "Equilibrium", "Error", "Event",
           "EventRecord", "Excitation", "Impact", "Layout", "Linearization", "LocusPoint", "Mechanism",
           "MechanismDerivative", "MechanismResult", "Model", "ModelWarning", "Modes", "NotPossible", "Parameter",
           "Result", "RootLocus", "Sensitivity", "Stepper", "Sweep", "System", "command", "compare", "models",
           "solve_dae", "sweep"]

__version__ = _headers.version()
