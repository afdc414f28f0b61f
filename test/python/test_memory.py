"""Memory: nothing stays behind a solve, and nothing is freed that somebody holds."""

import gc

import numpy as np
import pytest

from resida import Mechanism, solve_dae

SOLVES = 2000


def resident_bytes():
    with open("/proc/self/statm", encoding="ascii") as counts:
        return int(counts.read().split()[1]) * 4096


def decay(t, y, yp):
    return yp + y


def breaks(t, y, yp):
    raise KeyError


def solve_once():
    solve_dae(decay, (0, 1e-3), [1.0], [-1.0], dense_output=True, events=lambda t, y, yp: y[0])
    Mechanism(residual=lambda t, p, v, a: a, constraint=lambda t, p: [p @ p - 1]).solve((0, 1e-3), [1, 0], [0, 1])
    with pytest.raises(KeyError):
        solve_dae(breaks, (0, 1e-3), [1.0], [-1.0])


def test_many_solves_leave_nothing():
    for _ in range(100):
        solve_once()
    gc.collect()
    gc.disable()  # what is only freed by the collector counts, too
    objects, before = len(gc.get_objects()), resident_bytes()
    for _ in range(SOLVES // 3):
        solve_once()
    grown, more = resident_bytes() - before, len(gc.get_objects()) - objects
    gc.enable()
    assert more < 100
    assert grown < 2e6


def test_an_array_that_is_kept_may_be_looked_at_afterwards():
    kept = []

    def keeps(t, y, yp):
        kept.append(y)
        return yp + y

    solve_dae(keeps, (0, 1), np.ones(1000), -np.ones(1000))
    for _ in range(20):
        solve_dae(decay, (0, 1), np.full(1000, np.pi), np.full(1000, -np.pi))
    assert all(np.all(np.abs(y) < 2) for y in kept)


def test_arrays_to_be_read_are_read_only():
    def writes(t, y, yp):
        y[0] = 1
        return yp + y

    with pytest.raises(ValueError, match="read-only"):
        solve_dae(writes, (0, 1), [1.0], [-1.0])
