"""Stepper: an integration that the caller takes from time to time."""

import copy
import gc
import math
import pickle
import threading
import time

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from resida import DAE, Error, Event, Mechanism, Model, solve_dae

GRAV = 9.81


def pendulum(length=2.0, damping=0.1):
    """A mass of 1 kg."""
    return Mechanism(residual=lambda t, p, v, a, length, damping: a + [0, GRAV] + damping * v,
                     constraint=lambda t, p, length, damping: [p @ p - length ** 2], args=(length, damping),
                     outputs={"height": lambda t, p, v, a, lam, *args: p[1]})


def decay():
    return DAE(lambda t, y, yp, k: yp + k * y, args=2.0)


def test_steps_are_those_of_solve():
    r = pendulum().solve((0, 1), [2, 0], t_stop=1.0)
    with pendulum().stepper([2, 0], t_stop=1.0) as stepper:
        told = []
        while stepper.t < 1:
            told.append(stepper.step(1.0))
            np.testing.assert_array_equal(stepper.y, r.y[:, len(told)])
            assert stepper.t == r.t[len(told)]
        assert set(told[:-1]) == {"step"} and told[-1] == "reached"
        assert stepper.statistics["residual_calls"] == r.statistics["residual_calls"]
        np.testing.assert_array_equal(stepper.p, r.p[:, -1])
        np.testing.assert_array_equal(stepper.lam, r.lam[:, -1])
        assert stepper.outputs == {"height": r.p[1, -1]}


def test_it_goes_to_a_time_and_interpolates_within_the_last_step():
    with decay().stepper([1.0], rtol=1e-9, atol=1e-9) as stepper:
        assert stepper.advance(0.5) == "reached" and stepper.t == 0.5
        np.testing.assert_allclose(stepper.y, [math.exp(-1)], atol=1e-7)
        stepper.step(1.0)
        y, yp = stepper.interpolate(stepper.t - 1e-5)
        np.testing.assert_allclose([y[0], yp[0]], np.exp(-2 * stepper.t + 2e-5) * np.array([1, -2]), atol=1e-5)


def test_the_state_is_for_reading():
    with pendulum().stepper([2, 0], events=lambda t, p, v, *args: p[0] - 1.9) as stepper:
        assert stepper.advance(1.0) == "event"
        for array in stepper.y, stepper.yp, stepper.p, stepper.v, stepper.a, stepper.lam, stepper.event.y:
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 99.0
        before = stepper.outputs
        assert stepper.advance(1.0) == "reached" and before["height"] > stepper.outputs["height"]


def test_it_stops_at_events_and_goes_on():
    crossing = Event(lambda t, y, yp, k: y[0] - 0.5)
    with decay().stepper([1.0], events=crossing, rtol=1e-9, atol=1e-9) as stepper:
        assert stepper.advance(1.0) == "event" and stepper.event.crossed == (0,)
        assert abs(stepper.t - math.log(2) / 2) < 1e-7
        assert stepper.advance(1.0) == "reached" and stepper.event is None
    with decay().stepper([1.0], t_stop=0.25) as stepper:
        assert stepper.advance(1.0) == "stop" and stepper.t == 0.25


def test_options_change_and_the_history_stays():
    with decay().stepper([1.0], rtol=1e-4, atol=1e-4) as stepper:
        stepper.advance(0.5)
        steps = stepper.statistics["steps"]
        stepper.set_options(atol=[1e-9], rtol=1e-9, h_max=1e-3)
        assert stepper.advance(0.6) == "reached"
        assert stepper.statistics["steps"] - steps >= 90 and stepper.statistics["restarts"] == 0
        stepper.set_options(atol=1e-4, max_step=math.inf)
        stepper.advance(1.0)
        np.testing.assert_allclose(stepper.y, [math.exp(-2)], atol=1e-3)
        with pytest.raises(Error, match="max_order cannot be changed by this call"):
            stepper.set_options(max_order=2)
        with pytest.raises(TypeError, match=r"set_options\(\) has no option 'h_maxx'; did you mean 'h_max'\?"):
            stepper.set_options(h_maxx=1)


def test_a_time_limit_is_that_of_a_call():
    def limited(stepper, seconds):
        begin = time.monotonic()
        with pytest.raises(Error, match=f"RESIDA_ERR_LIMIT_TIME: time limit of {seconds} s reached at t = "):
            stepper.advance(10.0)
        assert time.monotonic() - begin >= seconds

    slow = DAE(lambda t, y, yp: (time.sleep(0.002), yp + y)[1])
    with slow.stepper([1.0], h_max=0.02, time_limit_s=0.1) as stepper:
        limited(stepper, 0.1)
        reached = stepper.t
        assert 0 < reached < 10 and abs(stepper.y[0] - math.exp(-reached)) < 1e-4
        limited(stepper, 0.1)
        assert reached < stepper.t < 10
        stepper.set_options(time_limit_s=0.2)
        limited(stepper, 0.2)
        stepper.set_options(time_limit_s=math.inf, h_max=math.inf)
        assert stepper.advance(10.0) == "reached"


