"""The note that this package adds to a checkpoint of the library: the start of the run, and the arguments of callbacks
or the parameters of the model. A resumed run takes its start from the note. If its arguments or parameters differ from
those of the note, an Error names the first difference."""

import base64
import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ._arrays import Array
from ._library import Error, ffi, lib, text

_DIGITS = 12  # number of digits of a digest
_WHOLE = 2 ** 53  # a float represents every integer up to this one exactly


class Start(NamedTuple):
    """A time and a state. `first` is p0, or y0 of a general DAE. `second` is v0, or yp0 of a DAE; None: to be computed.
    """

    t: float
    first: Array
    second: Array | None

    def to_json(self) -> list[Any]:
        """Return the start as a list for JSON. Arrays are encoded bit by bit."""
        return [self.t, *(None if x is None else base64.b64encode(x.tobytes()).decode() for x in self[1:])]

    @staticmethod
    def of_json(saved: list[Any]) -> "Start":
        """Return the Start that to_json() converted."""
        first, second = (None if x is None else np.frombuffer(base64.b64decode(x)) for x in saved[1:])
        assert first is not None
        return Start(saved[0], first, second)

    def difference(self, other: "Start", is_dae: bool) -> str:
        """Return "" if the given start `other` equals this one, or a text with the first number that differs. A yp0
        that is not given is not compared."""
        if self.t != other.t:
            return f"t = {self.t!r}, not t = {other.t!r}"
        for name, mine, given in zip(("y0", "yp0") if is_dae else ("p0", "v0"), self[1:], other[1:]):
            if mine is None or given is None:
                continue
            if mine.size != given.size:
                return f"{mine.size} components of {name}, not {given.size}"
            for i in np.flatnonzero(mine != given)[:1]:
                return f"{name}[{i}] = {float(mine[i])!r}, not {float(given[i])!r}"
        return ""


def describe(value: Any) -> str:
    """Return a text that differs if the value differs, for numbers, texts, arrays, and lists and dicts of these. For
    other objects the text contains only the type."""
    if value is None or isinstance(value, bool):
        return repr(value)
    if isinstance(value, (int, np.integer)) and abs(int(value)) > _WHOLE:
        return repr(int(value))
    if isinstance(value, (int, float, np.integer, np.floating)):
        return repr(float(value))
    if isinstance(value, np.ndarray):
        return f"an array {value.shape} {_digest(np.ascontiguousarray(value).tobytes())}"
    if isinstance(value, (str, bytes)):
        return repr(value) if len(value) < 40 else f"a text {_digest(repr(value).encode())}"
    if isinstance(value, Mapping):
        return f"a dict {_digest(repr([(describe(k), describe(v)) for k, v in value.items()]).encode())}"
    if isinstance(value, (tuple, list)):
        return f"a {type(value).__name__} {_digest(repr([describe(one) for one in value]).encode())}"
    return f"a {type(value).__name__}"


def _digest(bytes_: bytes) -> str:
    return hashlib.sha256(bytes_).hexdigest()[:_DIGITS]


def file_of(given: Any, name: str) -> Path:
    """Return the path of a file, given as the argument `name`."""
    if not isinstance(given, (str, os.PathLike)) or Path(given).is_dir():
        raise TypeError(f"{name} = {given!r} is not the name of a file")
    return Path(given)


class Checkpoint:
    """A checkpoint, given as bytes or as a file."""

    def __init__(self, checkpoint: Any) -> None:
        self.bytes = checkpoint if isinstance(checkpoint, bytes) else file_of(checkpoint, "resume").read_bytes()
        note, size, why = ffi.new("void **"), ffi.new("size_t *"), ffi.new("resida_message *")
        status = lib.resida_checkpoint_note(ffi.from_buffer(self.bytes), len(self.bytes), note, size, why)
        if status < 0:
            raise Error(status, text(why.text))
        self.note: dict[str, Any] = {}
        if size[0]:
            try:
                self.note = dict(json.loads(bytes(ffi.buffer(note[0], size[0]))))
            except ValueError:
                raise Error(lib.RESIDA_ERR_ARGUMENT, "the checkpoint was not saved by this package: resume a "
                            "checkpoint of the command by `resida resume`") from None
        self.starts = [Start.of_json(one) for one in self.note.get("starts", ())]

    def check_values(self, values: Mapping[str, str]) -> None:
        """Raise an Error if arguments or parameters of the resuming system, `values`, are not those of the checkpoint.
        """
        saved = self.note.get("values", values)
        for name in (*saved, *values):
            mine, given = saved.get(name, "none"), values.get(name, "none")
            if mine != given:
                raise Error(lib.RESIDA_ERR_ARGUMENT, f"the checkpoint was saved with {name} = {mine}, not {given}: "
                            f"resume with {name} = {mine}; then change it by Stepper.change()")

    def start(self, given: Start | None, is_dae: bool) -> Start | None:
        """Return the start of the run. A given start must equal this start, or the start before change() or restart().
        Return `given` if the checkpoint contains no starts."""
        if given is not None and self.starts:
            differences = [one.difference(given, is_dae) for one in self.starts]
            if all(differences):
                raise Error(lib.RESIDA_ERR_ARGUMENT, f"the run of the checkpoint started with {differences[0]}: "
                            "omit the start, because the checkpoint contains it")
        return self.starts[1] if self.starts else given


def note_of(starts: Iterable[Start], values: Mapping[str, str], counts: list[int], inputs: Array) -> bytes:
    """Return the note of a checkpoint: the start given by the user, the start of the run and the consistent start; the
    values; the number of occurrences of each event; the held inputs, NaN if not held."""
    return json.dumps({"starts": [one.to_json() for one in starts], "values": values, "counts": counts,
                       "inputs": inputs.tolist()}).encode()
