"""A ball on a table that moves: a contact with restitution, and what each impact did."""

import sys

import matplotlib.pyplot as plt
import numpy as np

from resida import Mechanism

MASS, GRAVITY = 0.5, 9.81  # kg, m/s^2
LIFT, RATE = 0.05, 12.0  # m, rad/s: of the table


def table(t):
    """Its height, speed and acceleration."""
    phase = RATE * t
    return [LIFT * np.sin(phase)], [LIFT * RATE * np.cos(phase)], [-LIFT * RATE ** 2 * np.sin(phase)]


def main(path="bouncing_ball.png"):
    ball = Mechanism(residual=lambda t, p, v, a, e: MASS * (a + GRAVITY), excitation=table,
                     gap=lambda t, p, e: p - e.u, gap_rate=lambda t, p, e: -e.ud, restitution=0.7, gap_names=["table"])
    r = ball.solve((0, 3), p0=[1.0], rtol=1e-8, atol=1e-8, dense_output=True)
    for impact in r.event_list:
        before, after = impact.y_before[r.layout.v][0], impact.y[r.layout.v][0]
        print(f"t = {impact.t:.4f} s: {before:7.3f} -> {after:6.3f} m/s, push {impact.impulses[0]:.3f} N s, "
              f"energy {impact.energy_change:+.3f} J")

    t = np.linspace(0, r.t[-1], 1000)
    figure, axes = plt.subplots(figsize=(7, 4), layout="constrained")
    axes.plot(t, r.sol(t)[0], label="ball")
    axes.fill_between(t, table(t)[0][0], -0.15, color="0.8", label="table")
    axes.plot(r.t_events[0], [y[0] for y in r.y_events[0]], "k.", label="impacts")
    axes.set(xlabel="t [s]", ylabel="height [m]", ylim=(-0.15, 1.1), title="A ball on a table that moves")
    axes.legend(loc="upper right")
    figure.savefig(path, dpi=100)
    print(path)


if __name__ == "__main__":
    main(*sys.argv[1:])
