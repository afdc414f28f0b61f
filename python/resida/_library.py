"""The shared library. Its version and sizes of structs are compared with the headers. Its errors are exceptions.

The library is the file named by the environment variable RESIDA_LIBRARY, or else the file in the package, or else
libresida.so.0 as found by the dynamic linker.
"""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cffi import FFI

from . import _headers

if TYPE_CHECKING:
    from ._result import Result

_NAME = "libresida.so.0"
_OWN = Path(__file__).parent / "lib" / _NAME  # included in wheels
_ROOM = 1 << 16  # bytes; larger than any struct of options

ffi: Any = FFI()
ffi.cdef(_headers.declarations())


class Error(Exception):
    """The library rejected an argument, or an integration failed.

    Attributes:
        status: the error number, < 0, a resida_status
        name: the name of the error, for example "RESIDA_ERR_NONFINITE"
        result: the result up to the failure; None if nothing was integrated
    """

    def __init__(self, status: int, message: str, result: "Result | None" = None) -> None:
        name = text(lib.resida_status_name(status))
        super().__init__(f"{name}: {message}" if message else name)
        self._message, self.status, self.name, self.result = message, status, name, result

    def __reduce__(self) -> Any:
        return type(self), (self.status, self._message, self.result)


def text(pointer: Any) -> str:
    """Return the text at a `const char *`, "" for NULL."""
    return str(ffi.string(pointer), errors="replace") if pointer else ""


def _check_sizes(library: Any, path: str) -> None:
    """Raise an ImportError if the library's size of a struct differs from that of the headers."""
    for function in dir(library):
        if not function.endswith("_init"):
            continue
        struct = function.removesuffix("_init")
        room = ffi.new("char[]", _ROOM)
        getattr(library, function)(ffi.cast(struct + " *", room))
        size = ffi.cast("size_t *", room)[0]
        if size != ffi.sizeof(struct):
            raise ImportError(f"{path}: the size of {struct} is {size} bytes, but {ffi.sizeof(struct)} bytes in the "
                              "headers of this package: install a library and a package of the same version")


def _open() -> Any:
    path = os.environ.get("RESIDA_LIBRARY") or (str(_OWN) if _OWN.exists() else _NAME)
    try:
        library = ffi.dlopen(path)
        found = ffi.string(library.resida_version()).decode()
        if found != _headers.version():
            raise ImportError(f"{path} is resida {found}, but this package requires {_headers.version()}")
        _check_sizes(library, path)
    except (OSError, AttributeError) as reason:
        raise ImportError(f"{path} is not a library of resida ({reason}): install the library or set "
                          "RESIDA_LIBRARY") from None
    return library


lib: Any = _open()
