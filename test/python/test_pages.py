"""What a user is shown does what it says: the page, the examples, the installed package."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from matplotlib import image

from resida import _headers
from test_fmu import MODULES, OSCILLATOR, fmu
from test_robot import joint, link, robot

SOURCE = Path(os.environ["RESIDA_SOURCE"])
EXAMPLES = sorted((SOURCE / "python/examples").glob("*.py"))


def test_every_block_of_the_page_runs(tmp_path, monkeypatch):
    shutil.copy(os.environ["RESIDA_PLUGIN"], tmp_path / "bead.so")
    build = Path(os.environ["RESIDA_BUILD"])
    has_fmus = (MODULES / "fmu_oscillator2.so").exists() and (build / "resida-component.so").exists()
    if has_fmus:
        fmu(tmp_path, OSCILLATOR, "oscillator").rename(tmp_path / "model.fmu")
    has_robots = (build / "resida-urdf.so").exists()
    if has_robots:
        robot(tmp_path, *(link(name, 1, "0 0 -0.5", (0.1, 0.1, 0.1, 0)) for name in ("upper", "lower")),
              joint("elbow", "continuous", "upper", "lower", "0 1 0", "xyz='0 0 -1'"))
    monkeypatch.chdir(tmp_path)
    page = (SOURCE / "doc/python.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    assert len(blocks) > 4
    names = {}
    for block in blocks:
        if ".fmu" in block and not has_fmus or ".urdf" in block and not has_robots:
            continue
        exec(compile(block, "doc/python.md", "exec"), names)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_runs_and_draws(path, tmp_path):
    picture = tmp_path / "folder of pictures" / "picture.png"
    picture.parent.mkdir()
    run = subprocess.run([sys.executable, path, picture], cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert run.stdout.splitlines()[-1] == str(picture) and len(run.stdout.splitlines()) > 1 and not run.stderr
    pixels = image.imread(picture)
    assert pixels.shape[0] >= 400 and pixels.shape[1] >= 700
    assert 0.02 < (pixels[:, :, :3].min(axis=2) < 0.95).mean() < 0.9  # it shows something, on a white ground
    assert [entry.name for entry in tmp_path.iterdir()] == [picture.parent.name]


def test_the_gallery_has_ten_examples_which_the_page_shows():
    page = (SOURCE / "doc/python.md").read_text(encoding="utf-8")
    assert len(EXAMPLES) == 10
    assert {path.stem for path in EXAMPLES} == set(re.findall(r"python/examples/(\w+)\.py\)", page))


def test_the_installed_package_is_whole(tmp_path):
    install = ["meson", "install", "-C", os.environ["RESIDA_BUILD"], "--no-rebuild", "--tags", "python", "--quiet"]
    subprocess.run(install, env=os.environ | {"DESTDIR": str(tmp_path)}, check=True, capture_output=True)
    [package] = tmp_path.glob("**/resida/__init__.py")
    tell = "import resida; print(resida.__file__, resida.__version__)"
    environment = os.environ | {"PYTHONPATH": str(package.parent.parent)}
    run = subprocess.run([sys.executable, "-c", tell], env=environment, capture_output=True, text=True, check=True)
    assert run.stdout.split() == [str(package), _headers.version()]
    assert (package.parent / "py.typed").exists()


def test_the_package_has_the_version_of_the_headers():
    project = (SOURCE / "python/pyproject.toml").read_text(encoding="utf-8")
    assert f'\nversion = "{_headers.version()}"\n' in project
