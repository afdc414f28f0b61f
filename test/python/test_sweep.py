"""Sweeps into a table, beside the command `resida sweep` and closed forms."""

import contextlib
import json
import os
import pty
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import numpy as np
import pytest

import resida
from resida import DAE, Mechanism, Model, solve_dae

SLOW = """
    import pathlib, sys, time, numpy as np, resida
    def decay(k):
        time.sleep(0.05)
        return resida.solve_dae(lambda t, y, yp: yp + k * y, (0, 1), [1.0], rtol=1e-8, atol=1e-8)
    found = resida.sweep(decay, {"vary": {"k": np.arange(40) / 10}}, out=sys.argv[1], processes=2)
    with open(sys.argv[1] + ".log", "a") as log:
        print(found.counts, file=log)
"""


def table(path, what="*", of="cases"):
    with sqlite3.connect(path) as db:
        return db.execute(f"SELECT {what} FROM {of} ORDER BY 1").fetchall()


def wait_for_rows(path, process):
    while process.poll() is None and not (path.exists() and path.stat().st_size
                                          and len(table(path, of="sqlite_master")) > 2 and len(table(path)) >= 5):
        time.sleep(0.02)


RANDOM = {"cases": 60, "outputs": ["p[0]"], "fixed": {"--t-end": 0.5}, "vary": {
    "omega": {"distribution": "normal", "mean": 2, "sd": 0.2}, "mass": {"distribution": "uniform", "min": 1, "max": 2},
    "curvature": {"distribution": "triangular", "min": 1, "mode": 1.3, "max": 2}, "--form": ["ggl", "index1", "index2"],
    "--rtol": {"distribution": "log-uniform", "min": 1e-7, "max": 1e-5},
    "--atol": {"distribution": "lognormal", "mu": -14, "sigma": 0.5},
    "--h-max": {"distribution": "exponential", "mean": 1}}}


def test_a_plugin_has_the_table_of_the_command_which_goes_on_with_it(bead, tmp_path):
    plan = {"model": bead, "fixed": {"--t-end": 2, "mass": 1.5}, "outputs": ["p[0]", "max.v[1]", "min.p[0]"],
            "vary": {"omega": {"from": 1, "to": 3, "points": 3}, "--rtol": [1e-4, 1e-6], "curvature": [1.0, 2.0]}}
    for name, more in ("plan.json", {}), ("all.json", {"outputs": None, "design": "list", "vary": {
            "omega": {"from": 1, "to": 100, "points": 3, "scale": "log"}, "--form": ["ggl", "index1", "index2"]}}), (
            "monte-carlo.json", {**RANDOM, "design": "monte-carlo", "seed": 2 ** 40 + 3}), (
            "latin.json", {**RANDOM, "design": "latin-hypercube", "seed": 7}):
        file, ours, theirs = tmp_path / name, tmp_path / f"ours {name}", tmp_path / f"theirs {name}"
        file.write_text(json.dumps({k: v for k, v in {**plan, **more}.items() if v is not None}), encoding="utf-8")
        found = resida.sweep(Model(bead), file, out=ours, processes=2)
        command = [os.environ["RESIDA_BIN"], "sweep", file]
        subprocess.run([*command, "--out", theirs], check=True, capture_output=True)
        assert found.counts == {"ok": found.rows[-1]["number"] + 1}
        for of in ("cases", "sweep"):
            assert table(ours, of=of) == table(theirs, of=of)
        with sqlite3.connect(ours) as db:
            db.execute("DELETE FROM cases WHERE number = 1")
        subprocess.run([*command, "--out", ours, "--report", tmp_path / "page.html"], check=True, capture_output=True)
        assert table(ours) == table(theirs) and "page.html" in os.listdir(tmp_path)


def test_columns_are_those_of_the_first_case_even_if_another_ends_first(tmp_path):
    def late(t, p, v, a, seconds):
        time.sleep(seconds)
        return [a[0], a[1] + 9.81]

    rod = Mechanism(residual=late, constraint=lambda t, p, seconds: [p[0]**2 + p[1]**2 - 1], args=(0.0,))
    plan = {"design": "list", "vary": {"args[0]": [0.02, 0.0], "--form": ["ggl", "index1"]}}
    found = resida.sweep(rod, plan, (0, 0.1), [1.0, 0.0], out=tmp_path / "t", processes=2)
    assert list(found.rows[0]) == list(found.rows[1]) and found.counts == {"ok": 2}
    missing = [name for name, value in found.rows[1].items() if name.startswith("end.") and value is None]
    assert missing and all(found.rows[0][name] is not None for name in missing)


