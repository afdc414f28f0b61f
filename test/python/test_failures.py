"""What goes wrong is one clear exception."""

import math
import multiprocessing
import os
import pickle
import pydoc
import time
import traceback
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest
from scipy.sparse import csc_array, csr_array

import resida
from resida import DAE, Mechanism, Sensitivity, _mechanism, solve_dae


def free_mass(t, p, v, a):
    return a


def decay(t, y, yp):
    return yp + y


def run(fun=decay, t_end=1.0, **more):
    return solve_dae(fun, (0, t_end), [1.0], [-1.0], **more)


def test_an_exception_of_a_callback_comes_out_as_itself():
    def breaks(t, y, yp):
        if t > 0.5:
            raise KeyError("my own")
        return yp + y

    with pytest.raises(KeyError, match="my own") as caught:
        run(breaks)
    assert traceback.extract_tb(caught.value.__traceback__)[-1].name == "breaks"


def test_an_exception_of_an_event_and_of_a_constraint_comes_out_too():
    with pytest.raises(ZeroDivisionError):
        run(events=lambda t, y, yp: 1 / 0)
    with pytest.raises(IndexError):
        Mechanism(residual=lambda t, p, v, a: a, constraint=lambda t, p: [p[7]], n_g=1).solve((0, 1), [1, 0])


def test_an_error_reaches_another_process():
    with pytest.raises(resida.Error) as caught:
        solve_dae(lambda t, y, yp: yp - y ** 2, (0, 2), [1.0], [1.0])
    copy = pickle.loads(pickle.dumps(caught.value))
    assert str(copy) == str(caught.value) and copy.name == caught.value.name
    np.testing.assert_array_equal(copy.result.y, caught.value.result.y)


def test_a_model_reaches_other_processes_and_a_linear_model_does_as_its_matrices(bead):
    free = resida.Mechanism(residual=free_mass)
    assert repr(pickle.loads(pickle.dumps(free))) == repr(free) == "<Mechanism: residual; 0 args>"
    model = pickle.loads(pickle.dumps(resida.Model(bead, omega=3)))
    assert model.parameters["omega"].value == 3 and model.path == bead
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        found = list(pool.map(resida.Model.equilibrium, [model.replace(omega=omega) for omega in (1.0, 3.0)]))
    for each, omega in zip(found, (1.0, 3.0)):
        np.testing.assert_array_equal(each.p, model.replace(omega=omega).equilibrium().p)
    linear = model.linearize()
    copy = pickle.loads(pickle.dumps(linear))
    np.testing.assert_array_equal(copy.A, linear.A)
    assert copy.states == linear.states and copy.facts == linear.facts and linear.modes().eigenvalues.size
    with pytest.raises(ValueError, match=r"modes\(\) is not supported by a copy of a Linearization"):
        copy.modes()
    with pytest.raises(ValueError, match=r"response\(\) is not supported by a copy of a Linearization"):
        copy.response([1.0])


def test_a_step_that_is_not_possible_is_cut():
    def root(t, y, yp):
        if y[0] < 0:
            raise resida.NotPossible
        return yp + np.sqrt(y[0])

    r = solve_dae(root, (0, 1.99), [1.0], [-1.0], h_first=1.95)
    assert r.success and r.statistics["recoverable"] > 0
    np.testing.assert_allclose(r.y[0], (1 - r.t / 2) ** 2, atol=1e-4)


def test_nan_is_the_librarys_error_with_the_run_so_far():
    with pytest.raises(resida.Error, match="callback fun, component 0") as caught:
        run(lambda t, y, yp: yp + y if t < 0.5 else np.array([np.nan]))
    error = caught.value
    assert error.name == "RESIDA_ERR_NONFINITE" and error.status == -7
    assert 0 < error.result.t[-1] < 0.5 and not error.result.success and error.result.status == -7
    np.testing.assert_allclose(error.result.y[0], np.exp(-error.result.t), atol=1e-5)


