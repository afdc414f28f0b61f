"""Model: FMUs. x'' = force - x from x = 1 at rest; the FMU `levels` counts whole seconds, through = 2 force + gear."""

import os
import pickle
import zipfile
from math import cos, sin
from pathlib import Path

import numpy as np
import pytest

import resida
from resida import Model

MODULES = Path(os.environ["RESIDA_BUILD"]) / "test" / "fmu"
OSCILLATOR = """<fmiModelDescription fmiVersion='2.0' modelName='an oscillator' guid='{oscillator}'>
<ModelExchange modelIdentifier='oscillator' completedIntegratorStepNotNeeded='true'/>
<CoSimulation modelIdentifier='oscillator'/><DefaultExperiment stopTime='2' tolerance='1e-8'/>
<ModelVariables>
<ScalarVariable name='x' valueReference='1' initial='exact'><Real start='1'/></ScalarVariable>
<ScalarVariable name='v' valueReference='2' initial='exact'><Real start='0'/></ScalarVariable>
<ScalarVariable name='der(x)' valueReference='3'><Real derivative='1'/></ScalarVariable>
<ScalarVariable name='der(v)' valueReference='4'><Real derivative='2'/></ScalarVariable>
<ScalarVariable name='omega' valueReference='5' causality='parameter'><Real start='1'/></ScalarVariable>
<ScalarVariable name='force' valueReference='6' causality='input'><Real start='0'/></ScalarVariable>
<ScalarVariable name='energy' valueReference='8' causality='output'><Real/></ScalarVariable>
</ModelVariables>
<ModelStructure><Outputs><Unknown index='7'/></Outputs>
<Derivatives><Unknown index='3'/><Unknown index='4'/></Derivatives></ModelStructure></fmiModelDescription>"""
LEVELS = """<fmiModelDescription fmiVersion='2.0' modelName='levels' guid='{levels}'>
<ModelExchange modelIdentifier='levels'/><DefaultExperiment stopTime='4'/>
<ModelVariables>
<ScalarVariable name='force' valueReference='1' causality='input'><Real start='0'/></ScalarVariable>
<ScalarVariable name='through' valueReference='2' causality='output'><Real/></ScalarVariable>
<ScalarVariable name='count' valueReference='0' causality='output' variability='discrete'><Integer/></ScalarVariable>
</ModelVariables>
<ModelStructure><Outputs><Unknown index='2'/><Unknown index='3'/></Outputs></ModelStructure></fmiModelDescription>"""


def fmu(folder, description, name):
    """An FMU of the binaries that the tests of the adapter use."""
    binary = MODULES / f"fmu_{name}2.so"
    if not binary.exists():
        pytest.skip("built without FMUs")
    path = folder / f"{name}.fmu"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("modelDescription.xml", description)
        archive.write(binary, f"binaries/linux64/{name}.so")
    return path


@pytest.fixture
def oscillator(tmp_path):
    return fmu(tmp_path, OSCILLATOR, "oscillator")


@pytest.fixture
def levels(tmp_path):
    return fmu(tmp_path, LEVELS, "levels")


def test_inputs_over_time_are_arrays(oscillator):
    t = np.linspace(0, 2, 9)
    table = np.array(list(zip(t, t)), dtype=[("time", float), ("force", float)])
    for inputs in {"time": t, "force": t}, table:
        model = Model(oscillator, inputs=inputs)
        assert model.parameters["inputs"].value == "a table: time, force" and "a table: time, force" in repr(model)
        for same in model, pickle.loads(pickle.dumps(model)), model.replace(omega=1):
            r = same.solve(t_eval=[1])
            np.testing.assert_allclose(r["x"], cos(1) + 1 - sin(1), atol=1e-6)
    held = Model(oscillator, inputs={"time": [0, 1], "force": [0, 1]}, hold=1).solve(t_eval=[2])
    np.testing.assert_allclose(held["x"], 1 + (cos(1) - 1) * cos(1) - sin(1) * sin(1), atol=1e-6)


def test_tables_that_are_none_are_refused(oscillator):
    with pytest.raises(ValueError, match="inputs: the columns of a table must be one-dimensional arrays of equal len"):
        Model(oscillator, inputs={"time": [0, 1], "force": [0, 1, 2]})
    with pytest.raises(resida.Error, match="the FMU has no input torque"):
        Model(oscillator, inputs={"time": [0, 1], "torque": [0, 1]})
    with pytest.raises(resida.Error, match="force = \"nan\" is not a finite number"):
        Model(oscillator, inputs={"time": [0, 1], "force": [0, np.nan]})