def test_args_fields_and_options_of_a_system_vary(tmp_path):
    spring = Mechanism(residual=lambda t, p, v, a, k, m: m * a + k * p, args=(1.0, 2.0))
    found = resida.sweep(spring, {"vary": {"args[0]": [2.0, 8.0], "name": ["a", "b"]}, "fixed": {"--rtol": 1e-9},
                                  "outputs": ["p[0]"]}, (0, 1), [1.0], out=tmp_path / "t", processes=1, atol=1e-9)
    for row, (k, name) in zip(found.rows, ((2, "a"), (2, "b"), (8, "a"), (8, "b"))):
        assert (row["args[0]"], row["name"], row["status"], row["t"]) == (k, name, "ok", 1)
        assert abs(row["end.p[0]"] - np.cos(np.sqrt(k / 2))) < 1e-6
        alone = spring.replace(args=(k, 2.0)).solve((0, 1), [1.0], rtol=1e-9, atol=1e-9)
        np.testing.assert_array_equal(row["state"], alone.y[:, -1])
        assert row["steps"] == alone.statistics["steps"] and row["residual_calls"] == alone.nfev
    assert "'ok': 4" in repr(found)


def test_whatever_a_case_does_it_has_a_row(tmp_path):
    def case(how):
        def fun(t, y, yp):
            if how == "exit" and t > 0.5:
                os._exit(3)
            return yp - y ** 2 if how == "blows up" else yp + 1 / (t < 0.5 or how != "divides") * y

        if how == "refuses":
            raise ValueError("not this one")
        return solve_dae(fun, (0, 2), [1.0], time_limit_s=1e-9 if how == "late" else 60.0)

    hows = ["refuses", "fine", "divides", "blows up", "exit", "late"]
    found = resida.sweep(case, {"vary": {"how": hows}}, out=tmp_path / "t", processes=3)
    told = {row["how"]: (row["status"], row["code"]) for row in found.rows}
    assert told == {"refuses": ("refused", "ValueError"), "fine": ("ok", None), "exit": ("crashed", None),
                    "divides": ("failed", "ZeroDivisionError"), "late": ("time limit", "RESIDA_ERR_LIMIT_TIME"),
                    "blows up": ("failed", told["blows up"][1])}
    assert told["blows up"][1].startswith("RESIDA_ERR_") and found.counts["failed"] == 2
    rows = {row["how"]: row for row in found.rows}
    assert rows["refuses"]["message"] == "not this one" and rows["refuses"]["state"] is None
    assert 0.3 < rows["divides"]["t"] < 0.5 and rows["divides"]["steps"] > 0
    assert rows["exit"]["message"] == "its process exited with code 3"
    again = resida.sweep(case, {"vary": {"how": hows}}, out=tmp_path / "t")
    assert again == found and len(table(tmp_path / "t", of="clock")) == len(hows)


def test_an_exception_is_a_failure_and_a_wrong_value_is_refused(tmp_path):
    def case(how):
        if how == "word":
            return 5
        raise {"runtime": RuntimeError("boom"), "key": KeyError("zz"), "value": ValueError("too large")}[how]

    found = resida.sweep(case, {"vary": {"how": ["runtime", "key", "word", "value"]}}, out=tmp_path / "t")
    assert [(row["status"], row["code"]) for row in found.rows] == [
        ("failed", "RuntimeError"), ("failed", "KeyError"), ("failed", "TypeError"), ("refused", "ValueError")]
    assert [row["message"] for row in found.rows[:2]] == ["boom", "'zz'"]
    assert "the function returned 5; expected the Result of solve()" in found.rows[2]["message"]
    singular = Mechanism(residual=lambda t, p, v, a, k: k * a, args=1.0)
    found = resida.sweep(singular, {"vary": {"args[0]": [0.0, 1.0]}}, (0, 1), [1.0], out=tmp_path / "u")
    assert [row["status"] for row in found.rows] == ["failed", "ok"]


