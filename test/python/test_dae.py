"""solve_dae(): solutions, outputs, events, Jacobians."""

import numpy as np
import pytest
from scipy.sparse import csr_array

import resida
from resida import Event, Mechanism, solve_dae

# Robertson's problem at t = 40: Hairer, Wanner, Solving Ordinary Differential Equations II, and the example of IDA.
ROBERTSON_40 = [0.7158270688, 9.185534765e-6, 0.2841637457]


def robertson(t, y, yp):
    slow = 0.04 * y[0] - 1e4 * y[1] * y[2]
    return np.array([yp[0] + slow, yp[1] - slow + 3e7 * y[1] ** 2, y.sum() - 1])


def oscillator(t, y, yp):
    return np.array([yp[0] - y[1], yp[1] + y[0]])


def swing(t_end, **more):
    """cos t, -sin t"""
    return solve_dae(oscillator, (0, t_end), [1, 0], [0, -1], rtol=1e-9, atol=1e-9, **more)


def test_robertsons_problem_has_its_known_end():
    r = solve_dae(robertson, (0, 40), [1, 0, 0], rtol=1e-9, atol=[1e-12, 1e-14, 1e-12],
                  kinds=["differential", "differential", "algebraic"])
    assert r.success and r.status == 0
    np.testing.assert_allclose(r.y[:, -1], ROBERTSON_40, rtol=1e-7)


def test_derivatives_and_algebraic_components_of_the_start_are_found():
    r = solve_dae(robertson, (0, 1), [1, 0, 0.1], kinds=["differential", "differential", "algebraic"], yp=True)
    np.testing.assert_allclose(r.y[:, 0], [1, 0, 0], atol=1e-9)
    np.testing.assert_allclose(r.yp[:2, 0], [-0.04, 0.04], rtol=1e-6)


def test_without_t_eval_each_step_is_returned():
    r = swing(5, yp=True)
    assert r.t.size == r.statistics["steps"] + 1
    assert r.t[0] == 0 and r.t[-1] == 5
    assert r.y.shape == r.yp.shape == (2, r.t.size)
    np.testing.assert_allclose(r.y, [np.cos(r.t), -np.sin(r.t)], atol=1e-6)
    np.testing.assert_allclose(r.yp, [-np.sin(r.t), -np.cos(r.t)], atol=1e-6)


def test_t_eval_is_answered_exactly():
    t = np.linspace(0, 5, 37)
    r = swing(5, t_eval=t)
    np.testing.assert_array_equal(r.t, t)
    np.testing.assert_allclose(r.y[0], np.cos(t), atol=1e-6)
    assert swing(5, t_eval=[2.5]).y.shape == (2, 1)


def test_dense_output_is_the_solution_between_steps():
    t = np.linspace(0, 5, 101)
    r = swing(5, dense_output=True)
    asked = swing(5, t_eval=t, yp=True)
    np.testing.assert_allclose(r.sol(t), asked.y, rtol=0, atol=1e-13)
    np.testing.assert_allclose(r.sol.yp(t[1:]), asked.yp[:, 1:], rtol=0, atol=1e-10)
    assert r.sol(1.5).shape == (2,)
    np.testing.assert_array_equal(r.sol([1.5])[:, 0], r.sol(1.5))
    with pytest.raises(ValueError, match="0 to 5"):
        r.sol(5.1)


def test_no_callback_sees_a_time_beyond_the_end():
    seen = []

    def residual(t, y, yp):
        seen.append(t)
        return oscillator(t, y, yp)

    solve_dae(residual, (0, 5), [1, 0], [0, -1])
    assert max(seen) <= 5