def test_any_variable_is_an_output(oscillator):
    r = Model(oscillator, outputs=["der(v)", "omega", "out.v"]).solve(t_eval=[0, 1])
    np.testing.assert_allclose(r["der(v)"], [-1, -cos(1)], atol=1e-6)
    np.testing.assert_allclose(r["out.v"], r["v"], rtol=1e-12)
    assert list(r["omega"]) == [1, 1] and "energy" in r.keys()


def test_a_stepper_sets_and_gets_by_name(oscillator):
    with Model(oscillator, outputs="der(v)").stepper() as s:
        s.advance(1)
        assert s.get("force") == 0 and s.get("omega") == 1 and s.get("t") == 1
        np.testing.assert_allclose([s.get("x"), s.get("der(v)"), s.get("energy")], [cos(1), -cos(1), 0.5], atol=1e-6)
        s.set(force=1)
        assert s.get("force") == 1 and s.t == 1
        np.testing.assert_allclose([s.get("der(v)"), s.yp[1]], 1 - cos(1), atol=1e-6)
        s.advance(2)
        x = 1 + (cos(1) - 1) * cos(1) - sin(1) * sin(1)
        np.testing.assert_allclose(s.get("x"), x, atol=1e-6)
        s.set({"force": None})
        np.testing.assert_allclose(s.get("der(v)"), -x, atol=1e-6)
        with pytest.raises(KeyError, match="unknown name 'forse'; did you mean 'force'"):
            s.get("forse")
        with pytest.raises(ValueError, match="set: omega is a parameter, or an input that is not continuous: use cha"):
            s.set(omega=2)
        s.set(force=5)
    np.testing.assert_allclose(Model(oscillator).solve(t_eval=[1])["x"], cos(1), atol=1e-6)


def test_a_stepper_reaches_times_that_differ_from_communication_points_by_rounding(oscillator):
    with Model(oscillator, communication_step=0.01).stepper() as s:
        for k in range(20):
            calls = 0
            while s.t < (k + 1) * 0.1 and calls < 3:
                assert s.advance((k + 1) * 0.1) == "reached"
                calls += 1
            assert calls < 3


def test_a_stepper_gets_the_input_of_a_table_at_the_time_reached(oscillator):
    t = np.linspace(0, 2, 201)
    model = Model(oscillator, inputs={"time": t, "force": np.sin(t)})
    with model.stepper() as s:
        s.advance(1)
        assert s.get("force") == pytest.approx(np.sin(1), abs=1e-12)
        s.set(force=3)
        assert s.get("force") == 3
        s.set(force=None)
        assert s.get("force") == pytest.approx(np.sin(1), abs=1e-12)
    with model.replace(communication_step=0.125).stepper() as s:
        s.advance(1)
        assert s.get("force") == pytest.approx(np.sin(1), abs=1e-12)


def test_inputs_of_a_stepper_are_kept_while_the_model_runs_again(oscillator):
    model = Model(oscillator)
    with model.stepper() as s:
        s.set(force=1)
        model.solve(t_eval=[1])
        s.advance(2)
        np.testing.assert_allclose(s.get("x"), 1, atol=1e-6)  # at rest


def test_inputs_that_are_refused_change_nothing(oscillator):
    with Model(oscillator).stepper() as s:
        for wrong, reason in (({"force": np.inf}, "force = inf is not finite"), ({"force": "x"}, "'x' is not a num"),
                              ({"force": np.nan}, "force = nan is not finite; None ends the hold")):
            with pytest.raises(ValueError, match=reason):
                s.set(wrong)
            assert s.get("force") == 0


def test_a_run_after_a_stepper_has_the_inputs_of_the_model(oscillator):
    model = Model(oscillator)
    with model.stepper() as s:
        s.set(force=5)
    np.testing.assert_allclose(model.solve(t_eval=[1])["x"], cos(1), atol=1e-6)
    with model.stepper() as s:
        assert s.get("force") == 0


def test_in_co_simulation_inputs_apply_in_the_step_from_the_point(oscillator):
    with Model(oscillator, communication_step=0.125, outputs="x").stepper() as s:
        s.set(force=1)
        s.advance(1)
        assert s.get("x") == pytest.approx(1, abs=1e-6)  # at rest
        s.set(force=0)
        s.advance(1.125)
        assert s.get("x") == pytest.approx(cos(0.125), abs=1e-6)
        s.advance(1.1875)
        s.set(force=cos(0.25))  # within a step: from t = 1.25 on
        s.advance(1.375)
        assert s.get("x") == pytest.approx(cos(0.25) - sin(0.25) * sin(0.125), abs=1e-6)
        with pytest.raises(ValueError, match="restart: t = nan must be finite"):
            s.restart(t=np.nan)
        s.set(force=1)
        s.restart(t=0)
        assert s.get("force") == 1
        s.advance(1)
        assert s.get("x") == pytest.approx(1, abs=1e-6)