@pytest.mark.parametrize("returned, kind, words", [
    (np.zeros(3), ValueError, r"fun returned an array of shape \(3,\); expected shape \(1,\)"),
    (np.zeros((1, 1)), ValueError, r"shape \(1, 1\); expected shape \(1,\)"),
    (None, TypeError, "fun returned None"),
    ("words", TypeError, "expected real numbers"),
    (np.array([1j]), TypeError, "complex128; expected real numbers"),
])
def test_what_a_callback_returned_wrongly_is_named(returned, kind, words):
    with pytest.raises(kind, match=words):
        run(lambda t, y, yp: returned)


def test_wrong_shapes_of_arguments_are_named():
    with pytest.raises(ValueError, match=r"yp0 has shape \(2,\); expected shape \(1,\)"):
        solve_dae(decay, (0, 1), [1.0], [1.0, 2.0])
    with pytest.raises(ValueError, match=r"y0 has shape \(1, 1\)"):
        solve_dae(decay, (0, 1), [[1.0]])
    with pytest.raises(ValueError, match=r"jac returned an array of shape \(2, 2\); expected shape \(1, 1\)"):
        run(jac=lambda *a: np.eye(2))
    with pytest.raises(ValueError, match=r"jac_sparsity has shape \(2, 2\); expected \(1, 1\)"):
        run(jac_sparsity=np.eye(2))
    with pytest.raises(ValueError, match="atol has shape"):
        run(atol=[1e-6, 1e-6])
    with pytest.raises(ValueError, match="kinds has 2 words; expected 1"):
        run(kinds=["differential"] * 2)
    with pytest.raises(ValueError, match="'rubber' is not one of differential, algebraic"):
        run(kinds=["rubber"])


@pytest.mark.parametrize("given, words", [
    (([0, 1, 2], [0]), r"\(row, col\) has 3 and 1 numbers: row must contain the start of each row \(3 numbers, "
     r"the last equal to the length of col\), or row and col must contain the row and the column of each entry"),
    (([0, 3, 2], [0, 1]), r": row = \[0, 3, 2\] must increase from 0"),
    (([0, 1, 2], [0, 2]), ": column 2 is outside 0 to 1"),
    (([0, 2], [0, 1]), ": row 2 is outside 0 to 1"),
    (([0, -1], [0, 1]), ": row -1 is outside 0 to 1"),
    (([0, 1, 0], [1, 1, 1]), " contains an entry twice"),
    (([0, 2, 3], [1, 1, 0]), " contains an entry twice"),
    (([0, 1], [0, 1], [1, 1]), "is a tuple, but not a pair \\(row, col\\) of integer arrays"),
    (([1.0, 2.0], ([0, 1], [0])), "is a tuple, but not a pair \\(row, col\\) of integer arrays"),
])
def test_a_pattern_that_is_none_is_named(given, words):
    with pytest.raises(ValueError, match="jac_sparsity.*" + words):
        solve_dae(decay, (0, 1), [1.0, 1.0], [-1.0, -1.0], jac_sparsity=given)


def test_times_that_do_not_fit_are_named():
    with pytest.raises(ValueError, match="t_eval must be increasing and within t_span"):
        run(t_eval=[0, np.nan, 1])
    with pytest.raises(ValueError, match="must be two finite increasing times"):
        run(t_end=-1.0)
    with pytest.raises(ValueError, match="t_eval must be increasing and within t_span"):
        run(t_eval=[0.5, 2.0])


@pytest.mark.parametrize("wrong, nearest", [
    ("max_setps", "max_steps"), ("rtoll", "rtol"), ("max_stepp", "max_steps"),
    ("jacobain", "jacobian"),
])
def test_an_option_that_is_none_is_named_with_the_nearest(wrong, nearest):
    with pytest.raises(TypeError, match=rf"solve_dae\(\) has no option '{wrong}'; did you mean '{nearest}'\?"):
        run(**{wrong: 1})


def test_options_out_of_their_range_are_named():
    with pytest.raises(resida.Error, match="RESIDA_ERR_OPTION: rtol = -1"):
        run(rtol=-1)
    with pytest.raises(resida.Error, match="RESIDA_ERR_OPTION: method = euler, must be one of bdf"):
        run(method="euler")
    with pytest.raises(TypeError, match="option 'method': 3 is not a str"):
        run(method=3)
    with pytest.raises(ValueError, match="option 'differences': 'sideways' is not one of forward, central"):
        run(differences="sideways")
    with pytest.raises(TypeError, match="option 'max_steps'"):
        run(max_steps="many")


