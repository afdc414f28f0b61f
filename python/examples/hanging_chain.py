"""A chain of twelve masses between two walls: where it hangs, and its first modes about that."""

import sys

import matplotlib.pyplot as plt
import numpy as np

from resida import Mechanism

N, WIDTH, GRAVITY = 12, 1.0, 9.81  # masses of 1 kg; m; m/s^2
LINK = 1.4 * WIDTH / (N + 1)  # length of a link: the chain is 1.4 times as long as the walls are apart
WEIGHT = np.tile([0, GRAVITY], N)


def links(p):
    """The links as vectors, [N + 1, 2]."""
    return np.diff(np.vstack([[0, 0], p.reshape(N, 2), [WIDTH, 0]]), axis=0)


def lengths(t, p):
    return ((links(p) ** 2).sum(axis=1) - LINK ** 2) / 2


def drawn(axes, p, *how, **more):
    """The chain with its ends."""
    return axes.plot(*np.vstack([[0, 0], p.reshape(N, 2), [WIDTH, 0]]).T, *how, **more)


def main(path="hanging_chain.png"):
    chain = Mechanism(residual=lambda t, p, v, a: a + WEIGHT, constraint=lengths)
    x = np.linspace(0, WIDTH, N + 2)[1:-1]
    guess = np.column_stack([x, -1.5 * x * (WIDTH - x)]).ravel()
    hangs = chain.equilibrium(guess)
    print(f"the lowest mass is {-hangs.p[1::2].min():.4f} m below the walls; {hangs!r}")
    linear = chain.linearize(*hangs.start)
    modes = linear.modes()
    print(f"{len(linear.states)} states, frequencies from {modes.frequencies[0]:.3f} to {modes.frequencies[-1]:.1f} Hz")

    figure, axes = plt.subplots(2, 2, sharex=True, sharey=True, figsize=(8, 5.2), layout="constrained")
    for k, ax in enumerate(axes.flat):
        shape = modes.shapes[k, :2 * N].real
        drawn(ax, hangs.p, color="0.7")
        for sign in 1, -1:
            drawn(ax, hangs.p + 0.1 * sign * shape, "-o", markersize=3, color=f"C{k}", alpha=1 if sign > 0 else 0.4)
        ax.set(title=f"{modes.frequencies[k]:.3f} Hz", aspect="equal")
    figure.supxlabel("x [m]")
    figure.supylabel("y [m]")
    figure.suptitle("A hanging chain and its first modes")
    figure.savefig(path, dpi=100)
    print(path)


if __name__ == "__main__":
    main(*sys.argv[1:])
