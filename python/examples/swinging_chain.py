"""A chain of ten rods that is let go, drawn at thirteen times."""

import sys

import matplotlib.pyplot as plt
import numpy as np

from resida import Mechanism

N = 10  # masses of 1 kg on rods of 0.1 m, hung at the origin; p = (x1, y1, x2, y2 ...)
LENGTH, GRAVITY = 0.1, 9.81
WEIGHT = np.tile([0, GRAVITY], N)


def rods(p):
    """The rods as vectors, [N, 2]."""
    return np.diff(np.vstack([[0, 0], p.reshape(N, 2)]), axis=0)


def lengths(t, p):
    return ((rods(p) ** 2).sum(axis=1) - LENGTH ** 2) / 2


def matrix(t, p):
    """dg/dp: each rod hangs on its own mass and on the one before."""
    along, G = rods(p), np.zeros((N, N, 2))
    own = np.arange(N)
    G[own, own] = along
    G[own[1:], own[:-1]] = -along[1:]
    return G.reshape(N, 2 * N)


def main(path="swinging_chain.png"):
    chain = Mechanism(residual=lambda t, p, v, a: a + WEIGHT, constraint=lengths, constraint_matrix=matrix,
                      mass_matrix=lambda t, p: np.ones(2 * N), M_pattern=np.eye(2 * N))
    level = np.column_stack([LENGTH * np.arange(1, N + 1), np.zeros(N)]).ravel()
    r = chain.solve((0, 0.6), level, dense_output=True)
    figure, axes = plt.subplots(figsize=(7.5, 5), layout="constrained")
    for t in np.linspace(0, 0.6, 13):
        x, y = np.vstack([[0, 0], r.sol(t)[r.layout.p].reshape(N, 2)]).T
        axes.plot(x, y, "-o", markersize=3, color=plt.cm.viridis(t / 0.6), label=f"{t:.2f} s")
    axes.set(xlabel="x [m]", ylabel="y [m]", aspect="equal", title="A chain of ten rods, let go")
    axes.legend(fontsize="small", loc="center left", bbox_to_anchor=(1, 0.5))
    figure.savefig(path, dpi=100)
    print(f"{r.nfev} residual calls, {r.t.size - 1} steps")
    print(path)


if __name__ == "__main__":
    main(*sys.argv[1:])
