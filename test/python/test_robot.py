"""Model: mass matrix, forces and link Jacobians of robots, beside closed forms and sums over the links in numpy."""

import os
from pathlib import Path

import numpy as np
import pytest

from resida import Model, ModelWarning, sweep

G = 9.81


def link(name, mass, centre, inertia):
    xx, yy, zz, xy = inertia
    return (f"<link name='{name}'><inertial><origin xyz='{centre}'/><mass value='{mass}'/>"
            f"<inertia ixx='{xx}' iyy='{yy}' izz='{zz}' ixy='{xy}' ixz='0' iyz='0'/></inertial></link>")


def joint(name, kind, parent, child, axis, origin, rest=""):
    return (f"<joint name='{name}' type='{kind}'><parent link='{parent}'/><child link='{child}'/><axis xyz='{axis}'/>"
            f"<origin {origin}/>{rest}</joint>")


def robot(folder, *parts):
    if not (Path(os.environ["RESIDA_BUILD"]) / "resida-urdf.so").exists():
        pytest.skip("built without robots")
    path = folder / "arm.urdf"
    path.write_text(f"<robot name='arm'>{''.join(parts)}</robot>", encoding="ascii")
    return path


@pytest.fixture
def pendulum(tmp_path):
    """Two rods on hinges about y, the second one 0.7 m below the first one, with damping."""
    return robot(tmp_path, "<link name='wall'/>", link("upper", 2, "0 0 -0.3", (0.05, 0.05, 0.05, 0)),
                 link("lower", 3, "0 0 -0.4", (0.1, 0.1, 0.1, 0)),
                 joint("q", "continuous", "wall", "upper", "0 1 0", "xyz='0 0 0'"),
                 joint("s", "continuous", "upper", "lower", "0 1 0", "xyz='0 0 -0.7'", "<dynamics damping='0.2'/>"))


BODIES = {"cart": (4, [0.1, -0.2, 0.05], [0.2, 0.3, 0.4, 0.05]), "boom": (2, [0, 0.3, -0.4], [0.1, 0.2, 0.15, -0.03]),
          "hook": (1.5, [0.2, 0, -0.1], [0.05, 0.04, 0.06, 0.01])}


@pytest.fixture
def crane(tmp_path):
    """A slide, a hinge with an oblique axis, and a floating link."""
    links = [link(name, mass, " ".join(map(str, centre)), inertia) for name, (mass, centre, inertia) in BODIES.items()]
    return robot(tmp_path, link("wall", 1, "0 0 0", (1, 1, 1, 0)), *links,
                 joint("slide", "prismatic", "wall", "cart", "1 0 2", "xyz='0.1 0.2 0.3' rpy='0.1 -0.4 0.9'",
                       "<limit lower='-3' upper='3' effort='1' velocity='1'/>"),
                 joint("hinge", "continuous", "cart", "boom", "1 2 -1", "xyz='0 -0.3 0.5' rpy='0.4 0.2 0'"),
                 joint("free", "floating", "boom", "hook", "1 0 0", "xyz='0 0 -1' rpy='0 0.3 0'"))


def terms(q, v):
    """M and h of the double pendulum, by Lagrange's equations with the angles q and q + s."""
    m1, m2, c1, c2, i1, i2, length = 2, 3, 0.3, 0.4, 0.05, 0.1, 0.7
    mixed = m2 * length * c2
    A = np.array([[i1 + m1 * c1**2 + m2 * length**2, mixed * np.cos(q[1])], [mixed * np.cos(q[1]), i2 + m2 * c2**2]])
    rates = np.array([v[0], v[0] + v[1]])
    forces = mixed * np.sin(q[1]) * np.array([-rates[1]**2, rates[0]**2]) + G * np.array(
        [(m1 * c1 + m2 * length) * np.sin(q[0]), m2 * c2 * np.sin(q[0] + q[1])])
    T = np.array([[1, 0], [1, 1]])
    return T.T @ A @ T, T.T @ forces + [0, 0.2 * v[1]]


def test_mass_matrix_and_forces_of_a_double_pendulum_are_those_of_its_equations(pendulum):
    arm, rng = Model(pendulum), np.random.default_rng(1)
    for _ in range(5):
        q, v = rng.normal(size=(2, 2))
        M, h = terms(q, v)
        np.testing.assert_allclose(arm.mass_matrix(q), M, rtol=0, atol=1e-13)
        np.testing.assert_allclose(arm.nonlinear_effects(q, v), h, rtol=0, atol=1e-12)
    r = arm.solve((0, 1), ([1, 0.5], [0, 0]), rtol=1e-9, atol=1e-9)
    M, h = terms(r.p[:, -1], r.v[:, -1])
    np.testing.assert_allclose(M @ r.a[:, -1] + h, 0, atol=1e-5)


