"""What a result holds: values by name, tables, derivatives on request, and what a run that ended early has found."""

import os
import sys
from pathlib import Path

import numpy as np
import pytest

import resida
from resida import DAE, Event, Mechanism, Model, Sensitivity, solve_dae

N, M = 1000, 4001  # unknowns and times of a result whose memory is measured


def pendulum(**more):
    return Mechanism(**{**dict(residual=lambda t, p, v, a: a + [0, 9.81], constraint=lambda t, p: [p @ p - 1]), **more})


def swing(t, y, yp):
    return np.array([yp[0] - y[1], yp[1] + y[0]])


def test_components_outputs_and_integrals_are_found_by_name():
    r = pendulum(p_names=["x", "y"], outputs={"pull": lambda t, p, v, a, lam: lam[0], "y": lambda *_: 7.0}).solve(
        (0, 1), [1, 0], quadratures={"work": lambda t, p, v, a, lam: -9.81 * v[1]})
    for name, values in (("x", r.p[0]), ("y", r.p[1]), ("y'", r.v[1]), ("p[1]", r.p[1]), ("a[0]", r.a[0]), ("t", r.t),
                         ("lam", r.lam), ("pull", r.lam[0]), ("out.y", np.full(r.t.size, 7.0)),
                         ("work", r.quadratures["work"])):
        np.testing.assert_array_equal(r[name], values)
    assert r.keys() == ["t", *r.names, "pull", "out.y", "work"] and dict(r).keys() == set(r.keys())
    for name, words in (("pul", "unknown name 'pul'; did you mean 'pull'"), ("p[2]", r"unknown name 'p\[2\]'"),
                        (0, "unknown name '0'")):
        with pytest.raises(KeyError, match=words):
            r[name]
    with pytest.raises(KeyError) as caught:
        r["y''"]
    assert caught.value.args == ("""unknown name "y''"; did you mean "y'"?""",)
    of_dae = solve_dae(swing, (0, 1), [1, 0], [0, -1])
    np.testing.assert_array_equal(of_dae["y"], of_dae.y)
    np.testing.assert_array_equal(of_dae["y[1]"], of_dae.y[1])
    with pytest.raises(KeyError, match="unknown name 'p'"):
        of_dae["p"]


def test_names_of_the_option_columns_are_values():
    for form in "ggl", "index1":
        r = pendulum(p_names=["x", "y"], g_names=["rod"], outputs={"pull": lambda t, p, v, a, lam: lam[0]}).solve(
            (0, 1), [1, 0], form=form, quadratures={"work": lambda t, p, v, a, lam: -9.81 * v[1]})
        for name, values in (("p.x", r.p[0]), ("v.x", r.v[0]), ("a.y", r.a[1]), ("lam.rod", r.lam[0]),
                             ("out.pull", r.lam[0]), ("out.work", r.quadratures["work"])):
            np.testing.assert_array_equal(r[name], values)
        for name in "lam.x", "v.", "eta.rod", "y.x", "out.x":
            with pytest.raises(KeyError, match=f"unknown name '{name}'"):
                r[name]
    own = pendulum(p_names=["x", "y"], v_names=["speed", "y'"]).solve((0, 1), [1, 0])
    np.testing.assert_array_equal(own["v.speed"], own.v[0])
    np.testing.assert_array_equal(own["a.y"], own.a[1])
    of_dae = solve_dae(swing, (0, 1), [1, 0], [0, -1], names=["c", "s"], yp=True)
    np.testing.assert_array_equal(of_dae["yp.s"], of_dae.yp[1])
    np.testing.assert_array_equal(of_dae["y.c"], of_dae.y[0])


def test_a_result_is_a_table_of_pandas():
    pandas = pytest.importorskip("pandas")
    r = solve_dae(lambda t, y, yp, k: yp + k * y, (0, 1), [2.0], args=3.0, names=["c"],
                  sensitivities=[Sensitivity(0, name="k")])
    frame = r.to_dataframe()
    assert isinstance(frame, pandas.DataFrame) and frame.index.name == "t"
    assert list(frame.columns) == ["c", "d(c)/d(k)"] and frame.attrs["units"] == {}
    np.testing.assert_allclose(frame["c"], 2 * np.exp(-3 * frame.index), atol=1e-4)
    np.testing.assert_array_equal(frame["d(c)/d(k)"], r.sensitivities[0].y[0])
    teller = Model(Path(os.environ["RESIDA_TEST_MODULES"]) / "plugin_teller.so").solve((0, 0.5)).to_dataframe()
    assert teller.attrs["units"]["twice"] == "m" and "twice" in teller


def test_without_pandas_that_is_said(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match=r"to_dataframe\(\) requires pandas"):
        solve_dae(swing, (0, 1), [1, 0], [0, -1]).to_dataframe()


def test_yp_is_stored_on_request():
    without, having = (solve_dae(swing, (0, 5), [1, 0], [0, -1], yp=yp) for yp in (False, True))
    np.testing.assert_array_equal(without.y, having.y)
    np.testing.assert_allclose(having.yp, [-np.sin(having.t), -np.cos(having.t)], atol=1e-5)
    with pytest.raises(AttributeError, match=r"yp is not stored: use solve\(..., yp=True\) to store it"):
        without.yp