def test_a_budget_that_is_spent_leaves_the_run_so_far():
    with pytest.raises(resida.Error, match="budget of 5 steps") as caught:
        run(max_steps=5)
    assert caught.value.result.t.size == 6


@pytest.mark.parametrize("more", [{}, {"dense_output": True}, {"checkpoint_steps": 3}])
def test_a_time_limit_is_that_of_the_run(tmp_path, more):
    if "checkpoint_steps" in more:
        more = {**more, "checkpoint": tmp_path / "checkpoint"}

    def slow(t, y, yp):
        time.sleep(0.002)
        return yp - np.cos(1000 * t)

    with pytest.raises(resida.Error, match="RESIDA_ERR_LIMIT_TIME: time limit of 0.5 s reached at t = ") as caught:
        run(slow, t_end=1.0, time_limit_s=0.5, **more)
    assert 1 < caught.value.result.t.size and caught.value.result.t[-1] < 1


@pytest.mark.parametrize("call, words", [
    (lambda: solve_dae(decay, (0, 1), None), "y0 is not an array of real numbers: None is not a number"),
    (lambda: solve_dae(decay, (0, None), [1.0]), "t_span is not an array of real numbers: None is not a number"),
    (lambda: solve_dae(decay, (0, 1), [1.0], checkpoint=3), "checkpoint = 3 is not the name of a file"),
    (lambda: solve_dae(decay, (0, 1), [1.0], checkpoint="."), "checkpoint = '.' is not the name of a file"),
    (lambda: solve_dae(decay, (0, 1), resume=3, y0=[1.0]), "resume = 3 is not the name of a file"),
    (lambda: DAE(decay).stepper([1.0]).interpolate(None), "t is not an array of real numbers: None is not a number"),
    (lambda: resida.Model(3), "path = 3 is not the name of a file"),
    (lambda: resida.Model(os.environ["RESIDA_PLUGIN"], mass=None), "parameter mass = None is neither a number, nor"),
])
def test_an_argument_of_a_wrong_type_is_named(call, words):
    with pytest.raises(TypeError, match=words):
        call()


def test_a_misspelt_attribute_of_a_system_is_refused():
    system = resida.DAE(decay)
    with pytest.raises(AttributeError, match="DAE: unknown field 'jac_time'; did you mean 'jac_times'?"):
        system.jac_time = decay
    system.jac_times = None
    assert not hasattr(system, "jac_time")


def test_an_unknown_name_of_a_result_is_answered_by_the_names():
    with pytest.raises(KeyError, match="unknown name 'q'; known: t, y.0."):
        run()["q"]


def test_what_is_no_function_is_named():
    with pytest.raises(TypeError, match=r"events\[0\] is neither callable nor the address of a C function: 3"):
        run(events=[3])
    with pytest.raises(TypeError, match="fun is neither callable nor the address of a C function: 'words'"):
        run("words")
    with pytest.raises(TypeError, match="fun is neither callable nor the address of a C function: True"):
        run(True)
    with pytest.raises(TypeError, match="fun is neither callable nor the address of a C function: 7"):
        run(7)
    with pytest.raises(TypeError, match="fun is neither callable nor the address"):
        run(0)


@pytest.mark.parametrize("language", ["python", "c"])
def test_ctrl_c_ends_a_run_at_once(language, functions, interrupt_after):
    def oscillator(t, y, yp):
        return np.array([yp[0] - y[1], yp[1] + y[0]])

    fun = {"python": oscillator, "c": functions.oscillator}[language]
    interrupt_after(0.2)
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        solve_dae(fun, (0, 1e9), [1, 0], [0, -1], t_eval=[1e9], time_limit_s=30)
    assert time.monotonic() - begin < 5