def test_an_input_that_is_set_acts_as_the_jump_of_a_table(oscillator):
    model = Model(oscillator, communication_step=0.125, outputs="x")
    jump = model.replace(inputs={"time": [0, 1, 1, 2], "force": [0, 0, 3, 3]})
    with model.stepper() as by_call, jump.stepper() as by_table:
        for k in range(1, 17):
            for s in by_call, by_table:
                while s.t < k / 8:
                    s.step(2)
            assert by_call.get("x") == by_table.get("x")
            if k == 8:
                by_call.set(force=3)


@pytest.fixture
def tunable(tmp_path):
    place = "name='omega' valueReference='5' causality='parameter'"
    return fmu(tmp_path, OSCILLATOR.replace(place, place + " variability='tunable'"), "oscillator")


def test_co_simulation_continues_with_another_parameter(tunable):
    with Model(tunable, communication_step=0.125, outputs="x").stepper() as s:
        s.advance(1)
        s.change(omega=2)
        assert s.t == 1 and s.get("omega") == 2
        assert s.get("x") == pytest.approx(cos(1), abs=1e-6)
        s.advance(2)
        assert s.get("x") == pytest.approx(cos(1) * cos(2) - sin(1) * sin(2) / 2, abs=1e-5)
        unknown = "unknown name 'omego'; did you mean 'omega'"
        for wrong, words in ({"omego": 1}, unknown), ({"x": 1}, "parameter x of"):
            with pytest.raises(ValueError, match=words):
                s.change(**wrong)
        s.restart()
        assert s.get("omega") == 2 and s.get("x") == 1


def test_co_simulation_does_not_continue_after_a_value_that_is_lost(oscillator):
    with Model(oscillator, communication_step=0.125, outputs="x", omega=1e160).stepper() as s:
        for _ in range(3):
            with pytest.raises(resida.Error, match="x = .* after a communication step|event.. failed"):
                s.advance(1)


def test_co_simulation_has_no_linearization(oscillator):
    model = Model(oscillator, communication_step=0.125)
    for call in model.linearize, model.equilibrium, lambda: model.solve(sensitivities=["omega"]):
        with pytest.raises(ValueError, match=": the model has its own integrator, or no continuous states"):
            call()


def test_a_target_within_rounding_of_a_communication_point_is_the_point(oscillator):
    ends = []
    for is_summed in False, True:
        with Model(oscillator, communication_step=0.1, outputs="x").stepper() as s:
            for k in range(30):
                s.set(force=sin(k))
                assert s.advance(s.t + 0.1 if is_summed else 0.1 * (k + 1)) == "reached"
            assert s.t == pytest.approx(3, abs=1e-14)
            ends.append(s.get("x"))
    assert ends[1] == pytest.approx(ends[0], abs=1e-9)


@pytest.mark.parametrize("t_0", [0, 1000])
def test_a_loop_of_many_steps_does_not_drift_from_the_communication_points(oscillator, t_0):
    with Model(oscillator, communication_step=0.01, outputs="x").stepper(t=t_0) as s:
        for k in range(1, 1001):
            assert s.advance(s.t + 0.01) == "reached" and s.t == t_0 + 0.01 * k
            assert s.get("x") == pytest.approx(cos(0.01 * k), abs=1e-6)


@pytest.mark.parametrize("at", [0.3, 0.5, 0.8, 0.85])
def test_an_event_occurs_at_a_communication_point(oscillator, at):
    model = Model(oscillator, communication_step=0.1, outputs="x")
    r = model.solve((0, 1), events=lambda t, y, yp: t - at)
    np.testing.assert_allclose(r.t_events, [[at]], rtol=1e-12)
    assert r["x"][-1] == pytest.approx(model.solve((0, 1))["x"][-1], abs=1e-9)


def test_the_state_of_co_simulation_cannot_be_set(oscillator):
    with Model(oscillator, communication_step=0.125, outputs="x").stepper() as s:
        s.advance(1)
        for call in s.restart, s.system.stepper, s.system.check, lambda start: s.system.solve((0, 1), start):
            with pytest.raises(ValueError, match="the start cannot be set: the model has its own integrator"):
                call([0.25])
        with pytest.raises(ValueError, match="rtol has no effect"):
            s.set_options(rtol=1e-3)
        s.advance(2)
        assert s.get("x") == pytest.approx(cos(2), abs=1e-5)