@pytest.mark.parametrize("outputs", [{}, {"outputs": ["p[0]"]}])
def test_a_sweep_without_any_run_counts_its_cases(outputs, tmp_path):
    spring = Mechanism(residual=lambda t, p, v, a, k: a + k * p, args=1.0)
    for _ in range(2):
        found = resida.sweep(spring, {"vary": {"--rtol": [-1, -2]}, **outputs}, (0, 0.1), [1.0], out=tmp_path / "t")
        assert found.counts == {"refused": 2} and [row["code"] for row in found.rows] == ["RESIDA_ERR_OPTION"] * 2


def test_a_name_that_is_no_parameter_is_refused_before_the_first_run(bead, tmp_path):
    spring = Mechanism(residual=lambda t, p, v, a, k: a + k * p, args=1.0)
    for what, vary, words in ((spring, "argss", "'argss' is neither .* did you mean 'args'"),
                              (resida.Model(bead), "mas", "'mas' is neither .* did you mean 'mass'")):
        with pytest.raises(ValueError, match=f"plan: {words}"):
            resida.sweep(what, {"vary": {vary: [1, 2]}}, (0, 0.1), [1.0], out=tmp_path / "t")
        assert not (tmp_path / "t").exists()


def test_a_sweep_is_a_table_of_pandas(tmp_path):
    pandas = pytest.importorskip("pandas")
    found = resida.sweep(lambda k: solve_dae(lambda t, y, yp: yp + k * y, (0, 1), [1.0]), {"vary": {"k": [1.0, 2.0]}},
                         out=tmp_path / "t")
    frame = found.to_dataframe()
    assert isinstance(frame, pandas.DataFrame) and frame.index.name == "number"
    np.testing.assert_allclose(frame["end.y[0]"], np.exp(-frame["k"]), atol=1e-4)


def test_a_sweep_that_is_killed_continues_with_the_missing_cases(tmp_path):
    script = [sys.executable, "-c", textwrap.dedent(SLOW)]
    killed = subprocess.Popen([*script, tmp_path / "t"])
    wait_for_rows(tmp_path / "t", killed)
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    before = table(tmp_path / "t", of="clock")
    assert 5 <= len(before) < 40
    for _ in range(100):  # until its processes have ended their cases
        again = subprocess.run([*script, tmp_path / "t"], capture_output=True, text=True)
        if "another sweep is writing" not in again.stderr:
            break
    assert again.returncode == 0, again.stderr
    assert set(before) <= set(table(tmp_path / "t", of="clock"))  # these did not run again
    for row in resida.Sweep(tmp_path / "t", {}).rows:
        assert abs(row["end.y[0]"] - np.exp(-row["k"])) < 1e-6
    subprocess.run([*script, tmp_path / "whole"], check=True)
    assert table(tmp_path / "t") == table(tmp_path / "whole") and len(table(tmp_path / "t")) == 40


def test_ctrl_c_keeps_the_rows(tmp_path):
    stopped = subprocess.Popen([sys.executable, "-c", textwrap.dedent(SLOW), tmp_path / "t"], stderr=subprocess.PIPE)
    wait_for_rows(tmp_path / "t", stopped)
    stopped.send_signal(signal.SIGINT)
    assert b"KeyboardInterrupt" in stopped.communicate()[1] and not (tmp_path / "t.log").exists()
    assert 5 <= len(table(tmp_path / "t")) < 40


def test_ranks_of_mpi_share_the_cases(tmp_path):
    pytest.importorskip("mpi4py")
    if not shutil.which("mpirun"):
        pytest.skip("mpirun is not installed")
    run = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "3", sys.executable, "-c", textwrap.dedent(SLOW)]
    subprocess.run([*run, tmp_path / "t"], check=True, capture_output=True, timeout=120)
    assert (tmp_path / "t.log").read_text() == 3 * "{'ok': 40}\n"
    assert {rank for rank, in table(tmp_path / "t", "rank", "clock")} == {1, 2}
    for row in resida.Sweep(tmp_path / "t", {}).rows:
        assert abs(row["end.y[0]"] - np.exp(-row["k"])) < 1e-6


