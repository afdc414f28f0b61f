"""What accuracy costs: a pendulum by BDF for some tolerances, and in steps of a fixed size by three methods."""

import sys

import matplotlib.pyplot as plt
import numpy as np

from resida import Mechanism

GRAVITY, END = 9.81, 5.0  # m/s^2, s


def main(path="work_precision.png"):
    pendulum = Mechanism(residual=lambda t, p, v, a: a + [0, GRAVITY], constraint=lambda t, p: [p @ p - 1],
                         constraint_matrix=lambda t, p: [2 * p], mass_matrix=lambda t, p: np.eye(2))

    def run(**options):
        return pendulum.solve((0, END), [1, 0], t_eval=[END], **options)

    exact = run(rtol=1e-12, atol=1e-12).p[:, -1]
    curves = {"BDF, adaptive": [dict(rtol=tol, atol=tol) for tol in 10.0 ** -np.arange(3, 11)]}
    for method, order, most in ("bdf2", 2, 1600), ("generalized-alpha", 2, 1600), ("radau-iia-3", 5, 400):
        fixed = dict(method=method, rtol=1e-10, atol=1e-10)
        curves[f"{method}, order {order}"] = [dict(step=END / (most >> k), **fixed) for k in range(3, -1, -1)]

    figure, axes = plt.subplots(figsize=(7, 4.5), layout="constrained")
    for (name, cases), marker in zip(curves.items(), "os^d"):
        runs = [run(**case) for case in cases]
        errors = [np.abs(r.p[:, -1] - exact).max() for r in runs]
        axes.loglog(errors, [r.nfev for r in runs], marker + "-", label=name)
        print(f"{name:28} error {errors[0]:.1e} .. {errors[-1]:.1e}, {runs[0].nfev} .. {runs[-1].nfev} residual calls")
    axes.invert_xaxis()
    axes.set(xlabel=f"error at t = {END:g} s [m]", ylabel="residual calls", title="What accuracy costs")
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(path, dpi=100)
    print(path)


if __name__ == "__main__":
    main(*sys.argv[1:])
