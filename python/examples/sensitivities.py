"""How the swing of a damped pendulum depends on its length, its damping and where it begins; and what the first order
foretells of a longer one."""

import sys

import matplotlib.pyplot as plt
import numpy as np

from resida import Mechanism, Sensitivity

GRAVITY, LENGTH, DAMPING = 9.81, 1.0, 0.3  # m/s^2, m, 1/s


def residual(t, p, v, a, length, damping):
    """Of the angle."""
    return a + damping * v + GRAVITY / length * np.sin(p)


def main(path="sensitivities.png"):
    pendulum = Mechanism(residual=residual, args=(LENGTH, DAMPING))
    by = [0, 1, Sensitivity(None, dp0=[1.0], name="start")]
    t = np.linspace(0, 8, 401)
    tight = dict(t_eval=t, rtol=1e-8, atol=1e-8)
    r = pendulum.solve((0, 8), [1.0], sensitivities=by, **tight)
    longer = pendulum.replace(args=(1.05 * LENGTH, DAMPING)).solve((0, 8), [1.0], **tight)
    foretold = r.p[0] + 0.05 * LENGTH * r.sensitivities[0].p[0]
    print(f"5 % longer moves the angle by {np.abs(longer.p - r.p).max():.3f} rad; "
          f"the first order is {np.abs(longer.p[0] - foretold).max():.3f} rad off")

    figure, (above, below) = plt.subplots(2, 1, sharex=True, figsize=(7, 5.5), layout="constrained")
    above.plot(t, r.p[0], label="1 m")
    above.plot(t, longer.p[0], label="1.05 m")
    above.plot(t, foretold, "k:", label="1.05 m, foretold")
    above.set(ylabel="angle [rad]", title="A damped pendulum and its sensitivities")
    for derivative, name in zip(r.sensitivities, ("length [rad/m]", "damping [rad s]", "start [-]")):
        below.plot(t, derivative.p[0], label=name)
    below.set(xlabel="t [s]", ylabel="d angle / d ...")
    for axes in above, below:
        axes.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    figure.savefig(path, dpi=100)
    print(path)


if __name__ == "__main__":
    main(*sys.argv[1:])
