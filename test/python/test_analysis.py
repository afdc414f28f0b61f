"""Equilibria, linear models, examinations and impacts, against closed forms."""

import math
import os
from pathlib import Path

import numpy as np
import pytest

import resida
from resida import DAE, Mechanism, Model

GRAV, LENGTH, DAMPING = 9.81, 2.0, 0.1


def pendulum(**more):
    """A mass of 1 kg, damped."""
    return Mechanism(**{**dict(residual=lambda t, p, v, a: a + [0, GRAV] + DAMPING * v,
                               constraint=lambda t, p: [p @ p - LENGTH ** 2], p_names=["x", "y"]), **more})


def oscillator(**more):
    """x'' + d x' + k x = F(t), with the excitation as the force."""
    return Mechanism(residual=lambda t, p, v, a, e, k, d: a + d * v + k * p - e.u,
                     excitation=lambda t, k, d: ([3 * t], [3.0], [0.0]), args=(4.0, 0.4), **more)


def test_a_body_hangs_where_it_is_at_rest():
    found = pendulum().equilibrium([0.3, -1.9])
    np.testing.assert_allclose(found.p, [0, -LENGTH], atol=1e-9)
    np.testing.assert_allclose(found.lam, [GRAV / (2 * LENGTH)], rtol=1e-9)
    np.testing.assert_array_equal(found.v, [0, 0])
    assert found.stability == "decaying" and found.y is None
    assert abs(found.growth + DAMPING / 2) < 1e-6
    assert abs(2 * math.pi * found.frequency - math.sqrt(GRAV / LENGTH - DAMPING ** 2 / 4)) < 1e-6
    assert pendulum().equilibrium([0.3, -1.9], max_step=0.01).report["iterations"] > 2 * found.report["iterations"]


def test_a_body_on_its_head_is_unstable():
    found = pendulum().equilibrium([0.0, LENGTH])
    assert found.stability == "growing" and found.growth > 1 and found.report["n_growing"] == 1


def test_an_equilibrium_takes_excitations_at_its_time():
    np.testing.assert_allclose(oscillator().equilibrium([0.0], t=2.0).p, [3 * 2 / 4], rtol=1e-9)


def test_an_equilibrium_of_a_dae_and_of_a_model(bead):
    tank = DAE(lambda t, y, yp: [yp[0] + 2 * y[0] - y[1], y[1] - 6])
    found = tank.equilibrium([0.0, 0.0])
    np.testing.assert_allclose(found.y, [3, 6], rtol=1e-9)
    assert found.p is None and abs(found.growth + 2) < 1e-9
    np.testing.assert_allclose(tank.solve((0, 1), *found.start).y[:, -1], [3, 6], rtol=1e-9)
    at_rest = Model(bead, omega=0).equilibrium()
    np.testing.assert_allclose(at_rest.p, [0, 0], atol=1e-8)


def test_where_there_is_no_equilibrium_the_worst_row_is_named():
    with pytest.raises(resida.Error, match="RESIDA_ERR_NEWTON"):
        Mechanism(residual=lambda t, p, v, a: a + GRAV).equilibrium([1.0])
    with pytest.raises(ZeroDivisionError):
        Mechanism(residual=lambda t, p, v, a: 1 / 0).equilibrium([1.0])
    with pytest.raises(TypeError, match="equilibrium.. has no option 'stedy'; did you mean 'steady'"):
        pendulum().equilibrium([0, -2], stedy=1)


def test_a_pendulum_swings_with_the_frequency_of_its_length():
    linear = pendulum().linearize([0, -LENGTH])
    assert linear.is_independent and linear.facts["n_q"] == 1 and len(linear.states) == 2
    np.testing.assert_allclose(linear.E, np.eye(2), atol=1e-9)
    np.testing.assert_allclose(linear.A, [[0, 1], [-GRAV / LENGTH, -DAMPING]], atol=1e-6)
    modes = linear.modes()
    np.testing.assert_allclose(np.abs(modes.eigenvalues), [math.sqrt(GRAV / LENGTH)], rtol=1e-7)
    np.testing.assert_allclose(modes.damping, DAMPING / 2 / math.sqrt(GRAV / LENGTH), rtol=1e-6)
    damped = math.sqrt(GRAV / LENGTH - DAMPING ** 2 / 4)
    np.testing.assert_allclose(modes.frequencies, damped / (2 * math.pi), rtol=1e-7)
    assert modes.outputs[:2] == ["x", "y"]
    np.testing.assert_allclose(modes.shapes[0, :2], [1, 0], atol=1e-9)


