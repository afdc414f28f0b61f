"""Critical values of a parameter, against closed forms and the command `resida critical`."""

import math

import numpy as np
import pytest

import resida
from resida import DAE, Mechanism, Model

RANGE = 4.0
BRACKET = 1e-10 * RANGE  # of the bisection


def ziegler(damping):
    """Two rods of length 1 with masses 2 and 1 and springs 1 in their hinges, under a load that follows the second rod:
    H. Ziegler, Die Stabilitaetskriterien der Elastomechanik, Ingenieur-Archiv 20 (1952)."""
    mass, viscous = np.array([[3.0, 1], [1, 1]]), damping * np.array([[2.0, -1], [-1, 1]])

    def residual(t, p, v, a, load):
        return mass @ a + viscous @ v + np.array([[2 - load, load - 1], [-1, 1]]) @ p

    return Mechanism(residual=residual, args=1.0)


@pytest.mark.parametrize("damping, exact", [(0.0, 3.5 - math.sqrt(2)), (0.1, 41 / 28 + 0.1 ** 2 / 2)])
def test_a_column_under_a_following_load_flutters_at_zieglers_loads(damping, exact):
    found = ziegler(damping).critical(0, (0, RANGE), [0.0, 0.0])
    first = found.changes[0]
    assert abs(found.value - exact) < 1e-5 and first.begins and first.kind == "flutter"
    if damping:
        assert first.uncertain_from <= first.value < first.uncertain_from + 1e-5
    else:  # all modes swing undamped below the load, and two frequencies meet at it
        assert math.isnan(first.uncertain_from)
        omega = ((7 - 2 * exact) / 4) ** 0.5  # 2 w^4 - (7 - 2 P) w^2 + 1 = 0 has a double root
        assert abs(first.frequency - omega / (2 * math.pi)) < 1e-3
    assert "args[0] = " in repr(found) and "flutter begins" in repr(found)


def damped(t, p, v, a, s):
    return a + ((s - 0.53) ** 2 - 1e-4) * v + p


def test_growth_that_begins_and_ends_between_two_points_is_found():
    system = Mechanism(residual=damped, args=0.0)
    for span, changes in (((0, 1), [(0.52, True), (0.54, False)]), ((1, 0), [(0.54, True), (0.52, False)])):
        found = system.critical(0, span, [0.0])
        assert not any(point.grows for point in found.points) and len(found.points) == 21
        assert [change.begins for change in found.changes] == [begins for _, begins in changes]
        for change, (value, _) in zip(found.changes, changes):
            assert abs(change.value - value) < 1e-6


def test_a_growth_rate_that_is_not_continuous_is_no_bifurcation():
    fork = Mechanism(residual=lambda t, p, v, a, mu: a + 0.1 * v - mu * p + p ** 3, args=0.0)
    found = fork.critical(0, (-1.0, 1.03), [0.2], from_equilibrium=True)  # x = 0, where +-sqrt(mu) branch off
    assert abs(found.value) < 1e-8 and not found.changes[0].jumps
    switched = Mechanism(residual=lambda t, p, v, a, mu: a + 0.1 * v + (p if mu < 0.3 else -p), args=0.0)
    found = switched.critical(0, (0, 1), [0.0])
    assert abs(found.value - 0.3) < 1e-8 and found.changes[0].jumps and "the growth rate jumps" in repr(found)


def test_a_range_without_growth_and_one_that_begins_with_it_say_so():
    none = ziegler(0.1).critical(0, (0, 1), [0.0, 0.0], points=3)
    assert math.isnan(none.value) and not none.changes and "no mode is unstable up to 1" in repr(none)
    grown = ziegler(0.1).critical(0, (3, 0), [0.0, 0.0])
    assert grown.points[0].grows and grown.value == grown.changes[0].value \
        and "unstable at the start of the range, 3" in repr(grown)
    assert abs(grown.changes[0].value - 41 / 28 - 0.005) < 1e-5 and not grown.changes[0].begins