def test_events_are_at_the_zeros():
    r = swing(10, events=[lambda t, y, yp: y[0], lambda t, y, yp: y[1] - 0.5])
    np.testing.assert_allclose(r.t_events[0], np.pi * np.array([0.5, 1.5, 2.5]), atol=1e-6)
    np.testing.assert_allclose(r.t_events[1], np.pi * np.array([7, 11, 19]) / 6, atol=1e-6)
    assert r.y_events[0].shape == (3, 2)
    np.testing.assert_allclose(r.y_events[0][:, 0], 0, atol=1e-8)


def test_dense_output_goes_on_behind_an_event_within_a_step():
    t = np.linspace(0, 10, 1001)
    r = swing(10, events=[lambda t, y, yp: y[0], lambda t, y, yp: y[0] - 1e-3], dense_output=True)
    assert r.t_events[0].size == r.t_events[1].size == 3
    np.testing.assert_allclose(r.sol(t)[0], np.cos(t), atol=1e-6)


def test_the_direction_of_an_event_is_kept():
    def falling(t, y, yp):
        return y[0]

    falling.direction = -1
    r = swing(10, events=[falling, Event(lambda t, y, yp: y[0], direction=1)])
    np.testing.assert_allclose(r.t_events[0], np.pi * np.array([0.5, 2.5]), atol=1e-6)
    np.testing.assert_allclose(r.t_events[1], [1.5 * np.pi], atol=1e-6)


def test_a_terminal_event_ends_the_run_there():
    def zero(t, y, yp):
        return y[0]

    zero.terminal = True
    r = swing(10, events=zero, dense_output=True)
    assert r.status == 1 and r.success and "event" in r.message
    assert r.t[-1] == r.t_events[0][0] == r.sol.t[-1]
    assert abs(r.t[-1] - np.pi / 2) < 1e-6
    third = swing(10, events=Event(zero, terminal=3))
    assert abs(third.t[-1] - 2.5 * np.pi) < 1e-6
    assert third.t_events[0].size == 3


def test_args_are_handed_to_all_callbacks():
    def residual(t, y, yp, w, scale):
        return scale * np.array([yp[0] - y[1], yp[1] + w * w * y[0]])

    def jac(t, alpha, y, yp, w, scale):
        return scale * np.array([[alpha, -1], [w * w, alpha]])

    r = solve_dae(residual, (0, 2), [1, 0], [0, -9], rtol=1e-9, atol=1e-9, jac=jac, args=(3, 2.0),
                  events=lambda t, y, yp, w, scale: y[0] - np.cos(w * 1.5))
    assert abs(r.t_events[0][-1] - 1.5) < 1e-6


def tridiagonal(n):
    """Heat along a rod, its Jacobian, and where that has entries."""
    A = np.diag(np.full(n, -2.0)) + np.diag(np.ones(n - 1), 1) + np.diag(np.ones(n - 1), -1)
    return (lambda t, y, yp: yp - A @ y), (lambda t, alpha, y, yp: alpha * np.eye(n) - A), A


def test_products_with_the_jacobian_take_the_place_of_differences():
    def times(t, y, yp, dy, dyp, w, scale):
        return [scale * (dyp[0] - dy[1]), scale * (dyp[1] + w * w * dy[0])]

    def oscillator(t, y, yp, w, scale):
        return [scale * (yp[0] - y[1]), scale * (yp[1] + w * w * y[0])]

    told, alone = (solve_dae(oscillator, (0, 2), [1, 0], [0, -9], rtol=1e-9, atol=1e-9, jac_times=how, args=(3, 2.0))
                   for how in (times, None))
    assert np.allclose(told.y[:, -1], [np.cos(6), -3 * np.sin(6)], atol=1e-6)
    assert told.statistics["residual_calls"]["jacobian"] == 0 < alone.statistics["residual_calls"]["jacobian"]
    assert told.statistics["callback_calls"]["jacobian_times"] > 0
    assert told.statistics["product_cost"] > 0
    with pytest.raises(ValueError, match="jac_times"):
        solve_dae(oscillator, (0, 2), [1, 0], [0, -9], jac_times=lambda *a: [0.0], args=(3, 2.0))
    with pytest.raises(ZeroDivisionError):
        solve_dae(oscillator, (0, 2), [1, 0], [0, -9], jac_times=lambda *a: 1 / 0, args=(3, 2.0))


