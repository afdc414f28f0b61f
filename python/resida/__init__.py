"""resida: differential-algebraic equations given as residuals, integrated by the library of that name."""

from . import _headers
from ._callbacks import Excitation, NotPossible
from ._dae import solve_dae
from ._dense import DenseOutput
from ._events import Event
from ._library import Error
from ._mechanism import Mechanism
from ._model import Model, Parameter
from ._result import Layout, MechanismResult, Result
from ._run import ModelWarning

__all__ = ["DenseOutput", "Error", "Event", "Excitation", "Layout", "Mechanism", "MechanismResult", "Model",
           "ModelWarning", "NotPossible", "Parameter", "Result", "solve_dae"]

__version__ = _headers.version()