def test_time_as_the_only_unknown_is_not_at_rest(oscillator):
    assert Model(oscillator, communication_step=1e-4).solve((0, 1e-4)).warnings == []


def test_rows_between_communication_points_are_a_hint(oscillator):
    model = Model(oscillator, communication_step=0.25, outputs="x")
    words = ["outputs between communication points are those of the last point"]
    assert model.solve((0, 1), t_eval=np.linspace(0, 1, 9)).hints == words
    assert model.solve((0, 1), t_eval=np.linspace(0, 1, 5)).hints == []


def test_held_inputs_and_a_default_communication_step_are_hints(oscillator):
    model = Model(oscillator, communication_step=0.02, inputs={"time": [0, 2], "force": [0, 2]})
    held = "inputs are held during each step, with an error of first order"
    usual = "communication_step = 0.02 s is a default, not that of the FMU"
    assert model.solve((0, 2), t_eval=[0, 2]).hints == [held, usual]
    assert model.replace(communication_step=0.04).solve((0, 2), t_eval=[0, 2]).hints == [held]
    assert model.replace(communication_step=0.04, hold=True).solve((0, 2), t_eval=[0, 2]).hints == []


def test_the_start_value_of_a_state_is_not_a_change(oscillator):
    with Model(oscillator).stepper() as s:
        s.advance(1)
        with pytest.raises(ValueError, match="change: x is the start value of a state: set the state by restart"):
            s.change(x=2)
        s.change(omega=2)  # no discrete states: another instance has the same state
        s.advance(2)
        np.testing.assert_allclose(s.get("x"), cos(1) * cos(2) - sin(1) * sin(2) / 2, atol=1e-6)


def test_a_model_starts_at_the_start_of_its_t_span(tmp_path):
    model = Model(fmu(tmp_path, OSCILLATOR.replace("<DefaultExperiment ", "<DefaultExperiment startTime='1' "),
                      "oscillator"))
    assert model.t_span == (1, 2) and model.linearize().t == 1 and model.equilibrium(t=None).start is not None
    with model.stepper() as s:
        assert s.t == 1


def test_an_fmu_starts_at_the_time_of_a_restart(levels, oscillator):
    with Model(levels).stepper() as s:
        while s.advance(2.5) == "event":
            pass
        s.restart()
        while s.advance(3.5) == "event":
            pass
        assert s.get("count") == 3
    with Model(oscillator, communication_step=0.125, outputs="x").stepper() as s:
        s.advance(0.5)
        s.restart()
        s.advance(1.5)
        assert s.get("x") == pytest.approx(cos(1), abs=1e-5)


def test_an_fmu_refuses_the_change_of_a_fixed_parameter(oscillator):
    with Model(oscillator, communication_step=0.125, outputs="x").stepper() as s:
        s.advance(1)
        x = s.get("x")
        for name in "omega", "x", "communication_step":
            with pytest.raises(ValueError, match=f"change: parameter {name} of the FMU is fixed after its initialisa"):
                s.change(**{name: 2})
        assert s.get("x") == x and s.t == 1


def test_an_fmu_keeps_its_discrete_state_when_a_parameter_changes(tmp_path):
    gear = ("<ScalarVariable name='gear' valueReference='1' causality='parameter' variability='tunable'>"
            "<Integer start='0'/></ScalarVariable></ModelVariables>")
    path = fmu(tmp_path, LEVELS.replace("</ModelVariables>", gear), "levels")
    for model in Model(path), Model(path, inputs={"time": [0, 4], "force": [0, 0]}):
        with model.stepper() as s:
            while s.advance(2.5) == "event":
                pass
            s.change(gear=7)
            assert s.get("count") == 2 and s.get("through") == 7 and s.get("gear") == 7 and s.t == 2.5
            assert s.advance(3.5) == "event" and s.t == 3 and s.get("count") == 3
            with pytest.raises(ValueError, match="gear = 0.5 must be an integer from "):
                s.change(gear=0.5)
        with model.stepper() as s:
            assert s.get("gear") == 0 and s.get("through") == 0


def test_an_fmu_continues_when_an_input_is_set(levels):
    with Model(levels).stepper() as s:
        while s.advance(2.5) == "event":
            pass
        s.set(force=3)
        assert s.get("count") == 2 and s.get("through") == 6 and s.t == 2.5
        assert s.advance(3.5) == "event" and s.t == 3 and s.get("count") == 3
        assert s.advance(3.5) == "reached"


