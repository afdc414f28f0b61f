"""Model: plugins."""

import ctypes
import os
import shutil
from pathlib import Path

import numpy as np
import pytest

import resida
from resida import Event, Model

EVENTS, DAE, DAE_WRONG_START = 12, 20, 22


@pytest.fixture
def variants():
    return Path(os.environ["RESIDA_TEST_MODULES"]) / "plugin_variants.so"


def test_a_plugin_tells_what_it_is(bead):
    model = Model(bead, omega=2)
    assert model.name == "bead" and "bead" in model.text
    assert model.parameters["omega"].value == 2 and model.parameters["omega"].unit == "rad/s"
    assert model.parameters["mass"].value == 1 and model.parameters["mass"].min > 0
    assert not model.is_dae and model.t_span == (0, 10) and model.p_names is None
    np.testing.assert_array_equal(model.start[0], [1, 0.5])


def test_a_plugin_is_integrated_as_it_says(bead):
    r = Model(bead, omega=2).solve()
    assert isinstance(r, resida.MechanismResult) and r.t[-1] == 10
    np.testing.assert_allclose(r.p[1], r.p[0] ** 2 / 2, atol=1e-5)  # on the wire


def test_outputs_follow_from_a_state():
    teller = Path(os.environ["RESIDA_TEST_MODULES"]) / "plugin_teller.so"
    model = Model(teller)
    assert model.outputs == {"twice": "m", 'one\\, "always': "-"}
    r = model.solve((0, 0.5), t_eval=[0.25, 0.5], yp=True)
    for k, t in enumerate(r.t):
        told = model.output(t, r.y[:, k], r.yp[:, k])
        np.testing.assert_allclose([told["twice"], told['one\\, "always']], [2 * np.exp(-t), 1], atol=1e-6)
    with pytest.raises(TypeError, match="output.. takes t, y, yp; got 2 arguments"):
        model.output(0.5, [1])
    assert all(np.isnan(list(Model(teller, verdict=1).output(0.75, [1], [1]).values())))
    with pytest.raises(resida.Error, match="teller: output.. failed at t = 0.75"):
        Model(teller, verdict=-1).output(0.75, [1], [1])


def test_what_is_wrong_with_a_plugin_is_said(bead):
    with pytest.raises(resida.Error, match='bead has no parameter "omeg"; it has mass.*; did you mean .omega.'):
        Model(bead, omeg=2)
    with pytest.raises(resida.Error, match="RESIDA_ERR_PLUGIN.*not a plugin"):
        Model(__file__)
    with pytest.raises(resida.Error, match="RESIDA_ERR_PLUGIN"):
        Model("no/such/file.so")