def test_runs_may_be_nested_and_run_in_threads():
    inner = []

    def residual(t, y, yp):
        if not inner:
            inner.append(run().y[0, -1])
        return yp + y

    assert run(residual).y[0, -1] == inner[0]
    with ThreadPoolExecutor(4) as pool:
        ends = [r.y[0, -1] for r in pool.map(lambda _: run(t_end=20.0), range(40))]
    assert set(ends) == {run(t_end=20.0).y[0, -1]}


def test_after_a_failure_all_goes_on():
    for _ in range(3):
        with pytest.raises(ZeroDivisionError):
            run(lambda t, y, yp: [1 / 0])
        assert run().success


def oscillator(t, y, yp):
    return [yp[0] - y[1], yp[1] + 4 * y[0]]


def without_alpha(t, alpha, y, yp):
    return [[0, -1], [4, 0]]


def without_a_derivative(t, y, yp):
    return [yp[0] - y[1], y[1] + 4 * y[0]]


@pytest.mark.parametrize("kinds", [[1.0, 0.0], [True, False], np.array([1.0, 0.0]), ["differential", 0.5]])
def test_ids_of_ida_are_not_kinds(kinds):
    with pytest.raises(TypeError, match="ids of IDA"):
        solve_dae(without_a_derivative, (0, 1), [1, -4], kinds=kinds)


def test_inverted_kinds_are_named_as_ids_of_ida():
    with pytest.raises(resida.Error, match="declared differential.*the opposite of the ids of IDA"):
        solve_dae(without_a_derivative, (0, 1), [1, 0.5], kinds=[1, 0])


@pytest.mark.filterwarnings("error")  # a wrong order is a warning
@pytest.mark.parametrize("sparse, order", [(csr_array, "C"), (csc_array, "F")])
def test_values_of_a_jac_are_in_the_order_of_its_sparsity(sparse, order):
    def jac(t, alpha, y, yp):
        return np.array([[alpha, 1.0], [-2.0, alpha + 3.0]]).ravel(order=order)

    solve_dae(lambda t, y, yp: [yp[0] + y[1], yp[1] - 2 * y[0] + 3 * y[1]], (0, 1), [1, 0.5], jac=jac,
              jac_sparsity=sparse(np.ones((2, 2))))


@pytest.mark.parametrize("kinds", [None, ["differential"] * 2])
def test_a_jac_without_alpha_does_not_move_the_start(kinds):
    with pytest.raises(resida.Error, match="because of a wrong jac: row"):
        solve_dae(oscillator, (0, 1), [1, 0.5], kinds=kinds, jac=without_alpha)


def test_a_wrong_jac_is_named_where_yp0_is_given_too():
    with pytest.warns(resida.ModelWarning, match="jac: row"), pytest.raises(resida.Error):
        solve_dae(oscillator, (0, 1), [1, 0.5], [0.5, -4], jac=without_alpha)
    with pytest.warns(resida.ModelWarning, match="jac: row"):
        solve_dae(decay, (0, 1), [1.0], [-1.0], jac=lambda t, alpha, y, yp: [[alpha + 0.5]])


def test_moves_of_a_mechanism_by_its_start_are_warnings():
    pendulum = Mechanism(residual=lambda t, p, v, a: a + [0, 9.81], constraint=lambda t, p: [p @ p - 1])
    with pytest.warns(resida.ModelWarning) as said:
        r = pendulum.solve((0, 0.1), [2, 0], [1, 0.5])
    assert [str(one.message) for one in said] == r.warnings == [
        "start: p[0] moves by -1 from 2 at t = 0, to satisfy the constraints",
        "start: v[0] moves by -1 from 1 at t = 0, to satisfy the constraints"]


def test_a_velocity_that_is_not_given_does_not_move(recwarn):
    pushed = Mechanism(residual=lambda t, p, v, a, e: a, constraint=lambda t, p, e: [p[0] - e.u[0]],
                       excitation=lambda t: ([t], [1.0], [0.0]))
    for start in [([0.0],), ([0.0], None)]:
        r = pushed.solve((0, 1), *start)
        assert r.warnings == [] and abs(r.v[0, 0] - 1) < 1e-9 and pushed.check(*start) == []
    assert not [one for one in recwarn if one.category is resida.ModelWarning]
    with pytest.warns(resida.ModelWarning, match=r"start: v\[0\] moves by 1 from 0 at t = 0"):
        pushed.solve((0, 1), [0.0], [0.0])