def test_in_the_unknowns_of_the_formulation_modes_are_the_same_and_matrices_may_be_sparse():
    full, sparse = (pendulum().linearize([0, -LENGTH], independent=False, sparse=how) for how in (False, True))
    assert full.E.shape == (6, 6) and not full.is_independent and not isinstance(sparse.A, np.ndarray)
    for letter in "EABCD":
        np.testing.assert_array_equal(getattr(sparse, letter).toarray(), getattr(full, letter))
    fastest = full.modes().eigenvalues
    np.testing.assert_allclose(np.abs(fastest[np.argmax(fastest.imag)]), math.sqrt(GRAV / LENGTH), rtol=1e-6)


def test_inputs_and_outputs_are_linear_models_too():
    system = oscillator(outputs={"spring": lambda t, p, v, a, lam, k, d: k * p[0],
                                 "inertia": lambda t, p, v, a, lam, k, d: a[0]})
    linear = system.linearize([0.0])
    assert linear.inputs == ["u[0]", "ud[0]", "udd[0]"]
    np.testing.assert_allclose(linear.B, [[0, 0, 0], [1, 0, 0]], atol=1e-9)
    row = linear.outputs.index("out.spring")
    np.testing.assert_allclose(linear.C[row], [4, 0], rtol=1e-7)
    row = linear.outputs.index("out.inertia")
    np.testing.assert_allclose(linear.C[row], [-4, -0.4], rtol=1e-7)
    np.testing.assert_allclose(linear.D[row], [1, 0, 0], atol=1e-8)
    assert linear.left_out == ""


def test_a_frequency_response_is_that_of_the_closed_form():
    """Of x'' + d x' + k x = u."""
    system = oscillator(outputs={"spring": lambda t, p, v, a, lam, k, d: k * p[0]})
    hertz = np.array([0.0, 0.1, 0.3, 2.0])
    s = 2j * math.pi * hertz
    linear = system.linearize([0.0])
    response = linear.response(hertz)
    x = 1 / (s ** 2 + 0.4 * s + 4)
    np.testing.assert_allclose(response[:, linear.outputs.index("p[0]")], x, rtol=1e-7)
    np.testing.assert_allclose(response[:, linear.outputs.index("out.spring")], 4 * x, rtol=1e-7)
    np.testing.assert_allclose(response[1], linear.C @ np.linalg.solve(s[1] * linear.E - linear.A, linear.B[:, 0])
                               + linear.D[:, 0], rtol=1e-9)
    for wrong, words in ((-1.0, "frequency"), (math.nan, "frequency")):
        with pytest.raises(resida.Error, match=words):
            linear.response([wrong])
    with pytest.raises(resida.Error, match="excitation"):
        linear.response(hertz, excitation=1)
    with pytest.raises(resida.Error, match="RESIDA_ERR_ARGUMENT"):
        pendulum().linearize([0, -LENGTH]).response(hertz)


def test_outputs_and_integrals_get_the_excitation_if_they_take_one_more_argument():
    driven = Mechanism(residual=lambda t, p, v, a, e, k: a + k * p - e.u, args=4.0,
                       excitation=lambda t, k: ([3 * t], [3.0], [0.0]),
                       outputs={"force": lambda t, p, v, a, lam, e, k: e.u[0] + k * p[0],
                                "rate": lambda t, p, v, a, lam, e, k: e.ud[0],
                                "spring": lambda t, p, v, a, lam, k, scale=1: k * p[0],
                                "all": lambda *everything: len(everything)})
    work = {"work": lambda t, p, v, a, lam, e, k: e.u[0] * v[0]}
    r = driven.solve((0, 1), [0.0], quadratures=work, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(r.outputs["force"], 3 * r.t + 4 * r.p[0], atol=1e-12)
    np.testing.assert_array_equal(r.outputs["rate"], 3.0)
    np.testing.assert_array_equal(r.outputs["spring"], 4 * r.p[0])
    np.testing.assert_array_equal(r.outputs["all"], 6.0)
    energy = r.v[0] ** 2 / 2 + 2 * r.p[0] ** 2
    np.testing.assert_allclose(r.quadratures["work"], energy, atol=1e-7)
    linear = driven.linearize([0.0])
    row = next(i for i, name in enumerate(linear.outputs) if "force" in name)
    np.testing.assert_allclose(linear.D[row], [1, 0, 0], atol=1e-6)


def test_modes_near_a_frequency_are_found_alone():
    n = 30
    k = 2 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1)
    chain = Mechanism(residual=lambda t, p, v, a: a + k @ p, mass_matrix=lambda t, p: np.eye(n))
    exact = np.sqrt(np.linalg.eigvalsh(k))
    linear = chain.linearize(np.zeros(n))
    np.testing.assert_allclose(linear.modes().eigenvalues.imag, exact, rtol=1e-7)
    some = linear.modes(count=3, near=1.0 / (2 * math.pi)).eigenvalues.imag
    nearest = np.sort(exact[np.argsort(np.abs(exact - 1))[:3]])
    np.testing.assert_allclose(np.sort(some), nearest, rtol=1e-6)
    damped = chain.replace(residual=lambda t, p, v, a: a + 0.1 * v + k @ p).linearize(np.zeros(n))
    assert repr(damped.modes(count=1, near=0.16)).startswith("<Modes: 1, unknown zero, unknown infinite>")


