"""Mechanism: each callback against the same model in C (test/command/plugins/plugin_variants.c) or a closed form."""

import ctypes
import math
import os
from pathlib import Path

import numpy as np
import pytest

from resida import Event, Mechanism, Model, solve_dae
from resida._library import ffi

M, C, GRAV = 2.0, 0.1, 9.81
PRODUCTS, STATES = 14, 17  # variants of the model


def excitation(t):
    return [0.1 * math.sin(3 * t)], [0.3 * math.cos(3 * t)], [-0.9 * math.sin(3 * t)]


def residual(t, p, v, a, e):
    return [M * a[0] + C * v[0], 4 * M * a[1] + 4 * C * v[1] + 2 * M * GRAV]


def acceleration(t, p, v, f, e):
    return [(f[0] - C * v[0]) / M, (f[1] - 4 * C * v[1] - 2 * M * GRAV) / (4 * M)]


def constraint(t, p, e):
    length = 1 + e.u[0]
    return [(p[0] * p[0] + p[1] * p[1] - length * length) / 2]


# In the order of operations that it has in C, so that bits are the same.
ALL = dict(
    residual=residual,
    acceleration=acceleration,
    constraint=constraint,
    constraint_matrix=lambda t, p, e: p[None, :],
    velocity_bias=lambda t, p, e: -(1 + e.u) * e.ud,
    acceleration_bias=lambda t, p, v, e: v[0] * v[0] + 4 * v[1] * v[1] - e.ud * e.ud - (1 + e.u) * e.udd,
    mass_matrix=lambda t, p, e: np.diag([M, 4 * M]),
    kinematic_matrix=lambda t, p, e: np.diag([1.0, 2.0]),
    excitation=excitation,
)
COSTS = [member for member, _ in ffi.typeof("resida_callback_costs").fields]
T = np.linspace(0, 10, 21)


def in_c(variant=0, **more):
    path = Path(os.environ["RESIDA_TEST_MODULES"]) / "plugin_variants.so"
    return Model(path, variant=variant).solve(t_eval=T, **more)


def in_python(parts, **more):
    """With costs assumed by size, as in C: the same decisions, and the same steps."""
    parts = parts | dict(cost=dict.fromkeys(COSTS, 0))
    v0 = [0.3, 0, 0.1] if "n_z" in parts else [0.3, 0]
    return Mechanism(**parts).solve((0, 10), [1, 0], v0, t_eval=T, rtol=1e-5, atol=1e-7, **more)


def agree(one, other):
    assert one.statistics == other.statistics
    for part in "p", "v", "a", "lam", "eta":
        np.testing.assert_array_equal(getattr(one, part), getattr(other, part))


@pytest.mark.parametrize("options", [
    {}, {"formalism": "explicit"}, {"form": "index2"}, {"form": "baumgarte", "gamma": 5.0}, {"form": "projected2"},
    {"form": "hiller-anantharaman"}, {"projection": "B"}, {"step_projection": 1},
])
def test_a_mechanism_in_python_is_the_same_in_c(options):
    agree(in_python(ALL, **options), in_c(**options))


def test_products_in_place_of_the_matrix_are_the_same_in_c():
    products = dict(constraint_force=lambda t, p, lam, e: p * lam,
                    constraint_velocity=lambda t, p, x, e: p[0] * x[0] + p[1] * x[1])
    agree(in_python(ALL | products), in_c(PRODUCTS))


def test_first_order_states_are_the_same_in_c():
    def with_state(t, p, v, a, e):
        of_mass = residual(t, p, v, a, e)
        return [of_mass[0] + v[2] / 2, of_mass[1], a[2] + v[2] - p[0] * v[0]]

    def explicit(t, p, v, f, e):
        of_mass = acceleration(t, p, v, f, e)
        return [of_mass[0] - v[2] / (2 * M), of_mass[1], p[0] * v[0] - v[2]]

    parts = ALL | dict(n_z=1, residual=with_state, acceleration=explicit,
                       mass_matrix=lambda t, p, e: np.diag([M, 4 * M, 1]))
    agree(in_python(parts), in_c(STATES))


def test_patterns_leave_the_solution_as_it_is():
    parts = ALL | dict(M_pattern=np.eye(2), T_pattern=([0, 1, 2], [0, 1]), G_pattern=[[1, 1]],
                       kinematic_matrix=lambda t, p, e: [1.0, 2.0])
    np.testing.assert_allclose(in_python(parts).p, in_c().p, rtol=0, atol=1e-4)


def test_what_is_not_given_is_found():
    r = in_python(dict(residual=residual, constraint=constraint, excitation=excitation,
                       kinematic_matrix=ALL["kinematic_matrix"]))
    np.testing.assert_allclose(r.p, in_c().p, rtol=0, atol=1e-3)
    assert r.statistics["callback_calls"]["constraint_matrix"] == 0


def pendulum(**more):
    return Mechanism(residual=lambda t, p, v, a: a + [0, GRAV], constraint=lambda t, p: [p @ p - 1], **more)