def test_rest_is_a_warning_only_if_something_may_depend_on_t(recwarn):
    hanging = Mechanism(residual=lambda t, p, v, a: a + [0, 9.81], constraint=lambda t, p: [p @ p - 1])
    start = hanging.equilibrium([0.1, -0.9]).start
    assert hanging.solve((0, 1), *start).warnings == []
    assert solve_dae(lambda t, y, yp: yp + y, (0, 1), [0.0]).warnings == []
    assert not [one for one in recwarn if one.category is resida.ModelWarning]
    inner = hanging.replace(residual=lambda t, p, v, a: (lambda: a + [0, 9.81] - 0 * t)())
    for other in (inner, hanging.replace(constraint=lambda t, p: [p @ p - 1 + 0 * t]),
                  hanging.replace(residual=lambda *all: all[3] + [0, 9.81])):
        with pytest.warns(resida.ModelWarning, match="nothing moved in"):
            other.solve((0, 1), *start)
    excited = hanging.replace(residual=lambda t, p, v, a, e: a + [0, 9.81], constraint=lambda t, p, e: [p @ p - 1],
                              excitation=lambda t: ([0 * t], [0.0], [0.0]))
    with pytest.warns(resida.ModelWarning, match="nothing moved in"):
        excited.solve((0, 1), *start)


def test_an_equilibrium_as_a_start_says_how_to_pass_it(bead):
    hanging = Mechanism(residual=lambda t, p, v, a: a + [0, 9.81], constraint=lambda t, p: [p @ p - 1])
    decays = resida.DAE(lambda t, y, yp: yp + y)
    for system, rest in (hanging, hanging.equilibrium([0.1, -0.9])), (decays, decays.equilibrium([0.0])):
        for call in (lambda: system.linearize(rest), lambda: system.solve((0, 1), rest),
                     lambda: system.solve((0, 1), rest.start), lambda: system.check(rest.start)):
            with pytest.raises((TypeError, ValueError), match=r"pass \*equilibrium.start"):
                call()
        assert system.solve((0, 0.1), *rest.start).success
    model = resida.Model(bead)
    assert model.solve((0, 0.1), model.equilibrium().start).success
    with pytest.raises(TypeError, match=r"to solve\(\) of a Model: equilibrium.start"):
        model.solve((0, 1), model.equilibrium())


def test_a_consistent_start_is_no_warning(recwarn):
    pendulum = Mechanism(residual=lambda t, p, v, a: a + [0, 9.81], constraint=lambda t, p: [p @ p - 1])
    pendulum.solve((0, 0.1), [0.6, -0.8])
    solve_dae(decay, (0, 1), [1.0], jac=lambda t, alpha, y, yp: [[alpha + 1]])
    assert not [one for one in recwarn if one.category is resida.ModelWarning]


def test_a_callback_that_does_not_fit_the_start_has_its_sizes():
    pendulum = Mechanism(residual=lambda t, p, v, a: a + [0, 9.81], constraint=lambda t, p: [p @ p - 1])
    with pytest.raises(ValueError, match="broadcast") as caught:
        pendulum.solve((0, 1), [1, 0, 0])
    assert caught.value.__notes__[-1] == "resida: the exception was raised at the start; its arrays have 3 components"


@pytest.mark.parametrize("name, fields", [
    ("residual", {"residual": lambda t, p, v, a: 1 / 0}), ("constraint", {"constraint": lambda t: []}),
    ("constraint_matrix", {"constraint_matrix": lambda t, p: 1 / 0}),
    ("outputs['E']", {"outputs": {"E": lambda t, p, v, a, lam: "x"}})])
def test_an_exception_of_a_callback_has_its_name(name, fields):
    usual = {"residual": lambda t, p, v, a: a + [0, 9.81], "constraint": lambda t, p: [p @ p - 1]}
    pendulum = Mechanism(**{**usual, **fields})
    with pytest.raises((ZeroDivisionError, TypeError)) as caught:
        pendulum.solve((0, 0.1), [0.6, -0.8])
    assert any(note.endswith(name) for note in caught.value.__notes__)
    assert not any("has the solution" in note for note in caught.value.__notes__)


