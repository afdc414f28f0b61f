"""What happens on the way of a run: contacts, changes at events, outputs, profile, sensitivities, checkpoints."""

import itertools
import math
import os
import re
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import resida
from resida import DAE, Event, Mechanism, Model, Sensitivity, solve_dae

GRAV = 9.81
FIRST = math.sqrt(2 / GRAV)  # [s] of a fall of 1 m


def ball(**more):
    """Falls from 1 m."""
    return Mechanism(residual=lambda t, p, v, a: a + GRAV, **more)


def pendulum(length=2.0, damping=0.1, **more):
    """A mass of 1 kg."""
    return Mechanism(residual=lambda t, p, v, a, length, damping: a + [0, GRAV] + damping * v,
                     constraint=lambda t, p, length, damping: [p @ p - length ** 2], args=(length, damping), **more)


def decay(t, y, yp, k):
    return yp + k * y


def test_a_ball_rebounds_from_a_gap_with_its_restitution():
    r = ball(gap=lambda t, p: p, restitution=0.8).solve((0, 1.5), [1.0], rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(r.t_events[0], FIRST * np.array([1, 2.6]), atol=1e-8)
    assert [record.crossed for record in r.event_list] == [(0,), (0,)]
    speed = GRAV * FIRST
    for k, record in enumerate(r.event_list):
        np.testing.assert_allclose(record.y_before[1], -speed * 0.8 ** k, rtol=1e-8)
        np.testing.assert_allclose(record.y[1], speed * 0.8 ** (k + 1), rtol=1e-8)
        np.testing.assert_allclose(record.impulses, [1.8 * speed * 0.8 ** k], rtol=1e-8)
        np.testing.assert_allclose(record.energy_change, -0.36 * speed ** 2 / 2 * 0.64 ** k, rtol=1e-8)


def test_a_contact_without_restitution_ends_the_run_and_is_named():
    for e in 0, 0.5:
        with pytest.warns(resida.ModelWarning, match="contact floor stays closed; contacts that only rebound"):
            r = ball(gap=lambda t, p: p, restitution=e, gap_names=["floor"]).solve((0, 1.5), [1.0])
        assert r.status == 1 and "contact floor stays closed" in r.message
        assert len(r.warnings) == 1 and abs(r.t[-1] - FIRST * (1 + e) / (1 - e)) < 1e-4


def test_a_switch_that_stays_beyond_zero_is_no_warning():
    lamp = resida.Event(lambda t, y, yp: y[0] - 1, direction=1, change=lambda t, y, yp: (y, yp))
    r = resida.solve_dae(lambda t, y, yp: yp - 0.5 - 6 * np.cos(6 * t), (0, 6), [0.0], events=lamp)
    assert len(r.t_events[0]) == 5 and r.warnings == []


def test_a_contact_that_is_closed_at_the_start_is_named():
    words = "contact floor penetrates by .* it was closed at the start, and cannot stay closed without `holds`"
    with pytest.raises(resida.Error, match=words):
        ball(gap=lambda t, p: p, gap_names=["floor"]).solve((0, 1.5), [0.0])


def test_matrix_rate_and_excitation_of_a_gap_are_used():
    """A floor that moves up by 0.5 m/s, by u(t)."""
    def gap(t, p, e):
        return p - e.u

    moving = ball(gap=gap, restitution=[1.0], gap_matrix=lambda t, p, e: [[1.0]], gap_rate=lambda t, p, e: -e.ud,
                  excitation=lambda t: ([0.5 * t], [0.5], [0.0]))
    moving.residual = lambda t, p, v, a, e: a + GRAV
    r = moving.solve((0, 0.6), [1.0], rtol=1e-9, atol=1e-9)
    [record] = r.event_list
    t = (-0.5 + math.sqrt(0.25 + 2 * GRAV)) / GRAV
    assert abs(record.t - t) < 1e-8
    np.testing.assert_allclose(record.y[1], GRAV * t + 2 * 0.5, rtol=1e-8)
    moving.gap_matrix = lambda t, p, e: [[3.0]]
    with pytest.raises(resida.Error, match="RESIDA_ERR_MODEL"):
        moving.solve((0, 0.6), [1.0])


@pytest.mark.parametrize("wrong, words", [
    (dict(gap=lambda t, p: p, restitution=1.5), "restitution not from 0 to 1"),
    (dict(gap=lambda t, p: p, restitution=[0.5, 0.5]), r"restitution has shape \(2,\); expected shape \(1,\)"),
    (dict(gap=lambda t, p: p.astype(int)), "gap returned an array of dtype int64, in which fractions are lost"),
    (dict(n_z="1"), "n_z = '1' must be an integer, and name = 'mechanism' a text"),
    (dict(gap=lambda t, p: p, restitution=None), "restitution is not an array of real numbers: None is not a number"),
    (dict(gap_names=["floor"]), "gap_names requires gap, which is missing"),
    (dict(gap=lambda t, p: p, gap_names=["a", "b"]), "gap_names has 2 names; expected 1"),
])
def test_contacts_that_do_not_fit_are_named(wrong, words):
    with pytest.raises((TypeError, ValueError, resida.Error), match=words):
        ball(**wrong).solve((0, 1), [1.0])


def test_an_event_may_change_the_state():
    floor = Event(lambda t, p, v: p[0], direction=-1, change=lambda t, p, v: (p, -0.8 * v))
    r = ball().solve((0, 1.5), [1.0], events=floor, rtol=1e-9, atol=1e-9)
    contact = ball(gap=lambda t, p: p, restitution=0.8).solve((0, 1.5), [1.0], rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(r.t_events[0], contact.t_events[0], atol=1e-12)
    np.testing.assert_allclose(r.y[:, -1], contact.y[:, -1], atol=1e-9)
    assert all(record.is_changed for record in r.event_list)


def test_a_change_of_a_dae_may_leave_derivatives_to_be_found():
    def refill(t, y, yp, k):
        return [1.0], None

    refilled = Event(lambda t, y, yp, k: y[0] - 0.5, change=refill)
    r = solve_dae(decay, (0, 2), [1.0], events=refilled, args=1.0, rtol=1e-9, atol=1e-9, yp=True)
    np.testing.assert_allclose(r.t_events[0], math.log(2) * np.array([1, 2]), atol=1e-7)
    after = np.flatnonzero(np.diff(r.t) == 0) + 1
    np.testing.assert_allclose(r.yp[0, after], -1, rtol=1e-9)


def test_a_change_that_does_not_fit_is_named():
    for change in (lambda t, p, v: p), (lambda t, p, v: ([1, 2], v)):
        with pytest.raises(TypeError, match=r"change of an event returned .*, p \[1\], v \[1\]"):
            ball().solve((0, 1), [1.0], events=Event(lambda t, p, v: p[0], change=change))


def test_events_that_change_nothing_have_the_same_state_on_both_sides():
    r = ball().solve((0, 1), [1.0], events=lambda t, p, v: p[0])
    [record] = r.event_list
    assert record.kind == "root" and not record.is_changed and record.impulses is None
    np.testing.assert_array_equal(record.y_before, record.y)
    np.testing.assert_array_equal(record.y, r.y_events[0][0])


def test_events_by_their_time_are_listed_with_both_sides(modules):
    r = Model(modules / "plugin_kicks.so").solve()
    assert [(record.kind, record.t) for record in r.event_list] == [("time", 1), ("time", 2), ("time", 3)]
    np.testing.assert_allclose([record.y[1] - record.y_before[1] for record in r.event_list], 1, rtol=1e-12)


def test_outputs_are_told_over_the_whole_run():
    outputs = {"energy": lambda t, p, v, a, lam, length, damping: v @ v / 2 + GRAV * p[1],
               "tension": lambda t, p, v, a, lam, length, damping: 2 * lam[0] * length}
    r = pendulum(damping=0.0, outputs=outputs).solve((0, 2), [2, 0], rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(r.outputs["energy"], 0, atol=1e-6)
    np.testing.assert_allclose(r.outputs["tension"], -3 * GRAV * r.p[1] / 2, atol=1e-5)  # m v^2/l + its weight's part
    squares = solve_dae(decay, (0, 1), [1.0], args=2.0, outputs={"square": lambda t, y, yp, k: y[0] ** 2},
                        t_eval=[0.5, 1.0])
    np.testing.assert_allclose(squares.outputs["square"], squares.y[0] ** 2, rtol=1e-14)
    with pytest.raises(ValueError, match=r"outputs\['square'\] returned an array of shape \(1,\)"):
        solve_dae(decay, (0, 1), [1.0], args=2.0, outputs={"square": lambda t, y, yp, k: y})
    with pytest.raises(TypeError, match=r"outputs\['square'\] is not callable: 3"):
        solve_dae(decay, (0, 1), [1.0], args=2.0, outputs={"square": 3})


def test_the_profile_adds_up_and_limits_have_names():
    system = pendulum(p_names=["x", "y"])
    r = system.solve((0, 1), [2, 0], profile=1)
    parts = [seconds for name, seconds in r.profile.items() if name != "total"]
    assert abs(sum(parts) - r.profile["total"]) < 1e-9 + 1e-6 * r.profile["total"]
    assert r.profile["callbacks.residual"] > 0
    assert {limit["name"] for limit in r.limits} <= set(r.names) and r.names[:2] == ["x", "y"]
    assert sum(limit["steps"] for limit in r.limits) <= r.statistics["steps"]
    assert system.solve((0, 1), [2, 0]).profile is None


def test_sensitivities_of_a_dae_are_those_of_the_closed_form():
    r = solve_dae(decay, (0, 1), [2.0], args=(3.0,), sensitivities=[0, Sensitivity(None, dy0=[1.0])], rtol=1e-9,
                  atol=1e-9, t_eval=[0.25, 1.0])
    np.testing.assert_allclose(r.sensitivities[0].y[0], -2 * r.t * np.exp(-3 * r.t), rtol=1e-5)
    np.testing.assert_allclose(r.sensitivities[1].y[0], np.exp(-3 * r.t), rtol=1e-5)
    assert [derivative.name for derivative in r.sensitivities] == ["args[0]", "start"]
    assert r.statistics["sensitivities"]["residual_calls"] > 0 and "sensitivities" not in solve_dae(
        decay, (0, 1), [2.0], args=(3.0,)).statistics


def swung(k, length):
    """The end after 2 s of a mass on a rod with a horizontal spring, by its angle and DOP853 of scipy."""
    rates = lambda t, y: [y[1], -GRAV / length * np.sin(y[0]) - k * np.sin(y[0]) * np.cos(y[0])]  # noqa: E731
    angle = solve_ivp(rates, (0, 2), [1.0, 0], rtol=1e-13, atol=1e-14, method="DOP853").y[0, -1]
    return length * np.array([np.sin(angle), -np.cos(angle)])


def slope(f, x, h=1e-3):
    """The derivative of f at x, with an error of h^4."""
    return (8 * (f(x + h) - f(x - h)) - (f(x + 2 * h) - f(x - 2 * h))) / (12 * h)


@pytest.mark.parametrize("matrix, error", [(None, 1e-5), (lambda t, p, k, length: [2 * p], 1e-6)])
def test_sensitivities_to_a_soft_spring_are_as_good_as_to_a_length(matrix, error):
    k, length, p0 = 1e-3, 1.0, np.array([np.sin(1.0), -np.cos(1.0)])
    system = Mechanism(residual=lambda t, p, v, a, k, length: a + [k * p[0], GRAV], args=(k, length),
                       constraint=lambda t, p, k, length: [p @ p - length ** 2], constraint_matrix=matrix)
    r = system.solve((0, 2), p0, rtol=1e-9, atol=1e-9, sensitivities=[Sensitivity(0, scale=1.0),
                                                                      Sensitivity(1, dp0=p0 / length)])
    exact = slope(lambda x: swung(x, length), k), slope(lambda x: swung(k, x), length)
    for one, exact in zip(r.sensitivities, exact):
        assert np.max(np.abs(one.p[:, -1] - exact)) < error * np.max(np.abs(exact))


def test_a_sensitivity_that_does_not_converge_asks_for_the_constraint_matrix():
    def links(t, p, length):
        x, z, s, x2, z2, s2 = p
        return [x - length * np.sin(s), z + length * np.cos(s), x2 - x - length * np.sin(s2),
                z2 - z + length * np.cos(s2)]

    def matrix(t, p, length):
        c, s, c2, s2 = (length * f(phi) for phi in (p[2], p[5]) for f in (np.cos, np.sin))
        return [[1, 0, -c, 0, 0, 0], [0, 1, -s, 0, 0, 0], [-1, 0, 0, 1, 0, -c2], [0, -1, 0, 0, 1, -s2]]

    double = Mechanism(residual=lambda t, p, v, a, length: a + [0, GRAV, 0, 0, GRAV, 0], constraint=links, args=1.0)
    start = [1, 0, math.pi / 2, 2, 0, math.pi / 2]
    given, failures = double.replace(constraint_matrix=matrix), []
    for delta, tolerance in itertools.product([1e-9, 1e-10, 1e-11], [1e-7, 1e-8, 1e-9, 1e-10]):
        run = dict(rtol=tolerance, atol=tolerance, sensitivities=Sensitivity(0, delta=delta, dp0=[1, 0, 0, 2, 0, 0]))
        try:
            double.solve((0, 1), start, **run)
        except resida.Error as e:  # at which of them depends on rounding
            failures.append(str(e))
            assert given.solve((0, 1), start, **run).success
    assert failures
    for message in failures:
        assert re.search("does not converge at .*; dg/dp is computed by differences: give constraint_matrix", message)


def test_sensitivities_of_a_model_go_through_its_events(modules, bead):
    tight = dict(rtol=1e-9, atol=1e-9)
    r = Model(bead, omega=2).solve((0, 2), sensitivities=["omega"], **tight)
    ends = [Model(bead, omega=2 + d).solve((0, 2), **tight).p[:, -1] for d in (1e-4, -1e-4)]
    np.testing.assert_allclose(r.sensitivities[0].p[:, -1], (ends[0] - ends[1]) / 2e-4, rtol=1e-4, atol=1e-5)
    with pytest.raises(ValueError, match="'omeg' is not a real parameter of bead; its real .*: mass, .*omega"):
        Model(bead).solve(sensitivities="omeg")


def test_sensitivities_go_through_impacts():
    def height(gravity):
        return Mechanism(residual=lambda t, p, v, a, g: a + g, gap=lambda t, p, g: p, restitution=0.8, args=gravity)

    tight = dict(rtol=1e-10, atol=1e-10)
    r = height(GRAV).solve((0, 0.8), [1.0], sensitivities=0, **tight)
    ends = [height(GRAV + d).solve((0, 0.8), [1.0], **tight).y[:, -1] for d in (1e-4, -1e-4)]
    np.testing.assert_allclose(r.sensitivities[0].y[:, -1], (ends[0] - ends[1]) / 2e-4, rtol=1e-4)


def test_sensitivities_that_do_not_fit_are_named():
    with pytest.raises(ValueError, match="sensitivities: 3 is not the index of an argument: valid indices are 0 to 0"):
        solve_dae(decay, (0, 1), [1.0], args=2.0, sensitivities=3)
    with pytest.raises(TypeError, match=r"sensitivities: args\[0\] is 'x'; expected a number"):
        DAE(lambda t, y, yp, name: yp, args="x").solve((0, 1), [1.0], sensitivities=0)
    with pytest.raises(ValueError, match="dp0 is not supported for this system: use dy0 and dyp0"):
        solve_dae(decay, (0, 1), [1.0], args=2.0, sensitivities=Sensitivity(0, dp0=[1.0]))
    with pytest.raises(ValueError, match="sensitivities cannot be combined with checkpoints"):
        solve_dae(decay, (0, 1), [1.0], args=2.0, sensitivities=0, checkpoint="file")


def test_a_resumed_run_has_the_bits_of_one_that_was_not_interrupted(tmp_path):
    system, file = pendulum(), tmp_path / "state"

    def run(**more):
        return system.solve((0, 3), [2, 0], checkpoint=file, checkpoint_steps=40, **more)

    whole = run()
    with pytest.raises(resida.Error, match="budget of 100 steps"):
        run(max_steps=100)
    saved = file.read_bytes()
    rest = run(resume=file)
    assert rest.t[0] == whole.t[80] and rest.t[-1] == 3
    np.testing.assert_array_equal(rest.y, whole.y[:, 80:])
    assert rest.statistics == whole.statistics
    assert not list(tmp_path.glob("*.partial"))
    again = system.solve((0, 3), [2, 0], checkpoint=tmp_path / "other", checkpoint_steps=40, resume=saved)
    np.testing.assert_array_equal(again.y, rest.y)


def test_a_resumed_run_counts_events_on(tmp_path):
    third = Event(lambda t, p, v, *args: p[0], terminal=3)
    file = tmp_path / "state"

    def run(**more):
        return pendulum().solve((0, 20), [2, 0], events=third, checkpoint=file, checkpoint_steps=100, **more)

    whole = run()
    assert whole.t_events[0].size == 3
    with pytest.raises(resida.Error):
        run(max_steps=whole.statistics["steps"] - 20)
    rest = run(resume=file)
    assert rest.t_events[0].size < 3 and rest.t[-1] == whole.t[-1]


def test_a_checkpoint_of_a_run_with_changes_is_refused_at_once(tmp_path):
    rebound = Event(lambda t, p, v: p[0], direction=-1, change=lambda t, p, v: (p, -0.8 * v))
    with pytest.raises(ValueError, match="events with change cannot be combined with checkpoints"):
        ball().solve((0, 1), [1], events=rebound, checkpoint=tmp_path / "state")


def test_a_checkpoint_replaces_no_other_file(tmp_path):
    notes = tmp_path / "notes.txt"
    notes.write_text("mine")
    with pytest.raises(ValueError, match="exists and is not a checkpoint: give another name"):
        pendulum().solve((0, 1), [2, 0], checkpoint=notes, checkpoint_steps=5)
    assert notes.read_text() == "mine"


def test_a_checkpoint_that_does_not_fit_is_refused(tmp_path):
    file = tmp_path / "state"
    pendulum().solve((0, 1), [2, 0], checkpoint=file, checkpoint_steps=20)
    with pytest.raises(resida.Error, match=r"RESIDA_ERR_ARGUMENT.*p0\[0\] = 2.0, not 0.0"):
        pendulum().solve((0, 1), [0, 2], resume=file)
    with pytest.raises(resida.Error, match="RESIDA_ERR_ARGUMENT"):
        pendulum().solve((0, 1), [2, 0], resume=b"nonsense")
    with pytest.raises(FileNotFoundError):
        pendulum().solve((0, 1), [2, 0], resume=tmp_path / "missing")
    with pytest.raises(ValueError, match="checkpoint_steps = 0; expected an integer > 0"):
        pendulum().solve((0, 1), [2, 0], checkpoint=file, checkpoint_steps=0)


def test_names_of_scipy_are_taken():
    r = solve_dae(decay, (0, 1), [1.0], [-2.0], args=2.0, method="BDF", first_step=1e-3, max_step=0.01)
    np.testing.assert_allclose(r.t[1], 1e-3, rtol=1e-12)
    assert np.diff(r.t).max() <= 0.01 * (1 + 1e-12)
    np.testing.assert_allclose(r.y[0], np.exp(-2 * r.t), atol=1e-5)
    with pytest.raises(TypeError, match="the option h_max is given twice, also as max_step"):
        solve_dae(decay, (0, 1), [1.0], args=2.0, h_max=0.1, max_step=0.1)
    with pytest.raises(resida.Error, match="method = Radau, must be one of bdf"):
        solve_dae(decay, (0, 1), [1.0], args=2.0, method="Radau")


@pytest.mark.parametrize("span, words", [
    ((1, 0), r"t_span = \(1, 0\) must be two finite increasing times"), ((0, 1, 2), "t_span has 3 times; expected two"),
    ((0, math.inf), "must be two finite increasing times"), ("01", "t_span"), ((0, math.nan), "two finite"),
])
def test_a_span_that_does_not_fit_is_one_line(span, words):
    with pytest.raises(ValueError, match=words) as caught:
        solve_dae(decay, span, [1.0], args=2.0)
    assert "\n" not in str(caught.value)


def test_args_are_a_tuple_or_one_argument_or_none():
    ends = [solve_dae(lambda t, y, yp, *args: yp + sum(args) * y, (0, 1), [1.0], args=args).y[0, -1]
            for args in ((1.0, 1.0), [1.0, 1.0], 2.0, None, ())]
    np.testing.assert_allclose(ends, [math.exp(-2)] * 3 + [1, 1], atol=1e-5)


def test_what_is_no_function_is_named():
    with pytest.raises(TypeError, match="gap is not callable: 3"):
        ball(gap=3).solve((0, 1), [1.0])
    with pytest.raises(TypeError, match="change of an Event is not callable: 3"):
        Event(lambda t, p, v: p[0], change=3)
    with pytest.raises(TypeError, match="terminal = 'yes' of an event is neither a bool nor a number"):
        Event(lambda t, p, v: p[0], terminal="yes")


def test_what_is_no_time_and_no_name_is_named():
    with pytest.raises(ValueError, match="t is not an array of real numbers"):
        ball().equilibrium([1.0], t="noon")
    with pytest.raises(TypeError, match=r"p_names = 'x' is not a sequence of names"):
        ball(p_names="x").solve((0, 1), [1.0])
    with pytest.raises(ValueError, match="t_max = 'noon' must be finite"), ball().stepper([1.0]) as stepper:
        stepper.advance("noon")


def test_arrays_that_are_no_numbers_are_named(bead):
    with pytest.raises(ValueError, match="rtol is not an array of real numbers"):
        solve_dae(decay, (0, 1), [1.0], args=2.0, rtol="tight")
    with pytest.raises(ValueError, match=r"p0 has shape \(1,\); expected shape \(2,\)"):
        Model(bead).solve(start=3)
    with pytest.raises(ValueError, match="y0 is not an array of real numbers"):
        solve_dae(decay, (0, 1), ["one"], args=2.0)
    with pytest.raises(TypeError, match="y0 is not an array of real numbers: complex numbers"):
        solve_dae(decay, (0, 1), [1j], args=2.0)
    with pytest.raises(ValueError, match="p0 is not an array of real numbers"):
        pendulum().solve((0, 1), [[1, 2], [3]])


def test_integrals_along_a_solution_are_those_of_closed_forms():
    r = resida.solve_dae(lambda t, y, yp, k: yp + k * y, (0, 2), [1.0], args=1.0, rtol=1e-9, atol=1e-11,
                         t_eval=[0, 0.5, 2],
                         quadratures={"area": lambda t, y, yp, k: y[0], "square": lambda t, y, yp, k: y[0] ** 2})
    np.testing.assert_allclose(r.quadratures["area"], 1 - np.exp(-r.t), atol=1e-8)
    np.testing.assert_allclose(r.quadratures["square"], (1 - np.exp(-2 * r.t)) / 2, atol=1e-8)


def test_work_of_a_damper_is_the_energy_that_is_lost_over_events():
    c, g = 0.3, 9.81
    damped = resida.Mechanism(residual=lambda t, p, v, a: a + g + c * v)
    floor = resida.Event(lambda t, p, v: p[0], direction=-1, change=lambda t, p, v: (p, -v))
    r = damped.solve((0, 1.5), [1.0], events=floor, rtol=1e-9, atol=1e-9,
                     quadratures={"lost": lambda t, p, v, a, lam: c * v @ v})
    energy = r.v[0] ** 2 / 2 + g * r.p[0]
    assert len(r.event_list) >= 1 and r.quadratures["lost"][0] == 0
    np.testing.assert_allclose(r.quadratures["lost"], energy[0] - energy, atol=1e-6)


def test_a_stepper_has_the_integrals_of_the_time_reached():
    system = resida.DAE(lambda t, y, yp: yp + y)
    with system.stepper([1.0], rtol=1e-9, atol=1e-11, quadratures={"area": lambda t, y, yp: y[0]}) as stepper:
        for t in (0.3, 1.0):
            stepper.advance(t)
            assert abs(stepper.quadratures["area"] - (1 - math.exp(-t))) < 1e-8


def test_what_a_quadrature_raises_comes_out_and_no_checkpoint_has_one(tmp_path):
    system = resida.DAE(lambda t, y, yp: yp + y)
    with pytest.raises(ZeroDivisionError):
        system.solve((0, 1), [1.0], quadratures={"area": lambda t, y, yp: 1 / 0})
    with pytest.raises(TypeError, match=r"quadratures\['area'\] is not callable"):
        system.solve((0, 1), [1.0], quadratures={"area": 3})
    with pytest.raises(ValueError, match="quadratures cannot be combined with checkpoints"):
        system.solve((0, 1), [1.0], quadratures={"area": lambda t, y, yp: y[0]}, checkpoint=tmp_path / "state")


def test_what_would_make_a_run_cheaper_is_a_hint():
    slow = pendulum().solve((0, 5), [2, 0], rtol=1e-12, atol=1e-12)
    assert len(slow.hints) == 1 and "give constraint_matrix, dg/dp" in slow.hints[0] and "1 hints" in repr(slow)
    given = {"constraint_matrix": lambda t, p, *args: [2 * p]}
    [line] = pendulum(**given).solve((0, 5), [2, 0], rtol=1e-12, atol=1e-12).hints
    assert "give velocity_bias" in line
    given["velocity_bias"] = lambda t, p, *args: [0.0]
    assert pendulum(**given).solve((0, 5), [2, 0], rtol=1e-12, atol=1e-12).hints == []
    with pendulum().stepper([2, 0], rtol=1e-12, atol=1e-12) as stepper:
        stepper.advance(5)
        assert "give constraint_matrix" in stepper.examine()[1][0]
    heat = DAE(lambda t, y, yp: yp - 100 * (np.append(np.sin(t), y[:-1]) - 2 * y + np.append(y[1:], 0)))
    [line] = heat.solve((0, 2), np.zeros(120)).hints
    assert "give jac_sparsity" in line and "--" not in line


STRENGTH, RELEASED_AT = 30.0, 1.2  # tension at which a rod breaks; its angle from the vertical at rest
MASS, ROD = 2.0, 0.5


def a_rod(broken=(), **more):
    return Mechanism(residual=lambda t, p, v, a, *_: MASS * (a + [0, GRAV]),
                     constraint=lambda t, p, *_: [0.0 if broken else (p @ p - ROD ** 2) / 2], **more)


def the_break(strength=STRENGTH):
    """The closed form of test/integrator/test_breaking_joint.c: time, position and velocity at the break."""
    cosine = (strength / (MASS * GRAV) + 2 * math.cos(RELEASED_AT)) / 3
    k, phi = math.sin(RELEASED_AT / 2), math.acos(cosine)
    first = math.asin(math.sin(phi / 2) / k)
    x, weights = np.polynomial.legendre.leggauss(40)
    angles = first + (math.pi / 2 - first) * (x + 1) / 2
    t = math.sqrt(ROD / GRAV) * (math.pi / 2 - first) / 2 * (weights @ (1 - (k * np.sin(angles)) ** 2) ** -0.5)
    speed = -math.sqrt(2 * GRAV * ROD * (cosine - math.cos(RELEASED_AT)))
    return t, ROD * np.array([math.sin(phi), -cosine]), speed * np.array([cosine, math.sin(phi)])


HANGING = [ROD * math.sin(RELEASED_AT), -ROD * math.cos(RELEASED_AT)]


def test_an_event_that_takes_lam_breaks_a_rod():
    broken = []
    breaks = Event(lambda t, p, v, lam: STRENGTH - lam[0] * ROD,
                   change=lambda t, p, v: broken.append(t) or (p, v))
    r = a_rod(broken).solve((0, 1), HANGING, events=[lambda t, p, v: p[0], breaks], rtol=1e-8, atol=1e-8)
    t, p, v = the_break()
    assert len(broken) == 1 and abs(r.t_events[1][0] - t) < 1e-6
    left = 1 - t
    np.testing.assert_allclose(r.p[:, -1], p + left * v - [0, GRAV / 2 * left ** 2], atol=1e-5)
    np.testing.assert_allclose(r.t_events[0], t - p[0] / v[0], atol=1e-5)
    assert r.lam[0, -1] == 0


def test_events_with_lam_get_the_excitation_and_args():
    seen = []

    def tension(t, p, v, lam, e, strength):
        seen.append((len(lam), e.u[0]))
        return strength - lam[0] * ROD

    system = a_rod(excitation=lambda t, strength: ([3.0], [0.0], [0.0]), args=STRENGTH)
    system.residual = lambda t, p, v, a, e, strength: MASS * (a + [0, GRAV])
    system.constraint = lambda t, p, e, strength: [(p @ p - ROD ** 2) / 2]
    r = system.solve((0, 1), HANGING, events=[Event(tension, terminal=True), lambda t, p, v, e, strength: p[0]],
                     rtol=1e-8, atol=1e-8)
    assert abs(r.t[-1] - the_break()[0]) < 1e-6 and set(seen) == {(1, 3.0)}


def test_an_event_with_lam_needs_constraints():
    with pytest.raises(TypeError, match="lam"):
        ball().solve((0, 1), [1.0], events=lambda t, p, v, lam: lam[0])


def test_events_with_and_without_lam_follow_those_of_a_plugin():
    path = Path(os.environ["RESIDA_TEST_MODULES"]) / "plugin_harmful.so"
    events = [lambda t, p, v, e: p[0], lambda t, p, v, lam, e: lam[0]]
    for where in 5, 7:  # the plugin has root, root_lam
        r = Model(path, where=where, when=100).solve((0, 2), events=events)
        alone = Model(path, where=where, when=100).solve((0, 2), events=events[0])
        assert [one.size for one in r.t_events][0] == 0 and r.t_events[1].size > 0
        np.testing.assert_array_equal(alone.t_events[1], r.t_events[1])
    with pytest.raises(TypeError, match="5 were given"):  # lam is not the Excitation
        Model(path, when=100).solve((0, 2), events=lambda t, p, v, lam: lam[0])


@pytest.mark.parametrize("sensitivities", [[], [0], [0, Sensitivity(None, dv0=[1.0])]])
def test_sensitivities_do_not_repeat_a_change_of_a_force(sensitivities):
    """A force of -1 or 1 reverses at v = 1 and at v = -1: v has the period 4, and p returns after it."""
    force = [1.0]

    def reverse(_, p, v, mass):
        force[0] *= -1
        return p, v

    events = [Event(lambda t, p, v, mass, limit=limit: v[0] - limit, direction=limit, change=reverse)
              for limit in (1, -1)]
    system = Mechanism(residual=lambda t, p, v, a, mass: mass * a - force[0], args=1.0)
    r = system.solve((0, 8), [0.0], [0.0], events=events, sensitivities=sensitivities, rtol=1e-9, atol=1e-9)
    assert [each.t for each in r.event_list] == pytest.approx([1, 3, 5, 7], abs=1e-7)
    assert np.allclose([r.p[0, -1], r.v[0, -1]], 0, atol=1e-6)
    if len(sensitivities) == 2:  # a first speed d reaches v = 1 earlier by d, and then repeats the same motion
        assert np.allclose(r.sensitivities[1].v[0, -1], 1, atol=1e-4)


def test_the_sensitivity_of_an_event_with_lam_agrees_with_differences_of_runs():
    halved = Event(lambda t, p, v, lam, strength: strength - lam[0] * ROD,
                   change=lambda t, p, v, strength: (p, v / 2))
    system = a_rod(args=STRENGTH)
    r = system.solve((0, 0.3), HANGING, events=halved, sensitivities=[0], rtol=1e-9, atol=1e-9)
    d = 0.01
    ends = [a_rod(args=STRENGTH + s * d).solve((0, 0.3), HANGING, events=halved, rtol=1e-10, atol=1e-10).p[:, -1]
            for s in (-1, 1)]
    np.testing.assert_allclose(r.sensitivities[0].p[:, -1], (ends[1] - ends[0]) / (2 * d), rtol=2e-3)