@pytest.mark.parametrize("about", [{}, {"from_equilibrium": True}, {"form": "ggl"}])
def test_a_plugin_has_the_values_of_the_command(bead, about):
    words = {name: value for name, value in about.items() if name != "form"}
    how = {"independent": False} if "form" in about else {}
    found = Model(bead, grav=4.0).critical("omega", (0.0, 6.0), **words, **how)
    [row] = resida.command("critical", bead, vary="omega=0:6", params={"grav": 4.0}, **about)
    assert [change.value for change in found.changes] == [change["value"] for change in row["changes"]]
    assert found.changes and [p.grows for p in found.points] == [p["grows"] for p in row["points"]]
    np.testing.assert_array_equal(found.values, [p["value"] for p in row["points"]])
    for point, told in zip(found.points, row["points"]):
        np.testing.assert_allclose(point.eigenvalues.imag, told["im"], rtol=1e-12, atol=1e-12)


def test_a_root_locus_has_the_eigenvalues_of_each_value():
    locus = DAE(lambda t, y, yp, k: [yp[0] - y[1], yp[1] + k * y[0] + 0.2 * y[1]], args=4.0).root_locus(
        0, [1.0, 4.0, 9.0], [0.0, 0.0])
    np.testing.assert_array_equal(locus.values, [1, 4, 9])
    assert len(locus) == 3
    frame = locus.to_dataframe()
    assert frame.index.tolist() == [1, 4, 9] and frame.index.name == "args[0]"
    np.testing.assert_allclose(frame["re"] + 1j * frame["im"], [p.eigenvalues[0] for p in locus.points])
    for point, k in zip(locus.points, locus.values):
        np.testing.assert_allclose(point.eigenvalues, [-0.1 + 1j * math.sqrt(k - 0.01)], rtol=1e-6)
        assert point.decays and not point.grows and abs(point.growth + 0.1) < 1e-6
    held = Mechanism(residual=lambda t, p, v, a, k: a + k * p - 1, args=1.0).root_locus(
        0, [4.0], [0.0], from_equilibrium={"max_step": 0.1})
    np.testing.assert_allclose(held.points[0].eigenvalues, [2j], atol=1e-6)


def test_equilibria_over_a_parameter_stay_on_one_branch():
    """A double pendulum with a spring and a follower load along its second rod: from the same guess each time, another
    branch was found at 27.6, whose mode grows."""
    def residual(t, p, v, a, load):
        spring, rod = p[2:] - [1.5, 0.0], (p[2:] - p[:2]) / 0.8
        stretch = 30 * (1 - 1 / np.hypot(*spring)) * spring
        return np.concatenate([2 * (a[:2] + [0, 9.81]) + 0.3 * v[:2], a[2:] + [0, 9.81] + 0.3 * v[2:] + stretch
                               + load * rod])

    def constraint(t, p, load):
        return [p[0] ** 2 + p[1] ** 2 - 1, (p[2] - p[0]) ** 2 + (p[3] - p[1]) ** 2 - 0.64]

    found = Mechanism(residual=residual, constraint=constraint, args=0.0).critical(
        0, (20, 40), [0.0, -1, 0.1, -1.79], from_equilibrium=True, points=13)
    assert found.changes == [] and found.points[-1].decays
    assert np.all(np.abs(np.diff([point.growth for point in found.points])) < 0.01)


@pytest.mark.parametrize("by, span, more, words", [
    (1, (0, 1), {}, "critical: 1 is not the index of an argument"), (0, (1, 1), {}, "two different numbers"),
    (0, (0, 1), {"points": 1}, "expected an integer > 1"), (0, (0, math.inf), {}, "two different numbers")])
def test_what_is_no_parameter_and_no_range_is_named(by, span, more, words):
    with pytest.raises(ValueError, match=words):
        ziegler(0.1).critical(by, span, [0.0, 0.0], **more)
    with pytest.raises(TypeError, match="linearize.. has no option 'tollerance'"):
        ziegler(0.1).root_locus(0, [1.0], [0.0, 0.0], tollerance=1)
    with pytest.raises(ValueError, match="values is not an array of real numbers"):
        ziegler(0.1).root_locus(0, ["a"], [0.0, 0.0])