def test_parameters_may_be_texts(modules):
    plugin = modules / "plugin_word.so"
    assert Model(plugin).parameters["way"].value == "down"
    model = Model(plugin, way="up", rate=3)
    assert model.parameters["way"].value == "up"
    r = model.solve(rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(r.y[0], np.exp(3 * r.t), rtol=1e-6)
    with pytest.raises(resida.Error, match="RESIDA_ERR_MODEL.*neither up nor down"):
        Model(plugin, way="across")
    with pytest.raises(resida.Error, match="RESIDA_ERR_ARGUMENT"):
        Model(plugin, way=3)


def test_a_file_of_another_tool_is_a_model_by_its_adapter(tmp_path, monkeypatch):
    """By the adapter of test/model/adapter_urdf.c: y' = -y, or a refusal where the file begins with r."""
    monkeypatch.setenv("RESIDA_ADAPTERS", os.environ["RESIDA_TEST_MODULES"])
    good, refused = tmp_path / "arm.urdf", tmp_path / "leg.urdf"
    good.write_text("a robot", encoding="ascii")
    refused.write_text("refused", encoding="ascii")
    r = Model(good).solve(atol=1e-6)
    np.testing.assert_allclose(r.y[0], np.exp(-r.t), atol=1e-5)
    with pytest.raises(resida.Error, match="leg.urdf.*is refused"):
        Model(refused)


def test_own_events_come_before_ones_own(variants):
    r = Model(variants, variant=EVENTS).solve(events=Event(lambda t, p, v, e: e.u[0] - 0.05, terminal=True))
    assert abs(r.t[-1] - np.arcsin(0.5) / 3) < 1e-6
    assert len(r.t_events) == 2 and r.t_events[1].size == 1
    alone = Model(variants, variant=EVENTS).solve()
    assert len(alone.t_events) == 1 and alone.t_events[0].size > 0
    np.testing.assert_allclose(alone.y_events[0][:, 0], 0, atol=1e-9)
    both = Model(variants, variant=EVENTS).solve(events=lambda t, p, v, e: p[0])
    np.testing.assert_array_equal(both.t_events[0], both.t_events[1])
    np.testing.assert_allclose(both.t_events[0], alone.t_events[0], atol=1e-3)


@pytest.fixture
def ball():
    """Falls from 1 m and rebounds with 0.8 of its speed (test/command/plugins/plugin_ball.c)."""
    return Path(os.environ["RESIDA_TEST_MODULES"]) / "plugin_ball.so"


def test_a_ball_rebounds(ball):
    r = Model(ball).solve(dense_output=True)
    first = np.sqrt(2 / 9.81)
    np.testing.assert_allclose(r.t_events[0], first * np.array([1, 2.6]), atol=1e-7)
    at = np.flatnonzero(np.diff(r.t) == 0)  # a jump is both before and behind
    np.testing.assert_allclose(r.t[at], r.t_events[0])
    np.testing.assert_allclose(r.y[1, at + 1], -0.8 * r.y[1, at], rtol=1e-12)
    t = np.linspace(0.5, 1, 11)
    speed = 0.8 * 9.81 * first
    height = speed * (t - first) - 9.81 * (t - first) ** 2 / 2
    np.testing.assert_allclose(Model(ball).solve(t_eval=t).y[0], height, atol=1e-6)
    np.testing.assert_allclose(r.sol(t)[0], height, atol=1e-6)


def test_a_model_is_not_asked_at_events_of_ones_own(ball):
    half = Event(lambda t, y, yp: y[0] - 0.5)
    r, alone = Model(ball).solve(events=half), Model(ball).solve()
    assert r.t_events[1].size >= 2 and [record.crossed for record in r.event_list][:2] == [(1,), (0,)]
    np.testing.assert_allclose(r.t_events[0], alone.t_events[0], atol=1e-8)
    np.testing.assert_allclose(r.y[:, -1], alone.y[:, -1], atol=1e-6)


def test_a_model_may_end_a_run(ball):
    r = Model(ball, end=2).solve()
    assert r.status == 1 and r.success and "the model ended" in r.message
    assert abs(r.t[-1] - 2.6 * np.sqrt(2 / 9.81)) < 1e-7


def test_kicks_come_at_their_times(modules):
    kicks = Model(modules / "plugin_kicks.so")
    r = kicks.solve()
    assert r.t[-1] == 3.5 and r.status == 0
    np.testing.assert_array_equal(r.t[np.flatnonzero(np.diff(r.t) == 0)], [1, 2, 3])
    assert abs(r.p[0, -1] - (2.5 + 1.5 + 0.5)) < 1e-7
    np.testing.assert_allclose(kicks.solve(t_eval=[1, 1.5, 2.5]).p[0], [0, 0.5, 2], atol=1e-7)


def test_a_model_may_ask_to_see_each_step(modules):
    r = Model(modules / "plugin_kicks.so", reach=2.0).solve(h_max=0.05)
    assert r.status == 1 and 2 < r.p[0, -1] < 2 + 0.05 * 2.01


def test_an_event_that_fails_is_an_error(modules):
    said = r"RESIDA_ERR_USER: event\(\) at t = 1 returned t_next = 1, which is not later"
    with pytest.raises(resida.Error, match=said) as caught:
        Model(modules / "plugin_kicks.so", late=0).solve()
    assert caught.value.result.t[-1] == 1


def test_contacts_of_a_model_rebound(bead):
    knocker = Model(Path(bead).with_name("plugin_knocker.so"))
    r = knocker.solve(dense_output=True)
    e, wall = (knocker.parameters[name].value for name in ("restitution", "wall"))
    met = [record for record in r.event_list if record.impulses is not None]
    assert len(met) >= 3 and all(record.is_changed for record in met)
    first_v = r.layout.v.start
    for record in met:
        assert abs(record.y[2] - wall) < 1e-9
        np.testing.assert_allclose(record.y[first_v + 2], -e * record.y_before[first_v + 2], rtol=1e-9)
        assert record.energy_change < 0 < record.impulses[0]
        before, after = np.flatnonzero(r.t == record.t)
        np.testing.assert_array_equal(r.y[:, after], record.y)
        np.testing.assert_array_equal(r.y[:, before], record.y_before)
        drop = r.outputs["energy"][after] - r.outputs["energy"][before]
        np.testing.assert_allclose(drop, record.energy_change, rtol=1e-6)
    np.testing.assert_array_equal(r.t_events[0], [record.t for record in met])
    assert r.p[2].max() < wall + 1e-9


def test_tolerances_of_a_model_are_by_component(modules):
    kicks = Model(modules / "plugin_kicks.so")
    assert kicks.solve(atol=1e-5).statistics == kicks.solve(atol=[1e-6, 1e-4]).statistics != kicks.solve().statistics
    assert kicks.solve(atol=1e-8).statistics == kicks.solve(atol=[1e-9, 1e-7]).statistics == kicks.solve().statistics


def test_a_stop_time_of_ones_own_ends_a_run(ball, bead):
    for model in Model(ball), Model(bead):
        r = model.solve(t_stop=0.75)
        assert r.t[-1] == 0.75 and r.status == 0 and "stop time" in r.message


def test_a_general_dae_is_integrated_too(variants):
    model = Model(variants, variant=DAE)
    assert model.is_dae
    r = model.solve(rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(r.y, [2 * np.exp(-r.t / 2), np.exp(-r.t / 2)], atol=1e-6)
    found = model.solve(start=([4, 0], None), t_span=(0, 1), rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(found.y[0], 4 * np.exp(-found.t / 2), atol=1e-6)
    with pytest.warns(resida.ModelWarning, match="not consistent"):
        Model(variants, variant=DAE_WRONG_START).solve()


def test_a_start_of_a_wrong_shape_is_named(bead):
    with pytest.raises(ValueError, match=r"p0 has shape \(3,\); expected shape \(2,\)"):
        Model(bead).solve(start=([1, 2, 3], [0, 0]))


def test_other_parameters_leave_a_model_in_its_class(bead):
    class Mine(Model):
        """One of a user."""

    assert type(Mine(bead).replace(omega=1)) is Mine


def test_a_trusted_solution_is_passed_on(modules, bead):
    assert abs(Model(modules / "plugin_word.so", rate=2).reference(0.5)[0] - np.exp(-1)) < 1e-15
    assert Model(bead).reference(0.5) is None


def test_a_model_that_is_gone_is_destroyed_and_its_plugin_closed(modules, tmp_path):
    def is_loaded(path):
        return str(path) in Path("/proc/self/maps").read_text(encoding="ascii")

    copies = [Path(shutil.copy(modules / "plugin_word.so", tmp_path / name)) for name in ("one.so", "two.so")]
    models = [Model(copy) for copy in copies]
    alive = ctypes.c_int.in_dll(ctypes.CDLL(copies[0]), "models_alive")
    assert alive.value == 1 and all(map(is_loaded, copies))
    models.clear()
    assert alive.value == 0
    assert not is_loaded(copies[1])
