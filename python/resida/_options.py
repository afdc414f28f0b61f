"""Options by their names in the headers: members of the structs of options, set from keywords."""

import inspect
import os
from collections.abc import Callable, Iterable
from difflib import get_close_matches

from ._library import ffi, lib

_NOT_FROM_HERE = {"size", "allocator", "rtol", "atol", "rtol_each", "atol_each", "observer", "observer_user", "monitor",
                  "monitor_user", "accepted", "accepted_user", "projection_matrix", "products"}
_OF_SCIPY = {"first_step": "h_first", "max_step": "h_max"}

_PLACES = ("resida_problem_options", "resida_solver_options", "resida_start_options")
_MEMBERS = {place: {name: field.type for name, field in ffi.typeof(place).fields if name not in _NOT_FROM_HERE}
            for place in _PLACES}


def check_names(given: Iterable[str], function: Callable) -> None:
    """Every keyword that `function` was given beside its own is an option."""
    known = {name for members in _MEMBERS.values() for name in members}
    for name in given:
        if name not in known:
            near = nearest(name, known.union(inspect.signature(function).parameters))
            raise TypeError(f"{function.__name__}() has no option '{name}'{near}")


def nearest(name: str, known: Iterable[str]) -> str:
    """"; did you mean ..?", or nothing, where no name is near."""
    near = [_OF_SCIPY[name]] if name in _OF_SCIPY else get_close_matches(name, known, n=1)
    return f"; did you mean '{near[0]}'?" if near else ""


def make(place: str, given: dict, keep):
    """A struct of options, initialised and filled with those of `given` that are its members. keep() holds texts."""
    options = ffi.new(place + " *")
    getattr(lib, place + "_init")(options)
    for name, c_type in _MEMBERS[place].items():
        if given.get(name) is not None:
            try:
                setattr(options, name, _value(c_type, given[name], keep))
            except (TypeError, ValueError, OverflowError) as reason:
                raise type(reason)(f"option '{name}': {reason}") from None
    return options


def _value(c_type, value, keep):
    if c_type.kind == "enum" and isinstance(value, str):
        return number_of(c_type, value)
    if c_type.kind == "pointer":
        if not isinstance(value, str):
            raise TypeError(f"{value!r} is no text")
        return keep(ffi.new("char[]", value.encode()))
    return value


def number_of(c_type, word: str) -> int:
    """A constant of an enumeration by what is its own in its name: "drop" of RESIDA_REDUNDANT_DROP."""
    names = [name for _, name in sorted(c_type.elements.items())]
    common = len(os.path.commonprefix(names))
    words = {name[common:].lower(): c_type.relements[name] for name in names}
    if word not in words:
        raise ValueError(f"{word!r} is none of {', '.join(words)}")
    return words[word]
