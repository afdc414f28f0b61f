"""Robertson's reaction, a stiff DAE: three substances, two rates and a sum; and when half of the first one is gone."""

import numpy as np

from resida import solve_dae


def reaction(t, y, yp):
    slow = 0.04 * y[0] - 1e4 * y[1] * y[2]
    fast = 3e7 * y[1] ** 2
    return np.array([yp[0] + slow, yp[1] - slow + fast, y.sum() - 1])


def half(t, y, yp):
    return y[0] - 0.5


def main():
    times = 0.4 * 10.0 ** np.arange(8)
    r = solve_dae(reaction, (0, times[-1]), [1, 0, 0], t_eval=times, events=half, rtol=1e-8, atol=[1e-10, 1e-14, 1e-10],
                  kinds=["differential", "differential", "algebraic"])
    for t, y in zip(r.t, r.y.T):
        print(f"{t:9.3g} s  {y[0]:11.4e} {y[1]:11.4e} {y[2]:11.4e}")
    print(f"half of the first one is left at {r.t_events[0][0]:.3f} s; {r.nfev} residual calls")


if __name__ == "__main__":
    main()