def test_it_restarts_from_another_state_and_at_another_time():
    with decay().stepper([1.0], rtol=1e-9, atol=1e-9) as stepper:
        stepper.advance(0.5)
        stepper.restart([3.0], t=2.0)
        assert stepper.t == 2
        stepper.advance(2.5)
        np.testing.assert_allclose(stepper.y, [3 * math.exp(-1)], rtol=1e-6)


def test_it_does_not_restart_with_another_number_of_unknowns():
    with decay().stepper([1.0]) as stepper:
        stepper.advance(0.5)
        with pytest.raises(ValueError, match="restart: the start has 2 components; expected 1"):
            stepper.restart([3.0, 2.0])
        assert stepper.advance(1.0) == "reached"


def test_parameters_change_on_the_way(bead):
    with decay().stepper([1.0], rtol=1e-9, atol=1e-9) as stepper:
        stepper.advance(0.5)
        stepper.change(args=(4.0,))
        stepper.advance(1.0)
        np.testing.assert_allclose(stepper.y, [math.exp(-3)], rtol=1e-5)
    tight = dict(rtol=1e-9, atol=1e-9)
    with Model(bead, omega=2).stepper(**tight) as stepper:
        stepper.advance(1.0)
        p, v = stepper.p, stepper.v
        stepper.change(omega=0.5)
        assert stepper.system.parameters["omega"].value == 0.5
        stepper.advance(2.0)
        alone = Model(bead, omega=0.5).solve((1, 2), (p, v), **tight)
        np.testing.assert_allclose(stepper.p, alone.p[:, -1], atol=1e-7)


def test_two_that_go_on_from_the_same_checkpoint_have_the_same_bits():
    with pendulum().stepper([2, 0]) as stepper:
        stepper.advance(1.0)
        saved = stepper.save()
        ends = []
        for _ in range(2):
            with pendulum().stepper([2, 0], resume=saved) as other:
                assert other.t == 1.0
                other.advance(2.0)
                ends.append(other.y)
        stepper.advance(2.0)
    np.testing.assert_array_equal(*ends)
    np.testing.assert_allclose(ends[0][:2], stepper.p, atol=1e-4)
    assert saved == bytes(saved) and len(saved) > 100


def after(saved, system, *start, **more):
    """The end of a run that resumes."""
    with system.stepper(*start, resume=saved, **more) as stepper:
        stepper.advance(1.0)
        return stepper.y


@pytest.mark.parametrize("make, start", [(lambda: pendulum(), [2, 0]), (decay, [1.0])])
def test_a_checkpoint_after_a_change_has_its_start_in_it(make, start):
    system = make()
    with system.stepper(start) as stepper:
        stepper.advance(0.1)
        stepper.change(args=(2.0, 0.5) if len(start) > 1 else 3.0)
        t, state = stepper.t, stepper.y[:len(start)].copy()
        stepper.advance(0.2)
        saved, changed = stepper.save(), stepper.system
        stepper.advance(1.0)
        end = stepper.y
    first = after(saved, changed)
    np.testing.assert_allclose(first, end, atol=1e-4)
    np.testing.assert_array_equal(first, after(saved, changed, start))
    if len(start) == 1:  # the state at the change is a whole start
        np.testing.assert_array_equal(first, after(saved, changed, state, t=t))


def test_a_checkpoint_after_a_restart_has_its_start_in_it():
    with pendulum().stepper([2, 0]) as stepper:
        stepper.advance(0.1)
        stepper.restart([1.2, -1.6], [0, 0])
        stepper.advance(0.2)
        saved = stepper.save()
    ends = [after(saved, pendulum(), *start, t=t) for start, t in (((), 0), (([2, 0],), 0), (([1.2, -1.6],), 0.1))]
    np.testing.assert_array_equal(ends[0], ends[1])
    np.testing.assert_array_equal(ends[0], ends[2])