def test_a_model_is_exported_from_python(tmp_path):
    if not (Path(os.environ["RESIDA_BUILD"]) / "resida-component.so").exists():
        pytest.skip("built without the export of FMUs")
    path = tmp_path / "pendulum.fmu"
    (written,) = resida.command("export", "pendulum", fmu=path, fmi="3.0", columns=["p.x", "v.x"], rtol=1e-8, t_end=5,
                                points=10)
    assert written["fmu"] == str(path) and written["model"] == "pendulum" and written["outputs"] == 2
    (row,) = resida.command("solve", "pendulum", rtol=1e-8, t_end=5)
    model = Model(path)
    r = model.solve(t_eval=[model.t_span[1]])
    assert r["p.x"][-1] == row["end"]["p"][0]


SYSTEM = """<ssd:SystemStructureDescription xmlns:ssd='http://ssp-standard.org/SSP1/SystemStructureDescription'
  xmlns:ssc='http://ssp-standard.org/SSP1/SystemStructureCommon' version='1.0' name='two'>
<ssd:System name='two'><ssd:Elements>
<ssd:Component name='a' source='resources/oscillator.fmu'><ssd:Connectors>
<ssd:Connector name='energy' kind='output'><ssc:Real/></ssd:Connector></ssd:Connectors></ssd:Component>
<ssd:Component name='b' source='resources/oscillator.fmu'>
<ssd:Connectors><ssd:Connector name='force' kind='input'><ssc:Real/></ssd:Connector></ssd:Connectors></ssd:Component>
<ssd:Component name='c' source='resources/oscillator.fmu'/>
</ssd:Elements><ssd:Connections>
<ssd:Connection startElement='a' startConnector='energy' endElement='b' endConnector='force'/>
</ssd:Connections></ssd:System></ssd:SystemStructureDescription>"""


@pytest.fixture
def system(oscillator, tmp_path):
    path = tmp_path / "two.ssp"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("SystemStructure.ssd", SYSTEM)
        archive.write(oscillator, "resources/oscillator.fmu")
    return path


@pytest.mark.parametrize("more", [{}, {"communication_step": 0.125, "outputs": "c.x,a.energy"}])
def test_inputs_of_a_system_are_set_by_name(system, more):
    model = Model(system, **more)
    with model.stepper() as s:
        s.advance(1)
        assert s.get("c.force") == 0
        s.set({"c.force": 2.0})
        assert s.get("c.force") == 2
        s.advance(2)  # the other oscillators are left alone
        x, v = 2 + (cos(1) - 2) * cos(1) - sin(1) * sin(1), -(cos(1) - 2) * sin(1) - sin(1) * cos(1)
        assert s.get("c.x") == pytest.approx(x, abs=1e-5)
        assert s.get("a.energy") == pytest.approx(0.5, abs=1e-5)
        s.set({"c.force": None, "a.force": 1})
        s.advance(3)
        assert s.get("c.x") == pytest.approx(x * cos(1) + v * sin(1), abs=1e-5)
        assert s.get("a.energy") != pytest.approx(0.5, abs=1e-2)
        with pytest.raises(ValueError, match="set: b.force is neither an input without a connection nor"):
            s.set({"b.force": 1})
    with model.stepper() as s:
        assert s.get("c.force") == 0


def test_a_system_starts_at_any_time_as_its_fmu_does(levels, tmp_path):
    path = tmp_path / "one.ssp"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("SystemStructure.ssd", SYSTEM[:SYSTEM.index("<ssd:Component")]
                         + "<ssd:Component name='a' source='levels.fmu'/></ssd:Elements></ssd:System>"
                         "</ssd:SystemStructureDescription>")
        archive.write(levels, "levels.fmu")
    alone, system = (Model(each).solve((2.5, 4)) for each in (levels, path))
    assert alone["count"][-1] == 4
    assert system["a.count"].tolist() == alone["count"].tolist()


@pytest.mark.parametrize("t_0", [-5, 2, 10, 1e4])
def test_co_simulation_starts_at_any_time(oscillator, t_0):
    """The rounding of t is 1e-10 of a step at 1e4."""
    r = Model(oscillator, communication_step=0.01, outputs=["x"]).solve((t_0, t_0 + 1))
    assert r["x"][-1] == pytest.approx(cos(1), abs=1e-6)
    with Model(oscillator, communication_step=0.01).stepper(t=t_0) as s:
        for k in range(1, 101):
            s.advance(t_0 + k * 0.01)
        assert s.get("x") == pytest.approx(cos(1), abs=1e-6)