def test_jacobians_in_all_forms_give_the_same_run():
    n = 6
    rod, jac, A = tridiagonal(n)
    rows, columns = np.nonzero(A)
    starts = np.searchsorted(rows, np.arange(n + 1))
    y0, t = np.sin(np.arange(n)), [1.0, 3.0]
    class Sparse:
        """As a matrix of scipy.sparse."""

        def __init__(self, matrix):
            self.matrix = matrix

        def toarray(self):
            return self.matrix

    def sparse(*point):
        return Sparse(jac(*point))

    mixed = np.random.default_rng(1).permutation(rows.size)
    rows_mixed, columns_mixed = rows[mixed], columns[mixed]
    back = np.concatenate([np.arange(end)[start:][::-1] for start, end in zip(starts, starts[1:])])
    stored = csr_array((np.zeros(rows.size), columns, starts), shape=(n, n))
    by = [dict(jac=jac), dict(jac=sparse), dict(jac=sparse, jac_sparsity=Sparse(A)),
          dict(jac=lambda *a: jac(*a)[rows_mixed, columns_mixed], jac_sparsity=(rows_mixed, columns_mixed)),
          dict(jac=lambda *a: jac(*a)[rows, columns][back], jac_sparsity=(starts, columns[back])),
          dict(jac=jac, jac_sparsity=stored), dict(jac=jac, jac_sparsity=stored.tocoo()),
          dict(jac=jac, jac_sparsity=A), dict(jac=jac, jac_sparsity=(starts, columns)),
          dict(jac=lambda *a: jac(*a)[rows, columns], jac_sparsity=A)]
    runs = [solve_dae(rod, (0, 3), y0, A @ y0, t_eval=t, **how) for how in by]
    for run in runs:
        np.testing.assert_allclose(run.y, runs[0].y, rtol=0, atol=1e-13)
        assert run.statistics["jacobian_evaluations"]["user"] == run.njev > 0
        assert run.statistics["residual_calls"]["jacobian"] == 0


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "dia", "lil", "dok"])
def test_the_pattern_of_a_sparse_jac_is_found(form):
    n = 30
    rod, jac, A = tridiagonal(n)
    y0 = np.sin(np.arange(n))
    sparse = dict(jac=lambda *point: csr_array(jac(*point)).asformat(form))
    told, found = (solve_dae(rod, (0, 1), y0, A @ y0, jac_sparsity=how, **sparse) for how in (A, None))
    assert np.array_equal(told.y, found.y)
    assert found.statistics["nnz"] == told.statistics["nnz"] == 3 * n - 2


def test_entries_that_are_zero_at_the_start_are_in_the_pattern_of_a_sparse_jac():
    def jac(t, alpha, y, yp):
        fast, to = 1e4 * y[2], 1e4 * y[1]
        return csr_array([[alpha + 0.04, -fast, -to], [-0.04, alpha + fast + 6e7 * y[1], to], [1, 1, 1]])

    r = solve_dae(robertson, (0, 40), [1, 0, 0], rtol=1e-9, atol=[1e-12, 1e-14, 1e-12], jac=jac,
                  kinds=["differential", "differential", "algebraic"])
    np.testing.assert_allclose(r.y[:, -1], ROBERTSON_40, rtol=1e-7)


def test_a_sparse_jac_that_does_not_fit_or_is_not_possible_at_the_start():
    with pytest.raises(ValueError, match=r"jac at the start .* has shape \(3, 3\); expected \(2, 2\)"):
        swing(1, jac=lambda *a: csr_array(np.eye(3)))

    def jac(t, alpha, y, yp):
        if not y[0] == 1:
            raise resida.NotPossible
        return csr_array([[alpha, -1], [1, alpha]])

    with pytest.raises(resida.Error, match="callback jac refused"):
        swing(1, jac=jac)