@pytest.mark.parametrize("p0", [["1", "0"], [1j, 0]])
def test_a_start_is_an_array_of_real_numbers(p0):
    pendulum = Mechanism(residual=lambda t, p, v, a: a + [0, 9.81], constraint=lambda t, p: [p @ p - 1])
    with pytest.raises((TypeError, ValueError), match="p0 is not an array of real numbers"):
        pendulum.solve((0, 0.1), p0)


def test_an_increment_that_rounding_removes_is_refused():
    growth = DAE(lambda t, y, yp, rate: yp - rate * y, args=(1.0,))
    with pytest.raises(ValueError, match=r"delta = 1e-17 does not change args\[0\] = 1: increase delta"):
        growth.solve((0, 1), [1.0], sensitivities=Sensitivity(0, delta=1e-17))
    r = growth.solve((0, 1), [1.0], sensitivities=Sensitivity(0, delta=3e-9), rtol=1e-9, atol=1e-9)
    (by_rate,) = r.sensitivities
    assert by_rate.y[-1, -1] == pytest.approx(np.e, rel=1e-6)


def test_a_field_that_is_none_has_the_nearest_one():
    with pytest.raises(TypeError, match="Mechanism: unknown field 'constraints'; did you mean 'constraint'?"):
        Mechanism(residual=lambda t, p, v, a: a, constraints=lambda t, p: p)
    with pytest.raises(TypeError, match="DAE: unknown field 'jac_time'; did you mean 'jac_times'?"):
        resida.DAE(decay, jac_time=decay)


def test_a_time_outside_the_last_step_has_its_bounds():
    with resida.DAE(decay).stepper([1.0], h_max=0.25) as stepper:
        stepper.advance(1.0)
        with pytest.raises(resida.Error, match="not within the last step, from") as caught:
            stepper.interpolate(5.0)
        low, high = (float(word) for word in str(caught.value).split(" from ")[1].split(" to "))
        assert low < 1 <= high <= low + 0.25 * (1 + 1e-6)
        stepper.interpolate(low + 1e-6), stepper.interpolate(high - 1e-6)


def test_what_is_no_function_by_name_or_no_sensitivity_is_named():
    for name in "outputs", "quadratures":
        with pytest.raises(TypeError, match=rf"{name} = \[3\] is not a dict of functions by name"):
            run(**{name: [3]})
        with pytest.raises(ValueError, match=rf"{name}\['two'\] returned an array of shape \(2,\); expected a number"):
            run(**{name: {"two": lambda t, y, yp: [1, 2]}})
    with pytest.raises(TypeError, match="sensitivities: 1.5 is neither the index of an argument"):
        run(sensitivities=1.5)


@pytest.mark.parametrize("given, words", [
    (dict(direction="up"), "direction = 'up' of an event is not 1 .rising., -1 .falling. or 0 .both."),
    (dict(direction=np.nan), "direction = nan of an event is not 1"),
    (dict(direction=5), "direction = 5 of an event is not 1"),
    (dict(terminal=-1), "terminal = -1 of an event is neither"),
    (dict(terminal=1.5), "terminal = 1.5 of an event is neither"),
])
def test_an_event_with_wrong_attributes_is_refused(given, words):
    with pytest.raises(TypeError, match=words):
        resida.Event(decay, **given)


@pytest.mark.parametrize("after", [None, [0.0, 1.0], np.zeros(2), ([0, 1], [1, 2, 3])])
def test_a_change_that_returns_something_else_is_told_what_is_needed(after):
    fall = resida.Event(lambda t, y, yp: y[0], change=lambda t, y, yp: after)
    with pytest.raises(TypeError, match=r"change of an event returned .*expected a pair of arrays, y \[2\], yp \[2\]"):
        solve_dae(oscillator, (0, 3), [1, 0], events=fall)


def test_a_refusal_at_the_start_is_named():
    def refuses(t, y, yp):
        raise resida.NotPossible("below the floor")

    with pytest.raises(resida.Error, match=r"fun raised NotPossible\('below the floor'\) in the consistent"):
        solve_dae(refuses, (0, 1), [1.0])