def test_only_fmus_have_inputs_to_set(bead):
    with Model(bead).stepper() as s, pytest.raises(ValueError, match="set: mass is a parameter: use change"):
        s.set(mass=2)


def test_a_stepper_of_co_simulation_gets_any_variable_at_a_communication_point(oscillator):
    t = np.linspace(0, 2, 17)
    with Model(oscillator, communication_step=0.125, inputs={"time": t, "force": t}).stepper() as s:
        for k in 0, 8, 12:
            s.advance(k / 8)
            assert s.get("force") == k / 8 and s.get("omega") == 1
            assert s.get("der(v)") == pytest.approx(s.get("force") - s.get("x"), abs=1e-12)
    with Model(oscillator, communication_step=0.125).stepper() as s:
        for k in 0, 8, 12:
            s.advance(k / 8)
            assert s.get("x") == pytest.approx(cos(k / 8), abs=1e-6)
        s.advance(1.5625)
        assert s.get("omega") == 1 and s.get("energy") == pytest.approx(0.5, abs=1e-6)
        with pytest.raises(resida.Error, match="x is known only at communication points: add it to outputs"):
            s.get("x")


def test_an_output_that_does_not_exist_is_refused(oscillator, system):
    for wrong in "enrgy", ["x", "enrgy"], ["out.enrgy"], ["x*", "enrgy*"]:
        with pytest.raises(resida.Error, match="outputs: no variable '(x|out.)?enrgy.?'"):
            Model(oscillator, outputs=wrong)
    for wrong in ["c.enrgy"], ["c.x", "energy"]:
        with pytest.raises(resida.Error, match="outputs: no variable '(c.enrgy|energy)'; did you mean '.*energy'"):
            Model(system, outputs=wrong)


def test_co_simulation_refuses_options_of_the_solver(oscillator):
    model = Model(oscillator, communication_step=0.125)
    words = "has no effect: the model has its own integrator, or no continuous states"
    for name, value in ("h_max", 0.1), ("max_step", 0.1), ("method", "radau-iia-3"), ("atol", 1e-9), ("max_order", 2):
        for call in model.solve, model.stepper:
            with pytest.raises(ValueError, match=f"{name.replace('max_step', 'h_max')} {words}"):
                call(**{name: value})
    with model.stepper(rtol=1e-7, max_steps=1000) as s, pytest.raises(ValueError, match=f"h_max {words}"):
        s.set_options(h_max=1)
    model.solve(h_max=0.01, events=lambda t, y, yp: y[0] - 0.3)  # of the search for the event


def test_a_checkpoint_keeps_held_inputs(oscillator):
    s = Model(oscillator).stepper()
    s.set(force=3.0)
    s.advance(0.5)
    saved = s.save()
    s.advance(1.0)
    resumed = Model(oscillator).stepper(resume=saved)
    assert resumed.get("force") == 3
    resumed.advance(1.0)
    assert resumed.get("x") == pytest.approx(3 - 2 * cos(1), abs=1e-6)
    assert s.get("x") == pytest.approx(3 - 2 * cos(1), abs=1e-6)
    resumed.set(force=None)
    resumed.advance(1.5)
    x, v = 3 - 2 * cos(1), 2 * sin(1)
    assert resumed.get("x") == pytest.approx(x * cos(0.5) + v * sin(0.5), abs=1e-6)


def test_an_fmu_that_cannot_save_its_state_is_refused_by_name(oscillator, levels, tmp_path):
    model = Model(oscillator, communication_step=0.125)
    words = r"cannot be saved: the FMU cannot save its state \(canGetAndSetFMUstate\)"
    for each in model, Model(levels):
        with each.stepper() as s, pytest.raises(resida.Error, match=words):
            s.save()
    with pytest.raises(resida.Error, match=words):
        model.solve(checkpoint=tmp_path / "x", checkpoint_steps=1)


SAVING = " canGetAndSetFMUstate='true'"