def test_what_differs_from_a_checkpoint_is_named(bead, tmp_path):
    with pendulum().stepper([2, 0], t=0.5) as stepper:
        stepper.advance(0.6)
        saved = stepper.save()
    for words, system, start, more in (
            (r"args\[1\] = 0.1, not 0.2: resume with args\[1\] = 0.1; then change it by Stepper.change\(\)",
             pendulum(damping=0.2), [2, 0], {}),
            (r"args\[2\] = none, not 3.0", pendulum().replace(args=(2.0, 0.1, 3)), [2, 0], {}),
            (r"t = 0.5, not t = 0.0: omit the start", pendulum(), [2, 0], {"t": 0.0}),
            (r"p0\[1\] = 0.0, not 0.1", pendulum(), [2, 0.1], {}),
            (r"made with rtol = 1e-06, not 1e-05", pendulum(), [2, 0], {"rtol": 1e-5})):
        with pytest.raises(Error, match=words):
            system.stepper(start, resume=saved, **{"t": 0.5, **more})
    table = np.arange(3.0)
    with DAE(lambda t, y, yp, a: yp + y * a[0], args=(table,)).stepper([1.0]) as stepper:
        saved = stepper.save()
    with pytest.raises(Error, match=r"args\[0\] = an array \(3,\) \w+, not an array \(3,\) \w+"):
        DAE(lambda t, y, yp, a: yp + y * a[0], args=(table + 1,)).stepper([1.0], resume=saved)
    Model(bead).solve(checkpoint=tmp_path / "state", checkpoint_steps=20)
    with pytest.raises(Error, match="the checkpoint was saved with omega = .*, not 3.0"):
        Model(bead, omega=3).solve(resume=tmp_path / "state")


def test_a_stepper_is_not_copied():
    with pendulum().stepper([2, 0]) as stepper:
        for make in copy.copy, copy.deepcopy, pickle.dumps:
            with pytest.raises(TypeError, match=r"cannot be copied or pickled: .* stepper\(..., resume=s.save\(\)\)"):
                make(stepper)
        gc.collect()
        assert stepper.advance(0.5) == "reached" and repr(stepper) == "<Stepper: t = 0.5>"


def test_sensitivities_go_along():
    with decay().stepper([1.0], sensitivities=0, rtol=1e-9, atol=1e-9) as stepper:
        stepper.advance(1.0)
        np.testing.assert_allclose(stepper.sensitivities[0].y, [-math.exp(-2)], rtol=1e-5)
        assert stepper.statistics["sensitivities"]["residual_calls"] > 0


def test_what_does_not_fit_is_said():
    with decay().stepper([1.0]) as stepper:
        stepper.advance(0.5)
        with pytest.raises(ValueError, match="t_max = 0.25 is less than the time reached, 0.5: integration backward"):
            stepper.advance(0.25)
        with pytest.raises(ValueError, match="t_max = inf"):
            stepper.step(math.inf)
        with pytest.raises(AttributeError, match="p, v, a, lam .*mechanism"):
            stepper.p
        with pytest.raises(ValueError, match="y0 has shape"):
            stepper.restart([[1.0]])
        assert stepper.t == 0.5 and stepper.advance(0.75) == "reached"
    for use in (lambda: stepper.step(1.0), lambda: stepper.outputs, stepper.save, stepper.linearize,
                lambda: stepper.interpolate(0.75), lambda: stepper.restart([1.0]), lambda: stepper.change(args=1.0),
                lambda: stepper.sensitivities or stepper.outputs):
        with pytest.raises(ValueError, match="the stepper is closed"):
            use()
    assert stepper.t == 0.75


IN_A_CALL = {
    "close": lambda stepper: stepper.close(), "exit": lambda stepper: stepper.__exit__(None, None, None),
    "step": lambda stepper: stepper.step(1.0), "advance": lambda stepper: stepper.advance(1.0),
    "change": lambda stepper: stepper.change(args=3.0), "restart": lambda stepper: stepper.restart([1.0]),
    "save": lambda stepper: stepper.save(), "linearize": lambda stepper: stepper.linearize(),
    "interpolate": lambda stepper: stepper.interpolate(0.0), "statistics": lambda stepper: stepper.statistics,
    "outputs": lambda stepper: stepper.outputs, "quadratures": lambda stepper: stepper.quadratures,
    "sensitivities": lambda stepper: stepper.sensitivities,
    "set_options": lambda stepper: stepper.set_options(rtol=1e-3),
}