def test_a_start_is_made_consistent_and_told():
    r = pendulum().solve((0, 1), [0.9, 0.1], [0.3, 0.0])
    np.testing.assert_allclose(r.p[:, 0] @ r.p[:, 0], 1, atol=1e-9)
    assert abs(r.start["g_before"] - 0.18) < 1e-12 and r.start["g_after"] < 1e-9


def test_events_get_positions_and_velocities():
    lowest = Event(lambda t, p, v: p[0], terminal=True)
    r = pendulum().solve((0, 10), [1, 0], events=[lowest, lambda t, p, v: v[1]], rtol=1e-9, atol=1e-9)
    # a quarter of the period of a pendulum of 90 degrees: sqrt(l/g) times K(sin 45 degrees)
    assert abs(r.t[-1] - 1.8540746773013719 / np.sqrt(GRAV)) < 1e-7
    np.testing.assert_allclose(r.y_events[0][0, r.layout.p], [0, -1], atol=1e-8)


def test_friction_has_derivatives_and_an_explicit_form():
    """A block that slides on a plane, x'' = g (sin s - mu cos s), by Newton's method without and with dPhi/dlam, and by
    accelerations."""
    slope, mu = 0.5, 0.2
    weight = GRAV * np.array([-np.sin(slope), np.cos(slope)])
    zero = np.zeros((2, 2))
    parts = dict(constraint=lambda t, p: p[1:])
    by_residuals = Mechanism(residual_lam=lambda t, p, v, a, lam: a + weight + [mu * abs(lam[0]), 0], **parts)
    by_derivatives = Mechanism(
        residual_lam=lambda t, p, v, a, lam: a + weight + [mu * abs(lam[0]), 0], mass_matrix=lambda t, p: np.eye(2),
        derivatives=lambda t, p, v, a, lam: (zero, zero, [[mu * np.sign(lam[0])], [0]]), **parts)
    explicit = Mechanism(acceleration_lam=lambda t, p, v, f, lam: f - weight - [mu * abs(lam[0]), 0], **parts)
    for block in by_residuals, by_derivatives, explicit:
        r = block.solve((0, 2), [0, 0], [1, 0])
        np.testing.assert_allclose(r.a[0], GRAV * (np.sin(slope) - mu * np.cos(slope)), rtol=1e-6)


@pytest.mark.parametrize("form", ["ggl", "index2", "index1", "index3", "projected1", "projected2", "state-space",
                                  "hiller-anantharaman"])
def test_parts_of_a_result_obey_the_equations_of_motion(form):
    r = pendulum().solve((0, 1), [1, 0], form=form, rtol=1e-7, atol=1e-7)
    np.testing.assert_allclose(r.a + np.array([[0], [GRAV]]), -2 * r.p * r.lam, atol=1e-3)
    off = np.abs((r.p * r.a + r.v * r.v).sum(axis=0)).max()
    assert off < (1e-6 if form == "projected2" else 0.1)  # accelerations of its own, which hold the constraint


def test_derivatives_take_the_place_of_differences():
    def spring(t, p, v, a):
        return a + 0.1 * v + 4 * p

    def derivatives(t, p, v, a, lam):
        return 4 * np.eye(2), 0.1 * np.eye(2)

    parts = dict(residual=spring, mass_matrix=lambda t, p: np.eye(2), derivatives=derivatives)
    r = Mechanism(**parts).solve((0, 5), [1, 0.5], [0, 0])
    told = Mechanism(**parts, Phi_p_pattern=np.eye(2), Phi_v_pattern=np.eye(2)).solve((0, 5), [1, 0.5], [0, 0])
    assert r.statistics["jacobian"] == told.statistics["jacobian"] == "user"
    assert r.statistics["residual_calls"]["jacobian"] == told.statistics["residual_calls"]["jacobian"] == 0
    np.testing.assert_allclose(told.p[:, -1], r.p[:, -1], atol=1e-9)
    with pytest.raises(ValueError, match="derivatives returned 1 arrays; expected 2"):
        Mechanism(**parts | dict(derivatives=lambda *a: [np.eye(2)])).solve((0, 5), [1, 0.5], [0, 0])


