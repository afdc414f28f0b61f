"""A study: three Jacobian strategies over ten stiffnesses of the bushing that joins two rods."""

import sys

import matplotlib.pyplot as plt
import numpy as np

import resida

LENGTH, GRAVITY = 1.0, 9.81  # m, m/s^2; rods of 1 kg
INERTIA = LENGTH ** 2 / 12  # kg m^2
STRATEGIES = "auto", "fresh", "dense"


def residual(t, p, v, a, k, d):
    """Two rods, each with x, y of its centre and its angle from the vertical; the elbow is a bushing."""
    (x1, y1, q1), (x2, y2, q2) = p.reshape(2, 3)
    (u1, w1, r1), (u2, w2, r2) = v.reshape(2, 3)
    s1, c1, s2, c2 = (half * LENGTH / 2 for half in (np.sin(q1), np.cos(q1), np.sin(q2), np.cos(q2)))
    gap = np.array([x2 - s2 - x1 - s1, y2 + c2 - y1 + c1])  # from the end of the first rod to that of the second
    speed = np.array([u2 - c2 * r2 - u1 - c1 * r1, w2 - s2 * r2 - w1 - s1 * r1])
    fx, fy = k * gap + d * speed
    return np.array([a[0] - fx, a[1] + GRAVITY - fy, INERTIA * a[2] - c1 * fx - s1 * fy,
                     a[3] + fx, a[4] + GRAVITY + fy, INERTIA * a[5] - c2 * fx - s2 * fy])


def pivot(t, p, k, d):
    """The first rod hangs at the origin."""
    return [p[0] - LENGTH / 2 * np.sin(p[2]), p[1] + LENGTH / 2 * np.cos(p[2])]


def rods(k):
    """With a bushing of stiffness k [N/m], nearly critically damped."""
    return resida.Mechanism(residual=residual, constraint=pivot, args=(k, np.sqrt(k)),
                            p_names=["x1", "y1", "angle1", "x2", "y2", "angle2"])


def main(path="bushing_study.png"):
    stiffnesses = np.logspace(2, 11, 10)
    level = [LENGTH / 2, 0, np.pi / 2, 3 * LENGTH / 2, 0, np.pi / 2]
    rows = {name: [] for name in STRATEGIES}
    for k in stiffnesses:
        comparison = resida.compare(rods(k), (0, 0.5), level, jacobians=STRATEGIES, rtol=1e-5, atol=1e-7,
                                    repeat=1)
        print(f"k = {k:.0e} N/m\n{comparison}")
        for row in comparison:
            rows[row["jacobian"]].append(row)

    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
    for (name, each), marker in zip(rows.items(), "os^"):
        left.loglog(stiffnesses, [row["residual_calls"]["total"] for row in each], marker + "-", label=name)
        right.loglog(stiffnesses, [row["factorisations"] for row in each], marker + "-", label=name)
    left.set(xlabel="stiffness [N/m]", ylabel="residual calls", title="Calls of the model")
    right.set(xlabel="stiffness [N/m]", ylabel="factorisations", title="Factorisations")
    left.legend()
    figure.suptitle("Two rods with a bushing: three Jacobian strategies")
    figure.savefig(path, dpi=100)
    print(path)


if __name__ == "__main__":
    main(*sys.argv[1:])
