"""A mass of 1 kg on a rod of 1 m, in x and y: a formalism and a constraint; how well both are held."""

import sys

import matplotlib.pyplot as plt
import numpy as np

from resida import Event, Mechanism

GRAVITY = 9.81  # m/s^2


def residual(t, p, v, a):
    return a + [0, GRAVITY]


def rod(t, p):
    return [p @ p - 1]


def main(path="pendulum.png"):
    pendulum = Mechanism(residual=residual, constraint=rod, p_names=["x", "y"], g_names=["rod"])
    back = Event(lambda t, p, v: v[1], direction=-1)  # the highest points
    r = pendulum.solve((0, 10), p0=[1, 0], events=back, rtol=1e-8, atol=1e-8)
    length = np.hypot(*r.p)
    energy = (r.v ** 2).sum(axis=0) / 2 + GRAVITY * r.p[1]
    print(f"at t = {r.t[-1]:g} s: x = {r.p[0, -1]:.6f} m, y = {r.p[1, -1]:.6f} m, lam = {r.lam[0, -1]:.4f}")
    print(f"the rod is 1 m long to {np.abs(length - 1).max():.1e}, the energy stays to {np.abs(energy).max():.1e} J")
    print("highest points at", np.round(r.t_events[0], 4), "s")

    figure, (above, below) = plt.subplots(2, 1, sharex=True, figsize=(7, 5), layout="constrained")
    above.plot(r.t, r.p[0], label="x")
    above.plot(r.t, r.p[1], label="y")
    above.plot(r.t_events[0], r.y_events[0][:, 1], "k^", label="highest points")
    above.set(ylabel="position [m]", title="A pendulum, and what the integration leaves of it")
    above.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    below.semilogy(r.t, np.abs(length - 1), ".", markersize=2, label="length - 1 m")
    below.semilogy(r.t, np.abs(energy), ".", markersize=2, label="energy [J]")
    below.set(xlabel="t [s]", ylabel="error", ylim=(1e-17, 1e-3))
    below.legend(loc="center left", bbox_to_anchor=(1, 0.5), markerscale=4)
    figure.savefig(path, dpi=100)
    print(path)


if __name__ == "__main__":
    main(*sys.argv[1:])