def test_forces_include_torques_at_their_time_and_no_multipliers(pendulum):
    q, v = np.array([0.3, -0.8]), np.array([1.0, 2.0])
    M, h = terms(q, v)
    arm = Model(pendulum, torques={"t": [0.0, 2.0], "s": [1.0, 5.0]})
    np.testing.assert_allclose(arm.nonlinear_effects(q, v, t=1), h - [0, 3], atol=1e-12)
    np.testing.assert_allclose(arm.nonlinear_effects(q, v), h - [0, 1], atol=1e-12)
    moved = Model(pendulum, motion={"t": [0.0, 2.0], "q": [0.0, 5.0]})
    np.testing.assert_allclose(moved.mass_matrix(q), M, atol=1e-13)
    np.testing.assert_allclose(moved.nonlinear_effects(q, v), h, atol=1e-12)


def rotation(roll, pitch, yaw):
    (sr, sp, sy), (cr, cp, cy) = np.sin([roll, pitch, yaw]), np.cos([roll, pitch, yaw])
    return (np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]]) @ np.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]])
            @ np.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]]))


def pose(arm, name, q):
    """The origin of a link, and its axes."""
    zero = np.zeros_like(q)
    out = arm.output(0, q, zero, zero, [])
    return (np.array([out[f"{name}.{x}"] for x in "xyz"]),
            rotation(*(out[f"{name}.{turn}"] for turn in ("roll", "pitch", "yaw"))))


def cross(x):
    return np.array([[0, -x[2], x[1]], [x[2], 0, -x[0]], [-x[1], x[0], 0]])


@pytest.mark.parametrize("base", ["fixed", "free"])
def test_link_jacobians_are_derivatives_of_the_poses(crane, base):
    arm = Model(crane, base=base)
    q, h = np.random.default_rng(2).uniform(-0.6, 0.6, arm.start[0].size), 1e-5
    assert q.size == (8 if base == "fixed" else 14)
    for name in BODIES:
        J, (_, R) = arm.jacobian(name, q), pose(arm, name, q)
        for k, step in enumerate(h * np.eye(q.size)):
            (after, turned), (before, other) = pose(arm, name, q + step), pose(arm, name, q - step)
            np.testing.assert_allclose(J[:3, k], (after - before) / (2 * h), atol=1e-9)
            np.testing.assert_allclose(cross(J[3:, k]), (turned - other) / (2 * h) @ R.T, atol=1e-9)


def test_the_mass_matrix_is_the_sum_over_the_links(crane):
    """M = sum J' diag(m, I) J of the centres of mass; the forces of gravity are -sum J' m g."""
    arm = Model(crane)
    q = np.random.default_rng(3).uniform(-0.6, 0.6, 8)
    M, h = np.zeros((8, 8)), np.zeros(8)
    for name, (mass, centre, (xx, yy, zz, xy)) in BODIES.items():
        J, (_, R) = arm.jacobian(name, q), pose(arm, name, q)
        along = J[:3] - cross(R @ centre) @ J[3:]
        inertia = R @ np.array([[xx, xy, 0], [xy, yy, 0], [0, 0, zz]]) @ R.T
        M += mass * along.T @ along + J[3:].T @ inertia @ J[3:]
        h += mass * G * along[2]
    np.testing.assert_allclose(arm.mass_matrix(q), M, atol=1e-12)
    np.testing.assert_allclose(arm.nonlinear_effects(q, np.zeros(8)), h, atol=1e-12)


def test_a_loop_pulls_by_its_multiplier(pendulum):
    """A rod from the wall to the end of the arm, which is 0.5 m below its hinge: M a + h + G' lam = 0, G by the
    Jacobian of the link."""
    ends = {"link_a": ["wall"], "x_a": [1.0], "y_a": [0.0], "z_a": [-1.0], "link_b": ["lower"], "x_b": [0.0],
            "y_b": [0.0], "z_b": [-0.5], "along": ["rod"], "length": [""]}
    arm = Model(pendulum, loops=ends, q=0.4, s=0.3)
    r = arm.solve((0, 0.5), rtol=1e-9, atol=1e-9)
    p, v = r.p[:, -1], r.v[:, -1]
    J, (origin, R) = arm.jacobian("lower", p), pose(Model(pendulum), "lower", p)
    offset = R @ [0, 0, -0.5]
    rod = origin + offset - [1, 0, -1]
    along = rod / np.linalg.norm(rod) @ (J[:3] - cross(offset) @ J[3:])
    np.testing.assert_allclose(along @ v, 0, atol=1e-8)
    np.testing.assert_allclose(arm.mass_matrix(p) @ r.a[:, -1] + arm.nonlinear_effects(p, v) + along * r.lam[0, -1], 0,
                               atol=1e-4)


def test_wrong_arguments_are_named(pendulum):
    arm = Model(pendulum)
    with pytest.raises(ValueError, match="arm.urdf has no outputs lowr.vx to lowr.wz; did you mean 'lower'"):
        arm.jacobian("lowr", [0, 0])
    with pytest.raises(ValueError, match="p0 has shape"):
        arm.mass_matrix([0])
    with pytest.raises(ValueError, match="v0 has shape"):
        arm.nonlinear_effects([0, 0], [0])
    dae = Model(Path(os.environ["RESIDA_TEST_MODULES"]) / "plugin_teller.so")
    with pytest.raises(ValueError, match="teller is a general DAE, which has no mass matrix"):
        dae.mass_matrix([0])


