"""Inputs that are held for a step and change between two calls, in a solver that continues."""

import math

import numpy as np
import pytest

from resida import DAE, Mechanism
from resida import _stepper

H = 1e-3  # [s] of the control loop
FIXED = [("newmark", {}), ("generalized-alpha", {"rho_infinity": 1.0}), ("bdf2", {}), ("radau-iia-2", {})]


@pytest.fixture
def n_runs(monkeypatch):
    """How many problems and solvers a stepper has made."""
    count = [0]

    class Counted(_stepper.Run):
        def __init__(self, *given, **more):
            count[0] += 1
            super().__init__(*given, **more)

    monkeypatch.setattr(_stepper, "Run", Counted)
    return count


def joint():
    """A joint of 2 kg m^2 with damping 0.5 N m s, and a torque that is held."""
    return Mechanism(residual=lambda t, p, v, a, torque: 2 * a + 0.5 * v - torque, args=0.0)


def exact_step(p, v, torque):
    """2 v' + 0.5 v = torque over H."""
    rest, decay = torque / 0.5, math.exp(-0.25 * H)
    return p + rest * H + (v - rest) * (1 - decay) / 0.25, rest + (v - rest) * decay


@pytest.mark.parametrize("method, options", FIXED)
def test_a_control_loop_has_one_solver_and_the_exact_solution(method, options, n_runs):
    p = v = 0.0
    with joint().stepper([0.0], method=method, step=H, rtol=1e-10, atol=1e-12, **options) as stepper:
        for k in range(1, 501):
            torque = 40 * (1 - stepper.p[0]) - 8 * stepper.v[0]
            stepper.change(args=torque)
            assert stepper.advance(k * H) == "reached"
            p, v = exact_step(p, v, 40 * (1 - p) - 8 * v)
        assert n_runs[0] == 2 and stepper.statistics["steps"] == 500  # the second one of the torque at the start
        assert stepper.system.args == (torque,)
        np.testing.assert_allclose([stepper.p[0], stepper.v[0]], [p, v], rtol=0, atol=5e-5)  # of first order: 3e-3


def crane(method="generalized-alpha", mass=1.0, length=2.0):
    """A pendulum in x, y [kg, m] with a held horizontal force, and a state that integrates it."""
    return Mechanism(residual=lambda t, p, v, a, force, mass, length: mass * a + [-force, 9.81 * mass],
                     constraint=lambda t, p, force, mass, length: [p @ p - length ** 2], args=(0.0, mass, length),
                     outputs={"force": lambda t, p, v, a, lam, force, *_: force})


def end_of(system, method, changed, **options):
    """The end of a run whose args change at 0.1 s, and how many solvers were there."""
    with system.stepper([0.0, -2.0], method=method, step=H, rtol=1e-9, atol=1e-9, **options) as stepper:
        stepper.advance(0.1)
        stepper.change(args=changed)
        stepper.advance(0.2)
        return stepper.y.copy(), stepper.lam.copy(), stepper.outputs, stepper.statistics["steps"]


@pytest.mark.parametrize("method", ["generalized-alpha", "bdf2"])
def test_a_force_on_constrained_bodies_is_that_of_a_new_start(method, n_runs):
    _, lam, outputs, steps = end_of(crane(), method, (3.0, 1.0, 2.0))
    assert n_runs[0] == 1 and steps == 200 and outputs == {"force": 3.0}
    with crane().replace(args=(3.0, 1.0, 2.0)).stepper([0.0, -2.0], rtol=1e-10, atol=1e-10) as exact:
        exact.advance(0.1)  # at rest before
        y, *_ = end_of(crane(), method, (3.0, 1.0, 2.0))
        np.testing.assert_allclose(y[:2], exact.p, atol=1e-5)
        np.testing.assert_allclose(lam, exact.lam, rtol=1e-3)


@pytest.mark.parametrize("what, changed", [("mass", (0.0, 5.0, 2.0)), ("constraint", (0.0, 1.0, 1.8))])
def test_masses_and_constraints_that_change_need_a_start(what, changed, n_runs):
    y, _, _, steps = end_of(crane(), "generalized-alpha", changed)
    assert n_runs[0] == 2 and steps == 100
    assert abs(math.hypot(*y[:2]) - changed[2]) < 1e-8