@pytest.mark.parametrize("form", ["ggl", "index3", "hiller-anantharaman", "index1", "augmented"])
def test_the_parts_of_a_mechanism_need_no_yp(form):
    without, having = (pendulum(args=(), outputs={}).solve((0, 1), [1, 0], form=form, yp=yp, sensitivities=[
        Sensitivity(None, dv0=[0, 1.0])]) for yp in (False, True))
    assert having.yp.shape == having.y.shape
    for one, other in (without, having), (without.sensitivities[0], having.sensitivities[0]):
        for part in ("p", "v", "a", "lam", "eta"):
            np.testing.assert_array_equal(getattr(one, part), getattr(other, part))


def test_a_result_takes_the_memory_of_its_y():
    def peak():
        return int(next(line for line in Path("/proc/self/status").read_text().splitlines()
                        if line.startswith("VmHWM")).split()[1]) * 1024

    Path("/proc/self/clear_refs").write_text("5")  # resets the peak
    before = peak()
    i = np.arange(N)
    r = solve_dae(lambda t, y, yp: yp + y, (0, 20), np.ones(N), -np.ones(N), t_eval=np.linspace(0, 20, M),
                  jac_sparsity=(i, i))
    assert r.y.nbytes == 8 * N * M and peak() - before < 1.5 * r.y.nbytes


def test_what_a_callback_raises_has_the_result_so_far():
    def breaks(t, y, yp):
        if t > 2:
            raise LookupError("my own")
        return swing(t, y, yp)

    with pytest.raises(LookupError, match="my own") as caught:
        solve_dae(breaks, (0, 5), [1, 0], [0, -1], dense_output=True)
    r = caught.value.result
    assert 1 < r.t[-1] <= 2 and r.status == -5 and not r.success and "LookupError('my own') ended" in r.message
    np.testing.assert_allclose(r.y[0], np.cos(r.t), atol=1e-4)
    np.testing.assert_allclose(r.sol(1.0), [np.cos(1), -np.sin(1)], atol=1e-4)
    assert any("`result` has the solution up to t = " in note for note in caught.value.__notes__)


def test_an_exception_of_a_change_leaves_the_result_up_to_the_event():
    with pytest.raises(ZeroDivisionError) as caught:
        Mechanism(residual=lambda t, p, v, a, g: a + g, args=9.81).solve(
            (0, 2), [1.0], events=Event(lambda t, p, v, g: p[0], change=lambda t, p, v, g: 1 / 0), rtol=1e-9, atol=1e-9)
    r = caught.value.result
    assert abs(r.t[-1] - np.sqrt(2 / 9.81)) < 1e-8 and abs(r.p[0, -1]) < 1e-8


def test_an_exception_of_an_output_leaves_whole_rows():
    with pytest.raises(ZeroDivisionError) as caught:
        pendulum(outputs={"wrong": lambda t, p, v, a, lam: 1 / (t < 0.5)}).solve((0, 1), [1, 0], t_eval=[0, 0.4, 0.6])
    r = caught.value.result
    assert list(r.t) == [0, 0.4] and r.y.shape == (6, 2) and list(r.outputs["wrong"]) == [1, 1]


@pytest.mark.parametrize("language", ["python", "c"])
def test_ctrl_c_leaves_the_result_so_far(language, functions, interrupt_after):
    fun = {"python": swing, "c": functions.oscillator}[language]
    solve_dae(fun, (0, 1), [1, 0], [0, -1])  # the next run begins sooner
    interrupt_after(0.3)
    with pytest.raises(KeyboardInterrupt) as caught:
        solve_dae(fun, (0, 1e9), [1, 0], [0, -1], rtol=1e-8, atol=1e-8, time_limit_s=30)
    r = caught.value.result
    assert r.t.size > 10 and r.y.shape == (2, r.t.size)
    np.testing.assert_allclose(r.y[0, :10], np.cos(r.t[:10]), atol=1e-6)


def test_an_exception_that_refuses_attributes_comes_out_as_itself():
    class Stubborn(Exception):
        def __setattr__(self, name, value):
            raise AttributeError(name)

    def breaks(t, y, yp):
        if t > 0.5:
            raise Stubborn
        return yp + y

    with pytest.raises(Stubborn):
        solve_dae(breaks, (0, 1), [1.0], [-1.0])


def test_what_is_printed_says_what_it_is(bead):
    ball = Mechanism(residual=lambda t, p, v, a: a + 9.81, gap=lambda t, p: p, restitution=0.8)
    r = ball.solve((0, 0.7), [1.0], dense_output=True, sensitivities=[Sensitivity(None, dp0=[1.0])])
    linear = pendulum().linearize([0, -1])
    dae = DAE(swing)
    printed = {repr(one): words for one, words in (
        (r, "MechanismResult: the end"), (r.event_list[0], "root at t = 0.451"), (r.sol, "components from 0 to 0.7"),
        (r.sensitivities[0], "by start"), (linear, "2 states"), (linear.modes(), "0.498488 Hz, re "),
        (pendulum().equilibrium([0, -1]), "Equilibrium"), (Model(bead), "Model bead: mechanism of "),
        (Model(bead, omega=2), "omega = 2"), (dae, "DAE: fun"), (Event(swing, True), "Event swing, terminal"),
        (ball.impact([0.0], [-1.0], [[1.0]], 0.5), "energy change -0.375 J"), (r.layout, "Layout(n="),
        (Model(bead).parameters["omega"], "Parameter(value="), (dae.stepper([1, 0]), "t = 0"),
        (Sensitivity("k"), "Sensitivity(by='k'"))}
    for text, words in printed.items():
        assert words in text and " object at 0x" not in text, text