@pytest.mark.parametrize("more", [{}, {"communication_step": 0.25}])
@pytest.mark.parametrize("at", [2.5, 2.6])
def test_a_stepper_of_an_fmu_returns_to_a_saved_state(tmp_path, more, at):
    """The counts and the held values of gear are memory of the FMU that no unknown has."""
    gear = ("<ScalarVariable name='gear' valueReference='1' causality='parameter' variability='tunable'>"
            "<Integer start='0'/></ScalarVariable><ScalarVariable name='held' valueReference='3' causality='output'>"
            "<Real/></ScalarVariable></ModelVariables>")
    text = LEVELS.replace("<ModelExchange modelIdentifier='levels'/>", "<ModelExchange modelIdentifier='levels'"
                          f"{SAVING}/><CoSimulation modelIdentifier='levels'{SAVING}/>")
    model = Model(fmu(tmp_path, text.replace("</ModelVariables>", gear), "levels"), **more)

    def rest(s):
        seen = []
        for t in 2.75, 3.25, 4:
            while s.advance(t) == "event":
                pass
            seen.append([s.get(name) for name in ("count", "through", "held", "gear")])
        return seen

    with model.stepper() as s:
        while s.advance(1.5) == "event":
            pass
        s.set(gear=3, force=0.5)
        while s.advance(at) == "event":
            pass
        saved = s.save()
        s.set(gear=5)
        other = s.save()
        first, expected = rest(s), [[2, 4, 3, 3], [3, 4, 3, 3], [4, 4, 3, 3]]
    assert [row[0] for row in first] == [2, 3, 4] and first[-1] == [4, 6, 5, 5]
    for _ in range(2):
        with model.stepper(resume=saved) as s:
            assert s.t == at and s.get("gear") == 3
            assert rest(s) == expected
        with model.stepper(resume=other) as s:
            assert rest(s) == first
    with pytest.raises(resida.Error, match="only by the model that saved it .canSerializeFMUstate"):
        Model(model.path, **more).stepper(resume=saved)
    with pytest.raises(resida.Error, match="cannot be written to a file"):
        model.solve(checkpoint=tmp_path / "x", checkpoint_steps=1)


def test_a_stepper_does_not_continue_with_the_fmu_of_another_run(levels, oscillator):
    for model in Model(levels), Model(oscillator, communication_step=0.125):
        with model.stepper() as s:
            s.advance(0.5)
            model.solve((0, 1))
            for call in (lambda: s.advance(1), lambda: s.set(force=1), s.save):
                with pytest.raises(resida.Error, match="another run of the Model has begun"):
                    call()
            s.restart()
            assert s.advance(0.75) == "reached"


def test_an_fmu_that_writes_its_state_continues_in_another_model(tmp_path):
    if not (Path(os.environ["RESIDA_BUILD"]) / "resida-component.so").exists():
        pytest.skip("built without the export of FMUs")
    for fmi in "2.0", "3.0":
        path = tmp_path / f"pendulum{fmi[0]}.fmu"
        resida.command("export", "pendulum", fmu=path, fmi=fmi, columns=["p.x", "v.x"], rtol=1e-8, t_end=5)
        with Model(path, communication_step=0.125).stepper() as s:
            s.advance(2.3)
            saved = s.save()
            s.advance(5)
            expected = s.get("p.x")
        with Model(path, communication_step=0.125).stepper(resume=saved) as s:
            s.advance(5)
            assert s.get("p.x") == pytest.approx(expected, abs=1e-7)


def test_a_tunable_parameter_of_an_fmu_without_events_is_set_and_saved(tmp_path):
    text = OSCILLATOR.replace("name='omega' valueReference='5' causality='parameter'",
                              "name='omega' valueReference='5' causality='parameter' variability='tunable'")
    path = fmu(tmp_path, text, "oscillator")
    with Model(path).stepper() as s:
        s.advance(1)
        s.set(omega=2)
        s.advance(1.25)
        saved = s.save()
        s.advance(2)
        x = cos(1) * cos(2) - sin(1) / 2 * sin(2)
        assert s.get("x") == pytest.approx(x, abs=1e-5) and s.get("omega") == 2
    with Model(path).stepper(resume=saved) as s:
        s.advance(2)
        assert s.get("x") == pytest.approx(x, abs=1e-5) and s.get("omega") == 2


def test_a_name_that_cannot_be_set_is_explained(levels, oscillator, system):
    for model, name, words in (
            (Model(levels), "count", "count is neither an input without a connection nor a tunable parameter"),
            (Model(oscillator), "omega", r"omega is a parameter, or an input that is not continuous: use change\(\)"),
            (Model(oscillator), "x", r"x is the start value of a state: set the state by restart\(\)"),
            (Model(system), "a.omega", "parameter a.omega of the FMU is fixed after its initialisation"),
            (Model(system), "b.force", "b.force is neither an input without a connection nor a tunable parameter"),
            (Model(oscillator), "der(v)", r"der\(v\) is neither an input"),
            (Model(oscillator), "forse", "unknown name 'forse'; did you mean 'force'")):
        with model.stepper() as s, pytest.raises(ValueError, match=f"set: {words}"):
            s.set({name: 1})