def test_warnings_of_a_description_are_warnings_of_a_run(tmp_path):
    """An inertia that no body has, and a misspelt element."""
    arm = Model(robot(tmp_path, "<link name='wall'/>", link("rod", 2, "0 0 -0.3", (5, 0.05, 0.05, 0)),
                      joint("q", "continuous", "wall", "rod", "1 0 0", "rpy='1 0 0'", "<dynamic damping='0.2'/>")))
    with pytest.warns(ModelWarning, match="link rod: a principal moment of its inertia is larger than the sum of the "
                                          "others; unknown, ignored: <dynamic> of joint q .line 1."):
        r = arm.solve((0, 0.1))
    assert len(r.warnings) == 1
    found = sweep(arm, {"vary": {"q": [0.1, 0.2]}}, out=tmp_path / "out.db")
    assert [row["warnings"] for row in found.rows] == [1, 1]


def test_a_joint_is_not_set_but_pushed(pendulum):
    """The torque m g c + M g d that holds the upper rod, with the lower one, at 90 degrees."""
    with Model(pendulum, q=np.pi / 2, s=-np.pi / 2).stepper() as s:
        with pytest.raises(ValueError, match=r"for its torque change\(torques={'t': \[0, 1\], 'q': \[u, u"):
            s.set(q=1.0)
        u = (2 * 0.3 + 3 * 0.7) * G
        s.change(torques={"t": [0, 1], "q": [u, u]})
        s.advance(0.2)
        np.testing.assert_allclose(s.p, [np.pi / 2, -np.pi / 2], atol=1e-5)


def test_constant_torques_are_set_in_the_model_of_the_run(pendulum):
    """After the first change the same model is used. A table that varies replaces the torques that were set."""
    tables = [{"t": [0, 1], "q": [u, u], "s": [-u, -u]} for u in (2.0, 5.0, 0.0, -3.0)]
    tables[2] = {"t": [0, 1], "q": [1, 2], "s": [0, 0]}
    arm = Model(pendulum, torques=tables[0])
    assert (arm.p_names, arm.v_names) == (["q", "s"], ["q.v", "s.v"])
    with arm.stepper() as s:
        s.advance(0.1)
        for k, table in enumerate(tables[1:]):
            before, p, v = s.system, s.p.copy(), s.v.copy()
            s.change(torques=table)
            assert (s.system is before) == (k != 1)
            s.advance(s.t + 0.1)
            with Model(pendulum, torques=table).stepper(p, v, t=s.t - 0.1) as other:
                other.advance(s.t)
                np.testing.assert_allclose(s.p, other.p, atol=1e-5)
        saved = s.save()
        s.advance(0.5)
    with s.system.stepper(resume=saved) as other:
        other.advance(0.5)
        np.testing.assert_allclose(other.p, s.p, atol=1e-5)
    with arm.stepper() as other:
        other.advance(0.1)
        with Model(pendulum, torques=tables[0]).stepper() as fresh:
            fresh.advance(0.1)
            np.testing.assert_array_equal(other.p, fresh.p)


def test_white_space_of_xml_separates_numbers(tmp_path):
    masses = []
    for place in "0 0 -1", "\n0\t0\r\n-1 ":
        path = robot(tmp_path, "<link name='wall'/>", link("upper", 2, "0 0 -0.5", (0.05, 0.05, 0.05, 0)),
                     link("lower", 3, "0 0 -1", (0.1, 0.1, 0.1, 0)),
                     joint("q", "continuous", "wall", "upper", "0 1 0", "xyz='0 0 0'"),
                     joint("s", "continuous", "upper", "lower", "0 1 0", f"xyz='{place}'"))
        masses.append(Model(path).mass_matrix([0.1, 0.2]))
    np.testing.assert_array_equal(*masses)


def test_a_given_joint_that_the_start_moves_is_named(tmp_path):
    """The rods are 1 m and 2 m long. A loop keeps the tip below the hinge."""
    path = robot(tmp_path, "<link name='wall'/>", link("upper", 2, "0 0 -0.5", (0.05, 0.05, 0.05, 0)),
                 link("lower", 3, "0 0 -1", (0.1, 0.1, 0.1, 0)),
                 joint("q", "continuous", "wall", "upper", "0 1 0", "xyz='0 0 0'"),
                 joint("s", "continuous", "upper", "lower", "0 1 0", "xyz='0 0 -1'"))
    loops = tmp_path / "loops.csv"
    loops.write_text("link_a,x_a,y_a,z_a,link_b,x_b,y_b,z_b,along\nlower,0,0,-2,wall,0,0,-3,x\n", encoding="ascii")
    with pytest.warns(ModelWarning, match="start: q moves by .* from 0.4 at t = 0"):
        Model(path, loops=str(loops), q=0.4).solve((0, 0.01))