def test_velocities_of_a_wrong_number_are_named():
    ball = Mechanism(residual=lambda t, p, v, a: a)
    with pytest.raises(ValueError, match=r"v0 has shape \(1,\); expected shape \(2,\)"):
        ball.solve((0, 1), [1, 0], [1])
    with_state = Mechanism(residual=lambda t, p, v, a: a + [0, v[1]], n_z=1)
    np.testing.assert_array_equal(with_state.solve((0, 1), [1.0]).v[:, -1], [0, 0])


def test_what_scipy_refuses_is_refused():
    with pytest.raises(ValueError, match="first_step = 0 must be > 0"):
        run(first_step=0)
    with pytest.raises(ValueError, match="max_step = -1 must be > 0"):
        run(max_step=-1)
    with pytest.raises(ValueError, match=r"names = \['a', 'a'\] contains a name twice"):
        solve_dae(oscillator, (0, 1), [1, 0], names=["a", "a"])
    solution = run(dense_output=True).sol
    for t in None, np.nan, [0.5, np.nan]:
        with pytest.raises(ValueError, match="t must be in the integrated interval, 0 to 1"):
            solution(t)


@pytest.mark.parametrize("start", [([1, 0.5],), ([1, 0.5], [0.5, -4])])
def test_a_check_lists_a_wrong_jac_with_and_without_yp0(start):
    found = resida.DAE(oscillator, jac=without_alpha).check(*start)
    assert len(found) == 1 and "jac: row" in found[0]


def test_a_pattern_that_lacks_entries_is_named_by_check_and_solve():
    with pytest.warns(resida.ModelWarning, match=r"jac_sparsity: row 0 \(y\[0\]\) is .*: the pattern lacks entries"):
        solve_dae(oscillator, (0, 1), [1, 0], jac_sparsity=np.eye(2))
    for start in ([1, 0],), ([1, 0], [0, -4]):
        [line] = resida.DAE(oscillator, jac_sparsity=np.eye(2)).check(*start)
        assert "the pattern lacks entries" in line
    assert not resida.DAE(oscillator, jac_sparsity=np.ones((2, 2))).check([1, 0])


def test_looking_at_a_pattern_stays_where_the_residual_is_possible():
    def fills(t, y, yp):
        return [yp[0] - math.sqrt(y[0]), yp[1] + y[0]]

    r = solve_dae(fills, (0, 1), [4e-6, 0], jac_sparsity=[[1, 0], [1, 1]])
    assert abs(r.y[0, -1] - (2e-3 + 0.5) ** 2) < 1e-4


def test_a_late_entry_of_a_sparse_jac_is_refused_by_its_place():
    calls = []

    def jac(t, alpha, y, yp):
        calls.append(t)
        return csr_array([[alpha, -1], [4, alpha]] if len(calls) > 2 else [[alpha, 0], [4, alpha]])

    with pytest.raises(ValueError, match=r"in row 0, column 1, which is not in jac at the start \(use jac_sparsity"):
        solve_dae(oscillator, (0, 1), [1, 0], [0, -4], jac=jac)
    with pytest.raises(ValueError, match="an entry in row 0, column 1, which is not in jac_sparsity"):
        solve_dae(oscillator, (0, 1), [1, 0], [0, -4], jac=jac, jac_sparsity=[[1, 0], [1, 1]])


def test_the_examination_at_the_end_calls_no_callback_at_another_time_and_forgives_what_it_raises():
    times = []

    def residual(t, p, v, a):
        times.append(t)
        if len(times) > at_the_end:
            raise LookupError("near the state")
        return a + 9.81 * p

    at_the_end = math.inf
    system = Mechanism(residual=residual, mass_matrix=lambda t, p: [[1.0]])
    with system.stepper([1.0], t_stop=1.0) as stepper:
        stepper.advance(1.0)
        at_the_end = len(times)
        assert stepper.examine()[0] == [] and set(times[at_the_end:]) == {1.0}
        assert stepper.t == 1.0
    at_the_end = math.inf
    times.clear()
    r = system.solve((0, 1), [1.0])
    assert r.nfev < len(times) and max(times) == 1.0