GATES = """<ssd:SystemStructureDescription xmlns:ssd='http://ssp-standard.org/SSP1/SystemStructureDescription'
  xmlns:ssc='http://ssp-standard.org/SSP1/SystemStructureCommon' version='1.0' name='gates'>
<ssd:System name='gates'><ssd:Connectors>
<ssd:Connector name='load' kind='input'><ssc:Real/></ssd:Connector>
<ssd:Connector name='speed' kind='output'><ssc:Real/></ssd:Connector></ssd:Connectors>
<ssd:Elements><ssd:Component name='l' source='resources/levels.fmu'/>
<ssd:Component name='m' source='resources/levels.fmu'/></ssd:Elements><ssd:Connections>
<ssd:Connection startConnector='load' endElement='l' endConnector='force'>
<ssc:LinearTransformation factor='2' offset='1'/></ssd:Connection>
<ssd:Connection startElement='l' startConnector='through' endElement='m' endConnector='force'/>
<ssd:Connection startElement='m' startConnector='through' endConnector='speed'/>
</ssd:Connections></ssd:System></ssd:SystemStructureDescription>"""


@pytest.mark.parametrize("more", [{}, {"communication_step": 0.25}])
def test_connectors_of_a_system_follow_what_is_set(tmp_path, more):
    text = LEVELS.replace("<DefaultExperiment", "<CoSimulation modelIdentifier='levels' canGetAndSetFMUstate='true' "
                          "canHandleVariableCommunicationStepSize='true'/><DefaultExperiment")
    for kind in "parameter' variability='tunable", "input":
        gear = (f"<ScalarVariable name='gear' valueReference='1' causality='{kind}'><Integer start='0'/>"
                "</ScalarVariable>")
        levels = fmu(tmp_path, text.replace("</ModelVariables>", gear + "</ModelVariables>"), "levels")
        with zipfile.ZipFile(tmp_path / "gates.ssp", "w") as archive:
            archive.writestr("SystemStructure.ssd", GATES)
            archive.write(levels, "resources/levels.fmu")
        with Model(tmp_path / "gates.ssp", load=1, **more).stepper() as s:
            while s.advance(1.5) == "event":
                pass
            assert [s.get(name) for name in ("load", "l.force", "speed")] == [1, 3, 12]
            s.set({"l.force": 5})
            assert [s.get(name) for name in ("load", "l.force", "m.force", "speed")] == [2, 5, 10, 20]
            s.change(**{"l.gear": 4})
            assert [s.get(name) for name in ("l.gear", "l.through", "m.force", "speed")] == [4, 14, 14, 28]
            s.set({"m.gear": -1, "l.force": None})
            assert [s.get(name) for name in ("load", "m.gear", "speed", "l.count")] == [1, -1, 19, 1] and s.t == 1.5
            while s.advance(2.5) == "event":
                pass
            assert [s.get(name) for name in ("l.gear", "m.gear", "speed", "l.count")] == [4, -1, 19, 2]
            s.set(load=3)
            assert [s.get(name) for name in ("load", "l.force", "l.through", "speed")] == [3, 7, 18, 35]
            s.set({"l.force": 1})
            assert [s.get(name) for name in ("l.force", "l.through")] == [1, 6]
            s.set({"l.force": None, "load": None})
            assert [s.get(name) for name in ("load", "l.force", "speed")] == [1, 3, 19]
            with pytest.raises(ValueError, match="change: m.gear = 0.5 must be an integer"):
                s.change(**{"m.gear": 0.5})
        table = {"time": [0, 2, 2, 4], "load": [0, 1, 3, 3]}
        columns = {**table, "l.gear": [1, 1, 2, 2]} if kind == "input" else table
        model = Model(tmp_path / "gates.ssp", inputs=columns, outputs="l.force", **more)
        r = model.solve((0, 4), t_eval=[0.5, 1.5, 2.5, 3.5])
        np.testing.assert_allclose(r["l.force"], [1.5, 2.5, 7, 7], atol=1e-12)
        gear = np.array([1, 1, 2, 2]) if kind == "input" else 0
        np.testing.assert_allclose(r["speed"], 2 * (2 * r["l.force"] + gear), atol=1e-12)
        with Model(tmp_path / "gates.ssp", inputs=columns, **more).stepper() as s:
            while s.advance(1.5) == "event":
                pass
            assert s.get("load") == 0.75
            s.set(load=2)
            assert s.get("l.force") == 5
        for wrong, words in ({"m.force": [0] * 4}, "inputs: input m.force is connected"), ({"lod": [0] * 4}, (
                "the system has no input lod")):
            with pytest.raises(resida.Error, match=words):
                Model(tmp_path / "gates.ssp", inputs={**table, **wrong})