def test_a_change_between_two_grid_points_acts_at_once(n_runs):
    with joint().stepper([0.0], method="newmark", step=H, rtol=1e-10, atol=1e-12) as stepper:
        stepper.advance(0.1004)
        stepper.change(args=8.0)
        stepper.advance(0.2004)
        v = 16 * (1 - math.exp(-0.25 * 0.1))
        assert n_runs[0] == 2 and abs(stepper.v[0] - v) < 1e-6


def test_what_events_and_variable_steps_know_of_args_is_renewed(n_runs):
    with joint().stepper([0.0]) as stepper:
        stepper.change(args=1.0)
        assert n_runs[0] == 2
    with joint().stepper([0.0], method="newmark", step=H, events=lambda t, p, v, torque: torque - 0.5) as stepper:
        stepper.advance(0.1)
        stepper.change(args=1.0)  # the function jumps, it does not cross zero
        assert n_runs[0] == 4 and stepper.advance(0.2) == "reached"
    with joint().stepper([0.0], method="newmark", step=H) as stepper:
        stepper.change(args=1.0, n_z=0)
        assert n_runs[0] == 6


def test_an_array_that_is_changed_in_place_is_compared_with_what_it_was(n_runs):
    table = np.array([0.0, 2.0])  # torque, inertia
    system = Mechanism(residual=lambda t, p, v, a, table: table[1] * a - table[0], args=(table,))
    with system.stepper([0.0], method="newmark", step=H, rtol=1e-10, atol=1e-12) as stepper:
        for k, (torque, inertia) in enumerate([(1.0, 2.0), (3.0, 2.0), (3.0, 6.0)], 1):
            table[:] = torque, inertia
            stepper.change(args=(table,))
            stepper.advance(0.1 * k)
        assert n_runs[0] == 3 and abs(stepper.v[0] - (0.05 + 0.15 + 0.05)) < 1e-9


def test_a_general_dae_takes_inputs_as_a_mechanism_does(n_runs):
    heater = DAE(lambda t, y, yp, u: [yp[0] + y[1], y[1] - 3 * y[0] + u], kinds=["differential", "algebraic"], args=0.0)
    with heater.stepper([1.0, 3.0], method="bdf2", step=H, rtol=1e-9, atol=1e-9) as stepper:
        stepper.advance(0.1)
        stepper.change(args=6.0)
        stepper.advance(0.5)
        first = math.exp(-0.3)
        assert n_runs[0] == 1 and abs(stepper.y[0] - (2 + (first - 2) * math.exp(-1.2))) < 1e-5
        assert abs(stepper.y[1] - (3 * stepper.y[0] - 6)) < 1e-8


def test_a_coupling_that_was_zero_is_found(n_runs):
    pair = Mechanism(residual=lambda t, p, v, a, k: a + k * np.array([p[0] - p[1], p[1] - p[0]]), args=0.0)
    with pair.stepper([1.0, -1.0], method="generalized-alpha", step=1e-2, rtol=1e-9, atol=1e-9) as stepper:
        stepper.advance(0.1)
        stepper.change(args=200.0)
        stepper.advance(0.6)
        with pair.replace(args=200.0).stepper([1.0, -1.0], method="generalized-alpha", step=1e-2, t=0.1, rtol=1e-9,
                                              atol=1e-9) as alone:
            alone.advance(0.6)
            np.testing.assert_allclose(stepper.p, alone.p, atol=5e-3)


def test_a_checkpoint_has_the_args_that_were_swapped_in():
    options = dict(method="newmark", step=H, rtol=1e-10, atol=1e-12)
    with joint().stepper([0.0], **options) as stepper:
        stepper.advance(0.1)
        stepper.change(args=8.0)
        stepper.advance(0.2)
        saved, changed = stepper.save(), stepper.system
        stepper.advance(0.3)
    with changed.stepper(resume=saved, **options) as resumed:
        resumed.advance(0.3)
        np.testing.assert_allclose(resumed.y, stepper.y, rtol=1e-9)
