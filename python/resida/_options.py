"""Options by their names in the headers: members of the structs of options are set from keyword arguments.

Names of scipy's solve_ivp are also accepted: first_step, max_step, method="BDF".
"""

import inspect
import os
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from typing import Any

from ._arrays import Function
from ._library import ffi, lib

_NOT_FROM_HERE = {"size", "allocator", "rtol", "atol", "rtol_each", "atol_each", "observer", "observer_user", "monitor",
                  "monitor_user", "accepted", "accepted_user", "projection_matrix", "products", "root_lam",
                  "root_directions", "sign_each"}
_FEW = 20  # names that are listed
_OF_SCIPY = {"first_step": "h_first", "max_step": "h_max"}

_RUN = ("resida_problem_options", "resida_solver_options", "resida_start_options")
PROBLEM = ("resida_problem_options", "resida_start_options")
EQUILIBRIUM = ("resida_problem_options", "resida_equilibrium_options")
MEMBERS = {place: {name: field.type for name, field in ffi.typeof(place).fields if name not in _NOT_FROM_HERE}
            for place in (*_RUN, "resida_equilibrium_options")}


def read(given: Mapping[str, Any], function: Function, places: tuple[str, ...] = _RUN) -> dict[str, Any]:
    """Return the keyword options given to `function`, by their names in the library. Raise for an unknown option."""
    known = {name for place in places for name in MEMBERS[place]}
    options: dict[str, Any] = {}
    for name, value in given.items():
        own = name if name in known else _OF_SCIPY.get(name, name)
        if own not in known:
            near = nearest(name, known.union(inspect.signature(function).parameters))
            raise TypeError(f"{function.__name__}() has no option '{name}'{near}")
        if own in options:
            raise TypeError(f"{function.__name__}(): the option {own} is given twice, also as {name}")
        if own != name and isinstance(value, (int, float)) and not value > 0:
            raise ValueError(f"{name} = {value!r} must be > 0")
        options[own] = value
    if options.get("method") == "BDF":
        options["method"] = "bdf"
    return options


def arguments(args: Any) -> tuple[Any, ...]:
    """Convert the user's `args`, a tuple, a list or a single argument, to a tuple. None is an empty tuple."""
    return () if args is None else tuple(args) if isinstance(args, (tuple, list)) else (args,)


def nearest(name: str, known: Iterable[str]) -> str:
    """Return "; did you mean ...?" with the most similar name, or the names if none is similar and they are few."""
    known = list(known)
    near = get_close_matches(name, known, n=1)
    few = f"; known: {', '.join(known)}" if 0 < len(known) <= _FEW else ""
    return f"; did you mean {near[0]!r}?" if near else few


def make(place: str, given: Mapping[str, Any], keep: Callable[[Any], Any]) -> Any:
    """Return a struct of options, initialised, with the members given in `given`. keep() keeps the texts alive."""
    options = ffi.new(place + " *")
    getattr(lib, place + "_init")(options)
    fill(options, place, given, keep)
    return options


def fill(options: Any, place: str, given: Mapping[str, Any], keep: Callable[[Any], Any]) -> None:
    """Set the members of the struct that are given in `given`."""
    for name, c_type in MEMBERS[place].items():
        if given.get(name) is not None:
            try:
                setattr(options, name, _value(c_type, given[name], keep))
            except (TypeError, ValueError, OverflowError) as reason:
                raise type(reason)(f"option '{name}': {reason}") from None


def _value(c_type: Any, value: Any, keep: Callable[[Any], Any]) -> Any:
    if c_type.kind == "enum" and isinstance(value, str):
        return number_of(c_type, value)
    if c_type.kind == "pointer":
        if not isinstance(value, str):
            raise TypeError(f"{value!r} is not a str")
        return keep(ffi.new("char[]", value.replace("_", "-").encode()))
    return value


def words_of(c_type: Any) -> dict[str, int]:
    """Return the constants of an enumeration by the distinct part of their names: "drop" of RESIDA_REDUNDANT_DROP."""
    names = [name for _, name in sorted(c_type.elements.items())]
    common = len(os.path.commonprefix(names))
    return {name[common:].lower(): c_type.relements[name] for name in names}


def number_of(c_type: Any, word: str) -> int:
    """Return the constant of an enumeration with this word, which may have "-" for "_" as in the command."""
    words = words_of(c_type)
    if word.replace("-", "_") not in words:
        raise ValueError(f"{word!r} is not one of {', '.join(words)}")
    return words[word.replace("-", "_")]


def word_of(c_type: Any, number: int) -> str:
    """Return the word of a constant of an enumeration."""
    return next(word for word, value in words_of(c_type).items() if value == number)
