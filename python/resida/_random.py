"""Random values of a plan, bit for bit those of the command `resida sweep` (command/sweep/random.c, distribution.c).

A value depends only on the seed, on the number of its axis and on the number of its case. The generator is Philox
4x32-10. The places in a Latin hypercube are a permutation by a Feistel network.
"""

import math
from collections.abc import Callable, Mapping
from typing import Any

from ._options import nearest

_WORD = 0xFFFFFFFF
_ROUNDS, _FEISTEL_ROUNDS = 10, 8


def _bits(seed: int, axis: int, stream: int, number: int) -> int:
    """Return 64 random bits for a number in a stream of an axis."""
    c, key = [number & _WORD, number >> 32, axis, stream], [seed & _WORD, seed >> 32]
    for _ in range(_ROUNDS):
        a, b = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [(b >> 32) ^ c[1] ^ key[0], b & _WORD, (a >> 32) ^ c[3] ^ key[1], a & _WORD]
        key = [(key[0] + 0x9E3779B9) & _WORD, (key[1] + 0xBB67AE85) & _WORD]
    return c[0] << 32 | c[1]


def uniform(seed: int, axis: int, k: int, n: int) -> float:
    """Return a number in (0, 1) for case k, for any number n of cases."""
    return ((_bits(seed, axis, 0, k) >> 12) + 0.5) * 2.0 ** -52


def stratum(seed: int, axis: int, k: int, n: int) -> float:
    """Return a number in (0, 1) for case k; there is one in each of n intervals of equal length."""
    half, place = 1, k
    while half < 32 and 1 << (2 * half) < n:
        half += 1
    while True:
        left, right = place >> half, place & ((1 << half) - 1)
        for stream in range(1, _FEISTEL_ROUNDS + 1):
            left, right = right, left ^ (_bits(seed, axis, stream, right) & ((1 << half) - 1))
        place = left << half | right
        if place < n:
            return min((place + uniform(seed, axis, k, n)) / n, 1 - 2.0 ** -53)


def _lower_quantile(u: float) -> float:
    t = math.sqrt(-2 * math.log(u))
    x = -(t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))))
    for _ in range(3):
        step = (0.5 * math.erfc(-x / math.sqrt(2.0)) - u) * math.sqrt(2 * math.pi) * math.exp(0.5 * x * x)
        x -= step / (1 + 0.5 * x * step)
    return x


def _normal(mean: float, sd: float, u: float) -> float:
    return mean + sd * (0 if u == 0.5 else _lower_quantile(u) if u < 0.5 else -_lower_quantile(1 - u))


def _triangular(a: float, mode: float, b: float, u: float) -> float:
    if u * (b - a) < mode - a:
        return a + math.sqrt(u * (b - a) * (mode - a))
    return b - math.sqrt((1 - u) * (b - a) * (b - mode))


# Names of the numbers, the rule for them, and the quantile.
_DISTRIBUTIONS: dict[str, tuple[tuple[str, ...], str, Callable[..., Any], Callable[..., Any]]] = {
    "uniform": (("min", "max"), "min < max", lambda a, b: a < b, lambda a, b, u: a * (1 - u) + b * u),
    "log-uniform": (("min", "max"), "0 < min < max", lambda a, b: 0 < a < b,
                    lambda a, b, u: math.exp(math.log(a) * (1 - u) + math.log(b) * u)),
    "normal": (("mean", "sd"), "sd > 0", lambda _, sd: sd > 0, _normal),
    "lognormal": (("mu", "sigma"), "sigma > 0", lambda _, sd: sd > 0, lambda *x: math.exp(_normal(*x))),
    "triangular": (("min", "mode", "max"), "min <= mode <= max and min < max",
                   lambda a, mode, b: a <= mode <= b and a < b, _triangular),
    "exponential": (("mean",), "mean > 0", lambda mean: mean > 0, lambda mean, u: -mean * math.log1p(-u)),
}


def quantile(name: str, given: Mapping[str, Any]) -> Callable[[float], Any]:
    """Return the quantile function of the distribution that a plan gives for the axis `name`."""
    kind = given["distribution"]
    if kind not in _DISTRIBUTIONS:
        raise ValueError(f"plan: {name}: unknown distribution {kind!r}{nearest(str(kind), _DISTRIBUTIONS)}")
    members, rule, is_good, function = _DISTRIBUTIONS[kind]
    if given.keys() != {"distribution", *members}:
        raise ValueError(f"plan: {name}: {kind} has the numbers {', '.join(members)}; got {', '.join(given)}")
    numbers = [given[member] for member in members]
    if not all(isinstance(x, (int, float)) for x in numbers) or not is_good(*numbers):
        raise ValueError(f"plan: {name}: {kind} needs numbers with {rule}")
    return lambda u: function(*map(float, numbers), u)
