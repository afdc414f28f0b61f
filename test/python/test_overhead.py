"""What the crossing costs: a chain of 14 rods, 28 unknowns, in numpy."""

import time

import numpy as np

from resida import solve_dae

N = 14
LIMIT = 4e-6  # s a call
TRIES = 100  # of some milliseconds each: what else runs on the machine only adds, and leaves some of them alone


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


def numpys_own(residual, y, yp, calls):
    begin = time.perf_counter()
    for _ in range(calls):
        residual(0.0, y, yp)
    return (time.perf_counter() - begin) / calls


def test_a_call_costs_little_beside_numpys_own_time():
    residual, c, weight = chain()
    y0 = np.concatenate([np.full(N, 0.5), np.zeros(N)])
    yp0 = np.concatenate([np.zeros(N), np.linalg.solve(c, -weight * np.sin(0.5))])
    alone, within = [], []
    for _ in range(TRIES):
        r = solve_dae(residual, (0, 0.02), y0, yp0, profile=1, t_eval=[0.02])
        within.append(r.statistics["profile"]["callbacks"]["residual"] / r.nfev)
        alone.append(numpys_own(residual, y0, yp0, r.nfev))
    print(f"a call: {min(within) * 1e6:.2f} us, of these {min(alone) * 1e6:.2f} us numpy's own")
    assert min(within) - min(alone) < LIMIT