def test_a_pattern_of_a_nonholonomic_matrix_has_its_rows_in_both_forms():
    skate = dict(residual=lambda t, p, v, a: a, nonholonomic_matrix=lambda t, p: [np.sin(p[2]), -np.cos(p[2])])
    by_rows, by_entries = (Mechanism(**skate, Gh_pattern=pattern).solve((0, 1), [0, 0, 0], [1, 0, 1])
                           for pattern in (([0, 2], [0, 1]), ([0, 0], [0, 1])))
    np.testing.assert_array_equal(by_rows.y, by_entries.y)
    assert by_rows.lam.shape[0] == 1


def test_a_pattern_takes_fewer_calls_than_none():
    n = 30
    rod, _, A = tridiagonal(n)
    y0 = np.sin(np.arange(n))
    alone, told = (solve_dae(rod, (0, 1), y0, A @ y0, jac_sparsity=how) for how in (None, A))
    assert told.nfev <= alone.nfev - n // 2
    assert told.statistics["groups"] == 3


def test_counters_are_those_of_the_calls():
    calls = {"fun": 0, "event": 0}

    def residual(t, y, yp):
        calls["fun"] += 1
        return oscillator(t, y, yp)

    def event(t, y, yp):
        calls["event"] += 1
        return y[0]

    r = solve_dae(residual, (0, 5), [1, 0], [0, -1], events=event)
    assert r.nfev == calls["fun"] == r.statistics["callback_calls"]["residual"]
    assert r.statistics["root_calls"] == calls["event"]
    assert 0 < r.njev <= r.nlu < r.nfev


def test_a_start_that_does_not_fit_is_warned_of():
    with pytest.warns(resida.ModelWarning, match="not consistent") as said:
        r = solve_dae(oscillator, (0, 1), [1, 0], [0, 5])
    assert len(r.warnings) == 1 and said[0].filename == __file__


def test_steps_of_a_fixed_size_and_other_options_are_taken():
    r = swing(1, method="radau-iia-3", step=0.125)
    np.testing.assert_allclose(np.diff(r.t), 0.125, rtol=1e-12)
    assert swing(1, max_order=1).nfev > 5 * swing(1).nfev
    assert swing(1, jacobian="dense", differences="central").statistics["jacobian"] == "dense"


def test_tolerances_may_be_by_component():
    def two(t, y, yp):
        return yp + np.array([1, 50]) * (y - np.sin(7 * t))

    fine, first, second = (solve_dae(two, (0, 3), [0, 0], [0, 0], rtol=rtol, atol=1e-12).nfev
                           for rtol in (1e-9, [1e-9, 1e-2], [1e-2, 1e-9]))
    assert first < fine and second < fine and first != second


def test_lists_and_whole_numbers_are_vectors_too():
    r = solve_dae(lambda t, y, yp: [yp[0] - 1], [0, 2], [0], [1])
    assert abs(r.y[0, -1] - 2) < 1e-6


def fall(t, y, yp):
    return [yp[0] - y[1], yp[1] + 9.81]


def floor(t, y, yp):
    return y[0]


BOUNCE = Event(floor, direction=-1, change=lambda t, y, yp: ([0, -0.8 * y[1]], None))


def test_dense_output_of_a_sawtooth_is_that_of_its_teeth():
    """The first steps after an event are as short as the rounding of t."""
    def back(t, y, yp):
        return [0, 0], None

    drop = Event(lambda t, y, yp: y[0] - 1, direction=1, change=back)
    for t_0 in (0, 1e4):
        r = solve_dae(lambda t, y, yp: [yp[0] - 1, y[1] - y[0]], (t_0, t_0 + 60.5), [0, 0], dense_output=True,
                      kinds=["differential", "algebraic"], rtol=1e-8, atol=1e-8, events=drop)
        assert len(r.t_events[0]) == 60
        t = t_0 + np.linspace(0.25, 60.25, 61)
        assert np.allclose(r.sol(t)[0], 0.25, atol=1e-6)


