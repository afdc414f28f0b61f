"""Jacobian strategies side by side, and what is built into the command."""

import os

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import resida
from resida import DAE, Mechanism, Model


def pendulum():
    return Mechanism(residual=lambda t, p, v, a: a + [0, 9.81], constraint=lambda t, p: [p @ p - 1])


def test_rows_of_a_system_are_those_of_its_runs():
    rows = resida.compare(pendulum(), (0, 1), [1, 0], jacobians=("auto", "dense", "sparse+partitioned"), rtol=1e-7)
    assert [row["jacobian"] for row in rows] == ["auto", "dense", "sparse+partitioned"]
    for row in rows:
        alone = pendulum().solve((0, 1), [1, 0], jacobian=row["jacobian"], rtol=1e-7)
        assert row["status"] == "ok" and row["residual_calls"] == alone.statistics["residual_calls"]
        np.testing.assert_array_equal(row["result"].y, alone.y)
        assert row["wall_s"] > 0 and row["error"] == {"p": None}
    assert repr(rows) == str(rows)
    lines = str(rows).splitlines()
    assert len(lines) == 4 and lines[1].split()[:3] == ["auto", "ok", str(rows[0]["steps"])]
    assert rows[1]["jacobian_evaluations"]["dense"] > rows[0]["jacobian_evaluations"]["dense"]


def test_times_are_medians_of_runs_behind_one_that_is_not_timed():
    calls = []
    system = Mechanism(residual=lambda t, p, v, a: calls.append(t) or a + [0, 9.81],
                       constraint=lambda t, p: [p @ p - 1])
    [row] = resida.compare(system, (0, 1), [1, 0], jacobians="auto", repeat=4)
    assert len(calls) >= 5 * row["residual_calls"]["total"]
    cpu = row["cpu_s"]
    assert cpu["repeats"] == 4 and 0 < cpu["min"] <= cpu["median"] and cpu["iqr"] >= 0
    with pytest.raises(ValueError, match="repeat = 0; expected an integer > 0"):
        resida.compare(pendulum(), (0, 1), [1, 0], jacobians="auto", repeat=0)


def test_errors_and_calls_of_all_callbacks_are_in_the_table():
    end = pendulum().solve((0, 1), [1, 0], rtol=1e-10, atol=1e-10).p[:, -1]
    rows = resida.compare(pendulum(), (0, 1), [1, 0], jacobians=("auto", "dense"), reference=end, repeat=1)
    for row in rows:
        assert row["error"]["p"] == np.max(np.abs(row["result"].p[:, -1] - end)) and 0 < row["error"]["p"] < 1e-2
    head, first, _ = (line.split() for line in str(rows).splitlines())
    assert head[-1] == "constraint" and first[-1] == str(rows[0]["callback_calls"]["constraint"]) != "0"
    assert first[head.index("error") - 1] == f"{rows[0]['error']['p']:.1e}"  # "cpu ms" is two words
    with pytest.raises(ValueError, match="reference has shape"):
        resida.compare(pendulum(), (0, 1), [1, 0], jacobians="auto", reference=[1.0])
    with pytest.raises(TypeError, match="reference is not supported for a built-in model"):
        resida.compare("pendulum", reference=[1.0, 0.0])


def test_all_strategies_are_compared_without_a_choice(bead):
    rows = resida.compare(Model(bead), (0, 1))
    assert len(rows) == 8 and {row["status"] for row in rows} == {"ok"}
    frame = rows.to_dataframe()
    assert frame["jacobian"].tolist() == [row["jacobian"] for row in rows] and "result" not in frame
    assert frame["residual_calls.total"].tolist() == [row["residual_calls"]["total"] for row in rows]


def test_a_run_that_fails_is_a_row():
    rows = resida.compare(pendulum(), (0, 1), [1, 0], jacobians=["auto"], max_steps=7)
    assert rows[0]["status"] == "RESIDA_ERR_LIMIT_STEPS" and "budget of 7 steps" in rows[0]["message"]
    assert rows[0]["steps"] == 7
    with pytest.raises(resida.Error, match="RESIDA_ERR_OPTION.*'sideways'"):
        resida.compare(pendulum(), (0, 1), [1, 0], jacobians=["sideways"])
    with pytest.raises(TypeError, match="3 is neither a system nor the name of a built-in model"):
        resida.compare(3)
    assert resida.compare(pendulum(), (0, 1), [1, 0], jacobians="auto")[0]["status"] == "ok"
    with pytest.raises(TypeError, match="solve.. has no option 'params'"):
        resida.compare(pendulum(), (0, 1), [1, 0], params={"k": 1})


def test_built_in_models_are_told_by_the_command():
    names = [model["name"] for model in resida.models()]
    assert "pendulum" in names and "andrews" in names and len(names) > 20
    [one] = resida.models("pendulum")
    assert one["n_p"] == 2 and one["parameters"][0]["name"] == "m"


def test_built_in_models_are_compared_by_the_command():
    rows = resida.compare("pendulum", t_end=1, params={"L": 2.0}, jacobians=["auto", "dense"])
    assert list(dict.fromkeys(row["jacobian_asked"] for row in rows)) == ["auto", "dense"]
    assert rows[0]["params"]["L"] == 2
    assert all(row["t_end"] == 1 and row["status"] == "ok" for row in rows)
    assert "residual, dense" in str(rows)