def test_nonholonomic_terms_may_depend_on_positions():
    """x' = y while y' = 1: x = t^2/2."""
    belt = Mechanism(residual=lambda t, p, v, a: a, nonholonomic_matrix=lambda t, p: [1.0], Gh_pattern=[[1, 0]],
                     nonholonomic_bias=lambda t, p: [-p[1]], nonholonomic_acceleration_bias=lambda t, p, v: [-v[1]])
    for form in "ggl", "index1", "projected2":
        r = belt.solve((0, 3), [0, 0], [0, 1], form=form, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(r.p, [r.t ** 2 / 2, r.t], atol=1e-6)
    assert r.statistics["callback_calls"]["nonholonomic_acceleration_bias"] > 0


def rates(q):
    """q' = T w, w in the axes of the body."""
    w, x, y, z = q
    return np.array([[-x, -y, -z], [w, -z, y], [z, w, -x], [-y, x, w]]) / 2


def test_euler_parameters_keep_their_norm():
    """A ball that turns about a fixed axis."""
    axis = np.array([2.0, -1.0, 2.0])
    ball = Mechanism(residual=lambda t, p, v, a: a, kinematic_matrix=lambda t, p: rates(p),
                     invariant=lambda t, p: [(p @ p - 1) / 2], invariant_matrix=lambda t, p: p[None, :])
    r = ball.solve((0, 4), [1, 0, 0, 0], axis, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose((r.p * r.p).sum(axis=0), 1, atol=1e-14)
    np.testing.assert_allclose(r.p[0], np.cos(1.5 * r.t), atol=1e-6)
    np.testing.assert_allclose(r.p[1:], np.outer(axis / 3, np.sin(1.5 * r.t)), atol=1e-6)
    ball.nonholonomic_matrix, ball.v_names = lambda t, p: np.array([[0.0, 0.0, 1.0]]), ["w1", "w2", "w3"]
    held = ball.solve((0, 4), [1, 0, 0, 0], axis, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(held.p[1], 2 / 5 ** 0.5 * np.sin(5 ** 0.5 / 2 * held.t), atol=1e-6)


def test_a_projection_of_ones_own_is_taken():
    own = pendulum(projection_matrix=lambda t, p: 2 * p[:, None]).solve((0, 2), [1, 0], projection="own", t_eval=[2])
    usual = pendulum().solve((0, 2), [1, 0], t_eval=[2])
    np.testing.assert_allclose(own.p, usual.p, atol=1e-4)
    assert own.statistics["callback_calls"]["projection_matrix"] > 0


def test_redundant_rows_are_named_and_dropped():
    twice = Mechanism(residual=lambda t, p, v, a: a + [0, GRAV], constraint=lambda t, p: np.array([1, 2]) * (p @ p - 1),
                      g_names=["rod", "rod again"])
    with pytest.raises(Exception, match="RESIDA_ERR_REDUNDANT.*rod"):
        twice.solve((0, 1), [1, 0])
    r = twice.solve((0, 1), [1, 0], redundant="drop")
    assert r.start["rank"] == 1 and len(r.start["redundant"]) == 1


def test_addresses_do_for_callbacks_too(functions):
    r = Mechanism(residual=functions.fall, constraint=functions.rod, n_g=1).solve((0, 2), [1, 0], t_eval=[2])
    np.testing.assert_allclose(r.p, pendulum().solve((0, 2), [1, 0], t_eval=[2]).p, atol=1e-4)
    weightless = np.array([0.0])
    r = Mechanism(residual=functions.fall, user=weightless.ctypes.data).solve((0, 2), [1, 0], [0, 1])
    np.testing.assert_allclose(r.p[1], r.t, atol=1e-9)
    with pytest.raises(ValueError, match="n_g is missing"):
        Mechanism(residual=functions.fall, constraint=functions.rod).solve((0, 2), [1, 0])


def test_a_function_of_c_may_come_in_any_form(functions):
    pointer = ctypes.cast(functions.oscillator, ctypes.c_void_p)
    address = pointer.value

    class Compiled:
        """As numba's cfunc."""

    compiled = Compiled()
    compiled.address = address
    forms = [functions.oscillator, pointer, address, compiled, ffi.cast("resida_dae_residual_fn *", address)]
    runs = [solve_dae(form, (0, 3), [1, 0], [0, -1], jac=functions.oscillator_jacobian,
                      events=functions.oscillator_root) for form in forms]
    for r in runs:
        np.testing.assert_array_equal(r.y, runs[0].y)
        assert abs(r.t_events[0][0] - np.pi / 2) < 1e-4
    w = np.array([3.0])
    r = solve_dae(functions.oscillator, (0, 1), [1, 0], [0, -9], user=w.ctypes.data, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(r.y[0], np.cos(3 * r.t), atol=1e-6)


def test_several_threads_need_leave(functions):
    with pytest.raises(Exception, match="RESIDA_ERR_OPTION.*thread"):
        Mechanism(residual=functions.fall).solve((0, 1), [1, 0], threads=2)
    assert Mechanism(residual=functions.fall, thread_safe=True).solve((0, 1), [1, 0], threads=2).success


def test_names_that_do_not_fit_are_told():
    with pytest.raises(ValueError, match="p_names has 1 names; expected 2"):
        pendulum(p_names=["x"]).solve((0, 1), [1, 0])
    with pytest.raises(TypeError, match=r"solve\(\) has no option 'gama'; did you mean 'gamma'\?"):
        pendulum().solve((0, 1), [1, 0], gama=1)


def test_calls_of_python_are_taken_to_be_dear(functions):
    by_python = pendulum(cost={"constraint": 500}).solve((0, 1), [1, 0]).statistics["callback_costs"]
    assert by_python["residual"] == 30_000 and by_python["constraint"] == 500
    in_c = Mechanism(residual=functions.fall, constraint=functions.rod, n_g=1).solve((0, 1), [1, 0])
    assert in_c.statistics["callback_costs"]["residual"] < 30_000
    with pytest.raises(TypeError, match="cost: unknown callback 'residul'; did you mean 'residual'"):
        pendulum(cost={"residul": 1}).solve((0, 1), [1, 0])