def test_an_output_at_an_event_is_behind_it_as_in_the_dense_output():
    step = Event(lambda t, y, yp: t - 1, change=lambda t, y, yp: (y + 1, None))
    r = solve_dae(lambda t, y, yp: yp, (0, 2), [0.0], events=step, t_eval=[0, 1, 2], dense_output=True)
    np.testing.assert_allclose(r.y[0], [0, 1, 1], atol=1e-12)
    np.testing.assert_allclose([r.sol(1.0)[0], r.sol(1 - 1e-9)[0]], [1, 0], atol=1e-12)
    np.testing.assert_array_equal(r.y_events[0], [[0]])


def test_a_zero_at_the_start_that_is_no_event_is_warned_of(recwarn):
    with pytest.warns(resida.ModelWarning, match=r"events\[1\] is zero at the start and falls after it"):
        r = solve_dae(fall, (0, 1), [0, -5], events=[lambda t, y, yp: y[0] + 100, BOUNCE])
    assert r.y[0, -1] < -9 and not r.t_events[1].size
    with pytest.warns(resida.ModelWarning, match=r"events\[0\] is zero at the start and rises"):
        solve_dae(fall, (0, 1), [0, 5], events=Event(floor, terminal=True))
    recwarn.clear()
    r = solve_dae(fall, (0, 1.1), [0, 5], events=[BOUNCE, floor])
    assert r.t_events[0].size == 1 and not recwarn.list


@pytest.mark.parametrize("direction", [-1, 0])
@pytest.mark.parametrize("height", [0.0, 1.0])
def test_a_ball_bounces_until_it_has_come_to_rest(direction, height, recwarn):
    """The closed form of its impacts; where the function is 1, its values near the floor are rounded."""
    times, flight = [], np.sqrt(2 / 9.81)
    for k in range(8):
        times.append(flight if k == 0 else times[-1] + 2 * 0.8 ** k * flight)
    for kept in True, False:
        bounce = Event(lambda t, y, yp: y[0] - height, direction=direction,
                       change=lambda t, y, yp: ([y[0] if kept else height, -0.8 * y[1]], None))
        r = solve_dae(fall, (0, 3), [1 + height, 0], events=bounce, rtol=1e-8, atol=1e-8)
        np.testing.assert_allclose(r.t_events[0], times[:6], atol=1e-7)
        assert not recwarn.list
        with pytest.raises(resida.Error, match="from t = 4.*root function 0") as raised:
            solve_dae(fall, (0, 6), [1 + height, 0], events=bounce)
        assert raised.value.name == "RESIDA_ERR_CHATTERING"


def test_results_and_systems_are_compared_as_objects_and_shown_in_a_line():
    one, other = swing(1, dense_output=True), swing(1)
    pendulum = Mechanism(residual=lambda t, p, v, a: a + [0, 9.81], constraint=lambda t, p: [p @ p - 1])
    start = pendulum.solve((0, 1), [0, -1], sensitivities=resida.Sensitivity(None, dv0=[1.0, 0])).sensitivities[0]
    linear = [pendulum.linearize([0, -1]) for _ in range(2)]
    for a, b in (one, other), linear, (linear[0].modes(), linear[1].modes()):
        assert a == a and a != b
    assert repr(one.sol) == "<DenseOutput: 2 components from 0 to 1>"
    assert repr(start) == f"<MechanismDerivative by start: shape {start.y.shape}>"
    assert repr(BOUNCE) == "<falling Event floor, with change>"
    assert repr(Event(floor, terminal=True)) == "<Event floor, terminal>"
    assert repr(pendulum) == "<Mechanism: residual, constraint; 0 args>"
    assert repr(resida.DAE(fall, jac_sparsity=np.eye(2), args=3)) == "<DAE: fun, jac_sparsity; 1 args>"