@pytest.mark.parametrize("jacobians", ["nope", ["auto", "nope", "dense"]])
def test_a_strategy_that_is_none_is_named_with_those_that_are(jacobians):
    with pytest.raises(ValueError, match="jacobians: 'nope' is not one of dense, sparse, .*auto"):
        resida.compare("pendulum", t_end=0.01, repeat=1, jacobians=jacobians)


def test_the_command_does_all_that_it_prints_as_json():
    [row] = resida.command("solve", "pendulum", t_end=2.0, rtol=1e-8)
    assert abs(row["end"]["p"][0] - 1) < 1e-3  # its period is 2
    [row] = resida.command("linearize", "pendulum-spring", params={"k": 9})
    assert abs(row["modes"][0]["im"] - 3) < 1e-8


def test_what_the_command_refuses_is_said_in_its_words():
    with pytest.raises(ValueError, match="pendulun"):
        resida.command("solve", "pendulun")
    with pytest.raises(ValueError, match="no-such-option"):
        resida.command("solve", "pendulum", no_such_option=1)


def test_without_the_command_that_is_said(monkeypatch, tmp_path):
    monkeypatch.delenv("RESIDA_COMMAND")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(FileNotFoundError, match="the command resida, which contains the built-in models, was not"):
        resida.models()
    monkeypatch.setenv("RESIDA_COMMAND", str(tmp_path / "resida"))
    with pytest.raises(FileNotFoundError, match="set RESIDA_COMMAND"):
        resida.compare("pendulum")
    os.symlink(os.environ["RESIDA_BIN"], tmp_path / "resida")
    assert len(resida.models("pendulum")) == 1


def test_other_integrators_are_rows_of_a_built_in_model():
    rows = resida.compare("pendulum", t_end=0.1, peers=True, repeat=1)
    peers = [row for row in rows if row["solver"] != "resida"]
    assert peers and len(repr(rows).splitlines()) == len(rows) + 1
    assert all(row["solver"] in repr(rows) for row in peers)
    some = resida.compare("pendulum", t_end=0.1, peers=True, repeat=1, jacobians="dense")
    assert [row["jacobian_asked"] for row in some[:2]] == ["dense"] * 2 and len(some) == 2 + len(peers)


def test_solvers_of_scipy_are_rows_of_a_mechanism(bead):
    angle = solve_ivp(lambda t, y: [y[1], -9.81 * np.sin(y[0])], (0, 1), [np.pi / 2, 0], rtol=1e-12,
                      atol=1e-13).y[0, -1]
    rows = resida.compare(pendulum(), (0, 1), [1, 0], rtol=1e-8, atol=1e-8, jacobians="auto", peers=True, repeat=1,
                          reference=[np.sin(angle), -np.cos(angle)])
    assert [row.get("solver", "resida") for row in rows] == ["resida", "scipy Radau", "scipy BDF", "scipy LSODA"]
    for row in rows:
        assert row["status"] == "ok" and row["error"]["p"] < 1e-5 and row["cpu_s"]["median"] > 0
        assert row.get("solver", "scipy") in repr(rows)
    assert rows[1]["residual_calls"]["total"] % 4 == 0  # n_v + n_g + 1
    driven = Mechanism(residual=lambda t, p, v, a, e, m: [m * a[0] + a[1] - e.u[0], a[0] + 2 * a[1]], args=3.0,
                       excitation=lambda t, m: ([np.sin(t)], [np.cos(t)], [-np.sin(t)]))
    exact = np.array([2, -1]) / 5 * (1 - np.sin(1))  # of a = M^-1 (sin t, 0)
    for row in resida.compare(driven, (0, 1), [0, 0], rtol=1e-8, atol=1e-9, jacobians=(), peers=True, repeat=1,
                              reference=exact):
        assert row["error"]["p"] < 1e-6
    assert all(row["status"] == "ok" for row in resida.compare(Model(bead), (0, 0.1), peers=True, repeat=1))
    for system in (Mechanism(residual=lambda t, p, v, a: a + 9.81, gap=lambda t, p: p), DAE(lambda t, y, yp: yp + y)):
        with pytest.raises(ValueError, match="peers are not supported for (mechanisms with contacts|a general DAE)"):
            resida.compare(system, (0, 0.1), [1.0], jacobians=(), peers=True)


def test_the_command_takes_lists_and_dicts_as_values_of_options():
    [one] = resida.command("solve", "pendulum", t_end=1, sensitivity=["L", "m"])
    assert set(one["end"]["sensitivity"]) == {"L", "m"}
    found = [resida.command("equilibrium", "pendulum", start=start)[0]
             for start in (["x=0.1", "y=-0.9"], {"x": 0.1, "y": -0.9})]
    assert found[0] == found[1] and found[0]["status"] == "ok"


def test_a_word_that_prints_no_json_is_named():
    with pytest.raises(ValueError, match="`resida sweep` does not print JSON and is not supported by command\\(\\)"):
        resida.command("sweep", "study.json")