@pytest.mark.parametrize("plan, words", [
    ({"vary": {"k": []}}, "k must be a list"), ({"vary": {}}, "must be a nonempty dict of axes by name"),
    ({"vari": {}}, "unknown member 'vari'; did you mean 'vary'"), ({"vary": {"k": [[1]]}}, "k must be a list"),
    ({"design": "monte-carlo", "vary": {"k": [1]}}, "cases must be a whole number >= 1 with design monte-carlo"),
    ({"design": "list", "seed": 1, "vary": {"k": [1]}}, "seed has no effect with design list"),
    ({"vary": {"k": {"distribution": "normal", "mean": 1, "sd": 1}}}, "k must be a list"),
    ({"design": "monte-carlo", "cases": 1, "seed": 0, "vary": {"k": {"distribution": "normal", "mean": 1, "sd": 0}}},
     "normal needs numbers with sd > 0"),
    ({"design": "monte-carlo", "cases": 1, "seed": 0, "vary": {"k": {"distribution": "nomal", "mean": 1, "sd": 1}}},
     "unknown distribution 'nomal'; did you mean 'normal'"),
    ({"design": "monte-carlo", "cases": 1, "seed": 0, "vary": {"k": {"distribution": "normal", "sd": 1}}},
     "normal has the numbers mean, sd; got distribution, sd"),
    ({"design": "list", "vary": {"k": [1], "m": [1, 2]}}, "must have equal lengths"),
    ({"vary": {"k": [1.0]}, "outputs": ["z"]}, "outputs: unknown name 'z'"),
    ({"vary": {"k": [1.0]}, "outputs": ["max.y"]}, r"outputs: 'y' has several components: use one of .* y\[0\]")])
def test_a_plan_that_is_none_is_named(plan, words, tmp_path):
    with pytest.raises(ValueError, match=words):
        resida.sweep(lambda k: solve_dae(lambda t, y, yp: yp + k * y, (0, 1), [1.0]), plan, out=tmp_path / "t")


def test_a_table_of_another_sweep_is_not_continued(tmp_path):
    def again(system=DAE(lambda t, y, yp, k: yp + k * y, args=1.0), values=(1.0,), **options):
        resida.sweep(system, {"vary": {"args[0]": values}}, (0, 1), [1.0], out=tmp_path / "t", **options)

    again()
    for change, words in (({"values": [2.0]}, "another plan"), ({"rtol": 1e-3}, "another options"),
                          ({"system": Mechanism(residual=lambda t, p, v, a, k: a, args=1.0)}, "another model")):
        with pytest.raises(ValueError, match=words):
            again(**change)
    Path(tmp_path / "t").write_text("not a database")
    with pytest.raises(ValueError, match="is not a database of a sweep"):
        again()
    with pytest.raises(TypeError, match="3 is neither a system nor a function"):
        resida.sweep(3, {"vary": {"k": [1]}}, out=tmp_path / "u")


def test_a_sweep_reports_its_progress(tmp_path):
    seen = []
    plan = {"vary": {"k": [1, 2, 3, 4]}}

    def decay(k):
        return solve_dae(lambda t, y, yp: yp + k * y, (0, 1), [1.0])

    resida.sweep(decay, plan, out=tmp_path / "t", processes=2, progress=lambda *of: seen.append(of))
    assert seen == [(1, 4), (2, 4), (3, 4), (4, 4)]
    with sqlite3.connect(tmp_path / "t") as db:
        db.execute("DELETE FROM cases WHERE number = 1")
    resida.sweep(decay, plan, out=tmp_path / "t", progress=lambda *of: seen.append(of))
    assert seen[4:] == [(4, 4)]
    with pytest.raises(TypeError, match="progress is not callable: 1"):
        resida.sweep(decay, plan, out=tmp_path / "u", progress=1)


@pytest.mark.parametrize("term", ["xterm", "dumb"])
def test_a_sweep_shows_its_progress_on_a_terminal(tmp_path, term):
    ours, theirs = pty.openpty()
    subprocess.run([sys.executable, "-c", textwrap.dedent(SLOW), tmp_path / "t"], stderr=theirs, check=True,
                   env={**os.environ, "TERM": term})
    os.close(theirs)
    said = b""
    with contextlib.suppress(OSError):  # the end of a terminal
        while more := os.read(ours, 4096):
            said += more
    os.close(ours)
    lines = said.decode().split("\r\033[K")
    if term == "dumb":
        assert not said
    else:
        assert re.fullmatch(r"sweep  case \d+ of 40  ..\d %  \d+:\d\d left", lines[1])
        assert lines[-1] == "" and len(lines) > 4