def test_words_of_options_may_be_written_as_in_c_and_as_in_the_command():
    ends = {run(method="bdf3", step=0.1, start_up=word).y[0, -1] for word in ("lower-orders", "lower_orders")}
    assert len(ends) == 1 and ends != {run(method="bdf3", step=0.1).y[0, -1]}
    pendulum = Mechanism(residual=lambda t, p, v, a: a + [0, 9.81], constraint=lambda t, p: [p @ p - 1])
    for words in (("hiller-anantharaman", "radau-iia-2"), ("hiller_anantharaman", "radau_iia_2")):
        r = pendulum.solve((0, 0.1), [1, 0], form=words[0], method=words[1], step=0.01)
        assert r.success and r.layout.rates
    with pytest.raises(ValueError, match="'lower-order' is not one of auto, lower_orders, radau"):
        run(method="bdf3", step=0.1, start_up="lower-order")


def test_help_has_the_shapes_of_what_callbacks_return():
    for line in ("residual(t, p, v, a) returns M a - Psi [n_v]", "constraint_matrix(t, p) returns dg/dp [n_g, n_p]",
                 "mass_matrix(t, p) returns M [n_v, n_v]"):
        assert line in pydoc.render_doc(Mechanism, renderer=pydoc.plaintext)
    documented = Mechanism.__doc__.split("Attributes:")[1]
    for name in _mechanism._CALLBACKS:
        assert f"        {name}(t, " in documented


def test_words_of_c_are_not_in_messages():
    with pytest.raises(resida.Error) as caught:
        solve_dae(lambda t, y, yp: yp + y if t < 0.5 else y * math.nan, (0, 1), [1.0])
    assert "callback fun, component 0 (y[0]) is NaN" in str(caught.value)
    with pytest.raises(resida.Error) as caught:
        solve_dae(decay, (0, 1), [1.0], jac=lambda t, alpha, y, yp: [[alpha + 1]] if t < 0.5 else [[math.nan]])
    assert "callback jac" in str(caught.value) and "jacobian" not in str(caught.value)
    with pytest.raises(resida.Error, match="F depends on flow; give a better y0, or a jac, "):
        resida.DAE(lambda t, y, yp: [yp[0], y[1] ** 3 - 1e18], kinds=["differential", "algebraic"],
                   names=["heat", "flow"]).solve((0, 1), [0, 1])
    with pytest.raises(resida.Error, match="give kinds; if F jumps, give an event"):
        solve_dae(lambda t, y, yp: [yp[0] - y[1], yp[1] - y[2], yp[2] - y[3], y[0] - math.sin(t)], (0, 1),
                  [0, 1, 0, -1], [1, 0, -1, 0])  # index 4


def test_an_excitation_of_other_than_three_arrays_is_named():
    for values in ([0.0], ([0.0], [0.0]), 0.0):
        moved = Mechanism(residual=lambda t, p, v, a, e: a, excitation=lambda t, values=values: values)
        with pytest.raises(ValueError, match="excitation returned .*; expected three arrays: u, du/dt, d2u/dt2"):
            moved.solve((0, 1), [1.0])


def test_sensitivities_without_args_say_what_args_are():
    with pytest.raises(ValueError, match=r"'k' is not the index of an argument: args is empty; .* args=\(k,\)"):
        solve_dae(decay, (0, 1), [1.0], sensitivities=["k"])
    with pytest.raises(ValueError, match="2 is not the index of an argument: valid indices are 0 to 1"):
        solve_dae(lambda t, y, yp, *args: yp + y, (0, 1), [1.0], args=(1.0, 2.0), sensitivities=2)


def test_a_start_with_nan_has_the_name_of_the_component():
    with pytest.raises(resida.Error, match=r"start: p0\[1\], crank = nan, must be finite"):
        Mechanism(residual=lambda t, p, v, a: a, p_names=["x", "crank"]).solve((0, 1), [1.0, math.nan])
    with pytest.raises(resida.Error, match=r"y0\[0\], heat = inf, must be finite"):
        resida.DAE(decay, names=["heat"]).solve((0, 1), [math.inf])