@pytest.mark.parametrize("use", IN_A_CALL.values(), ids=IN_A_CALL.keys())
@pytest.mark.parametrize("place", ["fun", "event", "change", "output", "restart"])
def test_a_callback_cannot_use_its_own_stepper(place, use):
    said = []

    def maybe(here):
        if here == place and "stepper" in known and not said:
            with pytest.raises(Error, match="RESIDA_ERR_STATE: another call of the stepper is running") as refused:
                use(known["stepper"])
            said.append(refused)

    known = {}
    event = Event(lambda t, y, yp, k: maybe("event") or y[0] - 0.5,
                  change=lambda t, y, yp, k: maybe("change") or (y, None))
    system = DAE(lambda t, y, yp, k: maybe("fun") or maybe("restart") or yp + k * y, args=2.0,
                 outputs={"y": lambda t, y, yp, k: maybe("output") or y[0]})
    with system.stepper([1.0], events=event) as known["stepper"]:
        stepper = known["stepper"]
        stepper.outputs
        if place == "restart":
            stepper.restart([1.0])
        assert stepper.advance(1.0) == "event" and stepper.advance(1.0) == "reached"
        assert said and abs(stepper.y[0] - math.exp(-2)) < 1e-4


def test_another_thread_cannot_close_a_stepper_in_a_call():
    refused = []

    def closes():
        with pytest.raises(Error, match="RESIDA_ERR_STATE: another call of the stepper is running"):
            stepper.close()
        refused.append(True)

    slow = DAE(lambda t, y, yp: (time.sleep(0.002), yp + y)[1])
    with slow.stepper([1.0], max_step=0.02) as stepper:
        other = threading.Timer(0.05, closes)
        other.start()
        assert stepper.advance(1.0) == "reached"
        other.join()
    assert refused


def test_a_stepper_that_is_let_go_or_begun_anew_leaves_nothing():
    def use():
        stepper = decay().stepper([1.0], events=lambda t, y, yp, k: y[0] - 0.5)
        stepper.step(1.0)
        stepper.restart([1.0])
        stepper.change(args=3.0)
        stepper.close()

    use()
    gc.collect()
    gc.disable()  # what is only freed by the collector counts, too
    before = len(gc.get_objects())
    for _ in range(50):
        use()
    grown = len(gc.get_objects()) - before
    gc.enable()
    assert grown < 50


def test_a_callback_that_fails_comes_out_as_itself():
    def breaks(t, y, yp):
        if t > 0.5:
            raise KeyError("mine")
        return yp + y

    with DAE(breaks).stepper([1.0]) as stepper, pytest.raises(KeyError, match="mine"):
        stepper.advance(1.0)
    with pytest.raises(KeyError, match="mine"):
        solve_dae(breaks, (0, 1), [1.0])


def test_a_control_loop_takes_a_fraction_of_the_calls_of_a_solve_for_each_period():
    """300 periods of 10 ms of an inverted pendulum on a cart, beside DOP853 of scipy."""
    def balanced(t, p, v, a, force):
        s, c = np.sin(p[1]), np.cos(p[1])
        return [1.3 * a[0] + 0.15 * (c * a[1] - s * v[1] ** 2) - force, 0.15 * (c * a[0] + 0.5 * a[1] - 9.81 * s)]

    def force(p, v):
        return 2 * p[0] + 4 * v[0] + 40 * p[1] + 8 * v[1]

    cart, start = Mechanism(residual=balanced, args=0.0), (np.array([0, 0.1]), np.zeros(2))
    with cart.stepper(*start, method="radau-iia-3", step=0.01) as stepper:
        for k in range(300):
            stepper.change(args=force(stepper.p, stepper.v))
            stepper.advance(0.01 * (k + 1))
        calls, end = stepper.statistics["residual_calls"]["total"], stepper.p
    with cart.stepper(*start, method="radau-iia-3", step=0.01) as stepper:
        for _ in range(300):  # times that are sums of 0.01 are ends of steps, too
            stepper.change(args=force(stepper.p, stepper.v))
            stepper.advance(stepper.t + 0.01)
        assert stepper.statistics["steps"] >= 299 and stepper.t == 0.01 * 300
        np.testing.assert_array_equal(stepper.p, end)
    solved, exact = 0, np.concatenate(start)
    p, v = start
    for k in range(300):
        r = cart.replace(args=force(p, v)).solve((0, 0.01), p, v, rtol=1e-4)
        p, v, solved = r.p[:, -1], r.v[:, -1], solved + r.nfev
        rates = lambda t, y, u: np.concatenate([y[2:], -np.linalg.solve(  # noqa: E731
            [[1.3, 0.15 * np.cos(y[1])], [0.15 * np.cos(y[1]), 0.075]], balanced(t, y[:2], y[2:], np.zeros(2), u))])
        exact = solve_ivp(rates, (0, 0.01), exact, rtol=1e-10, atol=1e-12, method="DOP853",
                          args=(force(exact[:2], exact[2:]),)).y[:, -1]
    np.testing.assert_allclose(end, exact[:2], atol=1e-7)
    assert calls < solved / 3
