"""A quarter of a car: body and wheel over a road, its modes and its frequency response."""

import sys

import matplotlib.pyplot as plt
import numpy as np

from resida import Mechanism

BODY, WHEEL = 350.0, 40.0  # kg
SPRING, DAMPER, TYRE = 20e3, 1.5e3, 180e3  # N/m, N s/m, N/m


def residual(t, p, v, a, road):
    strut = SPRING * (p[0] - p[1]) + DAMPER * (v[0] - v[1])
    tyre = TYRE * (p[1] - road.u[0])
    return [BODY * a[0] + strut, WHEEL * a[1] - strut + tyre]


def flat(t):
    return [0.0], [0.0], [0.0]


def main(path="quarter_car.png"):
    outputs = {"stroke": lambda t, p, v, a, lam: p[0] - p[1], "comfort": lambda t, p, v, a, lam: a[0]}
    car = Mechanism(residual=residual, excitation=flat, p_names=["body", "wheel"], outputs=outputs)
    linear = car.linearize([0.0, 0.0])
    modes = linear.modes()
    for frequency, damping in zip(modes.frequencies, modes.damping):
        print(f"a mode of {frequency:.3f} Hz, {100 * damping:.1f} % of critical damping")

    hertz = np.geomspace(0.2, 30, 400)
    response = linear.response(hertz)
    figure, axes = plt.subplots(figsize=(7, 4.5), layout="constrained")
    for name, label in ("body", "body [m/m]"), ("wheel", "wheel [m/m]"), ("out.stroke", "stroke [m/m]"):
        axes.loglog(hertz, np.abs(response[:, linear.outputs.index(name)]), label=label)
    comfort = np.abs(response[:, linear.outputs.index("out.comfort")])
    axes.loglog(hertz, comfort / 9.81, "k--", label="acceleration of the body [g/m]")
    for frequency in modes.frequencies:
        axes.axvline(frequency, color="0.8", zorder=0)
    axes.set(xlabel="frequency [Hz]", ylabel="response to the road", title="A quarter of a car over a road")
    axes.legend(loc="lower left")
    figure.savefig(path, dpi=100)
    print(path)


if __name__ == "__main__":
    main(*sys.argv[1:])
