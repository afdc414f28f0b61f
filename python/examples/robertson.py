"""Robertson's reaction, a stiff DAE: three substances, two rates and a sum; and when half of the first one is gone."""

import sys

import matplotlib.pyplot as plt
import numpy as np

from resida import solve_dae


def reaction(t, y, yp):
    slow = 0.04 * y[0] - 1e4 * y[1] * y[2]
    fast = 3e7 * y[1] ** 2
    return np.array([yp[0] + slow, yp[1] - slow + fast, y.sum() - 1])


def half(t, y, yp):
    return y[0] - 0.5


def main(path="robertson.png"):
    times = 0.4 * 10.0 ** np.arange(8)
    r = solve_dae(reaction, (0, times[-1]), [1, 0, 0], events=half, rtol=1e-8, atol=[1e-10, 1e-14, 1e-10],
                  kinds=["differential", "differential", "algebraic"], dense_output=True)
    for t, y in zip(times, r.sol(times).T):
        print(f"{t:9.3g} s  {y[0]:11.4e} {y[1]:11.4e} {y[2]:11.4e}")
    print(f"half of the first one is left at {r.t_events[0][0]:.3f} s; {r.nfev} residual calls")

    figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
    t = np.geomspace(1e-4, times[-1], 400)
    a, b, c = r.sol(t)
    for y, name in (a, "A"), (1e4 * b, "10\N{SUPERSCRIPT FOUR} B"), (c, "C"):
        axes.semilogx(t, y, label=name)
    axes.plot(r.t_events[0], r.y_events[0][:, 0], "ko", label="half of A")
    axes.set(xlabel="t [s]", ylabel="share", title="Robertson's reaction")
    axes.legend()
    figure.savefig(path, dpi=100)
    print(path)


if __name__ == "__main__":
    main(*sys.argv[1:])
