"""A room with a thermostat, which switches the heating: events that change the state; and a night with a lower set
point, for which a stepper is stopped and its parameters are changed."""

import sys

import matplotlib.pyplot as plt
import numpy as np

from resida import DAE, Event

HOUR = 3600.0  # s
OUTSIDE, LOSS, POWER, BAND = 5.0, 1 / (30 * HOUR), 4e-4, 0.5  # degC, 1/s, K/s, K


def room(t, y, yp, target):
    """The temperature, and the heating, which is 0 or 1 between two events."""
    temperature, heating = y
    return [yp[0] + LOSS * (temperature - OUTSIDE) - POWER * heating, yp[1]]


def switch(to):
    """Set the heating to `to` after an event. The derivatives are computed again."""
    return lambda t, y, yp, target: ([y[0], to], None)


def main(path="thermostat.png"):
    cold = Event(lambda t, y, yp, target: y[0] - target + BAND, direction=-1, change=switch(1.0))
    warm = Event(lambda t, y, yp, target: y[0] - target - BAND, direction=1, change=switch(0.0))
    times, states, switches = [0.0], [[18.0, 1.0]], 0
    with DAE(room, args=20.0).stepper(states[0], events=[cold, warm]) as stepper:
        for until, target in (22 * HOUR, 16.0), (30 * HOUR, 20.0), (48 * HOUR, None):
            while stepper.t < until:
                switches += stepper.step(until) == "event"
                times.append(stepper.t)
                states.append(stepper.y)
            if target is not None:
                stepper.change(args=target)
                if stepper.y[0] < target - BAND:  # the event of this lies behind
                    stepper.restart([stepper.y[0], 1.0])
    print(f"{switches} switches in two days")

    temperature, heating = np.array(states).T
    figure, (above, below) = plt.subplots(2, 1, sharex=True, figsize=(7, 4.5), height_ratios=(3, 1),
                                          layout="constrained")
    above.plot(np.array(times) / HOUR, temperature)
    above.axvspan(22, 30, color="0.9", label="night")
    above.set(ylabel="temperature [°C]", title="A room with a thermostat")
    above.legend(loc="lower left")
    below.step(np.array(times) / HOUR, heating, where="post", color="tab:red")
    below.set(xlabel="t [h]", ylabel="heating", yticks=[0, 1], xticks=range(0, 49, 6))
    figure.savefig(path, dpi=100)
    print(path)


if __name__ == "__main__":
    main(*sys.argv[1:])