def test_a_result_tells_what_it_is():
    assert "nfev = " in repr(swing(1)) and "0 to 1" in repr(swing(1))


def test_equations_in_an_array_of_integers_are_refused():
    def truncated(t, y, yp):
        r = np.zeros(1, dtype=int)
        r[0] = yp[0] + y[0]
        return r

    with pytest.raises(TypeError, match="fun returned an array of dtype int64, in which fractions are lost"):
        solve_dae(truncated, (0, 1), [1], [-1])
    whole = solve_dae(lambda t, y, yp: yp + y, (0, 1), np.array([1]), np.array([-1]),
                      jac=lambda t, alpha, y, yp: np.array([[1]]) * alpha + np.array([[1]]))
    np.testing.assert_allclose(whole.y[:, -1], np.exp(-1), rtol=1e-5)
    with pytest.raises(TypeError, match="acceleration returned an array of dtype int64, in which fractions are lost"):
        Mechanism(acceleration=lambda t, p, v, f: (-1.5 * p).astype(int)).solve((0, 1), [1.0])
    with pytest.raises(TypeError, match="constraint returned an array of dtype bool, in which fractions are lost"):
        Mechanism(residual=lambda t, p, v, a: a, constraint=lambda t, p: np.zeros(1, dtype=bool)).solve((0, 1), [0, 1])


def test_sensitivities_through_events_at_once_need_equal_times():
    """Two sawtooths y_i' = a that fall to 0 at 1: with equal starts both reach 1 at once."""
    def reset(i):
        return resida.Event(lambda t, y, yp, a: y[i] - 1, direction=1,
                            change=lambda t, y, yp, a: (np.where(np.arange(2) == i, 0.0, y), None))

    def solve(start, by):
        return resida.solve_dae(lambda t, y, yp, a: yp - a, (0, 1.5), start, args=(1.3,), events=[reset(0), reset(1)],
                                rtol=1e-8, atol=1e-8, sensitivities=[by]).sensitivities[0].y[:, -1]

    first = resida.Sensitivity(None, dy0=[1.0, 0.0])
    with pytest.raises(resida.Error, match="root functions cross zero at the same time"):
        solve([0.0, 0.0], first)
    assert solve([0.0, 1e-3], first) == pytest.approx([1, 0], abs=1e-5)
    assert solve([0.0, 0.0], resida.Sensitivity(None, dy0=[1.0, 1.0])) == pytest.approx([1, 1], abs=1e-5)
    assert solve([0.0, 0.0], resida.Sensitivity(0)) == pytest.approx([1.5, 1.5], abs=1e-5)


def test_sensitivities_of_gaps_that_share_an_impact_need_equal_times():
    """Two balls: gaps that close within rounding of a time share an impact, which is right for equal moves only."""
    def solve(second, by):
        balls = Mechanism(residual=lambda t, p, v, a: a + 9.81, gap=lambda t, p: p, restitution=0.8,
                          gap_matrix=lambda t, p: np.eye(2), gap_rate=lambda t, p: np.zeros(2))
        r = balls.solve((0, 1), [1.0, second], rtol=1e-9, atol=1e-9, sensitivities=[resida.Sensitivity(None, dp0=by)])
        return r.sensitivities[0].p[:, -1]

    for second in (1.0, 1 + 1e-9):
        with pytest.raises(resida.Error, match="root functions cross zero at the same time"):
            solve(second, [1.0, 0.0])
        assert solve(second, [1.0, 1.0]) == pytest.approx([1.386502] * 2, abs=1e-5)
    assert solve(1 + 1e-4, [1.0, 0.0]) == pytest.approx([1.386502, 0], abs=1e-5)