def test_a_linear_model_of_a_dae():
    swing = DAE(lambda t, y, yp: [yp[0] - y[1], yp[1] + 9 * y[0]], names=["x", "speed"])
    linear = swing.linearize([0.0, 0.0])
    np.testing.assert_allclose(linear.modes().eigenvalues, [3j], atol=1e-8)
    assert linear.states == ["x", "speed"]
    with pytest.raises(ValueError, match="independent = True is not supported for a general DAE"):
        swing.linearize([0.0, 0.0], independent=True)


def test_a_stepper_is_linear_where_it_is():
    with pendulum().stepper([LENGTH, 0], rtol=1e-9, atol=1e-9) as stepper:
        stepper.advance(60)
        settled = stepper.linearize().modes().eigenvalues
        np.testing.assert_allclose(np.abs(settled), [math.sqrt(GRAV / LENGTH)], rtol=0.05)


def test_what_is_wrong_in_a_system_is_told():
    right = dict(constraint_matrix=lambda t, p: [2 * p])
    assert pendulum(**right).check([LENGTH, 0]) == []
    [line] = pendulum(mass_matrix=lambda t, p: np.diag([1, 3])).check([LENGTH, 0])
    assert "mass_matrix: row 1 disagrees with residual" in line
    told = pendulum(derivatives=lambda t, p, v, a, lam: (np.zeros((2, 2)), 7 * np.eye(2)),
                    mass_matrix=lambda t, p: np.eye(2), **right).check([LENGTH, 0])
    assert any("derivatives" in line for line in told)
    [*_, line] = pendulum(constraint_matrix=lambda t, p: [-2 * p]).check([LENGTH, 0])
    assert "constraint_matrix: the derivative of g[0]" in line
    [line] = pendulum(constraint_matrix=lambda t, p: [-2 * p]).check([0.6 * LENGTH, 0.8 * LENGTH])
    assert line.count("constraint_matrix: the derivative of g[0]") == 1
    assert any("jac: row" in line for line in DAE(lambda t, y, yp: yp + y, jac=lambda t, alpha, y, yp: [[alpha + 2]])
               .check([1.0]))


def test_an_impact_obeys_newtons_law():
    two = Mechanism(residual=lambda t, p, v, a: [2 * a[0], 3 * a[1]])
    impact = two.impact([0, 0], [1.0, -1.0], [[-1, 1]], 0.5)
    after = impact.v[1] - impact.v[0]
    np.testing.assert_allclose([after, 2 * impact.v[0] + 3 * impact.v[1]], [1.0, -1.0], rtol=1e-12)
    np.testing.assert_allclose(impact.impulses, [1.5 * 2 * 1.2], rtol=1e-12)
    np.testing.assert_allclose(impact.report["energy_change"], -0.75 * 4 * 1.2 / 2, rtol=1e-12)
    wall = Mechanism(residual=lambda t, p, v, a: a)
    np.testing.assert_allclose(wall.impact([0], [-1.0], [[1]], 1.0, rates=[-0.5]).v, [2.0], rtol=1e-12)
    with pytest.raises(ValueError, match=r"rows has shape \(1, 3\); expected \(n, 2\)"):
        two.impact([0, 0], [1, -1], [[1, 2, 3]], 0.5)
    with pytest.raises(resida.Error, match="restitution"):
        two.impact([0, 0], [1, -1], [[-1, 1]], 1.5)


def test_starts_of_a_wrong_shape_are_named_everywhere(bead):
    with pytest.raises(TypeError, match="the start of a mechanism is p0 or p0, v0; got 0 arguments"):
        pendulum().equilibrium()
    with pytest.raises(ValueError, match=r"p0 has shape \(3,\); expected shape \(2,\)"):
        Model(bead).linearize([1, 2, 3])
    with pytest.raises(TypeError, match="the start of a general DAE is y0 or y0, yp0; got 3 arguments"):
        DAE(lambda t, y, yp: yp).check([1], [1], [1])


def test_a_model_is_analysed_from_its_own_start():
    ball = Model(Path(os.environ["RESIDA_TEST_MODULES"]) / "plugin_ball.so")
    assert ball.check() == []
    np.testing.assert_array_equal(ball.linearize().A, [[0, 1], [0, 0]])
