"""What the crossing costs: calls of Python and of C functions that it adds to each call of a residual."""

import sys

import numpy as np

from resida import solve_dae

N = 14  # rods of a chain, 28 unknowns
LIMIT = 8  # calls added to one of the residual


def chain():
    i = np.arange(N)
    c = (N - np.maximum.outer(i, i)).astype(float)
    weight = 9.81 * (N - i)

    def residual(t, y, yp):
        p, v = y[:N], y[N:]
        d = p[:, None] - p
        r = np.empty(2 * N)
        r[:N] = yp[:N] - v
        r[N:] = (c * np.cos(d)) @ yp[N:] + (c * np.sin(d)) @ (v * v) + weight * np.sin(p)
        return r

    return residual, c, weight


def calls_of(run):
    """Calls that a run makes, as the interpreter counts them, and what it returns."""
    count = 0

    def note(frame, event, argument):
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(note)
    try:
        result = run()
    finally:
        sys.setprofile(None)
    return count, result


def test_a_call_costs_few_calls_beside_its_own():
    residual, c, weight = chain()
    y0 = np.concatenate([np.full(N, 0.5), np.zeros(N)])
    yp0 = np.concatenate([np.zeros(N), np.linalg.solve(c, -weight * np.sin(0.5))])
    own, _ = calls_of(lambda: residual(0.0, y0, yp0))
    solve_dae(residual, (0, 0.02), y0, yp0)  # what is done once
    short, a = calls_of(lambda: solve_dae(residual, (0, 0.02), y0, yp0, t_eval=[0.02]))
    long, b = calls_of(lambda: solve_dae(residual, (0, 2), y0, yp0, t_eval=[2]))
    assert b.nfev > a.nfev + 50
    added = (long - short) / (b.nfev - a.nfev) - own
    print(f"{added:.2f} calls beside the residual's own {own}")
    assert 0 < added <= LIMIT
